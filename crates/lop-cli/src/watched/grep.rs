//! Records the input of a test's `grep`.
//!
//! Most tests hide where the failure is: `tool input.c 2>&1 | grep -q message`. So during the watched run, another
//! `grep` is in front of its PATH. That one keeps its input and its matches, and answers as the real one does.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lop::oracle::command::{Argument, CommandLine, quoted};
use lop::oracle::{Outcome, Property, Requirement, clues};
use lop::{Clues, Status};
use regex::bytes::Regex;

use crate::command::on_path;
use crate::question::Question;

const NAMES: [&str; 3] = ["grep", "egrep", "fgrep"];
const SCRIPT: &str = include_str!("scripts/grep.sh");
/// The most bytes of a test, and of the input of its `grep`, that are used.
const MOST: u64 = 1 << 20;

/// A `grep` that keeps its input.
pub(super) struct Grep {
    place: PathBuf,
}

impl Grep {
    /// Whether it may find anything: the readable text of the test mentions `grep`.
    pub(super) fn suits(question: &Question) -> bool {
        readable(question).iter().any(|text| text.windows(4).any(|part| part == b"grep"))
    }

    /// Writes its files to a directory.
    pub(super) fn new(place: &Path) -> io::Result<Self> {
        let programs = place.join("bin");
        fs::create_dir_all(place.join("kept"))?;
        fs::create_dir(&programs)?;
        for name in NAMES {
            let Some(program) = on_path(name.as_ref()) else { continue };
            let script = SCRIPT
                .replace("@PROGRAM@", &quoted(&program))
                .replace("@PLACE@", &quoted(place.join("kept")));
            let own = programs.join(name);
            fs::write(&own, script)?;
            fs::set_permissions(&own, PermissionsExt::from_mode(0o755))?;
        }
        Ok(Grep { place: place.to_owned() })
    }

    /// The variables that put it in front of the PATH.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let usual = std::env::var_os("PATH").unwrap_or_default();
        let own = self.place.join("bin");
        let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&usual)));
        vec![("PATH".into(), path.unwrap_or(usual))]
    }

    /// The places that its input names, around its matches.
    pub(super) fn clues(&self, question: &Question) -> Clues {
        let Question { text, bundle, .. } = question;
        let is_candidate = |read: &[u8]| match bundle {
            None => text.starts_with(read),
            Some(bundle) => {
                bundle.members(text).iter().any(|it| text[it.content.clone()].starts_with(read))
            }
        };
        let kept = fs::read_dir(self.place.join("kept")).into_iter().flatten().flatten();
        let mut all: Vec<(Vec<u8>, Vec<u8>)> = kept
            .filter_map(|it| {
                Some((read(&it.path().join("read"))?, read(&it.path().join("found"))?))
            })
            .filter(|(read, found)| !found.is_empty() && !is_candidate(read))
            .collect();
        all.sort();
        let mut all = all.into_iter().map(|(read, found)| {
            let first =
                String::from_utf8_lossy(found.split(|byte| *byte == b'\n').next().unwrap_or(&[]));
            let is_said = Regex::new(&format!("^{}$", regex::escape(&first))).ok();
            let property = Property::new(is_said.map(Requirement::Stderr).into_iter().collect());
            let mut outcome = Outcome::new(Status::Exit(0), Duration::ZERO);
            outcome.stderr = read;
            clues(&outcome, &property, Path::new(&question.name()), text, bundle.as_ref())
        });
        all.find(|clues| !clues.places(text).is_empty()).unwrap_or_default()
    }
}

/// The readable text of the test: its command, and the scripts that it names.
pub(crate) fn readable(question: &Question) -> Vec<Vec<u8>> {
    let CommandLine { program, args, .. } = &question.command;
    let words = args.iter().filter_map(Argument::as_plain).map(Path::new);
    let scripts = std::iter::once(&**program).chain(words).filter_map(read);
    let scripts = scripts.filter(|content| !content.contains(&0));
    std::iter::once(question.test.clone().into_bytes()).chain(scripts).collect()
}

/// The beginning of a regular file: a command may also name a pipe, and opening it would block.
fn read(path: &Path) -> Option<Vec<u8>> {
    fs::metadata(path).ok().filter(|it| it.is_file())?;
    let mut content = Vec::new();
    File::open(path).ok()?.take(MOST).read_to_end(&mut content).ok()?;
    Some(content)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Output};

    use super::*;

    /// The answer of a command, with this `grep` in front of its PATH or not.
    fn answer(command: &str, grep: Option<&Grep>) -> Output {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("x"), "one\ntwo\n").unwrap();
        fs::write(place.path().join("y"), "two\n").unwrap();
        let env = grep.map_or(Vec::new(), Grep::variables);
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", command]).envs(env).current_dir(place.path()).output().unwrap()
    }

    fn kept(grep: &Grep, name: &str) -> String {
        let kept = fs::read_dir(grep.place.join("kept")).unwrap();
        let kept = kept.map(|it| fs::read_to_string(it.unwrap().path().join(name)).unwrap());
        kept.collect()
    }

    #[test]
    fn it_answers_as_the_real_one_and_keeps_what_that_reads_and_finds() {
        for (command, read, found) in [
            ("printf 'a\\nb\\n' | grep -q b", "a\nb\n", "b\n"),
            ("printf 'a\\nb\\n' | grep -c b", "a\nb\n", "1\n"),
            ("printf 'a\\nb c\\n' | grep -qE 'b +c'", "a\nb c\n", "b c\n"),
            ("printf 'a\\n' | grep --quiet -e b", "a\n", ""),
            ("echo 'y x' | grep -qF -- 'y x'", "y x\n", "y x\n"),
            // The pattern is the name of a file.
            ("echo x | grep -q x", "x\n", "x\n"),
            ("grep -q two x", "one\ntwo\n", "two\n"),
            ("grep -n two x y", "one\ntwo\n", "2:two\n1:two\n"),
            ("grep -q -e two y", "two\n", "two\n"),
            ("grep -A 1 one x", "one\ntwo\n", "one\ntwo\n"),
            (
                "printf 'x\\ny\\n' | while read f; do grep -q one $f && echo $f; done",
                "two\none\ntwo\n",
                "one\n",
            ),
        ] {
            let place = tempfile::tempdir().unwrap();
            let grep = Grep::new(place.path()).unwrap();
            let (real, own) = (answer(command, None), answer(command, Some(&grep)));
            assert_eq!((own.status, own.stdout), (real.status, real.stdout), "{command}");
            let sorted = |text: &str| {
                let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
                lines.sort();
                lines
            };
            assert_eq!(sorted(&kept(&grep, "read")), sorted(read), "{command}");
            assert_eq!(sorted(&kept(&grep, "found")), sorted(found), "{command}");
        }
    }

    #[test]
    fn only_regular_files_are_read() {
        let place = tempfile::tempdir().unwrap();
        let pipe = place.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        // Without a writer, this would wait for ever.
        assert_eq!(read(&pipe), None);
        fs::write(place.path().join("file"), "text").unwrap();
        assert_eq!(read(&place.path().join("file")).unwrap(), b"text");
    }

    #[test]
    fn what_it_cannot_read_is_left_to_the_real_one() {
        for command in ["grep -r two .", "grep two nothing", "grep", "grep -q '[' x"] {
            let place = tempfile::tempdir().unwrap();
            let grep = Grep::new(place.path()).unwrap();
            let (real, own) = (answer(command, None), answer(command, Some(&grep)));
            assert_eq!(own.status, real.status, "{command}");
            assert_eq!(own.stdout, real.stdout, "{command}");
        }
    }
}
