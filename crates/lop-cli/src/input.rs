//! The input: a file, several files, or a directory.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lop::{Bundle, Text};

use crate::exit::{Code, Failure};

/// The end of the names of directories that lop makes for results.
pub(crate) const OWN: &str = ".lop";

/// The input, read into memory.
pub(crate) struct Input {
    pub(crate) text: Text,
    pub(crate) permissions: Permissions,
    /// Where each file is in the text, if there are several.
    pub(crate) bundle: Option<Bundle>,
}

impl Input {
    /// Reads the input. A single file is read from `source`, if given: --in-place has moved the original there.
    pub(crate) fn read(paths: &[PathBuf], source: Option<&Path>) -> Result<Input, Failure> {
        let hint = "check the path; the test comes first: lop TEST FILE";
        let (bundle, text, permissions) = match paths {
            [directory] if directory.is_dir() => {
                let name = name_of(directory);
                let files = files_in(directory, &name)?;
                if files.is_empty() {
                    let shown = directory.display();
                    let message =
                        format!("the directory `{shown}` has no files: there is nothing to reduce");
                    return Err(Failure::new(Code::Input, message));
                }
                let (bundle, text) = pack(Some(&name), &files)?;
                (Some(bundle), text, Permissions::from_mode(0o644))
            }
            [file] => {
                let (text, permissions) = read(source.unwrap_or(file), hint)?;
                (None, text, permissions)
            }
            several => {
                let files = several.iter().map(|path| (path.clone(), inside(path)));
                let (bundle, text) = pack(None, &files.collect::<Vec<_>>())?;
                (Some(bundle), text, Permissions::from_mode(0o644))
            }
        };
        let is_empty = match &bundle {
            Some(bundle) => bundle.members(&text).iter().all(|member| member.content.is_empty()),
            None => text.is_empty(),
        };
        if is_empty {
            let shown = source.unwrap_or(&paths[0]).display();
            let message = format!("the input `{shown}` is empty: there is nothing to reduce");
            return Err(Failure::new(Code::Input, message));
        }
        Ok(Input { text, permissions, bundle })
    }
}

/// Where the files of a bundle are written in an output directory: under their paths relative to the bundle's root.
pub(crate) fn places(bundle: &Bundle, text: &[u8], directory: &Path) -> Vec<(PathBuf, PathBuf)> {
    let root = bundle.root.clone().unwrap_or_default();
    let place = |path: &Path| directory.join(path.strip_prefix(&root).unwrap_or(path));
    let members = bundle.members(text).into_iter();
    members.map(|member| (member.path.clone(), place(&member.path))).collect()
}

/// Reads the files at these places into one text.
pub(crate) fn gather(bundle: &Bundle, places: &[(PathBuf, PathBuf)]) -> Result<Text, Failure> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for (path, place) in places {
        match fs::read(place) {
            Ok(content) => files.push((path.clone(), content)),
            // The file has been removed from the result.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                let message =
                    format!("cannot read the earlier result `{}`: {error}", place.display());
                return Err(Failure::new(Code::Resume, message));
            }
        }
    }
    Ok(bundle.join(&files))
}

/// The last component of a path; that of the absolute path for `.` and `..`.
fn name_of(path: &Path) -> PathBuf {
    let named = |path: &Path| path.file_name().map(PathBuf::from);
    let absolute = || fs::canonicalize(path).ok();
    named(path).or_else(|| named(&absolute()?)).unwrap_or_else(|| "input".into())
}

/// A file's path in the directory of the test: as the user wrote it if that is relative and below, else the file name.
fn inside(path: &Path) -> PathBuf {
    let is_below =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    match is_below {
        true => path.components().filter(|part| *part != Component::CurDir).collect(),
        false => name_of(path),
    }
}

/// The files below a directory, each with its path under `name`.
pub(crate) fn files_in(directory: &Path, name: &Path) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
    let mut files = Vec::new();
    let mut open = vec![(directory.to_owned(), name.to_owned())];
    while let Some((place, name)) = open.pop() {
        let entries = fs::read_dir(&place).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.map_err(|error| {
            let message = format!("cannot read the directory `{}`: {error}", place.display());
            Failure::new(Code::Input, message)
        })?;
        for entry in entries {
            let (place, name) = (entry.path(), name.join(entry.file_name()));
            // A link to a directory may lead anywhere, even to a parent.
            let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
            match fs::metadata(&place) {
                Ok(kind) if kind.is_dir() && !is_link => open.push((place, name)),
                Ok(kind) if kind.is_file() => files.push((place, name)),
                _ => {}
            }
        }
    }
    files.sort_by(|(_, left), (_, right)| left.cmp(right));
    Ok(files)
}

fn pack(root: Option<&Path>, files: &[(PathBuf, PathBuf)]) -> Result<(Bundle, Text), Failure> {
    let mut contents: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut executable = Vec::new();
    for (place, name) in files {
        let (text, permissions) =
            read(place, "check the path; the test comes first: lop TEST FILE…")?;
        if contents.iter().any(|(other, _)| other == name) {
            let message = format!("two input files have the name `{}`", name.display());
            return Err(Failure::new(Code::Input, message)
                .help("put them into a directory and reduce that: lop TEST DIR"));
        }
        if permissions.mode() & 0o111 != 0 {
            executable.push(name.clone());
        }
        contents.push((name.clone(), text.to_vec()));
    }
    Ok(Bundle::pack(root, &contents, executable))
}

/// Reads a file; `hint` is the help text if it does not exist.
pub(crate) fn read(input: &Path, hint: &str) -> Result<(Text, Permissions), Failure> {
    let shown = input.display();
    let wrong = |message: String| Failure::new(Code::Input, message);
    let metadata = fs::metadata(input).map_err(|error| match error.kind() {
        ErrorKind::NotFound => wrong(format!("the input `{shown}` does not exist")).help(hint),
        _ => wrong(format!("cannot access the input `{shown}`: {error}")),
    })?;
    if metadata.is_dir() {
        return Err(wrong(format!("the input `{shown}` is a directory"))
            .help("give a directory as the only input: lop TEST DIR"));
    }
    if !metadata.is_file() {
        return Err(wrong(format!("the input `{shown}` is not a regular file"))
            .help("write its content to a file first"));
    }
    let text = fs::read(input).map_err(|error| {
        wrong(format!("cannot read the input `{shown}`: {error}"))
            .help(format!("chmod +r {shown}, or run lop as its owner"))
    })?;
    Ok((Arc::new(text), metadata.permissions()))
}
