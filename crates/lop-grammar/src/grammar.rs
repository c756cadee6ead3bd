//! A grammar: rules, the labels of its nodes, and the rules that produce them.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::automaton::Automaton;
use crate::label::{Label, Labels, RuleId};
use crate::lexical::LexicalRule;
use crate::lexis;
use crate::minimal;
use crate::model::Model;
use crate::part::{Definition, Part};

/// Why a grammar cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It isn't JSON.
    #[error("the grammar is not valid JSON: {0}")]
    Json(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It is JSON, but not a grammar.
    #[error("the grammar does not look like tree-sitter's grammar.json: {0}")]
    Shape(String),
    /// The grammar does not follow the short notation.
    #[error("the grammar has `{found}` instead of {expected}")]
    Notation {
        /// The expected text.
        expected: String,
        /// The text that was found.
        found: String,
    },
    /// A rule is used that does not exist.
    #[error("the rule `{rule}` of the grammar uses `{name}`, which is not defined")]
    Undefined {
        /// The rule that uses it.
        rule: String,
        /// The name that is used.
        name: String,
    },
    /// There are more rules or labels than can be numbered.
    #[error("the grammar has more than 65,535 {0}")]
    TooLarge(&'static str),
}

/// Rules, labels, and the rules that make nodes of each label.
pub struct Grammar {
    /// The language's name.
    pub name: String,
    pub(crate) rules: Vec<Definition>,
    labels: Vec<(String, bool)>,
    by_label: HashMap<(String, bool), Label>,
    /// For each label, the rules whose nodes may have it.
    producers: Vec<Vec<RuleId>>,
    /// For each label, its supertypes, by the numbers of their rules.
    supertypes: Vec<Vec<RuleId>>,
    pub(crate) fields: HashSet<String>,
    /// The labels of nodes that are allowed anywhere.
    pub(crate) extras: HashSet<Label>,
    /// Regular expressions of text that is allowed between any two tokens.
    pub(crate) between: Vec<String>,
    /// One model per rule, made on first use.
    models: Vec<OnceLock<Model>>,
    minimal: OnceLock<Vec<Option<String>>>,
    /// The lexical rules of each label, found on first use.
    lexical: Vec<OnceLock<Vec<LexicalRule>>>,
}

impl Grammar {
    /// A grammar with these labels and no rules yet.
    pub(crate) fn new(name: String, labels: Labels) -> Self {
        Grammar {
            name,
            rules: Vec::new(),
            producers: vec![Vec::new(); labels.names.len()],
            supertypes: vec![Vec::new(); labels.names.len()],
            lexical: labels.names.iter().map(|_| OnceLock::new()).collect(),
            labels: labels.names,
            by_label: labels.index,
            fields: HashSet::new(),
            extras: HashSet::new(),
            between: Vec::new(),
            models: Vec::new(),
            minimal: OnceLock::new(),
        }
    }

    /// Adds the rules; after that the grammar does not change.
    pub(crate) fn with_rules(mut self, rules: Vec<Definition>) -> Self {
        self.models = rules.iter().map(|_| OnceLock::new()).collect();
        for (id, rule) in RuleId::all().zip(&rules) {
            if let Some(label) = rule.label {
                self.produces(id, label);
            }
            let mut pending: Vec<&Part> = rule.body.iter().collect();
            while let Some(part) = pending.pop() {
                match part {
                    Part::Alias(source, label) => self.produces(*source, *label),
                    Part::Seq(parts) | Part::Choice(parts) => pending.extend(parts),
                    Part::Repeat(part) | Part::Repeat1(part) => pending.push(part),
                    Part::Blank | Part::Token(..) | Part::Invisible(_) | Part::Symbol(_) => {}
                }
            }
        }
        self.rules = rules;
        self
    }

    /// Adds the supertypes of labels.
    pub(crate) fn with_supertypes(mut self, supertypes: &[RuleId]) -> Self {
        for supertype in supertypes {
            let mut seen = HashSet::from([*supertype]);
            let mut pending = vec![*supertype];
            while let Some(rule) = pending.pop() {
                let mut parts: Vec<&Part> = self.rules[rule.0 as usize].body.iter().collect();
                while let Some(part) = parts.pop() {
                    let label = match part {
                        Part::Choice(choices) => {
                            parts.extend(choices);
                            continue;
                        }
                        Part::Alias(_, label) => Some(*label),
                        Part::Symbol(id) => {
                            let label = self.rules[id.0 as usize].label;
                            // A hidden rule is replaced by its alternatives.
                            if label.is_none() && seen.insert(*id) {
                                pending.push(*id);
                            }
                            label
                        }
                        _ => None,
                    };
                    if let Some(label) = label {
                        let known = &mut self.supertypes[label.0 as usize];
                        if !known.contains(supertype) {
                            known.push(*supertype);
                        }
                    }
                }
            }
        }
        self
    }

    /// Whether the nodes of two labels are of one type: both are alternatives of a hidden rule that the grammar
    /// declares to be a supertype, such as statements or expressions.
    pub fn have_one_supertype(&self, left: Label, right: Label) -> bool {
        let right = &self.supertypes[right.0 as usize];
        self.supertypes[left.0 as usize].iter().any(|supertype| right.contains(supertype))
    }

    /// Makes a rule keep at least one of each part that it repeats, for texts that the parser accepts but the
    /// language does not, such as an empty block. Call it before any model is used.
    pub fn require_one(&mut self, rule: &str) {
        debug_assert!(self.models.iter().all(|model| model.get().is_none()));
        let rules = self.rules.iter_mut().filter(|each| each.name == rule);
        let mut pending: Vec<&mut Part> = rules.filter_map(|rule| rule.body.as_mut()).collect();
        while let Some(part) = pending.pop() {
            match part {
                Part::Repeat(inner) => {
                    *part = Part::Repeat1(std::mem::replace(inner, Box::new(Part::Blank)))
                }
                Part::Seq(parts) | Part::Choice(parts) => pending.extend(parts),
                _ => {}
            }
        }
    }

    fn produces(&mut self, rule: RuleId, label: Label) {
        let producers = &mut self.producers[label.0 as usize];
        if !producers.contains(&rule) {
            producers.push(rule);
        }
    }

    /// The label with this name, if a node of this grammar can have it.
    pub fn label(&self, name: &str, named: bool) -> Option<Label> {
        self.by_label.get(&(name.to_owned(), named)).copied()
    }

    /// The name of a label.
    pub fn label_name(&self, label: Label) -> &str {
        &self.labels[label.0 as usize].0
    }

    /// Whether a label is the name of a rule, not the text of a token.
    pub fn is_named(&self, label: Label) -> bool {
        self.labels[label.0 as usize].1
    }

    /// The number of labels; they are numbered from 0.
    pub fn label_count(&self) -> usize {
        self.labels.len()
    }

    /// All labels, in the order of their numbers.
    pub fn labels(&self) -> impl Iterator<Item = Label> + use<> {
        Label::all().take(self.labels.len())
    }

    /// The rules whose nodes may have a label.
    pub fn producers(&self, label: Label) -> &[RuleId] {
        &self.producers[label.0 as usize]
    }

    /// The rule of this name.
    pub fn rule(&self, name: &str) -> Option<RuleId> {
        RuleId::all().zip(&self.rules).find(|(_, rule)| rule.name == name).map(|(id, _)| id)
    }

    /// Whether nodes with this label are allowed anywhere, as comments are.
    pub fn is_extra(&self, label: Label) -> bool {
        self.extras.contains(&label)
    }

    /// Whether any rule has this field.
    pub fn has_field(&self, name: &str) -> bool {
        self.fields.contains(name)
    }

    /// The content model of a rule.
    pub fn model(&self, rule: RuleId) -> &Model {
        self.models[rule.0 as usize].get_or_init(|| Model::new(Automaton::of(&self.rules, rule)))
    }

    /// The least text that is a node with this label, if the grammar determines it.
    /// Only a parser can decide whether it is accepted in every place.
    pub fn minimal(&self, label: Label) -> Option<&str> {
        let texts = self.minimal.get_or_init(|| minimal::of_labels(&self.rules, &self.producers));
        texts[label.0 as usize].as_deref()
    }

    /// The lexical rules of nodes with this label, if they are tokens, or consist of tokens without gaps, as strings
    /// do. Tokens that code outside of the grammar recognises have none.
    pub fn lexical_rules(&self, label: Label) -> &[LexicalRule] {
        let rules = &self.lexical[label.0 as usize];
        rules.get_or_init(|| lexis::of_label(&self.rules, self.producers(label), label))
    }

    /// Sets the least text of a rule or a token; those of rules that use it are computed from it. Call it before any
    /// least text is used. False if there is no such rule.
    pub fn set_minimal(&mut self, rule: &str, text: &str) -> bool {
        debug_assert!(self.minimal.get().is_none());
        let mut rules = self.rules.iter_mut().filter(|each| each.name == rule);
        let rule = rules.next();
        rule.map(|rule| rule.least = Some(text.to_owned())).is_some()
    }

    /// Regular expressions of text without a node that is allowed between any two tokens, above all
    /// white space.
    pub fn between(&self) -> &[String] {
        &self.between
    }
}
