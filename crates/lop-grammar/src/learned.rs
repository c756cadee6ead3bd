//! Content models learned from examples.
//!
//! Pedro García and Enrique Vidal, "Inference of k-testable languages in the strict sense and application to syntactic
//! pattern recognition", IEEE PAMI 12(9), 1990: the prefix tree of the examples, in which prefixes that end with the
//! same k - 1 labels are one state. The result is the smallest k-testable language that contains the examples: it
//! accepts all of them, and every other word in which each window of k neighbours (the ends of the word included) was
//! seen in some example. So a label that was seen next to itself may be repeated, and one that was missing in an
//! example may be missing.
//!
//! It takes one pass over the examples, needs no counterexamples and does not depend on their order.
//! A k-tails merge of the prefix tree would also generalise by what follows a state, but depends on a
//! threshold that suits one corpus and not another.
//!
//! Departure: edges get quantifiers, since the questions about lists need them. They are those of
//! pairs of neighbours, whatever k is: a label repeats if it can follow itself, directly or not, and it
//! is optional if one of its predecessors is also a predecessor of one of its successors.

use std::collections::{HashMap, HashSet};

use crate::automaton::{Automaton, Edge};
use crate::label::Label;
use crate::model::Model;
use crate::quantifier::Quantifier;

impl Model {
    /// Learns a content model from the children of some nodes, each a word of labels. It uses windows of `window`
    /// neighbours: with 1 each label alone, with 2 pairs, and so on. The larger the window, the fewer unseen words the
    /// model accepts. Windows of more than 3 need many examples.
    ///
    /// The model accepts more than the examples, so it is approximate.
    ///
    /// ```
    /// use lop_grammar::{Label, Model};
    ///
    /// let [open, item, close] = [Label(2), Label(3), Label(4)];
    /// let examples = [vec![open, close], vec![open, item, item, close]];
    /// let model = Model::from_words(&examples, 2);
    /// let run = model.run(&[open, item, item, item, close]).unwrap();
    /// assert!(run.may_cut(1..2) && run.may_cut(1..4) && !run.may_cut(0..1));
    /// assert!(model.is_approximate());
    /// ```
    pub fn from_words<W: AsRef<[Label]>>(
        words: impl IntoIterator<Item = W>,
        window: usize,
    ) -> Model {
        let mut learner = Learner::new(window);
        words.into_iter().for_each(|word| learner.learn(word.as_ref()));
        Model::new(learner.automaton())
    }
}

/// The neighbour of a label: another one, or the end of the word.
type Neighbour = Option<Label>;

struct Learner {
    /// The number of labels that a state remembers.
    memory: usize,
    states: HashMap<Vec<Label>, u32>,
    edges: Vec<Vec<(Label, u32)>>,
    /// The states in which an example ended.
    ends: Vec<bool>,
    pairs: HashSet<(Neighbour, Neighbour)>,
}

impl Learner {
    fn new(window: usize) -> Self {
        let mut learner = Learner {
            memory: window.saturating_sub(1),
            states: HashMap::new(),
            edges: Vec::new(),
            ends: Vec::new(),
            pairs: HashSet::new(),
        };
        learner.state(&[]);
        learner
    }

    /// The state after a prefix of a word.
    fn state(&mut self, prefix: &[Label]) -> u32 {
        let remembered = &prefix[prefix.len() - prefix.len().min(self.memory)..];
        if let Some(state) = self.states.get(remembered) {
            return *state;
        }
        let state = self.edges.len() as u32;
        self.states.insert(remembered.to_vec(), state);
        self.edges.push(Vec::new());
        self.ends.push(false);
        state
    }

    fn learn(&mut self, word: &[Label]) {
        let mut at = self.state(&[]);
        for (index, label) in word.iter().enumerate() {
            let next = self.state(&word[..=index]);
            let edges = &mut self.edges[at as usize];
            if !edges.contains(&(*label, next)) {
                edges.push((*label, next));
            }
            at = next;
        }
        self.ends[at as usize] = true;
        let neighbours = || word.iter().copied().map(Some);
        let before = std::iter::once(None).chain(neighbours());
        self.pairs.extend(before.zip(neighbours().chain([None])));
    }

    fn automaton(self) -> Automaton {
        let quantifiers = quantifiers(&self.pairs);
        let count = self.edges.len();
        let end = count as u32;
        let edge = |(label, to): (Label, u32)| Edge {
            label,
            to,
            quantifier: quantifiers.get(&label).copied().unwrap_or_default(),
        };
        let edges = self.edges.into_iter().map(|edges| edges.into_iter().map(edge).collect());
        let silent = self.ends.iter().map(|ends| if *ends { vec![end] } else { Vec::new() });
        Automaton {
            edges: edges.chain([Vec::new()]).collect(),
            silent: silent.chain([Vec::new()]).collect(),
            unseen: vec![Vec::new(); count + 1],
            start: 0,
            end,
            is_approximate: true,
        }
    }
}

fn quantifiers(pairs: &HashSet<(Neighbour, Neighbour)>) -> HashMap<Label, Quantifier> {
    let mut after: HashMap<Neighbour, Vec<Neighbour>> = HashMap::new();
    let mut before: HashMap<Neighbour, Vec<Neighbour>> = HashMap::new();
    for (left, right) in pairs {
        after.entry(*left).or_default().push(*right);
        before.entry(*right).or_default().push(*left);
    }
    let quantifier = |label: Label| {
        let own = Some(label);
        let others = |neighbours: &HashMap<Neighbour, Vec<Neighbour>>| -> Vec<Neighbour> {
            let all = neighbours.get(&own).into_iter().flatten();
            all.copied().filter(|other| *other != own).collect()
        };
        let (lefts, rights) = (others(&before), others(&after));
        let is_optional =
            lefts.iter().any(|left| rights.iter().any(|right| pairs.contains(&(*left, *right))));
        match (is_optional, follows_itself(own, &after)) {
            (false, false) => Quantifier::One,
            (true, false) => Quantifier::Optional,
            (false, true) => Quantifier::Plus,
            (true, true) => Quantifier::Star,
        }
    };
    after.keys().filter_map(|label| *label).map(|label| (label, quantifier(label))).collect()
}

/// Whether a label can follow itself, directly or after others.
fn follows_itself(label: Neighbour, after: &HashMap<Neighbour, Vec<Neighbour>>) -> bool {
    let mut seen: HashSet<Neighbour> = HashSet::new();
    let mut pending = vec![label];
    while let Some(at) = pending.pop() {
        // The end of a word, which has the same key as its beginning, leads nowhere.
        let next = after.get(&at).into_iter().flatten().filter(|next| next.is_some());
        for next in next {
            if *next == label {
                return true;
            }
            if seen.insert(*next) {
                pending.push(*next);
            }
        }
    }
    false
}
