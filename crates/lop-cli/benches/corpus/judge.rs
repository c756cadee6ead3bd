//! An oracle in another process, which judges one candidate after the other.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The time limit of a test. A first one also starts the process.
const LIMIT: Duration = Duration::from_secs(5);

/// The judge of one input. If its process crashes or hangs, the candidate is boring, and a new process judges the next one.
pub(crate) struct Judge {
    script: &'static str,
    file: PathBuf,
    property: String,
    process: Mutex<Option<Process>>,
}

struct Process {
    child: Child,
    candidates: ChildStdin,
    answers: Receiver<String>,
}

impl Judge {
    pub(crate) fn new(script: &'static str, file: &Path, property: &str) -> Judge {
        let (file, property) = (file.to_owned(), property.to_owned());
        Judge { script, file, property, process: Mutex::default() }
    }

    /// Whether the property holds.
    pub(crate) fn accepts(&self, candidate: &[u8]) -> bool {
        let mut process = self.process.lock().expect("no judge panics");
        let running = process.get_or_insert_with(|| self.start());
        let answer = running.ask(candidate);
        if answer.is_none() {
            *process = None;
        }
        answer.unwrap_or(false)
    }

    fn start(&self) -> Process {
        let mut command = command(self.script).expect("the script has listed inputs");
        command.arg("judge").args([self.file.as_os_str(), self.property.as_ref()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the script has been started before");
        let output = child.stdout.take().expect("its output is a pipe");
        let (send, answers) = channel();
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            lines.take_while(|line| send.send(line.clone()).is_ok()).for_each(drop);
        });
        let candidates = child.stdin.take().expect("its input is a pipe");
        Process { child, candidates, answers }
    }
}

impl Process {
    /// The answer; nothing if there is none in time.
    fn ask(&mut self, candidate: &[u8]) -> Option<bool> {
        let mut message = format!("{}\n", candidate.len()).into_bytes();
        message.extend(candidate);
        self.candidates.write_all(&message).ok()?;
        self.answers.recv_timeout(LIMIT).ok().map(|answer| answer == "1")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command that runs a script of this bench, in the directory with the tools.
pub(crate) fn command(script: &str) -> Result<Command, String> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpus");
    let (program, proof) = match script.ends_with(".py") {
        true => (tools.join("venv/bin/python"), tools.join("venv/bin/python")),
        false => (PathBuf::from("node"), tools.join("node_modules")),
    };
    if !proof.exists() {
        return Err(
            "its tools are not installed; run `cargo bench --bench corpus -- --setup`".into()
        );
    }
    let mut command = Command::new(program);
    command.arg(super::directory().join(script)).current_dir(tools);
    // Hashes decide in which order some tools report.
    command.env("PYTHONHASHSEED", "0");
    Ok(command)
}
