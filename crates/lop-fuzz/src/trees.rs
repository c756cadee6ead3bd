//! Texts as trees, and whole runs.

use std::sync::{Arc, LazyLock};

use lop::tree::{Change, FORMATS, Format, Tree};
use lop::{Reduction, Text, lexer};

use crate::choose;

/// Parses a text, and checks that its leaves and gaps are all of it, in order.
pub(crate) fn check_tree(text: &Text, format: &Format) -> Tree {
    let tree = Tree::parse(text, format);
    let mut at = 0;
    for (_, range) in tree.pieces() {
        assert_eq!(range.start, at, "{} loses text", format.name());
        at = range.end;
    }
    assert_eq!(at, text.len(), "{} loses the end of a text", format.name());
    for node in tree.ids().skip(1) {
        let (range, parent) =
            (tree.range(node), tree.parent(node).expect("only the root has none"));
        let around = tree.range(parent);
        assert!(around.start <= range.start && range.end <= around.end, "a node is in its parent");
    }
    tree
}

/// Asks what passes ask, and checks that candidates are what their edits say.
fn ask(tree: &Tree) {
    for node in tree.ids().take(200) {
        let _ = (tree.minimal(node), tree.quantifier(node), tree.series(node), tree.groups(node));
        let hoisted = tree.hoistable(node).take(3).map(|inner| Change::hoist(node, inner));
        let cut = tree.is_removable(node).then(|| Change::cut(node));
        for change in hoisted.chain(cut) {
            let candidate = tree.candidate(&[change]);
            assert_eq!(candidate.bytes().len(), candidate.len());
            let _ = tree.still_parses(&candidate);
        }
    }
}

/// Any bytes in each plain format.
pub(crate) fn formats(bytes: &[u8]) {
    let Some((format, rest)) = choose(FORMATS, bytes) else { return };
    let text: Text = Arc::new(rest.to_vec());
    ask(&check_tree(&text, &Format::from(format)));
    let mut at = 0;
    for token in lexer::tokens(rest) {
        assert!(at <= token.start && token.start < token.end, "tokens are in order");
        at = token.end;
    }
    assert!(at <= rest.len());
}

/// The languages that this crate needs, as far as they are part of the build.
pub(crate) static KNOWN: LazyLock<Vec<Format>> = LazyLock::new(|| {
    ["c", "json", "python", "xml"].into_iter().filter_map(Format::named).collect()
});

/// One of them.
pub(crate) fn known(name: &str) -> Option<&'static Format> {
    KNOWN.iter().find(|format| format.name() == name)
}

/// Any bytes in languages with a grammar.
pub(crate) fn languages(bytes: &[u8]) {
    let Some((format, rest)) = choose(&KNOWN, bytes) else { return };
    ask(&check_tree(&Arc::new(rest.to_vec()), format));
}

/// A run ends, with a result that is interesting and no longer than the original, and finds the same with two workers.
pub(crate) fn reduction(bytes: &[u8]) {
    let Some((format, rest)) = choose(&KNOWN, bytes) else { return };
    let Some((wanted, rest)) = choose(&[1, 2, 3], rest) else { return };
    // A text that has several of the bytes that the original has most of.
    let mut counts = [0; 256];
    rest.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let usual = (0..=255u8).max_by_key(|byte| counts[usize::from(*byte)]).unwrap_or(0);
    let wanted = *wanted.min(&counts[usize::from(usual)]);
    let oracle = move |text: &[u8]| text.iter().filter(|byte| **byte == usual).count() >= wanted;
    let run = |workers: usize| {
        let mut reduction = Reduction::new(Arc::new(rest.to_vec()), &oracle);
        reduction.format = format.clone();
        reduction.workers = workers;
        reduction.max_tests = Some(60);
        reduction.run().expect("nothing is written").best.text
    };
    let result = run(1);
    assert!(oracle(&result) && result.len() <= rest.len());
    assert_eq!(result, run(2));
}
