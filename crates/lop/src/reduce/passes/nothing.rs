//! Values without parts, where a part of a value is asked for: `find(name).price` fails as `null.price` does, and `load(text)["port"]` as `{}["port"]`.
//!
//! Programs in dynamic languages fail in this way more often than in any other. Where a function returned nothing, or a parameter got none, all that
//! led to it is superfluous as soon as its place has the word itself. `substitute` puts it in the place of longer expressions, a sidestep in that of a name.

use crate::tree::{NodeId, Tree};

/// What grammars call the word for nothing, and how different languages write it.
const NOTHINGS: [(&str, &str); 6] = [
    ("undefined", "undefined"),
    ("null", "null"),
    ("null_literal", "null"),
    ("none", "None"),
    ("nil", "nil"),
    ("nil_literal", "nil"),
];
/// Values without items, whose items are asked for in brackets.
const EMPTY: [(&str, &str); 4] =
    [("dictionary", "{}"), ("object", "{}"), ("hash", "{}"), ("list", "[]")];

/// What stands behind a value of which a part is asked for, or which is called.
const ASKING: [&[u8]; 5] = [b".", b"?.", b"->", b"[", b"("];

/// The values without parts that may stand in a place.
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

/// The sign by which a part of a node's value is asked for, if one is.
fn asking(tree: &Tree, place: NodeId) -> Option<&'static [u8]> {
    let range = tree.range(place);
    let around = tree.range(tree.parent(place)?);
    let behind = tree.text()[range.end..].trim_ascii_start();
    let sign = ASKING.into_iter().find(|sign| behind.starts_with(sign));
    sign.filter(|_| around.start == range.start && around.end > range.end)
}
