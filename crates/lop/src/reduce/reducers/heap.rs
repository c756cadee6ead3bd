//! A heap that can be forked: a fork starts with the same elements and changes independently, without a copy of them.
//!
//! Guesses need this (see `guess.rs`): each of them takes a few nodes from the queue of a walk, which may have
//! as many nodes as the tree.

use std::collections::BinaryHeap;

/// A heap, the greatest element first. Equal elements are interchangeable.
///
/// A fork borrows the array of the heap that it was forked from, in which no element is less than those at `2i + 1` and
/// `2i + 2`. So the greatest element that the fork has not popped yet is the first of the array, or below one that it
/// has popped: in the *frontier*, which grows by one with each popped element.
#[derive(Clone)]
pub(super) struct Heap<'b, T> {
    own: BinaryHeap<T>,
    base: &'b [T],
    /// Elements of the base, with their places.
    frontier: BinaryHeap<(T, usize)>,
}

impl<T: Copy + Ord> Heap<'_, T> {
    pub(super) fn new() -> Self {
        Heap { own: BinaryHeap::new(), base: &[], frontier: BinaryHeap::new() }
    }

    /// A heap with the same elements. If this is a fork itself, it costs as much as was pushed to and popped from
    /// this one; if not, next to nothing.
    pub(super) fn fork(&self) -> Heap<'_, T> {
        if !self.base.is_empty() {
            return self.clone();
        }
        let base = self.own.as_slice();
        let frontier = base.first().map(|first| (*first, 0)).into_iter().collect();
        Heap { own: BinaryHeap::new(), base, frontier }
    }

    pub(super) fn extend(&mut self, elements: impl IntoIterator<Item = T>) {
        self.own.extend(elements);
    }

    pub(super) fn peek(&self) -> Option<&T> {
        self.own.peek().max(self.frontier.peek().map(|(element, _)| element))
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        if self.own.peek() >= self.frontier.peek().map(|(element, _)| element) {
            return self.own.pop();
        }
        let (element, at) = self.frontier.pop()?;
        let below = [2 * at + 1, 2 * at + 2].into_iter();
        self.frontier.extend(below.filter_map(|at| Some((*self.base.get(at)?, at))));
        Some(element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<T> Heap<'_, T> {
        /// The number of elements that a clone copies.
        fn copied(&self) -> usize {
            self.own.len() + self.frontier.len()
        }
    }

    #[test]
    fn a_fork_gives_the_same_elements_and_leaves_the_original_alone() {
        let mut random = lop_testing::random();
        for _ in 0..300 {
            let mut heap = Heap::new();
            let elements: Vec<u8> = (0..random.usize(..60)).map(|_| random.u8(..)).collect();
            heap.extend(elements.iter().copied());
            let mut copy = heap.clone();
            let mut fork = heap.fork();
            for _ in 0..random.usize(..40) {
                let new: Vec<u8> = (0..random.usize(..3)).map(|_| random.u8(..)).collect();
                fork.extend(new.iter().copied());
                copy.extend(new);
                assert_eq!(fork.peek(), copy.peek());
                assert_eq!(fork.pop(), copy.pop());
            }
            // A fork of a fork continues from there.
            let mut inner = fork.fork();
            let rest: Vec<u8> = std::iter::from_fn(|| inner.pop()).collect();
            assert_eq!(rest, std::iter::from_fn(|| copy.pop()).collect::<Vec<_>>());
            assert_eq!(rest, std::iter::from_fn(|| fork.pop()).collect::<Vec<_>>());
            let mut whole: Vec<u8> = std::iter::from_fn(|| heap.pop()).collect();
            whole.reverse();
            let mut elements = elements;
            elements.sort_unstable();
            assert_eq!(whole, elements);
        }
    }

    #[test]
    fn a_fork_copies_what_was_visited_and_not_what_there_is() {
        let mut heap = Heap::new();
        heap.extend(0..100_000);
        let mut fork = heap.fork();
        assert_eq!(fork.copied(), 1);
        for visited in 1..100 {
            fork.pop();
            assert!(fork.fork().copied() <= visited + 1);
        }
    }
}
