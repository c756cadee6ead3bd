//! The live view on a terminal: one more observer of events.
//!
//! [`state`] folds events and knows no terminal; [`draw`] draws the state and knows no run; [`terminal`] prepares the
//! terminal and restores it. A thread reads [`keys`] and redraws ten times a second, even without events.

mod chart;
mod diff;
mod draw;
mod keys;
mod panels;
mod state;
pub(super) mod terminal;
#[cfg(test)]
mod tests;
mod text;

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use lop::{Cancel, Control, Event, Observer};
use ratatui::Terminal;

use draw::{Page, Picture};
use keys::Action;
use state::State;
use terminal::{Ansi, Keyboard};

/// The time between two pictures.
const TICK: Duration = Duration::from_millis(100);
/// The view appears after this many ticks: for a run that fails immediately, it would only flicker.
const FIRST: u32 = 3;

/// The live view.
pub(super) struct Screen {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    is_over: AtomicBool,
}

impl Screen {
    /// Shows a run, if there is a suitable terminal.
    pub(super) fn open(name: String, stop: &Cancel, control: &Control) -> Option<Self> {
        let are_terminals = std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
        if !are_terminals || !terminal::is_fit() {
            return None;
        }
        let state = Mutex::new(State::new(name));
        let shared = Arc::new(Shared { state, is_over: AtomicBool::new(false) });
        let (stop, control) = (stop.clone(), control.clone());
        let viewer = Viewer { shared: shared.clone(), stop, control, page: Page::Run };
        thread::Builder::new().spawn(move || viewer.show()).ok()?;
        Some(Screen { shared })
    }

    /// Restores the terminal.
    pub(super) fn close(&self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        terminal::leave();
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event) {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner).event(event);
        if matches!(event, Event::Finished { .. } | Event::Compared { .. }) {
            self.close();
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.close();
    }
}

/// The data of the thread.
struct Viewer {
    shared: Arc<Shared>,
    /// Ends the run, as Ctrl-C does.
    stop: Cancel,
    control: Control,
    page: Page,
}

impl Viewer {
    fn show(mut self) {
        for _ in 0..FIRST {
            thread::sleep(TICK);
        }
        let mut keyboard = Keyboard::open();
        let Ok(mut terminal) = Terminal::new(Ansi::default()) else { return };
        while !self.is_over() {
            if !terminal::is_shown() {
                if !terminal::enter(&self.shared.is_over) {
                    thread::sleep(TICK);
                    continue;
                }
                let _ = terminal.clear();
            }
            State::compare(&self.shared.state);
            let picture = Picture {
                page: self.page,
                is_paused: self.control.is_paused(),
                is_stopping: self.stop.is_cancelled(),
                tests: self.control.tests(),
                has_colours: console::colors_enabled_stderr(),
            };
            let drawn = terminal.draw(|frame| draw::draw(frame, &self.state(), &picture));
            if drawn.is_err() {
                // The terminal is gone.
                return;
            }
            for action in keys::actions(&keyboard.read(TICK)) {
                self.act(action);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.shared.is_over.load(Ordering::SeqCst)
    }

    fn act(&mut self, action: Action) {
        let control = &self.control;
        match (action, self.page) {
            (Action::Pause, _) => control.pause(!control.is_paused()),
            (Action::Skip, _) => control.skip(),
            (Action::Quit, _) => self.stop.cancel(),
            (Action::Diff, Page::Diff(_)) | (Action::Help, Page::Help) | (Action::Back, _) => {
                self.page = Page::Run;
            }
            (Action::Diff, _) => self.page = Page::Diff(0),
            (Action::Help, _) => self.page = Page::Help,
            (Action::Scroll(by), Page::Diff(at)) => {
                let most = self.state().edit_lines();
                self.page = Page::Diff(at.saturating_add_signed(by).min(most));
            }
            (Action::Scroll(_), _) => {}
        }
    }
}
