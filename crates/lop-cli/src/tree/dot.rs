//! The tree for Graphviz. Removable nodes are dashed; a dotted arrow leads from a hoistable node to the node that it
//! can replace.

use std::collections::HashMap;
use std::io::{self, Write};

use lop::tree::NodeId;

use super::hoists::Hoists;
use super::{HOISTS_SHOWN, Picture, quoted};

/// Writes the tree.
pub(super) fn write(picture: &Picture<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (tree, view) = (picture.tree, picture.view);
    writeln!(out, "digraph tree {{")?;
    writeln!(out, "  graph [ordering=out];")?;
    writeln!(out, "  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];")?;
    writeln!(out, "  edge [arrowhead=none];")?;
    let shown: HashMap<NodeId, usize> = picture
        .nodes()
        .filter_map(|(node, _)| view.node(node).map(|origin| (origin, node.index())))
        .collect();
    let hoists = Hoists::new(tree, tree.ids().filter(|node| shown.contains_key(node)));
    for (node, _) in picture.nodes() {
        let is_rule = view.node(node).is_some_and(|node| tree.is_named(node));
        let mut label = match view.name(node) {
            name if is_rule || name == "*" => name.to_owned(),
            _ => picture.text(node),
        };
        if is_rule && picture.is_leaf(node) {
            label += &format!("\n{}", picture.text(node));
        }
        let removable = view.is_removable(node);
        if let Some(minimal) = view.minimal(node).filter(|_| !removable) {
            label += &format!("\nΦ {}", quoted(&minimal));
        }
        let style = if removable { "rounded,dashed" } else { "rounded" };
        let color = if removable { "forestgreen" } else { "black" };
        let id = node.index();
        writeln!(out, "  n{id} [label={}, style={style:?}, color={color}];", escaped(&label))?;
        if let Some(parent) = view.parent(node) {
            writeln!(out, "  n{} -> n{id};", parent.index())?;
        }
        for from in picture.hoistable(&hoists, node, HOISTS_SHOWN).0 {
            let from = shown[&from];
            writeln!(
                out,
                "  n{from} -> n{id} [style=dotted, color=purple, constraint=false, arrowhead=normal];"
            )?;
        }
    }
    writeln!(out, "}}")
}

fn escaped(label: &str) -> String {
    format!("\"{}\"", label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
