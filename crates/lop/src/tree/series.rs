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

/// How many children a group that goes together may have when groups are looked for.
const LONGEST_GROUP: usize = 16;

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

    /// Whether a node is, or belongs to, a separator.
    pub fn separates(&self, node: NodeId) -> bool {
        let index = self.nodes.binary_search(&node);
        index.is_ok_and(|index| index % self.period >= self.width)
    }

    /// The nodes of an element.
    pub fn element(&self, index: usize) -> &[NodeId] {
        let start = index * self.period;
        &self.nodes[start..start + self.width]
    }
}

impl Tree {
    /// The smallest groups of two or more children that may go together where their first one may
    /// not go alone: an element with its separator, an optional part of several tokens.
    pub fn groups(&self, parent: NodeId) -> Vec<(NodeId, NodeId)> {
        let nodes = self.significant(parent);
        let groups = (0..nodes.len()).filter(|start| !self.is_removable(nodes[*start]));
        let groups = groups.filter_map(|start| Some((start, self.shortest(&nodes[start..])?)));
        groups.map(|(start, length)| (nodes[start], nodes[start + length - 1])).collect()
    }

    /// The repetitions among a node's children, from left to right: lists with separators and
    /// optional parts, but not what may go alone and has no separators.
    pub fn series(&self, parent: NodeId) -> Vec<Series> {
        let nodes = self.significant(parent);
        let mut all: Vec<Series> = Vec::new();
        let mut start = 0;
        while start < nodes.len() {
            let Some(period) = self.period(&nodes[start..]) else {
                start += 1;
                continue;
            };
            let same = |at: &usize| self.period(&nodes[*at..]) == Some(period);
            let starts = (start..nodes.len()).take_while(same).count();
            let end = start + starts + period - 1;
            // What may go alone needs no group, but it may need to be kept from leaving separators.
            if starts == 1 && self.is_removable(nodes[start]) {
                start += 1;
                continue;
            }
            let width = match (end - start) % period {
                0 => period,
                width => width,
            };
            all.push(Series { nodes: nodes[start..end].to_vec(), period, width });
            start = end;
        }
        all
    }

    /// The children that a content model sees.
    fn significant(&self, parent: NodeId) -> Vec<NodeId> {
        self.children(parent).filter(|child| !self.is_extra(*child)).collect()
    }

    /// How many nodes, two or more, may go together from the first on.
    fn shortest(&self, nodes: &[NodeId]) -> Option<usize> {
        (2..=nodes.len().min(LONGEST_GROUP)).find(|count| self.may_cut(nodes[0], nodes[count - 1]))
    }

    /// How many nodes may go together from the first on, if it is better that they do.
    fn period(&self, nodes: &[NodeId]) -> Option<usize> {
        if !self.is_removable(nodes[0]) {
            return self.shortest(nodes);
        }
        // Some grammars are lax, and have `f(, b)` for `f(a, b)`: there, an element that may go alone
        // goes with its separator all the same.
        let [first, second, ..] = nodes else { return None };
        let is_pair = self.is_named(*first) != self.is_named(*second);
        (is_pair && self.may_cut(*first, *second)).then_some(2)
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
