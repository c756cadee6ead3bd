//! The names of a text, and the pass that replaces long names by short ones.
//!
//! A name is a word that the grammar calls an identifier or a name of something. The pass does not know which of them mean the
//! same: it renames all occurrences of the same word together. Names that occur often come first: a name
//! that occurs once is rarely declared in the text.

use std::collections::{BTreeMap, HashSet};

use crate::text::lexer;
use crate::tree::{NodeId, Tree};

use super::{Proposal, put};

/// Parts of the labels that grammars give to names, in any case: ANTLR's grammars write tokens in capitals.
const CALLED: &[&str] =
    &["identifier", "name", "variable", "word", "constant", "symbol", "metavariable"];

/// Labels of names that are parts of other words.
const SHORT: &[&str] = &["id", "ident"];

/// Words of two letters that are keywords in some language.
const KEYWORDS: &[&[u8]] = &[
    b"as", b"at", b"by", b"do", b"fi", b"fn", b"go", b"if", b"in", b"is", b"of", b"on", b"or",
    b"to",
];

/// Whether a node is a name.
pub(super) fn is_name(tree: &Tree, node: NodeId) -> bool {
    let text = without_sigil(tree.text_of(node));
    let begins_word =
        text.first().is_some_and(|byte| lexer::is_word(*byte) && !byte.is_ascii_digit());
    tree.is_leaf(node)
        && !tree.is_extra(node)
        && begins_word
        && text.iter().all(|byte| lexer::is_word(*byte))
        && tree.is_named(node)
        && is_called_name(tree.name(node))
}

/// A name without the sign that some languages put before it: `$a`, and Ruby's `@a` and `@@a`.
fn without_sigil(name: &[u8]) -> &[u8] {
    let sigil = name.iter().take_while(|byte| b"$@".contains(byte)).count();
    &name[sigil..]
}

fn is_called_name(label: &str) -> bool {
    let label = label.to_ascii_lowercase();
    SHORT.contains(&label.as_str()) || CALLED.iter().any(|called| label.contains(called))
}

/// The names of a text, each with its occurrences.
pub(super) fn names(tree: &Tree) -> BTreeMap<&[u8], Vec<NodeId>> {
    let mut names: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    for node in tree.ids().filter(|node| is_name(tree, *node)) {
        names.entry(tree.text_of(node)).or_default().push(node);
    }
    names
}

/// The occurrences of names that may mean one thing: all of a word, and of a word that is also called, its calls. A
/// function may have the name of a type, or of a variable.
pub(super) fn meanings(tree: &Tree) -> Vec<Vec<NodeId>> {
    let is_called = |node: &NodeId| tree.text()[tree.range(*node).end..].starts_with(b"(");
    let mut meanings = Vec::new();
    for all in names(tree).into_values() {
        let calls: Vec<NodeId> = all.iter().copied().filter(is_called).collect();
        let others = all.len() > calls.len() && calls.len() > 1;
        meanings.extend([Some(all), others.then_some(calls)].into_iter().flatten());
    }
    meanings
}

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let names = names(tree);
    let words: HashSet<&[u8]> = lexer::tokens(tree.text()).map(|at| &tree.text()[at]).collect();
    let mut often: Vec<(&[u8], &Vec<NodeId>)> =
        names.iter().map(|(name, at)| (*name, at)).collect();
    often.sort_by_key(|(name, at)| (std::cmp::Reverse(at.len()), at[0], *name));
    let is_free =
        |name: &Vec<u8>| !words.contains(name.as_slice()) && !KEYWORDS.contains(&name.as_slice());
    let mut fresh = (0..).map(short).filter(is_free);
    let mut proposals = Vec::new();
    for (name, occurrences) in often {
        let sigil = name.len() - without_sigil(name).len();
        if name.len() <= sigil + 1 {
            continue;
        }
        let Some(new) = fresh.next() else { break };
        let capital = name[sigil].is_ascii_uppercase();
        for new in
            [Some(new.clone()), capital.then(|| new.to_ascii_uppercase())].into_iter().flatten()
        {
            let new = [&name[..sigil], &new].concat();
            if new.len() < name.len() && !words.contains(new.as_slice()) {
                proposals.push(put(occurrences, &new));
            }
        }
    }
    proposals.into_iter()
}

/// The shortest names: a, b, … z, aa, ab, …
fn short(number: usize) -> Vec<u8> {
    let letter = b'a' + (number % 26) as u8;
    match number / 26 {
        0 => vec![letter],
        rest => [short(rest - 1), vec![letter]].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_counted_as_in_a_spreadsheet() {
        let text = |number| String::from_utf8(short(number)).unwrap();
        assert_eq!(
            [0, 1, 25, 26, 27, 701, 702].map(text),
            ["a", "b", "z", "aa", "ab", "zz", "aaa"]
        );
    }
}
