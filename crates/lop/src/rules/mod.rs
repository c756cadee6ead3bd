//! Rewrite rules: what is peculiar to a language, as data.
//!
//! A rule is a tree-sitter query and a template that stands in for the node captured as `@it`:
//!
//! ```text
//! ; One of the branches is enough.
//! (conditional_expression consequence: (_) @then) @it
//! => @then
//! ```
//!
//! Captures in the template are replaced by their text; an empty template takes the node away. What is linked
//! to a match is rewritten along with it by further parts that begin with `and`: there, captures with a name that was
//! used before match the same text only.
//!
//! ```text
//! ; A name for a type becomes that type.
//! (type_definition type: (_) @type declarator: (type_identifier) @name) @it
//! =>
//! and (type_identifier) @name @it
//! => @type
//! ```
//!
//! Rules are looked at in the order of their file. A rule file belongs to one language; those that are shipped are in
//! the directory of this module, `c.rules` and so on. Lines that begin with `;` are comments.

mod matching;
mod read;

use tree_sitter::Query;

use lop_languages::Language;

pub use read::Error;

/// The rules for a language.
#[derive(Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// What is rewritten together.
struct Rule {
    parts: Vec<Part>,
}

/// A pattern and what stands in for what it matches.
struct Part {
    query: Query,
    template: Vec<Piece>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Capture(String),
}

/// The capture that is rewritten.
const IT: &str = "it";

/// The rules that come with lop, by language.
const SHIPPED: &[(&str, &[&str])] = &[
    ("c", &[include_str!("c.rules")]),
    ("cpp", &[include_str!("c.rules"), include_str!("cpp.rules")]),
    ("javascript", &[include_str!("javascript.rules")]),
    ("typescript", &[include_str!("javascript.rules"), include_str!("typescript.rules")]),
    ("tsx", &[include_str!("javascript.rules"), include_str!("typescript.rules")]),
    ("python", &[include_str!("python.rules")]),
    ("java", &[include_str!("java.rules")]),
    ("rust", &[include_str!("rust.rules")]),
    ("sql", &[include_str!("sql.rules")]),
];

impl Rules {
    /// The rules that come with lop for a language.
    pub fn shipped(language: &Language) -> Rules {
        let mut rules = Rules::default();
        let files = SHIPPED.iter().find(|(name, _)| *name == language.name());
        for file in files.map_or(&[][..], |(_, files)| files) {
            rules.add(file, language).expect("the rules that come with lop are right");
        }
        rules
    }

    /// Adds the rules of a file.
    pub fn add(&mut self, file: &str, language: &Language) -> Result<(), Error> {
        self.rules.extend(read::read(file, language)?);
        Ok(())
    }

    /// Adds other rules behind these.
    pub fn extend(&mut self, others: Rules) {
        self.rules.extend(others.rules);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
