//! `lop tmin`: files whose bytes are choices, such as the crashes of fuzz targets.

use std::fs;
use std::sync::Arc;

use lop::{Bytes, ChoiceReduction};

use super::kept::{Kept, Outputs, best_file, check_here};
use crate::args::TminArgs;
use crate::exit::{Code, Failure};
use crate::oracle::oracle;
use crate::plan;
use crate::question::Question;
use crate::resume::Header;
use crate::signals::{self, interrupted};
use crate::view::View;

/// Reduces a file to fewer and smaller bytes.
pub(crate) fn tmin(args: &TminArgs) -> Result<Code, Failure> {
    let Some(path) = args.asked.file() else {
        return Err(Failure::new(Code::Usage, "a target and a file are needed")
            .help("usage: lop tmin FILE -- TARGET {}"));
    };
    let output = plan::output_of(&args.asked, path)?;
    let own = plan::written(&output);
    let question = Question::new(args.asked.about(path.clone()), &[], &own)?;
    let stop = signals::stop()?;
    let mut view = View::new(path.display().to_string(), &args.show, &stop);
    let judge = oracle(&question, &stop, &mut view)?;
    let kept = Kept::open(&args.asked, &output, Header::new(&question, None, &[]))?;
    let reached = match (kept.is_resumed, fs::read(&output)) {
        (true, Ok(bytes)) => {
            let case = Arc::new(bytes);
            let confirmed = lop::still_interesting(&*judge, &case, &stop);
            interrupted(&stop)?;
            Some((Bytes::record(&case), case)).filter(|_| confirmed != Some(false))
        }
        _ => None,
    };
    let best = reached.as_ref().map_or(&question.text, |(_, case)| case);
    let best_file = best_file(&output, Some(question.permissions.clone()), best)?;
    let record = Bytes::record(&question.text);
    let mut reduction = ChoiceReduction::new(record, question.text.clone(), &Bytes, &*judge);
    reduction.workers = question.workers;
    reduction.best_case = Some(best_file);
    reduction.reached = reached;
    let outputs = Outputs { input: path, output: &output, case: None, generator: None };
    let code = kept.run(reduction, &args.asked, &question, &stop, view, &outputs)?;
    check_here(&judge, &question, &output, &stop).map(|()| code)
}
