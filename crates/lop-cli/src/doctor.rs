//! `lop doctor`: finds the faults of a test before hours are spent with it.
//!
//! Each check asks the test about a candidate with a known answer, or looks for files that a run leaves behind. A
//! finding describes what was seen, and the cure.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use lop::oracle::Verdict;
use lop::oracle::command::Argument;
use lop::tree::{NodeId, Tree};
use lop::{Cancel, Candidate, Text};

use crate::args::{DoctorArgs, ShowArgs};
use crate::exit::{Code, Failure};
use crate::oracle::{HAVE_SEVERAL_AGREE, Judge, oracle};
use crate::question::Question;
use crate::signals;
use crate::view::{View, clock, print};
use crate::watched::readable;

/// How often the original is judged, in addition to the three times at the beginning of every run.
const AGAIN: usize = 7;
/// From this time on, lop finds out where the test spends it.
const SLOW: Duration = Duration::from_millis(200);

/// A fault of a test, and the cure.
struct Finding {
    what: String,
    cure: String,
    /// Whether it does no harm on this machine.
    is_note: bool,
}

impl Finding {
    fn new(what: impl Into<String>, cure: impl Into<String>) -> Finding {
        Finding { what: what.into(), cure: cure.into(), is_note: false }
    }

    fn note(self) -> Finding {
        Finding { is_note: true, ..self }
    }
}

/// The length from which on a token says what a test looks for.
const TELLING: usize = 6;
/// How many tokens that the test looks for are tried alone.
const FEW: usize = 8;

/// A text that no language accepts after a program.
const JUNK: &[u8] = b"\n}}})))]]] <<<lop>>> \"\n";

/// A test with its question.
struct Patient<'p> {
    args: &'p DoctorArgs,
    question: Question,
    judge: Judge,
    stop: Cancel,
}

/// The name of a check, and what it finds.
type Check = (&'static str, fn(&Patient<'_>) -> Vec<Finding>);

const CHECKS: [Check; 5] = [
    ("it says the same each time", deterministic),
    ("it looks at the candidate", discerning),
    ("it does not need the home directory", homeless),
    ("it leaves no files outside of its directory", tidy),
    ("its time is spent on the candidate", quick),
];

/// Examines a test, and prints its faults.
pub(crate) fn examine(args: &DoctorArgs) -> Result<Code, Failure> {
    let question = Question::new(args.question.clone(), &[], &[])?;
    let stop = signals::stop()?;
    // Errors in the question itself are found as in every run.
    let judge = oracle(&question, &stop, &mut silent(&question))?;
    print("ok: it accepts the original three times, and not the empty file");
    let patient = Patient { args, question, judge, stop };
    let mut count = 0;
    for (name, check) in CHECKS {
        let findings = check(&patient);
        if patient.stop.is_cancelled() {
            return Ok(Code::Interrupted);
        }
        if findings.is_empty() {
            print(&format!("ok: {name}"));
        }
        for Finding { what, cure, is_note } in findings {
            count += usize::from(!is_note);
            let kind = if is_note { "note" } else { "problem" };
            print(&format!("{kind}: {what}\n  help: {cure}"));
        }
    }
    match count {
        0 => {
            print("nothing is wrong with this test");
            Ok(Code::Done)
        }
        _ => Ok(Code::Test),
    }
}

fn silent(question: &Question) -> View {
    let quiet = ShowArgs { quiet: true, ..ShowArgs::default() };
    View::new(question.name().display().to_string(), &quiet, &Cancel::default())
}

impl Patient<'_> {
    fn accepts(&self, text: &[u8]) -> bool {
        let candidate = Candidate::whole(&Arc::new(text.to_vec()));
        self.judge.judge(0, &candidate, &self.stop) == Verdict::Interesting
    }

    fn original(&self) -> &Text {
        &self.question.text
    }

    /// The time of a run on a text.
    fn time(&self, text: &[u8]) -> Duration {
        let start = Instant::now();
        self.accepts(text);
        start.elapsed()
    }
}

fn deterministic(patient: &Patient<'_>) -> Vec<Finding> {
    let accepted = (0..AGAIN).filter(|_| patient.accepts(patient.original())).count();
    let what = format!("it accepted the original in {accepted} of {AGAIN} more runs only");
    let finding = (accepted < AGAIN).then(|| Finding::new(what, HAVE_SEVERAL_AGREE));
    finding.into_iter().collect()
}

/// Candidates that no test should accept.
fn discerning(patient: &Patient<'_>) -> Vec<Finding> {
    if patient.question.bundle.is_some() {
        // Several files in one text have headers, which must stay.
        return Vec::new();
    }
    let original = patient.original();
    let half = &original[..original.len() / 2];
    let broken = [half, JUNK].concat();
    let comments = ["/* lop */\n", "// lop\n", "# lop\n", "-- lop\n", "<!-- lop -->\n"].concat();
    let mut findings = Vec::new();
    let mut ask = |text: &[u8], what: &str, cure: &str| {
        if patient.accepts(text) {
            findings.push(Finding::new(format!("it accepts {what}"), cure));
        }
    };
    ask(
        b"\n",
        "an empty line",
        "look for something that only the failure prints, such as its message",
    );
    ask(
        comments.as_bytes(),
        "a file of comments",
        "look for something that only the failure prints, such as its message",
    );
    ask(
        &broken,
        "half of the original with a syntax error behind it",
        "look for something that only the failure prints: a message about syntax, or any failing exit code, isn't enough; or use --valid",
    );
    if let Some(echo) = findings.is_empty().then(|| echo(patient)).flatten() {
        let echo = String::from_utf8_lossy(&echo);
        let what = format!("it accepts `{echo}`, a part of the original that it looks for");
        let cure = "a tool that quotes its input prints this in any message, such as one about syntax: look for what only \
                    the failure prints around it";
        findings.push(Finding::new(what, cure));
    }
    let broken = Arc::new([&original[..], JUNK].concat());
    if findings.is_empty() && patient.question.no_longer_parses(&broken) && patient.accepts(&broken)
    {
        let what =
            "it accepts the original with a syntax error behind it, so the result may not parse";
        findings.push(Finding::new(what, "if it should, use --valid").note());
    }
    findings
}

/// A token of the original that the text of the test has as well, and that the test accepts alone.
fn echo(patient: &Patient<'_>) -> Option<Vec<u8>> {
    let texts = readable(&patient.question);
    let is_named =
        |word: &[u8]| texts.iter().any(|text| memchr::memmem::find(text, word).is_some());
    let tree = Tree::parse(patient.original(), &patient.question.format);
    // A string may have nodes for its quotes.
    let is_token = |node: &NodeId| tree.is_leaf(*node) || is_quoted(tree.text_of(*node));
    let tokens = tree.ids().filter(is_token).map(|node| tree.text_of(node));
    let is_looked_for = |token: &[u8]| {
        let quotes = usize::from(is_quoted(token));
        is_named(&token[quotes..token.len() - quotes])
    };
    let named: BTreeSet<&[u8]> =
        tokens.filter(|token| token.len() >= TELLING && is_looked_for(token)).collect();
    let is_accepted = |token: &&[u8]| patient.accepts(&[token, &b"\n"[..]].concat());
    named.into_iter().take(FEW).find(is_accepted).map(<[u8]>::to_vec)
}

fn is_quoted(text: &[u8]) -> bool {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    text.len() > 1 && text.first().is_some_and(is_quote) && text.first() == text.last()
}

fn homeless(patient: &Patient<'_>) -> Vec<Finding> {
    let Ok(home) = tempfile::tempdir() else { return Vec::new() };
    // The question is read again, with another environment.
    let Ok(mut question) = Question::new(patient.args.question.clone(), &[], &[]) else {
        return Vec::new();
    };
    let value = Argument::plain(home.path().as_os_str());
    question.command.env.push(("HOME".into(), value));
    match oracle(&question, &patient.stop, &mut silent(&question)) {
        Ok(_) => Vec::new(),
        Err(_) => {
            let what = "it does not accept the original if $HOME is another directory, so it needs files in yours";
            let cure = "on another machine or in a sandbox it has none: name them by --with, or let the test set what it needs";
            vec![Finding::new(what, cure).note()]
        }
    }
}

/// The directories in which tests leave files by mistake.
fn places(question: &Question) -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let here = std::env::current_dir().ok();
    let mut places: Vec<PathBuf> =
        [Some(question.home.clone()), here, home, Some(std::env::temp_dir())]
            .into_iter()
            .flatten()
            .filter_map(|place| place.canonicalize().ok())
            .collect();
    places.sort();
    places.dedup();
    places
}

/// The entries there, and when each file was written.
fn entries(places: &[PathBuf]) -> BTreeMap<PathBuf, Option<SystemTime>> {
    let entries = |place: &PathBuf| std::fs::read_dir(place).into_iter().flatten().flatten();
    let written = |entry: DirEntry| {
        // A directory changes with the work of other programs.
        let file = entry.metadata().ok().filter(std::fs::Metadata::is_file);
        (entry.path(), file.and_then(|file| file.modified().ok()))
    };
    places.iter().flat_map(entries).map(written).collect()
}

/// The traces of a run of the test: new files, and files that were written.
fn traces(patient: &Patient<'_>) -> [BTreeSet<PathBuf>; 2] {
    let places = places(&patient.question);
    let before = entries(&places);
    patient.accepts(patient.original());
    let after = entries(&places).into_iter().filter(|(path, _)| !is_own(path));
    let (old, new): (Vec<_>, Vec<_>) = after.partition(|(path, _)| before.contains_key(path));
    let written = old.into_iter().filter(|(path, written)| before[path] != *written);
    [new.into_iter().map(|(path, _)| path).collect(), written.map(|(path, _)| path).collect()]
}

fn tidy(patient: &Patient<'_>) -> Vec<Finding> {
    let [[new, first], [_, second]] = [traces(patient), traces(patient)];
    // A file that was written only once may be the work of another program.
    let again = first.intersection(&second).cloned();
    let left: BTreeSet<PathBuf> = new.into_iter().chain(again).collect();
    let left: Vec<String> = left.iter().map(|path| format!("`{}`", path.display())).collect();
    let what = format!("it leaves {}", left.join(", "));
    let cure = "let it write to the directory that it runs in, which is removed after each run";
    (!left.is_empty()).then(|| Finding::new(what, cure)).into_iter().collect()
}

/// Whether lop itself may have made it.
fn is_own(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("lop"))
}

fn quick(patient: &Patient<'_>) -> Vec<Finding> {
    if patient.question.bundle.is_some() {
        return Vec::new();
    }
    let least = |text: &[u8]| (0..3).map(|_| patient.time(text)).min().unwrap_or_default();
    let (whole, nothing) = (least(patient.original()), least(b"\n"));
    let is_setup = whole >= SLOW && 2 * nothing >= whole;
    let what = format!(
        "a run takes {}, and {} on an empty line, so most of it is set-up",
        clock(whole),
        clock(nothing)
    );
    let cure =
        "move what does not depend on the candidate out of the test, or let it stay with --serve";
    is_setup.then(|| Finding::new(what, cure)).into_iter().collect()
}
