//! Properties of tokens, from their regular expressions.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Reads a regular expression in tree-sitter's syntax; `None` if it uses unknown syntax.
pub(crate) fn parse(expression: &str) -> Option<Hir> {
    regex_syntax::Parser::new().parse(expression).ok()
}

/// The shortest text that matches. Of several characters the plainest is used, so that an identifier is `a` and a
/// number is `0`.
pub(crate) fn shortest(expression: &Hir) -> Option<String> {
    Some(match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(literal) => String::from_utf8(literal.0.to_vec()).ok()?,
        HirKind::Class(class) => plainest(class)?.to_string(),
        HirKind::Repetition(repetition) => {
            // If no repetition is needed, the inner expression isn't used: it may have no text.
            match repetition.min {
                0 => String::new(),
                min => shortest(&repetition.sub)?.repeat(min as usize),
            }
        }
        HirKind::Capture(capture) => shortest(&capture.sub)?,
        HirKind::Concat(parts) => parts.iter().map(shortest).collect::<Option<_>>()?,
        HirKind::Alternation(parts) => {
            parts.iter().filter_map(shortest).min_by_key(|text| text.chars().count())?
        }
    })
}

fn plainest(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else { return None };
    let has = |c: &char| class.iter().any(|range| (range.start()..=range.end()).contains(c));
    let letters = ('a'..='z').chain('A'..='Z');
    let preferred = letters.chain('0'..='9').chain(['_', ' ', '\n']).chain('!'..='~');
    let first = class.iter().next().map(|range| range.start());
    preferred.into_iter().find(has).or(first)
}

/// Whether the empty text or some white space matches.
pub(crate) fn may_be_blank(expression: &Hir) -> bool {
    match expression.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => literal.0.iter().all(u8::is_ascii_whitespace),
        // A class that excludes a few characters contains blanks, but isn't meant for them.
        HirKind::Class(Class::Unicode(class)) => class.iter().all(|range| {
            (range.start()..=range.end()).all(|c| c.is_whitespace() || c.is_control())
        }),
        HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Repetition(repetition) => repetition.min == 0 || may_be_blank(&repetition.sub),
        HirKind::Capture(capture) => may_be_blank(&capture.sub),
        HirKind::Concat(parts) => parts.iter().all(may_be_blank),
        HirKind::Alternation(parts) => parts.iter().any(may_be_blank),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_text_is_plain() {
        let check = |expression: &str, expected: Option<&str>| {
            let parsed = parse(expression);
            assert_eq!(parsed.as_ref().and_then(shortest).as_deref(), expected, "{expression}");
        };
        check("[a-zA-Z_][a-zA-Z0-9_]*", Some("a"));
        check("[0-9]+|0x[0-9a-f]+", Some("0"));
        check("\"[^\"]*\"", Some("\"\""));
        check("--[^\\n]*", Some("--"));
        check("(abc|x){2}", Some("xx"));
        check("\\p{L}\\d", Some("a0"));
        check("[Ss][Ee][Tt]", Some("set"));
        check("(?!x)", None);
    }

    #[test]
    fn a_line_end_may_be_blank_and_a_word_may_not() {
        let check = |expression: &str| may_be_blank(&parse(expression).unwrap());
        assert!(check("\\r?\\n"));
        assert!(check("[ \\t]*"));
        assert!(check("x?"));
        assert!(check("\\s+"));
        assert!(!check("[a-z]+"));
        assert!(!check("[^\\n]+"));
        assert!(!check("\\\\\\n"));
    }
}
