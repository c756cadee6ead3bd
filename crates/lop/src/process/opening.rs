//! Notes when a file is first opened or read. Only Linux reports it.

use std::path::Path;
use std::time::Instant;

/// Watches a file until a process opens or reads it.
pub(crate) struct Opening(#[cfg(target_os = "linux")] linux::Watch);

#[cfg(target_os = "linux")]
impl Opening {
    /// Starts to watch a file or directory, if that is possible.
    pub(crate) fn of(path: &Path) -> Option<Opening> {
        linux::Watch::new(path).ok().map(Opening)
    }

    /// The moment of the first opening, if there was one. Ends the watch.
    pub(crate) fn moment(self) -> Option<Instant> {
        self.0.end()
    }
}

#[cfg(not(target_os = "linux"))]
impl Opening {
    pub(crate) fn of(_: &Path) -> Option<Opening> {
        None
    }

    pub(crate) fn moment(self) -> Option<Instant> {
        None
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library does not wrap inotify")]
mod linux {
    use std::ffi::{CString, c_int};
    use std::fs::File;
    use std::io::{self, Read};
    use std::os::fd::{AsRawFd, FromRawFd};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};
    use std::time::Instant;

    pub(super) struct Watch {
        inotify: Arc<File>,
        watch: c_int,
        /// Waits for the first event. Events carry no times.
        thread: JoinHandle<Option<Instant>>,
    }

    impl Watch {
        pub(super) fn new(path: &Path) -> io::Result<Watch> {
            let path = CString::new(path.as_os_str().as_bytes())?;
            // Standard input was opened before the watch; the first sign of its use is an access.
            let events = libc::IN_OPEN | libc::IN_ACCESS | libc::IN_ONESHOT;
            // SAFETY: the file descriptor is new and has no other owner; the path lives through the call.
            let (inotify, watch) = unsafe {
                let fd = libc::inotify_init1(libc::IN_CLOEXEC);
                if fd < 0 {
                    return Err(io::Error::last_os_error());
                }
                let inotify = File::from_raw_fd(fd);
                (inotify, libc::inotify_add_watch(fd, path.as_ptr(), events))
            };
            if watch < 0 {
                return Err(io::Error::last_os_error());
            }
            let inotify = Arc::new(inotify);
            let reader = inotify.clone();
            let thread = thread::Builder::new().spawn(move || {
                // One event, with the name of a file if a directory is watched.
                let mut event = [0; 16 + 256];
                let read = (&*reader).read(&mut event).ok()?;
                let now = Instant::now();
                let mask = u32::from_ne_bytes(event[4..8].try_into().ok()?);
                (read >= 16 && mask & (libc::IN_OPEN | libc::IN_ACCESS) != 0).then_some(now)
            })?;
            Ok(Watch { inotify, watch, thread })
        }

        pub(super) fn end(self) -> Option<Instant> {
            // SAFETY: a plain system call. Without an event until now, it is the event that ends the thread.
            unsafe { libc::inotify_rm_watch(self.inotify.as_raw_fd(), self.watch) };
            self.thread.join().ok()?
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, File};
    use std::io::Read;

    use super::*;

    #[test]
    fn a_file_is_opened_when_it_is_opened_or_read_and_not_before() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        fs::write(&path, "x").unwrap();
        let mut before = File::open(&path).unwrap();
        let unopened = Opening::of(&path).unwrap();
        assert_eq!(unopened.moment(), None);

        let opens: [&mut dyn FnMut(); 2] =
            [&mut || drop(File::open(&path)), &mut || drop(before.read(&mut [0]))];
        for open in opens {
            let opening = Opening::of(&path).unwrap();
            let start = Instant::now();
            open();
            assert!(opening.moment().unwrap() >= start);
        }
    }
}
