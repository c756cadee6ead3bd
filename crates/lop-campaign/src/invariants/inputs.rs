//! Random inputs.

use lop::languages;
use lop::tree::Format;

/// A kind of input.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// The language that it is taken for, if that is built in.
    pub(super) language: Option<&'static str>,
    /// Makes an input of about this many parts.
    make: fn(&mut fastrand::Rng, usize) -> Vec<u8>,
}

/// The kinds of inputs.
pub(super) const KINDS: &[Kind] = &[
    Kind { name: "text", language: None, make: text },
    Kind { name: "brackets", language: None, make: brackets },
    Kind { name: "JSON", language: Some("json"), make: json },
    Kind { name: "C", language: Some("c"), make: c },
    Kind { name: "C with mistakes", language: Some("c"), make: broken_c },
    Kind { name: "JSON that is something else", language: Some("json"), make: brackets },
    Kind { name: "bytes", language: None, make: bytes },
];

impl Kind {
    pub(super) fn make(&self, random: &mut fastrand::Rng, parts: usize) -> Vec<u8> {
        (self.make)(random, parts)
    }

    pub(super) fn format(&self) -> Format {
        let language = self.language.filter(|name| languages::is_bundled(name));
        language.and_then(Format::named).unwrap_or_default()
    }
}

fn text(random: &mut fastrand::Rng, parts: usize) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..parts {
        text.push_str(["", "  ", "\n", "\t", "\r\n", "é ", "\""][random.usize(..7)]);
        text.push_str(&format!("w{number}{}", [" ", ", ", "\n", ";\n", "."][random.usize(..5)]));
    }
    text.into_bytes()
}

fn brackets(random: &mut fastrand::Rng, parts: usize) -> Vec<u8> {
    let mut text = String::new();
    let mut open = Vec::new();
    for number in 0..parts {
        match random.u8(..6) {
            0 | 1 => {
                let (opens, closes) = [('(', ')'), ('[', ']'), ('{', '}')][random.usize(..3)];
                text.push(opens);
                open.push(closes);
            }
            2 => text.extend(open.pop()),
            // A bracket that does not fit.
            3 if random.u8(..8) == 0 => text.push(')'),
            _ => text.push_str(&format!(" w{number} ")),
        }
    }
    text.extend(open.into_iter().rev());
    text.into_bytes()
}

fn json(random: &mut fastrand::Rng, parts: usize) -> Vec<u8> {
    fn value(random: &mut fastrand::Rng, left: &mut usize, depth: usize) -> String {
        *left = left.saturating_sub(1);
        let number = *left;
        match random.u8(..8) {
            0..=2 if depth < 6 => {
                let mut items = Vec::new();
                while *left > 0 && random.u8(..4) > 0 {
                    items.push(value(random, left, depth + 1));
                }
                format!("[{}]", items.join(", "))
            }
            3..=5 if depth < 6 => {
                let mut items = Vec::new();
                while *left > 0 && random.u8(..4) > 0 {
                    let key = *left;
                    items.push(format!("\"k{key}\": {}", value(random, left, depth + 1)));
                }
                format!("{{{}}}", items.join(",\n "))
            }
            6 => format!("\"w{number}\""),
            _ => ["true", "null", "1e3", "-2.5", "0"][random.usize(..5)].to_owned(),
        }
    }
    let mut left = parts;
    let mut items = Vec::new();
    while left > 0 {
        items.push(value(random, &mut left, 0));
    }
    format!("[{}]\n", items.join(",\n")).into_bytes()
}

fn c(random: &mut fastrand::Rng, parts: usize) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..parts.div_ceil(4) {
        let name = |random: &mut fastrand::Rng| format!("w{}", random.usize(..=number));
        let (a, b) = (name(random), name(random));
        text.push_str(&match random.u8(..5) {
            0 => format!("int w{number} = {};\n", random.u8(..)),
            1 => format!("struct s{number} {{ int a; char *{a}; }};\n"),
            2 => format!("/* w{number} */ static int f{number}(int {a}) {{ return {a} + {b}; }}\n"),
            3 => format!(
                "void w{number}(void) {{\n  if ({a} > {}) {{ {b}++; }} else {{ f({a}, \"{b}\"); }}\n  while ({b}--) {a} += 2;\n}}\n",
                random.u8(..)
            ),
            _ => format!("int f{number}() {{ for (int i = 0; i < 3; i++) w{number}(i, {a}); return ({b} * 2); }}\n"),
        });
    }
    text.into_bytes()
}

fn broken_c(random: &mut fastrand::Rng, parts: usize) -> Vec<u8> {
    let mut text = c(random, parts);
    for _ in 0..random.usize(1..4) {
        if !text.is_empty() {
            text.remove(random.usize(..text.len()));
        }
    }
    text
}

fn bytes(random: &mut fastrand::Rng, parts: usize) -> Vec<u8> {
    (0..parts * 2).map(|_| if random.bool() { random.u8(..) } else { random.u8(..4) }).collect()
}
