//! The state of each job, in `results.json`: for other programs, and for a batch that is continued.

use std::ffi::OsString;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::failing::Failing;
use crate::exit::{Code, Failure};
use crate::plan::cannot_write;
use crate::reading::read_text;
use crate::resume::Word;

/// The name of the file.
pub(super) const RESULTS: &str = "results.json";
/// The version of its format. It changes when a program that reads it would have to.
const SCHEMA: u32 = 1;
/// The beginning of the file's name while it is written.
const DRAFT: &str = ".results-";

/// The status of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Status {
    /// It is not done yet.
    Waiting,
    /// It was interrupted; its result is the best so far.
    Interrupted,
    /// Nothing more can be removed.
    Reduced,
    /// A limit on tests or time was reached.
    Stopped,
    /// Another input fails in the same way and is reduced instead.
    Duplicate,
    /// The test does not fail on the input.
    NotReproduced,
    /// Its input or its result does not fail every time.
    Flaky,
    /// It failed; `message` has the reason.
    Failed,
}

/// An input, or its result.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Version {
    pub(super) bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tokens: Option<u64>,
    /// How it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failing: Option<Failing>,
}

/// The state of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) name: Word,
    pub(super) input: Word,
    pub(super) status: Status,
    /// The path of its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<Word>,
    /// The number of its group: of jobs whose inputs or results have the same bug.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<usize>,
    /// The name of the job that is done instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) duplicate_of: Option<Word>,
    pub(super) before: Version,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<Version>,
    pub(super) tests: u64,
    pub(super) seconds: f64,
    /// Why it failed, and the cure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<String>,
    /// A hash of the input, the test and the options: jobs with the same one are the same.
    pub(super) identity: String,
    /// A hash of the result's content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<String>,
}

impl Record {
    pub(super) fn new(name: OsString, input: &Path, status: Status) -> Self {
        Record {
            name: name.into(),
            input: input.as_os_str().to_owned().into(),
            status,
            result: None,
            group: None,
            duplicate_of: None,
            before: Version::default(),
            after: None,
            tests: 0,
            seconds: 0.0,
            message: None,
            notes: Vec::new(),
            identity: String::new(),
            content: None,
        }
    }

    /// Whether it has a final result.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.status, Status::Reduced | Status::Stopped)
    }

    /// Whether its test fails on its input, as far as is known.
    pub(super) fn is_failing(&self) -> bool {
        match self.status {
            Status::NotReproduced => false,
            Status::Failed => self.before.failing.is_some(),
            Status::Flaky => self.result.is_some(),
            _ => true,
        }
    }

    pub(super) fn name(&self) -> String {
        OsString::from(self.name.clone()).display().to_string()
    }
}

/// The file as a whole.
#[derive(Serialize, Deserialize)]
struct Content<R> {
    lop: String,
    schema: u32,
    jobs: R,
}

/// The directory with the results.
pub(super) struct Store {
    pub(super) directory: PathBuf,
    _lock: File,
}

impl Store {
    /// Opens the directory, and returns the records of an earlier batch in it.
    pub(super) fn open(directory: &Path) -> Result<(Self, Vec<Record>), Failure> {
        let shown = directory.display();
        fs::create_dir_all(directory).map_err(|error| cannot_write(directory, &error))?;
        let lock = File::open(directory).map_err(|error| cannot_write(directory, &error))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            let message = format!("another lop batch is writing to `{shown}`");
            return Err(Failure::new(Code::Output, message)
                .help("wait for it, or choose another directory with -o DIR"));
        }
        // A batch that was killed may have left a draft.
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            if entry.file_name().as_encoded_bytes().starts_with(DRAFT.as_bytes()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let results = directory.join(RESULTS);
        let earlier = match results.exists() {
            true => earlier(&results)?,
            false => {
                let mut entries =
                    fs::read_dir(directory).map_err(|error| cannot_write(directory, &error))?;
                if entries.next().is_some() {
                    let message = format!(
                        "the directory `{shown}` has files that are not results of lop batch"
                    );
                    return Err(Failure::new(Code::Output, message)
                        .help("choose a new or empty directory: -o DIR"));
                }
                Vec::new()
            }
        };
        Ok((Store { directory: directory.to_owned(), _lock: lock }, earlier))
    }

    /// The path of the file.
    pub(super) fn results(&self) -> PathBuf {
        self.directory.join(RESULTS)
    }

    /// Writes the records. The file is complete at any moment.
    pub(super) fn save(&self, records: &[Record]) -> Result<(), Failure> {
        let content =
            Content { lop: env!("CARGO_PKG_VERSION").into(), schema: SCHEMA, jobs: records };
        let text = serde_json::to_string_pretty(&content).expect("records can be written as JSON");
        let written = || -> io::Result<()> {
            let mode = Permissions::from_mode(0o644);
            let mut file = tempfile::Builder::new()
                .prefix(DRAFT)
                .permissions(mode)
                .tempfile_in(&self.directory)?;
            file.write_all(text.as_bytes())?;
            file.write_all(b"\n")?;
            file.persist(self.results())?;
            Ok(())
        };
        written().map_err(|error| cannot_write(&self.results(), &error))
    }
}

/// The records of an earlier batch.
fn earlier(results: &Path) -> Result<Vec<Record>, Failure> {
    let wrong = |why: &dyn std::fmt::Display| {
        let message =
            format!("cannot read the results of the earlier batch, `{}`: {why}", results.display());
        Failure::new(Code::Resume, message)
            .help("remove the file to start anew, or choose another directory with -o DIR")
    };
    let text = read_text(results).map_err(|error| wrong(&error))?;
    let content: Content<serde_json::Value> =
        serde_json::from_str(&text).map_err(|error| wrong(&error))?;
    if content.schema != SCHEMA {
        return Err(wrong(&"another version of lop wrote it"));
    }
    serde_json::from_value(content.jobs).map_err(|error| wrong(&error))
}
