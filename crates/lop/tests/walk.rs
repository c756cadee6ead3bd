//! A walk over texts of the same size: what it reaches, and what is seen of it.

use std::sync::{Arc, Mutex};

use lop::tree::Format;
use lop::{Event, Reduction};

/// A call, and a block that needs a call within it.
const TEXT: &str = "{ y(); }\nx();\n";

/// `x` is called, and some call is in a block.
fn calls_x_and_has_a_call_in_a_block(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let Some((before, rest)) = text.split_once('{') else { return false };
    let Some((block, after)) = rest.split_once('}') else { return false };
    block.contains("()") && [before, block, after].iter().any(|part| part.contains("x()"))
}

struct Run {
    result: String,
    tests: u64,
    sizes: Vec<(usize, usize)>,
}

fn reduce(strategy: &str, workers: usize, most: Option<u64>) -> Run {
    let text = Arc::new(TEXT.as_bytes().to_vec());
    let mut reduction = Reduction::new(text, &calls_x_and_has_a_call_in_a_block);
    reduction.format = Format::named("javascript").unwrap();
    reduction.strategy = strategy.parse().unwrap();
    reduction.workers = workers;
    reduction.max_tests = most;
    let sizes = Mutex::new(Vec::new());
    let mut observer = |event: &Event| {
        if let Event::Improved { size, .. } = event {
            sizes.lock().unwrap().push((size.tokens, size.characters));
        }
    };
    let report = reduction.observed_by(&mut observer).run().unwrap();
    let result = String::from_utf8(report.best.text.to_vec()).unwrap();
    Run { result, tests: report.counts.tests, sizes: sizes.into_inner().unwrap() }
}

#[test]
fn a_walk_leaves_a_minimum_over_a_text_of_the_same_size() {
    let squeezed = |strategy: &str| reduce(strategy, 1, None).result.replace([' ', '\n'], "");
    assert_eq!(squeezed("perses*"), "{y()}x()", "neither call can be removed where it is");
    assert_eq!(squeezed("{perses*}"), "{x()}");
}

#[test]
fn a_walk_is_the_same_with_any_number_of_workers() {
    let alone = reduce("{default}", 1, None);
    for workers in [2, 5] {
        let run = reduce("{default}", workers, None);
        assert_eq!(
            (run.result, run.tests, run.sizes),
            (alone.result.clone(), alone.tests, alone.sizes.clone())
        );
    }
}

#[test]
fn whenever_a_walk_is_stopped_the_smallest_text_is_kept() {
    let whole = reduce("{perses*}", 1, None);
    let mut last = usize::MAX;
    for most in 1..=whole.tests {
        let run = reduce("{perses*}", 1, Some(most));
        assert!(calls_x_and_has_a_call_in_a_block(run.result.as_bytes()), "{most}: {}", run.result);
        assert!(run.result.len() <= last, "{most}: {}", run.result);
        assert!(
            run.sizes.is_sorted_by(|larger, smaller| larger > smaller),
            "{most}: {:?}",
            run.sizes
        );
        last = run.result.len();
    }
    assert_eq!(last, whole.result.len());
}

#[test]
fn a_detour_that_leads_nowhere_ends_soon() {
    let lines: Vec<String> = (0..60).map(|number| format!("z{number}();")).collect();
    let text = Arc::new(lines.join("\n").into_bytes());
    // All calls are needed, in any order, so every sidestep is interesting and none leads further.
    let oracle = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        lines.iter().all(|line| text.contains(line))
    };
    let tests = |strategy: &str| {
        let mut reduction = Reduction::new(text.clone(), &oracle);
        reduction.format = Format::named("javascript").unwrap();
        reduction.strategy = strategy.parse().unwrap();
        reduction.run().unwrap().counts.tests
    };
    let (alone, walk) = (tests("[opdd:lines|opdd:tokens]"), tests("{[opdd:lines|opdd:tokens]}"));
    let detours = walk - alone;
    assert!((64..64 + 4 * 40).contains(&detours), "{detours} more than {alone}");
}
