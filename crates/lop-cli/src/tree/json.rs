//! The tree as JSON: a list of nodes in pre-order, each with the number of its parent. The list is not nested, since
//! few JSON parsers accept a thousand levels. For each place, the first nodes that can be hoisted to it are listed, and
//! all of them are counted.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::hoists::Hoists;
use super::{Extent, HOISTS_LISTED, Picture};

/// Writes the tree.
pub(super) fn write(picture: &Picture<'_>, language: &str, out: &mut dyn Write) -> io::Result<()> {
    let Extent { height, rules, tokens } = picture.extent();
    writeln!(
        out,
        "{{\"language\":{},\"height\":{height},\"rules\":{rules},\"tokens\":{tokens},\"nodes\":[",
        Value::from(language)
    )?;
    let (tree, view) = (picture.tree, picture.view);
    let hoists = Hoists::new(tree, tree.ids());
    for (index, (node, _)) in picture.nodes().enumerate() {
        let origin = view.node(node);
        let (hoistable, hoistable_count) = picture.hoistable(&hoists, node, HOISTS_LISTED);
        let hoistable: Vec<Value> = hoistable
            .into_iter()
            .map(|node| {
                let range = tree.range(node);
                json!({ "label": tree.name(node), "start": range.start, "end": range.end })
            })
            .collect();
        let minimal = view.minimal(node).map(|text| String::from_utf8_lossy(&text).into_owned());
        let entry = json!({
            "id": node.index(),
            "parent": view.parent(node).map(|parent| parent.index()),
            "label": view.name(node),
            "field": origin.and_then(|node| tree.field(node)),
            "named": origin.is_some_and(|node| tree.is_named(node)),
            "start": view.range(node).start,
            "end": view.range(node).end,
            "removable": view.is_removable(node),
            "quantifier": view.place(node).map_or("", |place| tree.quantifier(place).sign()),
            "minimal": minimal,
            "hoistable": hoistable,
            "hoistable_count": hoistable_count,
            "extra": origin.is_some_and(|node| tree.is_extra(node)),
            "error": origin.is_some_and(|node| tree.is_error(node)),
        });
        writeln!(out, "{}{entry}", if index == 0 { "" } else { "," })?;
    }
    writeln!(out, "]}}")
}
