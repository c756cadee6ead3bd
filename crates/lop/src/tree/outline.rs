//! A tree of brackets and lines over any sequence of items.
//!
//! This is the structure of a text without a grammar: brackets hold the items between them, a line holds the items that
//! begin on it, and a line that is followed by lines that are indented deeper holds those lines. Brackets take
//! precedence over lines. The caller chooses the items: tokens of a text, or the pieces that a parser did not
//! understand. Formats that are close to brackets, such as JSON, differ only in how they fold the items between two
//! brackets.

use crate::text::brackets::{Bracket, partners};

/// An item to be put into a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The lines on which it begins and ends.
    pub(super) rows: (usize, usize),
    /// The column in which it begins.
    pub(super) column: usize,
    pub(super) binding: Binding,
}

/// How an item binds to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    Plain,
    /// Binds to nothing, like a comma or a comment.
    Apart,
    /// Ties its neighbours together, like a colon.
    Tie,
    /// Ends the item before it, like a semicolon.
    End,
    Bracket(Bracket),
}

impl Binding {
    /// The binding of a token that may be a bracket.
    pub(super) fn of(token: &[u8]) -> Binding {
        match token {
            b"," => Binding::Apart,
            b":" => Binding::Tie,
            token => Bracket::of(token).map_or(Binding::Plain, Binding::Bracket),
        }
    }
}

/// The structure that several items form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cluster {
    /// Brackets with the items between them; the number is that of the opening bracket.
    Group(usize),
    /// The items that begin on one line.
    Line,
    /// A line and the lines below it that are indented deeper.
    Block,
    /// Two items and the tie between them.
    Pair,
    /// Items up to a semicolon or a block in braces.
    Statement,
    /// Records that belong together.
    Section,
}

/// One step of a walk over the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    Open(Cluster),
    Item(usize),
    Close,
}

/// Joins the pieces of one level into clusters.
pub(super) type Fold = fn(&mut Pieces, Vec<usize>) -> Vec<usize>;

/// Puts items into brackets and folds the pieces between them.
pub(super) fn outline(items: &[Item], fold: Fold) -> Vec<Visit> {
    outline_balanced(items, &balanced(items), fold)
}

/// Does what [`outline`] does, for callers that already know which brackets have a partner.
pub(super) fn outline_balanced(items: &[Item], balanced: &[bool], fold: Fold) -> Vec<Visit> {
    let mut pieces = Pieces { items, pieces: Vec::new() };
    // The pieces of the whole, and of each open pair of brackets.
    let mut levels: Vec<Vec<usize>> = vec![Vec::new()];
    for (index, item) in items.iter().enumerate() {
        let piece =
            pieces.add(Piece { cluster: None, first: index, last: index, inside: Vec::new() });
        match item.binding {
            Binding::Bracket(Bracket::Open(_)) if balanced[index] => levels.push(vec![piece]),
            Binding::Bracket(Bracket::Close(_)) if balanced[index] => {
                let level = levels.pop().unwrap_or_default();
                let open = pieces.pieces[level[0]].first;
                let mut inside = vec![level[0]];
                inside.extend(fold(&mut pieces, level[1..].to_vec()));
                inside.push(piece);
                let group = pieces.join(Cluster::Group(open), inside);
                levels.last_mut().expect("the whole is below all brackets").push(group);
            }
            _ => levels.last_mut().expect("the whole is below all brackets").push(piece),
        }
    }
    let whole = fold(&mut pieces, levels.pop().unwrap_or_default());
    pieces.visits(whole)
}

/// Folds nothing.
pub(super) fn flat(_: &mut Pieces, level: Vec<usize>) -> Vec<usize> {
    level
}

/// Folds lines, and blocks of lines that are indented deeper than the one above them.
pub(super) fn lines(pieces: &mut Pieces, level: Vec<usize>) -> Vec<usize> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    let mut row = None;
    for piece in level {
        match lines.last_mut() {
            Some(line) if row == Some(pieces.first(piece).rows.0) => line.push(piece),
            _ => lines.push(vec![piece]),
        }
        row = Some(pieces.last(piece).rows.1);
    }
    if lines.len() == 1 {
        return lines.remove(0);
    }
    // Blocks that may still get lines: their column and their pieces.
    let mut open: Vec<(usize, Vec<usize>)> = vec![(0, Vec::new())];
    for line in lines {
        let column = pieces.first(line[0]).column;
        while open.len() > 1 && open.last().is_some_and(|(at, _)| *at >= column) {
            close_block(pieces, &mut open);
        }
        let line = pieces.join(Cluster::Line, line);
        open.push((column, vec![line]));
    }
    while open.len() > 1 {
        close_block(pieces, &mut open);
    }
    open.remove(0).1
}

fn close_block(pieces: &mut Pieces, open: &mut Vec<(usize, Vec<usize>)>) {
    if let Some((_, inside)) = open.pop() {
        let block = pieces.join(Cluster::Block, inside);
        open.last_mut().expect("the level itself is below all blocks").1.push(block);
    }
}

/// Folds pairs: a plain piece, a tie, and a plain piece.
pub(super) fn pairs(pieces: &mut Pieces, level: Vec<usize>) -> Vec<usize> {
    let mut folded = Vec::new();
    let mut rest = &level[..];
    while let [first, others @ ..] = rest {
        match others {
            [tie, last, after @ ..]
                if [*first, *tie, *last].map(|piece| pieces.binding(piece))
                    == [Binding::Plain, Binding::Tie, Binding::Plain] =>
            {
                folded.push(pieces.join(Cluster::Pair, vec![*first, *tie, *last]));
                rest = after;
            }
            _ => {
                folded.push(*first);
                rest = others;
            }
        }
    }
    folded
}

/// Folds statements: each ends with a semicolon or with brackets in braces.
pub(super) fn statements(pieces: &mut Pieces, level: Vec<usize>) -> Vec<usize> {
    let mut folded = Vec::new();
    let mut statement = Vec::new();
    for piece in level {
        let binding = pieces.binding(piece);
        if statement.is_empty() && binding == Binding::Apart {
            folded.push(piece);
            continue;
        }
        statement.push(piece);
        if binding == Binding::End || pieces.is_in_braces(piece) {
            folded.push(pieces.join(Cluster::Statement, std::mem::take(&mut statement)));
        }
    }
    if !statement.is_empty() {
        folded.push(pieces.join(Cluster::Statement, statement));
    }
    folded
}

/// A part of the tree that is being built.
struct Piece {
    cluster: Option<Cluster>,
    /// Its first and last item.
    first: usize,
    last: usize,
    inside: Vec<usize>,
}

pub(super) struct Pieces<'a> {
    items: &'a [Item],
    pieces: Vec<Piece>,
}

impl<'a> Pieces<'a> {
    /// Items without any structure; the number of a piece is that of its item.
    pub(super) fn of(items: &'a [Item]) -> Self {
        let single = |item| Piece { cluster: None, first: item, last: item, inside: Vec::new() };
        Pieces { items, pieces: (0..items.len()).map(single).collect() }
    }

    /// Whether a piece is a pair of braces with its content.
    fn is_in_braces(&self, piece: usize) -> bool {
        matches!(self.pieces[piece].cluster, Some(Cluster::Group(open))
            if self.items[open].binding == Binding::of(b"{"))
    }

    fn first(&self, piece: usize) -> &Item {
        &self.items[self.pieces[piece].first]
    }

    fn last(&self, piece: usize) -> &Item {
        &self.items[self.pieces[piece].last]
    }

    /// How a piece binds to its neighbours.
    fn binding(&self, piece: usize) -> Binding {
        match self.pieces[piece].cluster {
            None => self.first(piece).binding,
            Some(_) => Binding::Plain,
        }
    }

    fn add(&mut self, piece: Piece) -> usize {
        self.pieces.push(piece);
        self.pieces.len() - 1
    }

    /// Joins several pieces into one; a single piece stays as it is.
    pub(super) fn join(&mut self, cluster: Cluster, inside: Vec<usize>) -> usize {
        match inside[..] {
            [single] => single,
            [first, .., last] => {
                let (first, last) = (self.pieces[first].first, self.pieces[last].last);
                self.add(Piece { cluster: Some(cluster), first, last, inside })
            }
            [] => unreachable!("a cluster has at least one piece"),
        }
    }

    pub(super) fn visits(&self, whole: Vec<usize>) -> Vec<Visit> {
        let mut visits = Vec::new();
        let mut pending: Vec<Option<usize>> = whole.into_iter().rev().map(Some).collect();
        while let Some(next) = pending.pop() {
            let Some(piece) = next.map(|next| &self.pieces[next]) else {
                visits.push(Visit::Close);
                continue;
            };
            match piece.cluster {
                None => visits.push(Visit::Item(piece.first)),
                Some(cluster) => {
                    visits.push(Visit::Open(cluster));
                    pending.push(None);
                    pending.extend(piece.inside.iter().rev().map(|inside| Some(*inside)));
                }
            }
        }
        visits
    }
}

/// Which items are brackets with a partner.
pub(super) fn balanced(items: &[Item]) -> Vec<bool> {
    let brackets = items.iter().enumerate().filter_map(|(index, item)| match item.binding {
        Binding::Bracket(bracket) => Some((index, bracket)),
        _ => None,
    });
    let mut balanced = vec![false; items.len()];
    for (open, close) in partners(brackets) {
        (balanced[open], balanced[close]) = (true, true);
    }
    balanced
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the tree of a text: brackets are `(…)`, lines `‹…›`, blocks `«…»`, pairs `<…>`.
    fn draw(text: &str, fold: Fold) -> String {
        let mut items = Vec::new();
        let mut words = Vec::new();
        for (row, line) in text.lines().enumerate() {
            for (column, word) in line.split(' ').scan(0, |at, word| {
                let start = *at;
                *at += word.len() + 1;
                Some((start, word))
            }) {
                if !word.is_empty() {
                    let binding = Binding::of(word.as_bytes());
                    items.push(Item { rows: (row, row), column, binding });
                    words.push(word);
                }
            }
        }
        let mut open = Vec::new();
        let mut drawn = String::new();
        for visit in outline(&items, fold) {
            match visit {
                Visit::Item(item) => drawn.push_str(words[item]),
                Visit::Open(cluster) => {
                    let (left, right) = match cluster {
                        Cluster::Group(_) => ("", ""),
                        Cluster::Line => ("‹", "›"),
                        Cluster::Block => ("«", "»"),
                        Cluster::Pair => ("<", ">"),
                        Cluster::Statement | Cluster::Section => ("{", "}"),
                    };
                    drawn.push_str(left);
                    open.push(right);
                }
                Visit::Close => drawn.push_str(open.pop().unwrap()),
            }
        }
        drawn
    }

    #[test]
    fn lines_hold_what_begins_on_them_and_blocks_what_is_indented_deeper() {
        assert_eq!(draw("a b\nc", lines), "‹ab›c");
        assert_eq!(draw("a\n  b\n  c d\ne", lines), "«ab‹cd›»e");
        assert_eq!(draw("a\n  b\n    c\ne", lines), "«a«bc»»e");
    }

    #[test]
    fn brackets_win_over_lines() {
        assert_eq!(draw("f ( a\n b c\n) d\ne", lines), "‹f(a‹bc›)d›e");
        assert_eq!(draw("( [ ) ]", lines), "([)]");
        assert_eq!(draw("( ( a )", lines), "((a)");
    }

    #[test]
    fn a_pair_is_what_a_tie_ties() {
        assert_eq!(draw("{ a : 1 , b : [ 2 , 3 ] }", pairs), "{<a:1>,<b:[2,3]>}");
        assert_eq!(draw("{ a : 1 2 , : , b }", pairs), "{<a:1>2,:,b}");
    }

    #[test]
    fn deep_nesting_takes_linear_time_and_no_stack() {
        let text = format!("{}{}", "( ".repeat(100_000), ") ".repeat(100_000));
        assert_eq!(draw(&text, lines).len(), 200_000);
        assert_eq!(draw(&"( ".repeat(100_000), lines).len(), 100_000);
    }
}
