//! Content models: the questions that a rule's automaton answers about the children of a node.
//!
//! Run over the children, the automaton is in a set of states before each of them; run backward
//! from the end, in the set of states from which the rest is accepted. Then
//!
//! - children i..j can be removed if a state before i is also one from which the rest after j is accepted;
//! - child i can be replaced by a node with label k if reading k leads from a state before i to one from which the rest
//!   after i is accepted.
//!
//! Sets get numbers when they are first reached, and so do the steps between them, so that a repeated question is a
//! look-up. A child that the grammar allows everywhere, such as a comment, isn't part of the word; the sets on both
//! sides of it are the same, so all the questions also make sense for it.
//!
//! Some tokens may be blank and have no node, such as line ends or automatic semicolons. A model assumes such tokens
//! where it must, to accept the trees of the parser; but a cut that needs an additional one is a guess. An answer is
//! *sure* if it needs only those that are there: if, without reading a blank token, some state of the parse before the
//! cut leads to one after it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::automaton::Automaton;
use crate::label::Label;
use crate::quantifier::Quantifier;

/// The content model of one rule.
///
/// Any number of threads may use it at the same time. No method runs code of the caller, so methods cannot deadlock.
pub struct Model {
    automaton: Arc<Automaton>,
    states: Mutex<States>,
}

/// A place between two children: the states in which the model is there, and those from which it
/// accepts the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The set after the children before it.
    pub before: u32,
    /// The set before the children after it.
    pub after: u32,
}

impl Model {
    /// The set before the first child, and that after the last one.
    pub const START: u32 = 0;

    pub(crate) fn new(automaton: Automaton) -> Self {
        let automaton = Arc::new(automaton);
        let states = Mutex::new(States {
            backward: Sets::new(automaton.reversed().into()),
            forward: Sets::new(automaton.clone()),
            meetings: HashMap::new(),
            sure: HashMap::new(),
        });
        Model { automaton, states }
    }

    /// Whether it accepts more words than the rule, so that a parser should decide.
    pub fn is_approximate(&self) -> bool {
        self.automaton.is_approximate
    }

    /// Runs over the children of a node; `None` if the rule does not allow them.
    pub fn run<'a>(&'a self, word: &[Label]) -> Option<Run<'a>> {
        let gaps = self.gaps(word)?;
        Some(Run { model: self, word: word.to_vec(), gaps })
    }

    /// The gaps before each of the children and after the last one; `None` if the rule does not allow
    /// them.
    pub fn gaps(&self, word: &[Label]) -> Option<Vec<Gap>> {
        let mut states = self.states();
        let mut gaps = Vec::with_capacity(word.len() + 1);
        let mut set = Model::START;
        for label in word {
            gaps.push(Gap { before: set, after: Model::START });
            set = states.forward.step(set, *label);
        }
        gaps.push(Gap { before: set, after: Model::START });
        if !states.meet(set, Model::START) {
            return None;
        }
        set = Model::START;
        for (gap, label) in gaps.iter_mut().zip(word).rev() {
            set = states.backward.step(set, *label);
            gap.after = set;
        }
        Some(gaps)
    }

    /// The set after reading a label.
    pub fn forward(&self, set: u32, label: Label) -> u32 {
        self.states().forward.step(set, label)
    }

    /// The set from which a label leads into `set`.
    pub fn backward(&self, set: u32, label: Label) -> u32 {
        self.states().backward.step(set, label)
    }

    /// Whether a sequence of labels fits between a set before it and a set after it.
    pub fn fits(&self, before: u32, labels: &[Label], after: u32) -> bool {
        let mut states = self.states();
        let set = labels.iter().fold(before, |set, label| states.forward.step(set, *label));
        states.meet(set, after)
    }

    /// Whether nothing, or a label, fits between two gaps without a token that may be blank.
    pub fn is_sure(&self, left: Gap, label: Option<Label>, right: Gap) -> bool {
        self.states().is_sure(left, label, right)
    }

    /// Whether the word may end after a label without a token that may be blank.
    pub fn ends_after(&self, before: u32, label: Label) -> bool {
        let states = self.states();
        let forward = &states.forward;
        let reached = forward.close(forward.targets(forward.states(before), label), false);
        reached.binary_search(&self.automaton.end).is_ok()
    }

    /// The quantifier of a label between these sets; of several, the most permissive one.
    pub fn quantifier(&self, before: u32, label: Label, after: u32) -> Quantifier {
        let states = self.states();
        let targets = states.backward.states(after);
        let edges = &self.automaton.edges;
        let from = states.forward.states(before).iter().flat_map(|state| &edges[*state as usize]);
        from.filter(|edge| edge.label == label && targets.binary_search(&edge.to).is_ok())
            .map(|edge| edge.quantifier)
            .max()
            .unwrap_or_default()
    }

    pub(crate) fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// Locks the states, within this file, for a single question.
    fn states(&self) -> MutexGuard<'_, States> {
        // At worst, a panic interrupted a look-up before its result was stored.
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The numbered sets of states of a model.
struct States {
    forward: Sets,
    backward: Sets,
    meetings: HashMap<(u32, u32), bool>,
    sure: HashMap<(Gap, Option<Label>, Gap), bool>,
}

impl States {
    /// Whether a set before and a set after a place fit together.
    fn meet(&mut self, before: u32, after: u32) -> bool {
        *self.meetings.entry((before, after)).or_insert_with(|| {
            let (left, right) = (self.forward.states(before), self.backward.states(after));
            left.iter().any(|state| right.binary_search(state).is_ok())
        })
    }

    fn is_sure(&mut self, left: Gap, label: Option<Label>, right: Gap) -> bool {
        if let Some(sure) = self.sure.get(&(left, label, right)) {
            return *sure;
        }
        let forward = &self.forward;
        let actual = |gap: Gap| -> Vec<u32> {
            let after = self.backward.states(gap.after);
            let states = forward.states(gap.before).iter().copied();
            states.filter(|state| after.binary_search(state).is_ok()).collect()
        };
        let mut reached = forward.close(actual(left), false);
        if let Some(label) = label {
            reached = forward.close(forward.targets(&reached, label), false);
        }
        let sure = actual(right).iter().any(|state| reached.binary_search(state).is_ok());
        self.sure.insert((left, label, right), sure);
        sure
    }
}

/// The sets of states reached so far, in one direction.
struct Sets {
    automaton: Arc<Automaton>,
    /// Each in ascending order; the first is the start.
    sets: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32>,
    /// Few labels are ever read in one set, so a linear search is faster than hashing.
    steps: Vec<Vec<(Label, u32)>>,
}

impl Sets {
    fn new(automaton: Arc<Automaton>) -> Self {
        let start = automaton.start;
        let mut sets =
            Sets { automaton, sets: Vec::new(), numbers: HashMap::new(), steps: Vec::new() };
        let closed = sets.close(vec![start], true);
        sets.number(closed);
        sets
    }

    fn states(&self, set: u32) -> &[u32] {
        &self.sets[set as usize]
    }

    fn step(&mut self, set: u32, label: Label) -> u32 {
        let steps = &self.steps[set as usize];
        if let Some((_, next)) = steps.iter().find(|(read, _)| *read == label) {
            return *next;
        }
        let mut next = self.read(self.states(set), label);
        if label == Label::TEXT {
            self.read_on(&mut next);
        }
        let next = self.number(next);
        self.steps[set as usize].push((label, next));
        next
    }

    /// One piece of text may be several tokens without a node.
    fn read_on(&self, states: &mut Vec<u32>) {
        loop {
            let before = states.len();
            states.extend(self.read(states, Label::TEXT));
            states.sort_unstable();
            states.dedup();
            if states.len() == before {
                break;
            }
        }
    }

    fn read(&self, states: &[u32], label: Label) -> Vec<u32> {
        self.close(self.targets(states, label), true)
    }

    fn targets(&self, states: &[u32], label: Label) -> Vec<u32> {
        let edges = states.iter().flat_map(|state| &self.automaton.edges[*state as usize]);
        edges.filter(|edge| edge.label == label).map(|edge| edge.to).collect()
    }

    /// Adds all states that are reached without reading a label, with or without tokens that may be blank.
    fn close(&self, mut pending: Vec<u32>, unseen: bool) -> Vec<u32> {
        let automaton = &self.automaton;
        let mut closed = Vec::new();
        let mut seen = vec![false; automaton.silent.len()];
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut seen[state as usize], true) {
                closed.push(state);
                pending.extend(&automaton.silent[state as usize]);
                if unseen {
                    pending.extend(&automaton.unseen[state as usize]);
                }
            }
        }
        closed.sort_unstable();
        closed
    }

    fn number(&mut self, set: Vec<u32>) -> u32 {
        if let Some(number) = self.numbers.get(&set) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.steps.push(Vec::new());
        self.numbers.insert(set, number);
        number
    }
}

/// A model run over the children of a node.
pub struct Run<'a> {
    model: &'a Model,
    word: Vec<Label>,
    gaps: Vec<Gap>,
}

impl Run<'_> {
    /// Whether these children can be removed together.
    pub fn may_cut(&self, children: Range<usize>) -> bool {
        let (left, right) = (self.gaps[children.start], self.gaps[children.end]);
        self.model.fits(left.before, &[], right.after)
    }

    /// Whether these children can surely be removed together: the cut needs no additional blank token.
    pub fn is_sure_cut(&self, children: Range<usize>) -> bool {
        self.model.is_sure(self.gaps[children.start], None, self.gaps[children.end])
    }

    /// Whether a node with this label may replace a child.
    pub fn may_replace(&self, child: usize, label: Label) -> bool {
        self.may_splice(child, &[label])
    }

    /// Whether a sequence, such as a block's statements, may replace a child.
    pub fn may_splice(&self, child: usize, labels: &[Label]) -> bool {
        self.model.fits(self.gaps[child].before, labels, self.gaps[child + 1].after)
    }

    /// Whether the node is still valid with only these of its children.
    pub fn stands(&self, kept: impl IntoIterator<Item = usize>) -> bool {
        // Collected first: the iterator may use the same model.
        let labels: Vec<Label> = kept.into_iter().map(|child| self.word[child]).collect();
        self.model.fits(Model::START, &labels, Model::START)
    }

    /// The quantifier of a child.
    pub fn quantifier(&self, child: usize) -> Quantifier {
        let (before, after) = (self.gaps[child].before, self.gaps[child + 1].after);
        self.model.quantifier(before, self.word[child], after)
    }
}
