//! The tree for people: one node a line.

use std::io::{self, Write};

use console::style;
use lop::tree::{NodeId, ViewId};

use super::{HOISTS_SHOWN, Picture, quoted};

/// Writes a legend and the tree.
pub(super) fn write(picture: &Picture<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{}",
        style("✂ may go (?, *, +: so says the grammar)   Φ least replacement   ↑ may stand in its place")
            .dim()
    )?;
    // Whether the ancestors of a node are the last children, by depth.
    let mut last: Vec<bool> = Vec::new();
    for (node, depth) in picture.nodes() {
        last.truncate(depth);
        last.push(is_last(picture, node));
        writeln!(out, "{}{}", style(guides(&last)).dim(), line(picture, node))?;
    }
    Ok(())
}

fn is_last(picture: &Picture<'_>, node: ViewId) -> bool {
    let view = picture.view;
    view.parent(node).is_none_or(|parent| view.next(node) == view.next(parent))
}

fn guides(last: &[bool]) -> String {
    let Some((own, above)) = last.split_last().filter(|_| last.len() > 1) else {
        return String::new();
    };
    let mut guides: String =
        above[1..].iter().map(|last| if *last { "   " } else { "│  " }).collect();
    guides.push_str(if *own { "└─ " } else { "├─ " });
    guides
}

fn line(picture: &Picture<'_>, node: ViewId) -> String {
    let (tree, view) = (picture.tree, picture.view);
    let name = view.name(node);
    let is_error = view.node(node).is_some_and(|node| tree.is_error(node));
    let is_rule = view.node(node).is_none_or(|node| tree.is_named(node));
    let text = picture.text(node);
    let mut line = match (is_rule, name) {
        _ if is_error => format!("{} {text}", style(name).red().bold()),
        (_, "") => style(text).cyan().to_string(),
        (true, _) if picture.is_leaf(node) => {
            format!("{} {}", style(name).bold(), style(text).cyan())
        }
        (true, _) => style(name).bold().to_string(),
        (false, _) => style(text).cyan().to_string(),
    };
    if view.is_removable(node) {
        let sign = view.place(node).map_or("", |place| tree.quantifier(place).sign());
        line += &format!("  {}", style(format!("✂{sign}")).green());
    } else if let Some(minimal) = view.minimal(node) {
        line += &format!("  {}", style(format!("Φ {}", quoted(&minimal))).yellow());
    }
    let hoistable = picture.hoistable(node);
    if !hoistable.is_empty() {
        line += &format!("  {}", style(hoists(picture, &hoistable)).magenta());
    }
    line
}

fn hoists(picture: &Picture<'_>, nodes: &[NodeId]) -> String {
    let named = nodes.iter().take(HOISTS_SHOWN).map(|node| {
        let (line, column) = picture.position(*node);
        format!("{} {line}:{column}", picture.tree.name(*node))
    });
    let mut text = format!("↑ {}", named.collect::<Vec<_>>().join(", "));
    if nodes.len() > HOISTS_SHOWN {
        text += &format!(" and {} more", nodes.len() - HOISTS_SHOWN);
    }
    text
}
