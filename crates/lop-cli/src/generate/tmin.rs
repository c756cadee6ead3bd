//! `lop tmin`: files whose bytes are choices, such as the crashes of fuzz targets.

use std::fs;
use std::time::Instant;

use lop::Cancel;
use lop_choice::choice::{Choice, Kind};
use lop_choice::record::{Record, Values};
use lop_choice::trials::{Ending, Run};

use super::search::Search;
use super::{Account, TminArgs, Verdicts};
use crate::exit::{Code, Failure};
use crate::oracle::oracle;
use crate::plan;
use crate::question::Question;
use crate::signals;
use crate::view::View;

/// Reduces a file to fewer and smaller bytes.
pub(crate) fn tmin(args: &TminArgs) -> Result<Code, Failure> {
    let Some(path) = args.asked.file() else {
        return Err(Failure::new(Code::Usage, "a target and a file are needed")
            .help("usage: lop tmin FILE -- TARGET {}"));
    };
    let start = Instant::now();
    let question = Question::new(args.asked.about(path.clone()), None)?;
    let stop = signals::stop()?;
    let mut view = View::new(path.display().to_string(), &args.show);
    let judge = oracle(&question, &stop, &mut view)?;
    let output = plan::output_of(args.asked.output.as_deref(), path)?;
    let verdicts = Verdicts::new(&*judge);
    let first = record(&question.text);
    let run = |slot: usize, values: &Values, cancel: &Cancel| {
        let record = record(&bytes(values));
        let verdict = verdicts.of(slot, &bytes(values), cancel)?;
        let ending = |is: bool| if is { Ending::Interesting } else { Ending::Boring };
        Ok(verdict.map(|is| Run { record, ending: ending(is) }))
    };
    let mut keep =
        |best: &Record| lop::replace(&output, &bytes(&best.values()), Some(&question.permissions));
    keep(&first).map_err(|error| plan::cannot_write(&output, &error))?;
    let search = Search {
        start: first.clone(),
        workers: question.workers,
        limits: &args.asked.limits,
        stop: &stop,
    };
    let reduced = search.reduce(&mut view, &run, &mut keep);
    view.close();
    let reduced = reduced.map_err(|error| {
        Failure::new(Code::Test, format!("the reduction could not go on: {error}"))
            .help(format!("the best so far is in `{}`", output.display()))
    })?;
    let length = fs::metadata(&output).map_or(0, |it| it.len() as usize);
    let account = Account {
        first: (&first, question.text.len()),
        reduced: &reduced,
        bytes: length,
        tests: verdicts.asked(),
        places: &[&output],
        time: start.elapsed(),
    };
    account.tell(&args.show);
    Ok(if stop.is_cancelled() { Code::Interrupted } else { Code::Done })
}

/// Bytes as choices; nothing is known about what belongs together.
fn record(bytes: &[u8]) -> Record {
    let choice = |byte: &u8| Choice { value: i128::from(*byte), kind: Kind::integer(0, 255, 0) };
    Record { choices: bytes.iter().map(choice).collect(), spans: Vec::new() }
}

/// Choices as bytes.
fn bytes(values: &Values) -> Vec<u8> {
    values.iter().map(|value| Kind::integer(0, 255, 0).realised(*value) as u8).collect()
}
