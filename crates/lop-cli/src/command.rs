//! Turns words of the command line into a command that runs in another directory.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub(crate) use lop::oracle::command::quoted;
use lop::oracle::command::{Argument, CommandLine};

use crate::exit::{Code, Failure};
use crate::reading::cure;

/// The command of a test script or program, with the candidate's path as its argument.
pub(crate) fn from_script(test: &Path) -> Result<CommandLine, Failure> {
    let program = find(test.as_os_str())?;
    let shown = test.display();
    let metadata = fs::metadata(&program).map_err(|error| {
        Failure::new(Code::Test, format!("cannot access the test `{shown}`: {error}"))
            .help(cure(&error))
    })?;
    if metadata.is_dir() {
        return Err(Failure::new(Code::Test, format!("the test `{shown}` is a directory"))
            .help("the test is a script or program: lop TEST FILE"));
    }
    if !metadata.is_file() {
        return Err(Failure::new(Code::Test, format!("the test `{shown}` is not a regular file"))
            .help("the test is a script or program: lop TEST FILE"));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(Failure::new(Code::Test, format!("the test `{shown}` is not executable"))
            .help(format!("chmod +x {shown}")));
    }
    match interpreter(&program) {
        Interpreter::Missing(name) => Err(Failure::new(
            Code::Test,
            format!("the test `{shown}` needs the interpreter `{name}`, which does not exist"),
        )
        .help("install the interpreter, or correct the first line of the script")),
        Interpreter::Windows => {
            Err(Failure::new(Code::Test, format!("the test `{shown}` has Windows line endings"))
                .help(format!("sed -i 's/\\r$//' {shown}")))
        }
        // Shells do the same with a script without `#!`.
        Interpreter::Unnamed => {
            Ok(script("/bin/sh".into(), vec![Argument::plain(program), Argument::candidate()]))
        }
        Interpreter::Fine => Ok(script(program, vec![Argument::candidate()])),
    }
}

fn script(program: PathBuf, args: Vec<Argument>) -> CommandLine {
    CommandLine { program, args, env: Vec::new(), reads_candidate: true }
}

/// A command reads the candidate from its standard input unless it mentions it: an interpreter with a program must not
/// get the candidate as the program's input.
fn command(program: PathBuf, args: Vec<Argument>) -> CommandLine {
    let reads_candidate = !args.iter().any(Argument::mentions_candidate);
    CommandLine { program, args, env: Vec::new(), reads_candidate }
}

/// The command from the words after `--`, for candidates of the file `input`.
pub(crate) fn from_words(words: &[OsString], input: &Path) -> Result<CommandLine, Failure> {
    let (program, rest) = words.split_first().expect("the caller has a command");
    if rest.is_empty() && program.as_bytes().contains(&b' ') && !Path::new(program).exists() {
        let script = Argument::script(template(program, input)?);
        return Ok(command("/bin/sh".into(), vec![Argument::plain("-c"), script]));
    }
    let program = find(program)?;
    if fs::metadata(&program).is_ok_and(|it| it.is_dir() || it.permissions().mode() & 0o111 == 0) {
        let shown = program.display();
        return Err(Failure::new(Code::Test, format!("the command `{shown}` is not executable"))
            .help(format!("chmod +x {shown}, or name its interpreter first")));
    }
    let args = rest.iter().map(|word| argument(word, input));
    if matches!(interpreter(&program), Interpreter::Unnamed) {
        // Shells do the same.
        let args = std::iter::once(Ok(Argument::plain(program))).chain(args);
        let args = args.collect::<Result<_, _>>()?;
        return Ok(command("/bin/sh".into(), args));
    }
    Ok(command(program, args.collect::<Result<_, _>>()?))
}

/// One word of an inline command. The command runs in another directory, so a word that names the input
/// is replaced by the candidate's path, and the path of any other file is made absolute.
fn argument(word: &OsStr, input: &Path) -> Result<Argument, Failure> {
    let argument = Argument::around(template(word, input)?);
    if argument.mentions_candidate() {
        return Ok(argument);
    }
    let path = Path::new(word);
    if path == input || is_same_file(path, input) {
        return Ok(Argument::candidate());
    }
    match std::path::absolute(path) {
        Ok(absolute) if path.is_file() => Ok(Argument::plain(absolute)),
        _ => Ok(argument),
    }
}

/// Whether two paths name the same file.
pub(crate) fn is_same_file(left: &Path, right: &Path) -> bool {
    fs::canonicalize(left)
        .is_ok_and(|left| fs::canonicalize(right).is_ok_and(|right| left == right))
}

/// The texts of a word around each `{}` and `@@`, which are replaced by the candidate's path. `@@.c`, the syntax of
/// other reducers, requires a candidate with that extension, so the input must have it too.
fn template(word: &OsStr, input: &Path) -> Result<Vec<OsString>, Failure> {
    let extension = input.extension().map(OsStr::as_bytes).unwrap_or_default();
    let mut texts = vec![Vec::new()];
    let mut rest = word.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        let at_signs = rest.strip_prefix(b"@@");
        let Some(tail) = at_signs.or_else(|| rest.strip_prefix(b"{}")) else {
            texts.last_mut().expect("there is at least one").push(*byte);
            rest = tail;
            continue;
        };
        rest = tail;
        texts.push(Vec::new());
        if let Some(wanted) = at_signs.and_then(|tail| tail.strip_prefix(b".")) {
            let length = wanted.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            if &wanted[..length] == extension {
                rest = &wanted[length..];
            } else if length > 0 {
                return Err(Failure::new(
                    Code::Usage,
                    format!(
                        "the command asks for `{}`, but the input `{}` has another extension",
                        word.display(),
                        input.display()
                    ),
                )
                .help("write {} in the command, or rename the input"));
            }
        }
    }
    Ok(texts.into_iter().map(OsString::from_vec).collect())
}

/// Finds a program: a path, a file in this directory, or a name on the PATH.
fn find(name: &OsStr) -> Result<PathBuf, Failure> {
    let path = Path::new(name);
    if path.exists() {
        return std::path::absolute(path).map_err(|error| {
            Failure::new(Code::Test, format!("{}: {error}", path.display())).help(cure(&error))
        });
    }
    if name.as_bytes().contains(&b'/') {
        return Err(Failure::new(
            Code::Test,
            format!("the test `{}` does not exist", path.display()),
        )
        .help("check the path; usage: lop TEST FILE, or lop FILE -- COMMAND {}"));
    }
    on_path(name).ok_or_else(|| {
        Failure::new(
            Code::Test,
            format!("the test `{}` is neither in this directory nor on the PATH", path.display()),
        )
        .help("check the name; usage: lop TEST FILE, or lop FILE -- COMMAND {}")
    })
}

/// A program on the PATH.
pub(crate) fn on_path(name: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|dir| dir.join(name)).find(|path| {
        fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    })
}

enum Interpreter {
    /// Exists, or isn't needed.
    Fine,
    /// A text file without `#!`.
    Unnamed,
    /// Does not exist.
    Missing(String),
    /// Has a carriage return at the end of its name.
    Windows,
}

fn interpreter(script: &Path) -> Interpreter {
    let mut start = Vec::new();
    let read = fs::File::open(script).map(|file| file.take(512).read_to_end(&mut start));
    if !matches!(read, Ok(Ok(_))) {
        // An executable file need not be readable.
        return Interpreter::Fine;
    }
    let Some(line) = start.strip_prefix(b"#!") else {
        let is_text = !start.contains(&0);
        return if is_text { Interpreter::Unnamed } else { Interpreter::Fine };
    };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if line.ends_with(b"\r") {
        return Interpreter::Windows;
    }
    let line = String::from_utf8_lossy(line);
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let Some(program) = words.next() else { return Interpreter::Missing(line.into_owned()) };
    if !Path::new(program).exists() {
        return Interpreter::Missing(program.to_owned());
    }
    if program.ends_with("/env") {
        let mut named = words.skip_while(|word| word.starts_with('-') || word.contains('='));
        if let Some(name) = named.next()
            && on_path(OsStr::new(name)).is_none()
        {
            return Interpreter::Missing(name.to_owned());
        }
    }
    Interpreter::Fine
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(texts: &[&str]) -> Argument {
        Argument::around(texts.iter().map(OsString::from).collect())
    }

    #[test]
    fn braces_and_at_signs_are_replaced_by_the_candidate() {
        let argument = |word: &str| argument(OsStr::new(word), Path::new("dir/prog.c")).unwrap();
        assert_eq!(argument("{}"), Argument::candidate());
        assert_eq!(argument("@@"), Argument::candidate());
        assert_eq!(argument("@@.c"), Argument::candidate());
        assert_eq!(argument("--in={},{}"), around(&["--in=", ",", ""]));
        assert_eq!(argument("{}.o"), around(&["", ".o"]));
        assert_eq!(argument("-O2"), Argument::plain("-O2"));
        assert_eq!(argument("dir/prog.c"), Argument::candidate());
    }

    #[test]
    fn a_candidate_with_another_extension_is_refused() {
        assert!(argument(OsStr::new("@@.cpp"), Path::new("prog.c")).is_err());
    }

    #[test]
    fn paths_of_other_files_are_made_absolute() {
        let found = argument(OsStr::new("Cargo.toml"), Path::new("prog.c")).unwrap();
        assert_eq!(found, Argument::plain(std::path::absolute("Cargo.toml").unwrap()));
    }
}
