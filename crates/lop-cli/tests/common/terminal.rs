//! A terminal for a program: it types keys, and reads what the program shows.

// Each user of this module uses a part of it.
#![allow(dead_code)]
#![expect(unsafe_code, reason = "the standard library opens no terminals")]

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

/// What is waited for takes much less; the limit is for when it never happens.
const LIMIT: Duration = Duration::from_secs(120);

/// A terminal in which a program runs.
pub(crate) struct Terminal {
    terminal: File,
    child: Child,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    parser: vt100::Parser,
    /// All that the program wrote.
    bytes: Vec<u8>,
}

impl Terminal {
    /// Runs a program in a terminal of this size.
    pub(crate) fn start(command: &mut Command, columns: u16, rows: u16) -> Self {
        let (mut terminal, mut program) = (0, 0);
        // SAFETY: both numbers can be written to, and the rest may be null.
        let opened = unsafe {
            let null = std::ptr::null_mut();
            libc::openpty(&raw mut terminal, &raw mut program, null, null.cast(), null.cast())
        };
        assert_eq!(opened, 0);
        // SAFETY: nobody else has these descriptors.
        let (terminal, program) =
            unsafe { (File::from_raw_fd(terminal), File::from_raw_fd(program)) };
        for file in [&terminal, &program] {
            // SAFETY: the descriptor is open.
            unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) };
        }
        resize(&terminal, columns, rows);
        let copy = || program.try_clone().unwrap();
        command.stdin(copy()).stdout(copy()).stderr(copy());
        // SAFETY: these two calls may be made between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let child = super::spawn(command);
        drop(program);
        // It holds copies of the terminal.
        command.stdin(std::process::Stdio::null());
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        let [rows, columns] = [rows, columns].map(|it| NonZeroU16::new(it).unwrap());
        let parser = vt100::Parser::new(rows, columns, 1000);
        let seen = Arc::new(Mutex::new(Seen { parser, bytes: Vec::new() }));
        let (mut reader, sees) = (terminal.try_clone().unwrap(), seen.clone());
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let mut seen = sees.lock().unwrap();
                seen.parser.process(&bytes[..count]);
                seen.bytes.extend(&bytes[..count]);
            }
        });
        Terminal { terminal, child, seen }
    }

    pub(crate) fn keys(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).unwrap();
    }

    pub(crate) fn signal(&self, signal: i32) {
        // SAFETY: the process was not waited for yet, so its number is its own.
        unsafe { libc::kill(self.child.id() as i32, signal) };
    }

    /// Whether the program has been stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        let options = libc::WSTOPPED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: numbers and pointers may be zero there, and the function writes to nothing else.
        let (waited, info) = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            (libc::waitid(libc::P_PID, self.child.id(), &raw mut info, options), info)
        };
        waited == 0 && info.si_code == libc::CLD_STOPPED
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        resize(&self.terminal, columns, rows);
        let [rows, columns] = [rows, columns].map(|it| NonZeroU16::new(it).unwrap());
        self.seen.lock().unwrap().parser.screen_mut().set_size(rows, columns);
    }

    /// What is on the screen now.
    pub(crate) fn screen(&self) -> String {
        self.seen.lock().unwrap().parser.screen().contents()
    }

    /// All that the program wrote.
    pub(crate) fn written(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap().bytes).into_owned()
    }

    /// Whether the terminal is as a shell leaves it: the first screen, with a cursor, lines and an echo.
    pub(crate) fn is_clean(&self) -> bool {
        let modes = tcgetattr(&self.terminal).unwrap().local_modes;
        let seen = self.seen.lock().unwrap();
        let screen = seen.parser.screen();
        modes.contains(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG)
            && !screen.alternate_screen()
            && !screen.hide_cursor()
    }

    #[track_caller]
    pub(crate) fn wait_until(&self, what: &str, condition: impl Fn(&Self) -> bool) {
        let limit = Instant::now() + LIMIT;
        while !condition(self) {
            assert!(
                Instant::now() < limit,
                "{what}: it never happens. On the screen:\n{}",
                self.screen()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until all of these are on the screen.
    #[track_caller]
    pub(crate) fn wait_for(&self, texts: &[&str]) {
        let is_shown = |it: &Self| {
            let screen = it.screen();
            texts.iter().all(|text| screen.contains(text))
        };
        self.wait_until(&format!("{texts:?} on the screen"), is_shown);
    }

    /// Waits until the program has ended and all that it wrote was read; returns its exit code.
    #[track_caller]
    pub(crate) fn ended(&mut self) -> i32 {
        let limit = Instant::now() + LIMIT;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < limit, "it does not end. On the screen:\n{}", self.screen());
            thread::sleep(Duration::from_millis(5));
        };
        // The reader has its own reference as long as it reads.
        self.wait_until("the end of the output", |it| Arc::strong_count(&it.seen) == 1);
        status.code().unwrap_or(-1)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn resize(terminal: &File, columns: u16, rows: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(terminal, size).unwrap();
}
