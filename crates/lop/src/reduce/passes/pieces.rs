//! Parts of a text with pieces replaced, for passes that move a text to another place.

use std::ops::Range;

use crate::tree::{NodeId, Tree};

/// A part of a text, and what replaces it.
pub(super) type Piece = (Range<usize>, Vec<u8>);

/// A part of the text with pieces replaced, which are in the order of the text.
pub(super) fn edited(tree: &Tree, range: Range<usize>, pieces: &[Piece]) -> Vec<u8> {
    let text = tree.text();
    let mut edited = Vec::new();
    let mut at = range.start;
    for (place, with) in pieces {
        if at <= place.start && place.end <= range.end {
            edited.extend(&text[at..place.start]);
            edited.extend(with);
            at = place.end;
        }
    }
    edited.extend(&text[at..range.end]);
    edited
}

/// A text from one place with the indentation of another one.
pub(super) fn moved(tree: &Tree, text: Vec<u8>, from: NodeId, to: NodeId) -> Vec<u8> {
    let (old, new) = (indentation(tree, from), indentation(tree, to));
    let mut lines = text.split(|byte| *byte == b'\n');
    let mut moved = lines.next().unwrap_or_default().to_vec();
    for line in lines {
        let indent = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        moved.push(b'\n');
        moved.extend(std::iter::repeat_n(b' ', (indent + new).saturating_sub(old)));
        moved.extend(&line[indent..]);
    }
    moved
}

/// The white space at the beginning of the line in which a node begins.
fn indentation(tree: &Tree, node: NodeId) -> usize {
    let before = &tree.text()[..tree.range(node).start];
    let line = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let line = &tree.text()[line..];
    line.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// A line end, and the white space before a node.
pub(super) fn new_line(tree: &Tree, node: NodeId) -> Vec<u8> {
    let mut text = vec![b'\n'];
    text.extend(std::iter::repeat_n(b' ', indentation(tree, node)));
    text
}
