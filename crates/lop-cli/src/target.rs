//! Files that are written at the end of a run, besides the result.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use crate::exit::{Code, Failure};

/// Checks that such a file can be written, before anything is run. Its name ends with one of the extensions.
pub(crate) fn check(
    path: &Path,
    what: &str,
    extensions: &[&str],
    are: &str,
) -> Result<(), Failure> {
    let shown = path.display();
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let has =
        |extension: &&str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension));
    if !extensions.iter().any(has) {
        let message = format!("cannot write the {what} to `{shown}`: {what}s are {are}");
        return Err(Failure::new(Code::Usage, message)
            .help(format!("use a name that ends in .{}", extensions[0])));
    }
    if path.is_dir() || directory.is_some_and(|directory| !directory.is_dir()) {
        let why = if path.is_dir() { "it is a directory" } else { "its directory does not exist" };
        let message = format!("cannot write the {what} to `{shown}`: {why}");
        return Err(
            Failure::new(Code::Usage, message).help("choose a file in an existing directory")
        );
    }
    let is_new = !path.exists();
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)
        .map_err(|error: io::Error| failed(path, what, &error))?;
    if is_new {
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// The failure of writing such a file.
pub(crate) fn failed(path: &Path, what: &str, error: &dyn std::fmt::Display) -> Failure {
    let message = format!("cannot write the {what} to `{}`: {error}", path.display());
    Failure::new(Code::Output, message)
        .help(format!("check free space and permissions, or choose another file with --{what}"))
}
