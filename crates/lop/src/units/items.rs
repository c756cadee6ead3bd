//! Items: what stands between commas and semicolons, level by level of the brackets around it.
//!
//! Statements of a block, arguments of a call, members of a JSON object, declarations of a file. An
//! item goes with the separator behind it; where the last one of a list has none, as in `f(a, b)`,
//! what becomes the last one loses its comma. A `}` at the end of a line ends an item too, since a
//! function needs no semicolon. White space in front of an item belongs to it.

use std::ops::Range;

use crate::candidate::{Candidate, Edit, Text};
use crate::lexer;
use crate::search::Subset;

use super::brackets::all_blocks;
use super::{Atoms, some};

pub(super) fn items(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    let mut lists = vec![List { level: 0, start: 0, end: text.len(), items: Vec::new() }];
    lists.extend(all_blocks(text).into_iter().map(|(depth, block)| List {
        level: depth + 1,
        start: block.start + 1,
        end: block.end - 1,
        items: Vec::new(),
    }));
    lists.sort_unstable_by_key(|list| list.start);
    // The lists around the present token, by index.
    let mut around = vec![0];
    let mut next = 1;
    for token in lexer::tokens(text) {
        while around.len() > 1 && token.start >= lists[around[around.len() - 1]].end {
            around.pop();
        }
        let ends_line = text[token.end..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        let separator = match &text[token.clone()] {
            b"," | b";" => Some(token.clone()),
            b"}" if matches!(ends_line, None | Some(b'\n')) => Some(token.end..token.end),
            _ => None,
        };
        lists[around[around.len() - 1]].add(token.end, separator);
        if lists.get(next).is_some_and(|list| list.start == token.end) {
            around.push(next);
            next += 1;
        }
    }
    lists.retain(|list| list.level == level && !list.items.is_empty());
    some(Items::new(lists))
}

/// The items of one pair of brackets, or of the whole text.
struct List {
    level: usize,
    start: usize,
    end: usize,
    items: Vec<Item>,
}

struct Item {
    range: Range<usize>,
    /// The comma or semicolon at its end; empty behind a `}`.
    separator: Option<Range<usize>>,
}

impl List {
    /// Extends the item that is open by a token, which may end it.
    fn add(&mut self, end: usize, separator: Option<Range<usize>>) {
        match self.items.last_mut() {
            Some(item) if item.separator.is_none() => {
                item.range.end = end;
                item.separator = separator;
            }
            last => {
                let start = last.map_or(self.start, |item| item.range.end);
                self.items.push(Item { range: start..end, separator });
            }
        }
    }
}

struct Items {
    items: Vec<Item>,
    /// Where each list ends among the items.
    ends: Vec<usize>,
}

impl Items {
    fn new(lists: Vec<List>) -> Self {
        let mut items = Vec::new();
        let mut ends = Vec::new();
        for list in lists {
            items.extend(list.items);
            ends.push(items.len());
        }
        Items { items, ends }
    }

    /// The comma of an item that became the last of a list whose last one has none.
    fn needless_comma(&self, text: &Text, item: usize, end: usize) -> Option<Range<usize>> {
        let separator = self.items[item].separator.clone()?;
        let comma = text[separator.clone()] == *b",";
        (comma && self.items[end - 1].separator.is_none()).then_some(separator)
    }
}

impl Atoms for Items {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        let mut cuts: Vec<Range<usize>> = Vec::new();
        let mut list = 0;
        for gone in kept.gaps(self.len()) {
            for item in gone.clone() {
                while self.ends[list] <= item {
                    list += 1;
                }
                let start = if list == 0 { 0 } else { self.ends[list - 1] };
                // The end of a list goes, but something in front of it stays.
                if gone.start > start && gone.end >= self.ends[list] && item == gone.start {
                    cuts.extend(self.needless_comma(text, item - 1, self.ends[list]));
                }
                cuts.push(self.items[item].range.clone());
            }
        }
        Candidate::new(text, cuts.into_iter().map(Edit::cut).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::units::tests::check;

    #[test]
    fn statements_and_functions_are_items() {
        let text = "int x;\nvoid f() {\n  a;\n  b;\n}\nint y;\n";
        check(
            "items",
            0,
            text,
            &[
                "\nvoid f() {\n  a;\n  b;\n}\nint y;\n",
                "int x;\nint y;\n",
                "int x;\nvoid f() {\n  a;\n  b;\n}\n",
            ],
        );
        check(
            "items",
            1,
            text,
            &["int x;\nvoid f() {\n  b;\n}\nint y;\n", "int x;\nvoid f() {\n  a;\n}\nint y;\n"],
        );
    }

    #[test]
    fn the_last_item_takes_the_comma_in_front_of_it() {
        check("items", 1, "f(a, b, c)", &["f( b, c)", "f(a, c)", "f(a, b)"]);
        check("items", 1, "[1]", &["[]"]);
        check("items", 1, "{a;b;}", &["{b;}", "{a;}"]);
    }

    #[test]
    fn lists_of_the_same_level_are_cut_together() {
        check("items", 1, "f(a)(b,c)", &["f()(b,c)", "f(a)(c)", "f(a)(b)"]);
        check("items", 2, "f((a,b))", &["f((b))", "f((a))"]);
        check("items", 3, "f((a,b))", &[]);
    }
}
