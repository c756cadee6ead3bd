//! Where rules match, and what they make of it.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::{QueryCursor, StreamingIterator};

use crate::tree::{Change, NodeId, Tree};

use super::{IT, Part, Piece, Rule, Rules};

/// What was captured, by name: from the first node of that name to the last.
type Captured<'q> = HashMap<&'q str, Range<usize>>;

impl Rules {
    /// What the rules make of a text: for each match the changes that are made together.
    pub fn proposals(&self, tree: &Tree) -> Vec<Vec<Change>> {
        let is_for = tree.language().is_some_and(|language| language.name() == self.language);
        let Some(parsed) = tree.syntax().filter(|_| is_for) else { return Vec::new() };
        self.rules.iter().flat_map(|rule| rule.proposals(tree, &parsed)).collect()
    }
}

impl Rule {
    fn proposals(&self, tree: &Tree, parsed: &tree_sitter::Tree) -> Vec<Vec<Change>> {
        let Some((first, linked)) = self.parts.split_first() else { return Vec::new() };
        let linked: Vec<(&Part, Vec<Captured<'_>>)> =
            linked.iter().map(|part| (part, part.matches(tree, parsed))).collect();
        let matches = first.matches(tree, parsed).into_iter();
        matches.filter_map(|found| changes(tree, (first, found), &linked)).collect()
    }
}

/// What is made of a match of the first part and of all that is linked to it.
fn changes<'q>(
    tree: &Tree,
    (first, found): (&Part, Captured<'q>),
    linked: &[(&Part, Vec<Captured<'q>>)],
) -> Option<Vec<Change>> {
    let text = |range: &Range<usize>| &tree.text()[range.clone()];
    let mut changes = vec![first.change(tree, &found)?];
    let place = found[IT].clone();
    for (part, matches) in linked {
        let mut any = false;
        for other in matches {
            let is_same = |(name, range): (&&str, &Range<usize>)| {
                *name == IT || found.get(name).is_none_or(|bound| text(bound) == text(range))
            };
            let is_apart = other[IT].end <= place.start || place.end <= other[IT].start;
            if is_apart && other.iter().all(is_same) {
                let mut captured = found.clone();
                captured.extend(other.iter().map(|(name, range)| (*name, range.clone())));
                changes.push(part.change(tree, &captured)?);
                any = true;
            }
        }
        if !any {
            return None;
        }
    }
    Some(changes)
}

impl Part {
    fn matches<'q>(&'q self, tree: &Tree, parsed: &tree_sitter::Tree) -> Vec<Captured<'q>> {
        let names = self.query.capture_names();
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&self.query, parsed.root_node(), tree.text().as_slice());
        let mut all = Vec::new();
        while let Some(found) = matches.next() {
            let mut captured: Captured<'q> = HashMap::new();
            for capture in found.captures {
                let range = capture.node.byte_range();
                let known = captured.entry(names[capture.index as usize]).or_insert(range.clone());
                *known = known.start.min(range.start)..known.end.max(range.end);
            }
            if captured.contains_key(IT) {
                all.push(captured);
            }
        }
        all
    }

    /// What happens to the node that is rewritten.
    fn change(&self, tree: &Tree, captured: &Captured<'_>) -> Option<Change> {
        let it = &captured[IT];
        let place = tree.node_at(it)?;
        if let [Piece::Capture(name)] = self.template.as_slice()
            && let Some(kept) = captured.get(name.as_str())
            && it.start <= kept.start
            && kept.end <= it.end
            && let Some((first, last)) = ends(tree, kept)
        {
            return Some(Change::Keep { place, first, last });
        }
        if self.template.is_empty() {
            return Some(Change::cut(place));
        }
        let mut with = Vec::new();
        for piece in &self.template {
            match piece {
                Piece::Text(text) => with.extend(text.bytes()),
                Piece::Capture(name) => {
                    let range = captured.get(name.as_str()).cloned().unwrap_or(0..0);
                    with.extend(&tree.text()[range]);
                }
            }
        }
        Some(Change::Replace(place, with.into()))
    }
}

/// The siblings from which and to which a range goes.
fn ends(tree: &Tree, range: &Range<usize>) -> Option<(NodeId, NodeId)> {
    if let Some(node) = tree.node_at(range) {
        return Some((node, node));
    }
    let first = tree.ids().find(|node| tree.range(*node).start == range.start)?;
    let above = std::iter::successors(Some(first), |node| tree.parent(*node));
    let first = above.take_while(|node| tree.range(*node).start == range.start);
    first.filter(|node| tree.range(*node).end <= range.end).find_map(|first| {
        let parent = tree.parent(first)?;
        let last = tree.children(parent).find(|child| tree.range(*child).end == range.end)?;
        Some((first, last))
    })
}
