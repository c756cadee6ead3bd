//! A record of all verdicts, from which a stopped run continues.
//!
//! A run is a deterministic function of its input, its settings and the verdicts. So resuming it means repeating it
//! with the known verdicts: it passes quickly through the same candidates, without a single test, and continues where
//! it stopped, even in the middle of a phase.
//!
//! The file is text: a header in JSON on the first line, which describes the run, then a line for each verdict: a
//! letter and the content's key. Verdicts that are certain, `i` (interesting) and `b` (boring), are written as soon as
//! they are known, whether the search needs them or not. Uncertain ones, `t` (timed out), `m` (out of memory) and `p`
//! (too many processes), are written when their turn comes, since each of them is used once when the run is repeated.
//! Each line is written immediately; an incomplete last line is ignored.
//!
//! Every line has a check sum: xxh3 of its content, for verdicts with the sum of the header as the seed. If a line is
//! damaged or from another journal, its verdict is unknown, so the test is run again; a journal with a damaged header
//! isn't used at all.
//!
//! If the user skipped a phase, `s` has the place of that instead of a key, and the phase is skipped there when the run
//! is repeated. A run that has only skipped phases left to try ends with `e`: the next run tries them.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::oracle::{Reason, Verdict};
use crate::text::Key;

use super::best::{WriteError, replace};

/// The beginning of the first line, with the version of the format; the check sum and the header follow.
const MAGIC: &str = "lop journal 2 ";
/// The longest header that is read. A header takes a few kilobytes, unless the command line is very long.
const LONGEST_HEADER: u64 = 1 << 26;

/// The letters of verdicts.
const LETTERS: [(&str, Verdict); 5] = [
    ("i", Verdict::Interesting),
    ("b", Verdict::Boring),
    ("t", Verdict::Unresolved(Reason::TimedOut)),
    ("m", Verdict::Unresolved(Reason::Memory)),
    ("p", Verdict::Unresolved(Reason::Processes)),
];

/// How many looks must find a journal locked before it counts as in use, and the time between two of them.
const LOOKS: u32 = 10;
/// The same, if the process that has locked it has ended: on a loaded machine, seconds may pass until the test that it
/// was starting has ended, too.
const LOOKS_AT_GONE: u32 = 100;
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// A journal to which verdicts are written.
pub struct Journal {
    file: File,
    path: PathBuf,
    /// The sum of the header.
    seed: u64,
    past: Past,
    damaged: usize,
}

/// The findings of an earlier run.
#[derive(Default)]
pub(crate) struct Past {
    /// The certain verdicts.
    pub(crate) verdicts: HashMap<Key, bool>,
    /// Why candidates remained unresolved, once for each time the candidate was asked for.
    pub(crate) unresolved: HashMap<Key, VecDeque<Reason>>,
    /// Where phases were skipped: how many had begun, and how many answers were committed.
    pub(crate) skips: HashSet<(u64, u64)>,
}

impl Journal {
    /// Starts a new journal; it exists with its header or not at all.
    pub fn create(path: &Path, header: &impl Serialize) -> io::Result<Self> {
        let header = serde_json::to_string(header)?;
        let seed = sum(&header, 0);
        replace(path, format!("{MAGIC}{seed:016x} {header}\n").as_bytes(), None)?;
        let file = OpenOptions::new().append(true).open(path)?;
        hold(&file);
        Ok(Journal { file, path: path.to_owned(), seed, past: Past::default(), damaged: 0 })
    }

    /// The header of an existing journal.
    pub fn header<H: DeserializeOwned>(path: &Path) -> io::Result<H> {
        let (_, header) = read_header(&mut open(path)?)?;
        Ok(serde_json::from_str(&header)?)
    }

    /// Opens an existing journal to continue it.
    pub fn resume(path: &Path) -> io::Result<Self> {
        let mut reader = open(path)?;
        let (seed, header) = read_header(&mut reader)?;
        let mut past = Past::default();
        let mut damaged = 0;
        let mut whole = MAGIC.len() + format!("{seed:016x} {header}\n").len();
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
            damaged += usize::from(past.read(&line, seed).is_none());
            whole += line.len();
            line.clear();
        }
        let file = OpenOptions::new().append(true).open(path)?;
        hold(&file);
        file.set_len(whole as u64)?;
        Ok(Journal { file, path: path.to_owned(), seed, past, damaged })
    }

    /// The number of lines of an earlier run that are ignored, since they are damaged.
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// The certain verdicts of an earlier run: whether a content is interesting.
    pub fn verdicts(&self) -> impl Iterator<Item = (Key, bool)> + '_ {
        self.past.verdicts.iter().map(|(key, interesting)| (*key, *interesting))
    }

    /// Whether a run is writing to it. A test that a killed run was starting holds the run's lock for a moment longer.
    pub fn is_busy(path: &Path) -> bool {
        let is_locked = || {
            let lock = open(path).map(|reader| reader.get_ref().try_lock());
            matches!(lock, Ok(Err(TryLockError::WouldBlock)))
        };
        for look in 0..LOOKS_AT_GONE {
            if !is_locked() {
                return false;
            }
            if look >= LOOKS && !is_holder_gone(path) {
                break;
            }
            thread::sleep(BETWEEN_LOOKS);
        }
        true
    }

    /// Forgets unresolved candidates, for a run with larger limits. Such a run is a different one, so it skips nothing,
    /// either.
    pub fn forget_unresolved(&mut self) {
        self.past.unresolved.clear();
        self.past.skips.clear();
    }

    /// Removes the journal: the run is complete.
    pub fn remove(self) -> Result<(), WriteError> {
        std::fs::remove_file(&self.path).map_err(WriteError::of(&self.path))
    }

    pub(crate) fn take_past(&mut self) -> Past {
        std::mem::take(&mut self.past)
    }

    /// Writes a verdict, unless it says nothing about the candidate.
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

    /// Notes that no phase counts as skipped from here on.
    pub(crate) fn forget_skips(&mut self) -> Result<(), WriteError> {
        self.write_line("e", 0)
    }

    fn write_line(&mut self, letter: &str, number: u128) -> Result<(), WriteError> {
        let line = format!("{letter} {number:032x}");
        let sum = sum(&line, self.seed);
        let line = format!("{line} {sum:016x}\n");
        self.file.write_all(line.as_bytes()).map_err(WriteError::of(&self.path))
    }
}

/// Shows other processes that the journal is in use. File systems without locks do without.
fn hold(file: &File) {
    let _ = file.try_lock();
}

/// Whether the process that has locked a file has ended, if the system shows which one that is.
fn is_holder_gone(path: &Path) -> bool {
    let Ok(inode) = std::fs::metadata(path).map(|it| it.ino().to_string()) else { return false };
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    // 1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF
    // A file of another file system may have the same inode. Waiting in vain does no harm.
    let mut holders = locks.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_it = words.get(5)?.rsplit(':').next() == Some(&inode[..]);
        words.get(4)?.parse::<u32>().ok().filter(|process| is_it && *process > 0)
    });
    holders.any(|process| !Path::new(&format!("/proc/{process}")).exists())
}

/// Opens a journal for reading. Opening a pipe of that name would block.
fn open(path: &Path) -> io::Result<BufReader<File>> {
    match std::fs::metadata(path)?.is_file() {
        true => File::open(path).map(BufReader::new),
        false => Err(invalid("it is not a regular file")),
    }
}

/// Reads the first line: the sum of the header, and the header.
fn read_header(reader: &mut impl BufRead) -> io::Result<(u64, String)> {
    let mut line = Vec::new();
    reader.take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
    let Some(rest) = line.strip_prefix(MAGIC.as_bytes()) else {
        return Err(invalid("it is damaged, no journal, or one of another version of lop"));
    };
    let header = rest.strip_suffix(b"\n").and_then(|rest| str::from_utf8(rest).ok());
    let parts = header.and_then(|header| header.split_once(' '));
    let parts = parts.filter(|(sum_of, header)| is_sum(sum_of, header, 0));
    let (_, header) = parts.ok_or_else(|| invalid("its first line is damaged"))?;
    Ok((sum(header, 0), header.to_owned()))
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn sum(text: &str, seed: u64) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), seed)
}

/// Whether a written sum is that of a text.
fn is_sum(written: &str, text: &str, seed: u64) -> bool {
    written == format!("{:016x}", sum(text, seed))
}

impl Past {
    /// Reads a line; `None` if it is damaged.
    fn read(&mut self, line: &[u8], seed: u64) -> Option<()> {
        let line = str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
        let (line, _) = line.rsplit_once(' ').filter(|(line, sum)| is_sum(sum, line, seed))?;
        let (letter, key) = line.split_once(' ')?;
        let key = Key::from_str_radix(key, 16).ok()?;
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
            None => return None,
        }
        Some(())
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_lock_that_a_killed_process_has_left_to_its_child_is_told_from_one_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let journal = Journal::create(&path, &"header").unwrap();
        assert!(!is_holder_gone(&path), "this process has it");
        drop(journal);
        // The program `flock` takes the lock and ends; the process that the shell has started keeps it.
        let script = "exec 9>>\"$0\"; flock 9; sleep 388.103 >/dev/null 2>&1 & echo $!";
        let output =
            std::process::Command::new("sh").args(["-c", script]).arg(&path).output().unwrap();
        let child = String::from_utf8(output.stdout).unwrap();
        let is_locked = File::open(&path).unwrap().try_lock().is_err();
        let is_gone = is_holder_gone(&path);
        std::process::Command::new("kill").arg(child.trim()).status().unwrap();
        assert!(is_locked && is_gone, "{}", String::from_utf8_lossy(&output.stderr));
        assert!(!Journal::is_busy(&path), "the child is gone soon");
    }

    #[test]
    fn whatever_byte_is_damaged_no_other_verdict_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let mut journal = Journal::create(&path, &"header").unwrap();
        for key in 0..6 {
            journal.write(key, &LETTERS[key as usize % 5].1).unwrap();
        }
        journal.write_skip((1, 2)).unwrap();
        drop(journal);
        let written = std::fs::read(&path).unwrap();
        let whole = Journal::resume(&path).unwrap().take_past();
        let mut random = lop_testing::random();
        for at in 0..written.len() {
            for _ in 0..8 {
                let mut bytes = written.clone();
                bytes[at] ^= random.u8(1..);
                std::fs::write(&path, &bytes).unwrap();
                let header = Journal::header::<String>(&path);
                let Ok(mut journal) = Journal::resume(&path) else {
                    assert!(header.is_err());
                    continue;
                };
                assert_eq!(header.unwrap(), "header");
                let is_cut = std::fs::metadata(&path).unwrap().len() < written.len() as u64;
                assert!(journal.damaged() > 0 || is_cut, "byte {at}: {}", bytes.escape_ascii());
                let past = journal.take_past();
                assert!(past.verdicts.iter().all(|(key, it)| whole.verdicts.get(key) == Some(it)));
                assert!(past.unresolved.iter().all(|(key, it)| whole.unresolved[key] == *it));
                assert!(past.skips.is_subset(&whole.skips));
            }
        }
    }

    #[test]
    fn a_line_of_another_journal_and_an_older_journal_are_not_trusted() {
        let dir = tempfile::tempdir().unwrap();
        let [one, other, old] = ["one", "other", "old"].map(|name| dir.path().join(name));
        for path in [&one, &other] {
            let mut journal = Journal::create(path, path).unwrap();
            journal.write(7, &Verdict::Interesting).unwrap();
        }
        let lines = std::fs::read_to_string(&one).unwrap();
        let line = lines.lines().nth(1).unwrap();
        let mut file = OpenOptions::new().append(true).open(&other).unwrap();
        writeln!(file, "{}", line.replace('7', "8")).unwrap();
        writeln!(file, "{line}").unwrap();
        let journal = Journal::resume(&other).unwrap();
        assert_eq!((journal.damaged(), journal.verdicts().count()), (2, 1));

        std::fs::write(&old, "\"header\"\ni 00000000000000000000000000000007\n").unwrap();
        let error = Journal::resume(&old).err().unwrap().to_string();
        assert!(error.contains("another version of lop"), "{error}");
    }
}
