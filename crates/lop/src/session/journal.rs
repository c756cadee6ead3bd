//! A record of all verdicts, from which a run that was stopped goes on.
//!
//! A run is a deterministic function of its input, its settings and the verdicts. So to resume it
//! is to do it again with the verdicts known already: it passes through the same candidates in a
//! moment, without a single test, and goes on where it stopped, in the middle of a phase too.
//!
//! The file is text: a header in JSON on the first line, which says what the run was, then a line for each verdict: a
//! letter and the content's key. Verdicts that are certain, `i` (interesting) and `b` (boring), are written as soon as they
//! are known, whatever becomes of them. Those that are not, `t` (timed out), `m` (out of memory) and `p` (too many
//! processes), are written when their turn comes, since each of them is given once more when the run is repeated. Each
//! line is written immediately; a last line that is not whole is ignored.
//!
//! If someone skipped a phase, `s` has the place of that instead of a key, and the phase is skipped there when the run is
//! repeated. A run that has nothing else left ends with `e`: the next run tries what was skipped.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::oracle::{Reason, Verdict};
use crate::text::Key;

use super::best::{WriteError, replace};

/// The letters of verdicts.
const LETTERS: [(&str, Verdict); 5] = [
    ("i", Verdict::Interesting),
    ("b", Verdict::Boring),
    ("t", Verdict::Unresolved(Reason::TimedOut)),
    ("m", Verdict::Unresolved(Reason::Memory)),
    ("p", Verdict::Unresolved(Reason::Processes)),
];

/// How often a journal has to be locked to be in use, and the time between two looks at it.
const LOOKS: u32 = 10;
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Where verdicts are written.
pub struct Journal {
    file: File,
    path: PathBuf,
    past: Past,
}

/// What an earlier run found out.
#[derive(Default)]
pub(crate) struct Past {
    /// What was certain.
    pub(crate) verdicts: HashMap<Key, bool>,
    /// Why candidates remained unresolved, each as often as it was asked for.
    pub(crate) unresolved: HashMap<Key, VecDeque<Reason>>,
    /// Where phases were skipped: how many had begun, and how many answers were committed.
    pub(crate) skips: HashSet<(u64, u64)>,
}

impl Journal {
    /// Starts a new one; it is there with its header or not at all.
    pub fn create(path: &Path, header: &impl Serialize) -> io::Result<Self> {
        let mut header = serde_json::to_vec(header)?;
        header.push(b'\n');
        replace(path, &header, None)?;
        let file = OpenOptions::new().append(true).open(path)?;
        hold(&file);
        Ok(Journal { file, path: path.to_owned(), past: Past::default() })
    }

    /// The header of an existing one.
    pub fn header<H: DeserializeOwned>(path: &Path) -> io::Result<H> {
        let mut line = String::new();
        BufReader::new(File::open(path)?).read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }

    /// Opens an existing one to go on with it.
    pub fn resume(path: &Path) -> io::Result<Self> {
        let mut reader = BufReader::new(File::open(path)?);
        let mut past = Past::default();
        let mut whole = 0;
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            if whole > 0 {
                past.read(&line);
            }
            whole += line.len() as u64;
            line.clear();
        }
        let file = OpenOptions::new().append(true).open(path)?;
        hold(&file);
        file.set_len(whole)?;
        Ok(Journal { file, path: path.to_owned(), past })
    }

    /// Whether a run is writing to it. The lock of a run that was killed is held for a moment longer by a test that it
    /// was starting.
    pub fn is_busy(path: &Path) -> bool {
        let is_locked = || {
            let lock = File::open(path).map(|file| file.try_lock());
            matches!(lock, Ok(Err(TryLockError::WouldBlock)))
        };
        (0..LOOKS).all(|look| {
            thread::sleep(if look == 0 { Duration::ZERO } else { BETWEEN_LOOKS });
            is_locked()
        })
    }

    /// Forgets what remained unresolved, for a run that gives its tests more. Such a run is another one, so it skips
    /// nothing, either.
    pub fn forget_unresolved(&mut self) {
        self.past.unresolved.clear();
        self.past.skips.clear();
    }

    /// Removes it: the run is complete.
    pub fn remove(self) -> Result<(), WriteError> {
        std::fs::remove_file(&self.path).map_err(WriteError::of(&self.path))
    }

    pub(crate) fn take_past(&mut self) -> Past {
        std::mem::take(&mut self.past)
    }

    /// Writes a verdict; one that says nothing about the candidate is left out.
    pub(crate) fn write(&mut self, key: Key, verdict: &Verdict) -> Result<(), WriteError> {
        let Some((letter, _)) = LETTERS.iter().find(|(_, each)| each == verdict) else {
            return Ok(());
        };
        self.write_line(letter, key)
    }

    /// Notes that a phase was skipped.
    pub(crate) fn write_skip(&mut self, (phases, answers): (u64, u64)) -> Result<(), WriteError> {
        self.write_line("s", u128::from(phases) << 64 | u128::from(answers))
    }

    /// From here on, nothing was skipped.
    pub(crate) fn forget_skips(&mut self) -> Result<(), WriteError> {
        self.write_line("e", 0)
    }

    fn write_line(&mut self, letter: &str, number: u128) -> Result<(), WriteError> {
        let line = format!("{letter} {number:032x}\n");
        self.file.write_all(line.as_bytes()).map_err(WriteError::of(&self.path))
    }
}

/// Shows others that the journal is in use. Some file systems have no locks, and do without.
fn hold(file: &File) {
    let _ = file.try_lock();
}

impl Past {
    fn read(&mut self, line: &[u8]) {
        let Some((letter, key)) =
            std::str::from_utf8(line).ok().and_then(|line| line.split_once(' '))
        else {
            return;
        };
        let Ok(key) = Key::from_str_radix(key.trim_end(), 16) else { return };
        match LETTERS.iter().find(|(each, _)| *each == letter) {
            Some((_, Verdict::Unresolved(reason))) => {
                self.unresolved.entry(key).or_default().push_back(reason.clone());
            }
            Some((_, verdict)) => {
                self.verdicts.insert(key, *verdict == Verdict::Interesting);
            }
            None if letter == "s" => {
                self.skips.insert(((key >> 64) as u64, key as u64));
            }
            None if letter == "e" => self.skips.clear(),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_and_a_torn_line_is_ignored() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let mut journal = Journal::create(&path, &"header").unwrap();
        journal.write(1, &Verdict::Interesting).unwrap();
        journal.write(u128::MAX, &Verdict::Boring).unwrap();
        journal.write(3, &Verdict::Unresolved(Reason::Memory)).unwrap();
        journal.write(3, &Verdict::Unresolved(Reason::TimedOut)).unwrap();
        journal.write(5, &Verdict::Unresolved(Reason::Broken("no disk".into()))).unwrap();
        journal.write_skip((1, 2)).unwrap();
        journal.forget_skips().unwrap();
        journal.write_skip((3, u64::MAX)).unwrap();
        journal.file.write_all(b"i 00000").unwrap();
        assert!(Journal::is_busy(&path));
        drop(journal);
        assert!(!Journal::is_busy(&path));

        assert_eq!(Journal::header::<String>(&path).unwrap(), "header");
        let mut journal = Journal::resume(&path).unwrap();
        let past = journal.take_past();
        assert_eq!(past.verdicts, HashMap::from([(1, true), (u128::MAX, false)]));
        let reasons = VecDeque::from([Reason::Memory, Reason::TimedOut]);
        assert_eq!(past.unresolved, HashMap::from([(3, reasons)]));
        assert_eq!(past.skips, HashSet::from([(3, u64::MAX)]));

        journal.write(4, &Verdict::Boring).unwrap();
        drop(journal);
        let past = Journal::resume(&path).unwrap().take_past();
        assert_eq!(past.verdicts.get(&4), Some(&false));
        assert_eq!(past.verdicts.len(), 3);
    }
}
