//! The sandbox on Linux.
//!
//! Three processes: the *caller* makes the namespaces and waits; the *first* one in them prepares the file system,
//! waits for the command, and ends all others when it ends, since the kernel kills a process namespace with its first
//! process; the *command* gives up all rights and starts.
#![expect(unsafe_code, reason = "`fork`, and system calls that have no wrapper")]

use std::ffi::{CString, OsString, c_int};
use std::fs;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope,
};
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigHandler, Signal, raise, signal};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, Pid, chdir, fork, getgid, getuid, pipe};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use crate::{Ended, Error, Gap, Sandbox, secrets};

/// The most processes and open files of a command.
const PROCESSES: u64 = 1024;
const FILES: u64 = 4096;
/// The directory of shared memory with names.
const SHARED: &str = "/dev/shm";

type Made<T> = Result<T, Error>;

trait Doing<T> {
    fn doing(self, what: impl Into<String>) -> Made<T>;
}

impl<T, E: std::fmt::Display> Doing<T> for Result<T, E> {
    fn doing(self, what: impl Into<String>) -> Made<T> {
        self.map_err(|why| Error::System { doing: what.into(), why: why.to_string() })
    }
}

/// The gaps in the protection on this machine.
pub fn gaps() -> Vec<Gap> {
    let mut gaps = Vec::new();
    // A child tries it, since there is no way back.
    // SAFETY: the child calls nothing but system calls.
    let has_namespaces = match unsafe { fork() } {
        Ok(ForkResult::Child) => {
            let made = unshare(NAMESPACES).is_ok();
            // SAFETY: ends the child immediately.
            unsafe { libc::_exit(c_int::from(!made)) }
        }
        Ok(ForkResult::Parent { child }) => {
            waitpid(child, None) == Ok(WaitStatus::Exited(child, 0))
        }
        Err(_) => false,
    };
    if !has_namespaces {
        gaps.push(Gap::Namespaces);
    }
    // SAFETY: asks for the version and changes nothing.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0, 0, 1) };
    if version < 1 {
        gaps.push(Gap::Landlock);
    }
    gaps
}

const NAMESPACES: CloneFlags = CloneFlags::CLONE_NEWUSER
    .union(CloneFlags::CLONE_NEWNS)
    .union(CloneFlags::CLONE_NEWPID)
    .union(CloneFlags::CLONE_NEWNET)
    .union(CloneFlags::CLONE_NEWIPC)
    .union(CloneFlags::CLONE_NEWUTS);

/// Runs a command in a sandbox and waits for it. The calling process must have no other thread, and is inside afterwards, too.
pub fn run(sandbox: &Sandbox, command: &[OsString]) -> Made<Ended> {
    let directory = std::env::current_dir().doing("find the working directory")?;
    let exists = |path: &PathBuf| path.canonicalize().ok();
    let allowed: Vec<PathBuf> = sandbox.allowed.iter().filter_map(exists).collect();
    if !has_namespaces(sandbox)? {
        let child = start(&directory, &allowed, command)?;
        return ended(child);
    }
    let (read, write) = pipe().doing("make a pipe")?;
    // SAFETY: this process has a single thread, so the child may call any function.
    match unsafe { fork() }.doing("fork")? {
        ForkResult::Parent { child } => {
            drop(write);
            let mut said = String::new();
            fs::File::from(read).read_to_string(&mut said).doing("read from its first process")?;
            waitpid(child, None).doing("wait for its first process")?;
            told(&said)
        }
        ForkResult::Child => {
            drop(read);
            let outcome = first(&directory, &allowed, command);
            tell(write, &outcome);
            // SAFETY: ends the process immediately, and with it all others in its namespace.
            unsafe { libc::_exit(0) }
        }
    }
}

/// Makes the namespaces. The next child is the first process in them.
fn has_namespaces(sandbox: &Sandbox) -> Made<bool> {
    let (user, group) = (getuid(), getgid());
    if unshare(NAMESPACES).is_err() {
        return if sandbox.is_partial { Ok(false) } else { Err(Error::Gap(Gap::Namespaces)) };
    }
    fs::write("/proc/self/setgroups", "deny").doing("give up its groups")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1")).doing("map its user")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1")).doing("map its group")?;
    Ok(true)
}

/// The first process: prepares the file system, starts the command and waits for it.
fn first(directory: &Path, allowed: &[PathBuf], command: &[OsString]) -> Made<Ended> {
    die_with_parent()?;
    prepare(directory, allowed, command)?;
    let child = start(directory, allowed, command)?;
    loop {
        match ended(child) {
            // Orphans are reaped meanwhile.
            Err(_) => continue,
            ended => return ended,
        }
    }
}

/// Makes the file system read-only except for the allowed paths, and hides secrets.
fn prepare(directory: &Path, allowed: &[PathBuf], command: &[OsString]) -> Made<()> {
    let none = None::<&str>;
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(none, "/", none, private, none).doing("make its mounts private")?;
    for path in allowed {
        let bind = MsFlags::MS_BIND | MsFlags::MS_REC;
        mount(Some(path), path, none, bind, none).doing(format!("mount {}", path.display()))?;
    }
    set_read_only(Path::new("/"), true)?;
    for path in allowed {
        set_read_only(path, false)?;
    }
    let hides = |path: &PathBuf| {
        !allowed.iter().any(|allowed| allowed.starts_with(path) || path.starts_with(allowed))
    };
    for path in secrets::paths().into_iter().filter(hides) {
        hide(&path)?;
    }
    // A command that uses files in /dev/shm sees the real one, and can write only to the allowed ones.
    let words = command.iter().map(Path::new);
    let mut used = allowed.iter().map(PathBuf::as_path).chain([directory]).chain(words);
    if Path::new(SHARED).is_dir() && !used.any(|path| path.starts_with(SHARED)) {
        let quiet = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
        mount(Some("tmpfs"), SHARED, Some("tmpfs"), quiet, none).doing("mount /dev/shm")?;
    }
    let quiet = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    mount(Some("proc"), "/proc", Some("proc"), quiet, none).doing("mount /proc")
}

/// Covers a directory with an empty one, a file with `/dev/null`.
fn hide(path: &Path) -> Made<()> {
    let none = None::<&str>;
    let covered = match path.is_dir() {
        true => {
            mount(Some("tmpfs"), path, Some("tmpfs"), MsFlags::MS_RDONLY, Some("size=4k,mode=555"))
        }
        false => mount(Some("/dev/null"), path, none, MsFlags::MS_BIND, none),
    };
    covered.doing(format!("hide {}", path.display()))
}

/// Makes a mount and everything below it read-only or writable.
fn set_read_only(path: &Path, read_only: bool) -> Made<()> {
    let (set, clear) = if read_only {
        (libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID, 0)
    } else {
        (0, libc::MOUNT_ATTR_RDONLY)
    };
    let attributes =
        libc::mount_attr { attr_set: set, attr_clr: clear, propagation: 0, userns_fd: 0 };
    let name = c_string(path.as_os_str().as_bytes())?;
    // SAFETY: the path and the attributes live through the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            name.as_ptr(),
            libc::AT_RECURSIVE,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    match result {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()).doing(format!(
            "make {} {}",
            path.display(),
            if read_only { "read-only" } else { "writable" }
        )),
    }
}

/// Starts the command without any rights.
fn start(directory: &Path, allowed: &[PathBuf], command: &[OsString]) -> Made<Pid> {
    let words: Vec<CString> =
        command.iter().map(|word| c_string(word.as_bytes())).collect::<Made<_>>()?;
    let variables = secrets::environment()
        .map(|(name, value)| c_string(&[name.as_bytes(), b"=", value.as_bytes()].concat()));
    let variables: Vec<CString> = variables.collect::<Made<_>>()?;
    let program = words.first().cloned().ok_or(Error::Arguments)?;
    let filter = filter()?;
    // SAFETY: this process has a single thread, so the child may call any function.
    match unsafe { fork() }.doing("fork")? {
        ForkResult::Parent { child } => Ok(child),
        ForkResult::Child => {
            let entered = chdir(directory)
                .doing("enter the working directory")
                .and_then(|()| give_up_rights(allowed, &filter));
            let error = match entered {
                Ok(()) => nix::unistd::execvpe(&program, &words, &variables)
                    .doing(format!("run {}", command[0].display()))
                    .err(),
                Err(error) => Some(error),
            };
            if let Some(error) = error {
                eprintln!("lop: {error}");
            }
            // SAFETY: ends the child immediately; a shell reports a program that cannot be run with this code.
            unsafe { libc::_exit(126) }
        }
    }
}

/// Limits, capabilities, Landlock and the filter of system calls.
fn give_up_rights(allowed: &[PathBuf], filter: &BpfProgram) -> Made<()> {
    die_with_parent()?;
    lower(Resource::RLIMIT_NPROC, PROCESSES)?;
    lower(Resource::RLIMIT_NOFILE, FILES)?;
    // User 0 would regain all capabilities with the next program.
    let bits = libc::SECBIT_NOROOT
        | libc::SECBIT_NOROOT_LOCKED
        | libc::SECBIT_NO_SETUID_FIXUP
        | libc::SECBIT_NO_SETUID_FIXUP_LOCKED;
    // SAFETY: these calls take numbers only. Without a namespace there are no capabilities to give up, so their results
    // do not matter there.
    unsafe {
        libc::prctl(libc::PR_SET_SECUREBITS, bits);
        for capability in 0..64 {
            libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0);
        }
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    }
    nix::sys::prctl::set_no_new_privs().doing("forbid new rights")?;
    restrict_files(allowed)?;
    seccompiler::apply_filter(filter).doing("filter system calls")
}

fn lower(resource: Resource, limit: u64) -> Made<()> {
    let (_, hard) = nix::sys::resource::getrlimit(resource).doing("read its limits")?;
    let limit = limit.min(hard);
    setrlimit(resource, limit, limit).doing("set its limits")
}

/// Landlock: everything can be read, only allowed paths and devices can be written, no port can be used, and no process
/// outside can be signalled.
fn restrict_files(allowed: &[PathBuf]) -> Made<()> {
    let abi = ABI::V6;
    let (read, all) = (AccessFs::from_read(abi), AccessFs::from_all(abi));
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)
        .and_then(|set| set.handle_access(AccessNet::from_all(abi)))
        .and_then(|set| set.scope(Scope::from_all(abi)))
        .and_then(Ruleset::create)
        .doing("use Landlock")?;
    let fixed = [("/", read), ("/dev", all), ("/proc", all)]
        .map(|(path, access)| (PathBuf::from(path), access));
    let paths = fixed.into_iter().chain(allowed.iter().map(|path| (path.clone(), all)));
    let mut ruleset = ruleset;
    for (path, access) in paths {
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
        let opened = PathFd::new(&path).doing(format!("open {}", path.display()))?;
        ruleset = ruleset.add_rule(PathBeneath::new(opened, access)).doing("use Landlock")?;
    }
    let status = ruleset.restrict_self().doing("use Landlock")?;
    debug_assert!(status.ruleset != RulesetStatus::FullyEnforced || status.no_new_privs);
    Ok(())
}

/// System calls that no test needs: they would expose more of the kernel, and more of its bugs.
const FORBIDDEN: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
];

/// A filter that allows sockets between this machine's processes, and no others.
fn filter() -> Made<BpfProgram> {
    let is_other =
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, libc::AF_UNIX as u64);
    let other =
        SeccompRule::new(vec![is_other.doing("filter sockets")?]).doing("filter sockets")?;
    let forbidden = FORBIDDEN.iter().map(|call| (*call, Vec::new()));
    let rules = forbidden.chain([(libc::SYS_socket, vec![other])]).collect();
    let arch = TargetArch::try_from(std::env::consts::ARCH).doing("filter system calls")?;
    let denied = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, denied, arch)
        .doing("filter system calls")?;
    BpfProgram::try_from(filter).doing("filter system calls")
}

fn die_with_parent() -> Made<()> {
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).doing("follow its parent")
}

/// Waits for a child.
fn ended(child: Pid) -> Made<Ended> {
    loop {
        match waitpid(None, None) {
            Ok(WaitStatus::Exited(pid, code)) if pid == child => return Ok(Ended::Exit(code)),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == child => {
                return Ok(Ended::Signal(signal as i32));
            }
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(error) => return Err(error).doing("wait for the command"),
        }
    }
}

/// Reports through a pipe how a command ended.
fn tell(pipe: OwnedFd, outcome: &Made<Ended>) {
    let said = match outcome {
        Ok(Ended::Exit(code)) => format!("exit {code}"),
        Ok(Ended::Signal(signal)) => format!("signal {signal}"),
        Err(error) => format!("error {error}"),
    };
    // The write fails if the caller was killed.
    let _ = fs::File::from(pipe).write_all(said.as_bytes());
}

fn told(said: &str) -> Made<Ended> {
    let number = |text: &str| text.parse::<i32>().map_err(|_| Error::Arguments);
    match said.split_once(' ') {
        Some(("exit", code)) => number(code).map(Ended::Exit),
        Some(("signal", signal)) => number(signal).map(Ended::Signal),
        Some((_, error)) => Err(Error::System { doing: "be prepared".into(), why: error.into() }),
        None => Ok(Ended::Signal(libc::SIGKILL)),
    }
}

fn c_string(bytes: &[u8]) -> Made<CString> {
    CString::new(bytes).doing("use a word with a zero byte")
}

impl Ended {
    /// Ends this process in the same way as the command.
    pub fn follow(self) -> ! {
        if let Ended::Signal(number) = self
            && let Ok(number) = Signal::try_from(number)
        {
            // SAFETY: this installs no handler, but restores the default action.
            let _ = unsafe { signal(number, SigHandler::SigDfl) };
            let _ = raise(number);
        }
        let code = match self {
            Ended::Exit(code) => code,
            Ended::Signal(number) => 128 + number,
        };
        std::process::exit(code)
    }
}
