//! Ctrl-C, SIGTERM and SIGHUP: the first one stops the run, the second one exits immediately. Ctrl-Z leaves the terminal
//! as it was before the process is stopped.
//!
//! A sender of SIGTERM may send it twice: `timeout` signals the program that it runs, and then the group of both.

use std::io;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use lop::Cancel;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::exit::{Code, Failure};
use crate::view;

/// A SIGTERM that comes this soon after the first one counts as the same.
const SAME: Duration = Duration::from_secs(1);

/// A cancellation token that these signals cancel.
pub(crate) fn stop() -> Result<Cancel, Failure> {
    let mut signals =
        Signals::new([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT]).map_err(|error| {
            Failure::caused(Code::Test, format!("cannot handle Ctrl-C: {error}"), &error)
        })?;
    check_threads()?;
    let stop = Cancel::default();
    let token = stop.clone();
    thread::spawn(move || {
        let mut ended: Option<Instant> = None;
        for signal in signals.forever() {
            match signal {
                SIGTSTP => {
                    view::suspend();
                    let _ = emulate_default_handler(SIGTSTP);
                    continue;
                }
                SIGCONT => {
                    view::resume();
                    continue;
                }
                SIGTERM if ended.is_some_and(|at| at.elapsed() < SAME) => continue,
                SIGTERM => ended = Some(Instant::now()),
                _ => {}
            }
            if stop.is_cancelled() {
                // The workers get no time to clean up.
                lop::oracle::command::kill_tests();
                view::restore_terminal();
                std::process::exit(Code::Interrupted as i32);
            }
            stop.cancel();
        }
    });
    Ok(token)
}

/// Fails with an interruption if a signal has cancelled the work before a reduction.
pub(crate) fn interrupted(stop: &Cancel) -> Result<(), Failure> {
    if stop.is_cancelled() {
        return Err(Failure::new(Code::Interrupted, "interrupted before the reduction started")
            .help("nothing was changed; start the run again"));
    }
    Ok(())
}

/// The threads of a run with one worker: this one for signals, the worker, those that write the best and the history,
/// and one that watches the first test.
const THREADS: usize = 5;

/// Checks that threads can be started. If only a few can, a run just has fewer workers than requested.
fn check_threads() -> Result<(), Failure> {
    let gate = Mutex::new(());
    let started: io::Result<Vec<_>> = thread::scope(|scope| {
        let _closed = gate.lock();
        let waits = || drop(gate.lock());
        (0..THREADS)
            .map(|_| thread::Builder::new().spawn_scoped(scope, waits))
            .map(|it| it.map(drop))
            .collect()
    });
    started.map(drop).map_err(|error| {
        Failure::caused(Code::Test, format!("cannot start {THREADS} threads: {error}"), &error)
    })
}
