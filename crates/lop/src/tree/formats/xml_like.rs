//! XML, also with mistakes, and other texts with tags: an end tag without a start, a start without
//! an end, text in any place.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

use lop_grammar::Grammar;

use crate::text::brackets::Bracket;
use crate::tree::outline::{self, Binding};
use crate::tree::{PlainFormat, Tree};

use super::{EndFinder, Token, own};

pub(in crate::tree) const XML_LIKE: PlainFormat = PlainFormat {
    name: "xml-like",
    about: "XML with mistakes, and other texts with tags",
    extensions: &[],
    names: &[],
    looks: |_| false,
    grammar,
    rows: None,
    tokens,
    fold: outline::flat,
    label: |_, _| "element",
    can_be_laid_out: true,
    is_strict: false,
    constants: &[],
    joins: b"",
    repair: |candidate| candidate,
};

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    own(
        &GRAMMAR,
        "xml-like",
        r#"
        document  = _content* ;
        element   = start _content* end ;
        _content  = element | empty | stray | text | section ;
        stray     = /<\/?[a-z]+>/ ;
        start     = "<" name attribute* ">" ;
        end       = "</" name ">" ;
        empty     = "<" name attribute* "/>" ;
        section   = /<[!?][^>]*>/ ;
        comment   ~ /<!---->/ ;
        name      = /[^\s<>\/]+/ ;
        attribute = /[a-z]+/ ;
        text      = /[^<]+/ ;
        "#,
    )
}

fn tokens(text: &[u8]) -> Vec<Token> {
    let mut finder = EndFinder::new(text);
    // The end tag of content that isn't markup, immediately after its start tag.
    let mut raw_until: Option<&'static [u8]> = None;
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let raw = raw_until.take().and_then(|raw| Some(finder.after(raw, at)? - raw.len()));
        if let Some(end) = raw {
            let content = trimmed(text, at..end);
            at = end;
            if !content.is_empty() {
                tokens.push(Token::new(("text", true), content));
            }
            continue;
        }
        let token = match text[at] {
            b'<' => tag(&mut finder, at).unwrap_or_else(|| Token::new(("text", true), at..at + 1)),
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            _ => {
                let length = text[at..].iter().take_while(|byte| **byte != b'<').count();
                Token::new(("text", true), trimmed(text, at..at + length))
            }
        };
        if token.label.0 == "start" {
            let name = &text[name(text, token.range.start + 1)];
            raw_until = RAW.iter().copied().find(|raw| raw[2..].eq_ignore_ascii_case(name));
        }
        at = token.range.end;
        tokens.push(token);
    }
    tokens
}

/// The end tags of elements of HTML whose content isn't markup.
const RAW: [&[u8]; 2] = [b"</script", b"</style"];

/// A range without the white space around it.
fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let inner = text[range.clone()].trim_ascii_start();
    let start = range.end - inner.len();
    start..start + inner.trim_ascii_end().len()
}

/// Elements of HTML that need no end tag.
const WITHOUT_END: [&str; 31] = [
    "area", "base", "br", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input", "li",
    "link", "meta", "optgroup", "option", "p", "param", "rp", "rt", "source", "tbody", "td",
    "tfoot", "th", "thead", "tr", "track", "wbr", "!", "?",
];

/// The most tags that are open at the same time, for a parser that closes tags only at their end tags.
pub(in crate::tree) fn deepest_tags(tree: &Tree) -> usize {
    let mut depths = vec![0; tree.len()];
    let mut unclosed = 0;
    let mut deepest = 0;
    for node in tree.ids() {
        let above = tree.parent(node).map_or(0, |parent| depths[parent.index()]);
        depths[node.index()] = above + usize::from(tree.name(node) == "element");
        if tree.name(node) == "stray" {
            let text = tree.text_of(node);
            let name = text[name(text, 1)].to_ascii_lowercase();
            let is_open = !WITHOUT_END.iter().any(|each| each.as_bytes() == name);
            unclosed += usize::from(is_open && !text.starts_with(b"</"));
        }
        deepest = deepest.max(depths[node.index()] + unclosed);
    }
    deepest
}

/// Anything that begins with `<`, if it is closed.
fn tag(finder: &mut EndFinder<'_>, start: usize) -> Option<Token> {
    let text = finder.text;
    let rest = &text[start..];
    let sections: [(&[u8], &'static [u8]); 4] =
        [(b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"), (b"<!", b">")];
    if let Some((begin, end)) = sections.iter().find(|(begin, _)| rest.starts_with(begin)) {
        let range = start..finder.after(end, start + begin.len())?;
        let label = if *end == b"-->" { "comment" } else { "section" };
        return Some(Token::new((label, true), range));
    }
    if rest.starts_with(b"</") { end_tag(text, start) } else { start_tag(text, start) }
}

fn end_tag(text: &[u8], start: usize) -> Option<Token> {
    let name = name(text, start + 2);
    let end = name.end + text[name.end..].iter().position(|byte| b"<>".contains(byte))?;
    if text[end] == b'<' {
        return None;
    }
    let binding = Binding::Bracket(Bracket::Close(hash(&text[name.clone()])));
    let mut parts = vec![Token::new(("</", false), start..start + 2)];
    // An end tag must not have attributes, but this one may.
    let rest = trimmed(text, name.end..end);
    for (label, range) in [("name", name), ("attribute", rest)] {
        if !range.is_empty() {
            parts.push(Token::new((label, true), range));
        }
    }
    parts.push(Token::new((">", false), end..end + 1));
    Some(Token { binding, parts, ..Token::new(("end", true), start..end + 1) })
}

fn start_tag(text: &[u8], start: usize) -> Option<Token> {
    let name = name(text, start + 1);
    if name.is_empty() {
        return None;
    }
    let mut parts =
        vec![Token::new(("<", false), start..start + 1), Token::new(("name", true), name.clone())];
    let mut at = name.end;
    loop {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match &text[at..] {
            [] | [b'<', ..] => return None,
            [b'>', ..] => {
                parts.push(Token::new((">", false), at..at + 1));
                let binding = Binding::Bracket(Bracket::Open(hash(&text[name])));
                return Some(Token {
                    binding,
                    parts,
                    ..Token::new(("start", true), start..at + 1)
                });
            }
            [b'/', b'>', ..] => {
                parts.push(Token::new(("/>", false), at..at + 2));
                return Some(Token { parts, ..Token::new(("empty", true), start..at + 2) });
            }
            _ => {
                let end = attribute(text, at);
                parts.push(Token::new(("attribute", true), at..end));
                at = end;
            }
        }
    }
}

fn name(text: &[u8], start: usize) -> Range<usize> {
    let belongs = |byte: &&u8| !byte.is_ascii_whitespace() && !b"<>/=\"'".contains(byte);
    start..start + text[start..].iter().take_while(belongs).count()
}

/// The end of an attribute: after its value, if it has one.
fn attribute(text: &[u8], start: usize) -> usize {
    let skip =
        |at: usize| at + text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let end = name(text, start).end.max(start + 1);
    let equals = skip(end);
    if text.get(equals) != Some(&b'=') || text[start] == b'=' {
        return end;
    }
    let value = skip(equals + 1);
    match text.get(value) {
        Some(quote @ (b'"' | b'\'')) => {
            // A tag within a value is more likely a forgotten quote.
            let ends = |byte: &u8| byte == quote || *byte == b'<';
            let closing = text[value + 1..].iter().position(ends);
            let closing = closing.filter(|closing| text[value + 1 + closing] == *quote);
            closing.map_or(value + 1, |closing| value + closing + 2)
        }
        Some(_) => name(text, value).end.max(equals + 1),
        None => equals + 1,
    }
}

/// The kind of a tag's bracket: matching tags have the same name.
fn hash(name: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
