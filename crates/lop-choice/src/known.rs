//! What is known about choices that were tried: a trie of their common beginnings.
//!
//! A generator is a function of its choices: which kinds it draws first depends on the first choices alone. So following some
//! choices down the trie, as the source would take them, foresees their run if equivalent choices were run
//! before: with numbers that the source replaces, with more choices than are drawn, or with too
//! few. Invariant: the path from the root to a node is the beginning of every record below it.
//!
//! Memory is bounded: records are kept in two generations of at most half the bound each. When the young generation is full it
//! becomes the old one, and the records of the old one are forgotten. Forgotten choices are new again: to try them costs
//! another run. Invariant: what is forgotten follows from the notes and their order alone, and notes are
//! made in the order in which attempts are judged. So a lookup keeps nothing alive: workers also look up attempts whose turn
//! may never come.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use crate::choice::Kind;
use crate::record::Record;

/// How many bytes are remembered. There is room for over a million choices with their spans, which is every attempt of most
/// reductions, and several reductions fit into the memory of a small machine.
const BYTES: usize = 256 << 20;
/// An upper bound of the bytes that a map from values to nodes takes for every [`FANOUT`] children.
const BRANCH: usize = 384;
/// How many children a node of such a map has at least, unless it is the only one.
const FANOUT: usize = 5;

/// Records of the runs so far.
pub(crate) struct Known {
    young: Trie,
    old: Trie,
    /// How many bytes both generations may hold, unless two records alone take more.
    bytes: usize,
}

#[derive(Default)]
struct Trie {
    nodes: Vec<Node>,
    /// The bytes of records and of maps to children.
    held: usize,
}

/// A stretch of choices without a branch.
struct Node {
    /// A record that includes this stretch.
    record: Arc<Record>,
    from: usize,
    to: usize,
    then: Then,
}

enum Then {
    /// The kind of the next choice, and the node for each of its values.
    Draws(Kind, BTreeMap<i128, usize>),
    /// The record ends here.
    Ends,
}

/// What a run of some choices would do.
pub(crate) enum Foreseen<'k> {
    /// Unknown: these choices were not run, or that is forgotten.
    New,
    /// The generator would draw more choices than there are: it would begin as this record does.
    TooFew(&'k Arc<Record>),
    /// The generator would draw this record.
    Ended(&'k Arc<Record>),
}

impl Default for Known {
    fn default() -> Known {
        Known::with_bound(BYTES)
    }
}

impl Known {
    /// Remembers at most this many bytes, but at least the last two records.
    pub(crate) fn with_bound(bytes: usize) -> Known {
        Known { young: Trie::default(), old: Trie::default(), bytes }
    }

    /// What a run of some choices would do.
    pub(crate) fn of(&self, values: &[i128]) -> Foreseen<'_> {
        // Both are parts of the same trie: what one of them foresees, the other does not contradict.
        match self.young.of(values) {
            Foreseen::New => self.old.of(values),
            known => known,
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
        if self.young.bytes() + self.young.room_for(&record) > self.bytes / 2 {
            self.old = mem::take(&mut self.young);
        }
        self.young.add(record, then);
    }
}

impl Trie {
    fn of(&self, values: &[i128]) -> Foreseen<'_> {
        let mut node = match self.nodes.first() {
            Some(root) => root,
            None => return Foreseen::New,
        };
        loop {
            for at in node.from..node.to {
                let Some(value) = values.get(at) else { return Foreseen::TooFew(&node.record) };
                let choice = &node.record.choices[at];
                if choice.kind.realised(*value) != choice.value {
                    return Foreseen::New;
                }
            }
            match &node.then {
                Then::Ends => return Foreseen::Ended(&node.record),
                Then::Draws(kind, next) => {
                    let Some(value) = values.get(node.to) else {
                        return Foreseen::TooFew(&node.record);
                    };
                    match next.get(&kind.realised(*value)) {
                        Some(child) => node = &self.nodes[*child],
                        None => return Foreseen::New,
                    }
                }
            }
        }
    }

    fn bytes(&self) -> usize {
        self.held + self.nodes.capacity() * size_of::<Node>()
    }

    /// The bytes that this record adds at most.
    fn room_for(&self, record: &Record) -> usize {
        // A record adds two nodes at most, each in a map: the second half of a split node, and its own.
        let is_full = self.nodes.len() + 2 > self.nodes.capacity();
        let more_nodes = if is_full { self.nodes.capacity().max(4) } else { 0 };
        bytes_of(record) + 2 * BRANCH + more_nodes * size_of::<Node>()
    }

    fn add(&mut self, record: Arc<Record>, then: Then) {
        let to = record.choices.len();
        if self.nodes.is_empty() {
            self.held += bytes_of(&record);
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
                // It is a beginning of records that are known, or equal to one.
                return;
            }
            let Then::Draws(_, children) = &mut node.then else {
                // It ended here before: the generator does not depend on its choices alone.
                return;
            };
            let is_full = children.len().is_multiple_of(FANOUT);
            match children.entry(record.choices[same].value) {
                std::collections::btree_map::Entry::Occupied(child) => at = *child.get(),
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert(next);
                    self.held += bytes_of(&record) + if is_full { BRANCH } else { 0 };
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
        let then = mem::replace(&mut node.then, below);
        let (record, to) = (node.record.clone(), mem::replace(&mut node.to, place));
        self.held += BRANCH;
        self.nodes.push(Node { record, from: place + 1, to, then });
    }
}

/// The bytes of a record in an `Arc`, which has two counters. The vectors of a finished record have no spare capacity.
fn bytes_of(record: &Record) -> usize {
    2 * size_of::<usize>()
        + size_of::<Record>()
        + size_of_val(&record.choices[..])
        + size_of_val(&record.spans[..])
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
            Foreseen::New => "new".into(),
            Foreseen::TooFew(_) => "too few".into(),
            Foreseen::Ended(record) => format!("{:?}", record.values()),
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

    /// What is really held: every record once, nodes and maps.
    fn held(known: &Known) -> usize {
        let mut seen = std::collections::HashSet::new();
        let mut bytes = 0;
        for trie in [&known.young, &known.old] {
            bytes += trie.nodes.capacity() * size_of::<Node>();
            for node in &trie.nodes {
                if seen.insert(Arc::as_ptr(&node.record)) {
                    let Record { choices, spans } = &*node.record;
                    bytes += 16 + size_of::<Record>();
                    bytes += choices.capacity() * size_of::<Choice>();
                    bytes += spans.capacity() * size_of::<crate::record::Span>();
                }
                if let Then::Draws(_, children) = &node.then {
                    bytes += children.len() * size_of::<(i128, usize)>();
                }
            }
        }
        bytes
    }

    #[test]
    fn memory_is_bounded_the_oldest_is_forgotten_and_what_is_recent_is_known() {
        let mut random = lop_testing::random();
        let longest = Trie::default().room_for(&record(&[0; 12]));
        for bound in [0, 5_000, 20_000, 100_000] {
            let mut known = Known::with_bound(bound);
            let mut all: Vec<Vec<i128>> = Vec::new();
            for _ in 0..2000 {
                // A digit that ends it, so that none is the beginning of another.
                let digits = (0..random.usize(1..12)).map(|_| random.i128(0..9));
                let values: Vec<i128> = digits.chain([9]).collect();
                known.ended(record(&values));
                assert_eq!(tell(&known, &values), format!("{values:?}"));
                assert!(held(&known) <= bound.max(2 * longest), "{bound}: {}", held(&known));
                all.push(values);
            }
            let count = all.iter().filter(|it| tell(&known, it) != "new").count();
            assert!(count < 500, "{bound}: most are forgotten");
            // Room is made for many nodes at a time, so there may be half as many as fit.
            let recent = bound / 4 / longest;
            let known_recently = all.iter().rev().take_while(|it| tell(&known, it) != "new");
            assert!(known_recently.count() >= recent.max(1), "{bound}");
        }
    }

    #[test]
    fn nothing_is_forgotten_below_the_bound() {
        let mut known = Known::default();
        let all =
            || (0..10_000).map(|at| record(&[at % 10, at / 10 % 10, at / 100 % 10, at / 1000, 1]));
        all().for_each(|it| known.ended(it));
        assert!(all().all(|it| tell(&known, &it.values()) == format!("{:?}", it.values())));
    }
}
