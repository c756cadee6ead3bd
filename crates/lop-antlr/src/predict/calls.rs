//! The calls that configurations are in: sets of stacks, as a graph.
//!
//! A node has the innermost calls of its stacks, each with the node of the calls around it. Stacks share their common
//! outer ends, and a node has each innermost call once. So equal sets are the same node, and sets that would be
//! exponentially large as lists stay small: `((((` of an expression that may or may not begin a cast has 2⁴ stacks, but
//! a graph of four levels.
//!
//! Stacks can be put aside as a *frame*. The remaining stacks end in *slots*, the places of the frame.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::atn::{Precedence, StateId};

/// A set of stacks, as the number of its node.
pub(super) type Stack = u32;

/// The empty stack of the rule that decides. Its callers are unknown here.
pub(super) const BASE: Stack = 0;
/// The empty stack after which the text ends.
pub(super) const END: Stack = 1;

/// The `back` of calls that represent the surroundings of a stack: a place in a frame, the end of the text, the calls
/// of the rule that decides. They are greater than all states, so they are the last calls of a node.
const AT_SLOT: StateId = StateId::MAX - 2;
const AT_END: StateId = StateId::MAX - 1;
const AT_BASE: StateId = StateId::MAX;

/// The depth to which nodes are merged. Below it a node may have a call twice: that is the same set, but not the same
/// node.
const DEEPEST: usize = 500;

/// A call and its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    /// Where the caller continues.
    pub(super) back: StateId,
    /// The precedence with which the caller was called.
    pub(super) precedence: Precedence,
    pub(super) outer: Stack,
}

impl Hash for Call {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(u64::from(self.back) << 32 | u64::from(self.outer));
        hasher.write_u16(self.precedence);
    }
}

impl Call {
    /// The end of a stack in the place of a frame.
    fn at_slot(slot: usize) -> Call {
        Call { back: AT_SLOT, precedence: slot as Precedence, outer: BASE }
    }
}

/// The surroundings of a set of stacks, once they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outer {
    /// Around [`BASE`], the call that the parser is in.
    Caller(Caller),
    /// Around [`BASE`], the end of the text.
    End,
    /// Around each slot, the stacks of a frame.
    Frame(Frame),
}

/// A call that the parser is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Caller {
    /// Where it continues.
    pub(crate) back: StateId,
    /// The precedence with which it was called itself.
    pub(crate) precedence: Precedence,
}

/// Some stacks, as a number in [`Calls`].
pub(super) type Frame = u32;

/// All nodes, each once.
#[derive(Debug)]
pub(super) struct Calls {
    /// Whether [`BASE`] may have any calls around it. Then it contains all other stacks.
    is_any: bool,
    nodes: Vec<Arc<[Call]>>,
    numbers: HashMap<Arc<[Call]>, Stack, FixedState>,
    merged: HashMap<(Stack, Stack), Stack, FixedState>,
    frames: Vec<Arc<[Stack]>>,
    frame_numbers: HashMap<Arc<[Stack]>, Frame, FixedState>,
    /// The calls of all nodes.
    pub(super) size: usize,
}

impl Calls {
    pub(super) fn new(is_any: bool) -> Self {
        let mut calls = Calls {
            is_any,
            nodes: Vec::new(),
            numbers: HashMap::default(),
            merged: HashMap::default(),
            frames: Vec::new(),
            frame_numbers: HashMap::default(),
            size: 0,
        };
        for back in [AT_BASE, AT_END] {
            calls.node(&[Call { back, precedence: 0, outer: BASE }]);
        }
        calls
    }

    fn node(&mut self, calls: &[Call]) -> Stack {
        if let Some(known) = self.numbers.get(calls) {
            return *known;
        }
        let number = self.nodes.len() as Stack;
        let node: Arc<[Call]> = calls.into();
        self.nodes.push(Arc::clone(&node));
        self.numbers.insert(node, number);
        self.size += calls.len();
        number
    }

    /// Stacks with one more call.
    pub(super) fn push(&mut self, back: StateId, precedence: Precedence, outer: Stack) -> Stack {
        self.node(&[Call { back, precedence, outer }])
    }

    /// The innermost calls, and those that represent the surroundings of the stacks.
    pub(super) fn split(&self, stack: Stack) -> (&[Call], &[Call]) {
        let calls = &self.nodes[stack as usize];
        let inner = calls.iter().rposition(|call| call.back < AT_SLOT).map_or(0, |last| last + 1);
        calls.split_at(inner)
    }

    /// The empty ones among the stacks; `None` if there are none.
    pub(super) fn empty(&mut self, stack: Stack) -> Option<Stack> {
        match self.split(stack) {
            (_, []) => None,
            ([], _) => Some(stack),
            (_, ends) => {
                let ends = ends.to_vec();
                Some(self.node(&ends))
            }
        }
    }

    /// Whether the surroundings of an empty stack are known: a frame.
    pub(super) fn is_slot(&self, stack: Stack) -> bool {
        self.nodes[stack as usize][0].back == AT_SLOT
    }

    /// Puts stacks aside, as a frame, and replaces them by its slots.
    pub(super) fn frame<'s>(&mut self, stacks: impl Iterator<Item = &'s mut Stack>) -> Frame {
        let mut aside: Vec<Stack> = Vec::new();
        for stack in stacks {
            let slot = aside.iter().position(|known| known == stack).unwrap_or_else(|| {
                aside.push(*stack);
                aside.len() - 1
            });
            *stack = self.node(&[Call::at_slot(slot)]);
        }
        if let Some(known) = self.frame_numbers.get(&aside[..]) {
            return *known;
        }
        let number = self.frames.len() as Frame;
        self.size += aside.len();
        let aside: Arc<[Stack]> = aside.into();
        self.frames.push(Arc::clone(&aside));
        self.frame_numbers.insert(aside, number);
        number
    }

    /// The stacks of both sets.
    pub(super) fn merge(&mut self, one: Stack, other: Stack) -> Stack {
        self.merge_at(one, other, 0)
    }

    fn merge_at(&mut self, one: Stack, other: Stack, depth: usize) -> Stack {
        if one == other {
            return one;
        }
        let key = (one.min(other), one.max(other));
        if self.is_any && key.0 == BASE {
            return BASE;
        }
        if let Some(known) = self.merged.get(&key) {
            return *known;
        }
        let [one, other] = [one, other].map(|node| &self.nodes[node as usize][..]);
        let mut all = [one, other].concat();
        all.sort_unstable();
        all.dedup();
        let mut calls: Vec<Call> = Vec::with_capacity(all.len());
        for call in all {
            match calls.last_mut() {
                Some(last)
                    if (last.back, last.precedence) == (call.back, call.precedence)
                        && depth < DEEPEST =>
                {
                    last.outer = self.merge_at(last.outer, call.outer, depth + 1);
                }
                _ => calls.push(call),
            }
        }
        let node = self.node(&calls);
        self.merged.insert(key, node);
        self.size += 1;
        node
    }

    /// Stacks with their surroundings filled in. `found` caches the results for these surroundings.
    pub(super) fn within(&mut self, stack: Stack, outer: Outer, found: &mut Within) -> Stack {
        // Outer nodes are older, so in ascending order each comes before those that need it. There is no recursion,
        // since stacks may be deep.
        let (mut open, mut all) = (vec![stack], Vec::new());
        while let Some(node) = open.pop() {
            if found.contains_key(&node) {
                continue;
            }
            found.insert(node, node);
            all.push(node);
            open.extend(self.split(node).0.iter().map(|call| call.outer));
        }
        all.sort_unstable();
        for node in all {
            let (calls, ends) = self.split(node);
            let (mut calls, ends) = (calls.to_vec(), ends.to_vec());
            calls.iter_mut().for_each(|call| call.outer = found[&call.outer]);
            let mut new = (!calls.is_empty()).then(|| self.node(&calls));
            for end in ends {
                let around = match outer {
                    Outer::Frame(frame) if end.back == AT_SLOT => {
                        self.frames[frame as usize][usize::from(end.precedence)]
                    }
                    Outer::Caller(caller) if end.back == AT_BASE => {
                        self.push(caller.back, caller.precedence, BASE)
                    }
                    Outer::End if end.back == AT_BASE => END,
                    _ => self.node(&[end]),
                };
                new = Some(new.map_or(around, |new| self.merge(new, around)));
            }
            found.extend(new.map(|new| (node, new)));
        }
        found[&stack]
    }
}

/// Nodes and their counterparts with the surroundings filled in.
pub(super) type Within = HashMap<Stack, Stack, FixedState>;
