//! The faults.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use nix::sys::signal::Signal;

use super::strike::{Start, Strike};
use super::{Fault, Outcome, Touches};

/// A fault that does nothing: the others say how they differ.
const NONE: Fault = Fault {
    name: "nothing happens",
    first: "",
    last: "",
    options: &[],
    start: Start::Plain,
    strike: |_| {},
    mend: |_| {},
    outcome: UNSEEN,
    touches: Touches::Nothing,
};

/// lop copes: it ends as if nothing had happened.
const UNSEEN: Outcome = Outcome { codes: &[], says: &[], is_same: true };
/// lop is killed, and the next run goes on.
const KILLED: Outcome = Outcome { codes: &[-9], says: &[], is_same: true };
/// lop stops, and says how to go on. Before it can, the signal kills it, and nothing has begun.
const INTERRUPTED: Outcome = Outcome { codes: &[130, -1, -2, -15], says: &[], is_same: true };
/// Some tests fail or time out for the wrong reason, so the result may be larger.
const WORSE: Outcome = Outcome { codes: &[], says: &[], is_same: false };

/// A test that runs while the temporary files are removed misses its candidate, be it the original or the result.
const CLEARED: Outcome = Outcome {
    codes: &[3, 5, 8],
    says: &["directory of TMPDIR", "not interesting", "is flaky", "tested again"],
    is_same: false,
};
/// Without processes lop cannot run the test, or the test, which starts others, gives wrong answers.
const TOO_FEW: &[&str] = &["too many processes", "not interesting", "flaky"];

/// All faults.
pub const FAULTS: &[Fault] = &[
    NONE,
    // Signals.
    Fault {
        name: "lop gets SIGKILL",
        strike: |it| after(it, Signal::SIGKILL),
        outcome: KILLED,
        ..NONE
    },
    Fault {
        name: "lop gets SIGKILL while a test hangs and ignores signals",
        first: HANGS,
        strike: |it| {
            it.wait_for("hang");
            it.signal(Signal::SIGKILL);
        },
        outcome: KILLED,
        ..NONE
    },
    Fault {
        name: "lop gets SIGTERM",
        strike: |it| after(it, Signal::SIGTERM),
        outcome: INTERRUPTED,
        ..NONE
    },
    Fault {
        name: "lop gets SIGTERM while a test hangs and ignores signals",
        first: HANGS,
        strike: |it| {
            it.wait_for("hang");
            it.signal(Signal::SIGTERM);
        },
        outcome: INTERRUPTED,
        ..NONE
    },
    Fault {
        name: "lop gets SIGINT",
        strike: |it| after(it, Signal::SIGINT),
        outcome: INTERRUPTED,
        ..NONE
    },
    Fault {
        name: "lop gets SIGHUP",
        strike: |it| after(it, Signal::SIGHUP),
        outcome: INTERRUPTED,
        ..NONE
    },
    Fault {
        name: "lop is stopped for a while and continued",
        strike: |it| {
            after(it, Signal::SIGSTOP);
            thread::sleep(Duration::from_millis(it.random.borrow_mut().u64(..500)));
            it.signal(Signal::SIGCONT);
        },
        ..NONE
    },
    // Disks and files.
    Fault {
        name: "the disk of the result is full",
        start: Start::SmallDisk,
        strike: |it| {
            it.wait();
            it.fill(&it.place.here(""));
        },
        mend: remove_fillers,
        outcome: Outcome { codes: &[6, 7], says: &["disk is full"], is_same: true },
        ..NONE
    },
    Fault {
        name: "the disk of the result is full for a moment",
        start: Start::SmallDisk,
        strike: |it| {
            it.wait();
            it.fill(&it.place.here(""));
            thread::sleep(Duration::from_millis(it.random.borrow_mut().u64(..300)));
            remove_fillers(it);
        },
        outcome: Outcome { codes: &[6, 7], says: &["disk is full"], is_same: true },
        ..NONE
    },
    Fault {
        name: "the disk of the temporary files is full",
        start: Start::SmallTmp,
        strike: |it| {
            it.wait();
            it.fill(&it.place.tmp());
        },
        mend: remove_fillers,
        outcome: Outcome { codes: &[5], says: &["disk is full"], is_same: true },
        ..NONE
    },
    Fault {
        name: "the directory of the result becomes read-only",
        start: Start::OwnUser,
        strike: |it| {
            it.wait();
            it.set_mode(0o555);
        },
        mend: |it| it.set_mode(0o755),
        outcome: Outcome { codes: &[7], says: &["Permission denied"], is_same: true },
        ..NONE
    },
    Fault {
        name: "the input is deleted",
        strike: |it| {
            it.wait();
            for (name, _) in it.task.files {
                let _ = fs::remove_file(it.place.here(name));
            }
        },
        outcome: Outcome { codes: &[6], says: &["exist", "No such file"], is_same: true },
        mend: restore_input,
        touches: Touches::Input,
        ..NONE
    },
    Fault {
        name: "the input is changed",
        strike: |it| {
            it.wait();
            for (name, _) in it.task.files {
                let _ = it.place.write(name, b"something else");
            }
        },
        outcome: Outcome { codes: &[3], says: &["not interesting"], is_same: true },
        mend: restore_input,
        touches: Touches::Input,
        ..NONE
    },
    Fault {
        name: "the result is deleted",
        strike: |it| {
            // Early enough that lop has not come to its end, behind which nobody can do anything about it.
            it.wait_less();
            for name in it.task.results.iter().filter(|_| !it.is_over()) {
                let _ = fs::remove_file(it.place.here(name));
            }
        },
        touches: Touches::Result,
        ..NONE
    },
    Fault {
        name: "the test is deleted",
        strike: |it| {
            it.wait();
            let _ = fs::rename(it.place.here("test.sh"), it.place.outside("test.sh"));
        },
        mend: |it| {
            let _ = fs::rename(it.place.outside("test.sh"), it.place.here("test.sh"));
        },
        outcome: Outcome { codes: &[5], says: &["test.sh"], is_same: true },
        ..NONE
    },
    Fault {
        name: "the test is no longer executable",
        start: Start::OwnUser,
        strike: |it| {
            it.wait();
            let _ =
                fs::set_permissions(it.place.here("test.sh"), fs::Permissions::from_mode(0o644));
        },
        mend: |it| {
            let _ =
                fs::set_permissions(it.place.here("test.sh"), fs::Permissions::from_mode(0o755));
        },
        outcome: Outcome { codes: &[5], says: &["test.sh"], is_same: true },
        ..NONE
    },
    Fault {
        name: "the temporary files are removed",
        strike: |it| {
            it.wait();
            for entry in fs::read_dir(it.place.tmp()).into_iter().flatten().flatten() {
                let _ = fs::remove_dir_all(entry.path());
            }
        },
        outcome: CLEARED,
        ..NONE
    },
    // Limits.
    Fault {
        name: "few files can be open from the beginning",
        start: Start::Limited("-n", 4, 40),
        outcome: Outcome { codes: &[5, 6, 7], says: &["too many open files"], is_same: true },
        ..NONE
    },
    Fault {
        name: "no more files can be opened",
        start: Start::Limitable,
        strike: |it| {
            it.wait();
            let files = it.open_files();
            it.limit("nofile", files.saturating_sub(it.random.borrow_mut().u64(..6)));
        },
        // The limit is also that of the tests.
        outcome: Outcome { codes: &[5, 6, 7], says: &["too many open files"], is_same: false },
        ..NONE
    },
    Fault {
        name: "few processes can be started from the beginning",
        start: Start::Limited("-p", 1, 24),
        outcome: Outcome { codes: &[3, 5, 8], says: TOO_FEW, is_same: false },
        ..NONE
    },
    Fault {
        name: "no more processes can be started",
        start: Start::OwnUser,
        strike: |it| {
            it.wait();
            it.limit("nproc", it.random.borrow_mut().u64(1..20));
        },
        outcome: Outcome { codes: &[3, 5, 8], says: TOO_FEW, is_same: false },
        ..NONE
    },
    Fault {
        name: "lop gets no more memory",
        start: Start::Limitable,
        strike: |it| {
            it.wait();
            let now = it.status("VmSize").unwrap_or(0) << 10;
            it.limit("as", now + it.random.borrow_mut().u64(..4 << 20));
        },
        // Rust aborts, since nothing can be said or written without memory.
        outcome: Outcome { codes: &[-6, 5, 6, 7], says: &["memory"], is_same: false },
        ..NONE
    },
    Fault { name: "the clock jumps", start: Start::JumpingClock, ..NONE },
    Fault { name: "nobody reads what lop says", start: Start::Unheard, ..NONE },
    // Tests.
    Fault { name: "a test writes 10 GB", first: "once big && head -c 10G /dev/zero", ..NONE },
    Fault {
        name: "a test writes 10 GB that lop wants to read",
        first: "once big && head -c 10G /dev/zero",
        last: "[ $code = 0 ] && echo interesting",
        options: &["--stdout", "interesting"],
        outcome: WORSE,
        ..NONE
    },
    Fault {
        name: "a test forks without end",
        first: "bomb() { bomb | bomb & }; once bomb && { bomb; sleep 3; }",
        options: &["--timeout", "2"],
        start: Start::Limited("-p", 200, 200),
        outcome: Outcome { codes: &[5], says: TOO_FEW, is_same: false },
        ..NONE
    },
    Fault {
        name: "a test kills its parent",
        first: "once parent && kill -9 $PPID",
        outcome: KILLED,
        ..NONE
    },
    Fault {
        name: "a test asks its parent to end",
        first: "once parent && kill $PPID",
        outcome: INTERRUPTED,
        ..NONE
    },
    Fault {
        name: "a test kills every process of its user",
        first: "once all && kill -9 -1",
        start: Start::OwnUser,
        outcome: KILLED,
        ..NONE
    },
    Fault {
        name: "a test stops itself",
        first: "once stop && kill -STOP $$",
        options: &["--timeout", "1"],
        outcome: WORSE,
        ..NONE
    },
    Fault {
        name: "a test reads the terminal",
        first: "once terminal && cat /dev/tty",
        options: &["--timeout", "1"],
        start: Start::Terminal,
        outcome: WORSE,
        ..NONE
    },
    Fault {
        name: "tests leave processes behind",
        last: "setsid sh -c 'trap \"\" TERM HUP INT; sleep 1000' & (sleep 1000 &)",
        ..NONE
    },
    Fault {
        name: "tests leave read-only directories",
        last: "mkdir -p a/b/c \"$TMPDIR\"/a/b && touch a/b/c/d && chmod 0 a/b/c && chmod 500 a/b a . \"$TMPDIR\"/a",
        ..NONE
    },
    Fault {
        name: "a test leaves a directory with 5,000 files",
        last: "once many && mkdir many && cd many && seq 5000 | xargs touch",
        ..NONE
    },
    Fault {
        name: "a test leaves 2,000 directories within each other",
        last: "once deep && { i=0; while [ $i -lt 2000 ]; do mkdir deep && cd deep && i=$((i+1)) || break; done; }",
        options: &["--timeout", "60"],
        ..NONE
    },
    Fault {
        name: "tests change the candidate",
        last: "[ $((SIZE % 2)) = 0 ] && echo more >> $FILE || : > $FILE",
        ..NONE
    },
    Fault {
        name: "tests replace the candidate by a link to the original",
        last: "rm -f $FILE; ln -s \"$OUTSIDE\"/../here/$FILE $FILE",
        ..NONE
    },
    Fault { name: "tests remove their own directory", last: "rm -rf \"$PWD\" \"$TMPDIR\"", ..NONE },
    Fault {
        name: "tests replace their directory by a link to the user's",
        last: "rm -rf \"$PWD\" \"$TMPDIR\"; ln -s \"$OUTSIDE\"/../here \"$PWD\"; ln -s \"$OUTSIDE\"/../here \"$TMPDIR\"",
        ..NONE
    },
    Fault {
        name: "a test removes all temporary directories",
        last: "once all && rm -rf \"$TMPDIR\"/../..",
        outcome: CLEARED,
        ..NONE
    },
];

/// A test that hangs once, and all of whose processes ignore polite signals.
const HANGS: &str = "trap '' TERM HUP INT; once hang && { sleep 1000 & sleep 1000; }";

fn after(strike: &Strike, signal: Signal) {
    strike.wait();
    strike.signal(signal);
}

fn remove_fillers(strike: &Strike) {
    for directory in [strike.place.here(""), strike.place.tmp()] {
        let _ = fs::remove_file(directory.join("filler"));
    }
}

fn restore_input(strike: &Strike) {
    for (name, _) in strike.task.files {
        let _ = strike.place.write(name, &strike.task.content());
    }
}
