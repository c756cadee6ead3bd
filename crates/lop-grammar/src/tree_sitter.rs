//! Reads tree-sitter's `grammar.json`.
//!
//! Supertypes and inlined rules are hidden. Parts that only determine which tree the parser prefers, such as
//! precedence, are ignored.

use serde_json::Value;

use crate::builder::GrammarBuilder;
use crate::grammar::{Error, Grammar};
use crate::rule::Rule;

impl Grammar {
    /// Reads the text of a `grammar.json`.
    pub fn from_tree_sitter(json: &str) -> Result<Grammar, Error> {
        let json: Value = serde_json::from_str(json).map_err(|error| Error::Json(error.into()))?;
        let rules = json["rules"].as_object().ok_or_else(|| shape("it has no `rules`"))?;
        let mut builder = GrammarBuilder::new(text(&json, "name")?);
        for (name, body) in rules {
            builder.rule(name, rule(name, body)?);
        }
        for name in names(&json["inline"]) {
            builder.hide(name);
        }
        for name in names(&json["supertypes"]) {
            builder.supertype(name);
        }
        // Other externals, such as literals, are also tokens of rules.
        for external in list(&json["externals"]).filter(|external| external["type"] == "SYMBOL") {
            builder.external(text(external, "name")?);
        }
        for extra in list(&json["extras"]) {
            builder.extra(rule("extras", extra)?);
        }
        builder.build()
    }
}

/// Reads a part of the rule called `within`.
fn rule(within: &str, json: &Value) -> Result<Rule, Error> {
    let content = || {
        let content = json.get("content").ok_or_else(|| shape("a part has no `content`"))?;
        rule(within, content)
    };
    let members = || -> Result<Vec<Rule>, Error> {
        let members = json["members"].as_array();
        let members =
            members.ok_or_else(|| shape(&format!("a part of `{within}` has no members")))?;
        members.iter().map(|member| rule(within, member)).collect()
    };
    Ok(match text(json, "type")? {
        "BLANK" => Rule::Blank,
        "STRING" => Rule::literal(text(json, "value")?),
        "PATTERN" => {
            let expression = text(json, "value")?;
            match json["flags"].as_str().is_some_and(|flags| flags.contains('i')) {
                true => Rule::Pattern(format!("(?i:{expression})")),
                false => Rule::pattern(expression),
            }
        }
        "TOKEN" => content()?.token(),
        "IMMEDIATE_TOKEN" => Rule::Immediate(Box::new(content()?)),
        "SYMBOL" => Rule::symbol(text(json, "name")?),
        "SEQ" => Rule::Seq(members()?),
        "CHOICE" => Rule::Choice(members()?),
        "REPEAT" => content()?.repeated(),
        "REPEAT1" => content()?.repeated_once(),
        "ALIAS" => content()?.alias(text(json, "value")?, json["named"].as_bool().unwrap_or(false)),
        "FIELD" => content()?.field(text(json, "name")?),
        "PREC" | "PREC_LEFT" | "PREC_RIGHT" | "PREC_DYNAMIC" | "RESERVED" => content()?,
        other => return Err(shape(&format!("`{within}` has a part of unknown type `{other}`"))),
    })
}

fn text<'a>(json: &'a Value, key: &str) -> Result<&'a str, Error> {
    json[key].as_str().ok_or_else(|| shape(&format!("a part has no `{key}`")))
}

fn list(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn names(names: &Value) -> impl Iterator<Item = &str> {
    list(names).filter_map(Value::as_str)
}

fn shape(what: &str) -> Error {
    Error::Shape(what.to_owned())
}
