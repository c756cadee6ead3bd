//! Grammars as values: which children of a node can be removed, and which nodes can replace others.
//!
//! A node with label L and children c1 … cn is a word over labels. The *content model* of L is the
//! automaton that accepts exactly the words that the rule of L allows. Run forward and backward
//! over the children of a real node, it answers every question a reducer has about the node:
//!
//! ```
//! use lop_grammar::{Grammar, Quantifier};
//!
//! let grammar = Grammar::parse("lists", r#"
//!     list  = "(" _item* ")" ;
//!     _item = list | word ;
//!     word  = /[a-z]+/ ;
//! "#).unwrap();
//!
//! let label = |name, named| grammar.label(name, named).unwrap();
//! let (open, close) = (label("(", false), label(")", false));
//! let (list, word) = (label("list", true), label("word", true));
//!
//! // The node `(a (b))`: may its children be removed, may they be replaced?
//! let rule = grammar.producers(list)[0];
//! let run = grammar.model(rule).run(&[open, word, list, close]).unwrap();
//! assert!(run.may_cut(1..2) && run.may_cut(1..3) && !run.may_cut(0..1));
//! assert!(run.may_replace(2, word) && !run.may_replace(0, word));
//! assert_eq!(run.quantifier(1), Quantifier::Star);
//!
//! // What is the least text of a list?
//! assert_eq!(grammar.minimal(list), Some("()"));
//! ```
//!
//! Grammars are read from tree-sitter's `grammar.json` with [`Grammar::from_tree_sitter`], or built from rules as
//! values with [`GrammarBuilder`]. Without a grammar, [`Model::from_words`] learns content models from examples, and an
//! [`Overlay`] lays them over a grammar.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod automaton;
mod builder;
mod derivation;
mod grammar;
mod label;
mod learned;
mod lexical;
mod lexis;
mod minimal;
mod model;
mod notation;
mod overlay;
mod part;
mod pattern;
mod quantifier;
mod rule;
mod tree_sitter;
mod wrapper;

pub use builder::GrammarBuilder;
pub use derivation::{Derivation, Replacement};
pub use grammar::{Error, Grammar};
pub use label::{Label, RuleId};
pub use lexical::LexicalRule;
pub use model::{Gap, Model, Run};
pub use overlay::{Order, Overlay};
pub use quantifier::Quantifier;
pub use rule::Rule;
pub use wrapper::Wrapper;
