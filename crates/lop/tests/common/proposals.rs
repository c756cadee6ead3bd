//! What passes propose for small texts.

// Each test file is a crate of its own and uses its part of this.
#![allow(dead_code)]

use lop::passes::{Lore, PASSES};
use lop::tree::Tree;

use crate::common::parse;

/// The texts that a pass proposes and that parse.
pub(crate) fn proposed(pass: &str, format: &str, text: &str) -> Vec<String> {
    proposed_with(&Lore::default(), pass, format, text)
}

pub(crate) fn proposed_with(lore: &Lore, pass: &str, format: &str, text: &str) -> Vec<String> {
    let pass = PASSES.iter().find(|each| each.name == pass).unwrap();
    let tree: Tree = parse(format, text);
    let candidates = (pass.propose)(&tree, lore).map(|changes| tree.candidate(&changes));
    let parsing = candidates.filter(|candidate| tree.still_parses(candidate));
    parsing.map(|candidate| String::from_utf8(candidate.bytes()).unwrap()).collect()
}

/// Checks that a pass proposes a text.
pub(crate) fn proposes(pass: &str, format: &str, text: &str, expected: &str) {
    let all = proposed(pass, format, text);
    assert!(all.iter().any(|it| it == expected), "{pass} of {text:?} proposes {all:#?}");
}
