//! Two files of one language as a pair: the hunks in which their tokens differ, and the counterpart of a node, which is in the same
//! place of the other file.
//!
//! Counterparts are found by tokens, not by trees: a place of the left file *meets* a place of the right one if the
//! same token is before or behind both. A node and its counterpart begin and end in places that meet, and are of the
//! same kind. Their contents may differ.
//!
//! A hunk with one empty side can often slide: `c;` or `; c` is new in `a; c; b;` compared with `a; b;`. So places meet wherever
//! the hunk may slide to, and a node has its counterpart in all of them.

use std::collections::HashMap;
use std::ops::Range;

use crate::text::{Hunk, hunks};
use crate::tree::{Kind, NodeId, Tree};

/// Files with more different tokens than this are not two versions of one program.
const MOST: usize = 2000;

/// Two versions of a program differ in at most one of this many tokens. In each of 28 pairs of unrelated programs in C,
/// at least two of three tokens differed.
const SIMILAR: usize = 2;

/// Two files that have much in common.
pub(super) struct Pair<'t> {
    pub(super) tree: &'t Tree,
    /// Both files, the left one first.
    pub(super) sides: [Side; 2],
    /// The parts in which their tokens differ.
    pub(super) hunks: Vec<Hunk>,
    /// The counterparts of nodes of the left file.
    counterparts: HashMap<NodeId, NodeId>,
}

/// A file of a pair.
pub(super) struct Side {
    /// Its nodes that have a text, parents before their children.
    pub(super) nodes: Vec<NodeId>,
    /// The nodes without children, from left to right.
    pub(super) tokens: Vec<NodeId>,
}

impl<'t> Pair<'t> {
    /// A text as a pair: it must be two files of one language, which differ in a bounded number of tokens.
    pub(super) fn of(tree: &'t Tree) -> Option<Pair<'t>> {
        let files: Vec<NodeId> = tree.files().map(|file| file.node).collect();
        let content = |file| tree.children(tree.children(file).nth(1)?).next();
        let [left, right] = <[NodeId; 2]>::try_from(files).ok()?.map(content);
        let contents = [left?, right?];
        let [language, other] = contents.map(|content| tree.parser_of(content).grammar());
        if !std::ptr::eq(language, other) {
            return None;
        }
        let sides = contents.map(|content| Side::new(tree, content));
        let [left, right] = sides.each_ref().map(|side| side.texts(tree));
        let hunks = hunks(&left, &right, MOST)?;
        let meeting = meeting(&left, &right, &hunks);
        let counterparts = counterparts(tree, &sides, &meeting);
        Some(Pair { tree, sides, hunks, counterparts })
    }

    /// Whether the files are likely to be two versions of one program.
    pub(super) fn is_similar(&self) -> bool {
        let different = self.hunks.iter().map(|hunk| hunk.left.len() + hunk.right.len());
        let all: usize = self.sides.iter().map(|side| side.tokens.len()).sum();
        let is_known = self.tree.parser_of(self.sides[0].nodes[0]).is_strict();
        is_known && SIMILAR * different.sum::<usize>() <= all
    }

    /// The nodes of the left file that have counterparts.
    pub(super) fn common(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.sides[0].nodes.iter().copied();
        nodes.filter(|node| self.counterpart(*node).is_some())
    }

    /// The counterpart of a node of the left file.
    pub(super) fn counterpart(&self, node: NodeId) -> Option<NodeId> {
        self.counterparts.get(&node).copied()
    }

    /// The nodes of both files that have no counterparts.
    pub(super) fn different(&self) -> impl Iterator<Item = NodeId> {
        let mut common: Vec<NodeId> =
            self.counterparts.iter().flat_map(|(left, right)| [*left, *right]).collect();
        common.sort_unstable();
        let nodes = self.sides.iter().flat_map(|side| &side.nodes).copied();
        nodes.filter(move |node| common.binary_search(node).is_err())
    }
}

impl Side {
    fn new(tree: &Tree, content: NodeId) -> Self {
        let all = std::iter::once(content).chain(tree.descendants(content));
        let nodes: Vec<NodeId> = all.filter(|node| !tree.range(*node).is_empty()).collect();
        let tokens = nodes.iter().copied().filter(|node| tree.is_leaf(*node)).collect();
        Side { nodes, tokens }
    }

    fn texts<'t>(&self, tree: &'t Tree) -> Vec<&'t [u8]> {
        self.tokens.iter().map(|token| tree.text_of(*token)).collect()
    }

    /// The nodes of this file, each with the numbers of its tokens.
    fn places(&self, tree: &Tree) -> impl Iterator<Item = (NodeId, Range<usize>)> {
        let tokens_before =
            |at: usize| self.tokens.partition_point(|token| tree.range(*token).start < at);
        self.nodes.iter().map(move |node| {
            let Range { start, end } = tree.range(*node);
            (*node, tokens_before(start)..tokens_before(end))
        })
    }
}

/// The places of the right list that each place of the left one meets, those without sliding first.
fn meeting<T: PartialEq>(left: &[T], right: &[T], hunks: &[Hunk]) -> Vec<Vec<usize>> {
    let mut meeting: Vec<Vec<usize>> = vec![Vec::new(); left.len() + 1];
    let mut meet = |left: usize, right: usize| {
        if !meeting[left].contains(&right) {
            meeting[left].push(right);
        }
    };
    // The runs that both have in common, around and between the hunks.
    let starts = hunks.iter().map(|hunk| (hunk.left.end, hunk.right.end));
    let ends = hunks.iter().map(|hunk| (hunk.left.start, hunk.right.start));
    let starts = std::iter::once((0, 0)).chain(starts);
    let ends = ends.chain([(left.len(), right.len())]);
    let runs: Vec<(Range<usize>, usize)> =
        starts.zip(ends).map(|((left, right), (end, _))| (left..end, right)).collect();
    for (run, right) in &runs {
        (run.start..=run.end).for_each(|at| meet(at, right + at - run.start));
    }
    for (hunk, around) in hunks.iter().zip(runs.windows(2)) {
        let [before, behind] = [&around[0], &around[1]].map(|(run, _)| run.len());
        let Hunk { left: these, right: those } = hunk;
        let (back, forth) = match (these.is_empty(), those.is_empty()) {
            (true, _) => slides(right, those, before, behind),
            (_, true) => slides(left, these, before, behind),
            _ => (0, 0),
        };
        // Both ends of the new side meet the same place of the other side.
        (1..=back).for_each(|by| meet(these.end - by, those.end - by));
        (1..=forth).for_each(|by| meet(these.start + by, those.start + by));
    }
    meeting
}

/// How far a part of a list can be moved back and forth without changing the rest, within limits.
fn slides<T: PartialEq>(
    list: &[T],
    part: &Range<usize>,
    before: usize,
    behind: usize,
) -> (usize, usize) {
    let (start, end) = (part.start, part.end);
    let back = (1..=before).take_while(|by| list[start - by] == list[end - by]).count();
    let forth = (0..behind).take_while(|by| list[start + by] == list[end + by]).count();
    (back, forth)
}

fn counterparts(
    tree: &Tree,
    [left, right]: &[Side; 2],
    meeting: &[Vec<usize>],
) -> HashMap<NodeId, NodeId> {
    let mut theirs: HashMap<(Range<usize>, Kind), NodeId> = HashMap::new();
    for (node, place) in right.places(tree) {
        // Of several nodes with the same tokens, the highest one counts.
        theirs.entry((place, tree.kind(node))).or_insert(node);
    }
    let counterpart = |(node, place): (NodeId, Range<usize>)| {
        let ends = |start: usize| meeting[place.end].iter().map(move |end| start..*end);
        let mut places = meeting[place.start].iter().flat_map(|start| ends(*start));
        let there = places.find_map(|there| theirs.get(&(there, tree.kind(node))));
        Some((node, *there?))
    };
    left.places(tree).filter_map(counterpart).collect()
}
