//! `lop grammar`: ANTLR's grammars, checked, shown and tried.

mod additions;
mod collection;

use std::path::{Path, PathBuf};
use std::time::Instant;

use lop::antlr::{Cache, Grammar, Parsed, Parser, Problem};
use lop::similar;
use lop::tree::{AntlrOptions, Format};

use crate::args::{AdditionArgs, CheckArgs, FormatArgs, GrammarCommand, ShowRuleArgs};
use crate::exit::{Code, Failure};
use crate::reading::{cure, read};
use crate::view::{print, several};

/// Runs the command.
pub(crate) fn run(command: &GrammarCommand) -> Result<Code, Failure> {
    match command {
        GrammarCommand::Check(args) => check(args),
        GrammarCommand::Show(args) => show(args),
        GrammarCommand::Collection(args) => collection::run(args),
    }
}

/// The format of the grammars that options name; `None` if they name none.
pub(crate) fn format(args: &FormatArgs) -> Result<Option<Format>, Failure> {
    let additions = &args.additions;
    if args.grammar.is_empty() {
        let is_lost = additions.replacements.is_some() || additions.islands.is_some();
        return match is_lost {
            true => Err(Failure::new(Code::Usage, "--replacements and --islands need --grammar")
                .help("name the grammar with --grammar FILE.g4, or leave them out")),
            false => Ok(None),
        };
    }
    let options = additions::read(additions)?;
    format_of(&args.grammar, args.start.as_deref(), &options).map(Some)
}

/// The format of grammars. Prints the assumptions about them.
fn format_of(
    paths: &[PathBuf],
    start_name: Option<&str>,
    options: &AntlrOptions,
) -> Result<Format, Failure> {
    let parser = load(paths)?;
    let start = start(&parser, start_name)?;
    for note in notes(parser.grammar()) {
        eprintln!("lop: {note}");
    }
    Format::antlr(parser, start, options).map_err(unusable)
}

fn unusable(error: impl ToString) -> Failure {
    Failure::new(Code::Usage, error.to_string())
        .help("`lop grammar check GRAMMAR…` shows the rules of a grammar")
}

/// What a user should know about a grammar before it is used.
fn notes(grammar: &Grammar) -> Vec<String> {
    let code = &grammar.code;
    let mut notes = Vec::new();
    if let Some(class) = &code.super_class {
        notes
            .push(format!("the grammar {} extends `{class}`, whose code is not run", grammar.name));
    }
    if code.predicates > 0 {
        let count = code.predicates;
        notes.push(format!("{count} predicates of the grammar {} count as true", grammar.name));
    }
    notes
}

fn load(paths: &[PathBuf]) -> Result<Parser, Failure> {
    Grammar::load(paths).and_then(Parser::new).map_err(|problems| failure(&problems))
}

/// The most errors that are printed.
const MOST: usize = 20;

fn failure(problems: &[Problem]) -> Failure {
    let shown: Vec<String> = problems.iter().take(MOST).map(ToString::to_string).collect();
    let more = match problems.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("\n{more} more errors"),
    };
    let errors = if problems.len() == 1 { "an error" } else { "errors" };
    Failure::new(Code::Usage, format!("the grammar has {errors}:\n{}{more}", shown.join("\n")))
        .help("correct the grammar at these places; `lop grammar check GRAMMAR…` checks it without a test")
}

fn start(parser: &Parser, name: Option<&str>) -> Result<usize, Failure> {
    let grammar = parser.grammar();
    match name {
        Some(name) => grammar.rule(name).ok_or_else(|| unknown(grammar, name)),
        None => grammar.start().ok_or_else(|| {
            let message = format!("the grammar {} has no parser rules", grammar.name);
            Failure::new(Code::Usage, message)
                .help("give the grammar of the parser, too: --grammar Parser.g4")
        }),
    }
}

fn unknown(grammar: &Grammar, name: &str) -> Failure {
    let meant = similar(name, grammar.rule_names());
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    Failure::new(Code::Usage, format!("the grammar {} has no rule `{name}`{meant}", grammar.name))
        .help("`lop grammar check GRAMMAR…` lists its rules")
}

fn check(args: &CheckArgs) -> Result<Code, Failure> {
    let is_grammar = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "g4");
    let grammars: Vec<PathBuf> = args.paths.iter().filter(is_grammar).cloned().collect();
    if grammars.is_empty() {
        let message = format!("`{}` is not a grammar of ANTLR", args.paths[0].display());
        return Err(Failure::new(Code::Usage, message)
            .help("name a .g4 file, and behind it texts to parse: lop grammar check X.g4 TEXT…"));
    }
    let parser = load(&grammars)?;
    let start = start(&parser, args.start.as_deref())?;
    let rules = rules(&grammars, start, &args.additions)?;
    let grammar = parser.grammar();
    let names: Vec<&str> = grammar.rule_names().collect();
    print(&format!(
        "{}: {}, {}; it starts with `{}`",
        grammar.name,
        several(names.len() as u64, "rule"),
        several(grammar.token_names().count() as u64 - 1, "token"),
        names[start]
    ));
    grammar.warnings.iter().for_each(|warning| print(&warning.to_string()));
    notes(grammar).iter().for_each(|note| print(note));
    list("left-recursive", &grammar.left_recursive().collect::<Vec<_>>());
    list("not reachable", &grammar.unreachable_from(start));
    if !args.quiet {
        print_rules(grammar, &rules);
    }
    let mut cache = Cache::default();
    let mut code = Code::Done;
    for path in args.paths.iter().filter(|path| !is_grammar(path)) {
        let text = read(path).map_err(|error| {
            Failure::new(Code::Input, format!("cannot read `{}`: {error}", path.display()))
                .help(cure(&error))
        })?;
        let begun = Instant::now();
        let parsed = parser.parse(&text, start, &mut cache);
        let seconds = begun.elapsed().as_secs_f64();
        let count = parsed.tokens.len().max(1);
        let speed = format!(
            "{count} tokens, {:.1} ms, {:.1} µs a token",
            seconds * 1e3,
            seconds * 1e6 / count as f64
        );
        match first_error(&parser, path, &text, &parsed) {
            None => print(&format!("{}: parsed, {speed}", path.display())),
            Some(error) => {
                print(&format!("{error}; {speed}"));
                code = Code::Input;
            }
        }
    }
    Ok(code)
}

fn list(what: &str, names: &[&str]) {
    if !names.is_empty() {
        print(&format!("{what}: {}", names.join(", ")));
    }
}

/// The longest least text that is shown.
const LONGEST: usize = 60;

/// The format of grammars, for the least texts of their rules.
fn rules(paths: &[PathBuf], start: usize, additions: &AdditionArgs) -> Result<Format, Failure> {
    Format::antlr(load(paths)?, start, &additions::read(additions)?).map_err(unusable)
}

fn least<'r>(rules: &'r Format, name: &str) -> Option<&'r str> {
    let grammar = rules.parser().grammar();
    grammar.minimal(grammar.label(name, true)?)
}

fn print_rules(grammar: &Grammar, rules: &Format) {
    for name in grammar.rule_names() {
        print(&format!("\n{}", grammar.shown(name).unwrap_or_default()));
        match least(rules, name) {
            Some(least) if least.chars().count() <= LONGEST => {
                print(&format!("    Φ `{}`", least.escape_debug()))
            }
            Some(least) => print(&format!("    Φ of {} characters", least.chars().count())),
            None => print("    Φ not known"),
        }
    }
}

fn show(args: &ShowRuleArgs) -> Result<Code, Failure> {
    let parser = load(&args.grammars)?;
    let grammar = parser.grammar();
    let shown = grammar.shown(&args.rule).ok_or_else(|| unknown(grammar, &args.rule))?;
    print(&shown);
    if let Some(least) = least(&rules(&args.grammars, 0, &args.additions)?, &args.rule) {
        print(&format!("Φ `{}`", least.escape_debug()));
    }
    Ok(Code::Done)
}

/// The first error in a text, with its place.
fn first_error(parser: &Parser, path: &Path, text: &[u8], parsed: &Parsed) -> Option<String> {
    if let Some(rule) = parsed.gave_up_in {
        let rule = parser.grammar().rule_names().nth(rule).unwrap_or_default();
        return Some(format!(
            "{}: the parser gave up in rule `{rule}`: the text takes too much work",
            path.display()
        ));
    }
    let first = *parsed.errors.first()?;
    let (at, shown) = match parsed.tokens.get(first) {
        Some(token) => {
            let range = token.start as usize..token.end as usize;
            let text = String::from_utf8_lossy(&text[range]).chars().take(30).collect::<String>();
            (token.start as usize, format!("`{}`", text.escape_debug()))
        }
        None => (text.len(), "the end of the file".to_owned()),
    };
    let line = text[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    let column =
        at - text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1) + 1;
    Some(format!("{}:{line}:{column}: {shown} does not fit here", path.display()))
}
