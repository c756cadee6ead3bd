//! A collection of grammars with examples: which of them can be loaded, and which examples can be parsed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lop::antlr::{Cache, Grammar, Parser};

use crate::args::CollectionArgs;
use crate::exit::{Code, Failure};
use crate::view::print;

use super::first_error;

/// What was found out about one grammar, or about all.
#[derive(Default)]
struct Tally {
    parsed: usize,
    failed: usize,
    tokens: usize,
    bytes: usize,
    time: Duration,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.parsed += other.parsed;
        self.failed += other.failed;
        self.tokens += other.tokens;
        self.bytes += other.bytes;
        self.time += other.time;
    }

    fn speed(&self) -> String {
        let seconds = self.time.as_secs_f64();
        let per = |count: usize, unit: f64| seconds * unit / count.max(1) as f64;
        format!("{:.1} µs a token, {:.2} s per MB", per(self.tokens, 1e6), per(self.bytes, 1e6))
    }
}

/// Tries all grammars below a folder.
pub(super) fn run(args: &CollectionArgs) -> Result<Code, Failure> {
    let mut folders = Vec::new();
    find(&args.folder, 0, &mut folders);
    if folders.is_empty() {
        let message = format!("`{}` has no grammars", args.folder.display());
        return Err(
            Failure::new(Code::Input, message).help("a grammar is a folder with *.g4 files")
        );
    }
    let (mut all, mut plain) = (Tally::default(), Tally::default());
    let (mut loaded, mut broken) = (0, 0);
    for folder in &folders {
        let parser = match Grammar::load(&grammars_of(folder)).and_then(Parser::new) {
            Ok(parser) => parser,
            Err(problems) => {
                broken += 1;
                print(&format!("{}: not loaded: {}", folder.display(), problems[0]));
                continue;
            }
        };
        loaded += 1;
        let tally = try_examples(folder, &parser);
        let has_code = parser.grammar().code.matters();
        if tally.failed > 0 || args.verbose {
            let code = if has_code { ", has code of a target language" } else { "" };
            let Tally { parsed, failed, .. } = tally;
            print(&format!(
                "{}: {parsed} parsed, {failed} failed, {}{code}",
                folder.display(),
                tally.speed()
            ));
        }
        all.add(&tally);
        if !has_code {
            plain.add(&tally);
        }
    }
    print(&format!("{loaded} grammars loaded, {broken} not"));
    for (what, tally) in [("all grammars", &all), ("grammars without code", &plain)] {
        let files = tally.parsed + tally.failed;
        let share = 100.0 * tally.parsed as f64 / files.max(1) as f64;
        print(&format!(
            "{what}: {} of {files} examples parsed ({share:.1} %), {}",
            tally.parsed,
            tally.speed()
        ));
    }
    Ok(Code::Done)
}

/// The deepest folder that is looked into.
const DEEPEST: usize = 6;

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    entries
}

fn grammars_of(folder: &Path) -> Vec<PathBuf> {
    let is_grammar = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "g4");
    entries(folder).into_iter().filter(is_grammar).collect()
}

fn find(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if !grammars_of(folder).is_empty() {
        found.push(folder.to_owned());
    }
    let is_examples = |path: &PathBuf| path.file_name().is_some_and(|name| name == "examples");
    for inner in entries(folder).into_iter().filter(|path| path.is_dir() && !is_examples(path)) {
        if depth < DEEPEST {
            find(&inner, depth + 1, found);
        }
    }
}

/// The rule that `desc.xml` or `pom.xml` names.
fn entry_point(folder: &Path) -> Option<String> {
    let named = |file: &str, tag: &str| {
        let text = fs::read_to_string(folder.join(file)).ok()?;
        let start = text.find(&format!("<{tag}>"))? + tag.len() + 2;
        let end = start + text[start..].find("</")?;
        Some(text[start..end].trim().to_owned())
    };
    named("desc.xml", "entry-point").or_else(|| named("pom.xml", "entryPoint"))
}

fn try_examples(folder: &Path, parser: &Parser) -> Tally {
    let grammar = parser.grammar();
    let start =
        entry_point(folder).and_then(|name| grammar.rule(&name)).or_else(|| grammar.start());
    let mut tally = Tally::default();
    let Some(start) = start else { return tally };
    let mut cache = Cache::default();
    let mut open = entries(&folder.join("examples"));
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(entries(&path));
            continue;
        }
        let is_extra = path
            .extension()
            .is_some_and(|it| ["errors", "tree", "tokens"].iter().any(|name| it == *name));
        // A file beside the example says that it has errors.
        let has_errors = path.with_extension("errors").exists()
            || PathBuf::from(format!("{}.errors", path.display())).exists();
        let Some(text) = fs::read(&path).ok().filter(|_| !is_extra && !has_errors) else {
            continue;
        };
        let begun = Instant::now();
        let parsed = parser.parse(&text, start, &mut cache);
        tally.time += begun.elapsed();
        tally.tokens += parsed.tokens.len();
        tally.bytes += text.len();
        match first_error(parser, &path, &text, &parsed) {
            None => tally.parsed += 1,
            Some(error) => {
                tally.failed += 1;
                print(&format!("  {error}"));
            }
        }
    }
    tally
}
