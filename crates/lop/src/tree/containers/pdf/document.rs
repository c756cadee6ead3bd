//! A PDF in the form that can be reduced: objects one after the other, a table of their places, and a trailer.
//!
//! Other files (with object streams, a table that is a stream, updates after the table) are brought into this form
//! before a run (`unpack.rs`). A file with a wrong table isn't in this form: the mistake may be the bug's cause.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::syntax::{Kind, Pair, Token, elements, get, next, pairs, skip, value};

pub(super) struct Document {
    /// The end of the first line, with the version.
    pub(super) header: usize,
    /// The end of the comments after it.
    pub(super) comment: usize,
    /// The tokens of all objects and of the trailer.
    pub(super) tokens: Vec<Token>,
    pub(super) objects: Vec<Object>,
    /// The table of places, up to the keyword `trailer`.
    pub(super) xref: Range<usize>,
    /// The tokens of the trailer's dictionary.
    pub(super) trailer: Range<usize>,
    /// The number after `startxref`.
    pub(super) startxref: Token,
    pub(super) pages: Pages,
    /// The objects by their numbers.
    numbers: HashMap<u32, usize>,
}

pub(super) struct Object {
    /// From its number to the next object.
    pub(super) range: Range<usize>,
    pub(super) number: u32,
    pub(super) generation: u32,
    /// Its value, or the dictionary of a stream, up to `endobj` or `stream`.
    pub(super) value: Range<usize>,
    /// The tokens of that value.
    pub(super) tokens: Range<usize>,
    /// The data of a stream.
    pub(super) data: Option<Range<usize>>,
}

/// The page tree.
#[derive(Default)]
pub(super) struct Pages {
    /// The objects that a page tree needs: the catalog and the tree's root.
    pub(super) roots: Vec<usize>,
    /// The nodes that are reached from the root, parents first.
    pub(super) nodes: Vec<PageNode>,
    /// The numbers of the objects that are contents of pages.
    contents: HashSet<u32>,
}

pub(super) struct PageNode {
    pub(super) object: usize,
    /// The tokens of the array of its children.
    pub(super) kids: Option<Range<usize>>,
    /// The token of the number of its pages.
    pub(super) count: Option<usize>,
}

impl Document {
    /// Reads a file; `None` if it isn't in this form.
    pub(super) fn read(text: &[u8]) -> Option<Document> {
        if !text.starts_with(b"%PDF-") {
            return None;
        }
        let header = text.iter().position(|byte| b"\r\n".contains(byte))?;
        let is_double = text[header..].starts_with(b"\r\n");
        let header = header + if is_double { 2 } else { 1 };
        let comment = skip(text, header);
        let mut tokens = Vec::new();
        let (mut objects, mut numbers) = (Vec::new(), HashMap::new());
        let mut at = comment;
        while let Some(object) = Object::read(text, at, &mut tokens) {
            at = object.range.end;
            let is_new = numbers.insert(object.number, objects.len()).is_none();
            objects.push(object);
            if !is_new {
                return None;
            }
        }
        let keyword = |at: usize, word: &str| {
            next(text, at).filter(|token| token.text(text) == word.as_bytes()).map(Token::end)
        };
        let start = at;
        at = check_table(text, keyword(at, "xref")?, &objects, &numbers)?;
        let xref = start..keyword(at, "trailer")?;
        let first = tokens.len();
        at = value(text, xref.end, &mut tokens)?;
        let trailer = first..tokens.len();
        let startxref = next(text, keyword(at, "startxref")?)?;
        let is_right = startxref.whole(text) == Some(start as u64)
            && text[startxref.end()..].trim_ascii().starts_with(b"%%EOF")
            && skip(text, startxref.end()) == text.len()
            && get(text, &tokens, &trailer, "Encrypt").is_none()
            && tokens[trailer.start].kind == Kind::OpenDictionary;
        let pages = Pages::default();
        let mut document =
            Document { header, comment, tokens, objects, xref, trailer, startxref, pages, numbers };
        document.pages = Pages::read(text, &document);
        is_right.then_some(document)
    }

    /// The index of the object that a value refers to, if it is a reference.
    pub(super) fn object(&self, text: &[u8], value: &Range<usize>) -> Option<usize> {
        self.target(self.tokens[value.start].target(text)?)
    }

    /// The index of the object with this number and generation.
    pub(super) fn target(&self, (number, generation): (u32, u32)) -> Option<usize> {
        let index = *self.numbers.get(&number)?;
        (self.objects[index].generation == generation).then_some(index)
    }

    /// The value of a key of an object.
    pub(super) fn get(&self, text: &[u8], object: usize, key: &str) -> Option<Pair> {
        get(text, &self.tokens, &self.objects[object].tokens, key)
    }

    /// The range of a value, or of a key and its value, with the white space before it.
    pub(super) fn place(&self, tokens: Range<usize>) -> Range<usize> {
        let before = tokens.start.checked_sub(1).map_or(0, |before| self.tokens[before].end());
        before..self.tokens[tokens.end - 1].end()
    }

    /// Whether a stream has the operations that draw a page, or a part of one.
    pub(super) fn is_content(&self, text: &[u8], object: usize) -> bool {
        let has = |key: &str, name: &str| {
            let pair = self.get(text, object, key);
            pair.is_some_and(|pair| self.tokens[pair.value.start].is_name(text, name))
        };
        self.get(text, object, "Filter").is_none()
            && (self.pages.contents.contains(&self.objects[object].number)
                || has("Subtype", "Form")
                || self.get(text, object, "PatternType").is_some())
    }
}

impl Object {
    /// The place after its value, or after the data of a stream.
    pub(super) fn end_of_content(&self) -> usize {
        self.data.as_ref().map_or(self.value.end, |data| data.end)
    }

    fn read(text: &[u8], at: usize, tokens: &mut Vec<Token>) -> Option<Object> {
        let number = next(text, at)?;
        let generation = next(text, number.end())?;
        let head = next(text, generation.end())?;
        if head.text(text) != b"obj" {
            return None;
        }
        let first = tokens.len();
        let end = value(text, head.end(), tokens)?;
        let after = next(text, end)?;
        let (data, tail) = match after.text(text) {
            b"endobj" => (None, after),
            b"stream" => {
                let length = get(text, tokens, &(first..tokens.len()), "Length")?;
                let length = tokens[length.value.start].whole(text)?;
                let start = match text.get(after.end()..)? {
                    [b'\r', b'\n', ..] => after.end() + 2,
                    [b'\n', ..] => after.end() + 1,
                    _ => return None,
                };
                let end = start.checked_add(length.try_into().ok()?)?;
                let close =
                    next(text.get(..end.checked_add(LONGEST_CLOSE)?.min(text.len()))?, end)?;
                let tail = next(text, close.end())?;
                let is_closed = close.text(text) == b"endstream" && tail.text(text) == b"endobj";
                (is_closed.then_some(Some(start..end))?, tail)
            }
            _ => return None,
        };
        Some(Object {
            range: number.start()..skip(text, tail.end()),
            number: number.whole(text)?.try_into().ok()?,
            generation: generation.whole(text)?.try_into().ok()?,
            value: head.end()..end,
            tokens: first..tokens.len(),
            data,
        })
    }
}

/// `endstream` comes soon after the data.
const LONGEST_CLOSE: usize = 16;

/// Checks that a table has the places of all objects, and returns the place after it.
fn check_table(
    text: &[u8],
    mut at: usize,
    objects: &[Object],
    numbers: &HashMap<u32, usize>,
) -> Option<usize> {
    let mut found = 0;
    let take = |at: &mut usize| {
        let token = next(text, *at)?;
        *at = token.end();
        Some(token)
    };
    loop {
        let mut ahead = at;
        let first = take(&mut ahead)?;
        if first.text(text) == b"trailer" {
            return (found == objects.len()).then_some(at);
        }
        let (first, count) = (first.whole(text)?, take(&mut ahead)?.whole(text)?);
        at = ahead;
        for index in 0..count {
            let (place, generation) = (take(&mut at)?.whole(text)?, take(&mut at)?.whole(text)?);
            if take(&mut at)?.text(text) == b"f" {
                continue;
            }
            let number = u32::try_from(first.checked_add(index)?).ok()?;
            let object = &objects[*numbers.get(&number)?];
            if object.range.start as u64 != place || u64::from(object.generation) != generation {
                return None;
            }
            found += 1;
        }
    }
}

impl Pages {
    fn read(text: &[u8], document: &Document) -> Pages {
        let mut pages = Pages::default();
        let tokens = &document.tokens;
        let root = get(text, tokens, &document.trailer, "Root");
        let catalog = root.and_then(|root| document.object(text, &root.value));
        let top = |catalog| document.object(text, &document.get(text, catalog, "Pages")?.value);
        let (Some(catalog), Some(top)) = (catalog, catalog.and_then(top)) else { return pages };
        pages.roots = vec![catalog, top];
        let mut seen = HashSet::from([catalog, top]);
        let mut open = vec![top];
        while let Some(object) = open.pop() {
            let (mut kids, mut count) = (None, None);
            for Pair { key, value } in pairs(tokens, &document.objects[object].tokens) {
                match &tokens[key].text(text)[1..] {
                    b"Kids" if tokens[value.start].kind == Kind::OpenArray => {
                        let targets = elements(tokens, &value);
                        let targets =
                            targets.iter().rev().filter_map(|kid| document.object(text, kid));
                        open.extend(targets.filter(|kid| seen.insert(*kid)));
                        kids = Some(value);
                    }
                    b"Count" => count = Some(value.start),
                    b"Contents" => {
                        let holder = document.object(text, &value);
                        let holder = holder.map_or(value, |it| document.objects[it].tokens.clone());
                        let targets = tokens[holder].iter().chain(tokens.get(key + 1));
                        let targets = targets.filter_map(|token| token.target(text));
                        pages.contents.extend(targets.map(|(number, _)| number));
                    }
                    _ => {}
                }
            }
            pages.nodes.push(PageNode { object, kids, count });
        }
        pages
    }
}
