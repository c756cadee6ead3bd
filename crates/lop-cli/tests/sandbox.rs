//! `--sandbox` and `lop sandbox`: what a candidate cannot do.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::Command;

use common::{Output, Place, finished, start};

/// A place, if this machine has what a sandbox is made of.
fn place() -> Option<Place> {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let has =
        Command::new("unshare").args(["-Ur", "true"]).status().is_ok_and(|status| status.success());
    let may_lack = !is_set("LOP_TEST_ALL") || is_set("LOP_TEST_NO_SANDBOX");
    assert!(has || may_lack, "there are no user namespaces");
    if !has {
        eprintln!("skipped: there are no user namespaces");
    }
    has.then(Place::new)
}

/// Runs a shell script in the sandbox, with a home directory of its own.
fn inside(place: &Place, script: &str) -> Output {
    let mut lop = place.command(env!("CARGO_BIN_EXE_lop"));
    lop.args(["sandbox", "--", "/bin/sh", "-c", script]).env("HOME", place.outside("home"));
    finished(start(&mut lop))
}

#[test]
fn a_command_writes_in_its_directory_and_nowhere_else() {
    let Some(place) = place() else { return };
    let outside = place.outside("outside");
    let script =
        format!("echo in > mine; echo out > {}; echo out > /tmp/lop-was-here", outside.display());
    inside(&place, &script);
    assert_eq!(place.read("mine"), b"in\n");
    assert!(!outside.exists() && !fs::exists("/tmp/lop-was-here").unwrap());
}

#[test]
fn what_is_allowed_is_written_too() {
    let Some(place) = place() else { return };
    let shared = place.outside("shared");
    fs::create_dir(&shared).unwrap();
    let touch = format!("touch {}/new", shared.display());
    place.lop(["sandbox", "--", "/bin/sh", "-c", &touch]).expect(1, &["Read-only"]);
    let allow = shared.to_str().unwrap();
    place.lop(["sandbox", "--allow", allow, "--", "/bin/sh", "-c", &touch]).expect(0, &[]);
    assert!(shared.join("new").exists());
}

#[test]
fn shared_memory_is_private_unless_the_candidates_are_there() {
    let Some(place) = place() else { return };
    let name = format!("/dev/shm/lop-test-{}", std::process::id());
    let output = inside(&place, &format!("echo out > {name}; cat {name}"));
    assert_eq!(output.stdout, "out\n");
    assert!(!fs::exists(&name).unwrap());
    fs::create_dir(&name).unwrap();
    place.write("input.txt", "one\ntwo\nthree\n");
    let mut lop = place.command(env!("CARGO_BIN_EXE_lop"));
    lop.args(["--sandbox", "--quiet", "--exit", "0", "input.txt"]);
    lop.args(["--", "grep", "-q", "two", "{}"]);
    let output = finished(start(lop.env("TMPDIR", &name)));
    fs::remove_dir_all(&name).unwrap();
    output.expect(0, &[]);
}

#[test]
fn the_end_of_the_command_is_that_of_the_sandbox() {
    let Some(place) = place() else { return };
    assert_eq!(inside(&place, "exit 7").code, 7);
    let mut lop = place.command(env!("CARGO_BIN_EXE_lop"));
    let status = lop.args(["sandbox", "--", "/bin/sh", "-c", "kill -SEGV $$"]).status().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(11));
    place.lop(["sandbox", "--", "no-such-program"]).expect(126, &["cannot run no-such-program"]);
}

#[test]
fn neither_loopback_nor_the_sockets_of_the_machine_are_reached() {
    let Some(place) = place() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = |address: &str| {
        format!(
            "import socket\nfor kind in (socket.AF_INET, socket.AF_UNIX):\n  try: socket.socket(kind).connect({address}); print('reached')\n  except (OSError, TypeError) as error: pass"
        )
    };
    let tcp = connect(&format!("('127.0.0.1', {port})"));
    let reached = |script: &str| {
        place.write("connect.py", script);
        inside(&place, "python3 connect.py").stdout.contains("reached")
    };
    let outside = Command::new("python3").args(["-c", &tcp]).output().unwrap();
    assert!(
        String::from_utf8_lossy(&outside.stdout).contains("reached"),
        "it listens: {outside:?}"
    );
    assert!(!reached(&tcp));
    // A socket of a program that acts for the user, such as an agent of keys.
    let directory = place.outside("home").join(".gnupg");
    fs::create_dir_all(&directory).unwrap();
    let socket = directory.join("agent");
    let _agent = UnixListener::bind(&socket).unwrap();
    assert!(!reached(&connect(&format!("{:?}", socket.to_str().unwrap()))));
}

#[test]
fn keys_and_passwords_are_not_read() {
    let Some(place) = place() else { return };
    let home = place.outside("home");
    fs::create_dir_all(home.join(".ssh")).unwrap();
    fs::write(home.join(".ssh/id_rsa"), "the key").unwrap();
    fs::write(home.join(".netrc"), "the password").unwrap();
    fs::write(home.join("notes"), "the notes").unwrap();
    let mut lop = place.command(env!("CARGO_BIN_EXE_lop"));
    lop.args([
        "sandbox",
        "--",
        "/bin/sh",
        "-c",
        "cat ~/.ssh/id_rsa ~/.netrc ~/notes; echo $GITHUB_TOKEN; umount ~/.ssh; cat ~/.ssh/id_rsa",
    ]);
    lop.env("HOME", &home).env("GITHUB_TOKEN", "the token");
    let output = finished(start(&mut lop));
    assert_eq!(output.stdout.trim(), "the notes");
}

#[test]
fn other_processes_are_neither_seen_nor_signalled() {
    let Some(place) = place() else { return };
    let mut other = Command::new("sleep").arg("1000").spawn().unwrap();
    let pid = other.id();
    let output = inside(&place, &format!("kill -9 {pid}; kill -9 -1; ls /proc | grep -cx {pid}"));
    assert_eq!(output.stdout.trim(), "0");
    assert!(other.try_wait().unwrap().is_none(), "it still runs");
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn nothing_outlives_the_command() {
    let Some(place) = place() else { return };
    let left = place.path("left");
    inside(
        &place,
        "setsid sh -c 'trap \"\" TERM HUP; while :; do date >> left; sleep 0.01; done' > /dev/null 2>&1 & sleep 0.1",
    );
    let length = || fs::metadata(&left).map_or(0, |data| data.len());
    let before = length();
    assert!(before > 0, "it ran");
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(length(), before);
}

#[test]
fn rights_do_not_come_back() {
    let Some(place) = place() else { return };
    let output = inside(
        &place,
        "grep -c 'Cap...:.0000000000000000$' /proc/self/status; unshare -Urm sh -c 'mount -o remount,rw,bind /; touch /lop-was-here' && echo escaped",
    );
    assert_eq!(output.stdout.trim(), "5");
    assert!(!fs::exists("/lop-was-here").unwrap());
}

#[test]
fn a_reduction_in_the_sandbox_has_the_same_result() {
    let Some(place) = place() else { return };
    let outside = place.outside("outside");
    place.write("in.txt", "one\ntwo\nneedle\nthree\n");
    place.script(
        "test.sh",
        &format!("echo x >> {}; touch \"$TMPDIR\"/t; grep -q needle \"$1\"", outside.display()),
    );
    place.lop(["./test.sh", "in.txt", "--force"]).expect(0, &[]);
    let expected = place.read("in.lop.txt");
    assert!(outside.exists(), "without a sandbox, the test writes where it likes");
    fs::remove_file(&outside).unwrap();
    place.lop(["./test.sh", "in.txt", "--force", "--sandbox"]).expect(0, &[]);
    assert_eq!(place.read("in.lop.txt"), expected);
    assert!(!outside.exists());
}

#[test]
fn a_path_that_is_not_there_cannot_be_allowed() {
    let Some(place) = place() else { return };
    place.write("in.txt", "needle\n");
    place
        .lop(["in.txt", "--sandbox", "--allow", "nowhere", "--", "grep", "-q", "needle", "{}"])
        .expect(2, &["--allow: there is no `nowhere`"]);
}
