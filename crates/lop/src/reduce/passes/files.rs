//! Removes whole files, alone or with the parts of other files that mention them.
//!
//! A file is mentioned where its name occurs as a word, with or without its extension: in `#include "x.h"`, `mod x;`,
//! `from x import y`, `require('./x')`, or in a list of sources. Each mention is removed with the smallest removable
//! node around it, or with the largest one, such as the import; where there is no grammar, with its word or its line. A
//! name may also mean something else, so several sets of mentions are tried: those of the name with its extension, all
//! of them, and the first one in each file, which is likely to be the import.

use std::ops::Range;

use memchr::memmem;

use crate::text::lexer;
use crate::tree::{Change, FileNode, NodeId, Tree};

use super::{Proposal, cut, cut_around};

/// The number of nodes from a string down to its content, at most.
const STRING: usize = 3;

/// Many files are removed by halves and quarters first.
const MANY: usize = 8;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let mut files: Vec<FileNode<'_>> = tree.files().collect();
    let mut proposals = Vec::new();
    if files.len() >= MANY {
        for size in [files.len().div_ceil(2), files.len().div_ceil(4)] {
            let part =
                |part: &[FileNode<'_>]| vec![Change::Cut(part[0].node, part[part.len() - 1].node)];
            proposals.extend(files.chunks(size).map(part));
        }
    }
    files.sort_by_key(|file| (std::cmp::Reverse(tree.range(file.node).len()), file.node));
    proposals.extend(files.iter().map(|file| vec![Change::cut(file.node)]));
    let leaves: Vec<NodeId> = tree.ids().filter(|node| tree.is_leaf(*node)).collect();
    let mentioned = files.into_iter().flat_map(move |file| with_mentions(tree, &leaves, &file));
    proposals.into_iter().chain(mentioned)
}

/// Removes a file together with its mentions.
fn with_mentions(tree: &Tree, leaves: &[NodeId], file: &FileNode<'_>) -> Vec<Proposal> {
    let own = tree.range(file.node);
    let mentions = |name: &[u8]| -> Vec<NodeId> {
        let places = occurrences(tree.text(), name).filter(|at| !own.contains(at));
        let mut found: Vec<NodeId> = places.filter_map(|at| leaf_at(tree, leaves, at)).collect();
        found.dedup();
        found
    };
    let (named, all) = (mentions(file.name), mentions(file.stem));
    let mut first = all.clone();
    first.dedup_by_key(|leaf| file_of(tree, *leaf));
    let mut proposals: Vec<Proposal> = Vec::new();
    let sets = [
        (&named, Extent::Narrow),
        (&all, Extent::Narrow),
        (&first, Extent::Wide),
        (&all, Extent::Wide),
    ];
    for (mentions, extent) in sets {
        let cuts = mentions.iter().filter_map(|leaf| cut_mention(tree, *leaf, extent));
        let cuts: Vec<Change> = cuts.flatten().collect();
        let proposal = [vec![Change::cut(file.node)], cuts].concat();
        if proposal.len() > 1 && !proposals.contains(&proposal) {
            proposals.push(proposal);
        }
    }
    proposals
}

/// The places where a name occurs as a word.
fn occurrences(text: &[u8], name: &[u8]) -> impl Iterator<Item = usize> {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| lexer::is_word(*byte));
    let is_apart = move |at: &usize| {
        let before = at.checked_sub(1).map(|before| &text[before]);
        !is_word(before) && !is_word(text.get(at + name.len()))
    };
    let found = (!name.is_empty()).then(|| memmem::find_iter(text, name).collect::<Vec<_>>());
    found.into_iter().flatten().filter(is_apart)
}

/// The leaf at a place, if it is in a file.
fn leaf_at(tree: &Tree, leaves: &[NodeId], at: usize) -> Option<NodeId> {
    let index = leaves.partition_point(|leaf| tree.range(*leaf).start <= at).checked_sub(1)?;
    let leaf = leaves[index];
    (tree.range(leaf).contains(&at) && !tree.parser_of(leaf).is_frame()).then_some(leaf)
}

/// The file that a node is in.
fn file_of(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let mut above = std::iter::successors(Some(node), |node| tree.parent(*node));
    above.find(|node| tree.parser_of(*node).is_frame())
}

/// The extent of the removal around a mention.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// The smallest removable node around it; without a grammar, the word, or the line that begins with it.
    Narrow,
    /// The largest removable node of its file around it; without a grammar, the line.
    Wide,
}

fn cut_mention(tree: &Tree, leaf: NodeId, extent: Extent) -> Option<Vec<Change>> {
    let mut above = std::iter::successors(tree.parent(leaf), |node| tree.parent(*node));
    let is_line = |node: &NodeId| tree.name(*node) == "line";
    let line = above.find(is_line).filter(|_| !tree.parser_of(leaf).is_strict());
    let Some(line) = line else { return cut_node(tree, leaf, extent) };
    let change = word_around(tree, leaf);
    let begins =
        matches!(change, Change::Cut(first, _) if tree.children(line).next() == Some(first));
    let is_whole = begins || extent == Extent::Wide;
    Some(vec![if is_whole { Change::cut(with_block(tree, line)) } else { change }])
}

fn cut_node(tree: &Tree, leaf: NodeId, extent: Extent) -> Option<Vec<Change>> {
    let in_file = |node: &NodeId| !tree.parser_of(*node).is_frame();
    let above = std::iter::successors(Some(leaf), |node| tree.parent(*node)).take_while(in_file);
    let found = match extent {
        Extent::Wide => {
            let removable = above.filter_map(|node| Some((node, cut(tree, node)?)));
            removable.last()
        }
        Extent::Narrow => {
            // A string that mentions a file is removed with its quotes.
            let is_quote = |byte: &u8| b"\"'`<".contains(byte);
            let is_string = |node: &NodeId| tree.text_of(*node).first().is_some_and(is_quote);
            let whole = above.take(STRING).filter(is_string).last();
            cut_around(tree, whole.unwrap_or(leaf))
        }
    };
    found.filter(|(node, _)| in_file(node)).map(|(_, cut)| cut)
}

/// A line with the lines that are indented below it.
fn with_block(tree: &Tree, line: NodeId) -> NodeId {
    let block = tree.parent(line).filter(|block| tree.name(*block) == "block");
    block.filter(|block| tree.children(*block).next() == Some(line)).unwrap_or(line)
}

/// Removes a token with all that it touches: `list.o` is one word.
fn word_around(tree: &Tree, leaf: NodeId) -> Change {
    let siblings: Vec<NodeId> =
        tree.parent(leaf).map_or(vec![leaf], |parent| tree.children(parent).collect());
    let at = siblings.iter().position(|node| *node == leaf).unwrap_or(0);
    let touches = |left: usize| {
        let [left, right] = [left, left + 1].map(|index| tree.range(siblings[index]));
        left.end == right.start
    };
    let Range { start, end } = {
        let start = (0..at).rev().take_while(|left| touches(*left)).last().unwrap_or(at);
        let end = (at..siblings.len() - 1).take_while(|left| touches(*left)).last();
        start..end.map_or(at, |left| left + 1)
    };
    Change::Cut(siblings[start], siblings[end])
}
