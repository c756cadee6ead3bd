//! Writes the steps of a run to its history.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use lop::Text;

use super::{Edit, Header, History, Sink, Step, VERSION, packed};

/// Writes a history. If the disk is full, the last steps are missing, but the run does not fail.
pub(crate) struct Recorder {
    file: Option<File>,
}

impl Recorder {
    /// Begins a file with the original, or with the steps of an earlier run that this one continues.
    pub(crate) fn create(
        path: &Path,
        input: &Path,
        mark: Option<&[u8]>,
        original: &Text,
        earlier: Option<&History>,
    ) -> io::Result<Recorder> {
        let content = packed(earlier.map_or(original, |earlier| &earlier.original));
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
            bytes.extend(written(step, edits)?);
        }
        lop::replace(path, &bytes, None)?;
        Ok(Recorder { file: Some(File::options().append(true).open(path)?) })
    }
}

impl Sink for Recorder {
    fn step(&mut self, step: &Step, edits: &[Edit]) {
        let Some(file) = &mut self.file else { return };
        if written(step, edits).and_then(|bytes| file.write_all(&bytes)).is_err() {
            self.file = None;
        }
    }
}

/// A step as it is written.
fn written(step: &Step, edits: &[Edit]) -> io::Result<Vec<u8>> {
    let edits = packed(&serde_json::to_vec(edits)?);
    let mut bytes = serde_json::to_vec(&Step { length: edits.len(), ..step.clone() })?;
    bytes.push(b'\n');
    bytes.extend(edits);
    Ok(bytes)
}
