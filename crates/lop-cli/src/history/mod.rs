//! The accepted steps of a run, in a file next to its result: `prog.lop.c.history`.
//!
//! The first line is a header in JSON. It is followed by the original; then, for each step, by a line in JSON and the
//! edits that turn the text before it into its own. Both are compressed. A step is written immediately; an incomplete
//! last one is ignored.

mod command;
mod follow;
mod recorder;

use std::io;
use std::path::Path;
use std::sync::Arc;

use lop::Text;
use serde::{Deserialize, Serialize};

pub(crate) use crate::edits::{Edit, applied, between};
pub(crate) use command::{no_step, of_run, read, show};
pub(crate) use follow::{Follower, Sink};
pub(crate) use recorder::Recorder;

/// The version of the format.
const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Header {
    /// The version of the format.
    pub(crate) history: u32,
    /// The input, as the user wrote it.
    pub(crate) input: String,
    /// The bytes that precede the path of each file, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<Vec<u8>>,
    /// The length of the original, as it is written.
    pub(crate) length: usize,
}

/// A step that was accepted.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Step {
    /// The number of tests so far.
    pub(crate) tests: u64,
    /// The time so far.
    pub(crate) seconds: f64,
    /// The phase that found it.
    pub(crate) phase: String,
    /// Its size.
    pub(crate) tokens: usize,
    /// Its length.
    pub(crate) bytes: usize,
    /// The length of its edits, as they are written.
    length: usize,
}

/// The original, and the steps from it.
pub(crate) struct History {
    pub(crate) header: Header,
    pub(crate) original: Text,
    pub(crate) steps: Vec<(Step, Vec<Edit>)>,
}

impl History {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> io::Result<History> {
        let bytes = crate::reading::read(path)?;
        let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why);
        let (header, mut rest) =
            line::<Header>(&bytes).ok_or_else(|| wrong("it isn't a history of lop"))?;
        if header.history != VERSION {
            return Err(wrong("it was written by another version of lop"));
        }
        let original = unpacked(&mut rest, header.length).ok_or_else(|| wrong("it is cut off"))?;
        let mut steps = Vec::new();
        while let Some((step, behind)) = line::<Step>(rest) {
            rest = behind;
            let edits = unpacked(&mut rest, step.length)
                .and_then(|edits| serde_json::from_slice(&edits).ok());
            let Some(edits) = edits else { break };
            steps.push((step, edits));
        }
        Ok(History { header, original: Arc::new(original), steps })
    }

    /// The text after a step; for step 0, the original.
    pub(crate) fn text(&self, step: usize) -> Option<Text> {
        let steps = self.steps.get(..step)?;
        let text =
            steps.iter().try_fold(self.original.to_vec(), |text, (_, edits)| applied(&text, edits));
        text.map(Arc::new)
    }
}

/// A line in JSON, and the rest after it.
fn line<T: for<'d> Deserialize<'d>>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((serde_json::from_slice(&bytes[..end]).ok()?, &bytes[end + 1..]))
}

/// Takes this many bytes, and unpacks them.
fn unpacked(from: &mut &[u8], length: usize) -> Option<Vec<u8>> {
    let (packed, rest) = from.split_at_checked(length)?;
    *from = rest;
    miniz_oxide::inflate::decompress_to_vec_zlib(packed).ok()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_history_has_no_other_texts() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("history");
        let texts: Vec<Vec<u8>> =
            vec![b"one two three".to_vec(), b"one three".to_vec(), b"three".to_vec()];
        let original = Arc::new(texts[0].clone());
        let mut recorder =
            Recorder::create(&path, Path::new("input"), None, &original, None).unwrap();
        for pair in texts.windows(2) {
            let edits = between(&pair[0], &pair[1]);
            let bytes = pair[1].len();
            let step =
                Step { tests: 1, seconds: 0.5, phase: "p".into(), tokens: 1, bytes, length: 0 };
            recorder.step(&step, &edits);
        }
        drop(recorder);
        let written = std::fs::read(&path).unwrap();
        assert_eq!(History::read(&path).unwrap().steps.len(), 2);
        let mut random = lop_testing::random();
        for at in 0..written.len() {
            let mut bytes = written.clone();
            bytes[at] ^= random.u8(1..);
            if random.bool() {
                bytes.truncate(random.usize(..=bytes.len()));
            }
            std::fs::write(&path, &bytes).unwrap();
            let Ok(history) = History::read(&path) else { continue };
            for (step, text) in texts.iter().enumerate().take(history.steps.len() + 1) {
                assert_eq!(history.text(step).as_deref(), Some(text), "byte {at}");
            }
        }
    }
}
