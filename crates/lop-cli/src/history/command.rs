//! `lop history`: lists the steps of a run, and prints one.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::History;
use crate::args::HistoryArgs;
use crate::exit::{Code, Failure};
use crate::paths::{beside, suffixed};
use crate::view::{Table, clock, number, print};

/// The file of the history of a run with this result.
pub(crate) fn of_run(output: &Path) -> PathBuf {
    suffixed(output, ".history")
}

/// Lists the steps of a run, or prints the text after one of them.
pub(crate) fn show(args: &HistoryArgs) -> Result<Code, Failure> {
    let history = read(&args.file)?;
    match args.step {
        None => list(&history),
        Some(step) => print_text(&history, step)?,
    }
    Ok(Code::Done)
}

/// Reads the history that belongs to a path: of an input, of a result, or of the history itself.
pub(crate) fn read(path: &Path) -> Result<History, Failure> {
    let paths = [path.to_owned(), of_run(path), of_run(&beside(path))];
    let is_history = |path: &&PathBuf| {
        path.extension().is_some_and(|extension| extension == "history") && path.is_file()
    };
    let Some(found) = paths.iter().find(is_history) else {
        let message = format!("there is no history of `{}`", path.display());
        // The path may be that of a result.
        let is_result = path.display().to_string().contains(".lop");
        return Err(Failure::new(Code::Input, message).help(format!(
            "lop writes it next to the result, as `{}`; name the result if you chose another place with -o",
            paths[if is_result { 1 } else { 2 }].display()
        )));
    };
    History::read(found).map_err(|error| {
        let message = format!("cannot read the history `{}`: {error}", found.display());
        Failure::new(Code::Input, message).help("run the reduction again to have a new one")
    })
}

/// The failure for a step that does not exist.
pub(crate) fn no_step(history: &History, step: usize) -> Failure {
    let message = format!("the history of `{}` has no step {step}", history.header.input);
    let last = history.steps.len();
    Failure::new(Code::Usage, message).help(format!("the steps are 0, the original, to {last}"))
}

fn list(history: &History) {
    let mut table = Table::new(["step", "tests", "time", "tokens", "bytes", "phase"]);
    let bytes = history.original.len() as u64;
    table.row(["0", "0", "", "", &number(bytes), "the original"].map(str::to_owned));
    for (index, (step, _)) in history.steps.iter().enumerate() {
        table.row([
            (index + 1).to_string(),
            number(step.tests),
            clock(Duration::from_secs_f64(step.seconds.max(0.0))),
            number(step.tokens as u64),
            number(step.bytes as u64),
            step.phase.clone(),
        ]);
    }
    print(table.to_string().trim_end());
}

fn print_text(history: &History, step: usize) -> Result<(), Failure> {
    let text = history.text(step).ok_or_else(|| no_step(history, step))?;
    let mut shown = Vec::new();
    match &history.header.mark {
        None => shown.extend_from_slice(&text),
        // Several files, each after its name.
        Some(mark) => {
            for file in files(&text, mark) {
                let (name, content) =
                    file.split_at(file.iter().position(|it| *it == b'\n').unwrap_or(0));
                // A path ends with a NUL.
                let name = name.strip_suffix(b"\0").unwrap_or(name);
                shown.extend([b"==> ", name, b" <==", content].concat());
                if !shown.ends_with(b"\n") {
                    shown.push(b'\n');
                }
            }
        }
    }
    let mut out = std::io::stdout().lock();
    // It is no error if the reader has gone.
    let _ = out.write_all(&shown).and_then(|()| out.flush());
    Ok(())
}

/// The parts of a text that follow a mark.
fn files<'t>(text: &'t [u8], mark: &[u8]) -> Vec<&'t [u8]> {
    let starts: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(mark)).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[start + mark.len()..end]).collect()
}
