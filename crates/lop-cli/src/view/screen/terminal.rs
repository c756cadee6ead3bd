//! Prepares the terminal for the live view, and restores it.
//!
//! While the view is shown, the terminal has its other screen, no cursor, and neither echoes keys nor waits for a line;
//! Ctrl-C and Ctrl-Z are still signals. [`leave`] ends that: the view itself calls it, or a signal, or a panic. All
//! output uses one lock, so nothing is drawn after that.
//!
//! Only a foreground job may change the terminal: the kernel would stop any other job that tries.

use std::fs::File;
use std::io::{self, Read, Write, stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::getpgrp;
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
};

/// The other screen without a cursor; the usual one with it.
pub(super) const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1049l";

static TERMINAL: Mutex<Terminal> =
    Mutex::new(Terminal { before: None, held: Vec::new(), may_enter: true });

struct Terminal {
    /// The modes of the terminal before the view was shown; `None` if it isn't shown.
    before: Option<Termios>,
    /// Lines that are printed when the view ends.
    held: Vec<String>,
    /// Whether the view may be shown: not while the process is stopped, nor while a panic is reported.
    may_enter: bool,
}

/// Whether the view can be shown at all.
pub(super) fn is_fit() -> bool {
    let term = std::env::var_os("TERM").unwrap_or_default();
    !term.is_empty() && term != "dumb" && is_in_foreground()
}

/// Shows the other screen; `false` if that is impossible now, or if the run is over: its end must find the terminal
/// restored.
pub(super) fn enter(is_over: &AtomicBool) -> bool {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let next = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            suspend();
            next(info);
            // Some panics are caught, and the run continues.
            resume();
        }));
    });
    let mut terminal = lock();
    if is_over.load(Ordering::SeqCst) || !terminal.may_enter || !is_in_foreground() {
        return false;
    }
    let Ok(before) = tcgetattr(stderr()) else { return false };
    let mut modes = before.clone();
    modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    // Ctrl-S would stop the view, and with it the run.
    modes.input_modes.remove(InputModes::IXON);
    if tcsetattr(stderr(), OptionalActions::Now, &modes).is_err() {
        return false;
    }
    terminal.before = Some(before);
    write(ENTER.as_bytes());
    true
}

/// Whether the view is shown.
pub(super) fn is_shown() -> bool {
    lock().before.is_some()
}

/// Restores the terminal, and prints the lines that were held back.
pub(crate) fn leave() {
    lock().leave();
}

/// Restores the terminal until [`resume`]: another program is about to use it.
pub(crate) fn suspend() {
    let mut terminal = lock();
    terminal.may_enter = false;
    terminal.leave();
}

/// The process continues after it was stopped; other programs may have used the terminal meanwhile.
pub(crate) fn resume() {
    let mut terminal = lock();
    terminal.leave();
    terminal.may_enter = true;
}

/// Prints a line, when the view has ended. It is no reason to stop if the reader has gone.
pub(crate) fn say(line: &str) {
    let mut terminal = lock();
    match terminal.before {
        Some(_) => terminal.held.push(line.to_owned()),
        None => write(format!("{line}\n").as_bytes()),
    }
}

impl Terminal {
    fn leave(&mut self) {
        let Some(before) = self.before.take() else { return };
        write(LEAVE.as_bytes());
        if is_in_foreground() {
            let _ = tcsetattr(stderr(), OptionalActions::Now, &before);
        }
        for line in self.held.drain(..) {
            write(format!("{line}\n").as_bytes());
        }
    }
}

fn lock() -> MutexGuard<'static, Terminal> {
    TERMINAL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(bytes: &[u8]) {
    let _ = stderr().write_all(bytes);
}

fn is_in_foreground() -> bool {
    tcgetpgrp(stderr()).is_ok_and(|group| group == getpgrp())
}

/// The keyboard.
pub(super) struct Keyboard(Option<File>);

impl Keyboard {
    pub(super) fn open() -> Self {
        Keyboard(File::open("/dev/tty").ok())
    }

    /// The keys typed within this time.
    pub(super) fn read(&mut self, most: Duration) -> Vec<u8> {
        let Some(file) = self.0.as_mut().filter(|_| is_shown()) else {
            std::thread::sleep(most);
            return Vec::new();
        };
        let time = Timespec { tv_sec: 0, tv_nsec: most.subsec_nanos().into() };
        let mut waiting = [PollFd::new(file, PollFlags::IN)];
        let is_ready = poll(&mut waiting, Some(&time)).is_ok_and(|count| count > 0);
        // The kernel would stop a background job that reads.
        if !is_ready || !is_in_foreground() {
            return Vec::new();
        }
        let mut bytes = [0; 64];
        match file.read(&mut bytes) {
            Ok(count) if count > 0 => bytes[..count].to_vec(),
            // The terminal is gone.
            _ => {
                self.0 = None;
                Vec::new()
            }
        }
    }
}

/// The backend that draws cells: it gathers a whole frame, and writes it at once.
#[derive(Default)]
pub(super) struct Ansi {
    frame: String,
}

impl Backend for Ansi {
    type Error = io::Error;

    fn draw<'a, I: Iterator<Item = (u16, u16, &'a Cell)>>(&mut self, cells: I) -> io::Result<()> {
        let mut next = None;
        let mut style = None;
        for (x, y, cell) in cells {
            if next != Some((x, y)) {
                self.frame += &format!("\x1b[{};{}H", y + 1, x + 1);
            }
            next = Some((x + 1, y));
            let of_cell = (cell.fg, cell.bg, cell.modifier);
            if style.replace(of_cell) != Some(of_cell) {
                self.frame += &sgr(of_cell);
            }
            self.frame += cell.symbol();
        }
        if style.is_some() {
            self.frame += "\x1b[0m";
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, _: P) -> io::Result<()> {
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        self.frame += "\x1b[0m\x1b[2J";
        Ok(())
    }

    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        self.clear()
    }

    fn size(&self) -> io::Result<Size> {
        let size = tcgetwinsize(stderr())?;
        Ok(match (size.ws_col, size.ws_row) {
            (0, _) | (_, 0) => Size::new(80, 24),
            (columns, rows) => Size::new(columns, rows),
        })
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        let frame = std::mem::take(&mut self.frame);
        let terminal = lock();
        match terminal.before {
            Some(_) => stderr().write_all(frame.as_bytes()),
            None => Ok(()),
        }
    }
}

/// The escape sequence of a style, which resets the one before.
fn sgr((fg, bg, modifier): (Color, Color, Modifier)) -> String {
    let mut codes = "\x1b[0".to_owned();
    for (each, code) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
        (Modifier::CROSSED_OUT, 9),
    ] {
        if modifier.contains(each) {
            codes += &format!(";{code}");
        }
    }
    for (color, base) in [(fg, 30), (bg, 40)] {
        if let Some(code) = code(color) {
            codes += &format!(";{}", base + code);
        }
    }
    codes + "m"
}

/// The number of one of the colours that every terminal has; the view uses no others, so that the user's are kept.
fn code(color: Color) -> Option<u8> {
    Some(match color {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 60,
        _ => return None,
    })
}
