//! ANTLR v4 grammars at run time.
//!
//! ```
//! use lop_antlr::{Cache, Grammar, NodeKind, Parser, Source};
//!
//! let text = "grammar Sums; sum : sum '*' sum | sum '+' sum | INT ; INT : [0-9]+ ; WS : [ \\n]+ -> skip ;";
//! let source = Source { name: "Sums.g4".into(), text: text.into() };
//! let grammar = Grammar::from_sources(vec![source], &|_| None).unwrap();
//! let sum = grammar.rule("sum").unwrap();
//! let parser = Parser::new(grammar).unwrap();
//! let parsed = parser.parse(b"1 + 2 * 3", sum, &mut Cache::default());
//! assert!(parsed.errors.is_empty());
//! // 2 * 3 is below the sum.
//! let rules = parsed.nodes.iter().filter(|node| matches!(node.what, NodeKind::Rule(_)));
//! assert_eq!(rules.map(|node| node.below).collect::<Vec<_>>(), [9, 1, 5, 1, 1]);
//! ```
//!
//! A grammar is read (`scan.rs`, `read.rs`, `syntax.rs`), put together (`load.rs`, `grammar.rs`) and compiled into two automata: that of the lexer (`lexer/`) and that of the
//! parser (`atn.rs`), which predicts as ANTLR does (`predict/`). Nothing is generated, and no code in a grammar is run.

mod atn;
mod blocks;
mod charset;
mod grammar;
mod lexer;
mod load;
mod parse;
mod predict;
mod problem;
mod read;
mod rules;
mod scan;
mod show;
mod syntax;

pub use lop_grammar;

pub use grammar::{Code, EOF, Grammar, TokenType};
pub use lexer::{INVALID, Token};
pub use parse::{Cache, Node, NodeKind, Parsed, Parser};
pub use problem::{Place, Problem, Severity, Source};
