//! How a text becomes a tree: by a language's parser, or by one of the formats that need none.

use std::path::Path;
use std::sync::Arc;

use lop_languages::Language;

use crate::candidate::Text;

use super::{Tree, formats, syntax};

/// What a text is taken for.
#[derive(Clone)]
pub enum Format {
    /// A language with a grammar.
    Language(Arc<Language>),
    /// A format that lop reads without one.
    Plain(&'static PlainFormat),
}

/// A format that needs no grammar of a language.
pub struct PlainFormat {
    /// The word for `--language`.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// Makes the tree.
    pub(super) parse: fn(&Text) -> Tree,
}

/// All formats that need no grammar of a language. The first takes any text.
pub const FORMATS: &[PlainFormat] = &[
    PlainFormat {
        name: "text",
        about: "any text: brackets, indentation, lines, tokens",
        extensions: &[],
        parse: formats::text,
    },
    PlainFormat {
        name: "s-expressions",
        about: "Lisp, Scheme, Clojure, WebAssembly text",
        extensions: &[
            "lisp", "lsp", "cl", "el", "scm", "ss", "rkt", "clj", "cljs", "edn", "wat", "wast",
            "sexp",
        ],
        parse: formats::s_expressions,
    },
    PlainFormat {
        name: "smt-lib",
        about: "S-expressions without escapes in strings",
        extensions: &["smt2", "smt", "sy"],
        parse: formats::smt_lib,
    },
    PlainFormat {
        name: "json-like",
        about: "JSON with mistakes, comments, other quotes",
        extensions: &["json5", "jsonc", "hjson"],
        parse: formats::json_like,
    },
    PlainFormat {
        name: "xml-like",
        about: "XML with mistakes, and whatever has tags",
        extensions: &[],
        parse: formats::xml_like,
    },
];

impl Format {
    /// The format of this name, if it is part of this build.
    pub fn named(name: &str) -> Option<Format> {
        let plain = FORMATS.iter().find(|format| format.name == name).map(Format::Plain);
        plain.or_else(|| lop_languages::find(name).map(Format::Language))
    }

    /// The format that a file seems to have, by its name and its first line.
    pub fn guess(path: &Path, content: &[u8]) -> Format {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let extension = extension.to_lowercase();
        let plain = FORMATS.iter().find(|format| format.extensions.contains(&extension.as_str()));
        let format = plain.map(Format::Plain).or_else(|| {
            let name = lop_languages::guess(path, content)?;
            Format::named(name).or_else(|| Format::named(fall_back(name)?))
        });
        format.unwrap_or(Format::Plain(&FORMATS[0]))
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Format::Language(language) => language.name(),
            Format::Plain(format) => format.name,
        }
    }

    pub(super) fn parse(&self, text: &Text) -> Tree {
        let language = match self {
            Format::Plain(format) => return (format.parse)(text),
            Format::Language(language) => language,
        };
        let plain = match fall_back(language.name()).and_then(Format::named) {
            Some(Format::Plain(plain)) => plain,
            _ => return syntax::parse(text, language),
        };
        let is_html = language.name() == "html";
        if language.name() == "xml" || is_html {
            let tree = (plain.parse)(text);
            if formats::deepest_tags(&tree) > DEEPEST_TAGS {
                return tree;
            }
        }
        let tree = syntax::parse(text, language);
        // A parser that stumbles over a mistake may lose its way; brackets and tags do not. That of
        // HTML is made for mistakes.
        let stumbles = !is_html && tree.ids().any(|node| tree.is_error(node));
        if stumbles { (plain.parse)(text) } else { tree }
    }
}

/// How many tags may be open at once. Tree-sitter's parsers of XML and HTML keep the open ones in a
/// state of a thousand bytes, which they copy for every token; with more, they forget and crawl.
const DEEPEST_TAGS: usize = 200;

/// The format for what is almost in a language.
fn fall_back(language: &str) -> Option<&'static str> {
    match language {
        "json" => Some("json-like"),
        "xml" | "html" => Some("xml-like"),
        _ => None,
    }
}
