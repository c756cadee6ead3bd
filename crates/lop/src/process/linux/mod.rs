//! Running a process on Linux.
//!
//! This is how lop finds every process that a test started: it makes itself a *subreaper*, so every process of a test
//! that loses its parent becomes its child, and every test carries a *tag* that its children inherit and cannot shed.
//! The tag is a number in the resource limit on file locks, which the kernel stores and hands down but has not enforced
//! since 2.4. After a test ended, the children that carry the tag of no running test are killed until none is left;
//! each death hands its own children up, so none is missed. Control groups would do the same, but need permissions that
//! few users have, and where they are available, they add nothing to this.
//!
//! The child is started by `clone` with `CLONE_VM | CLONE_VFORK`, as `posix_spawn` does it: the
//! cost does not depend on how much memory this process holds. `posix_spawn` itself cannot set
//! limits before the program runs.
#![expect(unsafe_code, reason = "system calls that have no safe wrapper with these guarantees")]

mod descendants;

use std::ffi::{CString, OsStr, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::time::{Duration, Instant};

use libc::pid_t;

use descendants::{Tag, kill_leftovers, resident, tree};
pub(crate) use descendants::{finds_everything, kill_tests, kill_tests_in};

use super::{Files, Launch, Limits, Status, Termination};
use crate::search::Cancel;

/// A program, prepared to be started many times.
pub(crate) struct Launcher {
    program: CString,
    argv: Vec<CString>,
    envp: Vec<CString>,
    dir: CString,
}

impl Launcher {
    pub(crate) fn new(launch: Launch) -> io::Result<Self> {
        become_subreaper();
        let program = c_string(launch.program.as_os_str())?;
        let mut argv = vec![program.clone()];
        for arg in &launch.args {
            argv.push(c_string(arg)?);
        }
        let mut envp = Vec::new();
        for (name, value) in &launch.env {
            envp.push(c_string(&[name.as_os_str(), value].join(OsStr::new("=")))?);
        }
        Ok(Launcher { program, argv, envp, dir: c_string(launch.dir.as_os_str())? })
    }

    /// Runs the program until it ends and kills everything it started.
    pub(crate) fn run(
        &self,
        files: &Files,
        limits: &Limits,
        cancel: &Cancel,
    ) -> io::Result<Termination> {
        self.start(files, limits)?.wait(cancel)
    }

    /// Starts the program. The calling thread must outlive it: the kernel kills the program with that thread.
    pub(super) fn start(&self, files: &Files, limits: &Limits) -> io::Result<Running> {
        let tag = Tag::new();
        let started = Instant::now();
        let pid = self.spawn(files, limits, &tag)?;
        Ok(Running { pid, tag, limits: *limits, started })
    }

    fn spawn(&self, files: &Files, limits: &Limits, tag: &Tag) -> io::Result<pid_t> {
        let pointers = |strings: &[CString]| -> Vec<*const libc::c_char> {
            strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
        };
        let (argv, envp) = (pointers(&self.argv), pointers(&self.envp));
        let limit = |value| libc::rlimit { rlim_cur: value, rlim_max: value };
        let mut start = ChildStart {
            program: self.program.as_ptr(),
            argv: argv.as_ptr(),
            envp: envp.as_ptr(),
            dir: self.dir.as_ptr(),
            fds: [files.stdin, files.stdout, files.stderr].map(AsRawFd::as_raw_fd),
            limits: [
                (libc::RLIMIT_CORE, limit(0)),
                (libc::RLIMIT_FSIZE, limit(limits.file_size)),
                (libc::RLIMIT_LOCKS, limit(tag.0)),
            ],
            errno: 0,
        };
        let mut stack = ChildStack::new();
        // Fork may fail for a moment when other tests hold many processes.
        for attempt in 0.. {
            let result = with_signals_blocked(|| {
                // SAFETY: the child runs on a stack of its own, and only until it execs or exits;
                // the parent's thread is suspended until then (CLONE_VFORK), so `start` and all
                // that it points to outlive the child's use of them.
                unsafe {
                    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
                    libc::clone(child_main, stack.top(), flags, (&raw mut start).cast())
                }
            });
            if result > 0 && start.errno == 0 {
                return Ok(result);
            }
            if result > 0 {
                reap(result)?;
                return Err(io::Error::from_raw_os_error(start.errno));
            }
            let error = io::Error::last_os_error();
            if error.raw_os_error() != Some(libc::EAGAIN) || attempt == 100 {
                return Err(error);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        unreachable!("the loop returns")
    }
}

/// A started process that has to be waited for.
#[must_use]
pub(super) struct Running {
    pid: pid_t,
    tag: Tag,
    limits: Limits,
    started: Instant,
}

impl Running {
    /// Waits until it ends and kills everything it started.
    pub(super) fn wait(self, cancel: &Cancel) -> io::Result<Termination> {
        let Running { pid, tag, limits, started } = self;
        let hook = cancel.on_cancel(move || kill_group(pid));
        let mut memory = 0;
        let stopped = watch(pid, &tag, &limits, started, &mut memory);
        let elapsed = started.elapsed();
        kill_group(pid);
        // From here on the number may belong to another process.
        drop(hook);
        let reaped = reap(pid);
        drop(tag);
        kill_leftovers();
        let stopped = stopped?;
        let (ended, busy) = reaped?;
        let status = match stopped {
            _ if cancel.is_cancelled() => Status::Cancelled,
            Some(limit) => limit,
            None => ended,
        };
        Ok(Termination { status, elapsed, busy, memory })
    }
}

/// The type of a limit's resource. The C libraries do not agree on it.
#[cfg(target_env = "musl")]
type Resource = c_int;
#[cfg(not(target_env = "musl"))]
type Resource = libc::__rlimit_resource_t;

/// What the child needs to become the program. The child shares the parent's memory, so this holds
/// nothing but arguments of system calls.
struct ChildStart {
    program: *const libc::c_char,
    argv: *const *const libc::c_char,
    envp: *const *const libc::c_char,
    dir: *const libc::c_char,
    fds: [c_int; 3],
    limits: [(Resource, libc::rlimit); 3],
    errno: c_int,
}

extern "C" fn child_main(start: *mut c_void) -> c_int {
    // SAFETY: `spawn` passes a valid `ChildStart` that nothing else touches while the child runs, and
    // only functions that are safe after fork are called.
    unsafe {
        let start = &mut *start.cast::<ChildStart>();
        libc::setpgid(0, 0);
        // If lop itself is killed, so is the test.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        for (resource, limit) in &start.limits {
            // A limit below the wanted one is as good, so a refusal does not matter.
            libc::setrlimit(*resource, limit);
        }
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
            libc::signal(signal, libc::SIG_DFL);
        }
        for (target, fd) in start.fds.iter().enumerate() {
            if libc::dup2(*fd, target as c_int) < 0 {
                start.errno = *libc::__errno_location();
                libc::_exit(127);
            }
        }
        if libc::chdir(start.dir) == 0 {
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
            libc::execve(start.program, start.argv, start.envp);
        }
        start.errno = *libc::__errno_location();
        libc::_exit(127);
    }
}

/// The child's stack.
struct ChildStack(Vec<u128>);

impl ChildStack {
    fn new() -> Self {
        ChildStack(Vec::with_capacity(2048))
    }

    /// Stacks grow downwards; `u128` keeps the top aligned to 16 bytes as the ABI wants it.
    fn top(&mut self) -> *mut c_void {
        // SAFETY: one past the end of the allocation is a valid pointer to form.
        unsafe { self.0.as_mut_ptr().add(self.0.capacity()).cast() }
    }
}

/// Blocks signals during an action: no signal handler of this process may run in a child that shares its memory.
fn with_signals_blocked<T>(action: impl FnOnce() -> T) -> T {
    // SAFETY: the sets are initialised by the calls that fill them.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let result = action();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
        result
    }
}

/// Waits until a process ends or breaks a limit, and returns that limit. Notes the most memory seen, if memory is
/// limited.
fn watch(
    pid: pid_t,
    tag: &Tag,
    limits: &Limits,
    started: Instant,
    memory: &mut u64,
) -> io::Result<Option<Status>> {
    // SAFETY: the file descriptor is new and has no other owner.
    let pidfd = unsafe {
        let fd = libc::syscall(libc::SYS_pidfd_open, pid, 0);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(fd as c_int)
    };
    // Most tests end before the first look, which costs more than they do.
    let mut pause = Duration::from_millis(10);
    loop {
        let left = limits.time.saturating_sub(started.elapsed());
        if wait_readable(&pidfd, pause.min(left))? {
            return Ok(None);
        }
        if started.elapsed() >= limits.time {
            return Ok(Some(Status::TimedOut));
        }
        let tree = tree(pid, tag);
        if tree.len() > limits.processes {
            return Ok(Some(Status::Processes));
        }
        let Some(most) = limits.memory else {
            pause = (pause * 2).min(Duration::from_millis(100));
            continue;
        };
        *memory = tree.iter().map(|pid| resident(*pid)).sum::<u64>().max(*memory);
        if *memory > most {
            return Ok(Some(Status::Memory));
        }
    }
}

fn wait_readable(fd: &OwnedFd, timeout: Duration) -> io::Result<bool> {
    let mut poll = libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let timeout =
        libc::timespec { tv_sec: timeout.as_secs() as _, tv_nsec: timeout.subsec_nanos().into() };
    // SAFETY: both structures live through the call.
    match unsafe { libc::ppoll(&raw mut poll, 1, &raw const timeout, ptr::null()) } {
        -1 => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(false),
            error => Err(error),
        },
        ready => Ok(ready > 0),
    }
}

fn kill_group(pid: pid_t) {
    // SAFETY: plain system calls. The second one is for a test that has left its first group.
    unsafe {
        libc::kill(-pid, libc::SIGKILL);
        libc::kill(pid, libc::SIGKILL);
    }
}

/// Waits for a process; says how it ended, and how much processor time it and its own children took.
fn reap(pid: pid_t) -> io::Result<(Status, Duration)> {
    let mut status = 0;
    // SAFETY: a structure of numbers, for which zeros are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both structures live through the call.
    while unsafe { libc::wait4(pid, &raw mut status, libc::__WALL, &raw mut usage) } < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let time = |it: libc::timeval| Duration::new(it.tv_sec as u64, it.tv_usec as u32 * 1000);
    let ended = if libc::WIFSIGNALED(status) {
        Status::Signal(libc::WTERMSIG(status))
    } else {
        Status::Exit(libc::WEXITSTATUS(status))
    };
    Ok((ended, time(usage.ru_utime) + time(usage.ru_stime)))
}

fn become_subreaper() {
    // SAFETY: changes nothing but which process inherits orphans. This process may have been started
    // with SIGCHLD ignored; then the kernel would not say how its children end.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGCHLD, ptr::null(), &raw mut action);
        if action.sa_sigaction == libc::SIG_IGN {
            libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        }
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    Ok(CString::new(text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::descendants::{children, children_by_parent};
    use super::*;

    fn ended(script: &str, limits: Limits, cancel: &Cancel) -> Termination {
        let launcher = Launcher::new(Launch {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            env: vec![("PATH".into(), std::env::var_os("PATH").unwrap())],
            dir: "/".into(),
        });
        let null = File::options().read(true).write(true).open("/dev/null").unwrap();
        let files = Files { stdin: &null, stdout: &null, stderr: &null };
        launcher.unwrap().run(&files, &limits, cancel).unwrap()
    }

    fn run(script: &str, limits: Limits, cancel: &Cancel) -> Status {
        ended(script, limits, cancel).status
    }

    fn limits() -> Limits {
        Limits { time: Duration::from_secs(60), memory: None, processes: 1000, file_size: 1 << 30 }
    }

    /// Processes whose command line has a word.
    fn alive(word: &str) -> usize {
        let commands = fs::read_dir("/proc").unwrap().flatten();
        let has_word =
            |command: Vec<u8>| command.split(|byte| *byte == 0).any(|part| part == word.as_bytes());
        commands.filter(|entry| fs::read(entry.path().join("cmdline")).is_ok_and(has_word)).count()
    }

    #[test]
    fn what_forked_twice_or_called_setsid_dies_with_its_test() {
        // Unusual durations tell these sleepers from all others.
        for (script, word) in [
            ("(sleep 7001.25 &) ; exit 0", "7001.25"),
            ("setsid sleep 7002.25 & exit 0", "7002.25"),
            ("setsid sh -c 'setsid sleep 7003.25 & sleep 7003.25' & exit 0", "7003.25"),
            ("(setsid sh -c '(setsid sleep 7004.25 &) ; sleep 7004.25' &) ; exit 0", "7004.25"),
        ] {
            assert_eq!(run(script, limits(), &Cancel::default()), Status::Exit(0));
            assert_eq!(alive(word), 0, "{script}");
        }
    }

    #[test]
    fn what_forked_twice_dies_with_a_test_that_is_out_of_time_or_cancelled() {
        let short = Limits { time: Duration::from_millis(100), ..limits() };
        let script = "(setsid sleep 7005.25 &) ; sleep 7005.25";
        assert_eq!(run(script, short, &Cancel::default()), Status::TimedOut);
        assert_eq!(alive("7005.25"), 0);

        let cancel = Cancel::default();
        let remote = cancel.clone();
        let thread = std::thread::spawn(move || {
            while alive("7006.25") < 2 {
                std::thread::yield_now();
            }
            remote.cancel();
        });
        let script = "(setsid sleep 7006.25 &) ; sleep 7006.25";
        assert_eq!(run(script, limits(), &cancel), Status::Cancelled);
        thread.join().unwrap();
        assert_eq!(alive("7006.25"), 0);
    }

    #[test]
    fn leftovers_of_one_test_are_told_from_another_test_that_still_runs() {
        let other = std::thread::spawn(|| {
            // The test's own orphan must live until the test looks for it.
            let script =
                "(setsid sleep 7007.25 &) ; sleep 0.3; pgrep -f 'sleep 7007.25' >/dev/null";
            run(script, limits(), &Cancel::default())
        });
        while alive("7007.25") == 0 {
            std::thread::yield_now();
        }
        while !other.is_finished() {
            run("(setsid sleep 7008.25 &) ; exit 0", limits(), &Cancel::default());
        }
        assert_eq!(other.join().unwrap(), Status::Exit(0));
        assert_eq!(alive("7007.25") + alive("7008.25"), 0);
    }

    #[test]
    fn the_memory_of_a_test_is_measured_and_one_that_takes_too_much_is_ended() {
        let little = Limits { memory: Some(50 << 20), ..limits() };
        let script = "x=$(head -c 200000000 /dev/zero | tr '\\0' x); sleep 7009.25";
        assert_eq!(run(script, little, &Cancel::default()), Status::Memory);
        assert_eq!(alive("7009.25"), 0);

        let plenty = Limits { memory: Some(u64::MAX), ..limits() };
        let script = "x=$(head -c 100000000 /dev/zero | tr '\\0' x); sleep 0.1";
        let ended = ended(script, plenty, &Cancel::default());
        assert_eq!(ended.status, Status::Exit(0));
        assert!(ended.memory > 50 << 20, "{}", ended.memory);
    }

    #[test]
    fn processor_time_counts_work_and_no_waiting() {
        let work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
        let busy = |script: &str| ended(script, limits(), &Cancel::default()).busy;
        assert!(busy(&format!("({work}); true")) > busy("sleep 0.2"));
    }

    #[test]
    fn a_test_that_starts_too_many_processes_is_ended() {
        let few = Limits { processes: 10, ..limits() };
        let script = "i=0; while [ $i -lt 40 ]; do sleep 7010.25 & i=$((i+1)); done; wait";
        assert_eq!(run(script, few, &Cancel::default()), Status::Processes);
        assert_eq!(alive("7010.25"), 0);
    }

    #[test]
    fn children_are_found_without_the_kernels_list_of_them() {
        let script = "sleep 7012.25 & sleep 7012.25";
        let cancel = Cancel::default();
        let remote = cancel.clone();
        let test = std::thread::spawn(move || run(script, limits(), &remote));
        while alive("7012.25") < 2 {
            std::thread::yield_now();
        }
        let own = std::process::id().cast_signed();
        let sorted = |mut list: Vec<pid_t>| {
            list.sort();
            list
        };
        // Other tests of this process start and end processes meanwhile.
        let shells = children_by_parent(own).into_iter().filter(|shell| {
            let command = fs::read(format!("/proc/{shell}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(script)
        });
        let shells: Vec<pid_t> = shells.collect();
        assert!(shells.iter().all(|shell| children(own).contains(shell)) && shells.len() == 1);
        assert_eq!(children_by_parent(shells[0]).len(), 2);
        assert_eq!(sorted(children_by_parent(shells[0])), sorted(children(shells[0])));
        cancel.cancel();
        assert_eq!(test.join().unwrap(), Status::Cancelled);
    }

    #[test]
    fn a_program_that_cannot_be_started_is_an_error_with_its_cause() {
        let launcher = Launcher::new(Launch {
            program: "/nowhere/at/all".into(),
            args: vec![],
            env: vec![],
            dir: "/".into(),
        });
        let null = File::open("/dev/null").unwrap();
        let files = Files { stdin: &null, stdout: &null, stderr: &null };
        let result = launcher.unwrap().run(&files, &limits(), &Cancel::default());
        assert_eq!(result.err().unwrap().kind(), io::ErrorKind::NotFound);
    }
}
