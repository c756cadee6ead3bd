//! `lop gen` and `lop tmin`: reduce the choices of a generator instead of its test case.
//!
//! ```text
//! choices ──generator──▶ test case ──▶ oracle
//!    ▲         └──▶ events: what was drawn, and what belongs together
//!    └── passes of lop-choice
//! ```

mod faults;
mod find;
mod kept;
mod program;
mod tmin;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::generator::{self, Generator, Unmade};
use lop::oracle::Oracle;
use lop::{Cancel, ChoiceReduction, Text};
use lop_choice::engine::{Choices, Record};

use crate::args::{Args, AskedArgs, GenArgs, LimitArgs, ResultArgs};
use crate::exit::{Code, Failure};
use crate::helpers;
use crate::oracle::oracle;
use crate::paths::suffixed;
use crate::plan;
use crate::question::Question;
use crate::reading::read_text;
use crate::resume::{self, Header};
use crate::run;
use crate::signals;
use crate::view::View;

use faults::{check_it_is_a_function, draws_nothing, not_a_function, out_of_time, seed_only};
use kept::{Kept, Outputs, best_file, check_here};
pub(crate) use tmin::tmin;

/// Reduces choices, or searches for some first, and then the test case on request.
pub(crate) fn generate(args: &GenArgs) -> Result<Code, Failure> {
    if let Some(directory) = &args.clients {
        return helpers::written(directory, generator::write_clients);
    }
    let usage = "usage: lop gen --generator COMMAND TEST CHOICES\n       lop gen --generator COMMAND CHOICES -- COMMAND {}";
    let Some(path) = args.asked.file() else {
        return Err(
            Failure::new(Code::Usage, "a test and a file with choices are needed").help(usage)
        );
    };
    let output = plan::output_of(&args.asked, path)?;
    let case_output = case_output(args, &output);
    if args.then_file {
        let file = file_output(&case_output);
        let is_left = |output: &Path| suffixed(output, ".journal").exists();
        if args.asked.resume && !is_left(&output) && is_left(&file) {
            return reduce_file(args, case_output, file, true);
        }
        let code = reduce_choices(args, path, &output, &case_output)?;
        return match code {
            Code::Done => reduce_file(args, case_output, file, false),
            code => Ok(code),
        };
    }
    reduce_choices(args, path, &output, &case_output)
}

/// Reduces the test case that the simplest choices make, as a file.
fn reduce_file(
    args: &GenArgs,
    case: PathBuf,
    output: PathBuf,
    resume: bool,
) -> Result<Code, Failure> {
    let mut question = args.asked.about(case);
    question.format.name = Some(args.name.clone());
    run::run(Args {
        subcommand: None,
        question,
        result: ResultArgs {
            output: Some(output),
            force: args.asked.force,
            in_place: false,
            format: None,
            resume,
            from: None,
            report: None,
            no_history: true,
        },
        show: args.show.clone(),
        strategy: None,
        config: None,
        no_config: true,
    })
}

/// The place of the file's result: bug.lop.file.c next to bug.lop.c.
fn file_output(case: &Path) -> PathBuf {
    let extension = case.extension().unwrap_or_default().display().to_string();
    case.with_extension(format!("file.{extension}"))
}

/// Reduces choices, or searches for some first.
fn reduce_choices(
    args: &GenArgs,
    path: &Path,
    output: &Path,
    case_output: &PathBuf,
) -> Result<Code, Failure> {
    let own = [plan::written(output), vec![case_output.clone(), file_output(case_output)]].concat();
    let stop = signals::stop()?;
    let words = args.generator.as_deref().unwrap_or_default();
    let generator = Generator::new(&generator::Setup {
        name: words.into(),
        drive: args.drive.map(Into::into),
        serves: args.server,
        workers: args.asked.test.workers(args.asked.search().workers()),
        time: args.asked.limits.timeout,
        ..generator::Setup::new(program::program(words)?)
    })?;
    let mut view = View::new(path.display().to_string(), &args.show, &stop);
    let found = match args.find && !args.asked.resume {
        true => Some(find::find(args, path, &generator, &stop, &mut view)?),
        false => None,
    };
    let choices = read(path)?;
    let (record, case) = first_case(&generator, words, &choices, path, &args.asked.limits, &stop)?;
    // The generator's faults are reported before the test is blamed.
    match found {
        Some(found) if found != case => return Err(not_a_function(words, &found, &case)),
        Some(_) => {}
        None => check_it_is_a_function(&generator, words, &record, &case, &stop)?,
    }
    let until = stop.until(args.asked.limits.deadline());
    if let Some(note) = seed_only(&generator, words, &record, &case, until.token()) {
        view.note(&note);
    }
    let question = question(&args.asked, &args.name, &case, &own)?;
    let judge = oracle(&question, &stop, &mut view)?;

    let choices = Arc::new(choices.to_string().into_bytes());
    let header = Header::new(&question, None, &[])
        .with("choices", resume::fingerprint(&choices))
        .with("generator", format!("{words} {:?}", args.drive));
    let kept = Kept::open(&args.asked, output, header)?;
    let reached = match kept.is_resumed {
        true => reached(&generator, output, &*judge, &stop)?,
        false => None,
    };
    let best = match &reached {
        Some((record, case)) => [choices_of(record), case.clone()],
        None => [choices_of(&record), Arc::new(case.clone())],
    };
    let mut reduction = ChoiceReduction::new(record, case, &generator, &*judge);
    reduction.workers = question.workers;
    reduction.best_choices = Some(best_file(output, None, &best[0])?);
    reduction.best_case = Some(best_file(case_output, None, &best[1])?);
    reduction.reached = reached;
    let outputs = Outputs { input: path, output, case: Some(case_output), generator: Some(words) };
    let code = kept.run(reduction, &args.asked, &question, &stop, view, &outputs)?;
    check_here(&judge, &question, case_output, &stop).map(|()| code)
}

/// The best of an earlier run, unless it is no longer interesting.
fn reached(
    generator: &Generator,
    output: &Path,
    judge: &dyn Oracle,
    stop: &Cancel,
) -> Result<Option<(Record, Text)>, Failure> {
    let Ok(choices) = read(output) else { return Ok(None) };
    let made = generator.make(0, &choices, stop)?;
    let Ok(case) = made.result else { return Ok(None) };
    let case = Arc::new(case);
    let confirmed = lop::still_interesting(judge, &case, stop);
    crate::signals::interrupted(stop)?;
    Ok(Some((made.record, case)).filter(|_| confirmed != Some(false)))
}

/// Choices as text.
fn choices_of(record: &Record) -> Text {
    let choices = Choices { values: record.values(), ..Choices::default() };
    Arc::new(choices.to_string().into_bytes())
}

/// The place of the test case: bug.lop.c next to bug.lop.choices. If the user chose a name, a suffix is added to it, so
/// that no other file is overwritten.
fn case_output(args: &GenArgs, output: &Path) -> PathBuf {
    let extension = args.name.extension().unwrap_or("case".as_ref());
    match args.asked.output {
        None => output.with_extension(extension),
        Some(_) => suffixed(output, &format!(".{}", extension.display())),
    }
}

fn read(path: &Path) -> Result<Choices, Failure> {
    let text = read_text(path).map_err(|error| {
        Failure::new(
            Code::Input,
            format!("cannot read the choices in `{}`: {error}", path.display()),
        )
        .help("lop gen --find makes some")
    })?;
    text.parse().map_err(|error| {
        Failure::new(Code::Input, format!("`{}`, {error}", path.display()))
            .help("give a file of choices: `lop gen --find` writes one")
    })
}

/// The original test case of the choices.
fn first_case(
    generator: &Generator,
    words: &str,
    choices: &Choices,
    path: &Path,
    limits: &LimitArgs,
    stop: &Cancel,
) -> Result<(Record, Vec<u8>), Failure> {
    let until = stop.until(limits.deadline());
    let made = generator.make(0, choices, until.token())?;
    crate::signals::interrupted(stop)?;
    let shown = path.display();
    let failure = |message: String| Failure::new(Code::Input, message);
    match made.result {
        Ok(_) if made.record.choices.is_empty() => Err(draws_nothing(words, generator)),
        Ok(case) => {
            generator.adapt(0);
            Ok((made.record, case))
        }
        Err(Unmade::TooFew(_)) => Err(failure(format!(
            "there are too few choices in `{shown}` for the generator `{words}`"
        ))
        .help("are they for another one? lop gen --find makes some")),
        Err(Unmade::Rejected(why)) => Err(failure(format!(
            "the generator `{words}` makes nothing of the choices in `{shown}`: {why}"
        ))
        .help("are they for another one? lop gen --find makes some")),
        Err(Unmade::TimedOut(why)) => Err(failure(format!(
            "the generator `{words}` made nothing of the choices in `{shown}`: {why}"
        ))
        .help("allow it more time with --timeout")),
        Err(_) => Err(out_of_time(words, limits)),
    }
}

/// The question about a test case that a generator made.
fn question(
    asked: &AskedArgs,
    name: &Path,
    case: &[u8],
    own: &[PathBuf],
) -> Result<Question, Failure> {
    let cannot = |error: io::Error| {
        Failure::new(Code::Test, format!("cannot write the test case to a temporary file: {error}"))
            .help("make room in the directory for temporary files, or set TMPDIR to another")
    };
    let file = tempfile::NamedTempFile::new().map_err(cannot)?;
    fs::write(file.path(), case).map_err(cannot)?;
    let mut args = asked.about(name.to_owned());
    // The verdict on an empty file matters little: no generator has made it.
    args.property.allow_trivial = true;
    let mut question = Question::new(args, &[file.path().to_owned()], own)?;
    question.is_in_no_file();
    Ok(question)
}
