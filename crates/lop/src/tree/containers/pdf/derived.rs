//! The parts of a file that depend on others: lengths of streams, numbers of pages, and the table of places.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::draft::{Draft, moved};
use super::document::{Document, PageNode};
use super::repair::Repairer;
use super::syntax::{elements, get, value};

impl Repairer {
    /// Rewrites the parts that depend on the rest of the file.
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

    /// Writes the numbers of pages that were right before.
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

    /// Writes the table of places, its size, and its place.
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
