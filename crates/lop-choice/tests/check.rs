//! What people see of a check: what is found, told, kept and tried again.

use std::panic;
use std::path::Path;
use std::pin::Pin;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use lop_choice::{Check, Failure, Outcome, Report, Source, check, check_async};

fn run<R: Outcome>(property: impl FnMut(&mut Source) -> R + Send) -> Report {
    Check { seed: Some(1), regressions: None, ..Check::default() }.run(property)
}

/// What a check says when it panics; nothing if it does not.
fn complaint<R: Outcome>(
    check: &Check,
    property: impl FnMut(&mut Source) -> R + Send,
) -> Option<String> {
    let work = panic::AssertUnwindSafe(|| check.check(property));
    panic::catch_unwind(work)
        .err()
        .map(|payload| payload.downcast_ref::<String>().cloned().unwrap_or_default())
}

fn in_directory(directory: &Path) -> Check {
    Check {
        seed: Some(1),
        regressions: Some(directory.into()),
        name: Some("tests::it".into()),
        ..Check::default()
    }
}

fn list(s: &mut Source) -> Vec<u16> {
    s.named("list", |s| s.list(.., |s| s.integer(..)))
}

#[test]
fn a_property_that_holds_says_nothing() {
    // A process of its own, since what a test says goes past all that could be asked here.
    const CHILD: &str = "LOP_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        return check(|s| {
            let mut list = list(s);
            list.sort();
            assert!(list.is_sorted());
        });
    }
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_property_that_holds_says_nothing", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    assert!(child.status.success());
    let said = String::from_utf8_lossy(&child.stdout);
    let of_harness =
        |line: &str| ["running 1 test", "test "].iter().any(|begin| line.starts_with(begin));
    let said: Vec<&str> =
        said.lines().filter(|line| !line.is_empty() && !of_harness(line)).collect();
    assert_eq!(said, [""; 0]);
    assert_eq!(String::from_utf8_lossy(&child.stderr), "");
}

#[test]
fn a_failure_is_told_with_its_simplest_case_and_how_to_see_it_again() {
    let directory = tempfile::tempdir().unwrap();
    let told = complaint(&in_directory(directory.path()), |s| {
        let sum: u32 = list(s).into_iter().map(u32::from).sum();
        assert!(sum < 1000, "the sum is {sum}");
    });
    let told = told.expect("it fails");
    assert!(told.contains("tests/check.rs"), "where: {told}");
    assert!(told.contains("the sum is 1000"), "how: {told}");
    assert!(told.contains("list = [1000]"), "the case: {told}");
    assert!(told.contains("(3 of "), "its size: {told}");
    assert!(told.contains("tried first from now on"), "where it is kept: {told}");
    assert!(told.contains("LOP_SEED=1 "), "how it is found again: {told}");
}

#[test]
fn panics_errors_and_false_are_failures() {
    let failure =
        |report: Report| report.found.into_iter().next().expect("it fails").failure.message;
    assert_eq!(failure(run(|s| assert!(list(s).len() < 3, "too long"))), "too long");
    assert_eq!(
        failure(run(|s| if list(s).len() < 3 { Ok(()) } else { Err("too long") })),
        "too long"
    );
    assert_eq!(failure(run(|s| list(s).len() < 3)), "the property does not hold");
}

#[test]
fn reduced_choices_are_kept_and_tried_first() {
    let directory = tempfile::tempdir().unwrap();
    let check = in_directory(directory.path());
    assert_eq!(check.run(|s| list(s).iter().all(|it| *it < 77)).found.len(), 1);
    let files: Vec<_> =
        std::fs::read_dir(directory.path()).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let text = std::fs::read_to_string(&files[0]).unwrap();
    assert!(
        text.starts_with("lop-choices 1\n# the property does not hold\n# list = [77]\n1\n77\n0\n"),
        "{text}"
    );
    // With another seed and no cases of its own, it is found again in the first call.
    let calls = Mutex::new(Vec::new());
    let report = Check { seed: Some(2), cases: 0, ..check.clone() }.run(|s| {
        let list = list(s);
        calls.lock().unwrap().push(list.clone());
        list.iter().all(|it| *it < 77)
    });
    assert_eq!(calls.into_inner().unwrap()[0], [77]);
    assert_eq!(report.found[0].notes, ["list = [77]"]);
    // When it is mended, it passes.
    assert!(check.run(|_| true).found.is_empty());
}

#[test]
fn what_is_kept_of_another_version_is_left_out() {
    // What is kept fails; no other case is made.
    let found = |version: u32| {
        let directory = tempfile::tempdir().unwrap();
        let choices = format!("lop-choices {version}\n1\n77\n0\n");
        std::fs::write(directory.path().join("tests-it.00000000.choices"), choices).unwrap();
        let check = Check { cases: 0, ..in_directory(directory.path()) };
        check.run(|s| list(s) != [77]).found.len()
    };
    assert_eq!(found(1), 1);
    assert_eq!(found(99), 0);
}

#[test]
fn choices_that_cannot_be_kept_are_an_error_that_names_their_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let report = in_directory(&file).run(|s| list(s).len() < 3);
    let error = report.found[0].kept.clone().expect("it is to be kept").unwrap_err();
    assert_eq!(error.path.parent(), Some(file.as_path()));
    assert!(error.to_string().contains("could not be written: "), "{error}");
    assert!(std::error::Error::source(&error).is_some());
    let told = complaint(&in_directory(&file), |s| list(s).len() < 3).expect("it fails");
    assert!(told.contains(&format!("not kept: {}", error.path.display())), "{told}");
}

#[test]
fn a_property_may_return_a_type_of_its_own() {
    struct Length(usize);
    impl Outcome for Length {
        fn failure(self) -> Option<Failure> {
            (self.0 > 2).then(|| Failure::new(format!("{} items", self.0)))
        }
    }
    let report = run(|s| Length(list(s).len()));
    assert_eq!(report.found[0].failure.message, "3 items");
    assert_eq!(report.found[0].reduced, [1, 0, 1, 0, 1, 0, 0]);
}

#[test]
fn the_same_seed_makes_the_same_cases() {
    let cases = |seed| {
        let cases = Mutex::new(Vec::new());
        let check = Check { seed: Some(seed), regressions: None, ..Check::default() };
        check.run(|s| cases.lock().unwrap().push(list(s)));
        cases.into_inner().unwrap()
    };
    assert_eq!(cases(5), cases(5));
    assert_ne!(cases(5), cases(6));
}

#[test]
fn different_failures_are_kept_apart_and_all_are_reported() {
    let report = run(|s| {
        let list = list(s);
        // While the second one is reduced, the first one lies in its way.
        assert!(list.len() < 4, "too long: {}", list.len());
        assert!(!list.iter().any(|it| *it > 300), "too large");
    });
    let mut found: Vec<(&str, &str)> =
        report.found.iter().map(|it| (&it.failure.message[..], &it.notes[0][..])).collect();
    found.sort_unstable();
    assert_eq!(found, [("too large", "list = [301]"), ("too long: 4", "list = [0, 0, 0, 0]")]);
}

#[test]
fn a_flaky_property_is_said_to_be_flaky() {
    let directory = tempfile::tempdir().unwrap();
    let mut calls = 0;
    let told = complaint(&in_directory(directory.path()), |s| {
        let list = list(s);
        calls += 1;
        list.len() < 3 || calls % 2 == 0
    });
    assert!(told.expect("it fails").contains("It is flaky"));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is kept of it");
}

#[test]
fn what_rejects_almost_everything_is_told_to() {
    let check = Check { seed: Some(1), regressions: None, ..Check::default() };
    let told = complaint(&check, |s: &mut Source| {
        let number: u64 = s.integer(..);
        s.assume(number % 1000 == 999);
    });
    assert!(told.expect("too few cases").contains("were rejected"));
}

#[test]
fn a_stop_that_the_property_catches_is_no_failure() {
    let report = run(|s| {
        let caught = panic::catch_unwind(panic::AssertUnwindSafe(|| {
            let number: u8 = s.integer(..);
            s.assume(number.is_multiple_of(2));
        }));
        assert!(caught.is_ok());
    });
    assert!(report.found.is_empty(), "{:?}", report.found);
}

#[test]
fn what_is_at_the_ends_of_the_widest_type_is_reduced() {
    let report = run(|s| {
        let list: Vec<i128> = s.named("list", |s| s.list(.., |s| s.integer_near(.., i128::MIN)));
        list.len() < 2 || list.iter().all(|it| *it < 0)
    });
    assert_eq!(report.found[0].reduced.len(), 5, "{:?}", report.found[0].notes);
}

#[test]
fn a_case_that_is_too_long_is_told_apart_from_one_that_is_rejected() {
    let check = Check { seed: Some(1), regressions: None, choices: 50, ..Check::default() };
    let told = complaint(&check, |s: &mut Source| drop(s.repeat(100, |s| s.integer::<u8>(..))));
    assert!(told.expect("too few cases").contains("drew more than 50 choices"));
}

#[test]
fn reduction_ends_when_its_calls_or_its_time_are_used_up() {
    let large = |s: &mut Source| list(s).iter().map(|it| u64::from(*it)).sum::<u64>() < 3000;
    let calls = Check { seed: Some(1), calls: 3, regressions: None, ..Check::default() }.run(large);
    assert_eq!(calls.found[0].calls, 3);
    let time = Check { seed: Some(1), time: Duration::ZERO, regressions: None, ..Check::default() }
        .run(large);
    assert_eq!(time.found[0].calls, 0);
}

#[test]
fn a_generator_that_calls_itself_without_end_does_not_overflow_the_stack() {
    fn deep(s: &mut Source) -> u64 {
        // So that each call takes some stack, as it does in real programs.
        let room = [s.integer::<u8>(..); 512];
        if s.boolean(0.999) {
            1 + s.draw(deep) + u64::from(std::hint::black_box(&room)[0]) / 256
        } else {
            0
        }
    }
    let report = run(|s| {
        let depth = s.draw(deep);
        s.note(depth);
        depth < 100
    });
    assert_eq!(report.found[0].notes, ["100"]);
}

#[test]
fn an_asynchronous_property_is_run_by_what_it_is_given() {
    /// As those have it that come with runtimes.
    fn any_block_on<F: Future>(future: F) -> F::Output {
        block_on(Box::pin(future))
    }
    fn block_on<R>(mut future: Pin<Box<dyn Future<Output = R> + '_>>) -> R {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        loop {
            if let std::task::Poll::Ready(result) = future.as_mut().poll(&mut context) {
                return result;
            }
        }
    }
    check_async(
        |future| any_block_on(future),
        async |s: &mut Source| {
            let list = list(s);
            std::future::ready(()).await;
            assert!(list.len() < 1000);
        },
    );
    let failed = panic::catch_unwind(|| {
        // Nothing is to be left behind by a test that is to fail.
        check_async(block_on, async |s: &mut Source| {
            let number: u8 = s.integer(..);
            std::future::ready(()).await;
            s.assume(number < 200);
            s.assume(number.leading_zeros() > 8);
        });
    });
    assert!(failed.is_err(), "everything was rejected");
}

#[test]
fn notes_are_those_of_the_reduced_case_only() {
    let report = run(|s| {
        let list = list(s);
        s.note(format!("{} items", list.len()));
        list.len() < 5
    });
    assert_eq!(report.found[0].notes, ["list = [0, 0, 0, 0, 0]", "5 items"]);
}

#[test]
fn misaligned_choices_are_taken_for_the_simplest() {
    let mut seen = Vec::new();
    let mut source = Source::given([7, 300, -1, 1, 1]);
    seen.push(i64::from(source.boolean(0.5)));
    seen.push(source.integer::<u8>(..).into());
    seen.push(source.integer_near(10..=20_i64, 15));
    seen.push(source.float(-1.0..=1.0) as i64);
    seen.push(i64::from(*source.pick(&[5, 6])));
    assert_eq!(seen, [0, 0, 15, 1, 6]);
}
