//! The shortlex reducer over tests that are processes: workers, limits, what is seen, and the best on disk.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use lop::Cancel;
use lop_choice::passes::PASSES;
use lop_choice::record::{Record, Values};
use lop_choice::reducer::{Effort, reduce};
use lop_choice::trials::{Ending, Judge, Run, Trials};
use lop_choice::workers::Workers;

use crate::args::LimitArgs;
use crate::view::View;

/// What is reduced, and how.
pub(super) struct Search<'s> {
    pub(super) start: Record,
    pub(super) workers: usize,
    pub(super) limits: &'s LimitArgs,
    pub(super) stop: &'s Cancel,
}

/// What tries choices: the worker's number, the choices, and whether anyone still waits for the answer.
pub(super) type Trial<'t> = dyn Fn(usize, &Values, &Cancel) -> io::Result<Option<Run>> + Sync + 't;

/// What came out.
pub(super) struct Reduced {
    pub(super) best: Record,
    pub(super) calls: u64,
    pub(super) efforts: Vec<Effort>,
}

impl Search<'_> {
    /// Reduces; `run` is asked by several workers at once, `better` is told about each new best.
    pub(super) fn reduce(
        self,
        view: &mut View,
        run: &Trial<'_>,
        better: &mut dyn FnMut(&Record) -> io::Result<()>,
    ) -> io::Result<Reduced> {
        let over = Arc::new(AtomicBool::new(false));
        let error: Mutex<Option<io::Error>> = Mutex::default();
        let fail = |why: io::Error| {
            error.lock().expect("nothing panics with this lock").get_or_insert(why);
            over.store(true, Ordering::SeqCst);
        };
        let stopping = over.clone();
        let _at_stop = self.stop.on_cancel(move || stopping.store(true, Ordering::SeqCst));
        let run = |slot: usize, values: &Values, cancel: &Cancel| {
            let stale = cancel.clone();
            let _at_stop = self.stop.on_cancel(move || stale.cancel());
            let answer = run(slot, values, cancel).unwrap_or_else(|why| {
                fail(why);
                None
            });
            // Whoever waits for the answer must get one, unless nobody does.
            let nothing = || Run { record: Record::default(), ending: Ending::Rejected };
            answer.or_else(|| over.load(Ordering::SeqCst).then(nothing))
        };
        let first = self.start.choices.len();
        let start = Instant::now();
        let reduced = thread::scope(|scope| {
            let workers = Workers::start(scope, self.workers, &run);
            let most = self.limits.max_tests.unwrap_or(u64::MAX);
            let mut judge = Judge::new(self.start.clone(), most, workers);
            judge.stop_when(over.clone());
            if let Some(time) = self.limits.max_time {
                judge.stop_at(start + time);
            }
            judge.observe(Box::new(|best, calls| {
                view.better(first, best.choices.len(), calls);
                if let Err(why) = better(best) {
                    fail(why);
                }
            }));
            let efforts = reduce(&mut judge, &PASSES.iter().collect::<Vec<_>>());
            Reduced { best: judge.best().as_ref().clone(), calls: judge.calls(), efforts }
        });
        match error.into_inner().expect("nothing panics with this lock") {
            Some(why) => Err(why),
            None => Ok(reduced),
        }
    }
}
