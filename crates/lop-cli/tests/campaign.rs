//! Small campaigns of random load and faults against this lop. `cargo run -p lop-campaign` runs large ones.

use std::path::Path;

use lop_campaign::{Table, Tools, faults, invariants};

fn tools() -> Tools {
    let lop = Path::new(env!("CARGO_BIN_EXE_lop"));
    let generator = lop.parent().unwrap().join("examples/expression");
    Tools::new(lop, Some((&generator, ""))).unwrap()
}

#[track_caller]
fn check(table: &Table) {
    println!("{table}");
    assert!(table.problems.is_empty(), "{table}");
}

#[test]
fn under_random_load_the_invariants_hold() {
    let seed = lop_testing::seed();
    let table = invariants::campaign(&tools(), seed, |run| run < 40, |_| ());
    check(&table.unwrap());
}

/// Seeds whose trials have found something, which was mended: a shorter sidestep of a walk that was not written to disk, an oracle that panics
/// when it confirms the result, verdicts with the longer limit that were found out ahead of their turn, beginnings of bytes that
/// were taken for known, a text that was taken for one that parses by a parser that takes anything, a resumed run that left out its retries, and a content that
/// was asked for twice in one question, on other terms.
const FOUND: [u64; 7] = [259, 275, 5282, 5001, 3_005_586, 3_008_874, 3_009_858];

#[test]
fn what_was_found_once_is_not_found_again() {
    let tools = tools();
    for seed in FOUND {
        check(&invariants::campaign(&tools, seed, |run| run < 1, |_| ()).unwrap());
    }
}

#[test]
fn whatever_happens_nothing_is_lost_and_nothing_is_left() {
    let seed = lop_testing::seed();
    let runs = faults::FAULTS.len() as u64;
    let table = faults::campaign(&tools(), runs, seed, None, |_| ());
    check(&table.unwrap());
}
