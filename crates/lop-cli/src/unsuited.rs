//! Messages about a test that does not suit its original.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use lop::oracle::{Outcome, Property, Reason, Requirement};
use lop::preflight::RUNS;

use crate::exit::{Code, Failure, machine_help};
use crate::question::Question;
use crate::watched::readable;

/// The help text for a test that cannot be run.
pub(crate) const BY_HAND: &str = "run it by hand, in an empty directory with a copy of the input";

/// The message if only an exit code distinguishes the original's failure from others.
pub(crate) fn weak(outcome: &Outcome) -> String {
    let mut note = format!(
        "only `{}` is kept, and that no error message appears: lop recognises none in the output",
        outcome.status
    );
    for (option, output) in [("--stderr", &outcome.stderr), ("--stdout", &outcome.stdout)] {
        let mut lines = output.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        if let Some(part) = lines.find_map(|line| lasting(&String::from_utf8_lossy(line))) {
            note.push_str(&format!("; to keep a part of it, use {option} '{part}'"));
            return note;
        }
    }
    note
}

/// A regular expression for the part of a line that is likely to be in the output of candidates, too: the part before
/// the last colon is often a place, and the candidate's path is different each time.
fn lasting(line: &str) -> Option<String> {
    let message = line.rsplit(": ").next()?;
    let words: Vec<&str> = message.split(' ').collect();
    let runs = words.split(|word| word.contains(['/', '\'']));
    let longest = runs.rev().max_by_key(|run| run.iter().map(|word| word.len()).sum::<usize>())?;
    let mut length = 0;
    let is_short = |word: &&&str| {
        length += word.len() + 1;
        length <= 60
    };
    let shown: Vec<&str> = longest.iter().take_while(is_short).copied().collect();
    Some(regex::escape(shown.join(" ").trim())).filter(|part| !part.is_empty())
}

pub(crate) fn flaky(question: &Question, interesting: usize) -> String {
    format!(
        "the test `{}` is flaky: the original was interesting in {interesting} of {RUNS} runs",
        question.test
    )
}

pub(crate) fn cannot_run(question: &Question, why: &dyn fmt::Display) -> Failure {
    let message = format!("cannot run the test `{}`: {why}", question.test);
    let usual = match question.args.test.server() {
        Some(_) => "check the server and its workers",
        None => BY_HAND,
    };
    Failure::new(Code::Test, message).help(machine_help(why).unwrap_or(usual))
}

/// Whether the property is only exit 0.
pub(crate) fn has_usual_property(question: &Question) -> bool {
    question.args.command.is_empty()
        && matches!(
            question.property.as_ref().map(Property::requirements),
            Some([Requirement::Exit(0)])
        )
}

pub(crate) fn unresolved(question: &Question, reason: &Reason) -> Failure {
    let message = format!("the test `{}` gives no answer on the original: {reason}", question.test);
    let failure = Failure::new(Code::NotInteresting, message);
    match reason {
        Reason::TimedOut => {
            failure.help("allow more time with --timeout, or reduce the hang itself with --hang")
        }
        Reason::Memory => failure.help("allow more memory with --memory"),
        Reason::Lost(_) => {
            let help = match question.args.test.serve {
                true => "leave out --serve: lop starts the test anew for each candidate then",
                false => "the test did not fail: check the machine or the sandbox that runs it",
            };
            Failure::new(Code::Test, failure.to_string()).help(help)
        }
        Reason::Broken(why) => cannot_run(question, why),
        _ => failure.help(BY_HAND),
    }
}

/// The message about a test that also accepts the empty file, or several empty files.
pub(crate) fn trivial(question: &Question, outcome: &Outcome) -> Failure {
    let empty = if question.bundle.is_some() { "empty files" } else { "the empty file" };
    let message = format!("the test `{}` accepts {empty} too", question.test);
    let is_command = !question.args.command.is_empty();
    // Only tests on this machine can be watched.
    let is_watched = cfg!(target_os = "linux") && question.args.test.server().is_none();
    let ignores_candidate = is_watched && question.bundle.is_none() && outcome.opened.is_none();
    let missing = question.args.command.iter().skip(1).find(|word| is_missing_file(word));
    let help = match (&question.property, missing) {
        (_, Some(missing)) if ignores_candidate => {
            format!("`{}` in the command does not exist: check its name", missing.display())
        }
        _ if is_command && names_original(question) => {
            "write {} where the command names the input: what it names now is the original"
                .to_owned()
        }
        _ if is_command && ignores_candidate && !names_candidate(question) => {
            "the command does not get the candidate: write {} where it takes the file".to_owned()
        }
        _ if ignores_candidate => format!(
            "the test seems not to open the candidate: that is `{}` in the directory in which the test runs, or $1",
            question.name().display()
        ),
        (Some(_), _) => {
            "make the test stricter, so that it also checks that its input is valid".to_owned()
        }
        (None, _) => "define the property: --stderr REGEX or --stdout REGEX, with more of the message than lop keeps"
            .to_owned(),
    };
    Failure::new(Code::Trivial, message)
        .help(format!("{help},\nor reduce anyway with --allow-trivial"))
}

/// The note about a test that looks for a line of the original by its number: what is before that line can hardly be
/// removed.
pub(crate) fn names_line(question: &Question) -> Option<String> {
    let patterns = question.property.iter().flat_map(Property::requirements);
    let patterns = patterns.filter_map(|requirement| match requirement {
        Requirement::Stdout(regex) | Requirement::Stderr(regex) => Some(regex.as_str().as_bytes()),
        _ => None,
    });
    let name = question.name();
    let file = format!("{}:", name.display());
    let lines = question.text.split(|byte| *byte == b'\n').count();
    let number = |text: &[u8]| {
        // A point may be escaped in a pattern.
        let text = String::from_utf8_lossy(text).replace('\\', "");
        let code = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let mut places = code.flat_map(|line| [&file[..], "line "].map(|it| line_after(line, it)));
        places.find_map(|number| number.filter(|number| (2..=lines).contains(number)))
    };
    let texts = readable(question);
    let number = patterns.chain(texts.iter().map(Vec::as_slice)).find_map(number)?;
    Some(format!(
        "the test looks for line {number}, so the lines before it stay: leave the number out if the rest of the \
         message is enough"
    ))
}

/// The number behind a word.
fn line_after(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).find_map(|(at, _)| {
        let rest = &text[at + word.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest[..digits].parse().ok()
    })
}

/// Whether a word of a command looks like the path of a file that does not exist.
fn is_missing_file(word: &OsStr) -> bool {
    let path = Path::new(word);
    let is_option = word.as_encoded_bytes().starts_with(b"-");
    !is_option && path.extension().is_some_and(is_plain) && !path.exists()
}

/// Whether a file's extension has letters and digits only, unlike the parts of a shell command.
fn is_plain(extension: &OsStr) -> bool {
    extension.as_encoded_bytes().iter().all(u8::is_ascii_alphanumeric)
}

/// Whether a command mentions the candidate.
fn names_candidate(question: &Question) -> bool {
    question.test.contains("{}") || question.test.contains("@@")
}

/// Whether a command names the input, or a file in it, by the path that the user gave instead of `{}`.
fn names_original(question: &Question) -> bool {
    let mut words = question.test.split_whitespace().skip(1);
    !names_candidate(question) && words.any(|word| Path::new(word).starts_with(&question.input))
}
