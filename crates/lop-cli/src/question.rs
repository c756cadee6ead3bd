//! The question that a run answers: the input, the test and the property, checked against the files that they name.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::oracle::command::{Argument, CommandLine};
use lop::oracle::{Property, Requirement};
use lop::passes::Lore;
use lop::rules::{Error, Rules};
use lop::strategy::{Effort, default_for};
use lop::tree::{Corpus, Format, Tree};
use lop::{Bundle, Keep, Member, Reduction, Strategy, Text, Turn};

use crate::args::{FormatArgs, PropertyArgs, QuestionArgs};
use crate::command;
use crate::corpus;
use crate::exit::{Code, Failure};
use crate::format;
use crate::input::{self, Input};
use crate::places::Share;
use crate::reading::{self, cure, read_text};
use crate::with::{self, With};

/// An input, the test to run on its candidates, and the property.
pub(crate) struct Question {
    pub(crate) args: QuestionArgs,
    /// The path of the file, the directory or the first of several files, as the user wrote it.
    pub(crate) input: PathBuf,
    pub(crate) text: Text,
    pub(crate) permissions: Permissions,
    /// The bundle with the place of each file in the text, if there are several.
    pub(crate) bundle: Option<Bundle>,
    pub(crate) format: Format,
    /// The content of the file with rewrite rules, which has been parsed without errors.
    rules: Option<String>,
    corpus: Corpus,
    /// The directory that the input is in.
    pub(crate) home: PathBuf,
    /// The files or the directory, if they are on disk, with their paths in the directory of the test.
    pub(crate) originals: Vec<(PathBuf, PathBuf)>,
    /// The paths of the candidate in the directory of the test.
    pub(crate) taken: Vec<PathBuf>,
    /// The files that accompany each candidate.
    pub(crate) with: With,
    pub(crate) command: CommandLine,
    /// The script or command as the user wrote it.
    pub(crate) test: String,
    /// The property, unless it is the original's failure.
    pub(crate) property: Option<Property>,
    pub(crate) workers: usize,
    /// The share of the run in the places for tests, if there are other runs.
    pub(crate) share: Option<Share>,
}

/// The phases that shorten or replace names.
const RENAMING: &[&str] =
    &["rename", "unify", "substitute", "hddhr", "lexemes", "opdd:characters", "ddmin:characters"];

impl Question {
    /// Reads the input, from `sources` if given, and finds the test. `own` are the files that the run writes.
    pub(crate) fn new(
        mut args: QuestionArgs,
        sources: &[PathBuf],
        own: &[PathBuf],
    ) -> Result<Self, Failure> {
        let (test, inputs) = test_and_inputs(&args)?;
        let is_several = inputs.len() > 1 || inputs[0].is_dir();
        if is_several && args.format.name.is_some() {
            let message = "--as cannot be used with several files: they keep their names";
            return Err(Failure::new(Code::Usage, message).help("leave out --as"));
        }
        if input::is_standard(&inputs[0]) {
            args.format.name.get_or_insert(format::standard_name(&args.format));
        }
        let name = args.format.name.as_deref().and_then(Path::file_name);
        let input = match name.filter(|_| input::is_standard(&inputs[0])) {
            Some(name) => name.into(),
            None => inputs[0].clone(),
        };
        let named = |path: &PathBuf| match (name, &inputs[..]) {
            (Some(name), _) => name.into(),
            (None, [_]) => input::name_of(path),
            (None, _) => input::inside(path),
        };
        let taken: Vec<PathBuf> = inputs.iter().map(named).collect();
        let home = with::home(&inputs);
        let with = With::find(&args.test.with, &inputs, &taken, own)?;
        let on_disk = inputs.iter().zip(&taken).filter(|(path, _)| path.exists());
        let on_disk = on_disk.filter(|(path, _)| !input::is_standard(path));
        let originals: Vec<(PathBuf, PathBuf)> = on_disk
            .map(|(path, name)| (std::path::absolute(path).unwrap_or(path.clone()), name.clone()))
            .collect();
        let Input { text, permissions, bundle } =
            Input::read(&inputs, sources, &args.search, &|file| with.has(file))?;
        let format = match &bundle {
            Some(bundle) => format::of_several(&args.format, bundle, &text)?,
            None => format::choose(&args.format, &input, &text)?,
        };
        if args.search.valid == Some(true) && bundle.is_none() {
            needs_grammar("--valid", &format)?;
        }
        let rules = rules(args.search.rules.as_deref(), &format)?;
        let mut corpus = corpus::read(&args.search.corpus, &input, &format)?;
        if let Some(usage) = format.usage() {
            corpus.add(usage);
        }
        let mut command = match &test {
            Some(test) => {
                command::from_script(test).map_err(|failure| swapped(failure, test, &input))?
            }
            None => command::from_words(&args.command, &input)?,
        };
        let file = originals.first().map(|(file, _)| ("LOP_FILE", file));
        for (name, path) in [("LOP_DIR", &home)].into_iter().chain(file) {
            command.env.push((name.into(), Argument::plain(path)));
        }
        let property = property(&args.property, test.is_some());
        let test = match &test {
            Some(test) => test.display().to_string(),
            None => words(&args.command),
        };
        let workers = args.test.workers(args.search.workers());
        Ok(Question {
            input,
            text,
            permissions,
            bundle,
            format,
            rules,
            corpus,
            home,
            originals,
            taken,
            with,
            command,
            test,
            property,
            workers,
            share: None,
            args,
        })
    }

    /// Notes that the original isn't on disk, even if there is a file with its name.
    pub(crate) fn is_in_no_file(&mut self) {
        self.originals.clear();
        self.command.env.retain(|(name, _)| name != "LOP_FILE");
    }

    /// The candidate's file name. For several files, the path of the directory or of the first file, as the test sees it.
    pub(crate) fn name(&self) -> OsString {
        match &self.bundle {
            None => self.taken[0].clone().into_os_string(),
            Some(bundle) => bundle.name().as_os_str().to_owned(),
        }
    }

    /// The protected regions of the input.
    pub(crate) fn keep(&self) -> Keep {
        let patterns = &self.args.search.keep;
        match &self.bundle {
            None => Keep::of(&self.text, patterns),
            Some(bundle) => Keep::of_several(bundle, &self.text, patterns),
        }
    }

    /// Whether candidates must parse. A compiler that recovers from errors still prints a message about a text that it
    /// rejects, and then the property would be reduced to the message. A crash is worth a report whether the text
    /// parses or not, except in a language that all readers reject otherwise.
    fn is_valid(&self) -> bool {
        let PropertyArgs { stdout, stderr, signal, hang, .. } = &self.args.property;
        let is_message = !stdout.is_empty() || !stderr.is_empty();
        self.args.search.valid.unwrap_or_else(|| {
            let is_valid = || self.bundle.is_some() || self.format.accepts(&self.text);
            let entry = lop::languages::named(self.format.name());
            let well_formed = entry.is_some_and(|entry| entry.well_formed);
            (well_formed || is_message && signal.is_none() && !hang) && is_valid()
        })
    }

    /// Whether a result does not parse, though the original does and the user did not say whether that matters.
    pub(crate) fn no_longer_parses(&self, best: &Text) -> bool {
        let breaks = |format: &Format, before: &Text, now: &Text| {
            !now.is_empty() && !format.accepts(now) && format.accepts(before)
        };
        let Some(bundle) = &self.bundle else {
            return self.args.search.valid.is_none() && breaks(&self.format, &self.text, best);
        };
        let content = |text: &Text, file: &Member| Arc::new(text[file.content.clone()].to_vec());
        let before = bundle.members(&self.text);
        let is_broken = |now: &Member| {
            let before = before.iter().find(|before| before.path == now.path);
            before.is_some_and(|before| {
                let before = content(&self.text, before);
                breaks(&Format::guess(&now.path, &before), &before, &content(best, now))
            })
        };
        self.args.search.valid.is_none() && bundle.members(best).iter().any(is_broken)
    }

    fn rules(&self) -> Rules {
        match &self.rules {
            Some(text) => {
                Rules::read(text, &**self.format.parser()).expect("the rules were read before")
            }
            None => Rules::default(),
        }
    }

    /// The rules, the corpus and the model: files besides the input that decide which candidates are tried.
    pub(crate) fn learned(&self) -> String {
        let model = self.format.usage().map(|usage| usage.to_bytes());
        match model {
            // The same as in the journals of versions without models.
            None => format!("{:?} {:?}", self.rules, self.corpus),
            Some(model) => format!("{:?} {:?} {model:?}", self.rules, self.corpus),
        }
    }

    /// A reduction of the input that writes nothing to disk.
    pub(crate) fn reduction<'r>(
        &self,
        judge: &'r dyn lop::oracle::Oracle,
        stop: &lop::Cancel,
    ) -> Reduction<'r> {
        let mut reduction = Reduction::new(self.text.clone(), judge);
        reduction.strategy = Strategy::Default(self.args.search.effort());
        reduction.bundle = self.bundle.clone();
        reduction.keep = self.keep();
        reduction.lore =
            Lore { rules: self.rules(), corpus: self.corpus.clone(), ..Lore::default() };
        reduction.format = self.format.clone();
        reduction.valid = self.is_valid();
        reduction.workers = self.workers;
        reduction.seed = self.args.search.seed;
        reduction.max_tests = self.args.limits.max_tests;
        reduction.max_time = self.args.limits.max_time;
        reduction.stop = stop.clone();
        reduction
    }

    /// The note about a file that is reduced without its grammar, which isn't in this build.
    pub(crate) fn missing_language(&self) -> Option<String> {
        let FormatArgs { language, grammar, grammar_lib, .. } = &self.args.format;
        if language.is_some() || !grammar.is_empty() || grammar_lib.is_some() {
            return None;
        }
        self.taken.iter().find_map(|path| format::note_missing(path))
    }

    /// The user's strategy, without the phases to leave out; `None` is the default one.
    pub(crate) fn strategy(&self, named: Option<&Strategy>) -> Result<Option<Strategy>, Failure> {
        let search = &self.args.search;
        let renaming = RENAMING.iter().filter(|_| search.keep_names).copied();
        let names: Vec<&str> = search.without.iter().map(String::as_str).chain(renaming).collect();
        if named.is_none() && names.is_empty() {
            return Ok(None);
        }
        let whole = named.cloned().unwrap_or(Strategy::Default(search.effort()));
        let left = names.iter().try_fold(whole, |left, name| left.without(name));
        let left = left.ok_or_else(|| {
            let message = "nothing is left of the strategy without the phases of --without";
            Failure::new(Code::Usage, message).help("leave out fewer of them")
        })?;
        self.allows(&left)?;
        Ok(Some(left))
    }

    /// The default strategy for the input.
    pub(crate) fn default(&self) -> Strategy {
        default_for(&self.text, &self.format_of_all(), self.args.search.effort())
    }

    /// The format of all files together, if there are several.
    pub(crate) fn format_of_all(&self) -> Format {
        let of_files = |bundle| Format::of_files(bundle, &self.text, Turn::Later);
        self.bundle.as_ref().map_or(self.format.clone(), of_files)
    }

    /// The note about phases of `--without` that the strategy does not have.
    pub(crate) fn absent_phases(&self, named: Option<&Strategy>) -> Option<String> {
        let search = &self.args.search;
        if search.without.is_empty() {
            return None;
        }
        // Choosing the default requires a tree of the whole text.
        let whole = named.cloned().unwrap_or_else(|| self.default());
        // A default within a strategy gets its phases when it runs, for the text at that moment.
        let phases = whole.phases();
        let has_default =
            Effort::ALL.iter().any(|effort| phases.iter().any(|it| it == effort.name()));
        let is_absent =
            |name: &&String| whole.without(name).is_some_and(|left| left.phases() == phases);
        let absent: Vec<String> =
            search.without.iter().filter(is_absent).map(|name| format!("`{name}`")).collect();
        let list = absent.join(", ");
        (!has_default && !absent.is_empty())
            .then(|| format!("the strategy has no phase {list}; `-v` lists the phases that ran"))
    }

    /// Whether a strategy can be used on the input.
    fn allows(&self, strategy: &lop::Strategy) -> Result<(), Failure> {
        match strategy.uses_trees() && self.text.len() > Tree::LONGEST {
            false => Ok(()),
            true => Err(format::too_long(&self.input)
                .help("cut it first with a strategy over lines, such as ddmin:lines")),
        }
    }
}

/// The test, unless there is a command, and the paths of the input: at least one.
pub(crate) fn test_and_inputs(
    args: &QuestionArgs,
) -> Result<(Option<PathBuf>, Vec<PathBuf>), Failure> {
    let usage = "usage: lop TEST FILE… or lop TEST DIR\n       lop FILE -- COMMAND {}";
    let wrong = |message: &str| Err(Failure::new(Code::Usage, message).help(usage));

    match (&args.paths[..], args.command.is_empty()) {
        ([], true) => wrong("the test and the file to reduce are missing"),
        ([only], true) => wrong(&format!(
            "a test and a file to reduce are needed, but only `{}` is given",
            only.display()
        )),
        ([input, program, ..], true)
            if !program.exists() && command::on_path(program.as_os_str()).is_some() =>
        {
            let command: Vec<OsString> = args.paths[1..].iter().map(|it| it.into()).collect();
            let message = format!("`{}` is a program, not a file to reduce", program.display());
            let command = words(&command);
            let help = format!("a command comes after --: lop {} -- {command}", input.display());
            Err(Failure::new(Code::Usage, message).help(help))
        }
        ([test, inputs @ ..], true) => Ok((Some(test.clone()), inputs.to_vec())),
        ([], false) => wrong("the file to reduce is missing before `--`"),
        ([first, _, ..], false) if is_script(first) => {
            wrong("both a test and a command are given; only one of them can be used")
        }
        (inputs, false) => Ok((None, inputs.to_vec())),
    }
}

/// Whether an option makes sense for a format.
fn needs_grammar(option: &str, format: &Format) -> Result<(), Failure> {
    if format.parser().is_strict() {
        return Ok(());
    }
    let name = format.name();
    let message = format!("{option} cannot be used with the format `{name}`: it has no grammar");
    Err(Failure::new(Code::Usage, message)
        .help("choose a language with --language; `lop languages` lists them"))
}

/// Reads the file with rewrite rules for the language of the input.
fn rules(path: Option<&Path>, format: &Format) -> Result<Option<String>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let shown = path.display();
    let wrong = |message: String| Failure::new(Code::Usage, message);
    needs_grammar("--rules", format)?;
    let text = read_text(path).map_err(|error| {
        wrong(format!("cannot read the rules `{shown}`: {error}")).help(cure(&error))
    })?;
    match Rules::read(&text, &**format.parser()) {
        Ok(_) => Ok(Some(text)),
        Err(Error { line, column, message, .. }) => Err(wrong(format!(
            "{shown}:{line}:{column}: {message}"
        ))
        .help(format!("rules are queries over {} nodes; `lop tree` shows them", format.name()))),
    }
}

fn is_script(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.is_file()) && has_start(path).unwrap_or(false)
}

fn has_start(path: &Path) -> io::Result<bool> {
    let mut start = [0; 2];
    reading::open(path)?.read_exact(&mut start)?;
    Ok(start == *b"#!")
}

/// Adds a help text if the test and the input seem to be swapped.
fn swapped(failure: Failure, test: &Path, input: &Path) -> Failure {
    if is_script(input) && !is_script(test) {
        return failure.help(format!(
            "the test comes first: lop {} {}",
            input.display(),
            test.display()
        ));
    }
    failure
}

/// The property that the user gave; by default exit 0 for a test, and none for a command, whose failure on the original
/// is kept.
fn property(args: &PropertyArgs, is_script: bool) -> Option<Property> {
    let requirements: Vec<Requirement> = [
        args.exit.map(Requirement::Exit),
        args.signal.map(Requirement::Signal),
        args.hang.then_some(Requirement::Hang),
    ]
    .into_iter()
    .flatten()
    .chain(args.stdout.iter().cloned().map(Requirement::Stdout))
    .chain(args.stderr.iter().cloned().map(Requirement::Stderr))
    .chain(args.not_stdout.iter().cloned().map(Requirement::NotStdout))
    .chain(args.not_stderr.iter().cloned().map(Requirement::NotStderr))
    .chain(args.slower_than.map(Requirement::Slower))
    .chain(args.more_memory_than.map(Requirement::MoreMemory))
    .collect();
    match requirements.is_empty() {
        false => Some(Property::new(requirements)),
        true if is_script => Some(Property::new(vec![Requirement::Exit(0)])),
        true => None,
    }
}

/// A command as the user can type it; a single word is a shell command already.
fn words(command: &[OsString]) -> String {
    match command {
        [script] => script.display().to_string(),
        words => words.iter().map(command::quoted).collect::<Vec<_>>().join(" "),
    }
}
