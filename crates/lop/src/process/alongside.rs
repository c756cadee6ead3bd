//! A process that runs alongside this one.
//!
//! It is launched like any other, so its limits are watched, and when it ends or is dropped, everything it started is killed. A dedicated
//! thread starts it and waits for it: on Linux the kernel kills a process when the thread that started it ends.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use super::{Files, Launch, Launcher, Limits, Termination};
use crate::search::Cancel;

/// A process that runs until it ends, exceeds a limit or is dropped.
pub(crate) struct Alongside {
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

impl Alongside {
    /// Starts a program with these files as standard input, output and error. `ended` is called when the program and
    /// everything it started have ended.
    pub(crate) fn start(
        launch: Launch,
        files: [File; 3],
        limits: Limits,
        ended: impl FnOnce(io::Result<Termination>) + Send + 'static,
    ) -> io::Result<Alongside> {
        let launcher = Launcher::new(launch)?;
        let cancel = Cancel::default();
        let (tell, started) = mpsc::sync_channel(1);
        let stop = cancel.clone();
        let thread = thread::Builder::new().spawn(move || {
            let [stdin, stdout, stderr] = &files;
            let running = launcher.start(&Files { stdin, stdout, stderr }, &limits);
            // The process has its own copies. If ours stayed open, it would never see the end of its input, and its
            // reader would never see the end of its output.
            drop(files);
            match running {
                Ok(running) => {
                    let _ = tell.send(Ok(()));
                    ended(running.wait(&stop));
                }
                Err(error) => drop(tell.send(Err(error))),
            }
        })?;
        started.recv().expect("the thread says whether it started the process")?;
        Ok(Alongside { cancel, thread: Some(thread) })
    }

    /// Starts a program; also returns the pipes to its standard input and from its standard output. Its standard error is discarded.
    pub(crate) fn piped(
        launch: Launch,
        limits: Limits,
    ) -> io::Result<(Alongside, PipeWriter, PipeReader)> {
        let (stdin, input) = io::pipe()?;
        let (output, stdout) = io::pipe()?;
        let (stdin, stdout) = (File::from(OwnedFd::from(stdin)), File::from(OwnedFd::from(stdout)));
        let null = File::options().write(true).open("/dev/null")?;
        // The reader sees the end of the output, however the process ended.
        let process = Alongside::start(launch, [stdin, stdout, null], limits, |_| {})?;
        Ok((process, input, output))
    }
}

impl Drop for Alongside {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::time::Duration;

    use super::*;

    fn start(script: &str) -> (Alongside, PipeWriter, PipeReader) {
        let launch = Launch {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            env: vec![("PATH".into(), std::env::var_os("PATH").unwrap())],
            dir: "/".into(),
        };
        Alongside::piped(launch, Limits::default()).unwrap()
    }

    #[test]
    fn it_reads_and_writes_until_its_input_ends() {
        let (_process, mut input, mut output) = start("tr a-z A-Z");
        input.write_all(b"hello").unwrap();
        drop(input);
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        assert_eq!(text, "HELLO");
    }

    #[test]
    fn the_end_of_its_output_is_seen_although_it_still_runs() {
        let (_process, _input, mut output) = start("exec >&-; sleep 7011.25");
        assert_eq!(output.read(&mut [0]).unwrap(), 0);
    }

    #[test]
    fn it_outlives_the_thread_that_asked_for_it() {
        let (_process, mut input, mut output) = thread::spawn(|| start("cat")).join().unwrap();
        // If the kernel killed it with that thread, it would do so now.
        thread::sleep(Duration::from_millis(20));
        input.write_all(b"x").unwrap();
        assert_eq!(output.read(&mut [0]).unwrap(), 1);
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error_with_its_cause() {
        let launch =
            Launch { program: "/nowhere".into(), args: vec![], env: vec![], dir: "/".into() };
        let error = Alongside::piped(launch, Limits::default()).err().unwrap();
        #[cfg(target_os = "linux")]
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        let _ = error;
    }
}
