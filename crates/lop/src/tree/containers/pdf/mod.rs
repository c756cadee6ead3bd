//! PDF: objects, which refer to each other by their numbers, a table of their places, and a trailer.
//!
//! | file | what |
//! |---|---|
//! | `syntax.rs` | tokens and values |
//! | `document.rs` | a file in the form that can be reduced: its objects, its table, its page tree |
//! | `content.rs` | the operations of a content stream |
//! | `repair.rs`, `validity.rs`, `derived.rs` | makes a valid file of a candidate |
//! | `unpack.rs` | brings other files into this form, and opens compressed streams; the only module that knows `lopdf` |
//!
//! The white space before a token belongs to it, so that any element can be removed without joining its neighbours.

mod content;
mod derived;
mod document;
mod repair;
mod syntax;
#[cfg(feature = "pdf")]
mod unpack;
#[cfg(not(feature = "pdf"))]
#[path = "closed.rs"]
mod unpack;
mod validity;

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use lop_grammar::{Grammar, Label};

use crate::text::{Candidate, Text};
use crate::tree::format::Format;
use crate::tree::{Builder, Parser, Tree};

use super::{Container, Structure, is_text};
use content::{Content, Nesting};
use document::{Document, Object};
use repair::Repairer;
use syntax::{Kind, Token};

pub(super) const PDF: Container = Container {
    name: "pdf",
    about: "objects, dictionaries, streams, page content",
    extensions: &["pdf"],
    starts: |text| text.starts_with(b"%PDF-"),
    structure: Structure::Own(|| Arc::new(Pdf::default())),
    transcode: Some(unpack::transcode),
    obstacle: Some(unpack::obstacle),
};

/// The parser of PDF.
#[derive(Default)]
struct Pdf {
    /// The last file that candidates were repaired over, with its objects.
    last: Mutex<Option<Known>>,
}

/// A text and what was read from it.
type Known = (Weak<Vec<u8>>, Option<Arc<Repairer>>);

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let grammar = r#"
            file       = header comment? object* xref dictionary end | data ;
            object     = head _direct tail | head stream ;
            stream     = dictionary start _data? tail ;
            _data      = content | text | data ;
            _value     = _direct | reference ;
            _direct    = dictionary | array | string | hexstring | name | number | boolean | null ;
            dictionary = "<<" pair* ">>" ;
            pair       = key _value ;
            array      = "[" _value* "]" ;
            content    = _step* ;
            _step      = operation | block ;
            operation  = _value* operator ;
            block      = opening _step* closing ;
            opening    = _value* operator ;
            closing    = _value* operator ;
            operator   = / n/ ;
            key        = /\/A/ ;
            string     = /\(\)/ ;
            hexstring  = /<>/ ;
            name       = /\/A/ ;
            number     = / 0/ ;
            reference  = / null/ ;
            boolean    = / true/ ;
            null       = / null/ ;
            header     = /./ ;
            comment    = /./ ;
            head       = /./ ;
            start      = /./ ;
            tail       = /./ ;
            xref       = /./ ;
            end        = /./ ;
            text       = /./ ;
            data       = /./ ;
        "#;
        Grammar::parse("pdf", grammar).expect("our own grammars are well-formed")
    })
}

fn label(name: &str) -> Label {
    grammar().label(name, true).unwrap_or(Label::ERROR)
}

fn sign(sign: &str) -> Label {
    grammar().label(sign, false).unwrap_or(Label::ERROR)
}

impl Pdf {
    fn read(&self, text: &Text) -> Option<Arc<Repairer>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, repairer)) = &*last
            && known.upgrade().is_some_and(|known| Arc::ptr_eq(&known, text))
        {
            return repairer.clone();
        }
        let repairer = Repairer::read(text).map(Arc::new);
        *last = Some((Arc::downgrade(text), repairer.clone()));
        repairer
    }
}

impl Parser for Pdf {
    fn name(&self) -> &str {
        PDF.name
    }

    fn grammar(&self) -> &Grammar {
        grammar()
    }

    fn is_strict(&self) -> bool {
        false
    }

    fn still_parses(&self, _: &Tree, _: &Candidate) -> bool {
        true
    }

    fn has_layout(&self) -> bool {
        false
    }

    fn repair(&self, candidate: Candidate) -> Candidate {
        if candidate.edits().is_empty() {
            return candidate;
        }
        match self.read(candidate.base()) {
            Some(repairer) => repairer.repair(&candidate),
            None => candidate,
        }
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        tree.open(label("file"), 0);
        match Document::read(text) {
            Some(document) => put_document(text, &document, tree),
            None if text.is_empty() => {}
            None => drop(tree.leaf(label("data"), 0..text.len())),
        }
        tree.close(text.len());
    }
}

fn put_document(text: &[u8], document: &Document, tree: &mut Builder<'_>) {
    tree.leaf(label("header"), 0..document.header);
    if document.header < document.comment {
        tree.leaf(label("comment"), document.header..document.comment);
    }
    for (index, object) in document.objects.iter().enumerate() {
        tree.open(label("object"), object.range.start);
        tree.leaf(label("head"), object.range.start..object.value.start);
        let tokens = &document.tokens[object.tokens.clone()];
        match &object.data {
            None => put_value(text, 0, object.value.start, tokens, tree),
            Some(data) => {
                tree.open(label("stream"), object.value.start);
                put_value(text, 0, object.value.start, tokens, tree);
                tree.leaf(label("start"), object.value.end..data.start);
                put_data(text, document, index, tree);
            }
        }
        tree.leaf(label("tail"), object.end_of_content()..object.range.end);
        if object.data.is_some() {
            tree.close(object.range.end);
        }
        tree.close(object.range.end);
    }
    tree.leaf(label("xref"), document.xref.clone());
    let trailer = &document.tokens[document.trailer.clone()];
    put_value(text, 0, document.xref.end, trailer, tree);
    tree.leaf(label("end"), document.place(document.trailer.clone()).end..text.len());
}

/// Builds the nodes of the data of a stream.
fn put_data(text: &[u8], document: &Document, index: usize, tree: &mut Builder<'_>) {
    let Object { data: Some(range), .. } = &document.objects[index] else { return };
    let data = &text[range.clone()];
    let is = |key: &str, name: &str| {
        let pair = document.get(text, index, key);
        pair.is_some_and(|pair| document.tokens[pair.value.start].is_name(text, name))
    };
    if data.is_empty() {
        return;
    }
    if document.is_content(text, index)
        && let Some(content) = Content::read(data).filter(|content| !content.tokens.is_empty())
    {
        tree.open(label("content"), range.start);
        put_content(data, range, &content, tree);
        tree.close(range.end);
    } else if is_text(data) {
        let name = if is("Subtype", "XML") { "a.xml" } else { "" };
        tree.open(label("text"), range.start);
        tree.island(range.clone(), Format::guess(Path::new(name), data).parser());
        tree.close(range.end);
    } else {
        tree.leaf(label("data"), range.clone());
    }
}

fn put_content(data: &[u8], range: &Range<usize>, content: &Content, tree: &mut Builder<'_>) {
    let mut before = 0;
    for operation in &content.operations {
        let tokens = &content.tokens[operation.tokens.clone()];
        let nesting = if content.is_balanced { operation.nesting } else { Nesting::None };
        let name = match nesting {
            Nesting::None => "operation",
            Nesting::Opens => {
                tree.open(label("block"), range.start + before);
                "opening"
            }
            Nesting::Closes => "closing",
        };
        tree.open(label(name), range.start + before);
        let (operator, operands) = tokens.split_last().expect("an operation has an operator");
        let mut rest = operands;
        while !rest.is_empty() {
            let (value, others) = rest.split_at(syntax::end_of(rest, 0));
            put_value(data, range.start, before, value, tree);
            before = value[value.len() - 1].end();
            rest = others;
        }
        // The last one takes the text after it.
        let is_last = operation.tokens.end == content.tokens.len();
        let end = if is_last { range.end } else { range.start + operator.end() };
        tree.leaf(label("operator"), range.start + before..end);
        before = operator.end();
        tree.close(end);
        if nesting == Nesting::Closes {
            tree.close(end);
        }
    }
}

/// Builds the nodes of a value. Places are counted from the start of `text`, which is at `shift`; the value begins
/// after `before`.
fn put_value(text: &[u8], shift: usize, before: usize, tokens: &[Token], tree: &mut Builder<'_>) {
    enum Open {
        Array,
        Key,
        Value,
    }
    let mut open: Vec<Open> = Vec::new();
    let mut start = shift + before;
    for token in tokens {
        let end = shift + token.end();
        let range = std::mem::replace(&mut start, end)..end;
        let leaf = match token.kind {
            Kind::Name if matches!(open.last(), Some(Open::Key)) => {
                let field = tree.field(&String::from_utf8_lossy(&token.text(text)[1..]));
                tree.open(label("pair"), range.start).under(field);
                tree.leaf(label("key"), range);
                open.pop();
                open.push(Open::Value);
                continue;
            }
            Kind::OpenDictionary => {
                tree.open(label("dictionary"), range.start);
                tree.leaf(sign("<<"), range);
                open.push(Open::Key);
                continue;
            }
            Kind::OpenArray => {
                tree.open(label("array"), range.start);
                tree.leaf(sign("["), range);
                open.push(Open::Array);
                continue;
            }
            Kind::CloseDictionary => sign(">>"),
            Kind::CloseArray => sign("]"),
            Kind::String => label("string"),
            Kind::HexString => label("hexstring"),
            Kind::Name => label("name"),
            Kind::Number => label("number"),
            Kind::Reference => label("reference"),
            Kind::Boolean => label("boolean"),
            Kind::Null | Kind::Word => label("null"),
        };
        tree.leaf(leaf, range);
        if matches!(token.kind, Kind::CloseDictionary | Kind::CloseArray) {
            tree.close(end);
            open.pop();
        }
        if let Some(place @ Open::Value) = open.last_mut() {
            *place = Open::Key;
            tree.close(end);
        }
    }
}
