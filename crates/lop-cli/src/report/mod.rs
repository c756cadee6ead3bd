//! `--report`: a page about a run or a comparison, in one file that needs no network.
//!
//! `page.html` has the structure, the style and the script; the data is put into it as JSON. Lengths are those of
//! JavaScript, in units of UTF-16.

mod timeline;

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lop::languages::colours;
use lop::tree::Format;
use lop::{Bundle, End, Event, Observer, Report, Text};
use serde::Serialize;
use serde_json::{Value, json};

use crate::command::quoted;
use crate::exit::Failure;
use crate::target;

pub(crate) use timeline::Timeline;

const PAGE: &str = include_str!("page.html");
/// The place of the data in the page.
const PLACE: &str = "{{data}}";
/// A longer text is shown without colours, so that the file stays small.
const COLOURED: usize = 256 << 10;
/// A longer text is not shown.
const SHOWN: usize = 4 << 20;

/// Checks that a report can be written, before anything is run.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    target::check(path, "report", &["html", "htm"], "HTML files")
}

/// The sources of a report.
pub(crate) struct Reporting {
    path: PathBuf,
    name: String,
    format: Format,
    original: Text,
    mark: Option<Vec<u8>>,
    timeline: Timeline,
    facts: Arc<Mutex<Facts>>,
}

/// The facts about a run that are known before it ends.
#[derive(Clone, Default, Serialize)]
struct Facts {
    test: String,
    property: String,
    workers: usize,
    strategy: String,
    notes: Vec<String>,
}

impl Reporting {
    /// Reports the run over an original; the timeline is that of the same run.
    pub(crate) fn new(
        path: &Path,
        name: String,
        format: &Format,
        original: &Text,
        bundle: Option<&Bundle>,
        timeline: Timeline,
    ) -> Reporting {
        Reporting {
            path: path.to_owned(),
            name,
            format: format.clone(),
            original: original.clone(),
            mark: bundle.map(|bundle| bundle.mark().to_vec()),
            timeline,
            facts: Arc::default(),
        }
    }

    /// Writes the report of one run.
    pub(crate) fn write(&self, report: &Report) -> Result<(), Failure> {
        let (steps, removed) = self.timeline.seen();
        let steps: Vec<Value> = steps
            .iter()
            .map(|it| json!([it.tests, it.seconds, it.tokens, it.bytes, it.phase]))
            .collect();
        let mut data = self.data(&[("", report)]);
        data["original"] = self.shown(&self.original, &removed);
        data["result"] = self.shown(&report.best.text, &[]);
        data["steps"] = steps.into();
        self.put(data)
    }

    /// Writes the report of a comparison.
    pub(crate) fn write_comparison(&self, runs: &[(String, Report)]) -> Result<(), Failure> {
        let runs: Vec<(&str, &Report)> =
            runs.iter().map(|(label, report)| (&label[..], report)).collect();
        let mut data = self.data(&runs);
        data["original"] = self.shown(&self.original, &[]);
        self.put(data)
    }

    /// The data of the page about all runs.
    fn data(&self, runs: &[(&str, &Report)]) -> Value {
        let run = |(label, report): &(&str, &Report)| {
            let end = match report.end {
                End::Complete => "nothing more was found",
                End::Skipped => "phases were skipped",
                End::MaxTests => "the tests were used up",
                End::MaxTime => "the time was used up",
                End::Interrupted => "interrupted",
                _ => "ended",
            };
            let points: Vec<Value> = report
                .improvements
                .iter()
                .map(|it| json!([it.tests, it.elapsed.as_secs_f64(), it.tokens]))
                .collect();
            json!({ "label": label, "end": end, "points": points, "report": report })
        };
        json!({
            "name": self.name,
            "language": self.format.name(),
            "lop": env!("CARGO_PKG_VERSION"),
            "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            "command": command(),
            "facts": *self.facts.lock().unwrap_or_else(PoisonError::into_inner),
            "runs": runs.iter().map(run).collect::<Vec<_>>(),
        })
    }

    /// A text with its colours, and the parts of it that were removed.
    fn shown(&self, text: &Text, removed: &[(Range<usize>, usize)]) -> Value {
        let bytes = self.readable(text);
        let shown = (bytes.len() <= SHOWN).then(|| std::str::from_utf8(&bytes).ok()).flatten();
        let Some(shown) = shown.filter(|shown| !shown.contains('\0')) else {
            return json!({ "bytes": text.len() });
        };
        let coloured = match bytes.len() <= COLOURED {
            true => colours(self.format.name(), &bytes),
            false => Vec::new(),
        };
        let coloured = coloured.into_iter().map(|(range, colour)| (range, format!("{colour:?}")));
        let removed = removed.iter().map(|(range, step)| (range.clone(), *step));
        json!({ "text": shown, "colours": runs(shown, coloured), "parts": runs(shown, removed) })
    }

    /// A readable text: the headers of several files become lines. The length stays the same.
    fn readable(&self, text: &Text) -> Vec<u8> {
        let mut bytes = text.to_vec();
        let Some(mark) = &self.mark else { return bytes };
        let mut instead = vec![b'='; mark.len()];
        if let [.., arrow, blank] = &mut instead[..] {
            (*arrow, *blank) = (b'>', b' ');
        }
        let mut at = 0;
        while at + mark.len() <= bytes.len() {
            if bytes[at..].starts_with(mark) {
                bytes[at..at + mark.len()].copy_from_slice(&instead);
                // The path ends with a NUL.
                if let Some(end) = bytes[at..].iter().position(|byte| *byte == 0) {
                    bytes[at + end] = b' ';
                }
            }
            at += 1;
        }
        bytes
    }

    fn put(&self, data: Value) -> Result<(), Failure> {
        // A script ends at its closing tag, wherever that is.
        let data = data.to_string().replace("</", "<\\/").replace("<!--", "<\\u0021--");
        let page = PAGE.replacen(PLACE, &data, 1);
        fs::write(&self.path, page).map_err(|error| target::failed(&self.path, "report", &error))
    }

    /// An observer that notes the facts that are known before a run ends.
    pub(crate) fn listener(&self) -> impl Observer + 'static {
        let facts = self.facts.clone();
        move |event: &Event| {
            let mut facts = facts.lock().unwrap_or_else(PoisonError::into_inner);
            match event {
                Event::Property { test, property, .. } => {
                    (facts.test, facts.property) = (test.clone(), property.clone());
                }
                Event::Started { workers, strategy, .. } => {
                    (facts.workers, facts.strategy) = (*workers, strategy.clone());
                }
                Event::Note { text } => facts.notes.push(text.clone()),
                _ => {}
            }
        }
    }
}

/// The command line of this run.
fn command() -> String {
    let words = std::env::args_os().skip(1).map(quoted);
    std::iter::once("lop".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The lengths of consecutive parts of a text, each with its value; parts without one have `null`.
fn runs<T: Serialize>(
    text: &str,
    parts: impl Iterator<Item = (Range<usize>, T)>,
) -> Vec<(usize, Option<T>)> {
    let units = |range: Range<usize>| -> usize {
        // A part may begin or end within a character.
        let bytes = text.as_bytes().get(range).unwrap_or_default();
        String::from_utf8_lossy(bytes).encode_utf16().count()
    };
    let mut runs = Vec::new();
    let mut at = 0;
    for (range, value) in parts {
        if range.start < at {
            continue;
        }
        if range.start > at {
            runs.push((units(at..range.start), None));
        }
        runs.push((units(range.clone()), Some(value)));
        at = range.end;
    }
    runs.push((units(at..text.len()), None));
    runs
}
