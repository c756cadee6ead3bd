//! Removes characters of tokens, but not of names and keywords.
//!
//! A name is hardly ever replaceable by itself without a letter, at one place alone, and a keyword without a letter
//! isn't a keyword. So the pass trims the insides of strings, numbers, operators, and the words of texts that aren't
//! programs.

use crate::text::lexer;
use crate::tree::{Change, NodeId, Tree};

use super::Proposal;
use super::names::is_name;
use super::shapes::{characters, without_parts};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let tokens = tree.ids().rev().filter(|node| tree.is_leaf(*node) && may_be_shorter(tree, *node));
    tokens.flat_map(|node| {
        let text = std::str::from_utf8(tree.text_of(node)).ok();
        let text = text.filter(|text| text.chars().nth(1).is_some());
        let parts = text.map(|text| without_parts(&characters(text)));
        parts
            .into_iter()
            .flatten()
            .map(move |text| vec![Change::Replace(node, text.as_bytes().into())])
    })
}

/// Whether a token may remain one of its kind with fewer characters. Some grammars name keywords, by their text or as
/// types; and the frame around the files of a directory is not theirs.
fn may_be_shorter(tree: &Tree, node: NodeId) -> bool {
    let (text, label) = (tree.text_of(node), tree.name(node));
    let is_fixed = !tree.is_named(node) || label.as_bytes() == text || label.ends_with("type");
    let is_keyword = is_fixed && text.iter().all(|byte| lexer::is_word(*byte));
    !is_keyword && !is_name(tree, node) && !tree.parser_of(node).is_frame()
}
