//! The matches of rules, and the changes that they propose.

use std::collections::HashMap;
use std::ops::Range;

use crate::tree::{Change, NodeId, Tree};

use super::{IT, Part, Piece, Rewrite, Rules};

/// The captured ranges, by name: from the first node of that name to the last.
type Captured<'q> = HashMap<&'q str, Range<usize>>;

impl Rules {
    /// The proposals of the rules for a text: for each match, the changes that are made together. A rule is matched
    /// only after all proposals of the rules before it were requested.
    pub fn proposals<'t>(&'t self, tree: &'t Tree) -> impl Iterator<Item = Vec<Change>> + 't {
        let is_here = tree.parsers().any(|parser| parser.name() == self.language);
        let rules = self.rules.iter().filter(move |_| is_here);
        rules.flat_map(|rule| rule.proposals(tree, &self.language))
    }
}

impl Rewrite {
    fn proposals(&self, tree: &Tree, language: &str) -> Vec<Vec<Change>> {
        let Some((first, linked)) = self.parts.split_first() else { return Vec::new() };
        let matches = first.matches(tree, language);
        let linked: Vec<Linked<'_>> =
            linked.iter().map(|part| Linked::new(part, &matches, (tree, language))).collect();
        matches.into_iter().filter_map(|found| changes(tree, (first, found), &linked)).collect()
    }
}

/// The matches of a part that is linked to the first part.
struct Linked<'q> {
    part: &'q Part,
    /// A capture that all matches of both parts have.
    shared: Option<&'q str>,
    /// The matches by the text of that capture.
    matches: HashMap<Vec<u8>, Vec<Captured<'q>>>,
}

impl<'q> Linked<'q> {
    fn new(part: &'q Part, first: &[Captured<'_>], (tree, language): (&Tree, &str)) -> Self {
        let all = part.matches(tree, language);
        let is_shared = |name: &&str| {
            *name != IT && first.iter().chain(&all).all(|captured| captured.contains_key(name))
        };
        let shared = part.pattern.captures().iter().map(String::as_str).find(is_shared);
        let mut matches: HashMap<Vec<u8>, Vec<Captured<'q>>> = HashMap::new();
        for captured in all {
            matches.entry(text_as(tree, &captured, shared)).or_default().push(captured);
        }
        Linked { part, shared, matches }
    }

    /// The matches in other places whose captures have the same text where they have the same names.
    fn of<'l>(
        &'l self,
        tree: &'l Tree,
        found: &'l Captured<'_>,
    ) -> impl Iterator<Item = &'l Captured<'q>> {
        let text = |range: &Range<usize>| &tree.text()[range.clone()];
        let place = &found[IT];
        let is_same = move |(name, range): (&&str, &Range<usize>)| {
            *name == IT || found.get(name).is_none_or(|bound| text(bound) == text(range))
        };
        let is_apart = |it: &Range<usize>| it.end <= place.start || place.end <= it.start;
        let alike = self.matches.get(&text_as(tree, found, self.shared)).into_iter().flatten();
        alike.filter(move |other| is_apart(&other[IT]) && other.iter().all(is_same))
    }
}

/// The text of a capture; empty if there is none.
fn text_as(tree: &Tree, captured: &Captured<'_>, name: Option<&str>) -> Vec<u8> {
    let range = name.and_then(|name| captured.get(name));
    range.map_or(Vec::new(), |range| tree.text()[range.clone()].to_vec())
}

/// The changes for a match of the first part and all matches that are linked to it.
fn changes<'q>(
    tree: &Tree,
    (first, found): (&Part, Captured<'q>),
    linked: &[Linked<'q>],
) -> Option<Vec<Change>> {
    let mut changes = vec![first.change(tree, &found)?];
    let mut put_in = 0;
    for each in linked {
        let before = changes.len();
        for other in each.of(tree, &found) {
            let mut captured = found.clone();
            captured.extend(other.iter().map(|(name, range)| (*name, range.clone())));
            let change = each.part.change(tree, &captured)?;
            // A long text in place of each of many names would make the text larger.
            put_in += if let Change::Replace(_, with) = &change { with.len() } else { 0 };
            if put_in > tree.text().len() {
                return None;
            }
            changes.push(change);
        }
        if changes.len() == before {
            return None;
        }
    }
    Some(changes)
}

impl Part {
    fn matches<'q>(&'q self, tree: &Tree, language: &str) -> Vec<Captured<'q>> {
        let names = self.pattern.captures();
        let mut all = Vec::new();
        for found in tree.matches(language, &self.pattern) {
            let mut captured: Captured<'q> = HashMap::new();
            for (index, range) in found {
                let known = captured.entry(names[index].as_str()).or_insert(range.clone());
                *known = known.start.min(range.start)..known.end.max(range.end);
            }
            if captured.contains_key(IT) {
                all.push(captured);
            }
        }
        all
    }

    /// The change to the node that is rewritten.
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

/// The first and the last of the siblings that a range covers.
fn ends(tree: &Tree, range: &Range<usize>) -> Option<(NodeId, NodeId)> {
    if let Some(node) = tree.node_at(range) {
        return Some((node, node));
    }
    tree.starting_at(range.start).filter(|node| tree.range(*node).end <= range.end).find_map(
        |first| {
            let parent = tree.parent(first)?;
            let last = tree.children(parent).find(|child| tree.range(*child).end == range.end)?;
            Some((first, last))
        },
    )
}
