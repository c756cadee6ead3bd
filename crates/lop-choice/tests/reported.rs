//! What a check says, keeps and takes: explanations that are true, files that stay, limits that hold.

mod common;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use common::{alone, is_alone, quiet};
use lop_choice::{Check, Source, Step};

fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_value_after_which_more_would_be_drawn_is_not_said_to_be_without_effect() {
    for seed in 0..20 {
        let report = Check { seed: Some(seed), ..quiet() }.run(|s| {
            let first: u32 = s.named("first", |s| s.integer(0..1000));
            assert!(first % 2 == 1);
            // In the reduced case, this isn't drawn.
            s.named("second", |s| s.integer::<u32>(0..1000));
        });
        assert_eq!(report.found[0].notes, ["first = 0"]);
        assert_eq!(report.found[0].any, [0; 0], "seed {seed}");
    }
}

#[test]
fn a_value_that_is_not_the_simplest_is_not_said_to_be_without_effect() {
    for seed in 0..20 {
        let report = Check { seed: Some(seed), ..quiet() }
            .run(|s| s.named("number", |s| s.integer::<i64>(..)) == 0);
        assert_eq!(report.found[0].notes, ["number = 1"]);
        assert_eq!(report.found[0].any, [0; 0], "only 0 does not fail; seed {seed}");
    }
}

#[test]
fn an_explanation_takes_no_more_calls_than_are_left() {
    let runs = AtomicU64::new(0);
    let report = Check { calls: 500, ..quiet() }.run(|s| {
        runs.fetch_add(1, Ordering::Relaxed);
        for name in 0..200 {
            s.named(&format!("value {name}"), |s| s.integer::<u8>(..));
        }
        false
    });
    assert!(!report.found[0].any.is_empty(), "some values are explained");
    let runs = runs.into_inner();
    assert!(runs < 520, "{runs} runs, of which a few find the failure and confirm it");
}

#[test]
fn a_failure_is_not_explained_before_the_others_are_reduced() {
    let report = Check { calls: 1000, ..quiet() }.run(|s| {
        for name in 0..200 {
            s.named(&format!("value {name}"), |s| s.integer::<u8>(..));
        }
        let number: u32 = s.integer(0..1000);
        assert!(number < 500, "at least 500");
        assert!(number < 300, "at least 300");
    });
    let reduced = |message: &str| {
        let found = report.found.iter().find(|found| found.failure.message == message).unwrap();
        (found.is_finished, found.reduced.last().copied())
    };
    assert_eq!(reduced("at least 500"), (true, Some(500)));
    assert_eq!(reduced("at least 300"), (true, Some(300)));
}

#[test]
fn two_checks_of_a_test_keep_their_own_choices() {
    let directory = tempfile::tempdir().unwrap();
    let run = || {
        let check = Check { regressions: Some(directory.path().into()), ..quiet() };
        thread::scope(|scope| {
            // The name of a test is that of its thread.
            let both = || {
                let one = check.run(|s| assert!(s.integer::<u32>(0..1000) < 500, "one"));
                let two = check.run(|s| assert!(s.integer::<u32>(0..1000) < 300, "two"));
                [one, two].map(|report| report.found[0].kept.clone().unwrap().unwrap())
            };
            thread::Builder::new().name("it".into()).spawn_scoped(scope, both).unwrap().join()
        })
        .unwrap()
    };
    let [one, two] = run();
    assert!(one != two && one.exists() && two.exists(), "{:?}", names(directory.path()));
    assert_eq!(run(), [one, two], "the next run finds the same");
    assert_eq!(names(directory.path()).len(), 2);
}

#[test]
fn choices_that_a_test_of_the_same_name_keeps_stay() {
    let directory = tempfile::tempdir().unwrap();
    let others = directory.path().join("it.00000001.choices");
    let kept = "lop-choices 1\n# panicked at tests/others.rs:3:5: too large\n700\n";
    std::fs::write(&others, kept).unwrap();
    let check =
        Check { regressions: Some(directory.path().into()), name: Some("it".into()), ..quiet() };
    let report = check.run(|s| assert!(s.integer::<u32>(0..1000) < 500, "at least 500"));
    assert_eq!(report.found[0].reduced, [500]);
    assert_eq!(std::fs::read_to_string(&others).unwrap(), kept);
    assert_eq!(names(directory.path()).len(), 2);
}

#[test]
#[should_panic(expected = "the example 1000 fails: the process ended with")]
fn an_example_that_ends_the_process_is_a_failure() {
    let check = Check { in_child: true, ..quiet() };
    let number = |s: &mut Source| s.integer::<u32>(0..10);
    check.check_with([3, 1000], number, |number| {
        if number == 1000 {
            std::process::abort();
        }
    });
}

#[test]
#[should_panic(expected = "the example 60 fails: the case takes longer than")]
fn an_example_that_hangs_is_a_failure() {
    let check = Check { case_time: Some(Duration::from_millis(500)), ..quiet() };
    let number = |s: &mut Source| s.integer::<u64>(0..10);
    check.check_with([60], number, |number| {
        if number == 60 {
            thread::sleep(Duration::from_secs(number));
        }
    });
}

#[test]
fn steps_are_taken_although_most_of_them_apply_in_few_states() {
    let taken = std::sync::Mutex::new(Vec::new());
    quiet().run(|s| {
        let mut state = (false, 0);
        let is_open = |state: &(bool, usize)| state.0;
        let mut steps = vec![
            Step::new("open", |state: &mut (bool, usize), _| *state = (true, state.1 + 1))
                .when(|state| !state.0),
            Step::new("close", |state: &mut (bool, usize), _| *state = (false, state.1 + 1))
                .when(is_open),
        ];
        for name in ["a", "b", "c", "d", "e", "f"] {
            let count = |state: &mut (bool, usize), _: &mut Source| state.1 += 1;
            steps.push(Step::new(name, count).when(is_open));
        }
        s.steps(..=100, &mut state, &steps);
        taken.lock().unwrap().push(state.1);
    });
    let mut taken = taken.into_inner().unwrap();
    taken.sort_unstable();
    let share = |share: usize| taken[taken.len() * share / 100];
    // With each step picked from all, half of the cases took none, and one of ten took seven.
    assert!(share(30) >= 1 && share(50) >= 5 && share(90) >= 25, "{taken:?}");
}

#[test]
fn a_thread_that_panics_shows_the_reduced_case_only() {
    if is_alone() {
        return quiet().check(|s| {
            let number: u32 = s.integer(0..1000);
            let thread = thread::spawn(move || assert!(number < 500, "a thread has {number}"));
            assert!(thread.join().is_ok());
        });
    }
    let printed = alone("a_thread_that_panics_shows_the_reduced_case_only", &[]);
    let text = String::from_utf8_lossy(&printed.stdout) + String::from_utf8_lossy(&printed.stderr);
    assert_eq!(text.matches("a thread has").count(), 1, "{text}");
    assert!(text.contains("a thread has 500"), "{text}");
}

#[test]
fn while_a_property_runs_panics_of_named_threads_are_shown_once() {
    // The test harness gives names to its threads, in which tests without properties run.
    if is_alone() {
        quiet().check(|_| {
            let other = thread::Builder::new().name("another test".into());
            let _ = other.spawn(|| panic!("a plain panic")).unwrap().join();
        });
        panic!("so that the output is shown");
    }
    let printed = alone("while_a_property_runs_panics_of_named_threads_are_shown_once", &[]);
    let text = String::from_utf8_lossy(&printed.stdout) + String::from_utf8_lossy(&printed.stderr);
    assert_eq!(text.matches("a plain panic").count(), 1, "{text}");
    assert!(!text.contains("a thread that a property had started"), "{text}");
}

#[test]
fn panics_of_threads_that_fail_no_property_are_reported_once() {
    if is_alone() {
        quiet().check(|s| {
            let number: u32 = s.integer(0..1000);
            let _ = thread::spawn(move || assert!(number < 2, "a thread has {number}")).join();
        });
        panic!("so that the output is shown");
    }
    let printed = alone("panics_of_threads_that_fail_no_property_are_reported_once", &[]);
    let text = String::from_utf8_lossy(&printed.stdout) + String::from_utf8_lossy(&printed.stderr);
    assert_eq!(text.matches("a thread has").count(), 1, "{text}");
    assert!(text.contains("a thread that a property had started panicked at"), "{text}");
}

#[test]
fn statistics_are_shown_for_tests_that_pass_with_their_names() {
    if is_alone() {
        return Check { statistics: true, ..quiet() }.check(|s| {
            let number: u32 = s.integer(0..1000);
            s.classify(if number < 500 { "small" } else { "large" });
        });
    }
    let printed = alone("statistics_are_shown_for_tests_that_pass_with_their_names", &[]);
    let text = String::from_utf8_lossy(&printed.stderr);
    assert!(printed.status.success());
    let name = "statistics_are_shown_for_tests_that_pass_with_their_names: 256 cases passed";
    assert!(text.contains(name) && text.contains("% small"), "{text}");
}

#[cfg(feature = "derive")]
mod derived {
    use super::quiet;
    use lop_choice::Draw;

    #[derive(Debug, Draw)]
    enum Expr {
        Number(u8),
        Add(Box<Expr>, Box<Expr>),
        Sub(Box<Expr>, Box<Expr>),
        Mul(Box<Self>, Box<Self>),
        Div(Box<Expr>, Box<Expr>),
        Neg(Box<Expr>),
    }

    fn nodes(expression: &Expr) -> usize {
        match expression {
            Expr::Number(number) => 1 + usize::from(*number) / 256,
            Expr::Neg(inner) => 1 + nodes(inner),
            Expr::Add(left, right)
            | Expr::Sub(left, right)
            | Expr::Mul(left, right)
            | Expr::Div(left, right) => 1 + nodes(left) + nodes(right),
        }
    }

    #[test]
    fn cases_of_a_recursive_type_are_of_many_sizes_and_none_is_huge() {
        let sizes = std::sync::Mutex::new(Vec::new());
        quiet().run(|s| sizes.lock().unwrap().push(nodes(&s.any())));
        let mut sizes = sizes.into_inner().unwrap();
        sizes.sort_unstable();
        // Without regard to what was drawn, a case had one node, or as many as are allowed.
        assert!(sizes[sizes.len() - 1] < 500, "{sizes:?}");
        let middle = sizes.iter().filter(|size| (5..200).contains(*size)).count();
        assert!(3 * middle > sizes.len(), "{middle} of {}: {sizes:?}", sizes.len());
    }
}

#[test]
fn values_of_many_types_are_drawn_and_become_the_simplest() {
    use std::borrow::Cow;
    use std::collections::{BinaryHeap, VecDeque};
    use std::marker::PhantomData;
    use std::num::NonZero;
    use std::path::PathBuf;
    use std::rc::Rc;
    use std::sync::Arc;

    type Seven = (u8, u8, u8, u8, u8, u8, bool);
    let report = quiet().run(|s| {
        s.named("numbers", |s| s.any::<(NonZero<u8>, NonZero<i64>)>());
        s.named("texts", |s| s.any::<(Box<str>, Rc<str>, Cow<'static, str>, PathBuf)>());
        s.named("lists", |s| s.any::<(VecDeque<u8>, Box<[u8]>, Rc<u8>, Arc<[u8; 1]>)>());
        s.named("heap", |s| s.any::<BinaryHeap<u8>>());
        s.named("time", |s| s.any::<(Duration, PhantomData<String>)>());
        s.named("seven", |s| s.any::<Seven>());
        false
    });
    let expected = [
        "numbers = (1, 1)",
        r#"texts = ("", "", "", "")"#,
        "lists = ([], [], 0, [0])",
        "heap = []",
        "time = (0ns, PhantomData<alloc::string::String>)",
        "seven = (0, 0, 0, 0, 0, 0, false)",
    ];
    assert_eq!(report.found[0].notes, expected);
}
