//! Ctrl-C and its relatives: the first one stops, the second one ends at once.

use std::thread;

use lop::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::exit::{Code, Failure};
use crate::view;

/// The wish to stop, which signals make come true.
pub(crate) fn stop() -> Result<Cancel, Failure> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])
        .map_err(|error| Failure::new(Code::Usage, format!("cannot listen to Ctrl-C: {error}")))?;
    let stop = Cancel::default();
    let wish = stop.clone();
    thread::spawn(move || {
        for _ in signals.forever() {
            if stop.is_cancelled() {
                // Nobody waits for the workers to clear up any more.
                lop::oracle::command::kill_tests();
                view::restore_terminal();
                std::process::exit(Code::Interrupted as i32);
            }
            stop.cancel();
        }
    });
    Ok(wish)
}
