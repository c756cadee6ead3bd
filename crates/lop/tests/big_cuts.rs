//! The first phases of the default strategy: how few trials they need where little is needed, and where much is.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{parse, trials};
use lop::oracle::{Oracle, Verdict};
use lop::tree::Format;
use lop::{Candidate, Reduction};

/// How many trials a reducer takes in one run, and the number of tokens of the result.
fn run(
    reducer: &str,
    format: &str,
    text: &str,
    interesting: impl Fn(&str) -> bool,
) -> (usize, usize) {
    let trials = trials(reducer, format, text, &interesting);
    let best = trials.iter().rev().find(|trial| interesting(trial)).map_or(text, |best| best);
    let tree = parse(format, best);
    (trials.len(), tree.ids().filter(|node| tree.is_leaf(*node)).count())
}

#[test]
fn where_little_of_a_long_list_is_needed_a_few_trials_remove_the_rest() {
    let list: Vec<String> = (1000..2000).map(|number| number.to_string()).collect();
    let list = format!("[{}]", list.join(", "));
    let needs =
        |text: &str| text.starts_with('[') && text.contains("1003") && text.contains("1777");
    let (pardis, least) = run("pardis", "json", &list, needs);
    let (scythe, left) = run("scythe", "json", &list, needs);
    assert_eq!((left, pardis > 900), (least, true));
    // Twice the logarithm of the length for each of the two, and as many again until they are apart.
    assert!(scythe <= 60, "{scythe}");
}

#[test]
fn where_neighbours_cannot_be_removed_together_swaths_cost_a_few_trials_more_than_pardis() {
    let list: Vec<String> =
        (10..74).map(|number| format!("[{number}, {number}, {number}]")).collect();
    let list = format!("[{}]", list.join(", "));
    // All inner lists must stay, whatever is in them, and no trial may empty more than one of them.
    let count = |text: &str| text.matches("],").count();
    let sizes = |text: &str| text.matches("[]").count();
    let best = std::cell::Cell::new(0);
    let needs = |text: &str| {
        let is_good = count(text) == 63 && sizes(text) <= best.get() + 1;
        if is_good {
            best.set(sizes(text));
        }
        is_good
    };
    let (pardis, least) = run("pardis", "json", &list, needs);
    best.set(0);
    let (scythe, left) = run("scythe", "json", &list, needs);
    assert!(left <= least, "{left} and {least}");
    let widths = 9;
    assert!(scythe <= pardis + 5 * widths, "{scythe} and {pardis}");
}

#[test]
fn uses_are_removed_before_their_definitions() {
    // Each number needs the one before it.
    let list: Vec<String> = (100..164).map(|number| number.to_string()).collect();
    let list = format!("[{}]", list.join(", "));
    let needs = |text: &str| {
        let numbers = text.trim_matches(['[', ']']).split(", ").filter_map(|it| it.parse().ok());
        let numbers: Vec<usize> = numbers.collect();
        text.starts_with('[')
            && (0..numbers.len()).all(|at| numbers[at] == 100 + at)
            && !numbers.is_empty()
    };
    let (scythe, left) = run("scythe", "json", &list, needs);
    assert_eq!(left, 3);
    assert!(scythe <= 16, "{scythe}");
}

/// Says whether a text has an `x`, and counts the questions.
struct HasX(AtomicUsize);

impl Oracle for HasX {
    fn judge(&self, _: usize, candidate: &Candidate, _: &lop::search::Cancel) -> Verdict {
        self.0.fetch_add(1, Ordering::Relaxed);
        if candidate.bytes().contains(&b'x') { Verdict::Interesting } else { Verdict::Boring }
    }
}

#[test]
fn deep_nesting_takes_a_few_tests_however_deep_it_is() {
    for (format, open, middle, close) in [
        ("json", "[", "\"x\"", "]"),
        ("json", "{\"a\":", "\"x\"", "}"),
        ("javascript", "f(", "x", ")"),
        ("text", "(", "x", ")"),
    ] {
        for depth in [10, 100, 1000] {
            let text = [open.repeat(depth), middle.into(), close.repeat(depth)].concat();
            let oracle = HasX(AtomicUsize::new(0));
            let mut reduction = Reduction::new(Arc::new(text.into_bytes()), &oracle);
            reduction.format = Format::named(format).unwrap();
            let report = reduction.run().unwrap();
            let result = String::from_utf8_lossy(&report.best.text).into_owned();
            assert!(result.len() <= 3, "{format}: {result}");
            let tests = oracle.0.into_inner();
            assert!(tests <= 60, "{format}, {depth} levels: {tests} tests");
        }
    }
}
