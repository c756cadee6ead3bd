//! `--remote`: tests on other machines, which here are the sandboxes of a real server on this one.
#![cfg(all(target_os = "linux", feature = "remote"))]

#[allow(dead_code)]
#[path = "../../lop-remote/tests/server/cluster.rs"]
mod cluster;
mod common;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use cluster::Cluster;
use common::{Output, Place, finished, start};

fn place() -> Place {
    let place = Place::new();
    place.write("in.c", "int a;\nint b;\nint main(void) { int x = 1; return x + b; }\nint c;\n");
    place.script("test.sh", "grep -q main in.c && grep -q 'int b' \"$1\"");
    place
}

/// Runs lop with the workers of a server.
fn lop(place: &Place, cluster: &Cluster, args: &[&str]) -> Output {
    let address = cluster.address();
    place.lop(["--remote", &address, "-j", "4"].iter().chain(args))
}

#[test]
fn the_result_is_that_of_a_local_run_byte_for_byte() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place();
    place.lop(["./test.sh", "in.c", "-o", "local.c"]).expect(0, &[]);
    lop(&place, &cluster, &["./test.sh", "in.c", "-o", "remote.c"]).expect(0, &[]);
    lop(&place, &cluster, &["./test.sh", "in.c", "-o", "mixed.c", "--local-jobs", "2"])
        .expect(0, &[]);
    assert!(place.read("local.c").len() < 40);
    assert_eq!(place.read("remote.c"), place.read("local.c"));
    assert_eq!(place.read("mixed.c"), place.read("local.c"));
    assert!(place.temporaries().is_empty());
}

#[test]
fn commands_directories_and_files_beside_them_are_sent() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place();
    place.write("beside.txt", "needle");
    place.write("dir/a.txt", "one\nneedle\nthree\n");
    place.write("dir/deep/b.txt", "more\n");
    let command = ["--", "grep -rqf beside.txt {} && test -z \"$HOME\" && echo $WORD && false"];
    let words = ["dir", "--with", "beside.txt", "--stdout", "."];
    let mut local = place.command(env!("CARGO_BIN_EXE_lop"));
    local.args(words).args(["-o", "local"]).args(command).env("HOME", "").env("WORD", "x");
    finished(start(&mut local)).expect(0, &[]);
    // A worker has no home, but this machine has one.
    let more = ["-o", "remote", "--remote-env", "WORD=x", "--no-local-check"];
    lop(&place, &cluster, &[&words[..], &more, &command].concat()).expect(0, &[]);
    assert_eq!(place.read("remote/a.txt"), place.read("local/a.txt"));
    assert_eq!(place.names_in("remote"), ["a.txt"]);
}

#[test]
fn choices_and_comparisons_use_workers_as_well() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::new();
    place.write("crash.bin", "xxAxxBxx");
    place.script("test.sh", "grep -q 'A.*B' crash.bin");
    let address = cluster.address();
    let remote = ["--remote", &address, "-j", "2", "./test.sh", "crash.bin"];
    place.lop(["tmin", "./test.sh", "crash.bin", "-o", "local.bin"]).expect(0, &[]);
    let tmin = ["tmin", "-o", "remote.bin"];
    place.lop(tmin.iter().chain(&remote)).expect(0, &[]);
    assert_eq!(place.read("remote.bin"), place.read("local.bin"));
    let compare = ["compare", "--strategies", "ddmin:bytes"];
    place.lop(compare.iter().chain(&remote)).expect(0, &[]);
    place.lop(["doctor"].iter().chain(&remote)).expect(0, &[]);
}

#[test]
fn a_batch_uses_workers_as_well() {
    let Some(cluster) = Cluster::start() else { return };
    let place = Place::new();
    place.write("crashes/one.txt", "a\nneedle\nb\n");
    place.write("crashes/two.txt", "c\nd\nneedle x\n");
    place.script("test.sh", "grep -q needle \"$1\"");
    let batch = ["batch", "--all", "--test", "./test.sh", "crashes", "-o"];
    place.lop(batch.iter().chain(&["local"])).expect(0, &[]);
    let address = cluster.address();
    place.lop(batch.iter().chain(&["remote", "--remote", &address, "-j", "2"])).expect(0, &[]);
    for name in place.names_in("local").iter().filter(|name| name.ends_with(".txt")) {
        let read = |run: &str| place.read(format!("{run}/{name}"));
        assert_eq!(read("remote"), read("local"), "{name}");
    }
    assert!(
        place.names_in("local").iter().any(|name| name.ends_with(".txt")),
        "{:?}",
        place.names_in("local")
    );
}

#[test]
fn what_only_workers_accept_is_reported_unless_nobody_wants_to_know() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place();
    let here = place.path("test.sh").display().to_string();
    place.script("there.sh", &format!("! [ -e {here} ] && grep -q main in.c"));
    let said = lop(&place, &cluster, &["./there.sh", "in.c"]);
    said.expect(8, &["the original is interesting on the workers", "--no-local-check"]);
    lop(&place, &cluster, &["--no-local-check", "./there.sh", "in.c"]).expect(0, &[]);

    // Accepted by both at first.
    let long = format!("grep -q main in.c && {{ ! [ -e {here} ] || [ $(wc -l <in.c) -gt 2 ]; }}");
    place.script("long.sh", &long);
    let said = lop(&place, &cluster, &["./long.sh", "in.c", "-o", "out.c"]);
    said.expect(8, &["the result `out.c` is interesting on the workers", "not on this machine"]);
    assert!(place.path("out.c").exists());
}

#[test]
fn a_test_that_needs_what_workers_lack_is_told_so() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place();
    let here = place.path("test.sh").display().to_string();
    place.script("here.sh", &format!("[ -e {here} ] && grep -q main in.c"));
    let said = lop(&place, &cluster, &["./here.sh", "in.c"]);
    said.expect(3, &["does not accept the original", "--with and --remote-env"]);
}

#[test]
fn no_secret_is_printed_or_written() {
    let Some(cluster) = Cluster::start() else { return };
    let place = place();
    fs::write(place.outside("token"), "hunter2-in-a-file\n").unwrap();
    let token = format!("--remote-token={}", place.outside("token").display());
    let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
    command
        .args(["--remote", &cluster.address(), &token, "--remote-header", "x-key=env:LOP_TEST_KEY"])
        .args(["-v", "--max-tests", "5", "--report", "report.html", "./test.sh", "in.c"])
        .env("LOP_TEST_KEY", "hunter2-in-a-variable");
    let output = finished(start(&mut command));
    output.expect(0, &[]);
    assert!(place.path("in.lop.c.journal").exists(), "{:?}", place.names_in(""));
    assert!(!format!("{output:?}").contains("hunter2"));
    for name in place.names_in("") {
        let content = String::from_utf8_lossy(&place.read(&name)).into_owned();
        assert!(!content.contains("hunter2"), "{name}");
    }

    let resumed = finished(start(
        place.command(env!("CARGO_BIN_EXE_lop")).arg("--resume").env("LOP_TEST_KEY", "hunter2"),
    ));
    resumed.expect(0, &[]);
}

#[test]
fn a_server_that_stays_away_ends_the_run_with_the_best_so_far() {
    let Some(mut cluster) = Cluster::start() else { return };
    let place = place();
    place.script("test.sh", "sleep 0.5; grep -q main in.c");
    let address = cluster.address();
    let mut command = place.command(env!("CARGO_BIN_EXE_lop"));
    command.args(["--remote", &address, "--remote-patience", "2", "-j", "2", "./test.sh", "in.c"]);
    let running = start(&mut command);
    let began = |place: &Place| Path::new(&place.path("in.lop.c")).exists();
    cluster::wait_for("the reduction begins", || began(&place));
    thread::sleep(Duration::from_secs(1));
    cluster.kill();
    finished(running).expect(5, &["has been away for", "the best so far", "--resume"]);
    let best = String::from_utf8(place.read("in.lop.c")).unwrap();
    assert!(best.contains("main"), "{best}");

    cluster.restart();
    place.lop(["--resume"]).expect(0, &[]);
    place.lop(["./test.sh", "in.c", "-o", "local.c"]).expect(0, &[]);
    assert_eq!(place.read("in.lop.c"), place.read("local.c"));
}
