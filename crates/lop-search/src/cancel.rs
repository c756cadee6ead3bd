//! A cancellation token: for Ctrl-C, and for jobs whose answer is no longer needed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Instant;

/// A cancellation token that can be set from any thread. Clones share it.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Shared>);

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    hooks: Mutex<Vec<(usize, Hook)>>,
}

type Hook = Box<dyn Fn() + Send>;

impl Cancel {
    /// Cancels, and runs the hooks that are registered now.
    pub fn cancel(&self) {
        let hooks = self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.cancelled.store(true, Ordering::SeqCst);
        hooks.iter().for_each(|(_, hook)| hook());
    }

    /// Whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::SeqCst)
    }

    /// Runs a hook when this is cancelled, or immediately if it is already. When the guard is dropped the hook is
    /// neither running nor will it ever run again.
    pub fn on_cancel(&self, hook: impl Fn() + Send + 'static) -> HookGuard<'_> {
        let mut hooks = self.0.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_cancelled() {
            hook();
        }
        let id = hooks.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
        hooks.push((id, Box::new(hook)));
        HookGuard { cancel: self, id }
    }

    /// A token that is cancelled with this one, or earlier at a given time.
    pub fn until(&self, time: Option<Instant>) -> Until<'_> {
        let token = Cancel::default();
        let child = token.clone();
        let with = self.on_cancel(move || child.cancel());
        let clock = time.map(|time| {
            let (clock, gone) = mpsc::channel::<()>();
            let child = token.clone();
            thread::spawn(move || {
                let left = time.saturating_duration_since(Instant::now());
                if gone.recv_timeout(left) == Err(mpsc::RecvTimeoutError::Timeout) {
                    child.cancel();
                }
            });
            clock
        });
        Until { token, _with: with, _clock: clock }
    }
}

/// A token that is cancelled with another one, or at a given time.
#[must_use]
pub struct Until<'a> {
    token: Cancel,
    _with: HookGuard<'a>,
    /// The clock stops when this is dropped.
    _clock: Option<mpsc::Sender<()>>,
}

impl Until<'_> {
    /// The token.
    pub fn token(&self) -> &Cancel {
        &self.token
    }
}

/// Keeps a hook registered.
#[must_use]
pub struct HookGuard<'a> {
    cancel: &'a Cancel,
    id: usize,
}

impl Drop for HookGuard<'_> {
    fn drop(&mut self) {
        let mut hooks = self.cancel.0.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        hooks.retain(|(id, _)| *id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use super::*;

    #[test]
    fn hooks_run_when_cancelled_or_immediately_and_not_after_their_guard_is_gone() {
        let ran = Arc::new(AtomicUsize::new(0));
        let count = |by: usize| {
            let ran = ran.clone();
            move || {
                ran.fetch_add(by, Ordering::SeqCst);
            }
        };
        let cancel = Cancel::default();
        drop(cancel.on_cancel(count(100)));
        let _early = cancel.on_cancel(count(1));
        assert_eq!(ran.load(Ordering::SeqCst), 0);
        cancel.cancel();
        assert_eq!(ran.load(Ordering::SeqCst), 1);
        let _late = cancel.on_cancel(count(10));
        assert_eq!(ran.load(Ordering::SeqCst), 11);
    }

    #[test]
    fn a_token_with_a_time_is_cancelled_by_the_time_or_with_the_other_one() {
        let cancel = Cancel::default();
        let never = cancel.until(None);
        let late = cancel.until(Some(Instant::now() + Duration::from_secs(100_000)));
        let now = cancel.until(Some(Instant::now()));
        let (told, tells) = mpsc::channel();
        let _hook = now.token().on_cancel(move || {
            let _ = told.send(());
        });
        tells.recv().expect("its time has come");
        assert!(!never.token().is_cancelled() && !late.token().is_cancelled());
        assert!(!cancel.is_cancelled(), "the other one goes on");
        cancel.cancel();
        assert!(never.token().is_cancelled() && late.token().is_cancelled());
    }
}
