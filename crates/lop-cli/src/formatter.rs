//! Formatters: a command of the user, or one that lop finds on this machine.
//!
//! lop lays results out itself by default, in the style of the original. A formatter has its own style, may be slow and
//! may change tokens, so it is used only if the user asks for it.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc;
use std::time::Duration;

use lop::Layout;
use lop::tree::Format;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::exit::{Code, Failure};

/// The time limit of a formatter.
const LIMIT: Duration = Duration::from_secs(20);

/// The choice of `--format`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Nothing: lop lays the result out.
    #[default]
    AsOriginal,
    /// `none`: the result stays as the search left it.
    AsFound,
    /// `auto`: a formatter for the language that is found on this machine.
    Found,
    /// This command.
    Command(String),
}

impl Choice {
    /// Whether the command can be run: a mistake in its name should not show after a long run.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let Choice::Command(command) = self else { return Ok(()) };
        let Some(program) = command.split_whitespace().next() else { return Ok(()) };
        // A shell has to read a command that is more than a name.
        let is_name = program.chars().all(|c| c.is_alphanumeric() || "-_.+".contains(c));
        let known = format!("command -v {program} >/dev/null");
        let is_known =
            || Command::new("sh").args(["-c", &known]).status().is_ok_and(|it| it.success());
        if !is_name || is_known() {
            return Ok(());
        }
        let message = format!("the formatter `{program}` of --format is not on the PATH");
        Err(Failure::new(Code::Usage, message).help("check its name, or leave out --format"))
    }
}

impl FromStr for Choice {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "none" => Ok(Choice::AsFound),
            "auto" => Ok(Choice::Found),
            command if command.trim().is_empty() => Err("write a command, auto or none"),
            command => Ok(Choice::Command(command.into())),
        }
    }
}

/// Formatters that read standard input and write standard output, the usual one of each language first.
#[rustfmt::skip]
const FORMATTERS: &[(&[&str], &str)] = &[
    (&["c"], "clang-format --assume-filename=a.c"),
    (&["cpp"], "clang-format --assume-filename=a.cpp"),
    (&["c-sharp"], "clang-format --assume-filename=a.cs"),
    (&["java"], "clang-format --assume-filename=a.java"),
    (&["rust"], "rustfmt --edition 2021"),
    (&["go"], "gofmt"),
    (&["python"], "black -q -"),
    (&["python"], "ruff format -"),
    (&["javascript"], "prettier --parser babel"),
    (&["typescript", "tsx"], "prettier --parser typescript"),
    (&["css"], "prettier --parser css"),
    (&["html"], "prettier --parser html"),
    (&["yaml"], "prettier --parser yaml"),
    (&["graphql"], "prettier --parser graphql"),
    (&["json"], "prettier --parser json"),
    (&["json"], "jq ."),
    (&["bash"], "shfmt"),
    (&["lua"], "stylua -"),
    (&["zig"], "zig fmt --stdin"),
    (&["swift"], "swift-format"),
    (&["haskell"], "ormolu --stdin-input-file a.hs"),
    (&["ocaml"], "ocamlformat --impl -"),
    (&["ocaml-interface"], "ocamlformat --intf -"),
    (&["scala"], "scalafmt --stdin"),
    (&["sql"], "pg_format -"),
    (&["toml"], "taplo format -"),
    (&["verilog"], "verible-verilog-format -"),
    (&["xml", "xml-like"], "xmllint --format -"),
];

/// Formats texts with commands.
pub(crate) struct Formatter<'c> {
    choice: &'c Choice,
    /// The commands that were used.
    used: RefCell<Vec<Use>>,
}

/// A command, and its output or the reason why it did not work.
type Use = (String, Result<Vec<u8>, String>);

impl<'c> Formatter<'c> {
    pub(crate) fn new(choice: &'c Choice) -> Self {
        Formatter { choice, used: RefCell::default() }
    }

    /// The layout of the result.
    pub(crate) fn layout<'r>(&self, by: &'r lop::Formatter<'r>) -> Layout<'r> {
        match self.choice {
            Choice::AsOriginal => Layout::AsOriginal,
            Choice::AsFound => Layout::AsFound,
            Choice::Found | Choice::Command(_) => Layout::By(by),
        }
    }

    /// A formatter's output for a text.
    pub(crate) fn format(&self, format: &Format, text: &[u8]) -> Option<Vec<u8>> {
        let commands: Vec<&str> = match self.choice {
            Choice::AsOriginal | Choice::AsFound => Vec::new(),
            Choice::Command(command) => vec![command],
            Choice::Found => FORMATTERS
                .iter()
                .filter(|(languages, _)| languages.contains(&format.name()))
                .map(|(_, command)| *command)
                .filter(|command| is_installed(command))
                .collect(),
        };
        commands.into_iter().find_map(|command| {
            let formatted = pipe(command, text, LIMIT);
            self.used.borrow_mut().push((command.into(), formatted.clone()));
            formatted.ok()
        })
    }

    /// Notes for the user: why the result isn't the output of a formatter.
    pub(crate) fn notes(&self, result: &[u8]) -> Vec<String> {
        let used = self.used.borrow();
        if used.is_empty() && *self.choice == Choice::Found {
            return vec!["no formatter for the result was found on this machine".into()];
        }
        let note = |(command, outcome): &Use| match outcome {
            Err(why) => Some(format!("the formatter `{command}` did not format the result: {why}")),
            // With several files, the formatted one is a part of the result.
            Ok(text) => (!result.windows(text.len()).any(|part| part == text)).then(|| {
                format!(
                    "what `{command}` makes of the result is not interesting, so it is not used"
                )
            }),
        };
        used.iter().filter_map(note).collect()
    }
}

fn is_installed(command: &str) -> bool {
    let program = command.split(' ').next().unwrap_or(command);
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// The output of a shell command for an input.
fn pipe(command: &str, input: &[u8], limit: Duration) -> Result<Vec<u8>, String> {
    let mut child = Command::new("/bin/sh")
        .args(["-c", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().expect("it was asked for");
    let mut stdout = child.stdout.take().expect("it was asked for");
    let (printed, prints) = mpsc::channel();
    let output = std::thread::scope(|scope| {
        // Writing in another thread avoids a deadlock with a formatter that prints before it has read everything.
        scope.spawn(move || stdin.write_all(input));
        scope.spawn(move || {
            let mut output = Vec::new();
            let read = stdout.read_to_end(&mut output).map(|_| output);
            let _ = printed.send(read);
        });
        let output = prints.recv_timeout(limit);
        if output.is_err() {
            kill(&child);
        }
        output
    });
    let status = child.wait().map_err(|error| error.to_string())?;
    let output = output.map_err(|_| format!("it took longer than {} s", limit.as_secs()))?;
    let output = output.map_err(|error| error.to_string())?;
    match status.success() && !output.is_empty() {
        true => Ok(output),
        false => Err(status.to_string()),
    }
}

/// Kills a formatter and all processes that it started.
fn kill(child: &Child) {
    if let Some(group) = Pid::from_raw(child.id() as i32) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatters_are_for_languages_that_there_are() {
        for (languages, command) in FORMATTERS {
            for language in *languages {
                let is_bundled = lop_languages::TABLE.iter().any(|entry| entry.name == *language);
                let is_plain = lop::tree::FORMATS.iter().any(|format| format.name == *language);
                assert!(is_bundled || is_plain, "{command} is for {language}");
            }
        }
    }

    #[test]
    fn a_formatter_that_takes_too_long_is_ended() {
        let limit = Duration::from_millis(50);
        let why = pipe("sleep 377.201 | cat", b"", limit).unwrap_err();
        assert!(why.starts_with("it took longer"), "{why}");
        assert_eq!(pipe("tr a b", b"ab", LIMIT).unwrap(), b"bb");
        assert!(pipe("cat; exit 3", b"a", LIMIT).unwrap_err().contains('3'));
    }
}
