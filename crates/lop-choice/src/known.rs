//! What is known about choices that were tried: a tree of their common beginnings.
//!
//! A generator is a function of its choices, so what it draws first depends on what it was given first. Following some
//! choices down the tree, as the source would take them, tells what will become of them if they were tried
//! before under any other name: with numbers that were taken for others, with choices that nobody asked for, or with too
//! few of them. Invariant: the way from the root to a node is the beginning of every record below it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::choice::Kind;
use crate::record::Record;

/// How much is remembered, in choices; after that, nothing new is.
const MOST: usize = 8 << 20;

/// What is known, and about each conclusion a `T`.
pub struct Known<T> {
    nodes: Vec<Node<T>>,
    held: usize,
}

/// A stretch of choices without a branch.
struct Node<T> {
    /// A record that passes here, of which the stretch is a part.
    record: Arc<Record>,
    from: usize,
    to: usize,
    then: Then<T>,
}

enum Then<T> {
    /// What is drawn next, and where that leads.
    Draws(Kind, HashMap<i128, usize>),
    /// The record ends here.
    Ends(T),
}

/// What is known about some choices.
pub enum Standing<'k, T> {
    /// Nothing.
    New,
    /// There are too few of them.
    TooFew,
    /// What they lead to.
    Ended(&'k Arc<Record>, &'k T),
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known { nodes: Vec::new(), held: 0 }
    }
}

impl<T> Known<T> {
    /// What is known about some choices.
    pub fn of(&self, values: &[i128]) -> Standing<'_, T> {
        let mut node = match self.nodes.first() {
            Some(root) => root,
            None => return Standing::New,
        };
        loop {
            for at in node.from..node.to {
                let Some(value) = values.get(at) else { return Standing::TooFew };
                let choice = &node.record.choices[at];
                if choice.kind.realised(*value) != choice.value {
                    return Standing::New;
                }
            }
            match &node.then {
                Then::Ends(outcome) => return Standing::Ended(&node.record, outcome),
                Then::Draws(kind, next) => {
                    let Some(value) = values.get(node.to) else { return Standing::TooFew };
                    match next.get(&kind.realised(*value)) {
                        Some(child) => node = &self.nodes[*child],
                        None => return Standing::New,
                    }
                }
            }
        }
    }

    /// Notes what became of a record.
    pub fn ended(&mut self, record: Arc<Record>, outcome: T) {
        self.add(record, Then::Ends(outcome));
    }

    /// Notes that after this record something else is drawn.
    pub fn draws(&mut self, record: Arc<Record>, kind: Kind) {
        self.add(record, Then::Draws(kind, HashMap::new()));
    }

    fn add(&mut self, record: Arc<Record>, then: Then<T>) {
        if self.held > MOST {
            return;
        }
        self.held += 16 + record.choices.len();
        let to = record.choices.len();
        if self.nodes.is_empty() {
            self.nodes.push(Node { record, from: 0, to, then });
            return;
        }
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            let same = (node.from..node.to.min(to))
                .find(|at| node.record.choices[*at].value != record.choices[*at].value)
                .unwrap_or(node.to.min(to));
            if same < node.to {
                self.split(at, same);
            }
            let next = self.nodes.len();
            let node = &mut self.nodes[at];
            if same == to {
                // What is known already stays; that something was missing here is known by now as well.
                return;
            }
            let Then::Draws(_, children) = &mut node.then else {
                // It ended here before: the generator does not depend on its choices alone.
                return;
            };
            match children.entry(record.choices[same].value) {
                std::collections::hash_map::Entry::Occupied(child) => at = *child.get(),
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert(next);
                    self.nodes.push(Node { record, from: same + 1, to, then });
                    return;
                }
            }
        }
    }

    /// Makes two of a node.
    fn split(&mut self, at: usize, place: usize) {
        let next = self.nodes.len();
        let node = &mut self.nodes[at];
        let choice = node.record.choices[place];
        let below = Then::Draws(choice.kind, HashMap::from([(choice.value, next)]));
        let then = std::mem::replace(&mut node.then, below);
        let (record, to) = (node.record.clone(), std::mem::replace(&mut node.to, place));
        self.nodes.push(Node { record, from: place + 1, to, then });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    fn record(values: &[i128]) -> Arc<Record> {
        let choice = |value: &i128| Choice { value: *value, kind: Kind::integer(0, 9, 0) };
        Arc::new(Record { choices: values.iter().map(choice).collect(), spans: Vec::new() })
    }

    fn tell(known: &Known<char>, values: &[i128]) -> char {
        match known.of(values) {
            Standing::New => '?',
            Standing::TooFew => '-',
            Standing::Ended(_, outcome) => *outcome,
        }
    }

    #[test]
    fn choices_are_known_by_what_they_are_taken_for() {
        let mut known = Known::default();
        known.ended(record(&[1, 2, 3]), 'a');
        known.ended(record(&[1, 0]), 'b');
        assert_eq!(tell(&known, &[1, 2, 3]), 'a');
        assert_eq!(tell(&known, &[1, 2, 3, 4]), 'a', "what nobody asks for");
        assert_eq!(tell(&known, &[1, 77]), 'b', "what is out of range");
        assert_eq!(tell(&known, &[1, 2]), '-', "too few");
        assert_eq!(tell(&known, &[]), '-');
        assert_eq!(tell(&known, &[1, 3, 3]), '?');
        assert_eq!(tell(&known, &[2]), '?');
    }

    #[test]
    fn what_is_drawn_next_is_known_of_choices_that_were_too_few() {
        let mut known = Known::default();
        known.draws(record(&[5]), Kind::integer(0, 3, 0));
        assert_eq!(tell(&known, &[5]), '-');
        assert_eq!(tell(&known, &[5, 9]), '?');
        known.ended(record(&[5, 0]), 'c');
        assert_eq!(tell(&known, &[5, 9]), 'c');
    }
}
