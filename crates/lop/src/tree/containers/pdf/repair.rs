//! Turns a candidate into a valid file.
//!
//! - The header, the heads and tails of objects, and the entries that a page tree needs stay as long as the object
//!   does. The catalog and the root of the page tree stay as long as the file does.
//! - References to a removed object are removed with it: an entry of a dictionary, a child in the page tree. Elsewhere
//!   in an array, `null` replaces the reference, which has the same meaning. References that were broken before stay.
//! - An object whose value isn't one value any more, or has a key twice, stays as it was, and so do the operations of a content
//!   stream and compressed data (`validity.rs`).
//! - Lengths of streams, numbers of pages, the table of places and its size are written anew (`derived.rs`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use crate::text::{Candidate, Edit};

use super::super::draft::{Bounds, Draft, joined};
use super::content::Content;
use super::document::{Document, PageNode};
use super::syntax::{Kind, Pair, elements, pairs, skip};

/// A file, with the facts about it that a repair needs.
pub(super) struct Repairer {
    pub(super) document: Document,
    bounds: Bounds,
    /// The keys of the entries that stay as long as the object does.
    needed: HashMap<usize, &'static [&'static str]>,
    /// For each object that is a node of the page tree, its index there.
    nodes: HashMap<usize, usize>,
    /// The numbers of pages below the nodes of the page tree.
    pub(super) counts: Vec<u64>,
}

impl Repairer {
    pub(super) fn read(text: &[u8]) -> Option<Repairer> {
        let document = Document::read(text)?;
        let nodes: HashMap<usize, usize> =
            document.pages.nodes.iter().enumerate().map(|(node, it)| (it.object, node)).collect();
        let mut needed = HashMap::new();
        let streams = document.objects.iter().enumerate().filter(|(_, it)| it.data.is_some());
        needed.extend(streams.map(|(index, _)| (index, &["Length"][..])));
        for PageNode { object, kids, .. } in &document.pages.nodes {
            let keys: &[&str] = match kids {
                Some(_) => &["Type", "Parent", "Kids", "Count"],
                None => &["Type", "Parent", "MediaBox"],
            };
            needed.insert(*object, keys);
        }
        if let Some(catalog) = document.pages.roots.first() {
            needed.insert(*catalog, &["Type", "Pages"]);
        }
        needed.retain(|index, _| {
            let first = document.objects[*index].tokens.start;
            document.tokens[first].kind == Kind::OpenDictionary
        });
        let bounds = Bounds::default();
        let counts = Vec::new();
        let mut repairer = Repairer { document, bounds, needed, nodes, counts };
        repairer.bounds = repairer.bounds(text);
        let kids = |node: &PageNode| repairer.kids(text, node);
        let kids: Vec<Vec<usize>> = repairer.document.pages.nodes.iter().map(kids).collect();
        repairer.counts = repairer.counts(&kids);
        Some(repairer)
    }

    /// The bytes that stay.
    fn bounds(&self, text: &[u8]) -> Bounds {
        let Document { tokens, objects, pages, xref, trailer, .. } = &self.document;
        let file = 0..text.len();
        let mut fixed = vec![(0..self.document.header, file.clone())];
        for (index, object) in objects.iter().enumerate() {
            let is_root = pages.roots.contains(&index);
            let owner = if is_root { &file } else { &object.range };
            let Some(keys) = self.needed.get(&index) else {
                fixed.push((object.range.start..object.value.start, owner.clone()));
                fixed.push((object.value.end..object.range.end, owner.clone()));
                continue;
            };
            let first = tokens[object.tokens.start].end();
            fixed.push((object.range.start..first, owner.clone()));
            self.fix_pairs(text, &object.tokens, keys, owner, &mut fixed);
            let last = object.tokens.end - 1;
            let start = self.document.place(last..last + 1).start;
            match &object.data {
                None => fixed.push((start..object.range.end, owner.clone())),
                Some(data) => {
                    fixed.push((start..data.start, owner.clone()));
                    fixed.push((data.end..object.range.end, owner.clone()));
                }
            }
        }
        fixed.push((xref.start..tokens[trailer.start].end(), file.clone()));
        self.fix_pairs(text, trailer, &["Size", "Root"], &file, &mut fixed);
        let last = self.document.place(trailer.end - 1..trailer.end).start;
        fixed.push((last..text.len(), file));
        let gaps = fixed.windows(2).map(|pair| pair[0].0.end..pair[1].0.start);
        let contents = gaps.filter(|gap| !gap.is_empty()).collect();
        Bounds { fixed, contents }
    }

    fn fix_pairs(
        &self,
        text: &[u8],
        dictionary: &Range<usize>,
        keys: &[&str],
        owner: &Range<usize>,
        fixed: &mut Vec<(Range<usize>, Range<usize>)>,
    ) {
        let Document { tokens, .. } = &self.document;
        for Pair { key, value } in pairs(tokens, dictionary) {
            let has = |wanted: &&str| tokens[key].is_name(text, wanted);
            if !keys.iter().any(has) {
                continue;
            }
            let place = self.document.place(key..value.end);
            // Children of the page tree can be removed.
            let is_list = has(&"Kids") && tokens[value.start].kind == Kind::OpenArray;
            if is_list {
                let last = self.document.place(value.end - 1..value.end);
                fixed.push((place.start..tokens[value.start].end(), owner.clone()));
                fixed.push((last, owner.clone()));
            } else {
                fixed.push((place, owner.clone()));
            }
        }
    }

    /// The children of a node of the page tree.
    pub(super) fn kids(&self, text: &[u8], node: &PageNode) -> Vec<usize> {
        let kids = node.kids.as_ref().map(|kids| elements(&self.document.tokens, kids));
        let kids = kids.unwrap_or_default();
        kids.iter().filter_map(|kid| self.document.object(text, kid)).collect()
    }

    /// The number of pages below each node of the page tree, given the children of each.
    pub(super) fn counts(&self, kids: &[Vec<usize>]) -> Vec<u64> {
        let nodes = &self.document.pages.nodes;
        let mut counts = vec![0; nodes.len()];
        // Children come after their parents.
        for index in (0..nodes.len()).rev() {
            counts[index] = match nodes[index].kids {
                None => 1,
                Some(_) => {
                    let nodes = kids[index].iter().filter_map(|kid| self.nodes.get(kid));
                    nodes.map(|node| counts[*node]).sum()
                }
            };
        }
        counts
    }

    /// The candidate as a valid file.
    pub(super) fn repair(&self, candidate: &Candidate) -> Candidate {
        let base = candidate.base();
        let mut draft = Draft { base, edits: BTreeMap::new() };
        for edit in joined(candidate.edits()) {
            self.bounds.clip(&edit).into_iter().for_each(|edit| draft.put(edit));
        }
        if !draft.is_cut(&(0..base.len())) {
            let objects = self.document.objects.iter();
            let gone: Vec<bool> = objects.map(|object| draft.is_cut(&object.range)).collect();
            if gone.contains(&true) {
                self.drop_references(&gone, &mut draft);
            }
            self.restore(&gone, &mut draft);
            self.finish(&mut draft);
        }
        Candidate::new(base, draft.edits.into_values().collect())
    }

    /// The objects with edits in them.
    pub(super) fn touched(&self, draft: &Draft<'_>) -> BTreeSet<usize> {
        let objects = &self.document.objects;
        let edits = draft.edits.values().flat_map(|edit| {
            let first = objects.partition_point(|object| object.range.end <= edit.range.start);
            let end = edit.range.end.max(edit.range.start + 1);
            let last = objects.partition_point(|object| object.range.start < end);
            first..last
        });
        edits.collect()
    }

    /// Removes references to removed objects.
    fn drop_references(&self, gone: &[bool], draft: &mut Draft<'_>) {
        let Document { tokens, objects, trailer, .. } = &self.document;
        let live = (0..objects.len()).filter(|index| !gone[*index]);
        let live = live.map(|index| (Some(index), &objects[index].tokens));
        for (object, range) in live.chain([(None, trailer)]) {
            let kids = object.and_then(|object| self.nodes.get(&object));
            let kids = kids.and_then(|node| self.document.pages.nodes[*node].kids.as_ref());
            let needed = object.and_then(|object| self.needed.get(&object));
            let mut open: Vec<Kind> = Vec::new();
            for index in range.clone() {
                match tokens[index].kind {
                    kind @ (Kind::OpenDictionary | Kind::OpenArray) => open.push(kind),
                    Kind::CloseDictionary | Kind::CloseArray => drop(open.pop()),
                    Kind::Reference => {
                        let target = self.document.object(draft.base, &(index..index + 1));
                        if !target.is_some_and(|target| gone[target]) {
                            continue;
                        }
                        let is_needed = |key: &&str| tokens[index - 1].is_name(draft.base, key);
                        let is_kid = kids.is_some_and(|kids| kids.contains(&index));
                        let edit = match open.last() {
                            _ if is_kid => Edit::cut(self.document.place(index..index + 1)),
                            Some(Kind::OpenDictionary)
                                if open.len() > 1
                                    || !needed.is_some_and(|it| it.iter().any(is_needed)) =>
                            {
                                Edit::cut(self.document.place(index - 1..index + 1))
                            }
                            Some(Kind::OpenArray) => Edit {
                                range: self.document.place(index..index + 1),
                                with: b" null"[..].into(),
                            },
                            _ => continue,
                        };
                        if draft.is_apart(&edit.range) {
                            draft.put(edit);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Restores objects that aren't well-formed any more.
    fn restore(&self, gone: &[bool], draft: &mut Draft<'_>) {
        let Document { objects, pages, tokens, trailer, .. } = &self.document;
        for index in self.touched(draft).into_iter().filter(|index| !gone[*index]) {
            let object = &objects[index];
            let keys = self.needed.get(&index).copied().unwrap_or_default();
            if !self.is_valid(draft, (&object.value, &object.tokens), keys, gone) {
                draft.revert(&object.value);
                let node = self.nodes.get(&index).map(|node| &pages.nodes[*node]);
                let kids = node.and_then(|node| node.kids.as_ref());
                for kid in kids.map(|kids| elements(tokens, kids)).unwrap_or_default() {
                    let target = self.document.object(draft.base, &kid);
                    if target.is_some_and(|target| gone[target]) {
                        draft.put(Edit::cut(self.document.place(kid)));
                    }
                }
            }
            let Some(data) = object.data.as_ref().filter(|data| draft.touches(data)) else {
                continue;
            };
            if self.is_sound(draft.base, index, &draft.base[data.clone()])
                && !self.is_sound(draft.base, index, &draft.pieces(data).concat())
            {
                draft.revert(data);
            }
            if self.document.is_content(draft.base, index)
                && let Some(content) = Content::read(&draft.base[data.clone()])
            {
                let new = Content::read(&draft.pieces(data).concat());
                if new.is_none_or(|new| content.is_balanced && !new.is_balanced) {
                    draft.revert(data);
                }
            }
        }
        let comment = self.document.header..self.document.comment;
        let new = draft.pieces(&comment).concat();
        if skip(&new, 0) < new.len() || new.last().is_some_and(|last| !b"\r\n".contains(last)) {
            draft.revert(&comment);
        }
        let dictionary = self.document.xref.end..tokens[trailer.end - 1].end();
        if !self.is_valid(draft, (&dictionary, trailer), &["Size", "Root"], gone) {
            draft.revert(&dictionary);
        }
    }
}
