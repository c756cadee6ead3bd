//! Records which places of the candidate its interpreter runs.
//!
//! Interpreters can be asked for that by their environment: node itself writes what it ran, others load a script at
//! their start that notes the lines.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use lop::oracle::Sources;
use lop::tree::Format;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

use crate::question::Question;

/// An interpreter, and the settings that make it report which places it runs.
struct Interpreter {
    /// The languages that it runs.
    languages: &'static [&'static str],
    /// The script that it loads, if any: its name and its content.
    script: Option<(&'static str, &'static str)>,
    /// Variables with their values, and the separators between these and the user's values.
    variables: &'static [(&'static str, &'static str, Option<&'static str>)],
}

/// `@` is replaced by the directory with the scripts.
const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        languages: &["javascript", "typescript"],
        script: None,
        variables: &[("NODE_V8_COVERAGE", "@/v8", None)],
    },
    Interpreter {
        languages: &["python"],
        script: Some(("lop_reached.py", include_str!("scripts/lop_reached.py"))),
        variables: &[
            ("PYTHONPATH", "@", Some(":")),
            ("PYTHONWARNINGS", "ignore::lop_reached.Never", Some(",")),
        ],
    },
    Interpreter {
        languages: &["ruby"],
        script: Some(("reached.rb", include_str!("scripts/reached.rb"))),
        variables: &[("RUBYOPT", "-r@/reached.rb", Some(" "))],
    },
    Interpreter {
        languages: &["lua"],
        script: Some(("reached.lua", include_str!("scripts/reached.lua"))),
        variables: &[("LUA_INIT", "@@/reached.lua", None)],
    },
    Interpreter {
        languages: &["perl"],
        script: Some(("Devel/LopReached.pm", include_str!("scripts/Devel/LopReached.pm"))),
        variables: &[("PERL5LIB", "@", Some(":")), ("PERL5OPT", "-d:LopReached", Some(" "))],
    },
];

/// The variable that holds the scripts' directory.
const PLACE: &str = "LOP_REACHED";

/// The interpreters of a candidate, with their settings.
pub(super) struct Reach {
    place: PathBuf,
    interpreters: Vec<&'static Interpreter>,
}

impl Reach {
    /// Whether an interpreter may report anything.
    pub(super) fn suits(question: &Question) -> bool {
        !interpreters(question).is_empty()
    }

    /// Writes its files to a directory.
    pub(super) fn new(place: &Path, question: &Question) -> io::Result<Self> {
        let interpreters = interpreters(question);
        fs::create_dir(place)?;
        for (name, content) in interpreters.iter().filter_map(|it| it.script) {
            let path = place.join(name);
            fs::create_dir_all(path.parent().unwrap_or(place))?;
            fs::write(path, content)?;
        }
        let names: Vec<OsString> = match &question.bundle {
            None => vec![question.name()],
            Some(bundle) => {
                let members = bundle.members(&question.text);
                members.into_iter().map(|it| it.path.into_os_string()).collect()
            }
        };
        let last = |path: &OsString| Path::new(path).file_name().map(OsStr::to_owned);
        let names: Vec<OsString> = names.iter().filter_map(last).collect();
        fs::write(place.join("names"), names.join(OsStr::new("\n")).as_bytes())?;
        Ok(Reach { place: place.to_owned(), interpreters })
    }

    /// The variables with the interpreters' settings.
    pub(super) fn variables(&self) -> Vec<(OsString, OsString)> {
        let variable = |(name, value, between): &(&str, &str, Option<&str>)| {
            let (before, after) = value.rsplit_once('@').unwrap_or((value, ""));
            let mut own = OsString::from(before);
            if value.contains('@') {
                own.push(&self.place);
            }
            own.push(after);
            let users = std::env::var_os(name).filter(|it| !it.is_empty());
            if let (Some(users), Some(between)) = (users, between) {
                own.push(between);
                own.push(users);
            }
            (OsString::from(name), own)
        };
        let all = self.interpreters.iter().flat_map(|it| it.variables).map(variable);
        all.chain([(PLACE.into(), self.place.clone().into_os_string())]).collect()
    }

    /// The places that were run; for a file without a report, the whole file.
    pub(super) fn places(&self, question: &Question) -> Vec<Range<usize>> {
        let Question { text, bundle, .. } = question;
        let sources = Sources::new(Path::new(&question.name()), text, bundle.as_ref());
        let mut places = self.lines(&sources);
        places.extend(self.ranges(&sources, text));
        if let Some(bundle) = bundle.as_ref().filter(|_| !places.is_empty()) {
            let is_known =
                |content: &Range<usize>| places.iter().any(|place| content.contains(&place.start));
            let members = bundle.members(text).into_iter().map(|it| it.content);
            let unknown: Vec<Range<usize>> = members.filter(|it| !is_known(it)).collect();
            places.extend(unknown);
        }
        places
    }

    /// The lines that the scripts have noted.
    fn lines(&self, sources: &Sources) -> Vec<Range<usize>> {
        let noted = files(&self.place).filter(|path| named(path).starts_with(b"lines-"));
        let mut lines = Vec::new();
        for noted in noted.filter_map(|path| fs::read(path).ok()) {
            for line in noted.split(|byte| *byte == b'\n') {
                let Some(colon) = line.iter().position(|byte| *byte == b':') else { continue };
                let number = str::from_utf8(&line[..colon]).ok().and_then(|it| it.parse().ok());
                lines.extend(number.and_then(|it| sources.line_of(&line[colon + 1..], it)));
            }
        }
        lines
    }

    /// The ranges that node has written.
    fn ranges(&self, sources: &Sources, text: &[u8]) -> Vec<Range<usize>> {
        let written = files(&self.place.join("v8")).filter_map(|path| fs::read(path).ok());
        let coverages = written.filter_map(|it| serde_json::from_slice::<Coverage>(&it).ok());
        let mut ranges = Vec::new();
        for script in coverages.flat_map(|it| it.result) {
            let Some(path) = script.url.strip_prefix("file://") else { continue };
            let path: Vec<u8> = percent_decode_str(path).collect();
            let Some(content) = sources.content_of(&path) else { continue };
            if let Ok(code) = str::from_utf8(&text[content.clone()]) {
                ranges.extend(
                    script
                        .ran(code)
                        .into_iter()
                        .map(|it| content.start + it.start..content.start + it.end),
                );
            }
        }
        ranges
    }
}

/// The interpreters of the languages of a question's files.
fn interpreters(question: &Question) -> Vec<&'static Interpreter> {
    let Question { text, bundle, format, .. } = question;
    let languages: HashSet<String> = match bundle {
        None => HashSet::from([format.name().to_owned()]),
        Some(bundle) => {
            let guess = |path: &Path, content: Range<usize>| Format::guess(path, &text[content]);
            let members = bundle.members(text).into_iter();
            members.map(|it| guess(&it.path, it.content).name().to_owned()).collect()
        }
    };
    let runs = |it: &&Interpreter| it.languages.iter().any(|name| languages.contains(*name));
    INTERPRETERS.iter().filter(runs).collect()
}

fn files(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let files = fs::read_dir(directory).into_iter().flatten().flatten().map(|it| it.path());
    files.filter(|path| path.is_file())
}

fn named(path: &Path) -> &[u8] {
    path.file_name().unwrap_or_default().as_bytes()
}

/// Node's report on a process.
#[derive(Deserialize)]
struct Coverage {
    result: Vec<Script>,
}

#[derive(Deserialize)]
struct Script {
    url: String,
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    ranges: Vec<Counted>,
}

/// How often a range of UTF-16 units was run. Of nested ranges, the innermost counts.
#[derive(Deserialize)]
struct Counted {
    #[serde(rename = "startOffset")]
    start: usize,
    #[serde(rename = "endOffset")]
    end: usize,
    count: u64,
}

impl Script {
    /// The ranges of its code that were run.
    fn ran(&self, code: &str) -> Vec<Range<usize>> {
        let length = code.encode_utf16().count();
        let mut all: Vec<&Counted> = self.functions.iter().flat_map(|it| &it.ranges).collect();
        all.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
        let mut ran = vec![true; length];
        for it in all {
            let (start, end) = (it.start.min(length), it.end.min(length));
            ran[start..end.max(start)].fill(it.count > 0);
        }
        let mut units = ran.into_iter();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (at, char) in code.char_indices() {
            let is_run = units.by_ref().take(char.len_utf16()).all(|is_run| is_run);
            match ranges.last_mut().filter(|last| last.end == at) {
                _ if !is_run => {}
                Some(last) => last.end = at + char.len_utf8(),
                None => ranges.push(at..at + char.len_utf8()),
            }
        }
        ranges
    }
}
