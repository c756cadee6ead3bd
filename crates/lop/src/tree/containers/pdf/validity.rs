//! Whether an object is still well-formed after some edits.

use std::ops::Range;

use super::super::deflate::inflate;
use super::super::draft::Draft;
use super::super::sums::adler32;
use super::repair::Repairer;
use super::syntax::{Kind, Pair, Token, elements, get, has_twins, is_regular, pairs, value};

impl Repairer {
    /// Whether the data of a stream is a whole compressed stream. Only the usual filter is checked.
    pub(super) fn is_sound(&self, text: &[u8], object: usize, data: &[u8]) -> bool {
        let filter = self.document.get(text, object, "Filter");
        let is_usual = filter.is_some_and(|filter| {
            let tokens = &self.document.tokens[filter.value];
            let names: Vec<_> = tokens.iter().filter(|token| token.kind == Kind::Name).collect();
            matches!(names[..], [name] if name.is_name(text, "FlateDecode"))
        });
        let Some((content, length)) = data.get(2..).filter(|_| is_usual).and_then(inflate) else {
            return false;
        };
        let sum = adler32([&content[..]].into_iter()).to_be_bytes();
        data.get(2 + length..6 + length) == Some(&sum[..])
    }

    /// Whether a value is one value after the edits, with the entries that are needed.
    pub(super) fn is_valid(
        &self,
        draft: &Draft<'_>,
        (range, before): (&Range<usize>, &Range<usize>),
        keys: &[&str],
        gone: &[bool],
    ) -> bool {
        if !draft.touches(range) {
            return true;
        }
        // Includes the bytes before and after it, which may join it to one token.
        let around = [range.start.saturating_sub(1)..range.start, range.end..range.end + 1];
        let [head, tail] = around.map(|place| draft.base.get(place).unwrap_or_default());
        let new = draft.pieces(range).concat();
        let all = [head, &new, tail].concat();
        let mut tokens: Vec<Token> = Vec::new();
        let end = value(&all, head.len(), &mut tokens);
        let is_one = end.is_some_and(|end| {
            let rest = head.len() + new.len();
            end <= rest && all[end..rest].trim_ascii().is_empty()
        });
        let glues = |left: &[u8], right: &[u8]| {
            let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| is_regular(*byte));
            is_word(left.last()) && is_word(right.first())
        };
        if !is_one || glues(head, &new) || glues(&new, tail) {
            return false;
        }
        let whole = 0..tokens.len();
        let old = &self.document.tokens;
        // An object cannot be a reference to another one.
        let is_reference = |tokens: &[Token]| tokens[0].kind == Kind::Reference;
        let is_new = |has: &dyn Fn(&[u8], &[Token]) -> bool| {
            has(&all, &tokens) && !has(draft.base, &old[before.clone()])
        };
        if is_new(&has_twins) || is_new(&|_, tokens| is_reference(tokens)) {
            return false;
        }
        keys.iter().all(|key| {
            let is_it = |pair: &Pair| tokens[pair.key].is_name(&all, key);
            let found: Vec<Pair> = pairs(&tokens, &whole).into_iter().filter(is_it).collect();
            let Some(was) = get(draft.base, old, before, key) else { return found.is_empty() };
            let [now] = &found[..] else { return false };
            if *key != "Kids" {
                // The value must be the same: a neighbour may have joined it to one token.
                let [was, now] = [(draft.base, old, &was.value), (&all[..], &tokens, &now.value)]
                    .map(|(text, tokens, value)| {
                        tokens[value.clone()].iter().map(|it| it.text(text))
                    });
                return was.eq(now);
            }
            let targets = |text: &[u8], tokens: &[Token], value: &Range<usize>| {
                let kids = elements(tokens, value);
                kids.iter().map(|kid| tokens[kid.start].target(text)).collect::<Vec<_>>()
            };
            // No child is new, none occurs more often than before, and none is missing.
            let was = targets(draft.base, old, &was.value);
            let mut was = was.iter();
            let is_there = |kid: &Option<(u32, u32)>| {
                let index = kid.and_then(|kid| self.document.target(kid));
                !index.is_some_and(|index| gone[index])
            };
            let now = targets(&all, &tokens, &now.value);
            now.iter().all(|kid| is_there(kid) && was.any(|it| it == kid))
        })
    }
}
