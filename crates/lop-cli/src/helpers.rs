//! `lop helpers`, and in the same way `lop gen --clients`: writes the modules that speak lop's protocols for tests and
//! generators.

use std::io;
use std::path::{Path, PathBuf};

use lop::oracle::execute::write_helpers;

use crate::exit::{Code, Failure};
use crate::reading::cure;
use crate::view::print;

/// Writes the modules for tests that stay to a directory.
pub(crate) fn write(directory: &Path) -> Result<Code, Failure> {
    written(directory, write_helpers)
}

/// Writes files to a directory and prints their paths.
pub(crate) fn written(
    directory: &Path,
    write: fn(&Path) -> io::Result<Vec<PathBuf>>,
) -> Result<Code, Failure> {
    let paths = write(directory).map_err(|error| {
        let message = format!("cannot write to `{}`: {error}", directory.display());
        Failure::new(Code::Output, message).help(cure(&error))
    })?;
    paths.iter().for_each(|path| print(&path.display().to_string()));
    Ok(Code::Done)
}
