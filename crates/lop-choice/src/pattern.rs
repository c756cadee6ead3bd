//! Texts that match a regular expression.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind, Look, Repetition};

use crate::draw::character;
use crate::source::Source;

/// How many repetitions beyond the least a `*` or a `+` may have.
const MORE: u32 = 24;

impl Source {
    /// Draws a text that a regular expression matches as a whole. The first alternative, the fewest repetitions and the simplest characters of a class are the
    /// simplest. `\b` and other conditions on what is around a place cannot be drawn; neither can `^` and `$` within a text.
    #[track_caller]
    pub fn matching(&mut self, pattern: &str) -> String {
        let parsed = parsed(pattern);
        let hir = match &*parsed {
            Ok(hir) => hir,
            Err(why) => {
                panic!("a mistake of the generator: the regular expression `{pattern}` {why}")
            }
        };
        let mut text = String::new();
        self.span("matching", |s| s.write(hir, &mut text));
        text
    }

    fn write(&mut self, hir: &Hir, text: &mut String) {
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(class) => text.push(self.of_class(class)),
            HirKind::Capture(capture) => self.write(&capture.sub, text),
            HirKind::Concat(all) => all.iter().for_each(|hir| self.write(hir, text)),
            HirKind::Alternation(all) => {
                self.span("alternative", |s| {
                    let chosen = s.pick(all);
                    s.write(chosen, text);
                });
            }
            HirKind::Repetition(Repetition { min, max, sub, .. }) => {
                let most = max.unwrap_or(min.saturating_add(MORE));
                if (*min, most) == (0, 1) {
                    if self.boolean(0.5) {
                        self.write(sub, text);
                    }
                } else {
                    let _: Vec<()> =
                        self.list(*min as usize..=most as usize, |s| s.write(sub, text));
                }
            }
        }
    }

    /// Draws a character of a class. Those that are simple for [`Source::char`] come first.
    fn of_class(&mut self, class: &Class) -> char {
        let Class::Unicode(class) = class else {
            unreachable!("patterns of texts have no classes of bytes")
        };
        let ascii: Vec<char> = (0..128).map(character).filter(|it| holds(class, *it)).collect();
        let others = class.iter().map(|range| (index(range.start()).max(128), index(range.end())));
        let others: Vec<(u32, u32)> = others.filter(|(start, end)| start <= end).collect();
        let count = ascii.len() as u32 + others.iter().map(|(from, to)| to - from + 1).sum::<u32>();
        let place = self.integer(0..count);
        if let Some(sign) = ascii.get(place as usize) {
            return *sign;
        }
        let mut left = place - ascii.len() as u32;
        for (from, to) in others {
            match left.checked_sub(to - from + 1) {
                Some(rest) => left = rest,
                None => return character(from + left),
            }
        }
        unreachable!("the place is below the count")
    }
}

/// The index of a character among all characters. It differs from the code point, since there are no surrogates; from 128 on, it is the place in the order of
/// simplicity as well.
fn index(sign: char) -> u32 {
    let point = sign as u32;
    if point < 0xD800 { point } else { point - 0x800 }
}

fn holds(class: &ClassUnicode, sign: char) -> bool {
    class.iter().any(|range| (range.start()..=range.end()).contains(&sign))
}

type Parsed = Arc<Result<Hir, String>>;

/// The parsed pattern. Each is parsed once, since a property draws it again and again.
fn parsed(pattern: &str) -> Parsed {
    static ALL: OnceLock<Mutex<HashMap<String, Parsed>>> = OnceLock::new();
    let mut all = ALL.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(pattern) {
        return known.clone();
    }
    let hir = regex_syntax::parse(pattern)
        .map_err(|error| format!("cannot be read: {error}"))
        .and_then(|hir| match drawable(&hir, true, true) {
            true => Ok(hir),
            false => Err("has a condition on what is around a place, or matches nothing".into()),
        });
    let hir = Arc::new(hir);
    all.insert(pattern.to_owned(), hir.clone());
    hir
}

/// Whether every text that is written for an expression matches it. `first` and `last`: it is at the beginning and at the end of the text.
fn drawable(hir: &Hir, first: bool, last: bool) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) => true,
        HirKind::Class(class) => !class.is_empty(),
        HirKind::Look(Look::Start | Look::StartLF | Look::StartCRLF) => first,
        HirKind::Look(Look::End | Look::EndLF | Look::EndCRLF) => last,
        HirKind::Look(_) => false,
        HirKind::Capture(capture) => drawable(&capture.sub, first, last),
        HirKind::Repetition(it) => {
            drawable(&it.sub, first && it.max == Some(1), last && it.max == Some(1))
        }
        HirKind::Alternation(all) => all.iter().all(|hir| drawable(hir, first, last)),
        HirKind::Concat(all) => all.iter().enumerate().all(|(at, hir)| {
            let is_empty = |hir: &Hir| hir.properties().maximum_len() == Some(0);
            let is_first = first && all[..at].iter().all(is_empty);
            let is_last = last && all[at + 1..].iter().all(is_empty);
            drawable(hir, is_first, is_last)
        }),
    }
}
