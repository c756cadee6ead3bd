//! Runs the content models over the children of every node.
//!
//! Each child keeps the states before it and after it, so that any later question about it is a
//! look-up in its parent's model.

use lop_grammar::{Label, RuleId, States};

use super::arena::{Content, Flags, Node};
use super::dialect::{self, Dialect};

pub(super) fn match_all(nodes: &mut [Node], dialects: &[Dialect]) {
    let mut children: Vec<usize> = Vec::new();
    for id in 0..nodes.len() {
        let node = nodes[id];
        if node.next as usize == id + 1
            || matches!(node.content, Content::Island | Content::Free | Content::Brackets)
        {
            continue;
        }
        children.clear();
        let mut child = id + 1;
        while child < node.next as usize {
            children.push(child);
            child = nodes[child].next as usize;
        }
        nodes[id].content = content(nodes, id, &children, dialects);
    }
    mark_errors(nodes);
}

/// A parser that meets an error may take all that is around it for something else, but it finds its
/// way back at the next thing in the file.
fn mark_errors(nodes: &mut [Node]) {
    let mut child = 1;
    while child < nodes.len() {
        let next = nodes[child].next as usize;
        let part = &mut nodes[child..next];
        if part.iter().any(|node| node.is_error()) {
            let mark = |node: &mut Node| node.flags = node.flags.with(Flags::NEAR_ERROR);
            part.iter_mut().for_each(mark);
        }
        child = next;
    }
}

fn content(nodes: &mut [Node], id: usize, children: &[usize], dialects: &[Dialect]) -> Content {
    let node = nodes[id];
    let (dialect, label) = dialect::of(dialects, node.kind);
    let is_foreign =
        |child: &&usize| !std::ptr::eq(dialect::of(dialects, nodes[**child].kind).0, dialect);
    if children.iter().find(is_foreign).is_none() {
        // The parser's own idea of the rule first, then all that may bear the label.
        let hint = match node.content {
            Content::Rule(rule) => Some(rule),
            _ => None,
        };
        let producers = dialect.grammar().producers(label).iter().copied();
        let rules: Vec<RuleId> = hint.into_iter().chain(producers).collect();
        // What stands between children may also be white space that the grammar calls otherwise.
        for text_counts in [true, false] {
            let counts = |node: &Node| {
                let is_text = dialect::of(dialects, node.kind).1 == Label::TEXT;
                !node.is_extra() && (text_counts || !is_text)
            };
            let accepting =
                rules.iter().find(|rule| matches(nodes, children, &counts, dialect, **rule));
            if let Some(rule) = accepting {
                if !text_counts {
                    // So this text is something that may stand anywhere.
                    let text = dialect.kind(Label::TEXT);
                    for child in children {
                        if nodes[*child].kind == text {
                            nodes[*child].flags = nodes[*child].flags.with(Flags::EXTRA);
                        }
                    }
                }
                return Content::Rule(*rule);
            }
            if children.iter().all(|child| counts(&nodes[*child]) || nodes[*child].is_extra()) {
                break;
            }
        }
    }
    let touches_an_error = node.is_error() || children.iter().any(|child| nodes[*child].is_error());
    match dialect.language() {
        Some(_) if !touches_an_error => Content::Opaque,
        _ if stand_in_brackets(nodes, children, dialects) => Content::Brackets,
        _ => Content::Free,
    }
}

/// Runs a rule's model over those children that count; if it accepts them, all get their states.
fn matches(
    nodes: &mut [Node],
    children: &[usize],
    counts: &dyn Fn(&Node) -> bool,
    dialect: &Dialect,
    rule: RuleId,
) -> bool {
    let label = |node: &Node| Label(node.kind.0 - dialect.kind(Label(0)).0);
    let mut states = dialect.grammar().model(rule).states();
    let mut set = States::START;
    // A model with more sets than fit is one that cannot be asked; none is known to come near.
    let fits = |set: u32| u16::try_from(set).ok();
    for child in children {
        let Some(before) = fits(set) else { return false };
        nodes[*child].before = before;
        if counts(&nodes[*child]) {
            set = states.forward(set, label(&nodes[*child]));
        }
    }
    if !states.meet(set, States::START) {
        return false;
    }
    set = States::START;
    for child in children.iter().rev() {
        let Some(after) = fits(set) else { return false };
        nodes[*child].after = after;
        if counts(&nodes[*child]) {
            set = states.backward(set, label(&nodes[*child]));
        }
    }
    true
}

fn stand_in_brackets(nodes: &[Node], children: &[usize], dialects: &[Dialect]) -> bool {
    let name = |child: &usize| {
        let (dialect, label) = dialect::of(dialects, nodes[*child].kind);
        dialect.grammar().label_name(label)
    };
    let (Some(first), Some(last)) = (children.first(), children.last()) else { return false };
    matches!((name(first), name(last)), ("(", ")") | ("[", "]") | ("{", "}"))
        && !nodes[*last].is_error()
        && children.len() > 1
}
