//! Refused candidates, by the change that they make.
//!
//! A refused change is most likely refused again in a text that differs only elsewhere, and every phase would ask for
//! it again after each improvement. So refused changes are left out until the end of a run, when each of them is asked
//! for once more, and the guarantees of strategies hold. Changes that the last improvements touch are asked for
//! immediately: a change has another identity if the text that it changes, or the text next to it, is different. And a
//! change that removes all remaining occurrences of a name is asked for again as soon as an improvement has removed
//! some of them, since a declaration can often be removed after its last use.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::text::{Candidate, Text, lexer};

/// The longest text for which refusals are remembered: for each candidate, both texts are compared token by token. In
/// long texts, enough changes were never asked for.
const LONGEST: usize = 1 << 16;

/// The changes that were refused.
#[derive(Default)]
pub(super) struct Refusals {
    /// Whether refusals are remembered; `None` if not, else whether they are left out.
    leaves_out: Option<bool>,
    /// The identities of refused changes, with the number of improvements before each refusal.
    known: HashMap<u64, u64>,
    improvements: u64,
    /// The best text, as tokens.
    best: Option<Tokens>,
    /// Removed words, with the number of improvements before the last removal.
    lost: HashMap<u64, u64>,
}

struct Tokens {
    text: Text,
    ranges: Vec<Range<usize>>,
    /// How often each word occurs.
    counts: HashMap<u64, usize>,
}

/// A change, reduced to what decides whether it was refused before.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Change {
    identity: u64,
    /// Whether it has to be asked for again, although it was refused in an earlier text.
    is_touched: bool,
}

impl Refusals {
    /// Sets whether refused changes are left out from now on, or asked for again until something is found.
    pub(super) fn leave_out(&mut self, leave_out: bool) {
        self.leaves_out = Some(leave_out);
    }

    /// The change between the best text and a candidate.
    pub(super) fn change(&mut self, best: &Text, candidate: &Candidate) -> Option<Change> {
        if self.leaves_out.is_none() || best.len() > LONGEST {
            return None;
        }
        let candidate = candidate.text();
        if self.best.as_ref().is_none_or(|known| !std::sync::Arc::ptr_eq(&known.text, best)) {
            self.best = Some(Tokens::new(best));
        }
        let old = self.best.as_ref()?;
        let new: Vec<Range<usize>> = lexer::tokens(candidate).collect();
        let (before, after) = old.around(candidate, &new);
        let gone = before..old.ranges.len() - after;
        let put = before..new.len() - after;
        let mut identity = DefaultHasher::new();
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for at in gone.clone() {
            let token = old.token(at);
            token.hash(&mut identity);
            *counts.entry(word(token)).or_default() += 1;
        }
        0u8.hash(&mut identity);
        put.for_each(|at| candidate[new[at].clone()].hash(&mut identity));
        // The neighbours count, since short texts occur in several places.
        let next_to =
            [before.checked_sub(1), Some(gone.end)].map(|at| at.and_then(|at| old.get(at)));
        next_to.hash(&mut identity);
        let identity = identity.finish();
        let since = self.known.get(&identity).copied().unwrap_or(u64::MAX);
        let is_touched = counts.iter().any(|(word, count)| {
            self.lost.get(word).is_some_and(|lost| *lost >= since)
                && old.counts.get(word) == Some(count)
        });
        Some(Change { identity, is_touched })
    }

    /// Whether a change was refused, and no improvement has touched it since.
    pub(super) fn has(&self, change: Change) -> bool {
        let since = self.known.get(&change.identity);
        let is_known = since.is_some_and(|it| *it == self.improvements || !change.is_touched);
        self.leaves_out == Some(true) && is_known
    }

    /// Notes that a change was refused.
    pub(super) fn add(&mut self, change: Change) {
        self.known.insert(change.identity, self.improvements);
    }

    /// Notes a new best text.
    pub(super) fn improved(&mut self, new: &Text) {
        if self.leaves_out.is_none() || new.len() > LONGEST {
            return;
        }
        self.leaves_out = Some(true);
        let new = Tokens::new(new);
        if let Some(old) = &self.best {
            for (word, count) in &old.counts {
                if new.counts.get(word).is_none_or(|left| left < count) {
                    self.lost.insert(*word, self.improvements);
                }
            }
        }
        self.best = Some(new);
        self.improvements += 1;
    }
}

impl Tokens {
    fn new(text: &Text) -> Tokens {
        let ranges: Vec<Range<usize>> = lexer::tokens(text).collect();
        let mut counts = HashMap::new();
        for range in &ranges {
            *counts.entry(word(&text[range.clone()])).or_default() += 1;
        }
        Tokens { text: text.clone(), ranges, counts }
    }

    fn token(&self, at: usize) -> &[u8] {
        &self.text[self.ranges[at].clone()]
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        self.ranges.get(at).map(|range| &self.text[range.clone()])
    }

    /// How many tokens at the beginning and at the end are the same in another text.
    fn around(&self, text: &[u8], tokens: &[Range<usize>]) -> (usize, usize) {
        let most = self.ranges.len().min(tokens.len());
        let same = |left: usize, right: usize| self.token(left) == &text[tokens[right].clone()];
        let before = (0..most).take_while(|at| same(*at, *at)).count();
        let ends = (1..=most - before)
            .take_while(|back| same(self.ranges.len() - back, tokens.len() - back));
        (before, ends.count())
    }
}

fn word(token: &[u8]) -> u64 {
    let mut hash = DefaultHasher::new();
    token.hash(&mut hash);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    /// What is left out of a text: whether candidates were refused before.
    struct Memory {
        refusals: Refusals,
        best: Text,
    }

    impl Memory {
        fn new(best: &str) -> Memory {
            let mut refusals = Refusals::default();
            refusals.leave_out(true);
            Memory { refusals, best: text(best) }
        }

        fn change(&mut self, candidate: &str) -> Change {
            let candidate = Candidate::whole(&text(candidate));
            self.refusals.change(&self.best, &candidate).unwrap()
        }

        fn refuse(&mut self, candidate: &str) {
            let change = self.change(candidate);
            self.refusals.add(change);
        }

        fn improve(&mut self, best: &str) {
            self.best = text(best);
            self.refusals.improved(&self.best);
        }

        fn leaves_out(&mut self, candidate: &str) -> bool {
            let change = self.change(candidate);
            self.refusals.has(change)
        }
    }

    fn text(text: &str) -> Text {
        Arc::new(text.into())
    }

    #[test]
    fn a_change_that_was_refused_is_left_out_in_a_text_that_differs_elsewhere() {
        let mut memory = Memory::new("a(); b(); c(); d();");
        memory.refuse("a(); b(); d();");
        assert!(memory.leaves_out("a(); b(); d();"));
        memory.improve("b(); c(); d();");
        assert!(memory.leaves_out("b(); d();"));
        assert!(!memory.leaves_out("c(); d();"), "another change");
    }

    #[test]
    fn a_change_whose_neighbour_is_gone_is_asked_for_again() {
        let mut memory = Memory::new("a(); b(); c(); d();");
        memory.refuse("a(); b(); d();");
        memory.improve("a(); c(); d();");
        assert!(memory.leaves_out("a(); d();"), "what is before it still ends with a semicolon");
        memory.improve("a(); c();");
        assert!(!memory.leaves_out("a();"));
    }

    #[test]
    fn a_declaration_is_asked_for_again_when_its_last_use_is_gone() {
        let mut memory = Memory::new("int f; int g; x(); f(); g(); f();");
        let without_f = "int g; x(); f(); g(); f();";
        memory.refuse(without_f);
        memory.refuse("int f; x(); f(); g(); f();");
        memory.improve("int f; int g; x(); f(); g();");
        assert!(memory.leaves_out("int g; x(); f(); g();"), "f is still used");
        memory.improve("int f; int g; x(); g();");
        assert!(!memory.leaves_out("int g; x(); g();"), "it has all that is left of f");
        assert!(memory.leaves_out("int f; x(); g();"), "g is used as before");
    }

    #[test]
    fn all_is_asked_for_again_until_something_is_found() {
        let mut memory = Memory::new("a(); b(); c();");
        memory.refuse("b(); c();");
        memory.refusals.leave_out(false);
        assert!(!memory.leaves_out("b(); c();"));
        memory.improve("a(); b();");
        assert!(memory.leaves_out("b();"));
    }

    #[test]
    fn nothing_is_left_out_unless_that_is_asked_for() {
        let candidate = Candidate::whole(&text("a"));
        assert!(Refusals::default().change(&text("a b"), &candidate).is_none());
    }
}
