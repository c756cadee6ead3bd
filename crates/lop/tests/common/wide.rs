//! Wide lists, and the memory of reducers over them.

use std::sync::Arc;

use lop::Reduction;
use lop::tree::Format;

use crate::allocated::peak;

/// The measured strategies, each with whether its oracle needs every second sibling or all of them.
pub(crate) const CASES: [(&str, bool); 3] =
    [("hoist", false), ("hoistr:model", false), ("hddr", true)];

/// The most bytes that a strategy allocates over a list of siblings.
pub(crate) fn held(strategy: &str, siblings: usize, every_second: bool, most: u64) -> usize {
    let list: Vec<String> = (0..siblings).map(|number| format!("[[{number}]]")).collect();
    let text = format!("[{}]", list.join(",")).into_bytes();
    let needed: Vec<Vec<u8>> =
        (0..siblings).step_by(2).map(|it| format!("[{it}]").into()).collect();
    let original = text.clone();
    let oracle = move |candidate: &[u8]| match every_second {
        false => candidate == original,
        true => {
            // In their order, so that one pass over the candidate is enough.
            let mut elements = candidate.split(|byte| *byte == b',');
            needed.iter().all(|it| elements.any(|each| each.windows(it.len()).any(|at| at == it)))
        }
    };
    let mut reduction = Reduction::new(Arc::new(text), &oracle);
    reduction.format = Format::named("json").expect("JSON is part of every build");
    reduction.strategy = strategy.parse().expect("the strategy is well-formed");
    reduction.max_tests = Some(most);
    peak(|| {
        reduction.run().expect("the oracle answers");
    })
}
