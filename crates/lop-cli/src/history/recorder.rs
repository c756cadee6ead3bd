//! Writes the steps of a run as they are accepted. A thread does it, since the edits between two large texts take a while.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use lop::{Event, Observer, Text};

use super::{Header, History, Step, VERSION, between, packed};

/// How many steps may wait to be written.
const WAITING: usize = 64;

/// An observer that writes a history.
pub(crate) struct Recorder {
    steps: Option<SyncSender<(Step, Text)>>,
    writer: Option<JoinHandle<()>>,
}

impl Recorder {
    /// Begins a file with the original, or with the steps of an earlier run from which this one goes on.
    pub(crate) fn create(
        path: &Path,
        input: &Path,
        mark: Option<&[u8]>,
        original: &Text,
        earlier: Option<&History>,
    ) -> io::Result<Recorder> {
        let first = earlier.map_or(original, |earlier| &earlier.original);
        let content = packed(first);
        let header = Header {
            history: VERSION,
            input: input.display().to_string(),
            mark: mark.map(<[u8]>::to_vec),
            length: content.len(),
        };
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        bytes.extend(content);
        for (step, edits) in earlier.into_iter().flat_map(|earlier| &earlier.steps) {
            bytes.extend(written(step.clone(), &serde_json::to_vec(edits)?)?);
        }
        lop::replace(path, &bytes, None)?;
        let file = File::options().append(true).open(path)?;
        let (send, steps) = sync_channel(WAITING);
        let last = original.clone();
        // A run does not fail for its history: if the disk is full, the last steps are missing.
        let writer = thread::spawn(move || drop(write(file, last, &steps)));
        Ok(Recorder { steps: Some(send), writer: Some(writer) })
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.steps = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl Observer for Recorder {
    fn event(&mut self, event: &Event) {
        let Event::Improved { size, phase, text, counts, .. } = event else { return };
        let step = Step {
            tests: counts.tests,
            seconds: counts.elapsed.as_secs_f64(),
            phase: phase.clone(),
            tokens: size.tokens,
            bytes: size.bytes,
            length: 0,
        };
        let sent = self.steps.as_ref().map(|steps| steps.send((step, text.clone())));
        if let Some(Err(_)) = sent {
            self.steps = None;
        }
    }
}

fn write(mut file: File, mut last: Text, steps: &Receiver<(Step, Text)>) -> io::Result<()> {
    for (step, text) in steps {
        let edits = serde_json::to_vec(&between(&last, &text))?;
        file.write_all(&written(step, &edits)?)?;
        last = text;
    }
    Ok(())
}

/// A step as it is written.
fn written(step: Step, edits: &[u8]) -> io::Result<Vec<u8>> {
    let edits = packed(edits);
    let mut bytes = serde_json::to_vec(&Step { length: edits.len(), ..step })?;
    bytes.push(b'\n');
    bytes.extend(edits);
    Ok(bytes)
}
