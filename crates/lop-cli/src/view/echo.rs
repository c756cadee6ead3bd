//! Stops the terminal from echoing Ctrl-C as `^C`.
//!
//! The panel is drawn up to the last column, so `^C` would start a new line, and the panel could not be cleared.
//! Only a foreground job may change the terminal: the kernel would stop any other job that tries.

use std::io::stderr;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcgetpgrp, tcsetattr};

/// Whether this process turned the echo off.
static HIDDEN: AtomicBool = AtomicBool::new(false);

/// While this value lives, the terminal does not echo control characters.
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

/// Turns the echo on again if [`NoEcho`] turned it off. Also called before an exit that drops nothing.
pub(super) fn restore() {
    if HIDDEN.swap(false, Ordering::SeqCst) {
        set(true);
    }
}

/// Turns the echo on or off; `None` if it is so already, or if this job must not change it.
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
