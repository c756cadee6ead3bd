//! The programs that a campaign runs.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::geteuid;
use tempfile::TempDir;

/// The programs that a campaign runs, and what this machine lets it do.
pub struct Tools {
    /// A copy of lop in a directory that every user can read.
    pub(crate) lop: PathBuf,
    /// The command of a generator that speaks lop's protocol.
    pub(crate) generator: Option<String>,
    /// A library whose clock jumps, if there is a C compiler.
    pub(crate) jumping_clock: Option<PathBuf>,
    /// Whether this thread can mount small disks that nobody else sees.
    pub(crate) can_mount: bool,
    directory: TempDir,
}

/// Wall clocks that jump by up to 30 years with every look at them, back and forth.
const JUMPING_CLOCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
#include <sys/time.h>
static int (*real)(clockid_t, struct timespec *);
static long jump(void) { static unsigned n; return (long)((n++ * 2654435761u) % 1900000000u) - 950000000; }
int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec += jump();
    return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    int result = clock_gettime(CLOCK_REALTIME, &precise);
    if (now) { now->tv_sec = precise.tv_sec; now->tv_usec = precise.tv_nsec / 1000; }
    return result;
}
time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"#;

impl Tools {
    /// Copies them to a directory that every user can read: lop, and a generator with its arguments. The calling thread gets mounts of its own if it may have them.
    pub fn new(lop: &Path, generator: Option<(&Path, &str)>) -> io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("campaign-").tempdir()?;
        fs::set_permissions(directory.path(), Permissions::from_mode(0o755))?;
        let copy = directory.path().join("lop");
        fs::copy(lop, &copy)?;
        let generator = generator.map(|(program, arguments)| {
            let copy = directory.path().join("generator");
            fs::copy(program, &copy).map(|_| format!("{} {arguments}", copy.display()))
        });
        let generator = generator.transpose()?;
        let is_mine = unsharing_mounts().is_ok();
        let jumping_clock = compiled(&directory.path().join("clock.so"));
        Ok(Tools { lop: copy, generator, jumping_clock, can_mount: is_mine, directory })
    }

    /// Whether the campaign can give every run a user of its own.
    pub(crate) fn is_root(&self) -> bool {
        geteuid().is_root()
    }

    /// A directory for one run, which the caller removes.
    pub(crate) fn place(&self) -> io::Result<TempDir> {
        tempfile::Builder::new()
            .prefix("run-")
            .permissions(Permissions::from_mode(0o755))
            .tempdir_in(&self.directory)
    }

    /// A user that nobody else is, so that limits count the processes of one run alone.
    pub(crate) fn new_user(&self) -> Option<u32> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Above the users that systems give to people and containers.
        self.is_root()
            .then(|| 3_000_000_000 + std::process::id() % 10_000 * 10_000 + number % 10_000)
    }
}

/// Gives this thread, and those that it starts, mounts of their own.
fn unsharing_mounts() -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWNS)?;
    let (nothing, private) = (None::<&str>, MsFlags::MS_PRIVATE | MsFlags::MS_REC);
    Ok(mount(nothing, "/", nothing, private, nothing)?)
}

fn compiled(library: &Path) -> Option<PathBuf> {
    let source = library.with_extension("c");
    fs::write(&source, JUMPING_CLOCK).ok()?;
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(library).arg(&source).arg("-ldl");
    cc.status().is_ok_and(|status| status.success()).then(|| library.to_owned())
}
