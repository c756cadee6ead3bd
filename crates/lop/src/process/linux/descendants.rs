//! The descendants of tests: how they are found, counted and killed.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use libc::pid_t;

use super::kill_group;

/// Marks a test and all its descendants, as long as the test runs.
pub(super) struct Tag(pub(super) u64);

/// The tags of the tests that run now.
static LIVE: Mutex<Vec<u64>> = Mutex::new(Vec::new());

impl Tag {
    /// Sixteen bits that identify lop's tags; the id of the process and a number follow.
    const MARK: u64 = 0x4c50 << 48;

    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // A limit can only be lowered: if this lop runs in a test of another lop, its numbers count down from
        // the tag that this process itself carries.
        static FIRST: LazyLock<u64> = LazyLock::new(|| match Tag::of(0) {
            Some(own) => own - 1,
            None => Tag::MARK | u64::from(std::process::id() & 0x3f_ffff) << 26 | 0x3ff_ffff,
        });
        let tag = *FIRST - NEXT.fetch_add(1, Ordering::Relaxed);
        LIVE.lock().expect("nothing panics with this lock").push(tag);
        Tag(tag)
    }

    /// The tag that a process carries; `pid` 0 is this process.
    fn of(pid: pid_t) -> Option<u64> {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: `limit` lives through the call, which only reads the other process's limit.
        let result = unsafe { libc::prlimit(pid, libc::RLIMIT_LOCKS, ptr::null(), &raw mut limit) };
        (result == 0 && limit.rlim_max & (0xffff << 48) == Tag::MARK).then_some(limit.rlim_max)
    }
}

impl Drop for Tag {
    fn drop(&mut self) {
        LIVE.lock().expect("nothing panics with this lock").retain(|tag| *tag != self.0);
    }
}

/// Kills the processes that finished tests left behind.
pub(super) fn kill_leftovers() {
    kill_until_none(|| {
        let live = LIVE.lock().expect("nothing panics with this lock");
        let is_left = |pid: &pid_t| Tag::of(*pid).is_some_and(|tag| !live.contains(&tag));
        orphans().into_iter().filter(is_left).collect()
    });
}

/// Kills the processes of all tests, finished or running.
pub(crate) fn kill_tests() {
    kill_until_none(|| {
        let is_test = |pid: &pid_t| Tag::of(*pid).is_some();
        children(std::process::id().cast_signed()).into_iter().filter(is_test).collect()
    });
}

/// Kills what remains of the tests of a killed run, whose directory this was. The kernel has killed the tests, but not
/// the processes that they had started. Such a process carries a tag, and works in that directory or has its temporary
/// files there; nothing that a user started does.
pub(crate) fn kill_tests_in(directory: &Path) {
    let Ok(directory) = fs::canonicalize(directory) else { return };
    let name = directory.file_name().unwrap_or_default().as_bytes();
    let is_there = |pid: pid_t| {
        fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd.starts_with(&directory))
            || fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environ| {
                let mut variables = environ.split(|byte| *byte == 0);
                let tmp = variables.find_map(|each| each.strip_prefix(b"TMPDIR="));
                tmp.is_some_and(|path| path.split(|byte| *byte == b'/').any(|part| part == name))
            })
    };
    kill_until_none(|| {
        let tagged = processes().filter(|pid| Tag::of(*pid).is_some());
        tagged.filter(|pid| is_there(*pid)).collect()
    });
}

/// How long a process may take to die.
const STUBBORN: Duration = Duration::from_secs(5);

fn kill_until_none(find: impl Fn() -> Vec<pid_t>) {
    // No other thread may reap an orphan between our finding and killing it, or its number could belong to another process.
    static REAPING: Mutex<()> = Mutex::new(());
    let started = Instant::now();
    for round in 0.. {
        let alone = REAPING.lock().expect("nothing panics with this lock");
        let found = find();
        // A process that does not die of SIGKILL hangs in the kernel: lop gives up on it after a while.
        if found.is_empty() || started.elapsed() > STUBBORN {
            return;
        }
        for pid in found {
            kill_group(pid);
            // SAFETY: no status is requested.
            unsafe { libc::waitpid(pid, ptr::null_mut(), libc::WNOHANG | libc::__WALL) };
        }
        drop(alone);
        // A process takes a moment to die, longer on a busy machine.
        if round < 20 {
            std::thread::yield_now();
        } else {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Whether all processes that a test starts can be found again, which needs `/proc`.
pub(crate) fn finds_everything() -> bool {
    CHILDREN.is_some() || parent_of(std::process::id().cast_signed()).is_some()
}

/// The kernel's list of the children that this process adopted as their subreaper. Some kernels are built without it.
static CHILDREN: LazyLock<Option<File>> = LazyLock::new(|| {
    let pid = std::process::id();
    File::open(format!("/proc/self/task/{pid}/children")).ok()
});

/// The children that this process adopted as their subreaper: those of its first thread. Without the kernel's list: all
/// its children.
fn orphans() -> Vec<pid_t> {
    let Some(file) = &*CHILDREN else {
        return children_by_parent(std::process::id().cast_signed());
    };
    let mut list = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = file.read_at(&mut buffer, list.len() as u64) {
        list.extend_from_slice(&buffer[..read]);
    }
    numbers(&list)
}

/// A test's processes: the first one with all its descendants, and its orphans.
pub(super) fn tree(pid: pid_t, tag: &Tag) -> Vec<pid_t> {
    let mut tree = vec![pid];
    let is_own = |orphan: &pid_t| *orphan != pid && Tag::of(*orphan) == Some(tag.0);
    tree.extend(orphans().into_iter().filter(is_own));
    let mut at = 0;
    while let Some(pid) = tree.get(at) {
        tree.extend(children(*pid));
        at += 1;
    }
    tree
}

/// The children of all threads of a process.
pub(super) fn children(pid: pid_t) -> Vec<pid_t> {
    if CHILDREN.is_none() {
        return children_by_parent(pid);
    }
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read(task.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list)).collect()
}

/// The children of a process, found among all processes: slow, but it only needs `/proc`.
pub(super) fn children_by_parent(parent: pid_t) -> Vec<pid_t> {
    processes().filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

/// All processes.
fn processes() -> impl Iterator<Item = pid_t> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn parent_of(pid: pid_t) -> Option<pid_t> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The program's name before it is in parentheses and may contain any character.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let state_and_parent = String::from_utf8_lossy(&stat[end + 1..]).into_owned();
    state_and_parent.split_whitespace().nth(1)?.parse().ok()
}

/// The bytes of a process that are resident and not shared.
pub(super) fn resident(pid: pid_t) -> u64 {
    static PAGE: LazyLock<u64> =
        // SAFETY: a plain system call.
        LazyLock::new(|| unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64);
    let statm = fs::read(format!("/proc/{pid}/statm")).unwrap_or_default();
    match numbers::<u64>(&statm)[..] {
        [_, resident, shared, ..] => resident.saturating_sub(shared) * *PAGE,
        _ => 0,
    }
}

fn numbers<N: std::str::FromStr>(text: &[u8]) -> Vec<N> {
    String::from_utf8_lossy(text).split_whitespace().filter_map(|word| word.parse().ok()).collect()
}
