//! Formats without a grammar: the big cuts come first.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lop::tree::Format;
use lop::{Reduction, Strategy};

/// The result of the tree's big cuts, and the number of tests they took.
fn big_cuts(
    name: &str,
    text: &str,
    is_interesting: impl Fn(&str) -> bool + Sync,
) -> (String, usize) {
    let tests = AtomicUsize::new(0);
    let oracle = |text: &[u8]| {
        tests.fetch_add(1, Ordering::Relaxed);
        is_interesting(str::from_utf8(text).unwrap())
    };
    let format = Format::guess(Path::new(name), text.as_bytes());
    assert_ne!(format.name(), "text", "{name}");
    let mut reduction = Reduction::new(Arc::new(text.as_bytes().to_vec()), &oracle);
    reduction.format = format;
    reduction.strategy = "halve*+gallop".parse::<Strategy>().unwrap();
    let report = reduction.run().unwrap();
    (String::from_utf8(report.best.text.to_vec()).unwrap(), tests.into_inner())
}

fn check(name: &str, text: &str, needed: &[&str], expected: &str, most: usize) {
    let (result, tests) =
        big_cuts(name, text, |text| needed.iter().all(|word| text.contains(word)));
    assert_eq!(result, expected, "{name}");
    assert!(tests <= most, "{name}: {tests} tests");
}

#[test]
fn of_many_sections_the_one_that_is_needed_is_found_in_few_tests() {
    let ini = (0..80).fold(String::new(), |mut ini, section| {
        writeln!(ini, "[section{section}]").unwrap();
        (0..7).for_each(|key| writeln!(ini, "key{key} = value {section}.{key}").unwrap());
        ini
    });
    check("a.ini", &ini, &["[section41]", "= value 41.3\n"], "[section41]\n= value 41.3\n", 40);

    let log = (0..500).fold(String::new(), |mut log, number| {
        writeln!(log, "2024-01-01 12:00:00 ERROR request {number} failed").unwrap();
        (0..5).for_each(|frame| writeln!(log, "\tat f{frame}(File.java:{number})").unwrap());
        log
    });
    check("a.log", &log, &["request 300"], "request 300\n", 40);
}
