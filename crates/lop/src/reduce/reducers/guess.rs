//! Guesses which questions a reducer will ask next, for workers that would be idle otherwise.
//!
//! Each answer leads to another question, so the possible questions form a tree: below every question there is a branch for the case that
//! its nodes are removed, and one for the case that they stay. Branches are visited in the order of their likelihood, which
//! follows from how often nodes were removed lately.
//!
//! Guesses affect only how long a run takes.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::tree::ViewId;

use super::Shape;
use super::hierarchy::InputTree;
use super::traversal::Walk;

/// If nodes are removed less often than this, the better guess is that none will be: then all attempts for some nodes
/// are known in advance, not only the one that removes them all.
pub(super) const DOUBT: f64 = 0.25;

/// The number of answers over which the frequency of removals is averaged.
pub(super) const MEMORY: f64 = 8.0;

/// A state of the walk after some possible answers.
struct Branch<'b> {
    likely: f64,
    /// Of equally likely branches, the one with the smallest number comes first.
    number: usize,
    walk: Walk<'b>,
    shape: Shape,
}

/// The shapes that may be tried after some nodes; `hope` is the probability that nodes are removed.
pub(super) fn next<'t>(
    tags: &'t [bool],
    nodes: &'t [ViewId],
    walk: &'t Walk<'_>,
    tree: &'t InputTree<'_>,
    hope: f64,
) -> impl Iterator<Item = Shape> + 't {
    let hope = hope.clamp(0.05, 0.95);
    let mut branches: BinaryHeap<Branch<'t>> = BinaryHeap::new();
    let mut number = 0;
    let mut push =
        move |branches: &mut BinaryHeap<Branch<'t>>, likely: f64, walk: Walk<'t>, shape: Shape| {
            number += 1;
            branches.push(Branch { likely, number, walk, shape });
        };
    let mut has_begun = false;
    std::iter::from_fn(move || {
        if !std::mem::replace(&mut has_begun, true) {
            let gone = tree.shape.without(tree.prunable(nodes));
            push(&mut branches, 1.0 - hope, walk.fork(), tree.shape.clone());
            push(&mut branches, hope, walk.fork(), gone);
        }
        while let Some(Branch { likely, mut walk, shape, .. }) = branches.pop() {
            let tree = InputTree { view: tree.view, shape };
            let group = std::iter::from_fn(|| walk.next(&tree));
            let mut groups = group.map(|nodes| tree.prunable(&tree.left(&nodes, tags)));
            let Some(nodes) = groups.find(|nodes| !nodes.is_empty()) else { continue };
            drop(groups);
            let question = tree.shape.without(nodes);
            // Both branches are forks, so the queue of the walk is not copied.
            push(&mut branches, likely * (1.0 - hope), walk.clone(), tree.shape);
            push(&mut branches, likely * hope, walk, question.clone());
            return Some(question);
        }
        None
    })
}

impl Ord for Branch<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.likely.total_cmp(&other.likely).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Branch<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Branch<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Branch<'_> {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::reduce::reducers::REDUCERS;
    use crate::tree::{Format, Tree, View};

    /// The first guesses of a reducer after it has visited some groups of nodes, each as its text.
    fn guesses(reducer: &str, text: &str, visited: usize, hope: f64) -> Vec<String> {
        let reducer = REDUCERS.iter().find(|each| each.name == reducer).unwrap();
        let format = Format::named("s-expressions").unwrap();
        let tree = Tree::parse(&Arc::new(text.into()), &format);
        let view = View::new(&tree, reducer.views);
        let input = InputTree { view: &view, shape: Shape::default() };
        let tags = reducer.steps[0].filter.tags(&view);
        let mut walk = reducer.traversal.start(&input);
        let mut nodes = Vec::new();
        for _ in 0..visited {
            nodes = walk.next(&input).unwrap();
        }
        let nodes = input.left(&nodes, &tags);
        let shapes = next(&tags, &nodes, &walk, &input, hope);
        let left = |shape: Shape| tree.candidate(&shape.changes(&view)).bytes();
        shapes.take(8).map(|shape| String::from_utf8(left(shape)).unwrap()).collect()
    }

    #[test]
    fn the_likeliest_questions_are_guessed_first() {
        let text = "(a (b c d) (e (f g) h)) (i j) k (l (m (n o)))";
        let check = |reducer: &str, hope: f64, expected: [&str; 8]| {
            assert_eq!(guesses(reducer, text, 4, hope), expected, "{reducer}");
        };
        check(
            "pardis",
            0.9,
            [
                "() (i j) k",
                "() k",
                "()",
                "(a (b c d) (e (f g) h)) (i j) k",
                "() (i j) k ()",
                "(a (b c d)) (i j) k",
                "() () k",
                "() k ()",
            ],
        );
        check(
            "gallop",
            0.3,
            [
                "(a (b c d) (e (f g) h)) (i j) k",
                "(a (b c d) (e (f g) h)) (i j) k ()",
                "(a (b c d)) (i j) k (l (m (n o)))",
                "() (i j) k",
                "(a (b c d) (e (f g) h)) (i j) k (l)",
                "(a (b c d)) (i j) k",
                "() (i j) k ()",
                "(a (b c d) ()) (i j) k (l (m (n o)))",
            ],
        );
        check(
            "perses",
            0.3,
            [
                "() (i j) k (l (m (n o)))",
                "(a (b c d) (e (f g) h)) (i j) k ()",
                "(a (b c d) ()) (i j) k (l (m (n o)))",
                "() (i j) k (l (m (n o)))",
                "(a (b c d) (e (f g) h)) (i j) k (l ())",
                "() (i j) k ()",
                "(a (b c d) (e (f g) h)) (i j) k ()",
                "(a () (e (f g) h)) (i j) k (l (m (n o)))",
            ],
        );
        check(
            "hddr",
            0.9,
            [
                "(a (b c d) (e (f g) h)) () k (l ())",
                "() () k (l ())",
                "(a (b c d) (e (f g) h)) (i j) k (l (m ()))",
                "() (i j) k (l ())",
                "(a (b c d) (e (f g) h)) () k (l (m ()))",
                "(a (b c d) ()) () k (l ())",
                "() () k (l (m ()))",
                "(a () ()) () k (l ())",
            ],
        );
    }
}
