//! The snippets of all bundled languages.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::Text;
use lop_languages::{Language, TABLE};

/// A snippet of each language in this build.
pub(crate) fn snippets() -> Vec<(Arc<Language>, Text)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets");
    let file = |name: &str, extensions: &[&str]| -> PathBuf {
        let paths =
            extensions.iter().map(|extension| directory.join(format!("{name}.{extension}")));
        let mut found = paths.filter(|path| path.exists());
        found.next().unwrap_or_else(|| panic!("there is no snippet of {name}"))
    };
    let read = |path: PathBuf| Arc::new(std::fs::read(path).unwrap());
    TABLE
        .iter()
        .filter_map(|entry| {
            let language = lop_languages::find(entry.name)?;
            Some((language, read(file(entry.name, entry.extensions))))
        })
        .collect()
}
