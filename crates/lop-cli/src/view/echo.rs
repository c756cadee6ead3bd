//! Keeps a terminal from showing Ctrl-C as `^C`.
//!
//! The panel is drawn up to the last column, so that `^C` would begin a new line, and the panel could
//! not be cleared. Only the foreground job may change a terminal: any other would be stopped for it.

use std::io::stderr;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};

/// Whether this process is the one that hid them.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// As long as it lives, control characters are not shown.
pub(super) struct NoEcho(());

impl NoEcho {
    pub(super) fn new() -> Self {
        if set(false).is_some() {
            HIDDEN.store(true, Ordering::SeqCst);
        }
        NoEcho(())
    }
}

impl Drop for NoEcho {
    fn drop(&mut self) {
        restore();
    }
}

/// Shows them again, if they were shown before: also for a process that ends without dropping
/// anything.
pub(super) fn restore() {
    if HIDDEN.swap(false, Ordering::SeqCst) {
        set(true);
    }
}

/// Shows them or not; `None` if that changes nothing, or may not be changed.
fn set(echo: bool) -> Option<()> {
    let terminal = stderr();
    if tcgetpgrp(&terminal).ok()? != getpgrp() {
        return None;
    }
    let mut modes = tcgetattr(&terminal).ok()?;
    if modes.local_modes.contains(LocalModes::ECHOCTL) == echo {
        return None;
    }
    modes.local_modes.set(LocalModes::ECHOCTL, echo);
    tcsetattr(&terminal, OptionalActions::Now, &modes).ok()
}
