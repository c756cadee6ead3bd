//! Repetitions among the children of a node: elements that may go one by one, each with a separator
//! beside it.
//!
//! A grammar writes a list as `x (',' x)*`, and its tree has neither the brackets nor the star. The
//! content model still knows them: in `a , b , c` it allows to cut `a ,` and `, b` and `b ,` and
//! `, c`, that is, any two neighbours. So where from each of several neighbours on the same number of
//! nodes may go, that number is the *period* of a repetition; what is left over after whole periods
//! is the last element, which has no separator behind it, and says how wide an element is. An optional
//! part of several nodes is a repetition of one element.

use super::{Change, NodeId, Tree};

/// A repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Elements and separators, one after the other.
    nodes: Vec<NodeId>,
    /// How many nodes an element and a separator have.
    period: usize,
    /// How many of them are the element's.
    width: usize,
}

impl Series {
    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.nodes.len().div_ceil(self.period)
    }

    /// Always false: a series without elements is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes of an element.
    pub fn element(&self, index: usize) -> &[NodeId] {
        let start = index * self.period;
        &self.nodes[start..start + self.width]
    }
}

impl Tree {
    /// The repetitions among a node's children, from left to right: lists with separators and
    /// optional parts, but not what may go alone.
    pub fn series(&self, parent: NodeId) -> Vec<Series> {
        let nodes: Vec<NodeId> =
            self.children(parent).filter(|child| !self.is_extra(*child)).collect();
        let index = |node: NodeId| nodes.binary_search(&node).unwrap_or_default();
        let mut all: Vec<Series> = Vec::new();
        // The first node of a run of starts, the one behind its last start, and the period.
        let mut run: Option<(usize, usize, usize)> = None;
        let mut end = 0;
        for (first, last) in self.groups(parent) {
            let (start, period) = (index(first), index(last) + 1 - index(first));
            match &mut run {
                Some((_, next, same)) if *next == start && *same == period => *next += 1,
                _ => {
                    end = close(run.take(), end, &nodes, &mut all);
                    run = Some((start, start + 1, period));
                }
            }
        }
        close(run, end, &nodes, &mut all);
        all
    }

    /// What is done if only some elements of a series stay: each of the others goes with the
    /// separator before it, or behind it if nothing is left before it.
    pub fn keep_elements(&self, series: &Series, stays: impl Fn(usize) -> bool) -> Vec<Change> {
        let Series { nodes, period, width } = series;
        let kept: Vec<usize> = (0..series.len()).filter(|index| stays(*index)).collect();
        let Some((first, last)) = kept.first().zip(kept.last()) else {
            return self.keep_none(series);
        };
        let mut changes = Vec::new();
        if *first > 0 {
            changes.push(Change::Cut(nodes[0], nodes[first * period - 1]));
        }
        let after = |index: usize| index * period + width;
        let gaps = kept.windows(2).map(|pair| (pair[0], pair[1] - 1));
        for (left, gone) in gaps.chain([(*last, series.len() - 1)]).filter(|(a, b)| a < b) {
            changes.push(Change::Cut(nodes[after(left)], nodes[after(gone) - 1]));
        }
        changes
    }

    /// Without any element nothing stays of a series, or as little as can be where one is needed.
    fn keep_none(&self, series: &Series) -> Vec<Change> {
        let nodes = &series.nodes;
        if self.may_cut(nodes[0], nodes[nodes.len() - 1]) {
            return vec![Change::Cut(nodes[0], nodes[nodes.len() - 1])];
        }
        let mut changes = self.keep_elements(series, |index| index == 0);
        if let ([only], Some(minimal)) = (series.element(0), self.minimal(nodes[0])) {
            changes.push(Change::Replace(*only, (*minimal).into()));
        }
        changes
    }
}

/// Ends a run of starts, if it overlaps with nothing before it; returns where the last series ends.
fn close(
    run: Option<(usize, usize, usize)>,
    end: usize,
    nodes: &[NodeId],
    all: &mut Vec<Series>,
) -> usize {
    let Some((start, next, period)) = run.filter(|(start, ..)| *start >= end) else { return end };
    let behind = next + period - 1;
    let width = match (behind - start) % period {
        0 => period,
        width => width,
    };
    all.push(Series { nodes: nodes[start..behind].to_vec(), period, width });
    behind
}
