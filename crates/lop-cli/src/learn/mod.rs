//! `lop learn`: a model of how languages are used, from a corpus.
//!
//! One thread finds files, others learn from them separately, and their results are merged at the end. The order of
//! files does not matter, so the model is the same for any number of threads. A short queue of paths is between them,
//! and a thread holds one file at a time: memory does not grow with the corpus.
//!
//! The model remembers the fingerprints of the files. So repeating an interrupted run continues it, and no file counts
//! twice.

mod example;
mod files;
mod progress;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use lop::Cancel;
use lop::tree::{Format, Usage};

use crate::args::LearnArgs;
use crate::exit::{Code, Failure};
use crate::{format, model, signals};

use example::Example;
use files::Source;
use progress::{Counts, Progress};

/// Learns a model as the command line requests.
pub(crate) fn learn(args: &LearnArgs) -> Result<Code, Failure> {
    let language = args.format().map(|args| format::choose(&args, Path::new(""), b""));
    let language = language.transpose()?;
    let mut usage = match args.output.exists() {
        true => model::read(&args.output).map_err(|failure| {
            failure.help(
                "an existing file is extended only if it is a model; give another path to --output",
            )
        })?,
        false => Usage::default(),
    };
    let mut sources = Vec::new();
    for path in &args.paths {
        match path.metadata() {
            Ok(_) if model::is_model(path) => usage.merge(model::read(path)?),
            Ok(_) => sources.push(path.clone()),
            Err(error) => {
                let message = format!("cannot read `{}`: {error}", path.display());
                return Err(Failure::new(Code::Input, message).help("check the path"));
            }
        }
    }
    let stop = signals::stop()?;
    let counts = Counts::default();
    let mut progress = Progress::new(args.quiet);
    let learned = study(
        &sources,
        &Study {
            language,
            known: &usage,
            claimed: Mutex::default(),
            counts: &counts,
            stop: &stop,
            workers: args.workers(),
        },
        &mut progress,
    );
    usage.merge(learned);
    if usage.files() == 0 && !stop.is_cancelled() {
        let message = format!("nothing was learned: {}", counts.skipped());
        return Err(Failure::new(Code::Input, message)
            .help("give files in a language that lop knows; `lop languages` lists them"));
    }
    write(&args.output, &usage.to_bytes())?;
    progress.finish(&counts, &usage, &args.output, stop.is_cancelled());
    Ok(if stop.is_cancelled() { Code::Interrupted } else { Code::Done })
}

/// The common state of all threads.
struct Study<'a> {
    /// The language of all files, if the user gave it.
    language: Option<Format>,
    known: &'a Usage,
    /// The fingerprints of the files that a thread has taken.
    claimed: Mutex<HashSet<u64>>,
    counts: &'a Counts,
    stop: &'a Cancel,
    workers: usize,
}

/// Learns from the files of some sources in parallel, until it is stopped.
fn study(sources: &[PathBuf], study: &Study<'_>, progress: &mut Progress) -> Usage {
    let (queue, files) = mpsc::sync_channel(4 * study.workers);
    let files = Mutex::new(files);
    let (done, waiting) = mpsc::channel::<()>();
    let mut usage = Usage::default();
    thread::scope(|scope| {
        scope.spawn(move || {
            files::find(sources, study.counts, &mut |source| {
                !study.stop.is_cancelled() && queue.send(source).is_ok()
            });
        });
        let workers: Vec<_> = (0..study.workers)
            .map(|_| {
                let (files, done) = (&files, done.clone());
                scope.spawn(move || {
                    let _done = done;
                    study.work(files)
                })
            })
            .collect();
        drop(done);
        while let Err(RecvTimeoutError::Timeout) = waiting.recv_timeout(Duration::from_millis(100))
        {
            progress.show(study.counts);
        }
        for worker in workers {
            usage.merge(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        // After an interrupt, the thread that finds files may be waiting for a place in the queue.
        files.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(drop);
    });
    usage
}

impl Study<'_> {
    /// Learns from files of the queue.
    fn work(&self, files: &Mutex<Receiver<Source>>) -> Usage {
        let mut usage = Usage::default();
        while !self.stop.is_cancelled() {
            let next = files.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(source) = next else { break };
            let is_new = |fingerprint: u64| {
                let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
                !self.known.knows(fingerprint) && claimed.insert(fingerprint)
            };
            match Example::read(&source, self.language.as_ref(), is_new) {
                Ok(Example { tree, bytes }) => {
                    usage.learn(&tree);
                    self.counts.learn(bytes);
                }
                Err(reason) => self.counts.skip(reason),
            }
        }
        usage
    }
}

/// Writes a model to a file next to its place and renames it, so that there is a complete model at any time.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = || -> io::Result<()> {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        let mut file =
            builder.permissions(permissions).tempfile_in(directory.unwrap_or(Path::new(".")))?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    written().map_err(|error| {
        let message = format!("cannot write the model `{}`: {error}", path.display());
        Failure::new(Code::Output, message).help("give another path to --output")
    })
}
