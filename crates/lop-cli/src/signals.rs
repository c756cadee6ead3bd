//! Ctrl-C, SIGTERM and SIGHUP: the first one stops the run, the second one exits immediately. Ctrl-Z leaves the terminal
//! as it was before the process is stopped.

use std::thread;

use lop::Cancel;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use crate::exit::{Code, Failure};
use crate::view;

/// A cancellation token that these signals cancel.
pub(crate) fn stop() -> Result<Cancel, Failure> {
    let mut signals =
        Signals::new([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT]).map_err(|error| {
            Failure::new(Code::Usage, format!("cannot handle Ctrl-C: {error}"))
                .help("this machine lacks what every program needs; try again later")
        })?;
    let stop = Cancel::default();
    let token = stop.clone();
    thread::spawn(move || {
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
