//! Ctrl-C, SIGTERM and SIGHUP: the first one stops the run, the second one exits immediately.

use std::thread;

use lop::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::exit::{Code, Failure};
use crate::view;

/// A cancellation token that these signals cancel.
pub(crate) fn stop() -> Result<Cancel, Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Failure::new(Code::Usage, format!("cannot handle Ctrl-C: {error}")))?;
    let stop = Cancel::default();
    let token = stop.clone();
    thread::spawn(move || {
        for _ in signals.forever() {
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
