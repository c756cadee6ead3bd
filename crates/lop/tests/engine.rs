//! The engine's promises: the best is interesting, nothing is tested twice, a cancelled run stops.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use lop::oracle::{Oracle, Reason, Verdict};
use lop::{Cancel, Candidate, End, Error, Event, Journal, Reduction, Text};

fn text() -> Text {
    Arc::new((0..60).map(|line| format!("line {line};\n")).collect::<String>().into_bytes())
}

fn has(candidate: &[u8], words: &[&str]) -> bool {
    let text = String::from_utf8_lossy(candidate);
    words.iter().all(|word| text.contains(word))
}

#[test]
fn no_content_is_judged_twice_in_a_run() {
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let again = Arc::new(AtomicUsize::new(0));
    let oracle = {
        let (seen, again) = (seen.clone(), again.clone());
        move |candidate: &[u8]| {
            if !seen.lock().unwrap().insert(candidate.to_vec()) {
                again.fetch_add(1, Ordering::SeqCst);
            }
            has(candidate, &["7;", "41"])
        }
    };
    let mut reduction = Reduction::new(text(), &oracle);
    // Reducers of trees guess what they will ask, so some tests run ahead in vain.
    reduction.strategy = "(opdd:lines+opdd:tokens+opdd:characters)*".parse().unwrap();
    let report = reduction.run().unwrap();
    // The result is tested once more at the end.
    assert_eq!(again.load(Ordering::SeqCst), 1);
    assert!(report.counts.hits > 0);
    assert_eq!(report.counts.tests, report.counts.executed);
    assert_eq!(report.end, End::Complete);
}

#[test]
fn every_improvement_is_smaller_than_the_one_before() {
    let mut last = None;
    let oracle = |candidate: &[u8]| has(candidate, &["7", "41", "(", "("]) || candidate.len() > 300;
    let mut observer = |event: &Event| {
        if let Event::Improved { size, .. } = event {
            assert!(last.is_none_or(|last| *size <= last));
            last = Some(*size);
        }
    };
    Reduction::new(text(), &oracle).observed_by(&mut observer).run().unwrap();
    assert!(last.is_some());
}

/// Judges like a closure, but times out on some candidates until it gets a longer limit.
struct Slow {
    longer: AtomicBool,
    timed_out: AtomicUsize,
}

impl Oracle for Slow {
    fn judge(&self, _: usize, candidate: &Candidate, _: &Cancel) -> Verdict {
        let bytes = candidate.bytes();
        // Without line 3 the test is slow.
        if !has(&bytes, &["line 3;"]) && !self.longer.load(Ordering::SeqCst) {
            self.timed_out.fetch_add(1, Ordering::SeqCst);
            return Verdict::Unresolved(Reason::TimedOut);
        }
        if has(&bytes, &["line 7;"]) { Verdict::Interesting } else { Verdict::Boring }
    }

    fn set_longer_limit(&self, longer: bool) -> bool {
        self.longer.store(longer, Ordering::SeqCst);
        true
    }
}

#[test]
fn what_ran_out_of_time_is_tried_again_with_more_when_nothing_else_is_left() {
    let oracle = Slow { longer: false.into(), timed_out: 0.into() };
    let mut reduction = Reduction::new(text(), &oracle);
    reduction.strategy = "opdd:lines*".parse().unwrap();
    let mut retries = 0;
    let mut before_retry = Vec::new();
    let mut observer = |event: &Event| match event {
        Event::Retrying { .. } => retries += 1,
        Event::Improved { size, .. } if retries == 0 => before_retry.push(size.bytes),
        _ => {}
    };
    let report = reduction.observed_by(&mut observer).run();
    assert_eq!(retries, 1);
    let two_lines = "line 3;\nline 7;\n".len();
    assert_eq!(before_retry.last(), Some(&two_lines), "everything else goes first");
    let report = report.unwrap();
    assert_eq!(*report.best.text, b"line 7;\n");
    assert_eq!(report.confirmed, Some(true), "the last check has the longer limit, too");
    let counts = report.counts;
    assert!(!counts.timed_out.is_zero(), "what time-outs took is reported");
    assert!(counts.timed_out <= counts.testing, "one worker tests nothing beside them");
}

#[test]
fn a_report_says_when_the_run_came_near_its_result_and_the_least_that_any_run_takes() {
    let oracle = |candidate: &[u8]| has(candidate, &["line 7;", "line 41;"]);
    let mut reduction = Reduction::new(text(), &oracle);
    reduction.strategy = "opdd:lines".parse().unwrap();
    let mut course = Vec::new();
    let mut observer = |event: &Event| {
        if let Event::Improved { size, counts, .. } = event {
            course.push((counts.tests, size.tokens));
        }
    };
    let report = reduction.observed_by(&mut observer).run().unwrap();
    // 60 lines of three tokens each, two of which stay: C(180, 6) results.
    assert_eq!((report.original.tokens, report.best.size.tokens), (180, 6));
    assert!((report.pace.bound - 35.34).abs() < 0.1, "{}", report.pace.bound);
    let first = |most: usize| course.iter().find(|(_, tokens)| *tokens <= most).unwrap().0;
    let pace = report.pace;
    assert_eq!([pace.twice, pace.near, pace.last], [first(12), first(7), first(6)]);
}

/// Times out, with any limit, on all candidates without lines 20 to 39.
#[derive(Default)]
struct Hanging {
    longer: AtomicBool,
    retried: AtomicUsize,
}

impl Oracle for Hanging {
    fn judge(&self, _: usize, candidate: &Candidate, _: &Cancel) -> Verdict {
        let bytes = candidate.bytes();
        if (20..40).all(|line| has(&bytes, &[&format!("line {line};")])) {
            return Verdict::Interesting;
        }
        self.retried.fetch_add(usize::from(self.longer.load(Ordering::SeqCst)), Ordering::SeqCst);
        Verdict::Unresolved(Reason::TimedOut)
    }

    fn set_longer_limit(&self, longer: bool) -> bool {
        self.longer.store(longer, Ordering::SeqCst);
        true
    }
}

#[test]
fn a_run_gives_up_retrying_when_several_candidates_in_a_row_time_out_again() {
    let run = |workers| {
        let oracle = Hanging::default();
        let mut retries = Vec::new();
        let mut observer = |event: &Event| {
            if let Event::Retrying { timed_out, at_most } = event {
                retries.push((*timed_out, *at_most));
            }
        };
        let mut reduction = Reduction::new(text(), &oracle);
        reduction.strategy = "ddmin:lines*".parse().unwrap();
        reduction.workers = workers;
        let report = reduction.observed_by(&mut observer).run().unwrap();
        assert_eq!(report.end, End::Complete);
        assert_eq!(report.best.text.iter().filter(|byte| **byte == b'\n').count(), 20);
        let [(timed_out, at_most)] = retries[..] else { panic!("{retries:?}") };
        let retried = oracle.retried.load(Ordering::SeqCst) as u64;
        assert!(at_most < 10 && timed_out > 50, "{timed_out} timed out");
        // Several workers run ahead of the last one that counts, further on a machine that is busy.
        let most = if workers == 1 { at_most + 2 } else { timed_out / 2 };
        assert!((1..=most).contains(&retried), "{retried} of {timed_out}");
        (report.best.text, report.counts.tests, report.counts.unresolved)
    };
    let one = run(1);
    for workers in [2, 8] {
        assert_eq!(run(workers), one, "{workers} workers");
    }
}

#[test]
fn a_test_that_cannot_be_run_ends_the_run_with_its_reason() {
    struct Broken;
    impl Oracle for Broken {
        fn judge(&self, _: usize, _: &Candidate, _: &Cancel) -> Verdict {
            Verdict::Unresolved(Reason::Broken("the disk is full".into()))
        }
    }
    let error = Reduction::new(text(), &Broken).run().unwrap_err();
    assert!(matches!(error, Error::Broken(why) if why == "the disk is full"));
}

#[test]
fn an_oracle_that_panics_ends_the_run_instead_of_leaving_it_waiting() {
    let original = text();
    let first = original.clone();
    let oracle = move |candidate: &[u8]| -> bool {
        assert!(candidate == first.as_slice(), "an oracle's own mistake");
        true
    };
    for workers in [1, 4] {
        let mut reduction = Reduction::new(original.clone(), &oracle);
        reduction.workers = workers;
        let error = reduction.run().unwrap_err();
        assert!(matches!(&error, Error::Broken(why) if why.contains("panicked")), "{error}");
    }
}

#[test]
fn a_wish_to_stop_ends_the_run_with_the_best_so_far() {
    let stop = Cancel::default();
    let oracle = |candidate: &[u8]| has(candidate, &["line 7;"]);
    let mut reduction = Reduction::new(text(), &oracle);
    reduction.stop = stop.clone();
    reduction.workers = 2;
    let mut observer = |event: &Event| {
        if matches!(event, Event::Improved { .. }) {
            stop.cancel();
        }
    };
    let report = reduction.observed_by(&mut observer).run();
    let report = report.unwrap();
    assert_eq!(report.end, End::Interrupted);
    assert!(report.best.text.len() < text().len());
    assert!(has(&report.best.text, &["line 7;"]));
}

#[test]
fn a_resumed_run_repeats_no_test_and_ends_with_the_same_result() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    let oracle = |candidate: &[u8]| has(candidate, &["line 7;", "line 41"]);
    let whole = Reduction::new(text(), &oracle).run().unwrap();
    for limit in [1, 5, 20, 50] {
        let mut first = Reduction::new(text(), &oracle);
        first.journal = Some(Journal::create(&path, &()).unwrap());
        first.max_tests = Some(limit);
        let first = first.run().unwrap();
        assert_eq!(first.end, End::MaxTests);

        let mut second = Reduction::new(text(), &oracle);
        second.journal = Some(Journal::resume(&path).unwrap());
        let second = second.run().unwrap();
        assert_eq!(second.best.text, whole.best.text);
        assert!(first.counts.tests + second.counts.tests <= whole.counts.tests);
        assert!(!path.exists(), "a complete run leaves no journal");
    }
}

#[test]
fn a_resumed_run_goes_on_from_the_best_on_disk_even_without_its_verdicts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    // Two ways to be interesting; the one that was reached is not found from the start.
    let oracle = |candidate: &[u8]| has(candidate, &["line 7;"]) || has(candidate, &["other"]);
    let start = |reached: Option<&[u8]>| {
        let mut reduction = Reduction::new(text(), &oracle);
        reduction.journal = Some(Journal::create(&path, &()).unwrap());
        reduction.reached = reached.map(|text| Arc::new(text.to_vec()));
        reduction.run().unwrap()
    };
    assert_eq!(*start(None).best.text, b"line 7;\n");
    let resumed = start(Some(b"other x"));
    assert_eq!(*resumed.best.text, b"other", "it goes on from what was reached");
    assert_eq!(resumed.confirmed, Some(true));
}

/// Runs out of memory, or of time, on all candidates without line 3.
struct Short(Reason);

impl Oracle for Short {
    fn judge(&self, _: usize, candidate: &Candidate, _: &Cancel) -> Verdict {
        match candidate.bytes() {
            bytes if !has(&bytes, &["line 3;"]) => Verdict::Unresolved(self.0.clone()),
            bytes if has(&bytes, &["line 7;"]) => Verdict::Interesting,
            _ => Verdict::Boring,
        }
    }

    fn set_longer_limit(&self, _: bool) -> bool {
        true
    }
}

#[test]
fn a_resumed_run_has_no_more_answers_than_before_and_for_the_same_reasons() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("journal");
    for (reason, expected_retries) in [(Reason::Memory, 0), (Reason::TimedOut, 1)] {
        let oracle = Short(reason);
        // The number of tests, how often the limit was longer, and the result.
        let run = |journal: Option<Journal>, most: Option<u64>, workers: usize| {
            let mut retries = 0;
            let mut observer = |event: &Event| {
                retries += u64::from(matches!(event, Event::Retrying { .. }));
            };
            let mut reduction = Reduction::new(text(), &oracle);
            reduction.strategy = "opdd:lines*".parse().unwrap();
            reduction.journal = journal;
            reduction.max_tests = most;
            reduction.workers = workers;
            let report = reduction.observed_by(&mut observer).run().unwrap();
            (report.counts.tests, retries, report.best.text)
        };
        let (tests, retries, best) = run(None, None, 1);
        assert_eq!(retries, expected_retries);
        for workers in [1, 4] {
            for most in (1..tests).step_by(3) {
                let journal = Journal::create(&path, &()).unwrap();
                let first = run(Some(journal), Some(most), workers);
                let second = run(Some(Journal::resume(&path).unwrap()), None, workers);
                assert_eq!(second.2, best);
                assert_eq!(second.1, retries, "stopped after {most} of {tests}");
                // Candidates that workers judged ahead of their turn are not tested again.
                let all = first.0 + second.0;
                let ahead = 2 * workers as u64;
                assert!((tests - ahead..=tests).contains(&all), "{all} of {tests}");
            }
        }
    }
}

#[test]
fn neither_the_result_nor_the_tests_depend_on_the_workers_when_verdicts_are_forgotten() {
    let oracle = |candidate: &[u8]| has(candidate, &["7;", "41", "line 3"]);
    let run = |workers: usize, remembered: usize| {
        let mut reduction = Reduction::new(text(), &oracle);
        reduction.workers = workers;
        reduction.remembered = remembered;
        let report = reduction.run().unwrap();
        (report.best.text, report.counts.tests, report.counts.hits)
    };
    for remembered in [2, 10, 30] {
        let one = run(1, remembered);
        assert!(one.1 > run(1, 1 << 20).1, "some verdicts are forgotten");
        for workers in [2, 8] {
            assert_eq!(run(workers, remembered), one, "{workers} workers, {remembered} verdicts");
        }
    }
}
