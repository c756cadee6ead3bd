//! What a worker does with a candidate: it checks whether the candidate is worth a test, asks the oracle, and measures
//! interesting candidates.
//!
//! All work that reads every byte is done here: the workers share it, and the bytes are assembled at most once.

use std::sync::{Arc, Mutex, PoisonError};

use crate::oracle::{Oracle, Reason, Verdict};
use crate::search::Cancel;
use crate::search::pool::Work;
use crate::session::Executed;
use crate::text::{Candidate, Keep, Key, Measured};

/// The conditions that a candidate must meet to be worth a test.
#[derive(Clone, Default)]
pub(crate) struct Terms {
    /// The protected parts that it must contain.
    pub(crate) keep: Arc<Keep>,
    /// Whether it must be smaller than the best. A replacement may make it larger.
    pub(crate) must_shrink: bool,
    /// The parser's conditions.
    pub(crate) parser: Option<ParserTerms>,
}

/// The parser's view of a candidate.
#[derive(Clone)]
pub(crate) struct ParserTerms {
    /// Whether a candidate has no more errors than the text it was made from.
    pub(crate) parses: Arc<dyn Fn(&Candidate) -> bool + Send + Sync>,
    /// Whether that text has no errors.
    pub(crate) has_no_errors: bool,
    /// Whether the candidate must parse and isn't known to.
    pub(crate) must_parse: bool,
}

/// A candidate that is proposed to the judge.
pub(crate) struct Proposal {
    pub(crate) candidate: Candidate,
    /// Whether it is known to parse.
    pub(crate) is_sure: bool,
}

impl Proposal {
    /// A candidate that is known to parse, or need not.
    pub(crate) fn sure(candidate: Candidate) -> Self {
        Proposal { candidate, is_sure: true }
    }

    /// A candidate that the parser is asked about if candidates must parse.
    pub(crate) fn unsure(candidate: Candidate) -> Self {
        Proposal { candidate, is_sure: false }
    }
}

/// A candidate to be judged.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) key: Key,
    pub(crate) candidate: Candidate,
    pub(crate) terms: Terms,
    /// The oracle's verdict, if it is known.
    pub(crate) known: Option<Verdict>,
    /// When it was made.
    pub(crate) moment: Moment,
}

/// A moment of a run: what an answer depends on besides the candidate.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Moment {
    /// The identity of the best.
    pub(crate) best: Key,
    /// How often the time limit of tests had changed.
    pub(crate) limit_changes: u64,
}

impl Job {
    pub(crate) fn new(
        key: Key,
        proposal: Proposal,
        terms: &Terms,
        known: Option<Verdict>,
        moment: Moment,
    ) -> Self {
        let mut terms = terms.clone();
        if let Some(parser) = &mut terms.parser {
            parser.must_parse &= !proposal.is_sure;
        }
        Job { key, candidate: proposal.candidate, terms, known, moment }
    }

    /// Whether anything has to be checked before a test.
    pub(crate) fn has_terms(&self) -> bool {
        let Terms { keep, must_shrink, parser } = &self.terms;
        !keep.is_empty() || *must_shrink || parser.as_ref().is_some_and(|it| it.must_parse)
    }
}

/// The outcome of a job.
#[derive(Debug)]
pub(crate) enum Judged {
    /// The candidate isn't worth a test.
    Vetoed,
    /// The oracle's verdict, and the candidate if it is interesting.
    Judged(Verdict, Option<Measured>),
}

/// The place where workers judge candidates.
pub(crate) struct Bench<'o> {
    oracle: &'o dyn Oracle,
    /// The text that candidates have to beat.
    best: Mutex<Arc<Measured>>,
    executed: Arc<Executed>,
    /// Ends the run: candidates that still wait for a worker are not judged.
    stop: Cancel,
}

impl<'o> Bench<'o> {
    pub(crate) fn new(
        oracle: &'o dyn Oracle,
        best: &Arc<Measured>,
        executed: Arc<Executed>,
        stop: Cancel,
    ) -> Self {
        Bench { oracle, best: Mutex::new(best.clone()), executed, stop }
    }

    pub(crate) fn oracle(&self) -> &'o dyn Oracle {
        self.oracle
    }

    /// Sets the text that candidates have to beat from now on.
    pub(crate) fn set_best(&self, best: &Arc<Measured>) {
        *self.best.lock().unwrap_or_else(PoisonError::into_inner) = best.clone();
    }

    fn best(&self) -> Arc<Measured> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Work<Job, Judged> for Bench<'_> {
    fn run(&self, slot: usize, job: &Job, cancel: &Cancel) -> Option<Judged> {
        let Job { candidate, terms, known, .. } = job;
        let best = self.best();
        let mut measured = None;
        let mut parsed = None;
        if !terms.keep.is_empty() && !terms.keep.is_in(candidate.text()) {
            return Some(Judged::Vetoed);
        }
        if terms.must_shrink {
            let measured = measured.insert(best.nearly(candidate.text().clone()));
            if !measured.may_beat(&best) {
                return Some(Judged::Vetoed);
            }
        }
        // The parser is asked last, since it takes longest.
        if let Some(parser) = &terms.parser {
            let decides = measured.as_ref().is_some_and(|it| it.must_parse_to_beat(&best));
            if parser.must_parse || parser.has_no_errors && decides {
                let parses = (parser.parses)(candidate);
                if !parses && parser.must_parse {
                    return Some(Judged::Vetoed);
                }
                parsed = Some(parses).filter(|_| parser.has_no_errors);
            }
        }
        let known_to_parse = |measured: Measured| match parsed {
            Some(parses) => measured.that_parses(parses),
            None => measured,
        };
        let measured = measured.map(known_to_parse);
        if measured.as_ref().is_some_and(|measured| *measured >= *best) {
            return Some(Judged::Vetoed);
        }
        let verdict = match known {
            Some(verdict) => verdict.clone(),
            None if self.stop.is_cancelled() => Verdict::Unresolved(Reason::Cancelled),
            None => self.executed.judge(self.oracle, slot, candidate, cancel),
        };
        let measured = (verdict == Verdict::Interesting).then(|| {
            measured.unwrap_or_else(|| known_to_parse(best.nearly(candidate.text().clone())))
        });
        (verdict != Verdict::Unresolved(Reason::Cancelled))
            .then_some(Judged::Judged(verdict, measured))
    }

    fn settles(&self, judged: &Judged) -> bool {
        matches!(judged, Judged::Judged(_, Some(measured)) if *measured < *self.best())
    }
}
