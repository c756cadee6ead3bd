//! Reads tree-sitter's `grammar.json`.
//!
//! What matters here is which nodes a parser will show: rules that begin with `_`, supertypes and
//! inlined rules are hidden; a pattern in the middle of a rule is a token without a node; an alias
//! goes down to the symbols and tokens it covers, and a repetition below an alias becomes a node of
//! its own.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::grammar::{Error, Grammar};
use crate::label::{Label, Labels, RuleId};
use crate::pattern;
use crate::rule::{Definition, Lexeme, Rule};

impl Grammar {
    /// Reads the text of a `grammar.json`.
    pub fn from_tree_sitter(json: &str) -> Result<Grammar, Error> {
        Grammar::from_json(&serde_json::from_str(json)?)
    }

    pub(crate) fn from_json(json: &Value) -> Result<Grammar, Error> {
        let name = text(json, "name")?;
        let rules = json["rules"].as_object().ok_or_else(|| shape("it has no `rules`"))?;
        let hidden = names(&json["supertypes"])
            .chain(names(&json["inline"]))
            .chain(rules.keys().map(String::as_str).filter(|name| name.starts_with('_')))
            .collect();

        let mut reader = Reader {
            labels: Labels::new(),
            ids: rules.keys().cloned().zip((0..).map(RuleId)).collect(),
            hidden,
            fields: HashSet::new(),
            externals: Vec::new(),
            extracted: Vec::new(),
            first_new: rules.len(),
        };
        for external in json["externals"].as_array().into_iter().flatten() {
            reader.external(external)?;
        }
        reader.first_new += reader.externals.len();
        let mut definitions = Vec::new();
        for (name, body) in rules {
            definitions.push(reader.definition(name, body)?);
        }
        definitions.extend(reader.externals);
        definitions.extend(reader.extracted);
        if definitions.len() > usize::from(u16::MAX) {
            return Err(shape("it has more than 65,535 rules"));
        }

        let mut grammar = Grammar::new(name.to_owned(), reader.labels);
        grammar.fields = reader.fields;
        let extras = || json["extras"].as_array().into_iter().flatten();
        grammar.extras =
            extras().filter_map(|extra| grammar.label(extra["name"].as_str()?, true)).collect();
        grammar.between =
            extras().filter(|extra| is_token(extra)).filter_map(regular_expression).collect();
        Ok(grammar.with_rules(definitions))
    }
}

struct Reader<'a> {
    labels: Labels,
    ids: HashMap<String, RuleId>,
    hidden: HashSet<&'a str>,
    fields: HashSet<String>,
    /// Tokens that code outside of the grammar recognises, after the rules.
    externals: Vec<Definition>,
    /// Repetitions below an alias, after those.
    extracted: Vec<Definition>,
    first_new: usize,
}

impl Reader<'_> {
    fn external(&mut self, external: &Value) -> Result<(), Error> {
        if external["type"] != "SYMBOL" {
            return Ok(());
        }
        let name = text(external, "name")?;
        if !self.ids.contains_key(name) {
            self.ids
                .insert(name.to_owned(), RuleId((self.first_new + self.externals.len()) as u16));
            let label = (!name.starts_with('_')).then(|| self.labels.intern(name, true));
            let name = name.to_owned();
            self.externals.push(Definition { name, body: None, label, is_token: true });
        }
        Ok(())
    }

    fn definition(&mut self, name: &str, body: &Value) -> Result<Definition, Error> {
        let label = (!self.hidden.contains(name)).then(|| self.labels.intern(name, true));
        let body_rule = self.rule(name, body, None)?;
        let name = name.to_owned();
        Ok(Definition { name, body: Some(body_rule), label, is_token: is_token(body) })
    }

    /// Reads a part of the rule called `within`.
    fn rule(&mut self, within: &str, json: &Value, alias: Option<Label>) -> Result<Rule, Error> {
        Ok(match text(json, "type")? {
            "BLANK" => Rule::Blank,
            "STRING" | "PATTERN" | "TOKEN" | "IMMEDIATE_TOKEN" => {
                let lexeme = lexeme(json);
                let literal = literal(json).map(|text| (text, false));
                match alias.or_else(|| literal.map(|(text, named)| self.labels.intern(text, named)))
                {
                    Some(label) => Rule::Token(label, lexeme),
                    None => Rule::Invisible(lexeme),
                }
            }
            "SYMBOL" => {
                let name = text(json, "name")?;
                let id = self.ids.get(name).copied();
                let id = id
                    .ok_or_else(|| shape(&format!("`{within}` uses `{name}`, which is nowhere")))?;
                alias.map_or(Rule::Symbol(id), |label| Rule::Alias(id, label))
            }
            "SEQ" => Rule::Seq(self.members(within, json, alias)?),
            "CHOICE" => Rule::Choice(self.members(within, json, alias)?),
            kind @ ("REPEAT" | "REPEAT1") => {
                let part = Box::new(self.rule(within, content(json)?, None)?);
                let body = if kind == "REPEAT" { Rule::Repeat(part) } else { Rule::Repeat1(part) };
                match alias {
                    None => body,
                    Some(label) => Rule::Alias(self.extract(within, body), label),
                }
            }
            "ALIAS" => {
                let named = json["named"].as_bool().unwrap_or(false);
                let label = self.labels.intern(text(json, "value")?, named);
                self.rule(within, content(json)?, Some(label))?
            }
            kind if is_transparent(kind) => {
                if kind == "FIELD" {
                    self.fields.insert(text(json, "name")?.to_owned());
                }
                self.rule(within, content(json)?, alias)?
            }
            other => {
                return Err(shape(&format!("`{within}` has a part of unknown type `{other}`")));
            }
        })
    }

    fn members(
        &mut self,
        within: &str,
        json: &Value,
        alias: Option<Label>,
    ) -> Result<Vec<Rule>, Error> {
        let members = json["members"].as_array();
        let members =
            members.ok_or_else(|| shape(&format!("a part of `{within}` has no members")))?;
        members.iter().map(|member| self.rule(within, member, alias)).collect()
    }

    fn extract(&mut self, within: &str, body: Rule) -> RuleId {
        let id = RuleId((self.first_new + self.extracted.len()) as u16);
        let name = format!("{within}_repeat{}", self.extracted.len());
        self.extracted.push(Definition { name, body: Some(body), label: None, is_token: false });
        id
    }
}

/// Whether a rule is nothing but a token.
fn is_token(json: &Value) -> bool {
    match json["type"].as_str() {
        Some("STRING" | "PATTERN" | "TOKEN" | "IMMEDIATE_TOKEN") => true,
        Some(kind) if is_transparent(kind) => is_token(&json["content"]),
        _ => false,
    }
}

/// The text of a token that has only one.
fn literal(json: &Value) -> Option<&str> {
    match json["type"].as_str()? {
        "STRING" => json["value"].as_str(),
        "TOKEN" | "IMMEDIATE_TOKEN" => literal(&json["content"]),
        kind if is_transparent(kind) => literal(&json["content"]),
        _ => None,
    }
}

fn lexeme(json: &Value) -> Lexeme {
    let expression = regular_expression(json).and_then(|text| pattern::parse(&text));
    Lexeme {
        shortest: expression.as_ref().and_then(pattern::shortest),
        may_be_blank: expression.as_ref().is_some_and(pattern::may_be_blank),
        immediate: json["type"] == "IMMEDIATE_TOKEN",
    }
}

/// The regular expression of a token.
fn regular_expression(json: &Value) -> Option<String> {
    let members = || -> Option<Vec<String>> {
        json["members"].as_array()?.iter().map(regular_expression).collect()
    };
    Some(match json["type"].as_str()? {
        "BLANK" => String::new(),
        "STRING" => regex_syntax::escape(json["value"].as_str()?),
        "PATTERN" => {
            let flags = json["flags"].as_str().unwrap_or("");
            let flags = if flags.contains('i') { "i:" } else { ":" };
            format!("(?{flags}{})", json["value"].as_str()?)
        }
        "SEQ" => members()?.concat(),
        "CHOICE" => format!("(?:{})", members()?.join("|")),
        "REPEAT" => format!("(?:{})*", regular_expression(&json["content"])?),
        "REPEAT1" => format!("(?:{})+", regular_expression(&json["content"])?),
        "TOKEN" | "IMMEDIATE_TOKEN" | "ALIAS" => regular_expression(&json["content"])?,
        kind if is_transparent(kind) => regular_expression(&json["content"])?,
        _ => return None,
    })
}

/// Whether a part says nothing about what a node consists of.
fn is_transparent(kind: &str) -> bool {
    matches!(kind, "FIELD" | "PREC" | "PREC_LEFT" | "PREC_RIGHT" | "PREC_DYNAMIC" | "RESERVED")
}

fn content(json: &Value) -> Result<&Value, Error> {
    json.get("content").ok_or_else(|| shape("a part has no `content`"))
}

fn text<'a>(json: &'a Value, key: &str) -> Result<&'a str, Error> {
    json[key].as_str().ok_or_else(|| shape(&format!("a part has no `{key}`")))
}

fn names(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn shape(what: &str) -> Error {
    Error::Shape(what.to_owned())
}
