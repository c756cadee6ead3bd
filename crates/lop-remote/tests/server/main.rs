//! Tests against a real server, in which it and its workers fail. The result is that of a local run each time.
#![cfg(target_os = "linux")]

mod cluster;
mod secrets;

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use cluster::{Cluster, is_running, wait_for};
use lop::oracle::command::{Argument, CommandLine, CommandOracle, Supervisor, TimeLimit};
use lop::oracle::execute::{self, Beside, Execute, Local, Request, Setup};
use lop::oracle::{Outcome, Property, Requirement};
use lop::strategy::Effort;
use lop::{Bundle, Cancel, Candidate, InputFile, Limits, Reduction, Status, Strategy};
use lop_remote::{Access, Kind, Options, Remote};

/// A test, with the place that it is in.
pub(crate) struct Test {
    place: tempfile::TempDir,
    setup: Setup,
}

impl Test {
    fn new(script: &str) -> Test {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("check.sh");
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        let (name, beside) = ("in.txt".into(), Vec::new());
        let setup = Setup { name, executable: false, bundle: None, beside, workers: 4 };
        Test { place, setup }
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let file = self.place.path().join(name);
        fs::write(&file, content).unwrap();
        file
    }

    fn command(&self) -> CommandLine {
        // Not the script itself: it cannot be executed while a process that another test starts has it open.
        let script = Argument::plain(self.place.path().join("check.sh"));
        let args = vec![script, Argument::candidate()];
        CommandLine { program: "/bin/sh".into(), args, env: Vec::new(), reads_candidate: true }
    }

    fn local(&self) -> Arc<dyn Execute> {
        Arc::new(Local::new(&self.command(), self.setup.clone()).unwrap())
    }

    fn options(&self, cluster: &Cluster) -> Options {
        let mut access = Access::new(cluster.address().parse().unwrap());
        access.patience = Duration::from_secs(60);
        Options::new(access, self.command(), self.setup.clone())
    }

    fn remote(&self, cluster: &Cluster) -> Arc<Remote> {
        Arc::new(Remote::new(self.options(cluster), &Cancel::default()).unwrap())
    }
}

fn request(candidate: &Candidate) -> Request<'_> {
    // Longer than any test waits for something.
    let limits = Limits { time: Duration::from_secs(300), ..Limits::default() };
    let mut request = Request::new(candidate, limits);
    request.wants_output = true;
    request
}

fn candidate(text: impl Into<Vec<u8>>) -> Candidate {
    Candidate::whole(&Arc::new(text.into()))
}

fn run(executor: &dyn Execute, text: impl Into<Vec<u8>>) -> Result<Outcome, execute::Error> {
    executor.execute(0, &request(&candidate(text)), &Cancel::default())
}

/// The result of a reduction, with the number of tests.
fn reduce(executor: Arc<dyn Execute>, setup: &Setup, text: &[u8]) -> (String, u64) {
    reduce_by(Strategy::Default(Effort::Usual), Duration::from_secs(30), executor, setup, text)
}

/// The same with another strategy and time limit.
fn reduce_by(
    strategy: Strategy,
    time: Duration,
    executor: Arc<dyn Execute>,
    setup: &Setup,
    text: &[u8],
) -> (String, u64) {
    let time = TimeLimit::Fixed(time);
    let supervisor = Supervisor::new(executor, Limits::default(), time);
    let oracle = CommandOracle::new(supervisor, Property::new(vec![Requirement::Exit(0)]));
    let mut reduction = Reduction::new(Arc::new(text.to_vec()), &oracle);
    reduction.strategy = strategy;
    reduction.workers = setup.workers;
    reduction.bundle = setup.bundle.clone();
    let report = reduction.run().unwrap();
    assert_eq!(report.confirmed, Some(true));
    (String::from_utf8(report.best.text.to_vec()).unwrap(), report.counts.tests)
}

const INPUT: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const KEEPS_TWO: &str = "grep -q three \"$1\" && grep -q eight in.txt && [ $(wc -l) -lt 11 ]";

#[test]
fn the_result_is_that_of_a_local_run() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new(KEEPS_TWO);
    let local = reduce(test.local(), &test.setup, INPUT.as_bytes());
    assert_eq!(reduce(test.remote(&cluster), &test.setup, INPUT.as_bytes()), local);
}

#[test]
fn several_files_and_files_beside_them_arrive() {
    let Some(cluster) = Cluster::start() else { return };
    let mut test = Test::new(
        "[ -x bin/tool ] && grep -qf pattern.txt a.txt && ./bin/tool < /dev/null && ! read x",
    );
    let mut files = [
        InputFile::new("a.txt", "x\ny\nneedle\nz\n"),
        InputFile::new("bin/tool", "#!/bin/sh\ntrue\n# more\n"),
    ];
    files[1].kind = lop::FileKind::Regular(0o755);
    let (bundle, text) = Bundle::pack(None, &files);
    test.setup.beside = vec![Beside::copy(test.file("pattern.txt", "needle"), "pattern.txt")];
    test.setup.bundle = Some(bundle);
    let local = reduce(test.local(), &test.setup, &text);
    assert!(local.0.contains("needle") && !local.0.contains("more"), "{local:?}");
    assert_eq!(reduce(test.remote(&cluster), &test.setup, &text), local);
}

#[test]
fn output_and_status_come_back_as_from_this_machine() {
    let Some(cluster) = Cluster::start() else { return };
    let script = "case $(cat) in
        exit) echo out; printf err >&2; exit 7 ;;
        137) exit 137 ;;
        signal) echo before; kill -SEGV $$ ;;
        killed) kill -KILL $$ ;;
        large) head -c 9000000 /dev/zero ;;
        *) printf 'no line end' ;;
    esac";
    let test = Test::new(script);
    let (local, remote) = (test.local(), test.remote(&cluster));
    for text in ["exit", "137", "signal", "killed", "large", "other"] {
        let (here, there) = (run(&*local, text).unwrap(), run(&*remote, text).unwrap());
        assert_eq!(there.status, here.status, "{text}");
        assert!(there.stdout == here.stdout && there.stderr == here.stderr, "{text}");
        assert!(!there.elapsed.is_zero());
    }
}

#[test]
fn candidates_that_hang_or_crash_lead_to_the_result_of_a_local_run() {
    let Some(cluster) = Cluster::start() else { return };
    let script = "grep -q two in.txt || sleep 86399.75; grep -q five in.txt || kill -SEGV $$; grep -q three in.txt";
    let test = Test::new(script);
    let mut options = test.options(&cluster);
    options.has_exact_time = true;
    let remote = Arc::new(Remote::new(options, &Cancel::default()).unwrap());
    let reduce = |executor: Arc<dyn Execute>| {
        let strategy: Strategy = "ddmin:lines*".parse().unwrap();
        reduce_by(strategy, Duration::from_secs(2), executor, &test.setup, INPUT.as_bytes())
    };
    let local = reduce(test.local());
    assert_eq!(local.0, "two\nthree\nfive\n");
    assert_eq!(reduce(remote), local);
    wait_for("all tests are gone", || !is_running("86399.75"));
}

#[test]
fn two_clients_that_reduce_the_same_have_the_result_of_a_local_run() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new(KEEPS_TWO);
    let local = reduce(test.local(), &test.setup, INPUT.as_bytes());
    let remotes = [test.remote(&cluster), test.remote(&cluster)];
    let reduce = |remote: Arc<Remote>| reduce(remote, &test.setup, INPUT.as_bytes());
    thread::scope(|scope| {
        for reducing in remotes.map(|remote| scope.spawn(|| reduce(remote))) {
            assert_eq!(reducing.join().unwrap(), local);
        }
    });
}

#[test]
fn a_worker_that_is_killed_in_a_test_changes_nothing() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new(&format!("sleep 0.2\n{KEEPS_TWO}"));
    let local = reduce(test.local(), &test.setup, INPUT.as_bytes());
    let (remote, is_done) = (test.remote(&cluster), AtomicBool::new(false));
    let killed = thread::scope(|scope| {
        let killer = scope.spawn(|| {
            let mut killed = 0;
            while !is_done.load(Ordering::SeqCst) && killed < 6 {
                killed += cluster.kill_runners();
                thread::sleep(Duration::from_millis(1500));
            }
            killed
        });
        assert_eq!(reduce(remote, &test.setup, INPUT.as_bytes()).0, local.0);
        is_done.store(true, Ordering::SeqCst);
        killer.join().unwrap()
    });
    assert!(killed > 0);
}

#[test]
fn a_server_that_is_killed_and_comes_back_changes_nothing() {
    for forgets in [false, true] {
        let Some(mut cluster) = Cluster::start() else { return };
        let test = Test::new(&format!("sleep 0.2\n{KEEPS_TWO}"));
        let local = reduce(test.local(), &test.setup, INPUT.as_bytes());
        let remote = test.remote(&cluster);
        thread::scope(|scope| {
            let reducing = scope.spawn(|| reduce(remote, &test.setup, INPUT.as_bytes()));
            thread::sleep(Duration::from_secs(1));
            cluster.kill();
            if forgets {
                cluster.forget();
            }
            thread::sleep(Duration::from_secs(2));
            assert!(!reducing.is_finished());
            cluster.restart();
            assert_eq!(reducing.join().unwrap(), local, "{forgets}");
        });
    }
}

#[test]
fn a_server_that_stays_away_ends_the_run() {
    let Some(mut cluster) = Cluster::start() else { return };
    let test = Test::new("true");
    let mut options = test.options(&cluster);
    options.access.patience = Duration::from_secs(1);
    let remote = Remote::new(options, &Cancel::default()).unwrap();
    cluster.kill();
    match run(&remote, "x") {
        Err(execute::Error::Broken(error)) => {
            assert!(error.to_string().contains("has been away for"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_test_that_is_cancelled_is_gone_soon() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("sleep 86399.125");
    let remote = test.remote(&cluster);
    let cancel = Cancel::default();
    let outcome = thread::scope(|scope| {
        let running =
            scope.spawn(|| remote.execute(0, &request(&candidate("x")), &cancel).unwrap());
        wait_for("the test starts", || is_running("86399.125"));
        cancel.cancel();
        running.join().unwrap()
    });
    assert_eq!(outcome.status, Status::Cancelled);
    wait_for("the test is gone", || !is_running("86399.125"));
}

#[test]
fn the_end_of_a_run_cancels_what_still_runs() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("sleep 86399.25");
    let remote = test.remote(&cluster);
    let cancel = Cancel::default();
    thread::scope(|scope| {
        scope.spawn(|| remote.execute(0, &request(&candidate("x")), &cancel));
        wait_for("the test starts", || is_running("86399.25"));
        cancel.cancel();
    });
    drop(remote);
    wait_for("the test is gone", || !is_running("86399.25"));
}

#[test]
fn a_test_that_takes_too_long_is_ended() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("sleep 86399.5");
    let remote = test.remote(&cluster);
    let candidate = candidate("x");
    let mut request = request(&candidate);
    request.limits.time = Duration::from_millis(700);
    let outcome = remote.execute(0, &request, &Cancel::default()).unwrap();
    assert_eq!(outcome.status, Status::TimedOut);
    wait_for("the test is gone", || !is_running("86399.5"));
}

#[test]
fn identical_actions_at_once_are_all_answered() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("sleep 1; exit 3");
    let remotes: Vec<_> = (0..4).map(|_| test.remote(&cluster)).collect();
    thread::scope(|scope| {
        let running: Vec<_> =
            remotes.iter().map(|remote| scope.spawn(|| run(&**remote, "same").unwrap())).collect();
        for outcome in running {
            assert_eq!(outcome.join().unwrap().status, Status::Exit(3));
        }
    });
}

#[test]
fn one_client_that_cancels_does_not_end_the_test_of_another() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("sleep 2.0625; exit 3");
    let remotes = [test.remote(&cluster), test.remote(&cluster)];
    let cancel = Cancel::default();
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            let executor: Arc<dyn Execute> = remotes[1].clone();
            let time = TimeLimit::Fixed(Duration::from_secs(30));
            let supervisor = Supervisor::new(executor, Limits::default(), time);
            supervisor.run(0, &candidate("same"), true, &Cancel::default()).unwrap()
        });
        scope.spawn(|| remotes[0].execute(0, &request(&candidate("same")), &cancel));
        wait_for("the test starts", || is_running("2.0625"));
        thread::sleep(Duration::from_millis(300));
        cancel.cancel();
        assert_eq!(other.join().unwrap().status, Status::Exit(3));
    });
}

#[test]
fn a_result_is_remembered_for_other_clients_and_a_repetition_is_a_new_run() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("head -c 20 /dev/urandom | cksum");
    let (one, other) = (test.remote(&cluster), test.remote(&cluster));
    let first = run(&*one, "x").unwrap().stdout;
    assert_eq!(run(&*other, "x").unwrap().stdout, first, "the server remembers");
    assert_ne!(run(&*one, "x").unwrap().stdout, first, "the client wants to know again");
    assert_ne!(run(&*one, "y").unwrap().stdout, first);

    let mut options = test.options(&cluster);
    options.is_flaky = true;
    let flaky = Remote::new(options, &Cancel::default()).unwrap();
    assert_ne!(run(&flaky, "x").unwrap().stdout, first, "a flaky test is never remembered");
}

#[test]
fn candidates_may_be_larger_than_a_message() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("cksum < \"$1\"; cksum");
    let (local, remote) = (test.local(), test.remote(&cluster));
    for size in [4_200_000, 13_000_000] {
        let text: Vec<u8> = (0..size).map(|number: u64| (number * number / 7) as u8).collect();
        let (here, there) = (run(&*local, text.clone()).unwrap(), run(&*remote, text).unwrap());
        assert_eq!(there.stdout, here.stdout, "{size}");
    }

    let test = Test::new("grep -q needle in.txt && [ $(wc -c <in.txt) -gt 5000000 ]");
    let line = "x".repeat(1 << 20);
    let text =
        format!("{}needle\n{}", format!("{line}\n").repeat(5), format!("{line}\n").repeat(2));
    let reduce = |executor: Arc<dyn Execute>| {
        let strategy: Strategy = "ddmin:lines*".parse().unwrap();
        reduce_by(strategy, Duration::from_secs(30), executor, &test.setup, text.as_bytes())
    };
    let local = reduce(test.local());
    assert!(reduce(test.remote(&cluster)) == local && local.0.len() < text.len());
}

#[test]
fn a_broken_sandbox_is_reported_with_the_words_of_the_worker() {
    let Some(cluster) = Cluster::start_broken() else { return };
    let error = Remote::new(Test::new("true").options(&cluster), &Cancel::default()).err().unwrap();
    assert!(error.to_string().contains("/no/such/directory"), "{error}");
    assert!(error.cure().contains("--remote-property"), "{}", error.cure());
}

#[test]
fn a_worker_without_the_interpreter_of_the_test_is_reported() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("true");
    let file = test.place.path().join("check.sh");
    fs::write(&file, "#!/no/such/interpreter\n").unwrap();
    let mut options = test.options(&cluster);
    options.command.program = file;
    let error = Remote::new(options, &Cancel::default()).err().unwrap();
    assert!(error.to_string().contains("has no `/no/such/interpreter`"), "{error}");
}

#[test]
fn a_test_that_kills_the_script_around_it_is_lost_and_never_remembered() {
    let Some(cluster) = Cluster::start() else { return };
    let test = Test::new("kill -KILL $PPID; sleep 0.1; exit 0");
    for remote in [test.remote(&cluster), test.remote(&cluster)] {
        assert!(matches!(run(&*remote, "x"), Err(execute::Error::Lost(_))));
    }
}

#[test]
fn a_server_that_is_not_there_is_reported_immediately() {
    let Some(mut cluster) = Cluster::start() else { return };
    cluster.kill();
    let error = Remote::new(Test::new("true").options(&cluster), &Cancel::default()).err().unwrap();
    assert!(error.to_string().contains("cannot reach the server"), "{error}");
}

#[test]
fn a_server_that_never_answers_is_left_when_the_user_wants_to() {
    // It takes connections, and nothing else.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("grpc://{}", listener.local_addr().unwrap());
    let test = Test::new("true");
    let access = Access::new(address.parse().unwrap());
    let options = Options::new(access, test.command(), test.setup.clone());
    let cancel = Cancel::default();
    thread::scope(|scope| {
        let opening = scope.spawn(|| Remote::new(options, &cancel).err().unwrap());
        let (_connection, _) = listener.accept().unwrap();
        cancel.cancel();
        assert_eq!(opening.join().unwrap().kind(), Kind::Cancelled);
    });
}
