//! What people expect of a library for property tests, beside the reduction.

mod common;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use common::{alone, is_alone, quiet};
use lop_choice::{Check, Failure, Outcome, Report, Source, Step};

fn list(s: &mut Source) -> Vec<u16> {
    s.list(.., |s| s.integer(..))
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|it| it.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_message_with_the_case_in_it_makes_no_kinds_of_its_own() {
    let report = quiet().run(|s| {
        let text = s.text_of("ab.", 0..20);
        assert!(!text.contains(".."), "two dots in {text} of {} signs", text.len());
    });
    assert_eq!(report.found.len(), 1, "{:?}", report.found);
    assert_eq!(report.found[0].failure.message, "two dots in .. of 2 signs");
    let report = quiet().run(|s| {
        let text = s.text_of("ab.", 0..20);
        if text.contains("..") { Err(format!("two dots in {text}")) } else { Ok(()) }
    });
    assert_eq!(report.found.len(), 1, "{:?}", report.found);
}

#[test]
fn the_limits_hold_for_all_failures_of_a_property_together() {
    let property = |s: &mut Source| {
        let sum: u32 = list(s).into_iter().map(u32::from).sum();
        let rest = if sum < 3000 { 3 } else { sum % 3 };
        assert!(rest != 0, "a");
        assert!(rest != 1, "b");
        assert!(rest != 2, "c");
    };
    let calls = |report: Report| report.found.iter().map(|found| found.calls).sum::<u64>();
    let free = quiet().run(property);
    assert_eq!(free.found.len(), 3);
    assert!(calls(free) > 30);
    assert!(calls(Check { calls: 30, ..quiet() }.run(property)) <= 30);
}

#[test]
fn only_so_many_kinds_of_failures_are_reduced() {
    struct Any(Vec<u16>);
    impl Outcome for Any {
        fn failure(self) -> Option<Failure> {
            let kind = format!("{:?}", self.0);
            (self.0.len() > 3).then(|| Failure::new("it fails").of_kind(kind))
        }
    }
    let report = quiet().run(|s| Any(list(s)));
    assert_eq!(report.found.len(), 16);
    assert!(report.more > 0);
}

#[test]
fn two_assertions_in_one_file_have_their_own_regression_files() {
    let directory = tempfile::tempdir().unwrap();
    let check = Check { regressions: Some(directory.path().into()), ..quiet() };
    check.run(|s| {
        let list = list(s);
        assert!(list.len() < 4);
        assert!(list.iter().all(|it| *it < 300));
    });
    assert_eq!(files(directory.path()).len(), 2);
}

#[test]
fn a_failure_whose_place_has_moved_replaces_its_regression_file() {
    let directory = tempfile::tempdir().unwrap();
    let check =
        Check { regressions: Some(directory.path().into()), name: Some("it".into()), ..quiet() };
    let before = directory.path().join("it.00000000.choices");
    std::fs::write(&before, "lop-choices 1\n1\n400\n0\n").unwrap();
    check.run(|s| assert!(list(s).iter().all(|it| *it < 300)));
    let after = files(directory.path());
    assert_eq!(after.len(), 1);
    assert_ne!(after[0], before);
    assert!(std::fs::read_to_string(&after[0]).unwrap().ends_with("\n300\n0\n"));
}

#[test]
fn a_failure_whose_message_varies_replaces_its_regression_file_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let check =
        Check { regressions: Some(directory.path().into()), name: Some("it".into()), ..quiet() };
    let place = "panicked at crates/lop-choice/tests/library.rs:3:5:";
    for (number, message) in [
        (0, "cannot open /tmp/first/x of 0x12ab "),
        (1, "another message: cannot open /tmp/first/x of 0x12ab"),
    ] {
        let path = directory.path().join(format!("it.0000000{number}.choices"));
        std::fs::write(path, format!("lop-choices 1\n# {place} {message}\n1\n400\n0\n")).unwrap();
    }
    let report = check.run(|s| {
        let is_fine = list(s).iter().all(|it| *it < 300);
        assert!(is_fine, "cannot open /tmp/second/x of 0x98fe ");
    });
    let place = report.found[0].failure.place.clone().unwrap();
    assert!(place.starts_with("crates/lop-choice/tests/library.rs:"), "{place}");
    let after = files(directory.path());
    let other = directory.path().join("it.00000001.choices");
    assert!(after.len() == 2 && after.contains(&other), "{after:?}");
}

#[test]
fn the_panic_of_the_reduced_case_is_printed_by_the_hook_that_was_there() {
    if is_alone() {
        panic::set_hook(Box::new(|info| eprintln!("my own hook: {info}")));
        return quiet().check(|s| assert!(list(s).len() < 2, "too long"));
    }
    let printed = alone(
        "the_panic_of_the_reduced_case_is_printed_by_the_hook_that_was_there",
        &["--nocapture"],
    );
    let text = String::from_utf8_lossy(&printed.stderr);
    assert!(!printed.status.success());
    assert_eq!(text.matches("my own hook: panicked at").count(), 1, "{text}");
    assert!(text.contains("too long"), "{text}");
}

#[test]
fn a_panic_in_a_thread_of_the_property_is_printed_once() {
    if is_alone() {
        return quiet().check(|s| {
            let list = list(s);
            let thread = std::thread::spawn(move || assert!(list.len() < 2, "in a thread"));
            assert!(thread.join().is_ok());
        });
    }
    let printed = alone("a_panic_in_a_thread_of_the_property_is_printed_once", &["--nocapture"]);
    let text = String::from_utf8_lossy(&printed.stderr);
    assert!(!printed.status.success());
    assert_eq!(text.matches("in a thread").count(), 1, "{text}");
}

#[test]
fn a_range_without_numbers_is_reported_where_the_generator_draws_from_it() {
    let line = line!() + 3;
    let report = quiet().run(|s| {
        let end: usize = s.integer(0..5);
        s.integer(0..end)
    } < 9);
    let failure = &report.found[0].failure;
    assert!(failure.message.starts_with("a mistake of the generator"), "{failure}");
    let place = failure.place.clone().unwrap();
    assert!(place.contains(&format!("tests/library.rs:{line}:")), "{place}");
    let empty: [u8; 0] = [];
    let wrong: [&(dyn Fn(&mut Source) + Sync); 4] = [
        &|s| assert!(s.float(1.0..1.0) > 0.0),
        &|s| assert_eq!(*s.pick(&empty), 0),
        &|s| drop(s.list(3..3, |s| s.char())),
        &|s| drop(s.text_of("", 1..2)),
    ];
    for wrong in wrong {
        let failure = quiet().run(wrong).found.remove(0).failure;
        assert!(failure.place.is_some_and(|place| place.contains("tests/library.rs")));
        assert!(failure.message.contains("a mistake of the generator"), "{}", failure.message);
    }
}

#[test]
fn negative_zero_is_drawn_and_kept() {
    let report = quiet().run(|s| {
        let number = s.float(..);
        s.note(format!("{number:?}"));
        number != 0.0 || number.is_sign_positive()
    });
    assert_eq!(report.found[0].notes, ["-0.0"]);
    let report = Check { cases: 2000, ..quiet() }.run(|s| s.float(0.0..=1.0).is_sign_positive());
    assert!(report.found.is_empty(), "0 to 1 does not include it");
}

#[test]
fn weights_say_how_often_an_alternative_is_drawn_and_the_first_is_the_simplest() {
    let check = Check { cases: 4000, growing: 0, ..quiet() };
    let report = check.run(|s| {
        let of = s.weighted(&[(1, &|_: &mut Source| "one"), (0, &|_| "none"), (9, &|_| "nine")]);
        s.classify(of);
    });
    let share = |class: &str| report.classes.get(class).copied().unwrap_or_default();
    assert!((300..500).contains(&share("one")), "{:?}", report.classes);
    assert!((3500..3700).contains(&share("nine")), "{:?}", report.classes);
    let report = quiet().run(|s| {
        let list: Vec<u8> = s.list(3..9, |s| s.weighted(&[(1, &|_: &mut Source| 1), (9, &|_| 9)]));
        s.note(format!("{list:?}"));
        false
    });
    assert_eq!(report.found[0].notes, ["[1, 1, 1]"]);
}

#[test]
fn examples_come_first_and_are_run_as_they_are() {
    let seen = Mutex::new(Vec::new());
    quiet().check_with(
        [7, 8],
        |s| s.integer(0..5),
        |number: u32| seen.lock().unwrap().push(number),
    );
    let seen = seen.into_inner().unwrap();
    assert_eq!(seen[..2], [7, 8]);
    assert_eq!(seen.len(), 2 + 256);
    let failed = panic::catch_unwind(|| {
        quiet().check_with([vec![1, 2]], |_| vec![], |list: Vec<u8>| list.is_empty());
    });
    let message = failed.unwrap_err().downcast_ref::<String>().cloned().unwrap();
    assert!(message.contains("the example [1, 2] fails"), "{message}");
}

#[test]
fn the_cases_of_each_class_are_counted_and_printed_on_demand() {
    let check = Check { statistics: true, ..quiet() };
    let classified = |s: &mut Source| {
        let list = list(s);
        s.classify(if list.is_empty() { "empty" } else { "some" });
    };
    if is_alone() {
        return check.check(classified);
    }
    let report = check.run(classified);
    assert_eq!(report.classes.values().sum::<u64>(), report.cases);
    assert!(report.classes["empty"] > 0 && report.classes["some"] > report.classes["empty"]);
    let printed =
        alone("the_cases_of_each_class_are_counted_and_printed_on_demand", &["--nocapture"]);
    let text = String::from_utf8_lossy(&printed.stderr);
    assert!(text.contains("256 cases passed, 0 were rejected"), "{text}");
    assert!(text.contains(" % some\n"), "{text}");
}

#[test]
fn a_score_leads_to_failures_that_chance_does_not_find() {
    let found = |has_score: bool| {
        let is_found = |seed: &u64| {
            let check = Check { seed: Some(*seed), cases: 500, ..quiet() };
            let report = check.run(|s| {
                let (x, y): (u32, u32) = (s.integer(0..1_000_000), s.integer(0..1_000_000));
                if has_score {
                    s.target(-f64::from(x.abs_diff(765_432) + y.abs_diff(123_456)));
                }
                x.abs_diff(765_432) + y.abs_diff(123_456) > 100
            });
            !report.found.is_empty()
        };
        (0..20).filter(is_found).count()
    };
    assert_eq!(found(false), 0);
    assert!(found(true) >= 18, "{}", found(true));
}

#[test]
fn values_of_one_generator_are_sometimes_alike() {
    let version = |s: &mut Source| [0; 4].map(|_: u8| s.integer::<u32>(0..=1000));
    let property = |s: &mut Source| {
        let (one, two) = (s.draw(version), s.draw(version));
        one[..3] != two[..3] || one[3] <= two[3]
    };
    for seed in 0..20 {
        let check = Check { cases: 10_000, seed: Some(seed), ..quiet() };
        assert_eq!(check.run(property).found.len(), 1, "with seed {seed}");
    }
}

#[test]
fn steps_have_arguments_invariants_and_what_they_borrow() {
    let names = ["a", "b", "c"];
    let all = Mutex::new(BTreeSet::new());
    let report = quiet().run(|s| {
        let taken = RefCell::new(BTreeSet::new());
        let steps = [
            Step::new("insert", |state: &mut Vec<(&str, u8)>, s: &mut Source| {
                let name = s.named("name", |s| *s.pick(&names));
                let count = s.named("count", |s| s.integer(0..=200));
                taken.borrow_mut().insert(name);
                all.lock().unwrap().extend(taken.borrow().iter().copied());
                state.push((name, count));
            }),
            Step::new("clear", |state: &mut Vec<_>, _: &mut Source| state.clear())
                .when(|state| !state.is_empty()),
            Step::invariant("the counts stay below 100", |state: &Vec<(&str, u8)>| {
                assert!(state.iter().all(|(_, count)| *count < 100));
            }),
        ];
        s.steps(..=20, &mut Vec::new(), &steps);
    });
    assert_eq!(
        report.found[0].notes,
        ["insert(name = \"a\", count = 100)", "invariant: the counts stay below 100"]
    );
    assert!(all.lock().unwrap().contains("a"));
}

#[test]
fn values_that_do_not_matter_are_named() {
    let report = quiet().run(|s| {
        let name = s.named("name", |s| s.text(1..5));
        let number: u32 = s.named("number", |s| s.integer(..));
        let list = s.named("list", list);
        name.is_empty() || number < 10 || list.len() > 1000
    });
    let found = &report.found[0];
    assert_eq!(found.notes, ["name = \"0\"", "number = 10", "list = []"]);
    assert_eq!(found.any, [0, 2]);
    let told = panic::catch_unwind(|| {
        quiet().check(|s| {
            s.named("text", |s| s.text(..));
            false
        })
    });
    let told = told.unwrap_err().downcast_ref::<String>().cloned().unwrap();
    assert!(told.contains("text = \"\"   (other values fail as well)"), "{told}");
}

#[test]
fn a_generator_by_reference_makes_the_same_kind_of_value() {
    /// What is wrong with an expression: it divides by a sum.
    fn is_wrong(s: &mut Source) -> (bool, bool) {
        let two = |s: &mut Source| (s.draw(is_wrong), s.draw(is_wrong));
        match s.integer(0..=3) {
            0 | 1 => (s.integer::<u8>(0..=20) > 20, false),
            2 => {
                let (one, two) = two(s);
                (one.0 || two.0, true)
            }
            _ => {
                let (one, two) = two(s);
                (one.0 || two.0 || two.1, false)
            }
        }
    }
    let reduced = |generator: &(dyn Fn(&mut Source) -> (bool, bool) + Sync)| -> Vec<Vec<i128>> {
        let run = |seed| Check { seed: Some(seed), ..quiet() }.run(|s| !generator(s).0);
        (0..20).map(|seed| run(seed).found[0].reduced.clone()).collect()
    };
    let simplest = vec![vec![3, 0, 0, 2, 0, 0, 0, 0]; 20];
    assert_eq!(reduced(&|s| s.draw(is_wrong)), simplest);
    let shared = &is_wrong;
    assert_eq!(reduced(&|s| s.draw(shared)), simplest);
    let exclusive = |s: &mut Source| {
        let generator = &mut is_wrong;
        s.draw(generator)
    };
    assert_eq!(reduced(&exclusive), simplest);
}

// In a child process.

fn in_child() -> Check {
    Check { in_child: true, ..quiet() }
}

#[test]
fn a_case_that_aborts_the_process_is_reduced() {
    let report = in_child().run(|s| {
        let list = s.named("list", list);
        if list.iter().any(|it| *it >= 300) {
            std::process::abort();
        }
    });
    assert_eq!(report.found[0].notes, ["list = [300]"]);
    assert!(report.found[0].failure.message.contains("signal: 6"), "{:?}", report.found[0].failure);
}

#[test]
fn a_case_that_overflows_the_stack_is_reduced() {
    fn deep(depth: u32) -> u64 {
        let room = std::hint::black_box([u64::from(depth); 4096]);
        if depth == 0 { 0 } else { 1 + deep(depth - 1) + room[17] / u64::from(u32::MAX) }
    }
    let report = in_child().run(|s| {
        let depth = s.integer(0..=100_000);
        if depth >= 40_000 {
            deep(depth);
        }
    });
    assert_eq!(report.found[0].reduced, [40_000]);
    let message = &report.found[0].failure.message;
    assert!(message.contains("overflowed its stack"), "{message}");
}

#[test]
fn a_case_that_hangs_is_reduced() {
    let check = Check { case_time: Some(Duration::from_secs(1)), ..quiet() };
    let report = check.run(|s| {
        let number = s.integer(0..10);
        while std::hint::black_box(number) >= 3 {
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    assert_eq!(report.found[0].reduced, [3]);
    assert_eq!(report.found[0].failure.message, "the case takes longer than 1s");
}

#[test]
fn a_child_gives_the_same_report() {
    let property = |s: &mut Source| {
        let list = s.named("list", list);
        s.classify(list.len());
        s.target(list.len() as f64);
        s.assume(list.len() != 2);
        assert!(list.iter().map(|it| u64::from(*it)).sum::<u64>() < 5000, "too\tmuch\nof it");
    };
    let report = |check: Check| {
        let report = check.run(property);
        let found = report.found.into_iter().map(|it| (it.failure, it.reduced, it.notes, it.calls));
        (report.cases, report.rejected, report.classes, found.collect::<Vec<_>>())
    };
    assert_eq!(report(in_child()), report(quiet()));
}

#[test]
fn the_second_check_of_a_test_has_a_child_of_its_own() {
    assert!(in_child().run(|s| list(s).len() < 1000).found.is_empty());
    assert_eq!(in_child().run(|s| list(s).len() < 2).found[0].reduced, [1, 0, 1, 0, 0]);
}

#[test]
fn a_panic_in_a_child_is_printed_once() {
    if is_alone() {
        return in_child().check(|s| assert!(list(s).len() < 2, "too long"));
    }
    let printed = alone("a_panic_in_a_child_is_printed_once", &["--nocapture"]);
    let text = String::from_utf8_lossy(&printed.stderr);
    assert_eq!(text.matches("panicked at").count(), 2, "by the hook, and in the message: {text}");
}

#[cfg(feature = "regex")]
#[test]
fn texts_match_their_regular_expression_and_reduce_to_the_simplest_one() {
    let patterns = [
        "[a-z]{1,8}",
        "(ab|cd?)*x+",
        "^[^a-c]{2}$",
        r"\d{4}-\d\d-\d\d",
        r"(?i)hello",
        "a|b|",
        ".{0,3}",
        r"\p{Greek}+",
        r"[\x{D000}-\x{F000}]",
        r"(?s)^.$",
    ];
    let simplest = ["a", "x", "00", "0000-00-00", "hello", "a", "", "Ͱ", "퀀", "0"];
    for (pattern, simplest) in patterns.into_iter().zip(simplest) {
        let whole = regex::Regex::new(&format!("^(?:{pattern})$")).unwrap();
        let check = Check { cases: 300, ..quiet() };
        let report = check.run(|s| {
            let text = s.matching(pattern);
            assert!(whole.is_match(&text), "{pattern} does not match {text:?}");
        });
        assert!(report.found.is_empty(), "{:?}", report.found);
        let mut source = Source::given(vec![i128::MIN; 100]);
        assert_eq!(source.matching(pattern), simplest, "{pattern}");
    }
    let report = quiet().run(|s| !s.named("text", |s| s.matching("[a-c]+@[a-c]+")).contains("b@c"));
    assert_eq!(report.found[0].notes, ["text = \"b@c\""]);
    for wrong in ["(", r"\bword\b", "a^b", "[^\\x00-\\x{10FFFF}]"] {
        let failure = quiet().run(|s| drop(s.matching(wrong))).found.remove(0).failure;
        assert!(failure.message.starts_with("a mistake of the generator"), "{failure}");
        assert!(failure.place.is_some_and(|place| place.contains("tests/library.rs")));
    }
}

#[cfg(feature = "derive")]
mod derived {
    use lop_choice::{Check, Draw, Source, property};

    use super::quiet;

    fn small(s: &mut Source) -> u8 {
        s.integer(0..10)
    }

    #[derive(Debug, Draw, PartialEq)]
    struct Point<T> {
        x: T,
        #[draw(with = small)]
        y: u8,
        #[draw(skip)]
        z: u64,
    }

    #[derive(Debug, Draw)]
    enum Shape {
        Nothing,
        #[draw(weight = 3)]
        Dot(Point<i32>),
        Group {
            shapes: Vec<Shape>,
        },
        #[draw(skip)]
        #[allow(dead_code)]
        Other(std::rc::Rc<u8>),
    }

    fn dots(shape: &Shape) -> usize {
        match shape {
            Shape::Nothing | Shape::Other(_) => 0,
            Shape::Dot(Point { y, z, .. }) => {
                assert!(*y < 10 && *z == 0);
                1
            }
            Shape::Group { shapes } => shapes.iter().map(dots).sum(),
        }
    }

    #[test]
    fn structs_and_enums_are_drawn_field_by_field_and_reduced() {
        let report = quiet().run(|s| dots(&s.named("shape", |s| s.any())) < 2);
        assert_eq!(
            report.found[0].notes,
            [
                "shape = Group { shapes: [Dot(Point { x: 0, y: 0, z: 0 }), Dot(Point { x: 0, y: 0, z: 0 })] }"
            ]
        );
    }

    #[property(cases = 50)]
    #[example(vec![1, 2], 3)]
    fn a_property_may_have_arguments(list: Vec<i32>, #[draw(small)] small: u8) {
        assert!(small < 10 && list.len() < 10_000);
    }

    #[property(regressions = None, seed = Some(1))]
    #[should_panic(expected = "list = [0, 0]")]
    fn its_arguments_are_in_the_report(list: Vec<i32>) -> bool {
        list.len() < 2
    }

    #[property]
    #[should_panic(expected = "too small")]
    #[example(10)]
    fn its_examples_are_tried(#[draw(small)] number: u8) {
        assert!(number < 10, "too small");
    }

    #[test]
    fn the_settings_of_a_property_are_those_of_a_check() {
        assert_eq!(Check::default().cases, 256);
    }
}
