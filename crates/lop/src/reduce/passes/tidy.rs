//! Removes blank lines and blanks at line ends; the rest of the layout stays.

use crate::text::begins_text;
use crate::tree::{Change, Tree};

use super::Proposal;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let text = tree.text();
    let gaps = tree.pieces().filter(|(leaf, _)| leaf.is_none()).map(|(_, range)| range);
    gaps.filter_map(|gap| {
        let newline = gap.clone().rev().find(|at| text[*at] == b'\n')?;
        // No line end is needed before the first line; elsewhere there has to be one.
        let end = match gap.start {
            start if begins_text(text, start) => newline + 1,
            start if newline > start && text[newline - 1] == b'\r' => newline - 1,
            _ => newline,
        };
        (gap.start < end).then(|| vec![Change::Layout(gap.start..end)])
    })
}
