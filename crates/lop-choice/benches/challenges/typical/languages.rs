//! Languages: compilers, interpreters, assemblers, parsers, patterns, patches and allocators.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use lop_choice::{Generator, Source};

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("capture", capture, "let a = 0 in let b = a in let a = 1 in b"),
        typical("cse", cse, "0; 1; v0 - v1; v1 - v0"),
        typical("linearscan", linearscan, "2: 0+2 0+1 1+1"),
        typical("outline", outline, "2(1(2))"),
        typical("relax", relax, "jump 3, data 13, jump 0"),
        typical("trim", trim, "[0, 0] to [0]"),
    ],
    apart: &[
        typical("arena", arena, "1/1 49/16"),
        typical("munch", munch, "- >"),
        typical("possessive", possessive, "a*a on a"),
    ],
};

/// An arena of chunks of 64 bytes: whether an object fits is decided before it is aligned.
fn arena(s: &mut Source) -> bool {
    let objects =
        s.list(0..=8, |s| (s.integer::<usize>(1..=64), 1_usize << s.integer::<usize>(0..=4)));
    let form: Vec<String> = objects.iter().map(|(size, align)| format!("{size}/{align}")).collect();
    note(s, form.join(" "), objects.len());
    let mut end = 0;
    objects.into_iter().all(|(size, align)| {
        if end + size > 64 {
            end = 0;
        }
        end = end.next_multiple_of(align) + size;
        end <= 64
    })
}

/// The optimizer replaces a variable that is only another name of a variable, also where that one is hidden.
fn capture(s: &mut Source) -> bool {
    let term = term(s, 4, &BTreeSet::new());
    let form = term.to_string();
    note(s, &form, form.len());
    term.aliases_gone().value(&BTreeMap::new()) == term.value(&BTreeMap::new())
}

#[derive(Clone)]
enum Term {
    Number(i64),
    Variable(char),
    Let(char, Box<Term>, Box<Term>),
    Sum(Box<Term>, Box<Term>),
}

fn term(s: &mut Source, depth: usize, scope: &BTreeSet<char>) -> Term {
    s.span("term", |s| {
        let names: Vec<char> = scope.iter().copied().collect();
        let number = |s: &mut Source| Term::Number(s.integer(0..=9));
        let variable = |s: &mut Source| Term::Variable(*s.pick(&names));
        let bound = |s: &mut Source| {
            let name = *s.pick(&['a', 'b']);
            let value = term(s, depth - 1, scope);
            let mut inner = scope.clone();
            inner.insert(name);
            Term::Let(name, Box::new(value), Box::new(term(s, depth - 1, &inner)))
        };
        let sum = |s: &mut Source| {
            Term::Sum(Box::new(term(s, depth - 1, scope)), Box::new(term(s, depth - 1, scope)))
        };
        let mut kinds: Vec<(u32, Generator<'_, Term>)> = vec![(1, &number)];
        if !names.is_empty() {
            kinds.push((2, &variable));
        }
        if depth > 0 {
            kinds.push((3, &bound));
            kinds.push((1, &sum));
        }
        s.weighted(&kinds)
    })
}

impl Term {
    fn value(&self, of: &BTreeMap<char, i64>) -> i64 {
        match self {
            Term::Number(number) => *number,
            Term::Variable(name) => of[name],
            Term::Sum(left, right) => left.value(of) + right.value(of),
            Term::Let(name, value, body) => {
                let mut inner = of.clone();
                inner.insert(*name, value.value(of));
                body.value(&inner)
            }
        }
    }

    fn aliases_gone(&self) -> Term {
        match self {
            Term::Number(_) | Term::Variable(_) => self.clone(),
            Term::Sum(left, right) => {
                Term::Sum(Box::new(left.aliases_gone()), Box::new(right.aliases_gone()))
            }
            Term::Let(name, value, body) => match (value.aliases_gone(), body.aliases_gone()) {
                (Term::Variable(other), body) => body.renamed(*name, other),
                (value, body) => Term::Let(*name, Box::new(value), Box::new(body)),
            },
        }
    }

    fn renamed(&self, from: char, to: char) -> Term {
        match self {
            Term::Variable(name) if *name == from => Term::Variable(to),
            Term::Number(_) | Term::Variable(_) => self.clone(),
            Term::Sum(left, right) => {
                Term::Sum(Box::new(left.renamed(from, to)), Box::new(right.renamed(from, to)))
            }
            Term::Let(name, value, body) => {
                let body = if *name == from { (**body).clone() } else { body.renamed(from, to) };
                Term::Let(*name, Box::new(value.renamed(from, to)), Box::new(body))
            }
        }
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Term::Number(number) => write!(to, "{number}"),
            Term::Variable(name) => write!(to, "{name}"),
            Term::Sum(left, right) => write!(to, "({left} + {right})"),
            Term::Let(name, value, body) => write!(to, "let {name} = {value} in {body}"),
        }
    }
}

/// Elimination of common subexpressions in a straight program: it takes `a - b` for the same as `b - a`, as it does with sums.
fn cse(s: &mut Source) -> bool {
    let count = s.integer(1..=8);
    let mut program: Vec<(usize, usize, usize)> = Vec::new();
    for at in 0..count {
        program.push(match s.integer(0..if at == 0 { 1 } else { 3 }) {
            0 => (0, s.integer(0..=9), 0),
            kind => (kind, s.integer(0..at), s.integer(0..at)),
        });
    }
    let form = program.iter().map(|(kind, left, right)| match kind {
        0 => left.to_string(),
        1 => format!("v{left} + v{right}"),
        _ => format!("v{left} - v{right}"),
    });
    note(s, form.collect::<Vec<_>>().join("; "), count);
    let run = |same: &[usize]| {
        let mut values: Vec<i64> = Vec::new();
        for (at, (kind, left, right)) in program.iter().enumerate() {
            values.push(match kind {
                _ if same[at] < at => values[same[at]],
                0 => *left as i64,
                1 => values[*left] + values[*right],
                _ => values[*left] - values[*right],
            });
        }
        values
    };
    let mut known = HashMap::new();
    let mut same: Vec<usize> = Vec::new();
    for (at, (kind, left, right)) in program.iter().enumerate() {
        let key = match kind {
            0 => (0, *left, 0),
            _ => (*kind, same[*left].min(same[*right]), same[*left].max(same[*right])),
        };
        same.push(*known.entry(key).or_insert(at));
    }
    run(&same) == run(&(0..count).collect::<Vec<_>>())
}

/// Registers by linear scan: the list of live intervals is in the order of their beginnings, and searched for ended ones as if it were in that of their ends.
fn linearscan(s: &mut Source) -> bool {
    let registers = s.integer(1..=4);
    let intervals = s.list(0..=8, |s| (s.integer(0..=20), s.integer(1..=10)));
    let form: Vec<String> =
        intervals.iter().map(|(start, length)| format!("{start}+{length}")).collect();
    note(s, format!("{registers}: {}", form.join(" ")), intervals.len());
    let pressure =
        |at: &i32| intervals.iter().filter(|it| it.0 <= *at && *at < it.0 + it.1).count();
    let fits = (0..=30).all(|at| pressure(&at) <= registers);
    let mut sorted = intervals.clone();
    sorted.sort_by_key(|it| it.0);
    let mut live: VecDeque<i32> = VecDeque::new();
    let mut spilled = false;
    for (start, length) in sorted {
        while live.front().is_some_and(|end| *end <= start) {
            live.pop_front();
        }
        match live.len() < registers {
            true => live.push_back(start + length),
            false => spilled = true,
        }
    }
    !(fits && spilled)
}

const SIGNS: [&str; 12] = ["(", ")", "+", "-", "*", "<", ">", "=", "->", "<=", ">=", "=="];
const KEYWORDS: [&str; 3] = ["if", "do", "let"];

/// Tokens are printed with blanks between words only, and read again: two signs may become one.
fn munch(s: &mut Source) -> bool {
    let tokens: Vec<String> = s.list(0..=8, |s| {
        s.one_of(&[
            &|s| s.pick(&SIGNS).to_string(),
            &|s| s.pick(&KEYWORDS).to_string(),
            &|s| s.integer(0..=99).to_string(),
            &|s| {
                let word = |s: &mut Source| s.text_of("abcdefghijklmnopqrstuvwxyz", 1..=3);
                s.filter(word, |it| !KEYWORDS.contains(&&it[..]))
            },
        ])
    });
    note(s, tokens.join(" "), tokens.len());
    let mut text = String::new();
    for token in &tokens {
        let is_word = |sign: Option<char>| sign.is_some_and(char::is_alphanumeric);
        if is_word(text.chars().last()) && is_word(token.chars().next()) {
            text.push(' ');
        }
        text.push_str(token);
    }
    let mut rest = &text[..];
    let mut read = Vec::new();
    while !rest.is_empty() {
        let word = rest.chars().take_while(|it| it.is_alphanumeric()).count();
        let sign = SIGNS.iter().filter(|it| rest.starts_with(**it)).map(|it| it.len()).max();
        let length = word.max(sign.unwrap_or(1));
        read.extend(Some(&rest[..length]).filter(|it| *it != " "));
        rest = &rest[length..];
    }
    read == tokens
}

/// An outline in which each block has an indentation of its own: the reader takes that of the first block for all.
fn outline(s: &mut Source) -> bool {
    let blocks = s.list(0..=3, |s| block(s, 3));
    let form: Vec<String> = blocks.iter().map(Block::to_string).collect();
    note(s, form.join(" "), form.len());
    let mut lines = Vec::new();
    blocks.iter().for_each(|it| it.lines(0, 0, &mut lines));
    let unit = lines.iter().map(|line| line.0).find(|column| *column > 0).unwrap_or(1);
    lines.iter().all(|(column, depth)| column / unit == *depth)
}

struct Block {
    indent: usize,
    inner: Vec<Block>,
}

fn block(s: &mut Source, depth: usize) -> Block {
    s.span("block", |s| {
        let indent = s.weighted(&[(15, &|_| 2), (1, &|s| s.integer(1..=4))]);
        let inner = if depth > 0 { s.list(0..=3, |s| block(s, depth - 1)) } else { Vec::new() };
        Block { indent, inner }
    })
}

impl Block {
    fn lines(&self, column: usize, depth: usize, to: &mut Vec<(usize, usize)>) {
        to.push((column, depth));
        self.inner.iter().for_each(|it| it.lines(column + self.indent, depth + 1, to));
    }
}

impl std::fmt::Display for Block {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}", self.indent)?;
        let inner: Vec<String> = self.inner.iter().map(Block::to_string).collect();
        if inner.is_empty() { Ok(()) } else { write!(to, "({})", inner.join(" ")) }
    }
}

/// A matcher that never goes back, against one that knows all ends of a match.
fn possessive(s: &mut Source) -> bool {
    let pattern = pattern(s, 3);
    let text: Vec<char> = s.text_of("ab", 0..=5).chars().collect();
    note(s, format!("{pattern} on {}", text.iter().collect::<String>()), text.len());
    let ends = pattern.ends(&text, 0);
    (pattern.end(&text, 0) == Some(text.len())) == ends.contains(&text.len())
}

enum Pattern {
    Letter(char),
    Both(Box<[Pattern; 2]>),
    Either(Box<[Pattern; 2]>),
    Many(Box<Pattern>),
}

fn pattern(s: &mut Source, depth: usize) -> Pattern {
    s.span("pattern", |s| match s.integer(0..if depth > 0 { 4 } else { 1 }) {
        0 => Pattern::Letter(*s.pick(&['a', 'b'])),
        1 => Pattern::Both(Box::new([pattern(s, depth - 1), pattern(s, depth - 1)])),
        2 => Pattern::Either(Box::new([pattern(s, depth - 1), pattern(s, depth - 1)])),
        _ => Pattern::Many(Box::new(pattern(s, depth - 1))),
    })
}

impl Pattern {
    fn end(&self, text: &[char], at: usize) -> Option<usize> {
        match self {
            Pattern::Letter(letter) => (text.get(at) == Some(letter)).then_some(at + 1),
            Pattern::Both(both) => both[1].end(text, both[0].end(text, at)?),
            Pattern::Either(either) => either[0].end(text, at).or_else(|| either[1].end(text, at)),
            Pattern::Many(inner) => {
                let mut at = at;
                while let Some(next) = inner.end(text, at).filter(|next| *next > at) {
                    at = next;
                }
                Some(at)
            }
        }
    }

    fn ends(&self, text: &[char], at: usize) -> BTreeSet<usize> {
        match self {
            Pattern::Letter(letter) => {
                Some(at + 1).filter(|_| text.get(at) == Some(letter)).into_iter().collect()
            }
            Pattern::Both(both) => {
                both[0].ends(text, at).into_iter().flat_map(|at| both[1].ends(text, at)).collect()
            }
            Pattern::Either(either) => &either[0].ends(text, at) | &either[1].ends(text, at),
            Pattern::Many(inner) => {
                let mut ends = BTreeSet::from([at]);
                let mut new = vec![at];
                while let Some(at) = new.pop() {
                    new.extend(inner.ends(text, at).into_iter().filter(|it| ends.insert(*it)));
                }
                ends
            }
        }
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pattern::Letter(letter) => write!(to, "{letter}"),
            Pattern::Both(both) => write!(to, "{}{}", both[0], both[1]),
            Pattern::Either(either) => write!(to, "({}|{})", either[0], either[1]),
            Pattern::Many(inner) => match **inner {
                Pattern::Both(_) => write!(to, "({inner})*"),
                _ => write!(to, "{inner}*"),
            },
        }
    }
}

#[derive(Clone, Copy)]
enum Code {
    Data(i64),
    Jump(usize),
}

/// An assembler with short and long jumps: it makes jumps long in one turn only, although a long jump may move the target of a short one out of its reach.
fn relax(s: &mut Source) -> bool {
    let program: Vec<Code> = s.list(0..=8, |s| {
        s.one_of(&[&|s| Code::Data(s.integer(1..=20)), &|s| Code::Jump(s.integer(0..=8))])
    });
    let form = program.iter().map(|code| match code {
        Code::Data(size) => format!("data {size}"),
        Code::Jump(to) => format!("jump {to}"),
    });
    note(s, form.collect::<Vec<_>>().join(", "), program.len());
    let starts = |is_long: &[bool]| {
        let mut starts = vec![0];
        for (code, is_long) in program.iter().zip(is_long) {
            let size = match code {
                Code::Data(size) => *size,
                Code::Jump(_) => 2 + 3 * i64::from(*is_long),
            };
            starts.push(starts[starts.len() - 1] + size);
        }
        starts
    };
    let far = |starts: &[i64]| -> Vec<bool> {
        let of = |(at, code): (usize, &Code)| match code {
            Code::Data(_) => false,
            Code::Jump(to) => {
                !(-16..=15).contains(&(starts[*to.min(&program.len())] - starts[at + 1]))
            }
        };
        program.iter().enumerate().map(of).collect()
    };
    let is_long = far(&starts(&vec![false; program.len()]));
    far(&starts(&is_long)).iter().zip(is_long).all(|(is_far, is_long)| is_long || !is_far)
}

/// A patch of one hunk between the beginning and the end that two files share: both may count the same lines.
fn trim(s: &mut Source) -> bool {
    let old: Vec<u8> = s.list(0..=8, |s| s.integer(0..=4));
    let mut new = Vec::new();
    for line in &old {
        match s.integer(0..=3) {
            0 => new.push(*line),
            1 => {}
            2 => new.push(s.integer(0..=4)),
            _ => new.extend([s.integer(0..=4), *line]),
        }
    }
    note(s, format!("{old:?} to {new:?}"), old.len() + new.len());
    if old == new {
        return true;
    }
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let hunk = new.get(start..new.len() - end).unwrap_or_default();
    let patched = [&old[..start], hunk, &old[old.len() - end..]].concat();
    patched == new
}
