//! A real server on this machine: buildbox-casd, which stores, remembers and executes, each test in a sandbox.

use std::fs;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// A server, which is killed when this is dropped.
pub(crate) struct Cluster {
    tools: PathBuf,
    place: tempfile::TempDir,
    port: u16,
    mounts: Vec<String>,
    process: Option<Child>,
}

/// The directories of this machine that tests see.
const MOUNTS: [&str; 5] =
    ["/usr:/usr", "/usr/bin:/bin", "/usr/lib:/lib", "/usr/lib64:/lib64", "/etc:/etc"];

/// Where buildbox-casd is: in the directory LOP_TEST_BUILDBOX, or on the PATH. If it or a sandbox is missing, the test is skipped with a message;
/// with LOP_TEST_ALL it fails.
fn tools() -> Option<PathBuf> {
    let named = std::env::var_os("LOP_TEST_BUILDBOX").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = named.into_iter().chain(std::env::split_paths(&path));
    let found = places.into_iter().find(|place| place.join("buildbox-casd").is_file());
    let sandbox = || {
        let mut command = Command::new("bwrap");
        command.args(["--dev-bind", "/", "/", "true"]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let missing = match &found {
        None => "buildbox-casd is not installed",
        Some(_) if !sandbox() => "bubblewrap makes no sandbox here",
        Some(_) => return found,
    };
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let may_lack = !is_set("LOP_TEST_ALL") || is_set("LOP_TEST_NO_REMOTE");
    assert!(may_lack, "{missing}");
    eprintln!("skipped: {missing}");
    None
}

impl Cluster {
    /// Starts a server that runs eight tests at the same time.
    pub(crate) fn start() -> Option<Cluster> {
        Cluster::with_mounts(MOUNTS.map(String::from).to_vec())
    }

    /// Starts a server whose sandbox has a directory that does not exist.
    pub(crate) fn start_broken() -> Option<Cluster> {
        let mounts = MOUNTS.iter().chain(&["/no/such/directory:/data"]);
        Cluster::with_mounts(mounts.map(|mount| mount.to_string()).collect())
    }

    fn with_mounts(mounts: Vec<String>) -> Option<Cluster> {
        let tools = tools()?;
        let place = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut cluster = Cluster { tools, place, port, mounts, process: None };
        cluster.restart();
        Some(cluster)
    }

    /// Starts the server, which remembers what it knew before.
    pub(crate) fn restart(&mut self) {
        assert!(self.process.is_none());
        let log = fs::File::create(self.log()).unwrap();
        let mut command = Command::new(self.tools.join("buildbox-casd"));
        command
            .arg(format!("--bind=127.0.0.1:{}", self.port))
            .arg(format!("--buildbox-run={}", self.tools.join("buildbox-run").display()))
            .args(self.mounts.iter().map(|mount| format!("--runner-arg=--ro-bind-mount={mount}")))
            .args(["--jobs=8", "--quota-high=2G", "--reserved=1M"])
            .arg(self.cache())
            .env("PATH", self.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .process_group(0);
        self.process = Some(command.spawn().unwrap());
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let has_ended = self.process.as_mut().unwrap().try_wait().unwrap().is_some();
            assert!(!has_ended && started.elapsed() < Duration::from_secs(60), "{}", self.logged());
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn path(&self) -> std::ffi::OsString {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = std::iter::once(self.tools.clone()).chain(std::env::split_paths(&path));
        std::env::join_paths(places).unwrap()
    }

    fn cache(&self) -> PathBuf {
        self.place.path().join("cache")
    }

    fn log(&self) -> PathBuf {
        self.place.path().join("log")
    }

    fn logged(&self) -> String {
        fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// Kills the server with everything that it runs.
    pub(crate) fn kill(&mut self) {
        self.end(Signal::KILL);
        // The file systems that its tests saw are left behind.
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
        let places = mounts.lines().filter_map(|line| line.split(' ').nth(1));
        for place in places.filter(|place| Path::new(place).starts_with(self.place.path())) {
            let mut command = Command::new("umount");
            let _ = command.args(["--lazy", place]).stderr(Stdio::null()).status();
        }
    }

    fn end(&mut self, signal: Signal) {
        let Some(mut process) = self.process.take() else { return };
        let group = Pid::from_raw(process.id() as i32).unwrap();
        let _ = kill_process_group(group, signal);
        let _ = process.wait();
    }

    /// Makes a server that was killed forget all contents and results.
    pub(crate) fn forget(&self) {
        assert!(self.process.is_none());
        // What was killed may still write for a moment.
        wait_for("the cache is removed", || {
            let _ = fs::remove_dir_all(self.cache());
            !self.cache().exists()
        });
    }

    /// Kills the processes that run tests at this moment, not the server; says how many there were.
    pub(crate) fn kill_runners(&self) -> usize {
        let server = self.process.as_ref().unwrap().id();
        let runners = processes()
            .into_iter()
            .filter(|process| process.parent == server && process.command.contains("buildbox-run"));
        runners
            .map(|runner| kill_process(Pid::from_raw(runner.id as i32).unwrap(), Signal::KILL))
            .filter(Result::is_ok)
            .count()
    }

    pub(crate) fn address(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end(Signal::TERM);
        self.kill();
        // What was killed may still write for a moment.
        let _ = (0..100).any(|_| {
            thread::sleep(Duration::from_millis(20));
            fs::remove_dir_all(self.place.path()).is_ok()
        });
    }
}

struct Process {
    id: u32,
    parent: u32,
    command: String,
}

fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter_map(|id: u32| {
        let read = |name: &str| {
            let mut content = Vec::new();
            let path = Path::new("/proc").join(id.to_string()).join(name);
            fs::File::open(path).ok()?.read_to_end(&mut content).ok()?;
            Some(String::from_utf8_lossy(&content).replace('\0', " "))
        };
        let stat = read("stat")?;
        // The name of the program, which may have blanks, is in brackets.
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        Some(Process { id, parent, command: read("cmdline")? })
    })
    .collect()
}

/// Whether any process has these words in its command line.
pub(crate) fn is_running(words: &str) -> bool {
    processes().iter().any(|process| process.command.contains(words))
}

/// Waits until something is so.
pub(crate) fn wait_for(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}
