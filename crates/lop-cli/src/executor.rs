//! The place where the test of a question runs, and its limits.

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use lop::oracle::Requirement;
use lop::oracle::command::{Supervisor, TimeLimit};
use lop::oracle::execute::{Beside, Execute, Local, Served, Setup};
use lop::{Cancel, Limits};

use crate::exit::{Code, Failure, machine_help};
use crate::launcher::Launcher;
use crate::question::Question;
#[cfg(feature = "remote")]
use crate::remote;
use crate::sandbox;
#[cfg(feature = "remote")]
use crate::signals::interrupted;

/// The executor, which runs the test on this machine or on others.
pub(crate) fn executor(question: &Question, stop: &Cancel) -> Result<Arc<dyn Execute>, Failure> {
    #[cfg(feature = "remote")]
    {
        let setup = setup(question, Vec::new(), question.workers);
        let local = |workers| local_executor(question, Vec::new(), workers);
        if let Some(executor) = remote::executor(question, setup, stop, &local) {
            interrupted(stop)?;
            return executor;
        }
    }
    // Only other machines can cause a wait that has to be cancelled.
    let _ = stop;
    local_executor(question, Vec::new(), question.workers)
}

/// How candidates are presented to the test, with additional files besides those that the user wants.
pub(crate) fn setup(question: &Question, mut beside: Vec<Beside>, workers: usize) -> Setup {
    beside.extend(question.with.files.iter().map(|(source, path)| Beside::copy(source, path)));
    Setup {
        name: question.name(),
        executable: question.permissions.mode() & 0o111 != 0,
        bundle: question.bundle.clone(),
        beside,
        workers,
    }
}

/// An executor on this machine, with additional files besides those that the user wants.
pub(crate) fn local_executor(
    question: &Question,
    beside: Vec<Beside>,
    workers: usize,
) -> Result<Arc<dyn Execute>, Failure> {
    let setup = setup(question, beside, workers);
    let (command, inside) = (&question.command, sandbox::wrapper(&question.args.test)?);
    let (launcher, name) = (Launcher::new(&question.args.test)?, question.name());
    // The launcher is the user's program, and needs rights that a sandbox denies.
    let wrap = |launch| match &launcher {
        Some(launcher) => launcher.around(inside(launch), &name),
        None => inside(launch),
    };
    let executor: io::Result<Arc<dyn Execute>> = match question.args.test.serve {
        true => Served::wrapped(command, setup, &wrap).map(|served| Arc::new(served) as _),
        false => Local::wrapped(command, setup, &wrap).map(|local| Arc::new(local) as _),
    };
    let watched = executor.map(|executor| match launcher.clone() {
        Some(launcher) => launcher.watch(executor),
        None => executor,
    });
    watched.map_err(|error| {
        if error.kind() == io::ErrorKind::InvalidInput {
            return Failure::new(Code::Usage, error.to_string()).help("rename it, or use --as");
        }
        let place = std::env::temp_dir();
        let message =
            format!("cannot create directories for tests in `{}`: {error}", place.display());
        let cannot_be_written =
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied);
        let cure = machine_help(&error).filter(|_| !cannot_be_written);
        Failure::new(Code::Test, message).help(cure.unwrap_or("set TMPDIR to a writable directory"))
    })
}

/// The executor with the limits that the user gave, and those that the property implies. If other runs share the places
/// for tests, each test waits for one.
pub(crate) fn supervisor(question: &Question, executor: Arc<dyn Execute>) -> Supervisor {
    let args = &question.args;
    let executor = match question.share.clone() {
        Some(share) => share.limit(executor),
        None => executor,
    };
    // A test that takes too much memory has the property; if that is the whole property, there is no need to wait for
    // more.
    let all = match &question.property {
        Some(property) if args.property.any_exit => property.requirements(),
        _ => &[],
    };
    let time = match (args.limits.timeout, args.property.slower_than) {
        (Some(time), _) => TimeLimit::Fixed(time),
        (None, Some(time)) => TimeLimit::beyond(time),
        (None, None) => TimeLimit::Adaptive,
    };
    let memory = match (args.limits.memory, args.property.more_memory_than, all) {
        (Some(most), ..) => Some(most),
        (None, _, [Requirement::MoreMemory(bytes)]) => Some(*bytes),
        (None, Some(_), _) => Some(u64::MAX),
        (None, None, _) => None,
    };
    let usual = Limits::default();
    // A hang is defined by its own limit.
    let longest = args.limits.max_time.filter(|_| !args.property.hang).unwrap_or(usual.time);
    // A large input needs a higher limit on the size of files.
    let file_size = usual.file_size.max(10 * question.text.len() as u64);
    Supervisor::new(executor, Limits { time: longest, memory, file_size, ..usual }, time)
}
