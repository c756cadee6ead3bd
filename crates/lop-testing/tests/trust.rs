//! TRUST.md says what is so.

use std::fs;
use std::path::{Path, PathBuf};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

/// The reasons that a source gives for code that is not safe by construction.
fn reasons(text: &str) -> Vec<String> {
    let marked = text.split("expect(unsafe_code, reason = \"").skip(1);
    marked.map(|rest| rest.split_once('"').expect("a whole string").0.to_owned()).collect()
}

#[test]
fn all_unsafe_code_of_the_product_is_listed_with_its_reason() {
    let trust = fs::read_to_string(repository().join("TRUST.md")).unwrap();
    let mut files = Vec::new();
    for package in fs::read_dir(repository().join("crates")).unwrap() {
        sources(&package.unwrap().path().join("src"), &mut files);
    }
    let mut rows = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            !text.contains("allow(unsafe_code"),
            "{}: use expect, with a reason",
            file.display()
        );
        let name = file.to_string_lossy().replace("\\", "/");
        let name = &name[name.rfind("/crates/").unwrap() + 1..];
        rows.extend(reasons(&text).into_iter().map(|reason| format!("| `{name}` | {reason} |")));
    }
    assert!(rows.len() > 3, "sources are found");
    for row in &rows {
        assert!(trust.contains(row.as_str()), "TRUST.md lacks the row\n{row}");
    }
    let listed = trust.lines().filter(|line| line.starts_with("| `crates/")).count();
    assert_eq!(listed, rows.len(), "TRUST.md lists code that is gone");
}

#[test]
fn each_script_that_is_named_exists() {
    let trust = fs::read_to_string(repository().join("TRUST.md")).unwrap();
    let words = trust.split(|c: char| !(c.is_alphanumeric() || "/-_.".contains(c)));
    let scripts: Vec<&str> = words.filter(|word| word.starts_with("scripts/")).collect();
    assert!(!scripts.is_empty());
    for script in scripts {
        assert!(repository().join(script).is_file(), "there is no `{script}`");
    }
}
