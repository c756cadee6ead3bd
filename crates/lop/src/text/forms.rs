//! Forms of tokens: quotes, comments and other tokens whose extent depends on the language.
//!
//! [`FORMS`] lists those that are common among languages. A [`Gauge`](super::Gauge) is the set of forms that one language
//! has, and the [lexer](super::lexer) reads texts by it.
//!
//! Invariant: whether a form begins at a place, and where it ends, depends only on the text after the place and on the
//! word before it. A form of one line does not depend on later lines, unless the line ends in a backslash.

use memchr::{memchr, memmem};

use super::lexer::{is_word, word_before};

/// A kind of token with an extent of its own.
pub(crate) struct Form {
    /// The bytes that it begins with.
    pub(crate) open: &'static [u8],
    body: Body,
    /// Whether it may have several lines.
    lines: bool,
    pub(crate) role: Role,
    /// Whether it is another reading of the quotes of a plain form.
    pub(crate) is_variant: bool,
}

/// The kind of a form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Quotes.
    Quotes,
    /// A comment.
    Comment,
    /// A literal or a name.
    Other,
}

/// The part of a form after its beginning.
enum Body {
    /// Up to the end of the line.
    Line,
    /// Up to a closing text.
    Until(&'static [u8]),
    /// Up to a closing text, but a backslash escapes the character after it.
    Escaped(&'static [u8]),
    /// Up to a closing byte; two of them are one byte of the content.
    Doubled(u8),
    /// As long as a function returns.
    Length(Length),
}

/// The length of a form at a place of a text, if it is there.
type Length = fn(&[u8], usize) -> Result<Option<usize>, Unclosed>;

/// All forms. If several begin at a place, the first one counts.
pub(crate) const FORMS: [Form; 32] = [
    quotes(b"\"\"\"", Body::Escaped(b"\"\"\"")).over_lines(),
    quotes(b"'''", Body::Escaped(b"'''")).over_lines(),
    other(b"a", raw_string).over_lines(),
    other(b"a", prefixed_string).over_lines(),
    other(b"0", separated_number),
    other(b"a", primed_word),
    comment(b"//", Body::Line),
    comment(b"/*", Body::Until(b"*/")).over_lines(),
    comment(b"--[[", Body::Until(b"]]")).over_lines(),
    comment(b"(*", Body::Until(b"*)")).over_lines(),
    comment(b"(;", Body::Until(b";)")).over_lines(),
    comment(b"{-", Body::Until(b"-}")).over_lines(),
    comment(b"<!--", Body::Until(b"-->")).over_lines(),
    comment(b"#", Body::Line),
    comment(b"--", Body::Line),
    comment(b";", Body::Line),
    comment(b"%", Body::Line),
    Form { role: Role::Other, ..comment(b"\\\\", Body::Line) },
    Form { role: Role::Other, ..comment(b"[[", Body::Until(b"]]")) }.over_lines(),
    Form { role: Role::Other, ..comment(b"{|", Body::Until(b"|}")) }.over_lines(),
    quotes(b"\"", Body::Doubled(b'"')).variant(),
    quotes(b"'", Body::Doubled(b'\'')).variant(),
    quotes(b"\"", Body::Until(b"\"")).variant(),
    quotes(b"'", Body::Until(b"'")).variant(),
    quotes(b"\"", Body::Escaped(b"\"")),
    other(b"'", character),
    quotes(b"'", Body::Escaped(b"'")),
    quotes(b"`", Body::Escaped(b"`")),
    quotes(b"\"", Body::Escaped(b"\"")).over_lines().variant(),
    quotes(b"'", Body::Escaped(b"'")).over_lines().variant(),
    quotes(b"`", Body::Escaped(b"`")).over_lines().variant(),
    other(b"/", regular_expression),
];

const fn quotes(open: &'static [u8], body: Body) -> Form {
    Form { open, body, lines: false, role: Role::Quotes, is_variant: false }
}

const fn comment(open: &'static [u8], body: Body) -> Form {
    Form { open, body, lines: false, role: Role::Comment, is_variant: false }
}

/// A form with a length of its own. It begins with the byte, or with any letter or digit if the byte is one.
const fn other(open: &'static [u8], length: Length) -> Form {
    Form { open, body: Body::Length(length), lines: false, role: Role::Other, is_variant: false }
}

/// A set of forms, by their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Forms(u64);

impl Forms {
    /// All of them.
    pub(crate) const ALL: Forms = Forms((1 << FORMS.len()) - 1);

    /// Bytes that aren't text: each is a token.
    pub(crate) const BYTES: Forms = Forms(1 << 63);

    /// The forms of a text in no known language.
    pub(crate) const PLAIN: Forms = {
        let mut forms = 0;
        let mut index = 0;
        while index < FORMS.len() {
            let form = &FORMS[index];
            let is_plain = match form.open {
                b"//" | b"/*" | b"\"" | b"'" | b"`" => matches!(
                    (form.role, &form.body),
                    (Role::Comment, _) | (Role::Quotes, Body::Escaped(_))
                ),
                _ => false,
            };
            if is_plain && !form.is_variant {
                forms |= 1 << index;
            }
            index += 1;
        }
        Forms(forms)
    };

    /// For each byte, the forms that may begin with it.
    const BY_BYTE: [Forms; 256] = {
        let mut forms = [0; 256];
        let mut index = 0;
        while index < FORMS.len() {
            let first = FORMS[index].open[0];
            let mut byte = 0;
            while byte < 256 {
                let this = byte as u8;
                if this == first
                    || first == b'a' && (this.is_ascii_alphabetic() || this == b'_')
                    || first == b'0' && this.is_ascii_digit()
                {
                    forms[byte] |= 1 << index;
                }
                byte += 1;
            }
            index += 1;
        }
        let mut by_byte = [Forms(0); 256];
        let mut byte = 0;
        while byte < 256 {
            by_byte[byte] = Forms(forms[byte]);
            byte += 1;
        }
        by_byte
    };

    /// The forms for which this is true.
    pub(crate) fn filter(mut is_in: impl FnMut(usize) -> bool) -> Forms {
        Forms((0..FORMS.len()).filter(|form| is_in(*form)).map(|form| 1 << form).sum())
    }

    pub(crate) fn has(self, form: usize) -> bool {
        self.0 & 1 << form != 0
    }

    /// Those that may begin with a byte.
    pub(crate) fn beginning_with(self, byte: u8) -> Forms {
        Forms(self.0 & Forms::BY_BYTE[usize::from(byte)].0)
    }

    /// Their indices, in ascending order.
    pub(crate) fn indices(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            next
        })
    }
}

/// Finds the ends of forms in a text, and remembers the ends that it did not find, so that no text is searched
/// repeatedly.
pub(crate) struct FormFinder<'a> {
    text: &'a [u8],
    /// For each form, the place before which it is known not to close.
    unclosed: [usize; FORMS.len()],
    /// Whether a form of several lines was not closed.
    has_open: bool,
}

impl<'a> FormFinder<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        FormFinder { text, unclosed: [0; FORMS.len()], has_open: false }
    }

    /// Whether a form of several lines was begun and not closed: its end depends on all later text.
    pub(crate) fn has_open(&self) -> bool {
        self.has_open
    }

    /// The length of the first of these forms that is at a place.
    pub(crate) fn length(&mut self, forms: Forms, at: usize) -> Option<usize> {
        let forms = forms.beginning_with(*self.text.get(at)?);
        forms.indices().find_map(|form| self.length_of(form, at))
    }

    /// Whether any of these forms seems to begin at a place, closed or not.
    pub(crate) fn begins(&mut self, forms: Forms, at: usize) -> bool {
        let mut forms = forms.beginning_with(self.text[at]).indices();
        forms.any(|form| match FORMS[form].body {
            Body::Length(_) => self.length_of(form, at).is_some(),
            _ => FORMS[form].begins(self.text, at),
        })
    }

    /// The length of a form at a place.
    pub(crate) fn length_of(&mut self, index: usize, at: usize) -> Option<usize> {
        let form = &FORMS[index];
        if at < self.unclosed[index] || !form.begins(self.text, at) {
            return None;
        }
        match form.length(self.text, at) {
            Ok(length) => length,
            Err(Unclosed { until }) => {
                self.unclosed[index] = until;
                self.has_open |= form.lines;
                None
            }
        }
    }
}

/// A form isn't closed, or isn't one token; nor is one of its kind that begins later, but before this place.
struct Unclosed {
    until: usize,
}

impl Form {
    const fn over_lines(self) -> Form {
        Form { lines: true, ..self }
    }

    const fn variant(self) -> Form {
        Form { is_variant: true, ..self }
    }

    fn begins(&self, text: &[u8], at: usize) -> bool {
        let word = || word_before(text, at);
        match self.body {
            Body::Length(_) => true,
            _ if !text[at..].starts_with(self.open) => false,
            // `1'000`, `x'` and `don't` aren't strings, `5"` is a length; but `b'x'` and `u8"x"` are strings.
            _ => match self.open[0] {
                b'\'' => word().is_empty() || is_prefix(word()),
                b'"' => !word().first().is_some_and(u8::is_ascii_digit),
                // `a#b`, `$#` and `${a##b}` are parts of words, `#{a}` is code in a string.
                b'#' => {
                    let before = at.checked_sub(1).map(|before| text[before]);
                    let is_apart = |before: u8| b" \t\r\n;,()[]}\"'".contains(&before);
                    before.is_none_or(is_apart) && text.get(at + 1) != Some(&b'{')
                }
                _ => true,
            },
        }
    }

    /// Its length at a place where it begins.
    fn length(&self, text: &[u8], at: usize) -> Result<Option<usize>, Unclosed> {
        let start = at + self.open.len();
        let end = match self.lines {
            true => text.len(),
            false => line_end(text, at),
        };
        let unclosed = Unclosed { until: end };
        match self.body {
            Body::Line => Ok(Some(line_end(text, at) - at)),
            Body::Until(close) => match memmem::find(text.get(start..end).unwrap_or(b""), close) {
                Some(found) => Ok(Some(start + found + close.len() - at)),
                None => Err(unclosed),
            },
            Body::Escaped(close) => {
                let end = escaped(text, start, close, self.lines)?;
                // The code in a template of several lines counts like other code.
                match self.open == b"`" && self.lines && has_code(&text[at..end]) {
                    true => Err(Unclosed { until: at }),
                    false => Ok(Some(end - at)),
                }
            }
            Body::Doubled(close) => {
                let mut from = start;
                while let Some(found) = memchr(close, text.get(from..end).unwrap_or(b"")) {
                    from += found + 1;
                    if text.get(from) != Some(&close) {
                        return Ok(Some(from - at));
                    }
                    from += 1;
                }
                Err(unclosed)
            }
            Body::Length(length) => length(text, at),
        }
    }
}

/// Whether a template has code in it.
fn has_code(template: &[u8]) -> bool {
    memmem::find(template, b"${").is_some()
}

/// The place after the closing text of a string with backslashes.
fn escaped(text: &[u8], start: usize, close: &[u8], lines: bool) -> Result<usize, Unclosed> {
    let mut at = start;
    loop {
        match text.get(at) {
            Some(b'\\') => at += 2,
            Some(b'\n') if !lines => return Err(Unclosed { until: at }),
            None => return Err(Unclosed { until: at }),
            Some(byte) if *byte == close[0] && text[at..].starts_with(close) => {
                return Ok(at + close.len());
            }
            Some(_) => at += 1,
        }
    }
}

fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length)
}

/// The length of the word at a place.
fn word_length(text: &[u8], at: usize) -> usize {
    text[at..].iter().take_while(|byte| is_word(**byte)).count()
}

/// Whether a word is a prefix of strings in a common language.
fn is_prefix(word: &[u8]) -> bool {
    const PREFIXES: &[&[u8]] =
        &[b"b", b"c", b"f", b"r", b"u", b"u8", b"br", b"cr", b"fr", b"rb", b"rf"];
    PREFIXES.iter().any(|prefix| word.eq_ignore_ascii_case(prefix))
}

/// `b'x'`, `L"x"`, `f"""x"""`.
fn prefixed_string(text: &[u8], at: usize) -> Result<Option<usize>, Unclosed> {
    let word = word_length(text, at);
    let quotes = &text[at + word..];
    if word > 2 || !matches!(quotes, [b'"' | b'\'', ..]) {
        return Ok(None);
    }
    let is_triple = quotes.len() >= 3 && quotes[..3].iter().all(|byte| *byte == quotes[0]);
    let close = &quotes[..if is_triple { 3 } else { 1 }];
    match escaped(text, at + word + close.len(), close, is_triple) {
        Ok(end) => Ok(Some(end - at)),
        Err(_) if is_triple => Err(Unclosed { until: at }),
        Err(_) => Ok(None),
    }
}

/// `r#"x"#` with any number of `#`, and `R"tag(x)tag"`.
fn raw_string(text: &[u8], at: usize) -> Result<Option<usize>, Unclosed> {
    let word = word_length(text, at);
    let rest = &text[at + word..];
    let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
    let Some(quoted) = rest[hashes..].strip_prefix(b"\"").filter(|_| word <= 3) else {
        return Ok(None);
    };
    let tag =
        || quoted.iter().take(17).take_while(|byte| **byte != b'\n').position(|byte| *byte == b'(');
    let close = match (hashes, tag()) {
        (0, Some(tag)) if text[..at + word].ends_with(b"R") => {
            [b")", &quoted[..tag], b"\""].concat()
        }
        (0, _) => return Ok(None),
        _ => [b"\"", &rest[..hashes]].concat(),
    };
    match memmem::find(quoted, &close) {
        Some(end) => Ok(Some(text.len() - at - quoted.len() + end + close.len())),
        None => Err(Unclosed { until: at }),
    }
}

/// `1'000`, and `8'hFF` of Verilog.
fn separated_number(text: &[u8], at: usize) -> Result<Option<usize>, Unclosed> {
    let mut end = at;
    loop {
        end += text[end..].iter().take_while(|byte| is_word(**byte) || **byte == b'.').count();
        match text[end..] {
            [b'\'', next, ..] if is_word(next) => end += 1,
            _ => break,
        }
    }
    Ok(text[at..end].contains(&b'\'').then_some(end - at))
}

/// `x'`, a name in OCaml or Haskell.
fn primed_word(text: &[u8], at: usize) -> Result<Option<usize>, Unclosed> {
    let length = text[at..].iter().take_while(|byte| is_word(**byte) || **byte == b'\'').count();
    Ok(text[at..at + length].contains(&b'\'').then_some(length))
}

/// `'x'` and `'\u{1F600}'`.
fn character(text: &[u8], at: usize) -> Result<Option<usize>, Unclosed> {
    const LONGEST: usize = 12;
    let word = word_before(text, at);
    if !word.is_empty() && !is_prefix(word) {
        return Ok(None);
    }
    let rest = &text[at..line_end(text, at).min(at + LONGEST)];
    let close = match rest.get(1) {
        Some(b'\\') => rest.iter().skip(3).position(|byte| *byte == b'\'').map(|more| 3 + more),
        None | Some(b'\'') => None,
        Some(first) if first.is_ascii() => Some(2),
        Some(_) => Some(1 + rest[1..].iter().take_while(|byte| !byte.is_ascii()).count()),
    };
    let close = close.filter(|close| rest.get(*close) == Some(&b'\''));
    Ok(close.map(|close| close + 1))
}

/// `/x/g`, unless a value before it could be divided.
fn regular_expression(text: &[u8], at: usize) -> Result<Option<usize>, Unclosed> {
    /// Words before an expression.
    const KEYWORDS: &[&[u8]] = &[
        b"return", b"typeof", b"case", b"in", b"of", b"do", b"else", b"void", b"delete", b"throw",
        b"when", b"if", b"unless", b"while", b"until", b"and", b"or", b"not", b"yield", b"await",
    ];
    let blank = text[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    let before = &text[..at - blank];
    let word = word_before(before, before.len());
    let is_divided = match word.is_empty() {
        true => matches!(before.last(), Some(b')' | b']' | b'}' | b'"' | b'\'' | b'`')),
        false => !KEYWORDS.contains(&word),
    };
    if is_divided || matches!(text.get(at + 1), Some(b'*' | b'/' | b' ' | b'=')) {
        return Ok(None);
    }
    let (mut end, mut in_class) = (at + 1, false);
    loop {
        match text.get(end) {
            None | Some(b'\n') => return Ok(None),
            Some(b'\\') => end += 1,
            Some(b'[') => in_class = true,
            Some(b']') => in_class = false,
            Some(b'/') if !in_class => break,
            Some(_) => {}
        }
        end += 1;
    }
    let flags = text[end + 1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    Ok(Some(end + 1 + flags - at))
}
