//! The Python module `lop`: [`lop::reduce`] with a test that is a Python function.
//!
//! The search runs in a thread of its own, without Python's lock. With one job the test is called in the thread that
//! called `reduce`, where signals, thread-local values and event loops are as its author expects; with more jobs,
//! each worker calls it.

use std::num::NonZero;
use std::panic;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use lop::tree::Format;
use lop::{Cancel, Error, Strategy};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// How often the calling thread looks for signals while no test runs there.
const SIGNALS: Duration = Duration::from_millis(50);

/// Test-case reduction: the smallest input that still fails.
#[pymodule]
#[pyo3(name = "lop")]
mod module {
    #[pymodule_export]
    use super::reduce;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}

/// Return the smallest input found for which the test is true.
///
/// The test is called with bytes. It must be true for `data`, each time that it is called. An exception that it raises
/// ends the reduction, and is raised here.
///
/// name: the file that the data is from; its language is chosen by this name and the content.
/// language: the language itself, such as "c"; `lop languages` lists all.
/// strategy: how to reduce; `lop strategies` explains it.
/// jobs: how many tests run at the same time. The result does not depend on it. One test runs in the calling thread;
///     several run in threads of their own, which helps if they wait for other programs.
/// max_tests, max_seconds: when to end with the best so far.
///
/// Raises ValueError if the test is false for `data`, or says different things of the same input.
///
/// >>> import lop
/// >>> lop.reduce(b"int x;\nint main() { return f(x, 1); }\n", lambda data: b"f(" in data, name="prog.c")
/// b'f(\n'
#[pyfunction]
#[pyo3(signature = (data, test, *, name=None, language=None, strategy=None, jobs=NonZero::<usize>::MIN, max_tests=None, max_seconds=None))]
#[allow(clippy::too_many_arguments, reason = "they are the keywords of a Python function")]
fn reduce<'py>(
    py: Python<'py>,
    data: PyBackedBytes,
    test: Py<PyAny>,
    name: Option<PathBuf>,
    language: Option<&str>,
    strategy: Option<&str>,
    jobs: NonZero<usize>,
    max_tests: Option<u64>,
    max_seconds: Option<f64>,
) -> PyResult<Bound<'py, PyBytes>> {
    let test = Test { function: test, stop: Cancel::default(), raised: Mutex::default() };
    let mut reduction = lop::reduce(&*data).workers(jobs.get()).stopped_by(test.stop.clone());
    if let Some(name) = name {
        reduction = reduction.named(name);
    }
    if let Some(name) = language {
        let unknown = || format!("unknown language `{name}`; `lop languages` lists all");
        reduction = reduction
            .format(Format::named(name).ok_or_else(unknown).map_err(PyValueError::new_err)?);
    }
    if let Some(strategy) = strategy {
        let strategy: Strategy = strategy.parse().map_err(value_error)?;
        reduction = reduction.strategy(strategy);
    }
    if let Some(tests) = max_tests {
        reduction = reduction.max_tests(tests);
    }
    if let Some(seconds) = max_seconds {
        let time = Duration::try_from_secs_f64(seconds).map_err(value_error)?;
        reduction = reduction.max_time(time);
    }
    let result = py.detach(|| match jobs.get() {
        1 => attend(&test, |test| reduction.with_test(test)),
        _ => attend(&test, |_| reduction.with_test(|data| test.accepts(data))),
    });
    if let Some(error) = test.raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    match result {
        Ok(small) => Ok(PyBytes::new(py, &small)),
        Err(error @ (Error::NotInteresting | Error::Flaky)) => Err(value_error(error)),
        Err(error) => Err(PyRuntimeError::new_err(error.to_string())),
    }
}

fn value_error(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The function that the user passed, and the first exception.
struct Test {
    function: Py<PyAny>,
    /// Ends the reduction after an exception.
    stop: Cancel,
    raised: Mutex<Option<PyErr>>,
}

impl Test {
    /// Whether the function returns something true.
    fn accepts(&self, data: &[u8]) -> bool {
        let call = |py: Python| self.function.call1(py, (PyBytes::new(py, data),))?.is_truthy(py);
        !self.stop.is_cancelled() && self.try_in_python(call).unwrap_or(false)
    }

    /// Runs the handlers of signals, which may raise KeyboardInterrupt. A function in C does not.
    fn look_for_signals(&self) {
        self.try_in_python(|py| py.check_signals());
    }

    fn try_in_python<T>(&self, what: impl FnOnce(Python) -> PyResult<T>) -> Option<T> {
        let keep = |error| {
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            self.stop.cancel();
        };
        Python::attach(what).map_err(keep).ok()
    }
}

/// A candidate that a worker wants to know about, and where it waits for the answer.
type Question = (Vec<u8>, mpsc::SyncSender<bool>);

/// Runs a search in another thread; answers its questions and looks for signals in this one.
fn attend<T: Send>(
    test: &Test,
    search: impl FnOnce(&(dyn Fn(&[u8]) -> bool + Send + Sync)) -> T + Send,
) -> T {
    let (ask, questions) = mpsc::channel::<Question>();
    thread::scope(|scope| {
        let search = scope.spawn(move || {
            search(&move |data: &[u8]| {
                let (answer, answered) = mpsc::sync_channel(1);
                ask.send((data.to_vec(), answer)).is_ok() && answered.recv() == Ok(true)
            })
        });
        loop {
            match questions.recv_timeout(SIGNALS) {
                // A worker waits for each answer.
                Ok((data, answer)) => drop(answer.send(test.accepts(&data))),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            test.look_for_signals();
        }
        search.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}
