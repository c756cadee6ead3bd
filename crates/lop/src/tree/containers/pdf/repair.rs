//! Makes a valid file of a candidate.
//!
//! - The header, the heads and tails of objects, and the entries without which a page tree is broken stay as long as the object does. The
//!   catalog and the root of the page tree stay as long as the file does.
//! - What refers to a removed object is removed with it: an entry of a dictionary, a child in the page tree. Elsewhere in an
//!   array, `null` takes its place, which has the same meaning. References that led nowhere before stay.
//! - An object whose value isn't one value any more, or has a key twice, stays as it was, and so do the operations of a content
//!   stream and compressed data.
//! - Lengths of streams, numbers of pages, the table of places and its size are written anew.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use crate::text::{Candidate, Edit};

use super::super::deflate::inflate_zlib;
use super::super::draft::{Bounds, Draft, joined, moved};
use super::content::Content;
use super::document::{Document, PageNode};
use super::syntax::{Kind, Pair, Token, elements, get, has_twins, is_regular, pairs, skip, value};

/// A file, and what a repair needs to know of it.
pub(super) struct Repairer {
    pub(super) document: Document,
    bounds: Bounds,
    /// The keys of the entries that stay as long as the object does.
    needed: HashMap<usize, &'static [&'static str]>,
    /// For each object that is a node of the page tree, its index there.
    nodes: HashMap<usize, usize>,
    /// The numbers of pages below the nodes of the page tree.
    counts: Vec<u64>,
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
            // Children of the page tree may be removed.
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
    fn kids(&self, text: &[u8], node: &PageNode) -> Vec<usize> {
        let kids = node.kids.as_ref().map(|kids| elements(&self.document.tokens, kids));
        let kids = kids.unwrap_or_default();
        kids.iter().filter_map(|kid| self.document.object(text, kid)).collect()
    }

    /// The number of pages below each node of the page tree, given the children of each.
    fn counts(&self, kids: &[Vec<usize>]) -> Vec<u64> {
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

    /// Writes anew what depends on the rest of the file.
    pub(super) fn finish(&self, draft: &mut Draft<'_>) {
        let Document { tokens, objects, .. } = &self.document;
        let text = draft.base;
        for index in self.touched(draft) {
            let object = &objects[index];
            let Some(data) = object.data.as_ref().filter(|_| !draft.is_cut(&object.range)) else {
                continue;
            };
            if let Some(length) = self.document.get(text, index, "Length") {
                let at = tokens[length.value.start];
                let length = draft.length(data).to_string();
                draft.write(at.start()..at.end(), length.as_bytes());
            }
        }
        self.write_counts(draft);
        self.write_table(draft);
    }

    /// The objects with edits in them.
    fn touched(&self, draft: &Draft<'_>) -> BTreeSet<usize> {
        let objects = &self.document.objects;
        let edits = draft.edits.values().flat_map(|edit| {
            let first = objects.partition_point(|object| object.range.end <= edit.range.start);
            let end = edit.range.end.max(edit.range.start + 1);
            let last = objects.partition_point(|object| object.range.start < end);
            first..last
        });
        edits.collect()
    }

    /// Removes what refers to objects that are gone.
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

    /// Whether the data of a stream is a whole compressed stream. Only the usual filter is looked at.
    fn is_sound(&self, text: &[u8], object: usize, data: &[u8]) -> bool {
        let filter = self.document.get(text, object, "Filter");
        let is_usual = filter.is_some_and(|filter| {
            let tokens = &self.document.tokens[filter.value];
            let names: Vec<_> = tokens.iter().filter(|token| token.kind == Kind::Name).collect();
            matches!(names[..], [name] if name.is_name(text, "FlateDecode"))
        });
        is_usual && inflate_zlib(data).is_some()
    }

    /// Whether a value is one value after the edits, with the entries that are needed.
    fn is_valid(
        &self,
        draft: &Draft<'_>,
        (range, before): (&Range<usize>, &Range<usize>),
        keys: &[&str],
        gone: &[bool],
    ) -> bool {
        if !draft.touches(range) {
            return true;
        }
        // With the bytes before and after it, which may become one token with it.
        let around = [range.start.saturating_sub(1)..range.start, range.end..range.end + 1];
        let [head, tail] = around.map(|place| draft.base.get(place).unwrap_or_default());
        let new = draft.pieces(range).concat();
        let all = [head, &new, tail].concat();
        let mut tokens: Vec<Token> = Vec::new();
        let end = value(&all, head.len(), &mut tokens);
        let is_one = end.is_some_and(|end| {
            let rest = head.len() + new.len();
            end <= rest && all[end..rest].trim_ascii().is_empty()
        });
        let glues = |left: &[u8], right: &[u8]| {
            let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| is_regular(*byte));
            is_word(left.last()) && is_word(right.first())
        };
        if !is_one || glues(head, &new) || glues(&new, tail) {
            return false;
        }
        let whole = 0..tokens.len();
        let old = &self.document.tokens;
        // An object cannot be a reference to another one.
        let is_reference = |tokens: &[Token]| tokens[0].kind == Kind::Reference;
        let is_new = |has: &dyn Fn(&[u8], &[Token]) -> bool| {
            has(&all, &tokens) && !has(draft.base, &old[before.clone()])
        };
        if is_new(&has_twins) || is_new(&|_, tokens| is_reference(tokens)) {
            return false;
        }
        keys.iter().all(|key| {
            let is_it = |pair: &Pair| tokens[pair.key].is_name(&all, key);
            let found: Vec<Pair> = pairs(&tokens, &whole).into_iter().filter(is_it).collect();
            let Some(was) = get(draft.base, old, before, key) else { return found.is_empty() };
            let [now] = &found[..] else { return false };
            if *key != "Kids" {
                // Nothing may have become one token with it.
                let [was, now] = [(draft.base, old, &was.value), (&all[..], &tokens, &now.value)]
                    .map(|(text, tokens, value)| {
                        tokens[value.clone()].iter().map(|it| it.text(text))
                    });
                return was.eq(now);
            }
            let targets = |text: &[u8], tokens: &[Token], value: &Range<usize>| {
                let kids = elements(tokens, value);
                kids.iter().map(|kid| tokens[kid.start].target(text)).collect::<Vec<_>>()
            };
            // No child is new, none is there more often than before, and none is gone.
            let was = targets(draft.base, old, &was.value);
            let mut was = was.iter();
            let is_there = |kid: &Option<(u32, u32)>| {
                let index = kid.and_then(|kid| self.document.target(kid));
                !index.is_some_and(|index| gone[index])
            };
            let now = targets(&all, &tokens, &now.value);
            now.iter().all(|kid| is_there(kid) && was.any(|it| it == kid))
        })
    }

    /// Writes the numbers of pages, where they were right before.
    fn write_counts(&self, draft: &mut Draft<'_>) {
        let Document { tokens, objects, pages, .. } = &self.document;
        let touched = self.touched(draft);
        if !pages.nodes.iter().any(|node| touched.contains(&node.object)) {
            return;
        }
        let kids = |node: &PageNode| {
            if !touched.contains(&node.object) {
                return self.kids(draft.base, node);
            }
            let new = draft.pieces(&objects[node.object].value).concat();
            let mut tokens = Vec::new();
            value(&new, 0, &mut tokens);
            let kids = get(&new, &tokens, &(0..tokens.len()), "Kids");
            let kids = kids.map(|kids| elements(&tokens, &kids.value)).unwrap_or_default();
            let target = |kid: &Range<usize>| self.document.target(tokens[kid.start].target(&new)?);
            kids.iter().filter_map(target).collect()
        };
        let kids: Vec<Vec<usize>> = pages.nodes.iter().map(kids).collect();
        let counts = self.counts(&kids);
        for (index, PageNode { object, count, .. }) in pages.nodes.iter().enumerate() {
            let Some(count) = count.map(|count| tokens[count]) else { continue };
            let was_right = count.whole(draft.base) == Some(self.counts[index]);
            if was_right && !draft.is_cut(&objects[*object].range) {
                let number = counts[index].to_string();
                draft.write(count.start()..count.end(), number.as_bytes());
            }
        }
    }

    /// Writes the table of places, its size, and where it begins.
    fn write_table(&self, draft: &mut Draft<'_>) {
        let Document { tokens, objects, xref, trailer, startxref, .. } = &self.document;
        let moves = draft.moves();
        let left = objects.iter().filter(|object| !draft.is_cut(&object.range));
        let places = left
            .map(|object| (object.number, (moved(&moves, object.range.start), object.generation)));
        let places: BTreeMap<u32, (usize, u32)> = places.collect();
        let size = places.keys().next_back().map_or(1, |last| u64::from(*last) + 1);
        let start = moved(&moves, xref.start);
        draft.write(xref.clone(), &table(&places));
        if let Some(pair) = get(draft.base, tokens, trailer, "Size") {
            let at = tokens[pair.value.start];
            draft.write(at.start()..at.end(), size.to_string().as_bytes());
        }
        draft.write(startxref.start()..startxref.end(), start.to_string().as_bytes());
    }
}

/// A table of the places and the generations of objects, up to the keyword `trailer`.
pub(super) fn table(places: &BTreeMap<u32, (usize, u32)>) -> Vec<u8> {
    // The number of the first object of each section, and its lines.
    let mut sections: Vec<(u32, Vec<String>)> = vec![(0, vec!["0000000000 65535 f \n".into()])];
    for (number, (place, generation)) in places.iter().filter(|(number, _)| **number > 0) {
        let line = format!("{place:010} {generation:05} n \n");
        match sections.last_mut() {
            Some((first, lines))
                if u64::from(*first) + lines.len() as u64 == u64::from(*number) =>
            {
                lines.push(line);
            }
            _ => sections.push((*number, vec![line])),
        }
    }
    let mut table = b"xref\n".to_vec();
    for (first, lines) in sections {
        table.extend(format!("{first} {}\n", lines.len()).bytes());
        lines.iter().for_each(|line| table.extend(line.bytes()));
    }
    table.extend(b"trailer");
    table
}
