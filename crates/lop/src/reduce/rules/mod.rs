//! Rewrite rules: reductions that are peculiar to a language, as data.
//!
//! A rule is a pattern, in the notation of the language's parser (tree-sitter's are queries), and a template that replaces the node captured as `@it`:
//!
//! ```text
//! ; One of the branches is enough.
//! (conditional_expression consequence: (_) @then) @it
//! => @then
//! ```
//!
//! Captures in the template are replaced by their text; an empty template removes the node. Further parts that begin with `and`
//! rewrite linked nodes together with the match: there, captures with a name that was
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
//! Rules are tried in the order of their file. A rule file belongs to one language; those that come with lop are in
//! the directory of this module, `c.rules` and so on. Lines that begin with `;` are comments.

mod matching;
mod read;

use std::sync::{Arc, OnceLock};

use crate::tree::{Parser, Pattern};

pub use read::Error;

/// The rules of a file, for a language; by default, none.
#[derive(Clone, Default)]
pub struct Rules {
    language: String,
    rules: Arc<[Rewrite]>,
}

/// A rule: its first part, and those that are linked to it by `and`.
struct Rewrite {
    parts: Vec<Part>,
}

/// A pattern and the template that replaces its matches.
struct Part {
    pattern: Pattern,
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
    ("bash", &[include_str!("bash.rules")]),
    ("c", &[include_str!("c.rules")]),
    ("cpp", &[include_str!("c.rules"), include_str!("cpp.rules")]),
    ("javascript", &[include_str!("javascript.rules")]),
    ("typescript", &[include_str!("javascript.rules"), include_str!("typescript.rules")]),
    ("tsx", &[include_str!("javascript.rules"), include_str!("typescript.rules")]),
    ("python", &[include_str!("python.rules")]),
    ("java", &[include_str!("java.rules")]),
    ("rust", &[include_str!("rust.rules")]),
    ("sql", &[include_str!("sql.rules")]),
    ("llvm", &[include_str!("llvm.rules")]),
    ("xml", &[include_str!("xml.rules")]),
];

impl Rules {
    /// The rules that come with lop for the language of a parser, one by one. Each is read once, when it is needed:
    /// analysing all patterns for C++ takes tree-sitter a second.
    pub fn shipped(parser: &dyn Parser) -> impl Iterator<Item = &'static Rules> {
        static RULES: [OnceLock<Vec<OnceLock<Rules>>>; SHIPPED.len()] =
            [const { OnceLock::new() }; SHIPPED.len()];
        let is_named = |(name, _): &(&str, _)| *name == parser.name();
        // A loaded parser may have the same name, but other nodes.
        let is_bundled = |_: &usize| {
            let bundled = lop_languages::find(parser.name());
            bundled.is_some_and(|bundled| std::ptr::eq(bundled.grammar(), parser.grammar()))
        };
        let language = SHIPPED.iter().position(is_named).filter(is_bundled);
        language.into_iter().flat_map(move |language| {
            let texts: Vec<&str> = one_by_one(SHIPPED[language].1).collect();
            let rules = RULES[language].get_or_init(|| vec![OnceLock::new(); texts.len()]);
            rules.iter().zip(texts).map(move |(rule, text)| {
                let read = || Rules::read(text, parser);
                rule.get_or_init(|| read().expect("the rules that come with lop are right"))
            })
        })
    }

    /// Reads the rules of a file.
    pub fn read(file: &str, parser: &dyn Parser) -> Result<Rules, Error> {
        let rules = read::read(file, parser)?;
        Ok(Rules { language: parser.name().to_owned(), rules: rules.into() })
    }
}

/// The rules of some files that come with lop; there is an empty line between two of them.
fn one_by_one(files: &[&'static str]) -> impl Iterator<Item = &'static str> {
    files.iter().flat_map(|file| file.split("\n\n"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tree::{Format, Tree};

    fn format(name: &str) -> Format {
        let format = Format::named(name);
        format.unwrap_or_else(|| panic!("{name} is part of every build that is tested"))
    }

    /// The proposals of rules for a C program, as texts.
    fn rewritten(rules: &str, text: &str) -> Vec<String> {
        let format = format("c");
        let tree = Tree::parse(&Arc::new(text.into()), &format);
        let rules = Rules::read(rules, &**format.parser()).unwrap();
        let texts = rules.proposals(&tree).map(|changes| tree.candidate(&changes).bytes());
        texts.map(|text| String::from_utf8(text).unwrap()).collect()
    }

    fn check(rules: &str, text: &str, expected: &[&str]) {
        assert_eq!(rewritten(rules, text), expected);
    }

    #[test]
    fn a_template_stands_in_for_what_was_captured_as_it() {
        let rules = "(conditional_expression alternative: (_) @else) @it\n=> @else\n";
        check(rules, "int x = a ? b : c ? d : e;", &["int x = c ? d : e;", "int x = a ? b : e;"]);
        let rules = "(while_statement condition: (_) @c body: (_) @body) @it\n=> if @c @body\n";
        check(rules, "void f() { while (1) g(); }", &["void f() { if (1) g(); }"]);
        let rules = "; comments\n(type_qualifier) @it\n=>\n";
        check(rules, "const int x;", &["int x;"]);
    }

    #[test]
    fn several_captures_of_a_name_stand_for_all_from_the_first_to_the_last() {
        let rules = "(if_statement consequence: (compound_statement \"{\" . (_)* @all . \"}\")) @it\n=> @all";
        check(rules, "void f() { if (1) { a(); b(); } }", &["void f() { a(); b(); }"]);
    }

    #[test]
    fn what_is_linked_is_rewritten_along() {
        let rules = "(type_definition type: (_) @type declarator: (type_identifier) @name) @it\n=>\n\
                     and (type_identifier) @name @it\n=> @type\n";
        check(
            rules,
            "typedef long t; typedef int u; t x; t y; u z;",
            &["typedef int u; long x; long y; u z;", "typedef long t; t x; t y; int z;"],
        );
        // There are no linked nodes, so nothing would be gained.
        check(rules, "typedef long t; int x;", &[]);
    }

    #[test]
    fn what_is_wrong_with_a_rule_is_said_with_line_and_column() {
        let format = format("c");
        let parser = format.parser();
        let error = |rules: &str| Rules::read(rules, &**parser).err().unwrap().to_string();
        let unknown = error("; first\n\n(if_statement\n  (nonsense)) @it\n=> 1\n");
        assert!(unknown.starts_with("line 4, column 4: "), "{unknown}");
        assert!(unknown.contains("nonsense"), "{unknown}");
        assert!(error("(if_statement) @it\n").contains("has no `=>`"));
        assert!(error("=> x\n").starts_with("line 1, column 1: there is no pattern"));
        assert!(error("(if_statement)\n=> x\n").contains("capture it as `@it`"));
        assert!(error("and (if_statement) @it\n=> x\n").contains("there is none before it"));
        let typo = error("(if_statement condition: (_) @if) @it\n=> (@fi)\n");
        assert!(typo.starts_with("line 2, column 5: ") && typo.contains("`@fi`"), "{typo}");
        assert!(error("(if_statement @it\n=> x\n").starts_with("line "));
    }

    #[test]
    fn all_rules_that_come_with_lop_are_right_for_their_languages() {
        let mut wrong = Vec::new();
        for (name, files) in SHIPPED {
            let format = format(name);
            for rule in one_by_one(files) {
                if let Err(error) = Rules::read(rule, &**format.parser()) {
                    wrong.push(format!("{name}: {error}\n{rule}\n"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
