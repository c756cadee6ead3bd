//! Tree-sitter languages with their grammars: found by name, by file name or by content, or loaded
//! at run time.
//!
//! A [`Language`] is a tree-sitter parser and the [`lop_grammar::Grammar`] that it was made from. Cargo features choose which
//! languages are built in, one feature per language; [`TABLE`] lists all of them.
//!
//! ```
//! # if lop_languages::is_bundled("json") {
//! let language = lop_languages::find("json").unwrap();
//! let array = language.grammar().label("array", true).unwrap();
//! assert_eq!(language.grammar().minimal(array), Some("[]"));
//! # }
//! assert_eq!(lop_languages::guess("x.c".as_ref(), b"int x;"), Some("c"));
//! assert_eq!(lop_languages::guess("run".as_ref(), b"#!/usr/bin/env python3\n"), Some("python"));
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod colours;
mod guess;
mod language;
mod load;
mod table;

use std::sync::{Arc, OnceLock};

use tree_sitter_language::LanguageFn;

pub use lop_grammar as grammar;
pub use tree_sitter;

pub use colours::{Colour, colours};
pub use guess::{guess, named};
pub use language::{Language, errors};
pub use load::LoadError;
pub use table::{Entry, Island, Layout, TABLE};

include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// Whether a language is part of this build.
pub fn is_bundled(name: &str) -> bool {
    bundled(name).is_some()
}

/// The language with this name, if it is part of this build. It is loaded once.
pub fn find(name: &str) -> Option<Arc<Language>> {
    static LANGUAGES: [OnceLock<Arc<Language>>; TABLE.len()] =
        [const { OnceLock::new() }; TABLE.len()];
    let index = TABLE.iter().position(|entry| entry.name == name)?;
    let (parser, grammar, _) = bundled(name)?;
    let language = LANGUAGES[index]
        .get_or_init(|| Arc::new(Language::bundled(&TABLE[index], parser.into(), grammar)));
    Some(language.clone())
}
