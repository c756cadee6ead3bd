//! Reads rule files.

use crate::tree::{Parser, PatternError};

use super::{IT, Part, Piece, Rewrite};

/// An error in a rule file, with its place, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
#[non_exhaustive]
pub struct Error {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The message.
    pub message: String,
}

/// A section of a rule file: a query with the line where it begins, and the template that follows it.
struct Section<'f> {
    line: usize,
    /// The length of the text before the query in its first line: that of `and `, or 0.
    indent: usize,
    query: String,
    template: (usize, &'f str),
}

pub(super) fn read(file: &str, parser: &dyn Parser) -> Result<Vec<Rewrite>, Error> {
    let mut rules: Vec<Rewrite> = Vec::new();
    // The captures of all parts of a rule.
    let mut captures: Vec<String> = Vec::new();
    for section in sections(file)? {
        if section.indent == 0 {
            captures.clear();
        }
        let part = part(&section, parser)?;
        captures.extend_from_slice(part.pattern.captures());
        part.check(&section, &captures)?;
        match rules.last_mut() {
            Some(rule) if section.indent > 0 => rule.parts.push(part),
            None if section.indent > 0 => {
                let message = "`and` continues a rule, but there is none before it".to_owned();
                return Err(Error { line: section.line, column: 1, message });
            }
            _ => rules.push(Rewrite { parts: vec![part] }),
        }
    }
    Ok(rules)
}

fn sections(file: &str) -> Result<Vec<Section<'_>>, Error> {
    let mut sections = Vec::new();
    let mut open: Option<(usize, usize, String)> = None;
    for (index, text) in file.lines().enumerate() {
        let line = index + 1;
        if let Some(template) = text.strip_prefix("=>") {
            let Some((first, indent, query)) = open.take() else {
                let message = "there is no pattern before `=>`".to_owned();
                return Err(Error { line, column: 1, message });
            };
            sections.push(Section {
                line: first,
                indent,
                query,
                template: (line, template.trim()),
            });
        } else if let Some((_, _, query)) = &mut open {
            query.push('\n');
            query.push_str(text);
        } else if !text.trim().is_empty() && !text.starts_with(';') {
            let query = text.strip_prefix("and ");
            let indent = if query.is_some() { "and ".len() } else { 0 };
            open = Some((line, indent, query.unwrap_or(text).to_owned()));
        }
    }
    match open {
        None => Ok(sections),
        Some((line, ..)) => {
            let message = "this pattern has no `=>` with its replacement".to_owned();
            Err(Error { line, column: 1, message })
        }
    }
}

/// How deeply brackets may be nested: a reader of patterns recurses for each level.
const DEEPEST: usize = 200;

/// Whether brackets are nested more deeply than in patterns that people write.
fn is_too_deep(query: &str) -> bool {
    let (mut depth, mut in_text, mut is_escaped) = (0usize, false, false);
    query.bytes().any(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_text = !in_text,
            b'(' | b'[' if !in_text => depth += 1,
            b')' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    })
}

fn part(section: &Section<'_>, parser: &dyn Parser) -> Result<Part, Error> {
    if is_too_deep(&section.query) {
        let message = format!("more than {DEEPEST} brackets are in each other");
        return Err(Error { line: section.line, column: 1, message });
    }
    let Some(pattern) = parser.pattern(&section.query) else {
        let message = format!("there are no patterns for `{}`", parser.name());
        return Err(Error { line: section.line, column: 1, message });
    };
    let pattern = pattern.map_err(|PatternError { row, column, message }| {
        let indent = if row == 0 { section.indent } else { 0 };
        Error { line: section.line + row, column: indent + column + 1, message }
    })?;
    if !pattern.captures().iter().any(|name| name == IT) {
        let message = format!("the pattern does not say what is rewritten: capture it as `@{IT}`");
        return Err(Error { line: section.line, column: section.indent + 1, message });
    }
    let template = template(section.template.1);
    Ok(Part { pattern, template })
}

impl Part {
    /// Checks that all captures of the template are in a pattern.
    fn check(&self, section: &Section<'_>, captures: &[String]) -> Result<(), Error> {
        let unknown = self.template.iter().find_map(|piece| match piece {
            Piece::Capture(name) if !captures.contains(name) => Some(name),
            _ => None,
        });
        let Some(name) = unknown else { return Ok(()) };
        let (line, text) = section.template;
        let column = "=> ".len() + text.find(&format!("@{name}")).unwrap_or(0) + 1;
        let message = format!("no pattern captures `@{name}`; there are @{}", captures.join(", @"));
        Err(Error { line, column, message })
    }
}

fn template(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let name = rest[at + 1..].split(|c: char| !(c.is_alphanumeric() || c == '_')).next();
        let name = name.unwrap_or_default();
        if at > 0 {
            pieces.push(Piece::Text(rest[..at].to_owned()));
        }
        pieces.push(Piece::Capture(name.to_owned()));
        rest = &rest[at + 1 + name.len()..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_owned()));
    }
    pieces
}
