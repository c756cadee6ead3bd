//! The tree as an outline: one node per line.

use std::io::{self, Write};

use console::style;
use lop::tree::{NodeId, ViewId};

use super::hoists::Hoists;
use super::{Extent, HOISTS_SHOWN, Picture, quoted};

/// The number of levels with guide lines, the innermost ones: with all of them, lines would be as long as the tree is
/// deep.
const LEVELS_GUIDED: usize = 100;

/// Writes a legend, the extent of the tree, and the tree.
pub(super) fn write(picture: &Picture<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{}",
        style("✂ removable (?, *, +: the grammar's quantifier)   Φ smallest replacement   ↑ can be hoisted here")
            .dim()
    )?;
    let Extent { height, rules, tokens } = picture.extent();
    let extent = format!("{rules} rules, {tokens} tokens, height {height}");
    writeln!(out, "{}", style(extent).dim())?;
    let hoists = Hoists::new(picture.tree, picture.tree.ids());
    // Whether the ancestor at each depth is a last child.
    let mut last: Vec<bool> = Vec::new();
    for (node, depth) in picture.nodes() {
        last.truncate(depth);
        last.push(is_last(picture, node));
        writeln!(out, "{}{}", style(guides(&last)).dim(), line(picture, &hoists, node))?;
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
    let left_out = above[1..].len().saturating_sub(LEVELS_GUIDED);
    let above = above[1 + left_out..].iter().map(|last| if *last { "   " } else { "│  " });
    let mut guides = match left_out {
        0 => String::new(),
        levels => format!("… {levels} levels … "),
    };
    guides.extend(above);
    guides.push_str(if *own { "└─ " } else { "├─ " });
    guides
}

fn line(picture: &Picture<'_>, hoists: &Hoists<'_>, node: ViewId) -> String {
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
    let (hoistable, count) = picture.hoistable(hoists, node, HOISTS_SHOWN);
    if count > 0 {
        line += &format!("  {}", style(named(picture, &hoistable, count)).magenta());
    }
    line
}

/// The nodes that can be hoisted to a place: the first by name, the others as a number.
fn named(picture: &Picture<'_>, first: &[NodeId], count: usize) -> String {
    let named = first.iter().map(|node| {
        let (line, column) = picture.position(*node);
        format!("{} {line}:{column}", picture.tree.name(*node))
    });
    let mut text = format!("↑ {}", named.collect::<Vec<_>>().join(", "));
    if count > first.len() {
        text += &format!(" and {} more", count - first.len());
    }
    text
}
