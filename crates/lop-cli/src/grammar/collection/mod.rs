//! A collection of grammars with examples: which of them can be loaded, and which examples can be parsed.

mod layout;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lop::antlr::{Cache, Grammar, Parser, Problem};

use crate::args::CollectionArgs;
use crate::exit::{Code, Failure};
use crate::reading::regular;
use crate::view::print;

use super::first_error;
use layout::{Example, Project};

/// The results for one grammar, or for many.
#[derive(Default)]
struct Tally {
    parsed: usize,
    /// Examples of which only a beginning was parsed: the start rule does not require the end of the text.
    beginnings: usize,
    /// The examples that have an unexpected error.
    failed: Vec<String>,
    /// The examples that should have errors and do, and those that have none.
    refused: usize,
    missed: Vec<String>,
    tokens: usize,
    bytes: usize,
    time: Duration,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.parsed += other.parsed;
        self.beginnings += other.beginnings;
        self.failed.extend_from_slice(&other.failed);
        self.refused += other.refused;
        self.missed.extend_from_slice(&other.missed);
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
    let projects = layout::projects(&args.folder);
    if projects.is_empty() {
        let message = format!("`{}` has no grammars", args.folder.display());
        return Err(
            Failure::new(Code::Input, message).help("a grammar is a folder with *.g4 files")
        );
    }
    let (mut plain, mut coded) = (Tally::default(), Tally::default());
    let (mut loaded, mut broken) = (0, 0);
    for project in &projects {
        let folder = project.folder.display();
        let mut parsers = Vec::new();
        for files in &project.grammars {
            match load(project, files) {
                Ok(parser) => parsers.push(parser),
                Err(problems) => {
                    broken += 1;
                    print(&format!("{folder}: not loaded: {}", problems[0]));
                }
            }
        }
        loaded += parsers.len();
        let Some((tally, has_code)) = best(project, &parsers) else { continue };
        let Tally { parsed, failed, missed, .. } = &tally;
        if !failed.is_empty() || !missed.is_empty() || args.verbose {
            failed.iter().chain(missed).for_each(|line| print(&format!("  {line}")));
            let code = if has_code { ", has code of a target language" } else { "" };
            let failed = failed.len();
            print(&format!("{folder}: {parsed} parsed, {failed} failed, {}{code}", tally.speed()));
        }
        if has_code { &mut coded } else { &mut plain }.add(&tally);
    }
    print(&format!("{loaded} grammars loaded, {broken} not"));
    let mut all = Tally::default();
    [&plain, &coded].into_iter().for_each(|tally| all.add(tally));
    let totals =
        [("all grammars", &all), ("grammars with code", &coded), ("grammars without code", &plain)];
    for (what, tally) in totals {
        let files = tally.parsed + tally.failed.len();
        let share = 100.0 * tally.parsed as f64 / files.max(1) as f64;
        let wrong = match tally.refused + tally.missed.len() {
            0 => String::new(),
            wrong => format!("{} of {wrong} with errors refused, ", tally.refused),
        };
        let beginnings = match tally.beginnings {
            0 => String::new(),
            count => format!("{count} of them up to the end of a start rule without `EOF`, "),
        };
        print(&format!(
            "{what}: {} of {files} examples parsed ({share:.1} %), {beginnings}{wrong}{}",
            tally.parsed,
            tally.speed()
        ));
    }
    Ok(Code::Done)
}

fn load(project: &Project, files: &[PathBuf]) -> Result<Parser, Vec<Problem>> {
    let mut grammar = Grammar::load(files)?;
    if project.ignores_case {
        grammar.ignore_case();
    }
    Parser::new(grammar)
}

/// The results of the grammar for a folder's examples, and whether it contains code. If no file names the grammar, it
/// is the one that accepts most examples: the others are older, or for other texts.
fn best(project: &Project, parsers: &[Parser]) -> Option<(Tally, bool)> {
    let is_named = |parser: &&Parser| {
        let name = &parser.grammar().name;
        project.name.as_ref().is_some_and(|it| it == name || format!("{it}Parser") == *name)
    };
    let named: Vec<&Parser> = parsers.iter().filter(is_named).collect();
    let candidates = if named.is_empty() { parsers.iter().collect() } else { named };
    let tried = candidates
        .iter()
        .map(|parser| (try_examples(project, parser), parser.grammar().code.matters()));
    // Of equally good ones, the first.
    tried.reduce(|best, other| if other.0.parsed > best.0.parsed { other } else { best })
}

fn try_examples(project: &Project, parser: &Parser) -> Tally {
    let grammar = parser.grammar();
    let mut tally = Tally::default();
    let mut cache = Cache::default();
    for test in &project.tests {
        let named = test.start.as_deref().and_then(|name| grammar.rule(name));
        let Some(start) = named.or_else(|| grammar.start()) else { continue };
        for Example { path, is_wrong } in &test.examples {
            let Some(mut text) = regular(path) else { continue };
            if project.is_latin {
                text = text.iter().map(|byte| char::from(*byte)).collect::<String>().into();
            }
            let begun = Instant::now();
            let parsed = parser.parse(&text, start, &mut cache);
            tally.time += begun.elapsed();
            tally.tokens += parsed.tokens.len();
            tally.bytes += text.len();
            match (first_error(parser, path, &text, &parsed), is_wrong) {
                (None, false) => tally.parsed += 1,
                (Some(_), false) if parsed.is_beginning => {
                    tally.parsed += 1;
                    tally.beginnings += 1;
                }
                (Some(error), false) => tally.failed.push(error),
                (Some(_), true) => tally.refused += 1,
                (None, true) => {
                    tally.missed.push(format!("{}: parsed, but should not be", path.display()))
                }
            }
        }
    }
    tally
}
