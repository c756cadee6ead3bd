//! Follows a run from text to text. A thread does it, since the edits between two large texts take a while.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use lop::{Event, Observer, Text};

use super::{Edit, Step, between};

/// The most steps that may wait.
const WAITING: usize = 64;

/// Receives the accepted steps of a run, in order.
pub(crate) trait Sink: Send {
    /// The next step, and the edits that turn the text before it into its own.
    fn step(&mut self, step: &Step, edits: &[Edit]);
}

/// An observer that hands the accepted steps to sinks. They have all of them when the run has finished.
pub(crate) struct Follower {
    steps: Option<SyncSender<(Step, Text)>>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    /// Follows a run from its original. Fails if no thread can be started.
    pub(crate) fn start(original: Text, sinks: Vec<Box<dyn Sink>>) -> io::Result<Follower> {
        let (send, steps) = sync_channel(WAITING);
        let thread = thread::Builder::new().spawn(move || follow(original, sinks, &steps))?;
        Ok(Follower { steps: Some(send), thread: Some(thread) })
    }

    fn finish(&mut self) {
        self.steps = None;
        if let Some(thread) = self.thread.take() {
            // A sink has reported its own errors.
            let _ = thread.join();
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Observer for Follower {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Improved { size, phase, text, counts, .. } => {
                let step = Step {
                    tests: counts.tests,
                    seconds: counts.elapsed.as_secs_f64(),
                    phase: phase.clone(),
                    tokens: size.tokens,
                    bytes: size.bytes,
                    length: 0,
                };
                if let Some(steps) = &self.steps {
                    let _ = steps.send((step, text.clone()));
                }
            }
            Event::Finished { .. } => self.finish(),
            _ => {}
        }
    }
}

fn follow(mut last: Text, mut sinks: Vec<Box<dyn Sink>>, steps: &Receiver<(Step, Text)>) {
    for (step, text) in steps {
        let edits = between(&last, &text);
        sinks.iter_mut().for_each(|sink| sink.step(&step, &edits));
        last = text;
    }
}
