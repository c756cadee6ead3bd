//! A thread that reads a file all the time, and keeps what is wrong with what it saw.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Says what is wrong with the content of a file.
pub(crate) type Check = Arc<dyn Fn(&[u8]) -> Option<String> + Send + Sync>;

/// Watches a file until it is asked what it saw.
pub(crate) struct Watcher {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Vec<String>>,
}

impl Watcher {
    /// Watches a file, which need not be there yet. Once it is there, it must stay there.
    pub(crate) fn start(path: &Path, check: Check) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let (path, until) = (path.to_owned(), is_over.clone());
        let look = move || Watcher::look(&path, &until, |content| check(content));
        Watcher { is_over, thread: thread::spawn(look) }
    }

    /// Reads a file all the time, until it is over; returns what is wrong with what it saw.
    pub(crate) fn look(
        path: &Path,
        is_over: &AtomicBool,
        check: impl Fn(&[u8]) -> Option<String>,
    ) -> Vec<String> {
        watch(path, check, is_over)
    }

    /// The problems that it saw, each once.
    pub(crate) fn problems(self) -> Vec<String> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.join().expect("the watcher does not panic")
    }
}

fn watch(
    path: &Path,
    check: impl Fn(&[u8]) -> Option<String>,
    is_over: &AtomicBool,
) -> Vec<String> {
    let mut problems: Vec<String> = Vec::new();
    let mut last: Option<Vec<u8>> = None;
    let mut note = |problem: Option<String>| {
        problems.extend(problem.filter(|problem| !problems.contains(problem)));
    };
    // One more look after the end.
    loop {
        let ends = is_over.load(Ordering::Relaxed);
        match fs::read(path) {
            Ok(content) if last.as_ref() != Some(&content) => {
                note(check(&content));
                last = Some(content);
            }
            Err(error) if last.is_some() => {
                note(Some(format!("the result `{}` is gone: {error}", path.display())));
            }
            _ => {}
        }
        if ends {
            return problems;
        }
        thread::sleep(Duration::from_micros(200));
    }
}
