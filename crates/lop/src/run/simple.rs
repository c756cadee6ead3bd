//! A reduction in one expression.

use std::num::NonZero;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::oracle::{Oracle, Verdict};
use crate::run::Reduction;
use crate::run::preflight::{Agreement, Preflight};
use crate::run::strategy::{Effort, Strategy};
use crate::search::Cancel;
use crate::session::Error;
use crate::text::Text;
use crate::tree::Format;

/// Reduces an input by a test in the same process.
///
/// ```
/// let input = b"int unused;\nint main() { return f(1, 2); }\n".to_vec();
/// let small = lop::reduce(input).named("prog.c").with_test(|bytes| bytes.windows(2).any(|it| it == b"f("))?;
/// assert_eq!(small, b"f(\n");
/// # Ok::<(), lop::Error>(())
/// ```
pub fn reduce(input: impl Into<Vec<u8>>) -> Reduce {
    Reduce {
        input: Arc::new(input.into()),
        format: Format::default(),
        workers: thread::available_parallelism().map_or(1, NonZero::get),
        strategy: Strategy::Default(Effort::Usual),
        max_tests: None,
        max_time: None,
        stop: Cancel::default(),
    }
}

/// An input with the settings of its reduction. [`reduce`] makes it; [`Reduction`] has more settings.
#[must_use = "`with_test` reduces it"]
pub struct Reduce {
    input: Text,
    format: Format,
    workers: usize,
    strategy: Strategy,
    max_tests: Option<u64>,
    max_time: Option<Duration>,
    stop: Cancel,
}

impl Reduce {
    /// The name of the input's file, which determines its language.
    pub fn named(self, path: impl AsRef<Path>) -> Reduce {
        let format = Format::guess(path.as_ref(), &self.input);
        Reduce { format, ..self }
    }

    /// The format of the input, if the file name does not show it.
    pub fn format(self, format: Format) -> Reduce {
        Reduce { format, ..self }
    }

    /// The strategy.
    pub fn strategy(self, strategy: Strategy) -> Reduce {
        Reduce { strategy, ..self }
    }

    /// How many tests run at the same time; by default, as many as there are cores. The result is the same.
    pub fn workers(self, workers: usize) -> Reduce {
        Reduce { workers: workers.max(1), ..self }
    }

    /// The most tests that are run.
    pub fn max_tests(self, tests: u64) -> Reduce {
        Reduce { max_tests: Some(tests), ..self }
    }

    /// The most time that the reduction may take.
    pub fn max_time(self, time: Duration) -> Reduce {
        Reduce { max_time: Some(time), ..self }
    }

    /// Ends the reduction with its best when the token is cancelled.
    pub fn stopped_by(self, stop: Cancel) -> Reduce {
        Reduce { stop, ..self }
    }

    /// Reduces it to the smallest input for which the test returns `true`. It must return `true` for the input itself,
    /// each time.
    pub fn with_test(self, test: impl Fn(&[u8]) -> bool + Send + Sync) -> Result<Vec<u8>, Error> {
        self.with_oracle(&test)
    }

    fn with_oracle(self, oracle: &dyn Oracle) -> Result<Vec<u8>, Error> {
        let asked = Preflight::ask(oracle, &self.input, None, None, self.workers, &self.stop);
        match asked.agreement() {
            Agreement::Interesting if asked.empty == Verdict::Interesting => return Ok(Vec::new()),
            Agreement::Interesting => {}
            Agreement::Boring => return Err(Error::NotInteresting),
            Agreement::Flaky { .. } => return Err(Error::Flaky),
            Agreement::Unresolved(reason) => return Err(Error::Broken(format!("{reason:?}"))),
        }
        let mut reduction = Reduction::new(self.input, oracle);
        reduction.format = self.format;
        reduction.strategy = self.strategy;
        reduction.workers = self.workers;
        reduction.max_tests = self.max_tests;
        reduction.max_time = self.max_time;
        reduction.stop = self.stop;
        let report = reduction.run()?;
        if report.confirmed == Some(false) {
            return Err(Error::Flaky);
        }
        Ok(report.best.text.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn an_input_that_does_not_pass_its_test_is_an_error() {
        assert!(matches!(reduce("abc").with_test(|_| false), Err(Error::NotInteresting)));
        let calls = AtomicUsize::new(0);
        let flaky = |_: &[u8]| calls.fetch_add(1, Ordering::SeqCst).is_multiple_of(2);
        assert!(matches!(reduce("abc").workers(1).with_test(flaky), Err(Error::Flaky)));
        assert_eq!(reduce("abc").with_test(|_| true).unwrap(), b"");
    }

    #[test]
    fn a_limit_ends_a_reduction_with_its_best() {
        let text = "one\ntwo\nthree\nfour\n".repeat(20);
        let has = |bytes: &[u8]| bytes.windows(5).any(|it| it == b"three");
        let some = reduce(text.clone()).max_tests(3).with_test(has).unwrap();
        assert!(some.len() > 5 && some.len() < text.len(), "{}", some.len());
        assert_eq!(reduce(text).with_test(has).unwrap(), b"three\n");
    }

    #[test]
    fn a_cancelled_reduction_ends_with_its_best() {
        let stop = Cancel::default();
        let calls = AtomicUsize::new(0);
        let test = |bytes: &[u8]| {
            if calls.fetch_add(1, Ordering::SeqCst) == 8 {
                stop.cancel();
            }
            bytes.windows(5).any(|it| it == b"three")
        };
        let text = "one\ntwo\nthree\nfour\n".repeat(20);
        let some =
            reduce(text.clone()).workers(1).stopped_by(stop.clone()).with_test(test).unwrap();
        assert!(some.len() > 6 && some.len() <= text.len(), "{}", some.len());
        assert_eq!(calls.into_inner(), 9);
    }

    #[test]
    fn a_format_and_a_strategy_can_be_chosen() {
        let reduction = reduce("[1, [2, 3]]").format(Format::named("json-like").unwrap());
        let small = reduction.strategy("ddmin:lines".parse().unwrap());
        let has = |bytes: &[u8]| bytes.contains(&b'3');
        assert_eq!(small.with_test(has).unwrap(), b"[1, [2, 3]]");
    }
}
