//! Items: the text between commas and semicolons, level by level of the brackets around it.
//!
//! Statements of a block, arguments of a call, members of a JSON object, declarations of a file. An item is removed
//! with the separator after it; if the last item of a list has none, as in `f(a, b)`, the item that becomes the last
//! one loses its comma. A `}` at the end of a line also ends an item, since a function needs no semicolon. White space
//! before an item belongs to it.

use std::ops::Range;

use crate::search::Subset;
use crate::text::lexer;
use crate::text::{Candidate, Text};

use super::brackets::{blocks, insides_of};
use super::{Atoms, some, tokens_in};

pub(super) fn items(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    let lists = match level.checked_sub(1) {
        None => std::iter::once(0..text.len()).collect(),
        Some(depth) => insides_of(blocks(text, |each| each == depth)),
    };
    // A separator inside brackets does not separate the items outside of them.
    let mut deeper = blocks(text, |depth| depth == level).into_iter().peekable();
    let mut bracket_ends = 0;
    let mut items = Items::default();
    for list in lists {
        for token in lexer::tokens(&text[list.clone()]) {
            let token = list.start + token.start..list.start + token.end;
            if let Some(block) = deeper.next_if(|block| block.start == token.start) {
                bracket_ends = block.end;
            }
            let terminator = if token.end < bracket_ends {
                Terminator::Missing
            } else {
                Terminator::of(text, &token)
            };
            items.add(list.start, token.end, terminator);
        }
        items.close_list();
    }
    some(items)
}

struct Item {
    range: Range<usize>,
    terminator: Terminator,
}

/// The end of an item.
#[derive(Clone, Copy, PartialEq)]
enum Terminator {
    /// Nothing yet, or the end of its list.
    Missing,
    /// A comma, which is its last byte.
    Comma,
    /// A semicolon, or a brace that needs none.
    Semicolon,
}

impl Terminator {
    /// The terminator of an item whose last token is this one.
    fn of(text: &[u8], token: &Range<usize>) -> Self {
        let behind = text[token.end..].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        match &text[token.clone()] {
            b"," => Terminator::Comma,
            b";" => Terminator::Semicolon,
            b"}" if matches!(behind, None | Some(b'\n')) => Terminator::Semicolon,
            _ => Terminator::Missing,
        }
    }
}

#[derive(Default)]
struct Items {
    items: Vec<Item>,
    /// The end of each list, as an index of items.
    ends: Vec<usize>,
}

impl Items {
    /// Extends the open item by a token, which may end it.
    fn add(&mut self, list_start: usize, token_end: usize, terminator: Terminator) {
        let first = self.ends.last().copied().unwrap_or(0);
        match self.items[first..].last_mut() {
            Some(item) if item.terminator == Terminator::Missing => {
                item.range.end = token_end;
                item.terminator = terminator;
            }
            last => {
                let start = last.map_or(list_start, |item| item.range.end);
                self.items.push(Item { range: start..token_end, terminator });
            }
        }
    }

    fn close_list(&mut self) {
        if self.items.len() > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(self.items.len());
        }
    }

    /// The comma of an item that becomes the last one of a list whose last item has none.
    fn needless_comma(&self, item: usize, last: usize) -> Option<Range<usize>> {
        let comma = self.items[item].range.end - 1..self.items[item].range.end;
        let both = (self.items[item].terminator, self.items[last].terminator);
        (both == (Terminator::Comma, Terminator::Missing)).then_some(comma)
    }
}

impl Atoms for Items {
    fn len(&self) -> usize {
        self.items.len()
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        let mut list = 0;
        let cuts = kept.gaps(self.len()).flat_map(|gone| {
            while self.ends[list] <= gone.start {
                list += 1;
            }
            let (start, end) =
                (list.checked_sub(1).map_or(0, |list| self.ends[list]), self.ends[list]);
            // If the end of a list is removed, the item before the cut becomes the last one.
            let is_tail = gone.start > start && gone.end >= end;
            let comma = is_tail.then(|| self.needless_comma(gone.start - 1, end - 1)).flatten();
            comma.into_iter().chain(gone.map(|item| self.items[item].range.clone()))
        });
        Candidate::without(text, cuts)
    }

    fn weight(&self, text: &[u8], atom: usize) -> usize {
        tokens_in(text, self.items[atom].range.clone())
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

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
