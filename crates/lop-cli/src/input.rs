//! The input: a file, several files, or a directory.

use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use lop::{Bundle, FileKind, InputFile, Member, Text, Turn};

use crate::args::SearchArgs;
use crate::exit::{Code, Failure};
use crate::listing::{Found, Kind, files_in};
use crate::reading::{self, cure};

/// The end of the names of directories that lop makes for results.
pub(crate) const OWN: &str = ".lop";

/// The input, read into memory.
pub(crate) struct Input {
    pub(crate) text: Text,
    pub(crate) permissions: Permissions,
    /// The bundle with the place of each file in the text, if there are several.
    pub(crate) bundle: Option<Bundle>,
}

impl Input {
    /// Reads the input; from `sources`, if given, since --in-place has moved the original there. Files of a directory
    /// that are `apart` are not part of the input.
    pub(crate) fn read(
        paths: &[PathBuf],
        sources: &[PathBuf],
        search: &SearchArgs,
        apart: &dyn Fn(&Path) -> bool,
    ) -> Result<Input, Failure> {
        let source = |index: usize| sources.get(index).unwrap_or(&paths[index]);
        let is_empty = || {
            let message =
                format!("the input `{}` is empty: there is nothing to reduce", source(0).display());
            Failure::new(Code::Input, message).help("check the path")
        };
        let (root, found) = match paths {
            [directory] if directory.is_dir() => {
                let name = name_of(directory);
                let mut found = files_in(source(0), &name)?;
                found.retain(|file| !apart(&file.place));
                if found.is_empty() {
                    let shown = directory.display();
                    let message =
                        format!("the directory `{shown}` has no files: there is nothing to reduce");
                    return Err(Failure::new(Code::Input, message).help("check the path"));
                }
                (Some(name), found)
            }
            [_] => {
                if let Some(glob) = search.first.iter().chain(&search.fixed).next() {
                    let message =
                        format!("`{}` chooses among several files, but there is one", glob.text);
                    return Err(Failure::new(Code::Usage, message)
                        .help("leave out --first and --fixed; --keep protects parts of a file"));
                }
                let hint = "check the path; usage: lop TEST FILE, or lop FILE -- COMMAND {}";
                let (text, permissions) = read(source(0), hint)?;
                let input = Input { text, permissions, bundle: None };
                return if input.text.is_empty() { Err(is_empty()) } else { Ok(input) };
            }
            several if several.iter().any(|path| is_standard(path)) => {
                let message = "standard input, `-`, cannot be reduced together with files";
                return Err(Failure::new(Code::Usage, message).help("write it to a file first"));
            }
            several => {
                let found = several.iter().enumerate().map(|(index, path)| Found {
                    place: source(index).clone(),
                    name: inside(path),
                    kind: Kind::Regular,
                });
                (None, found.collect())
            }
        };
        let (bundle, text) = pack(root.as_deref(), &found, search)?;
        match bundle.members(&text).iter().all(|member| member.content.is_empty()) {
            true => Err(is_empty()),
            false => {
                let permissions = Permissions::from_mode(0o644);
                Ok(Input { text, permissions, bundle: Some(bundle) })
            }
        }
    }
}

/// The places of a bundle's files in an output directory: their paths relative to the bundle's root.
pub(crate) fn places(bundle: &Bundle, text: &[u8], directory: &Path) -> Vec<(PathBuf, PathBuf)> {
    let place = |path: &Path| directory.join(relative(bundle.root.as_deref(), path));
    let members = bundle.members(text).into_iter();
    members.map(|member| (member.path.clone(), place(&member.path))).collect()
}

/// A path without the directory that all files are in.
fn relative<'p>(root: Option<&Path>, path: &'p Path) -> &'p Path {
    root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path)
}

/// Reads the files at these places into one text, if they are part of the result.
pub(crate) fn gather(
    bundle: &Bundle,
    original: &[u8],
    places: &[(PathBuf, PathBuf)],
) -> Result<Text, Failure> {
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for Member { path, kind, .. } in bundle.members(original) {
        let Some((_, place)) = places.iter().find(|(each, _)| *each == path) else { continue };
        let content = match kind {
            FileKind::Link => fs::read_link(place).map(|target| target.into_os_string().into_vec()),
            FileKind::Directory => fs::read_dir(place).map(|_| Vec::new()),
            _ => fs::read(place),
        };
        match content {
            Ok(content) => files.push((path, content)),
            // The file has been removed from the result.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                let message =
                    format!("cannot read the earlier result `{}`: {error}", place.display());
                return Err(Failure::new(Code::Resume, message)
                    .help("start the run again without --resume"));
            }
        }
    }
    Ok(bundle.join(files.iter().map(|(path, content)| (&**path, &**content))))
}

/// Whether a path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The last component of a path; that of the absolute path for `.` and `..`.
pub(crate) fn name_of(path: &Path) -> PathBuf {
    let named = |path: &Path| path.file_name().map(PathBuf::from);
    let absolute = || fs::canonicalize(path).ok();
    named(path).or_else(|| named(&absolute()?)).unwrap_or_else(|| "input".into())
}

/// A file's path in the directory of the test: as the user wrote it if that is relative and below, else the file name.
pub(crate) fn inside(path: &Path) -> PathBuf {
    let is_below =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    match is_below {
        true => path.components().filter(|part| *part != Component::CurDir).collect(),
        false => name_of(path),
    }
}

fn pack(
    root: Option<&Path>,
    found: &[Found],
    search: &SearchArgs,
) -> Result<(Bundle, Text), Failure> {
    let mut files: Vec<InputFile> = Vec::new();
    let mut names = HashSet::new();
    for Found { place, name, kind } in found {
        if !names.insert(name) {
            let message = format!("two input files have the name `{}`", name.display());
            return Err(Failure::new(Code::Input, message)
                .help("put them into a directory and reduce that: lop TEST DIR"));
        }
        let mut file = InputFile::new(name, []);
        match kind {
            Kind::Regular => {
                let hint = "check the path; usage: lop TEST FILE…, or lop FILE… -- COMMAND {}";
                let (text, permissions) = read(place, hint)?;
                file.content = Arc::unwrap_or_clone(text);
                file.kind = FileKind::Regular(permissions.mode() & 0o7777);
            }
            Kind::Link(target) => {
                file.content = target.clone().into_os_string().into_vec();
                file.kind = FileKind::Link;
            }
            Kind::Directory => file.kind = FileKind::Directory,
        }
        files.push(file);
    }
    for (globs, turn) in [(&search.first, Turn::First), (&search.fixed, Turn::Never)] {
        for glob in globs {
            let mut matching =
                files.iter_mut().filter(|file| glob.matches(relative(root, &file.path))).peekable();
            if matching.peek().is_none() {
                let message = format!("no file of the input matches `{}`", glob.text);
                return Err(Failure::new(Code::Usage, message)
                    .help("patterns are for paths in the directory: 'src/*.c', Makefile"));
            }
            matching.for_each(|file| file.turn = turn);
        }
    }
    if files.iter().all(|file| file.turn == Turn::Never) {
        return Err(Failure::new(
            Code::Usage,
            "--fixed matches all files: there is nothing to reduce",
        )
        .help("leave some files to be reduced"));
    }
    Ok(Bundle::pack(root, &files))
}

/// Reads a file; `hint` is the help text if it does not exist.
pub(crate) fn read(input: &Path, hint: &str) -> Result<(Text, Permissions), Failure> {
    let shown = input.display();
    let wrong = |message: String| Failure::new(Code::Input, message);
    if is_standard(input) {
        let mut text = Vec::new();
        std::io::stdin().read_to_end(&mut text).map_err(|error| {
            wrong(format!("cannot read standard input: {error}")).help("write it to a file first")
        })?;
        return Ok((Arc::new(text), Permissions::from_mode(0o644)));
    }
    let metadata = fs::metadata(input).map_err(|error| match error.kind() {
        ErrorKind::NotFound => wrong(format!("the input `{shown}` does not exist")).help(hint),
        _ => wrong(format!("cannot access the input `{shown}`: {error}")).help(cure(&error)),
    })?;
    if metadata.is_dir() {
        return Err(wrong(format!("the input `{shown}` is a directory"))
            .help("give a directory as the only input: lop TEST DIR"));
    }
    if !metadata.is_file() {
        return Err(wrong(format!("the input `{shown}` is not a regular file"))
            .help("write its content to a file first"));
    }
    let text = reading::read(input).map_err(|error| {
        let help = match error.kind() {
            ErrorKind::PermissionDenied => format!("chmod +r {shown}, or run lop as its owner"),
            _ => cure(&error).into(),
        };
        wrong(format!("cannot read the input `{shown}`: {error}")).help(help)
    })?;
    Ok((Arc::new(text), metadata.permissions()))
}
