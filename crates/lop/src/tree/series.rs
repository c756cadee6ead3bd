//! Repetitions among the children of a node: elements that can be removed one by one, each with a separator next to it
//! if there are separators.
//!
//! A grammar writes a list as `x (',' x)*`, and its tree has neither the brackets nor the star. The content model still
//! knows them: in `a , b , c` it allows to cut `a ,` and `, b` and `b ,` and `, c`, that is, any two neighbours. So if
//! the same number of nodes can be removed from each of several neighbours on, that number is the *period* of a
//! repetition; the rest after whole periods is the last element, which has no separator after it, and its width is that
//! of every element. An optional part of several nodes is a repetition of one element.

use super::{Change, NodeId, Tree};

/// The most children of a group that are removed together.
const LONGEST_GROUP: usize = 16;

/// A repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Elements and separators, in their order.
    nodes: Vec<NodeId>,
    /// The number of nodes of an element and a separator.
    period: usize,
    /// The number of nodes of an element.
    width: usize,
}

impl Series {
    /// A single element.
    pub fn of_one(node: NodeId) -> Series {
        Series { nodes: vec![node], period: 1, width: 1 }
    }

    /// Whether there are separators between its elements.
    pub fn is_separated(&self) -> bool {
        self.width < self.period
    }

    /// Elements and separators, in their order.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.nodes.len().div_ceil(self.period)
    }

    /// Always false: a series has at least one element.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes of an element.
    pub fn element(&self, index: usize) -> &[NodeId] {
        let start = index * self.period;
        &self.nodes[start..start + self.width]
    }

    /// The index of the element that contains a node.
    pub(crate) fn index_of(&self, node: NodeId) -> Option<usize> {
        let at = self.nodes.binary_search(&node).ok()?;
        (at % self.period < self.width).then_some(at / self.period)
    }
}

impl Tree {
    /// The smallest groups of two or more children that can be removed together, but whose first child cannot be
    /// removed alone: an element with its separator, an optional part of several tokens.
    pub fn groups(&self, parent: NodeId) -> Vec<(NodeId, NodeId)> {
        let nodes = self.significant(self.children(parent));
        let groups = (0..nodes.len()).filter(|start| !self.is_removable(nodes[*start]));
        let groups = groups.filter_map(|start| Some((start, self.shortest(&nodes[start..])?)));
        groups.map(|(start, length)| (nodes[start], nodes[start + length - 1])).collect()
    }

    /// The repetitions among a node's children, from left to right: lists with and without
    /// separators, and optional parts of several nodes.
    pub fn series(&self, parent: NodeId) -> Vec<Series> {
        self.series_among(self.children(parent))
    }

    /// The repetitions among some siblings.
    pub(super) fn series_among(&self, siblings: impl Iterator<Item = NodeId>) -> Vec<Series> {
        let nodes = self.significant(siblings);
        let mut all: Vec<Series> = Vec::new();
        let mut start = 0;
        while start < nodes.len() {
            let found = self.strict(&nodes, start).or_else(|| self.lax(&nodes, start));
            let found = found.or_else(|| self.plain(&nodes, start));
            start = found.as_ref().map_or(start, |series| start + series.nodes.len() - 1) + 1;
            all.extend(found);
        }
        all
    }

    /// The series that begins at a node that cannot be removed alone.
    fn strict(&self, nodes: &[NodeId], start: usize) -> Option<Series> {
        let period = |at: usize| match self.is_removable(nodes[at]) {
            true => None,
            false => self.shortest(&nodes[at..]),
        };
        let first = period(start)?;
        let starts = (start..nodes.len()).take_while(|at| period(*at) == Some(first)).count();
        let nodes = nodes[start..start + starts + first - 1].to_vec();
        let width = match nodes.len() % first {
            0 => first,
            width => width,
        };
        Some(Series { nodes, period: first, width })
    }

    /// The series that begins at a node that can be removed alone. Some grammars are lax and also allow `f(, b)` for
    /// `f(a, b)`: there, too, an element is removed with its separator. Such a list fills the whole space between two
    /// tokens, and has the same token between its elements, which cannot be removed alone.
    fn lax(&self, nodes: &[NodeId], start: usize) -> Option<Series> {
        let is_element = |node: NodeId| self.is_named(node) && self.is_removable(node);
        let is_token = |node: &NodeId| !self.is_named(*node);
        let separator = *nodes.get(start + 1)?;
        let begins = is_element(nodes[start])
            && is_token(&separator)
            && !self.is_removable(separator)
            && self.may_cut(nodes[start], separator);
        if !begins {
            return None;
        }
        let goes_on = |pair: &&[NodeId]| {
            self.kind(pair[0]) == self.kind(separator)
                && is_element(pair[1])
                && self.may_cut(pair[0], pair[1])
        };
        let pairs = nodes[start + 1..].chunks_exact(2).take_while(goes_on).count();
        let end = start + 1 + 2 * pairs;
        let fills =
            nodes[..start].last().is_none_or(is_token) && nodes.get(end).is_none_or(is_token);
        let nodes = || nodes[start..end].to_vec();
        (pairs > 0 && fills).then(|| Series { nodes: nodes(), period: 2, width: 1 })
    }

    /// The series without separators that begins at a node: neighbours that can be removed and are repeated in the same
    /// way.
    fn plain(&self, nodes: &[NodeId], start: usize) -> Option<Series> {
        let quantifier = self.quantifier(nodes[start]);
        let is_element =
            |node: &&NodeId| self.is_removable(**node) && self.quantifier(**node) == quantifier;
        let is_list = quantifier.repeats() && is_element(&&nodes[start]);
        let elements = || nodes[start..].iter().take_while(is_element).copied().collect();
        is_list.then(|| Series { nodes: elements(), period: 1, width: 1 })
    }

    /// The siblings that the content model sees.
    fn significant(&self, siblings: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
        siblings.filter(|node| !self.is_extra(*node)).collect()
    }

    /// The least number of nodes, two or more, that can be removed together from the first on.
    fn shortest(&self, nodes: &[NodeId]) -> Option<usize> {
        (2..=nodes.len().min(LONGEST_GROUP)).find(|count| self.may_cut(nodes[0], nodes[count - 1]))
    }

    /// The changes that remove elements of a series, given by their numbers in ascending order: each of them is removed
    /// with the separator before it, or after it if no element remains before it.
    pub fn without_elements(&self, series: &Series, gone: &[usize]) -> Vec<Change> {
        let nodes = series.nodes();
        if gone.len() == series.len() && !self.may_cut(nodes[0], nodes[nodes.len() - 1]) {
            return self.keep_least(series);
        }
        self.cut_elements(series, gone)
    }

    /// The changes that remove elements of a series, without checking whether one of them must stay.
    pub(super) fn cut_elements(&self, series: &Series, gone: &[usize]) -> Vec<Change> {
        let Series { nodes, period, width } = series;
        if !series.is_separated() {
            // A node between elements, such as a comment, is not part of any element.
            let ends = gone.iter().map(|index| (index * period, index * period + width - 1));
            return ends.map(|(first, last)| Change::Cut(nodes[first], nodes[last])).collect();
        }
        let after = |index: usize| index * period + width;
        let runs = gone.chunk_by(|left, right| left + 1 == *right);
        let ends = runs.map(|run| match (run[0], run[run.len() - 1]) {
            (0, last) => (0, ((last + 1) * period).min(nodes.len())),
            (first, last) => (after(first - 1), after(last)),
        });
        ends.map(|(start, end)| Change::Cut(nodes[start], nodes[end - 1])).collect()
    }

    /// Keeps as little as possible of a series that needs an element.
    fn keep_least(&self, series: &Series) -> Vec<Change> {
        let others: Vec<usize> = (1..series.len()).collect();
        let mut changes = self.without_elements(series, &others);
        if let [only] = series.element(0)
            && let Some(minimal) = self.minimal(*only)
        {
            changes.push(Change::Replace(*only, (*minimal).into()));
        }
        changes
    }
}
