//! The helpers that come with lop: they speak the protocol of `docs/src/guides/serve.md` for a test.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files for authors of tests.
const FILES: &[(&str, &str)] = &[
    ("lop_serve.py", include_str!("helpers/lop_serve.py")),
    ("lop-serve.js", include_str!("helpers/lop-serve.js")),
    ("LopServe.java", include_str!("helpers/LopServe.java")),
];

/// Writes the helpers for tests in Python, JavaScript and Java to a directory; returns their paths.
pub fn write_helpers(directory: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(directory)?;
    let write = |(name, text): &(&str, &str)| {
        let path = directory.join(name);
        fs::write(&path, text).map(|()| path)
    };
    FILES.iter().map(write).collect()
}
