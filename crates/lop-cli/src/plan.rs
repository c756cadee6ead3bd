//! Turns the command line into a plan; all errors with files are found here, before anything is run or written.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use lop::{Bundle, Journal, Place, Strategy, Text};
use rustix::fs::{Access, access};
use tempfile::TempDir;

use crate::args::{Args, AskedArgs, ResultArgs, ShowArgs};
use crate::command;
use crate::exit::{Code, Failure, machine_help};
use crate::formatter::Choice;
use crate::history::{self, History};
use crate::input::{self, OWN};
use crate::mark;
use crate::paths::{beside, suffixed};
use crate::question::{self, Question};
use crate::report;
use crate::resume::Header;
use crate::view::number;

/// The plan of a run.
pub(crate) struct Plan {
    pub(crate) question: Question,
    pub(crate) show: ShowArgs,
    pub(crate) strategy: Option<Strategy>,
    /// The layout of the result.
    pub(crate) format: Choice,
    pub(crate) output: PathBuf,
    /// The directory of the output, if it is printed at the end.
    pub(crate) printed: Option<TempDir>,
    /// Notes for the user about the output and the strategy.
    pub(crate) notes: Vec<String>,
    /// The backups of the originals if the files themselves are reduced: one for each path of the input.
    pub(crate) backups: Vec<PathBuf>,
    /// The paths of the input.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) journal: PathBuf,
    pub(crate) header: Header,
    /// The run that is resumed.
    pub(crate) earlier: Option<Header>,
    /// The history of the run with whose step this one begins, up to that step.
    pub(crate) from: Option<History>,
    /// Whether the accepted steps are written.
    pub(crate) has_history: bool,
    /// The place of a page about the run.
    pub(crate) report: Option<PathBuf>,
    /// The file with some of the options.
    pub(crate) config: Option<PathBuf>,
}

/// The history of a run up to a step, and the text after it: of the run with this output, or else of the one whose
/// result is in the usual place for that of the input.
fn beginning(output: &Path, input: &Path, step: usize) -> Result<(History, Text), Failure> {
    let is_there = history::of_run(output).exists();
    let mut history = history::read(if is_there { output } else { input })?;
    let text = history.text(step).ok_or_else(|| history::no_step(&history, step))?;
    history.steps.truncate(step);
    Ok((history, text))
}

impl Plan {
    /// Checks the command line against the files it names.
    pub(crate) fn new(args: Args) -> Result<Self, Failure> {
        let (_, inputs) = question::test_and_inputs(&args.question)?;
        args.result.report.as_deref().map_or(Ok(()), report::check)?;
        let printed = printed(&args, &inputs)?;
        let output = match (&printed, &inputs[..]) {
            (Some(directory), _) => directory.path().join("result"),
            (_, [input]) if !input.is_dir() => output(&args.result, input)?,
            (_, several) => output_of_several(&args.result, several)?,
        };
        let is_replaced =
            !args.result.resume && !args.result.in_place && output.exists() && !output.is_dir();
        let replaced =
            match is_replaced && !mark::is_replaceable(&output, &suffixed(&output, ".journal")) {
                true => replaced(&output, args.result.output.is_some(), args.result.force)?,
                false => None,
            };
        let journal = journal_of(&output)?;
        let earlier = Header::of_resumed(args.result.resume, &journal)?;
        let backups: Vec<PathBuf> = match &earlier {
            Some(header) => header.backups(),
            None if args.result.in_place => {
                inputs.iter().map(|path| backup(&itself(path))).collect()
            }
            None => Vec::new(),
        };
        // After an interrupted --in-place run, the original is in the backup.
        let sources = if earlier.is_some() { &backups[..] } else { &[] };
        let own = [written(&output), backups.clone()].concat();
        let mut question = Question::new(args.question, sources, &own)?;
        let from = args.result.from.map(|step| beginning(&output, &inputs[0], step)).transpose()?;
        if let Some((_, text)) = &from {
            question.text = text.clone();
        }
        let strategy = question.strategy(args.strategy.as_ref())?;
        let notes = replaced.into_iter().chain(question.absent_phases(args.strategy.as_ref()));
        writable(&output)?;
        let header = Header::new(&question, strategy.as_ref(), &backups);
        if let Some(earlier) = &earlier {
            earlier.matches(&header)?;
        }
        let Args { show, config, result: ResultArgs { format, no_history, report, .. }, .. } = args;
        let has_history = !no_history;
        let format = format.unwrap_or_default();
        format.check()?;
        Ok(Plan {
            question,
            show,
            strategy,
            format,
            output,
            printed,
            notes: notes.collect(),
            backups,
            inputs,
            journal,
            header,
            earlier,
            from: from.map(|(history, _)| history),
            has_history,
            report,
            config,
        })
    }

    /// The place of the result.
    pub(crate) fn place(&self) -> Place {
        match &self.question.bundle {
            None => Place::File(self.output.clone(), Some(self.question.permissions.clone())),
            Some(bundle) => Place::Files(bundle.clone(), self.places(bundle)),
        }
    }

    /// The place of each of several files.
    pub(crate) fn places(&self, bundle: &Bundle) -> Vec<(PathBuf, PathBuf)> {
        let are_apart = bundle.root.is_none() && !self.backups.is_empty();
        match are_apart {
            true => self.inputs.iter().map(|path| (input::inside(path), itself(path))).collect(),
            false => input::places(bundle, &self.question.text, &self.output),
        }
    }

    /// Writes the originals to their backups.
    pub(crate) fn back_up(&self) -> Result<(), Failure> {
        let Question { text, permissions, bundle, .. } = &self.question;
        let Some(backup) = self.backups.first() else { return Ok(()) };
        let place = match bundle {
            None => Place::File(backup.clone(), Some(permissions.clone())),
            Some(bundle) if bundle.root.is_some() => {
                Place::Files(bundle.clone(), input::places(bundle, text, backup))
            }
            Some(bundle) => {
                let names = self.inputs.iter().map(|path| input::inside(path));
                Place::Files(bundle.clone(), names.zip(self.backups.clone()).collect())
            }
        };
        place.put(text).map_err(|error| cannot_write(&error.path, &error.source))
    }

    /// The option that makes the run try less than by default.
    pub(crate) fn only(&self) -> Option<&'static str> {
        let search = &self.question.args.search;
        match &self.strategy {
            _ if search.fast => Some("--fast"),
            Some(_) if !search.without.is_empty() => Some("--without"),
            // With --keep-names, everything that is allowed is tried.
            Some(_) if !search.keep_names => Some("--strategy"),
            _ => None,
        }
    }

    /// Whether this run continues another one.
    pub(crate) fn resumes(&self) -> bool {
        self.earlier.is_some()
    }
}

/// The journal of a run with this output.
pub(crate) fn journal_of(output: &Path) -> Result<PathBuf, Failure> {
    let journal = suffixed(output, ".journal");
    match Journal::is_busy(&journal) {
        false => Ok(journal),
        true => {
            let message = format!("another lop is writing to `{}`", output.display());
            Err(Failure::new(Code::Output, message)
                .help("wait for it, or choose another place with -o OUT"))
        }
    }
}

/// Opens a journal: a new one, or that of the run that is resumed.
pub(crate) fn open_journal(
    path: &Path,
    header: &Header,
    earlier: Option<&Header>,
) -> Result<Journal, Failure> {
    let journal = match earlier {
        Some(earlier) => Journal::resume(path).map(|mut journal| {
            if !earlier.has_limits_of(header) {
                journal.forget_unresolved();
            }
            journal
        }),
        None => Journal::create(path, header),
    };
    journal.map_err(|error| cannot_write(path, &error))
}

/// The note about a journal with lost lines.
pub(crate) fn damage(journal: &Journal) -> Option<String> {
    match journal.damaged() {
        0 => None,
        1 => Some("a line of the journal is damaged and ignored: its test is run again".into()),
        lines => Some(format!(
            "{} lines of the journal are damaged and ignored: their tests are run again",
            number(lines as u64)
        )),
    }
}

/// The place of the result of `lop gen` and `lop tmin`: that of the option, or next to the file.
pub(crate) fn output_of(asked: &AskedArgs, input: &Path) -> Result<PathBuf, Failure> {
    let args = ResultArgs {
        output: asked.output.clone(),
        force: asked.force,
        in_place: false,
        format: None,
        resume: asked.resume,
        from: None,
        report: None,
        no_history: true,
    };
    let is_named = args.output.is_some();
    if args.output.as_deref().map_or(input::is_standard(input), input::is_standard) {
        let message = "the result is a file, and cannot be written to standard output";
        return Err(Failure::new(Code::Usage, message).help("name the file: -o OUT"));
    }
    let output = output(&args, input)?;
    if !args.resume && !mark::is_replaceable(&output, &suffixed(&output, ".journal")) {
        replaced(&output, is_named, args.force)?;
    }
    writable(&output).map(|()| output)
}

/// The files that a run with this output writes.
pub(crate) fn written(output: &Path) -> Vec<PathBuf> {
    vec![output.to_owned(), suffixed(output, ".journal"), history::of_run(output)]
}

/// A directory for the result until it is printed, if it is written to standard output. By default, that is so if the
/// input is standard input.
fn printed(args: &Args, inputs: &[PathBuf]) -> Result<Option<TempDir>, Failure> {
    let wrong = |message: &str, help: &str| Err(Failure::new(Code::Usage, message).help(help));
    let result = &args.result;
    let is_piped = inputs.iter().any(|input| input::is_standard(input));
    if is_piped && result.in_place {
        return wrong("standard input cannot be overwritten", "name the result: -o OUT");
    }
    match &result.output {
        Some(output) if !input::is_standard(output) => return Ok(None),
        None if !is_piped => return Ok(None),
        _ => {}
    }
    if args.show.json {
        let message = "both the result and --json would be written to standard output";
        return wrong(message, "name a file for the result: -o OUT");
    }
    if inputs.len() > 1 || inputs[0].is_dir() {
        let message = "several files cannot be written to standard output";
        return wrong(message, "name a directory for them: -o OUT");
    }
    if result.resume {
        let message = "a run whose result goes to standard output leaves nothing to resume";
        return wrong(message, "start it without --resume, or name the result: -o OUT");
    }
    // Not `lop-`: a run removes empty directories of that name.
    let made = tempfile::Builder::new().prefix("result-of-lop-").tempdir();
    made.map(Some).map_err(|error| cannot_write(&std::env::temp_dir(), &error))
}

/// The note about a file that isn't recognised as lop's and that the result replaces. It is replaced only by force,
/// unless the user did not name it and the file system would not keep the mark of a result.
fn replaced(output: &Path, is_named: bool, force: bool) -> Result<Option<String>, Failure> {
    let shown = output.display();
    match (is_named || mark::is_kept(output), force) {
        (_, true) => Ok(None),
        (false, _) => Ok(Some(format!("the result overwrites `{shown}`, which was there before"))),
        (true, false) => {
            let message =
                format!("the output `{shown}` is there already and is not as lop wrote it");
            Err(Failure::new(Code::Output, message)
                .help("name another file with -o OUT, or overwrite this one with --force"))
        }
    }
}

fn output(args: &ResultArgs, input: &Path) -> Result<PathBuf, Failure> {
    let Some(output) = &args.output else {
        return Ok(if args.in_place { itself(input) } else { beside(input) });
    };
    if command::is_same_file(output, input) {
        return Err(Failure::new(
            Code::Usage,
            format!("the output `{}` is the input itself", output.display()),
        )
        .help("use --in-place, which keeps a backup"));
    }
    if output.is_dir() {
        return Err(Failure::new(
            Code::Output,
            format!("the output `{}` is a directory", output.display()),
        )
        .help(format!(
            "name a file: -o {}",
            command::quoted(output.join(beside(input).file_name().unwrap_or_default()))
        )));
    }
    // lop must not replace the shell's standard output.
    if ["/dev", "/proc"].iter().any(|place| output.starts_with(place)) {
        return Err(not_regular(output));
    }
    // A link stays a link.
    let output = fs::canonicalize(output).unwrap_or_else(|_| output.clone());
    if output.exists() && !output.is_file() {
        return Err(not_regular(&output));
    }
    Ok(output)
}

/// The file or directory that is reduced in place: a link stays a link.
fn itself(input: &Path) -> PathBuf {
    fs::canonicalize(input).unwrap_or_else(|_| input.to_owned())
}

/// The directory for the results of a directory or of several files: `sources` becomes `sources.lop`.
fn output_of_several(args: &ResultArgs, inputs: &[PathBuf]) -> Result<PathBuf, Failure> {
    if let Some(Choice::Command(_)) = args.format {
        let message = "there is one formatter and several files";
        return Err(
            Failure::new(Code::Usage, message).help("leave out --format, or choose --format auto")
        );
    }
    if args.in_place {
        // The journal is next to the directory or the first file.
        return Ok(itself(&inputs[0]));
    }
    let Some(output) = &args.output else {
        // Without a `/` at the end, and with a name if it is `.`.
        let first: PathBuf = inputs[0].components().collect();
        let named = first.file_name().is_some();
        let first = if named { first } else { fs::canonicalize(&first).unwrap_or(first) };
        return Ok(suffixed(&first, OWN));
    };
    let within = |outer: &PathBuf| {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        absolute(output).starts_with(fs::canonicalize(outer).unwrap_or_else(|_| absolute(outer)))
    };
    if inputs.iter().any(within) {
        let message = format!("the output `{}` is inside of the input", output.display());
        return Err(Failure::new(Code::Usage, message).help("choose a place outside of it"));
    }
    let has_files = fs::read_dir(output).is_ok_and(|mut entries| entries.next().is_some());
    if !args.resume && (has_files || output.is_file()) {
        let shown = output.display();
        return Err(Failure::new(Code::Output, format!("the output `{shown}` is there already"))
            .help("results of several files go to a new or empty directory: name another one"));
    }
    Ok(output.clone())
}

fn not_regular(output: &Path) -> Failure {
    let message = format!("the output `{}` is not a regular file", output.display());
    Failure::new(Code::Output, message)
        .help("the result replaces the file at every improvement: name a regular one")
}

/// `FILE.orig`, or `FILE.orig.2` and so on: an earlier backup is never overwritten.
fn backup(file: &Path) -> PathBuf {
    let numbered = (2..).map(|number| suffixed(file, &format!(".orig.{number}")));
    std::iter::once(suffixed(file, ".orig"))
        .chain(numbered)
        .find(|path| !path.exists())
        .expect("some number is free")
}

/// Makes the directory of a result, if it is one of lop's.
pub(crate) fn make_directory(output: &Path) -> Result<(), Failure> {
    match is_own(directory(output)) {
        true => fs::create_dir_all(directory(output)).map_err(|error| cannot_write(output, &error)),
        false => Ok(()),
    }
}

fn is_own(directory: &Path) -> bool {
    directory.as_os_str().as_encoded_bytes().ends_with(OWN.as_bytes())
}

/// Checks whether a file can be replaced, which requires a writable directory.
fn writable(output: &Path) -> Result<(), Failure> {
    let place = directory(output);
    let place = if is_own(place) && !place.exists() { directory(place) } else { place };
    access(place, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| cannot_write(output, &error.into()))
}

fn directory(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// The message for a result that cannot be written.
pub(crate) fn cannot_write(output: &Path, error: &io::Error) -> Failure {
    let help = match error.kind() {
        ErrorKind::NotFound => {
            format!("create the directory: mkdir -p {}", command::quoted(directory(output)))
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "the disk is full: free some space, or choose another place with -o OUT".into()
        }
        ErrorKind::PermissionDenied => "choose another place with -o OUT".into(),
        _ => machine_help(error).unwrap_or("choose another place with -o OUT").into(),
    };
    let message = format!("cannot write the result to `{}`: {error}", output.display());
    Failure::new(Code::Output, message).help(help)
}
