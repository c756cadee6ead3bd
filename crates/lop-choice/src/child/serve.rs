//! The child's half: runs the cases of the parent, and answers.

use std::io::{self, BufReader, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::{process, thread};

use super::{Task, answer, mark, noted, read_case};
use crate::choice::Choice;
use crate::failure::{self, Outcome};
use crate::protocol::generator::Written;
use crate::record::Label;
use crate::source::{Note, Source, Watch};

/// Serves the cases of the parent, and ends this process when the parent has no more.
pub(crate) fn serve<R: Outcome>(task: &Task, mut property: impl FnMut(&mut Source) -> R) -> ! {
    // Without a parent there is nobody to tell.
    let _ = serve_all(task, &mut property);
    process::exit(0)
}

fn serve_all<R: Outcome>(
    task: &Task,
    property: &mut dyn FnMut(&mut Source) -> R,
) -> io::Result<()> {
    let mut output = TcpStream::connect(("127.0.0.1", task.port))?;
    output.set_nodelay(true)?;
    writeln!(output, "{}", task.secret)?;
    let mut input = BufReader::new(output.try_clone()?);
    let (send, cases) = mpsc::channel();
    // A case that hangs must not outlive the parent.
    thread::spawn(move || {
        while let Ok(Some(case)) = read_case(&mut input) {
            if send.send(case).is_err() {
                return;
            }
        }
        process::exit(0)
    });
    for case in cases {
        let is_loud = case.is_loud;
        let source = case.source().with_watch(Sending(output.try_clone()?));
        let run = if is_loud { failure::run_aloud } else { failure::run };
        let (seen, end) = run(source, property);
        if is_loud {
            eprint!("{}", mark(task.secret));
        }
        output.write_all(answer(&seen, &end).as_bytes())?;
    }
    Ok(())
}

/// Sends events as they happen. What cannot be sent is missed by nobody: the parent has ended.
struct Sending(TcpStream);

impl Sending {
    fn send(&mut self, line: &str) {
        let _ = self.0.write_all(line.as_bytes());
    }
}

impl Watch for Sending {
    fn begin(&mut self, label: Label, before: usize) {
        self.send(&format!("( {}\t{before}\n", label.name()));
    }

    fn end(&mut self, discarded: bool) {
        self.send(if discarded { "!\n" } else { ")\n" });
    }

    fn chose(&mut self, Choice { value, kind }: &Choice) {
        self.send(&format!("{} {value}\n", Written(*kind)));
    }

    fn noted(&mut self, from: usize, notes: &[Note]) {
        self.send(&noted(from, notes));
    }
}
