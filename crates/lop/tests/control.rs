//! What someone who watches may do to a run: pause it, and skip phases.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use lop::{Bytes, Cancel, ChoiceReduction, Control, End, Event, Journal, Reduction, Text};

fn text() -> Text {
    Arc::new((0..60).map(|line| format!("line {line};\n")).collect::<String>().into_bytes())
}

fn has(candidate: &[u8], words: &[&str]) -> bool {
    let text = String::from_utf8_lossy(candidate);
    words.iter().all(|word| text.contains(word))
}

/// Waits for a condition; the limit is for when it never holds.
#[track_caller]
fn wait_until(condition: impl Fn() -> bool) {
    let limit = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < limit, "it never happens");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn workers_start_no_test_during_a_pause_and_the_result_is_the_same() {
    let whole = Reduction::new(text(), &|candidate: &[u8]| has(candidate, &["7;", "41"])).run();
    let whole = whole.unwrap();
    let (tests, running) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let control = Control::default();
    let oracle = |candidate: &[u8]| {
        running.fetch_add(1, Ordering::SeqCst);
        if tests.fetch_add(1, Ordering::SeqCst) == 20 {
            control.pause(true);
        }
        running.fetch_sub(1, Ordering::SeqCst);
        has(candidate, &["7;", "41"])
    };
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut reduction = Reduction::new(text(), &oracle);
            (reduction.workers, reduction.control) = (3, control.clone());
            reduction.run().unwrap()
        });
        wait_until(|| control.is_paused() && running.load(Ordering::SeqCst) == 0);
        let before = tests.load(Ordering::SeqCst);
        assert!(before <= 20 + 3, "those that were running ended: {before}");
        thread::sleep(Duration::from_millis(200));
        assert_eq!(tests.load(Ordering::SeqCst), before);
        assert!(control.tests().iter().all(Option::is_none), "{:?}", control.tests());
        control.pause(false);
        let report = run.join().unwrap();
        assert_eq!(report.best.text, whole.best.text);
        assert_eq!(report.counts.tests, whole.counts.tests);
        assert_eq!(report.end, End::Complete);
    });
}

#[test]
fn a_run_that_is_paused_can_be_stopped() {
    let (stop, control) = (Cancel::default(), Control::default());
    control.pause(true);
    let never = |_: &[u8]| -> bool { panic!("no test is started") };
    thread::scope(|scope| {
        let run = scope.spawn(|| {
            let mut reduction = Reduction::new(text(), &never);
            (reduction.stop, reduction.control) = (stop.clone(), control.clone());
            reduction.run().unwrap()
        });
        thread::sleep(Duration::from_millis(20));
        stop.cancel();
        assert_eq!(run.join().unwrap().end, End::Interrupted);
    });
}

#[test]
fn what_workers_are_doing_can_be_seen() {
    let control = Control::default();
    let (seen, sees) = mpsc::channel();
    let oracle = |candidate: &[u8]| {
        let running: Vec<_> = control.tests().into_iter().flatten().collect();
        seen.send((candidate.len(), running)).unwrap();
        has(candidate, &["line 7;"])
    };
    let mut reduction = Reduction::new(text(), &oracle);
    reduction.control = control.clone();
    reduction.run().unwrap();
    drop(seen);
    let seen: Vec<_> = sees.iter().collect();
    // The last test confirms the result, which isn't the work of a worker.
    let (_, tests) = seen.split_last().unwrap();
    assert!(tests.iter().all(|(bytes, running)| running.len() == 1 && running[0].bytes == *bytes));
    assert!(tests.iter().any(|(_, running)| running[0].at.is_some_and(|at| at > 0)));
    assert!(control.tests().iter().all(Option::is_none));
}

/// Runs two phases over lines and characters, of which the first is skipped after some tests; says when which phase
/// began or was skipped.
fn skipping(
    after: Option<u64>,
    workers: usize,
    journal: Option<Journal>,
    most: Option<u64>,
) -> (lop::Report, Vec<String>) {
    let control = Control::default();
    let oracle = |candidate: &[u8]| has(candidate, &["7;", "41"]);
    let mut reduction = Reduction::new(text(), &oracle);
    reduction.strategy = "(ddmin:lines+opdd:characters)*".parse().unwrap();
    (reduction.workers, reduction.control) = (workers, control.clone());
    (reduction.journal, reduction.max_tests) = (journal, most);
    let mut course = Vec::new();
    let mut observer = |event: &Event| match event {
        Event::Phase { name, counts, .. } => {
            course.push(format!("{name} at {}", counts.tests + counts.hits));
        }
        Event::Skipped { phase, counts } => {
            course.push(format!("{phase} skipped at {}", counts.tests + counts.hits));
        }
        Event::Improved { counts, .. }
            if after.is_some_and(|after| counts.tests >= after)
                && !course.iter().any(|each| each.contains("skipped")) =>
        {
            control.skip();
        }
        _ => {}
    };
    let report = reduction.observed_by(&mut observer).run().unwrap();
    (report, course)
}

#[test]
fn a_phase_that_is_skipped_makes_room_for_the_next_and_the_run_does_not_claim_to_be_complete() {
    let (whole, usual) = skipping(None, 1, None, None);
    assert_eq!((whole.end, whole.skipped.len()), (End::Complete, 0));
    let (report, course) = skipping(Some(3), 1, None, None);
    assert!(course[1].starts_with("ddmin:lines skipped at 3"), "{course:?}");
    assert!(course[2].starts_with("opdd:characters at 3"), "{course:?}");
    assert_ne!(course, usual);
    assert_eq!((report.end, report.skipped), (End::Skipped, vec!["ddmin:lines".to_owned()]));
    // The text changed after that, so the phase had another turn.
    assert!(course[3].starts_with("ddmin:lines at"), "{course:?}");
    assert_eq!(*report.best.text, *whole.best.text);
}

#[test]
fn a_phase_that_is_skipped_is_not_run_again_on_the_same_text() {
    let control = Control::default();
    let oracle = |candidate: &[u8]| has(candidate, &["line 7;", "line 41"]);
    for strategy in ["ddmin:lines*", "[ddmin:lines]", "default"] {
        let mut reduction = Reduction::new(text(), &oracle);
        reduction.strategy = strategy.parse().unwrap();
        reduction.control = control.clone();
        let (mut skipped, mut begun) = (0, 0);
        let mut observer = |event: &Event| match event {
            Event::Improved { .. } if skipped == 0 => control.skip(),
            Event::Skipped { .. } => skipped += 1,
            Event::Phase { .. } => begun += 1,
            _ => {}
        };
        let report = reduction.observed_by(&mut observer).run().unwrap();
        assert_eq!((skipped, report.end), (1, End::Skipped), "{strategy}");
        assert!(strategy == "default" || begun == 1, "{strategy}: {begun}");
    }
}

#[test]
fn a_run_with_a_skipped_phase_is_repeated_in_the_same_way_with_any_number_of_workers() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    for after in [1, 5, 9] {
        let (whole, course) = skipping(Some(after), 1, None, None);
        let most = whole.counts.tests * 2 / 3;
        let journal = Journal::create(&path, &()).unwrap();
        let (first, _) = skipping(Some(after), 1, Some(journal), Some(most));
        assert_eq!((first.end, first.skipped), (End::MaxTests, whole.skipped.clone()));
        for workers in [1, 4] {
            std::fs::copy(&path, dir.path().join("copy")).unwrap();
            let journal = Journal::resume(&dir.path().join("copy")).unwrap();
            let (again, repeated) = skipping(None, workers, Some(journal), None);
            assert_eq!(again.best.text, whole.best.text, "after {after}, {workers} workers");
            assert!(again.counts.tests + most <= whole.counts.tests);
            assert_eq!((again.end, again.skipped), (End::Skipped, whole.skipped.clone()));
            assert_eq!(repeated, course, "after {after}, {workers} workers");
        }
    }
}

#[test]
fn whoever_goes_on_with_a_run_that_has_nothing_else_left_gets_what_was_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let oracle = |candidate: &[u8]| has(candidate, &["line 7;"]);
    let run = |control: &Control, journal: Journal| {
        let mut reduction = Reduction::new(text(), &oracle);
        reduction.strategy = "ddmin:lines".parse().unwrap();
        (reduction.control, reduction.journal) = (control.clone(), Some(journal));
        let mut observer = |event: &Event| {
            if matches!(event, Event::Phase { .. }) && control.is_paused() {
                control.pause(false);
                control.skip();
            }
        };
        reduction.observed_by(&mut observer).run().unwrap()
    };
    let control = Control::default();
    // It says that the phase is to be skipped.
    control.pause(true);
    let first = run(&control, Journal::create(&path, &()).unwrap());
    assert_eq!((first.end, first.best.text), (End::Skipped, text()));
    assert!(path.exists(), "the run can be resumed");
    let second = run(&control, Journal::resume(&path).unwrap());
    assert_eq!(second.end, End::Complete);
    assert_eq!(*second.best.text, b"line 7;\n");
}

#[test]
fn a_pass_over_choices_can_be_skipped() {
    let input: Vec<u8> = (0..80).collect();
    let oracle = |case: &[u8]| case.contains(&7) && case.contains(&41);
    let run = |skips: bool| {
        let control = Control::default();
        let record = Bytes::record(&input);
        let mut reduction = ChoiceReduction::new(record, input.clone(), &Bytes, &oracle);
        reduction.control = control.clone();
        let mut course = Vec::new();
        let mut observer = |event: &Event| match event {
            Event::Phase { name, .. } => course.push(name.clone()),
            Event::Skipped { phase, .. } => course.push(format!("not {phase}")),
            Event::Improved { .. } if skips && !course.iter().any(|it| it.starts_with("not")) => {
                control.skip();
            }
            _ => {}
        };
        let simplest = reduction.observed_by(&mut observer).run().unwrap();
        (simplest.report, course)
    };
    let (whole, usual) = run(false);
    assert_eq!(whole.end, End::Complete);
    let (report, course) = run(true);
    let at = course.iter().position(|it| it.starts_with("not")).unwrap();
    assert_eq!(course[..at], usual[..at]);
    assert_eq!(course[at], format!("not {}", usual[at - 1]));
    assert_ne!(course[at + 1], usual[at - 1], "another pass has its turn");
    assert_eq!((report.end, report.skipped), (End::Skipped, vec![usual[at - 1].clone()]));
    assert!(has_both(&report.best.text));
}

fn has_both(case: &[u8]) -> bool {
    case.contains(&7) && case.contains(&41)
}
