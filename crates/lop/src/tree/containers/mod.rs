//! Containers: binary formats of frames with lengths and check sums; and PDF, whose objects refer to each other.
//!
//! The tree of a container has its frames as nodes, and the content of a frame in its own format if it is text. Frames
//! and content can be removed in any way: [`Parser::repair`] writes lengths and sums anew (see `frames.rs`). Compressed
//! content cannot be edited in place, so a run begins with a copy of the file in which it is stored uncompressed, if
//! that copy is interesting, too.

mod boxes;
mod deflate;
mod draft;
mod frames;
mod gzip;
mod pdf;
mod png;
mod sums;
mod wasm;
mod zip;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use lop_grammar::{Grammar, Label};

use crate::text::Candidate;

use super::format::Format;
use super::{Builder, Parser, Tree};

pub(super) use deflate::Writing;
use frames::{Frame, Frames, Inside};

/// A binary format of frames.
#[non_exhaustive]
pub struct Container {
    /// Its word for `--language`.
    pub name: &'static str,
    /// A line of help.
    pub about: &'static str,
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// Whether a file begins like this format.
    pub(super) starts: fn(&[u8]) -> bool,
    structure: Structure,
    /// The file with its compressed parts written anew, if it has any.
    transcode: Option<Transcode>,
    /// Why a file can only be reduced as bytes, in words that follow its name.
    obstacle: Option<Obstacle>,
}

/// The maker of the tree of a file.
enum Structure {
    /// The frames of a file, if it has any: its beginning may have been removed.
    Frames(fn(&[u8]) -> Option<Frames>),
    /// A parser of its own.
    Own(fn() -> Arc<dyn Parser>),
}

/// Finds out why a file can only be reduced as bytes.
type Obstacle = fn(&[u8]) -> Option<String>;

/// Writes the compressed parts of a file anew.
type Transcode = fn(&[u8], Writing) -> Option<Vec<u8>>;

/// All binary formats of frames.
pub const CONTAINERS: &[Container] =
    &[png::PNG, gzip::GZIP, zip::ZIP, boxes::RIFF, boxes::MP4, wasm::WASM, pdf::PDF];

impl Container {
    /// The file with its compressed parts written in another way, if that makes a difference.
    pub(super) fn transcode(&self, text: &[u8], writing: Writing) -> Option<Vec<u8>> {
        // Formats of frames have a form that can be reduced.
        let has_form = matches!(self.structure, Structure::Frames(_));
        if has_form && writing == Writing::Kept {
            return None;
        }
        let transcode = self.transcode.filter(|_| (self.starts)(text))?;
        transcode(text, writing).filter(|new| new != text)
    }

    /// Why a file can only be reduced as bytes, in words that follow its name.
    pub(super) fn obstacle(&self, text: &[u8]) -> Option<String> {
        self.obstacle.filter(|_| (self.starts)(text)).and_then(|obstacle| obstacle(text))
    }

    /// The parser of its files.
    pub(super) fn parser(&'static self) -> Arc<dyn Parser> {
        match self.structure {
            Structure::Frames(_) => Arc::new(self),
            Structure::Own(parser) => parser(),
        }
    }

    fn read(&self, text: &[u8]) -> Option<Frames> {
        match self.structure {
            Structure::Frames(read) => read(text),
            Structure::Own(_) => None,
        }
    }
}

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let grammar = r#"
            file    = head? _item* tail? ;
            chunk   = head _item* tail? ;
            box     = head _item* tail? ;
            section = head _item* tail? ;
            entry   = head _item* tail? ;
            member  = head _item* tail? ;
            block   = head _item* tail? ;
            row     = _item* ;
            body    = head code ;
            rest    = _item* ;
            _item   = chunk | box | section | entry | member | block | row | body | rest | content | data ;
            content = /./ ;
            data    = /./ ;
            code    = /./ ;
            head    = /./ ;
            tail    = /./ ;
        "#;
        Grammar::parse("container", grammar).expect("our own grammars are well-formed")
    })
}

impl Parser for &'static Container {
    fn name(&self) -> &str {
        self.name
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

    /// The least function of WebAssembly: no variables, `unreachable`, the end.
    fn minimal(&self, kind: Label) -> Option<&str> {
        (kind == label("code")).then_some("\0\0\u{b}")
    }

    fn has_layout(&self) -> bool {
        false
    }

    fn repair(&self, candidate: Candidate) -> Candidate {
        match self.read(candidate.base()) {
            Some(frames) => {
                let edits = frames.repair(candidate.base(), candidate.edits());
                Candidate::new(candidate.base(), edits)
            }
            None => candidate,
        }
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        match self.read(text) {
            Some(frames) => put(text, &frames.root, tree),
            None => {
                tree.open(label("file"), 0);
                tree.leaf(label("data"), 0..text.len());
                tree.close(text.len());
            }
        }
    }
}

fn label(name: &str) -> Label {
    grammar().label(name, true).unwrap_or(Label::ERROR)
}

/// Builds the nodes of a frame.
fn put(text: &[u8], frame: &Frame, tree: &mut Builder<'_>) {
    let inner = frame.inner();
    tree.open(label(frame.label), frame.range.start);
    if frame.head > 0 {
        tree.leaf(label("head"), frame.range.start..inner.start);
    }
    match &frame.inside {
        Inside::Frames(frames) => frames.iter().for_each(|frame| put(text, frame, tree)),
        _ if inner.is_empty() => {}
        Inside::Content(name) if frame.label != "body" && is_text(&text[inner.clone()]) => {
            let name = name.as_deref().unwrap_or(Path::new(""));
            let format = match inner.len() < text.len() {
                true => Format::guess(name, &text[inner.clone()]),
                // A text that only begins like this format would contain itself, endlessly.
                false => Format::default(),
            };
            tree.open(label("content"), inner.start);
            tree.island(inner.clone(), format.parser());
            tree.close(inner.end);
        }
        Inside::Content(_) | Inside::Sealed => {
            let name = if frame.label == "body" { "code" } else { "data" };
            tree.leaf(label(name), inner.clone());
        }
    }
    if frame.tail > 0 {
        tree.leaf(label("tail"), inner.end..frame.range.end);
    }
    tree.close(frame.range.end);
}

/// Whether bytes are a text worth parsing.
fn is_text(bytes: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < 32 && !byte.is_ascii_whitespace();
    bytes.len() > 1 && !bytes.iter().any(is_control) && str::from_utf8(bytes).is_ok()
}
