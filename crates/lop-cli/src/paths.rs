//! The names of the files that a run writes.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::input::OWN;

/// `prog.c` becomes `prog.lop.c`, `prog` becomes `prog.lop`. If the name of a file is a name in the program, it stays,
/// so that the result compiles: `Main.java` becomes `Main.lop/Main.java`.
pub(crate) fn beside(input: &Path) -> PathBuf {
    let language = lop::languages::guess(input, b"");
    let entry = lop::languages::TABLE.iter().find(|entry| Some(entry.name) == language);
    match (input.file_stem(), input.extension()) {
        (Some(stem), Some(_)) if entry.is_some_and(|entry| entry.names_by_file) => {
            let directory = suffixed(&input.with_file_name(stem), OWN);
            directory.join(input.file_name().unwrap_or_default())
        }
        (Some(stem), Some(extension)) => {
            let parts = [stem, OsStr::new(".lop."), extension];
            input.with_file_name(parts.into_iter().collect::<OsString>())
        }
        _ => suffixed(input, ".lop"),
    }
}

/// A path with a suffix added to its name.
pub(crate) fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_lies_beside_the_input() {
        for (input, output) in [
            ("prog.c", "prog.lop.c"),
            ("dir/a.tar.gz", "dir/a.tar.lop.gz"),
            ("Makefile", "Makefile.lop"),
            (".profile", ".profile.lop"),
            ("src/Main.java", "src/Main.lop/Main.java"),
            ("bank.rs", "bank.lop/bank.rs"),
        ] {
            assert_eq!(beside(Path::new(input)), Path::new(output));
        }
    }
}
