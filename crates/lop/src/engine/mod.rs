//! Passes propose, the engine disposes.
//!
//! The engine answers the question of [`Search`]: it pulls candidates in their order, looks them
//! up in the cache, hands the others to the pool, and *commits* answers strictly in order. Workers
//! run ahead of the commit, never the other way round, so with a deterministic oracle neither the
//! result nor the number of tests depends on how many workers there are. Idle workers look at what is likely
//! to be asked next; the answers wait in the cache until their turn comes.
//!
//! Invariants: the best is interesting, and every new best is smaller than the one before in the
//! total order of [`Measured`]; what is interesting but not smaller is refused like what is boring,
//! so no run can go in circles. A verdict that is certain is asked for once.

mod judging;
mod over;

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use crate::best::BestFile;
use crate::cache::Cache;
use crate::candidate::{Around, Candidate, Key, Text};
use crate::event::{Counts, Event, Improvement};
use crate::journal::Journal;
use crate::keep::Keep;
use crate::measured::Measured;
use crate::passes::Lore;
use crate::phases::{self, Phase};
use crate::pool::Pool;
use crate::search::Cancel;
use crate::tree::Format;

pub(crate) use judging::Ahead;
pub use over::Over;

/// Judges what passes propose and keeps the best.
pub struct Engine<'o> {
    pub(crate) pool: Pool,
    /// What is ahead of the search, by content; what is certain is in the cache instead.
    pub(crate) ahead: HashMap<Key, Ahead>,
    /// Whether it was looked at for an earlier question.
    pub(crate) is_ahead_old: bool,
    pub(crate) cache: Cache,
    /// What an earlier run left unresolved, to be answered so once more.
    pub(crate) unresolved_before: HashMap<Key, usize>,
    pub(crate) best: Arc<Measured>,
    pub(crate) best_key: Key,
    pub(crate) best_file: Option<BestFile>,
    /// The smallest that is on disk; after a resume it may be ahead of the best.
    pub(crate) on_disk: Arc<Measured>,
    pub(crate) journal: Option<Journal>,
    pub(crate) observer: &'o mut dyn FnMut(&Event),
    /// The file that is reduced, if there are several.
    pub(crate) focus: Option<Focus>,
    pub(crate) format: Format,
    pub(crate) lore: Lore,
    pub(crate) keep: Keep,
    pub(crate) phase: String,
    pub(crate) phases: Vec<Phase>,
    pub(crate) improvements: Vec<Improvement>,
    /// How many tests in a row may be in vain, and how many were.
    pub(crate) patience: Option<u64>,
    pub(crate) in_vain: u64,
    /// How many contents were asked about, those that an earlier run knew included.
    pub(crate) questions: u64,
    /// Whether tests have more time than usual.
    pub(crate) is_patient: bool,
    /// Whether candidates that do not parse are left out; `None` if nobody has asked for it yet.
    pub(crate) guarded: Option<bool>,
    /// Whether the oracle has taken candidates that do not parse; `None` if it was not asked yet.
    pub(crate) takes_broken: Option<bool>,
    pub(crate) seed: u64,
    pub(crate) counts: Counts,
    pub(crate) timed_out: u64,
    pub(crate) started: Instant,
    pub(crate) last_progress: Instant,
    pub(crate) max_tests: Option<u64>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) stop: Cancel,
    pub(crate) end: Option<Result<End, Error>>,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Nothing is left to try.
    Complete,
    /// The number of tests was reached.
    MaxTests,
    /// The time was over.
    MaxTime,
    /// Someone wished it.
    Interrupted,
}

/// Why a run could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The test could not be run.
    #[error("the test could not be run: {0}")]
    Broken(String),
    /// The best result or the journal could not be written.
    #[error("{0}")]
    Write(io::Error),
}

impl<'o> Engine<'o> {
    /// The smallest interesting text so far, or the part of it that is reduced.
    pub fn best(&self) -> &Text {
        self.focus.as_ref().map_or(&self.best.text, |focus| &focus.text)
    }

    /// From here on, all is about a part of the best.
    pub(crate) fn focus_on(&mut self, part: Range<usize>, format: Format) {
        let text = &self.best.text;
        let around =
            Around { before: text[..part.start].to_vec(), after: text[part.end..].to_vec() };
        let text = Arc::new(text[part].to_vec());
        let outer = std::mem::replace(&mut self.format, format);
        self.focus = Some(Focus { text, around: Arc::new(around), outer });
        // Another language may have another parser.
        self.takes_broken = None;
    }

    /// All is about the whole again.
    pub(crate) fn unfocus(&mut self) {
        if let Some(focus) = self.focus.take() {
            self.format = focus.outer;
        }
    }

    /// What breaks ties where an algorithm leaves a choice.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A search for whoever thinks in other terms than bytes: `build` says what they mean, and `None`
    /// where that is not worth a test.
    pub fn over<K, B: Fn(&K) -> Option<Candidate>>(&mut self, build: B) -> Over<'_, 'o, B> {
        Over { engine: self, build, rewrites: false }
    }

    /// The same for whoever puts something in the place of something else. That may be larger, and is
    /// then not tested at all.
    pub fn rewriting<K, B: Fn(&K) -> Option<Candidate>>(&mut self, build: B) -> Over<'_, 'o, B> {
        Over { engine: self, build, rewrites: true }
    }

    /// Whether candidates that do not parse are left out.
    pub(crate) fn is_guarded(&self) -> bool {
        self.guarded == Some(true)
    }

    /// What the text is taken for.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Does something that has a name in the statistics.
    pub(crate) fn phase(&mut self, name: &str, body: impl FnOnce(&mut Self)) {
        if self.is_over() {
            return;
        }
        self.phase = name.into();
        let (size, counts) = (self.best.size, self.counts());
        (self.observer)(&Event::Phase { name: name.into(), size, counts });
        body(self);
        let counts = self.counts().since(counts);
        phases::record(&mut self.phases, name, counts, size, self.best.size);
    }

    /// Does something until so many tests in a row were in vain; `false` if they were.
    pub(crate) fn with_patience(&mut self, tests: u64, body: impl FnOnce(&mut Self)) -> bool {
        let outer = self.patience.replace(tests);
        self.in_vain = 0;
        body(self);
        let finished = !self.is_tired();
        // Who is inside of another is as tired as that one.
        self.patience = outer;
        finished
    }

    /// Whether too many tests in a row were in vain.
    pub(crate) fn is_tired(&self) -> bool {
        self.patience.is_some_and(|patience| self.in_vain >= patience)
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts { executed: self.pool.executed(), elapsed: self.started.elapsed(), ..self.counts }
    }

    /// Whether the run is to stop; notices when it is.
    pub(crate) fn is_over(&mut self) -> bool {
        if self.end.is_none() {
            if self.stop.is_cancelled() {
                self.end = Some(Ok(End::Interrupted));
            } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.end = Some(Ok(End::MaxTime));
            }
        }
        self.end.is_some()
    }

    pub(crate) fn set_best(&mut self, best: Arc<Measured>, key: Key) {
        self.pool.set_best(&best);
        (self.best, self.best_key) = (best, key);
    }

    fn accept(&mut self, better: Measured, content: Key) {
        self.in_vain = 0;
        self.set_best(Arc::new(better), content);
        if let Some(focus) = &mut self.focus {
            let (text, around) = (&self.best.text, &focus.around);
            let part = around.before.len()..text.len() - around.after.len();
            focus.text = Arc::new(text[part].to_vec());
        }
        // More patience was for when nothing else is left; now there is.
        if std::mem::take(&mut self.is_patient) {
            self.pool.oracle().set_patient(false);
            self.forget_ahead();
        }
        if self.best < self.on_disk {
            self.on_disk = self.best.clone();
            if let Some(Err(error)) = self.best_file.as_ref().map(|it| it.keep(&self.best.text)) {
                self.end = Some(Err(Error::Write(error)));
            }
        }
        let (size, phase, counts) = (self.best.size, self.phase.clone(), self.counts());
        let Counts { tests, elapsed, .. } = counts;
        self.improvements.push(Improvement { tests, elapsed, tokens: size.tokens });
        (self.observer)(&Event::Improved { size, phase, counts });
    }
}

/// A part of the best, by itself.
pub(crate) struct Focus {
    text: Text,
    around: Arc<Around>,
    /// The format of the whole.
    outer: Format,
}
