//! Runs the content models over the children of every node.
//!
//! Each child stores the states before and after it, so that any later question about it is a
//! look-up in its parent's model.

use lop_grammar::{Label, Model, Order, RuleId};

use super::arena::{Content, Flags, Node};
use super::dialect::{self, Dialect};

pub(super) fn match_all(nodes: &mut [Node], dialects: &[Dialect]) {
    let mut children: Vec<usize> = Vec::new();
    for id in 0..nodes.len() {
        let node = nodes[id];
        if node.next as usize == id + 1
            || matches!(node.content(), Content::Island | Content::Free | Content::Brackets)
        {
            continue;
        }
        children.clear();
        let mut child = id + 1;
        while child < node.next as usize {
            children.push(child);
            child = nodes[child].next as usize;
        }
        let content = content(nodes, id, &children, dialects);
        nodes[id].set_content(content);
    }
    mark_errors(nodes);
}

/// Marks the nodes near errors. A parser that meets an error may misread everything around it, but it
/// recovers at the next top-level node.
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
    let is_own = |child: &usize| std::ptr::eq(dialect::of(dialects, nodes[*child].kind).0, dialect);
    // The children are a word only if all of them are in the node's language.
    let is_own = children.iter().all(is_own);
    let touches_an_error = node.is_error() || children.iter().any(|child| nodes[*child].is_error());
    let overlaid = |order: Order| {
        let models = dialect.models().filter(|models| is_own && models.order() == order);
        models.and_then(|models| models.model(label))
    };
    if let Some(model) = overlaid(Order::OverlayFirst)
        && matches(nodes, children, dialect, model)
    {
        return Content::Overlaid;
    }
    if is_own && let Some(rule) = rule(nodes, id, children, (dialect, label)) {
        return Content::Rule(rule);
    }
    if dialect.parser().is_strict() && !touches_an_error {
        let model = overlaid(Order::GrammarFirst);
        let accepts = model.is_some_and(|model| matches(nodes, children, dialect, model));
        return if accepts { Content::Overlaid } else { Content::Opaque };
    }
    match stand_in_brackets(nodes, children, dialects) {
        true => Content::Brackets,
        false => Content::Free,
    }
}

/// The first rule whose model accepts the children.
fn rule(
    nodes: &mut [Node],
    id: usize,
    children: &[usize],
    (dialect, label): (&Dialect, Label),
) -> Option<RuleId> {
    // The parser's hint first, then all rules that make nodes of this label.
    let hint = match nodes[id].content() {
        Content::Rule(rule) => Some(rule),
        _ => None,
    };
    let grammar = dialect.grammar();
    let rules = hint.into_iter().chain(grammar.producers(label).iter().copied());
    let accepting = |nodes: &mut [Node]| {
        rules.clone().find(|rule| matches(nodes, children, dialect, grammar.model(*rule)))
    };
    accepting(nodes).or_else(|| {
        // Text between children may also be a part that the parser skips.
        let text = dialect.kind(Label::TEXT);
        let is_text = |child: &usize| nodes[*child].kind == text;
        let texts: Vec<usize> = children.iter().copied().filter(is_text).collect();
        for child in &texts {
            nodes[*child].flags = nodes[*child].flags.with(Flags::EXTRA);
        }
        if texts.is_empty() { None } else { accepting(nodes) }
    })
}

/// Runs a model over the children; if it accepts them, all get their states. Nodes that are allowed
/// anywhere are not part of the word.
fn matches(nodes: &mut [Node], children: &[usize], dialect: &Dialect, model: &Model) -> bool {
    let word: Vec<Label> = children
        .iter()
        .filter(|child| !nodes[**child].is_extra())
        .map(|child| Label(nodes[*child].kind.0 - dialect.kind(Label(0)).0))
        .collect();
    let Some(gaps) = model.gaps(&word) else { return false };
    // A model with more sets than fit cannot be used; no known model comes near.
    let fits = |set: u32| u16::try_from(set).is_ok();
    if !gaps.iter().all(|gap| fits(gap.before) && fits(gap.after)) {
        return false;
    }
    let mut at = 0;
    for child in children {
        let node = &mut nodes[*child];
        node.before = gaps[at].before as u16;
        at += usize::from(!node.is_extra());
        node.after = gaps[at].after as u16;
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
