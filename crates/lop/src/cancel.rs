//! A wish to stop: of a person who presses Ctrl-C, of a search that has its answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A wish to stop that can be made from any thread. Clones share it.
#[derive(Clone, Default)]
pub struct Cancel(Arc<Shared>);

#[derive(Default)]
struct Shared {
    wished: AtomicBool,
    hooks: Mutex<Vec<(usize, Hook)>>,
}

type Hook = Box<dyn Fn() + Send>;

impl Cancel {
    /// Wishes it and runs the hooks that are registered now.
    pub fn cancel(&self) {
        let hooks = self.0.hooks.lock().expect("no hook panics");
        self.0.wished.store(true, Ordering::SeqCst);
        hooks.iter().for_each(|(_, hook)| hook());
    }

    /// Whether it is wished.
    pub fn is_cancelled(&self) -> bool {
        self.0.wished.load(Ordering::SeqCst)
    }

    /// Runs a hook at the wish, or at once if it was made before. When the guard is dropped the
    /// hook is neither running nor will it ever run again.
    pub fn on_cancel(&self, hook: impl Fn() + Send + 'static) -> HookGuard<'_> {
        let mut hooks = self.0.hooks.lock().expect("no hook panics");
        if self.is_cancelled() {
            hook();
        }
        let id = hooks.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
        hooks.push((id, Box::new(hook)));
        HookGuard { cancel: self, id }
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
        let mut hooks = self.cancel.0.hooks.lock().expect("no hook panics");
        hooks.retain(|(id, _)| *id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn hooks_run_at_the_wish_or_at_once_and_not_after_their_guard_is_gone() {
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
}
