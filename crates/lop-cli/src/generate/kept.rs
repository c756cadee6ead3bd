//! The files that `lop gen` and `lop tmin` keep on disk, and the beginning and the end of their runs.

use std::fs::Permissions;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::{BestFile, Cancel, ChoiceReduction, End, Error, Event, Journal, Observer, Place, Text};

use super::faults::not_a_function;
use crate::also::Saving;
use crate::args::AskedArgs;
use crate::exit::{Code, Failure};
use crate::mark;
use crate::oracle::{HAVE_SEVERAL_AGREE, Judge};
use crate::plan::{self, cannot_write, make_directory};
use crate::question::Question;
use crate::resume::{self, Header};
use crate::view::View;

/// The journal of a run.
pub(super) struct Kept {
    journal: Journal,
    /// Whether it continues an earlier run.
    pub(super) is_resumed: bool,
}

/// The sources and the outputs of a run.
pub(super) struct Outputs<'o> {
    pub(super) input: &'o Path,
    pub(super) output: &'o Path,
    pub(super) case: Option<&'o PathBuf>,
    /// The generator, as the user calls it.
    pub(super) generator: Option<&'o str>,
}

impl Kept {
    /// Opens the journal of a run: a new one, or that of the run that is resumed.
    pub(super) fn open(args: &AskedArgs, output: &Path, header: Header) -> Result<Kept, Failure> {
        let path = plan::journal_of(output)?;
        let earlier = Header::of_resumed(args.resume, &path)?;
        if let Some(earlier) = &earlier {
            earlier.matches(&header)?;
        }
        let journal = plan::open_journal(&path, &header, earlier.as_ref())?;
        Ok(Kept { journal, is_resumed: earlier.is_some() })
    }

    /// Runs a reduction and reports how it ended.
    pub(super) fn run(
        self,
        mut reduction: ChoiceReduction<'_>,
        args: &AskedArgs,
        question: &Question,
        stop: &Cancel,
        mut view: View,
        outputs: &Outputs<'_>,
    ) -> Result<Code, Failure> {
        let Outputs { input, output, case, generator } = outputs;
        if let Some(damage) = plan::damage(&self.journal) {
            view.note(&damage);
        }
        reduction.max_tests = args.limits.max_tests;
        reduction.max_time = args.limits.max_time;
        reduction.journal = Some(self.journal);
        reduction.stop = stop.clone();
        reduction.control = view.control();
        let mut saving = Saving::new(question, case.map_or(*output, PathBuf::as_path), &mut view);
        let simplest = reduction.observed_by(&mut saving).run();
        let also = saving.into_saved();
        let simplest = simplest.map_err(|error| match error {
            Error::Write(error) => cannot_write(&error.path, &error.source),
            error => Failure::new(Code::Test, format!("the reduction could not go on: {error}"))
                .help(format!("the best so far is in `{}`; --resume goes on", output.display())),
        })?;
        let (report, again) = (simplest.report, simplest.again);
        for file in [Some(*output), case.map(PathBuf::as_path)].into_iter().flatten() {
            if let Ok(content) = std::fs::read(file) {
                mark::set(file, &Arc::new(content));
            }
        }
        view.event(&Event::Finished {
            input: input.to_path_buf(),
            output: output.to_path_buf(),
            case: case.cloned(),
            difference: None,
            also,
            resume: (report.end != End::Complete).then(resume::command),
            only: None,
            report: Box::new(report.clone()),
        });
        if let (Some(words), Some(again)) = (generator, again) {
            return Err(not_a_function(words, &report.best.text, &again));
        }
        if report.confirmed == Some(false) {
            let message = format!(
                "the result `{}` was interesting once, but not when it was made and tested again",
                output.display()
            );
            return Err(Failure::new(Code::Flaky, message).help(HAVE_SEVERAL_AGREE));
        }
        Ok(if report.end == End::Interrupted { Code::Interrupted } else { Code::Done })
    }
}

/// Also tests the result on this machine, if only others have tested it so far.
pub(super) fn check_here(
    judge: &Judge,
    question: &Question,
    file: &Path,
    stop: &Cancel,
) -> Result<(), Failure> {
    match std::fs::read(file) {
        Ok(case) => {
            let name = format!("the result `{}`", file.display());
            judge.check_here(question, &Arc::new(case), &name, stop)
        }
        // A file that was just written is missing: that does not concern the test.
        Err(_) => Ok(()),
    }
}

/// Keeps the best in a file from now on.
pub(super) fn best_file(
    path: &Path,
    permissions: Option<Permissions>,
    best: &Text,
) -> Result<BestFile, Failure> {
    make_directory(path)?;
    BestFile::create(Place::File(path.to_owned(), permissions), best)
        .map_err(|error| cannot_write(&error.path, &error.source))
}
