//! What is known about choices that were tried: a tree of their common beginnings.
//!
//! A generator is a function of its choices, so what it draws first depends on what it was given first. Following some
//! choices down the tree, as the source would take them, tells what will become of them if they were tried
//! before under any other name: with numbers that were taken for others, with choices that nobody asked for, or with too
//! few of them. Invariant: the way from the root to a node is the beginning of every record below it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::choice::Kind;
use crate::record::Record;

/// How much is remembered, in choices; after that, nothing new is.
const MOST: usize = 8 << 20;

/// What is known.
#[derive(Default)]
pub(crate) struct Known {
    nodes: Vec<Node>,
    held: usize,
}

/// A stretch of choices without a branch.
struct Node {
    /// A record that passes here, of which the stretch is a part.
    record: Arc<Record>,
    from: usize,
    to: usize,
    then: Then,
}

enum Then {
    /// What is drawn next, and where that leads.
    Draws(Kind, BTreeMap<i128, usize>),
    /// The record ends here.
    Ends,
}

/// What is known about some choices.
pub(crate) enum Standing<'k> {
    /// Nothing.
    New,
    /// There are too few of them.
    TooFew,
    /// What is drawn.
    Ended(&'k Arc<Record>),
}

impl Known {
    /// What is known about some choices.
    pub(crate) fn of(&self, values: &[i128]) -> Standing<'_> {
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
                Then::Ends => return Standing::Ended(&node.record),
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

    /// Notes that nothing is drawn after this record.
    pub(crate) fn ended(&mut self, record: Arc<Record>) {
        self.add(record, Then::Ends);
    }

    /// Notes that after this record something else is drawn.
    pub(crate) fn draws(&mut self, record: Arc<Record>, kind: Kind) {
        self.add(record, Then::Draws(kind, BTreeMap::new()));
    }

    fn add(&mut self, record: Arc<Record>, then: Then) {
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
                std::collections::btree_map::Entry::Occupied(child) => at = *child.get(),
                std::collections::btree_map::Entry::Vacant(place) => {
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
        let below = Then::Draws(choice.kind, BTreeMap::from([(choice.value, next)]));
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

    fn tell(known: &Known, values: &[i128]) -> String {
        match known.of(values) {
            Standing::New => "new".into(),
            Standing::TooFew => "too few".into(),
            Standing::Ended(record) => format!("{:?}", record.values()),
        }
    }

    #[test]
    fn choices_are_known_by_what_they_are_taken_for() {
        let mut known = Known::default();
        known.ended(record(&[1, 2, 3]));
        known.ended(record(&[1, 0]));
        assert_eq!(tell(&known, &[1, 2, 3]), "[1, 2, 3]");
        assert_eq!(tell(&known, &[1, 2, 3, 4]), "[1, 2, 3]", "what nobody asks for");
        assert_eq!(tell(&known, &[1, 77]), "[1, 0]", "what is out of range");
        assert_eq!(tell(&known, &[1, 2]), "too few");
        assert_eq!(tell(&known, &[]), "too few");
        assert_eq!(tell(&known, &[1, 3, 3]), "new");
        assert_eq!(tell(&known, &[2]), "new");
    }

    #[test]
    fn what_is_drawn_next_is_known_of_choices_that_were_too_few() {
        let mut known = Known::default();
        known.draws(record(&[5]), Kind::integer(0, 3, 0));
        assert_eq!(tell(&known, &[5]), "too few");
        assert_eq!(tell(&known, &[5, 9]), "new");
        known.ended(record(&[5, 0]));
        assert_eq!(tell(&known, &[5, 9]), "[5, 0]");
    }
}
