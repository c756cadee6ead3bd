//! Values without parts, for places where a part of a value is accessed: `find(name).price` fails as `null.price` does,
//! and `load(text)["port"]` as `{}["port"]`.
//!
//! Programs in dynamic languages fail in this way more often than in any other. If a function returned nothing, or a
//! parameter got no value, the code that led to it becomes superfluous as soon as the word for nothing is in its place.
//! `substitute` puts it in the place of longer expressions, a sidestep in that of a name.

use crate::tree::{NodeId, Tree};

/// The labels that grammars give to the word for nothing, and its spellings in different languages.
const NOTHINGS: [(&str, &str); 6] = [
    ("undefined", "undefined"),
    ("null", "null"),
    ("null_literal", "null"),
    ("none", "None"),
    ("nil", "nil"),
    ("nil_literal", "nil"),
];
/// Values without items, for places where items are accessed in brackets.
const EMPTY: [(&str, &str); 4] =
    [("dictionary", "{}"), ("object", "{}"), ("hash", "{}"), ("list", "[]")];

/// Signs after a value of which a part is accessed, or which is called.
const ASKING: [&[u8]; 5] = [b".", b"?.", b"->", b"[", b"("];

/// The values without parts that are allowed in a place.
pub(super) fn nothings(tree: &Tree, place: NodeId) -> impl Iterator<Item = &'static str> {
    let grammar = tree.parser_of(place).grammar();
    let is_known = move |(label, text): &(&str, &str)| {
        let label = grammar.label(label, true);
        label.is_some_and(|label| grammar.minimal(label) == Some(*text))
    };
    let asking = asking(tree, place);
    let (nothings, empty): (&[_], &[_]) = match asking {
        None => (&[], &[]),
        Some(b"[") => (&NOTHINGS, &EMPTY),
        Some(_) => (&NOTHINGS, &[]),
    };
    let known = nothings.iter().chain(empty).filter(move |it| is_known(it));
    known.map(|(_, text)| *text).filter(move |text| tree.text_of(place) != text.as_bytes())
}

/// The sign by which a part of a node's value is accessed, if there is one.
fn asking(tree: &Tree, place: NodeId) -> Option<&'static [u8]> {
    let range = tree.range(place);
    let around = tree.range(tree.parent(place)?);
    let behind = tree.text()[range.end..].trim_ascii_start();
    let sign = ASKING.into_iter().find(|sign| behind.starts_with(sign));
    sign.filter(|_| around.start == range.start && around.end > range.end)
}
