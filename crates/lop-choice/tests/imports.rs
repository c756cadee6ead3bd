//! What the files of this crate may use: those below them only, so no two of them use each other.

use std::fs;
use std::path::Path;

use lop_testing::{check_order, paths, sources};

/// All files and folders from the lowest to the highest, but for those that only hand on names.
const FILES: [&str; 28] = [
    "float", "choice", "record", "choices", "fresh", "source", "draw", "pattern", "types", "steps",
    "existing", "failure", "known", "trials", "loops", "repair", "workers", "shortlex", "passes",
    "protocol", "external", "store", "report", "case", "child", "climb", "explain", "check",
];

#[test]
fn files_use_only_those_below_them() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    check_order(&source, &FILES, &["lib", "engine"]);
}

#[test]
fn passes_use_each_other_in_one_direction() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/passes");
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut uses: Vec<(String, Vec<String>)> = Vec::new();
    for path in sources(&root).iter().filter(|path| !path.ends_with("mod.rs")) {
        let used = paths(&fs::read_to_string(path).unwrap());
        let sibling = |path: Vec<String>| path.get(1).filter(|_| path[0] == "super").cloned();
        let used = used.into_iter().filter_map(sibling);
        uses.push((name(path), used.collect()));
    }
    // A pass that uses none of the rest is removed, until nothing is left.
    while !uses.is_empty() {
        let names: Vec<String> = uses.iter().map(|(name, _)| name.clone()).collect();
        uses.retain(|(_, used)| used.iter().any(|used| names.contains(used)));
        assert!(uses.len() < names.len(), "these use each other in a circle: {uses:?}");
    }
}
