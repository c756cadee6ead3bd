//! Writes the tokens of a tree with other white space between them.

use std::collections::HashMap;

use crate::tree::layout::would_glue;
use crate::tree::{NodeId, Tree};

use super::Style;
use super::gaps::{Gap, Space, Token, gap, is_blank, tokens};

/// Lines that are broken because they are long stay so.
const WIDTH: usize = 100;

/// Parts of the labels that grammars give to nodes which usually begin on a new line.
const LINES: &[&str] = &["statement", "declaration", "definition", "item", "directive", "method"];

/// How much of the layout is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// Nothing, not even a blank between a bracket and a star, which form a comment in a few languages.
    Tight,
    /// Nothing else.
    Free,
    /// The lines.
    Lines,
    /// The lines, and how deep they are indented relative to each other.
    Indentation,
}

/// All of them, from the one that changes most.
pub(super) const CARES: &[Care] = &[Care::Tight, Care::Free, Care::Lines, Care::Indentation];

/// The text of a tree in another style.
pub(super) fn write(tree: &Tree, style: &Style, care: Care) -> Vec<u8> {
    let tokens: Vec<Token> = tokens(tree, |kind| style.habits.is_layout(tree, kind)).collect();
    let Some(first) = tokens.first() else { return tree.text().to_vec() };
    let text = tree.text();
    let column = |token: &Token| style.habits.column(tree, token.range.start);
    let mut writer = Writer {
        tree,
        style,
        care,
        tokens: &tokens,
        line_end: if text.windows(2).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" },
        least: tokens.iter().map(column).min().unwrap_or(0),
        indents: Vec::with_capacity(tokens.len()),
        opened: HashMap::new(),
        line: 0,
        out: Vec::with_capacity(text.len()),
    };
    writer.indents.push(0);
    writer.out.extend(&text[first.range.clone()]);
    for index in 1..tokens.len() {
        writer.token(index);
    }
    if style.ends_line && !writer.out.ends_with(b"\n") {
        writer.out.extend(writer.line_end);
    }
    writer.out
}

struct Writer<'a> {
    tree: &'a Tree,
    style: &'a Style,
    care: Care,
    tokens: &'a [Token],
    line_end: &'static [u8],
    /// The least indentation of a line.
    least: usize,
    /// The indentation of the line of each token that was written.
    indents: Vec<usize>,
    /// The white space after the bracket with which a node begins, and the line of the bracket.
    opened: HashMap<NodeId, (Space, usize)>,
    /// The start of the last line of the output.
    line: usize,
    out: Vec<u8>,
}

impl Writer<'_> {
    /// Writes a token with the white space before it.
    fn token(&mut self, index: usize) {
        let (before, after) = (&self.tokens[index - 1], &self.tokens[index]);
        let gap = gap(self.tree, before, after);
        let text = self.tree.text();
        let white = &text[gap.range.clone()];
        let mut indent = self.indents[index - 1];
        if self.is_fixed(before, after, white) {
            self.out.extend(white);
            if let Some(end) = white.iter().rposition(|byte| *byte == b'\n') {
                self.line = self.out.len() - (white.len() - end - 1);
                indent = white.len() - end - 1;
            }
        } else {
            let space = self.space(index, &gap, white);
            let is_first = self.tree.range(gap.left).start == self.tree.range(gap.parent).start;
            if is_first && is_bracket(self.tree.text_of(gap.left)) {
                self.opened.insert(gap.parent, (space, self.line));
            }
            match space {
                Space::Nothing => {}
                Space::Blank => self.out.push(b' '),
                Space::Line => {
                    indent = self.indent(&gap, after);
                    let lines = white.iter().filter(|byte| **byte == b'\n').count();
                    // No blank line is needed at the beginning or the end of a block.
                    let begins = indent > self.indents[index - 1];
                    let apart = lines > 1 && !begins && !is_end(self.tree, &gap);
                    for _ in 0..1 + usize::from(apart) {
                        self.out.extend(self.line_end);
                    }
                    self.line = self.out.len();
                    self.out.extend(self.style.habits.indentation(indent));
                }
            }
        }
        self.indents.push(indent);
        self.out.extend(&text[after.range.clone()]);
        let token = &text[after.range.clone()];
        if let Some(end) = token.iter().rposition(|byte| *byte == b'\n') {
            self.line = self.out.len() - (token.len() - end - 1);
        }
    }

    /// Whether white space stays unchanged: next to a token of several lines, such as a here-document, it may be a part
    /// of it.
    fn is_fixed(&self, before: &Token, after: &Token, white: &[u8]) -> bool {
        let is_long = |token: &Token| {
            !self.tree.is_extra(token.leaf)
                && self.tree.text()[token.range.clone()].contains(&b'\n')
        };
        let is_known = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\\';
        is_long(before) || is_long(after) || !white.iter().all(is_known)
    }

    /// The new state of a gap.
    fn space(&self, index: usize, gap: &Gap, white: &[u8]) -> Space {
        let tree = self.tree;
        let (before, after) = (&self.tokens[index - 1], &self.tokens[index]);
        let now = Space::of(white);
        let keeps_lines = !matches!(self.care, Care::Tight | Care::Free)
            // A comment may need the end of its line, and erroneous text is read by lines.
            || gap.is_beside_comment(tree)
            || [gap.parent, gap.left, gap.right].iter().any(|node| tree.is_error(*node));
        if now == Space::Line && (keeps_lines || self.is_long(index)) {
            return Space::Line;
        }
        let usual = self.style.habits.space(tree, gap, now);
        let wish = usual.unwrap_or_else(|| usual_anywhere(tree, gap, now));
        // A closing bracket is on a separate line if the content of its opening one begins on a new line, and not if
        // that is on one line.
        let opened = self.opened.get(&gap.parent).filter(|_| is_end(tree, gap));
        let wish = match (wish, opened) {
            (Space::Line, _) if keeps_lines => now,
            (Space::Line, Some((opened, line))) if *line == self.line => *opened,
            (_, Some((Space::Line, _))) if !keeps_lines => Space::Line,
            (wish, _) => wish,
        };
        let [left, right] = [before, after].map(|token| tree.text_of(token.leaf));
        let is_comment = matches!((left, right), (b"(", [b'*', ..]) | ([.., b'*'], b")"));
        let is_apart = now != Space::Nothing
            && would_glue(left, right, tree.parser().joins())
            && !(is_comment && self.care == Care::Tight);
        if wish == Space::Nothing && is_apart { Space::Blank } else { wish }
    }

    /// Whether the line would be too long if the one after this gap was joined to it.
    fn is_long(&self, index: usize) -> bool {
        let start = self.tokens[index].range.start;
        let rest = &self.tree.text()[start..];
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.out.len() - self.line + 1 + end > WIDTH
    }

    /// The indentation of a line that begins after a gap.
    fn indent(&self, gap: &Gap, after: &Token) -> usize {
        let habits = &self.style.habits;
        if self.care == Care::Indentation {
            return habits.column(self.tree, after.range.start) - self.least;
        }
        let first = self.tokens.partition_point(|token| token.leaf < gap.parent);
        let base = self.indents.get(first).copied().unwrap_or(0) as isize;
        let depth = habits.depth(self.tree, gap);
        let depth = depth.unwrap_or_else(|| usual_depth(self.tree, gap) * habits.unit());
        (base + depth).max(0) as usize
    }
}

fn is_bracket(text: &[u8]) -> bool {
    matches!(text, b"(" | b"[" | b"{")
}

/// The state of a gap in most languages.
fn usual_anywhere(tree: &Tree, gap: &Gap, now: Space) -> Space {
    let [left, right] = [gap.left, gap.right].map(|node| tree.text_of(node));
    if has_lines(tree, gap) {
        return Space::Line;
    }
    let is_sign = |node: NodeId| tree.is_leaf(node) && !tree.is_named(node);
    let opens = is_sign(gap.left) && matches!(left, b"(" | b"[");
    let closes = is_sign(gap.right) && matches!(right, b")" | b"]" | b"," | b";");
    let is_empty = left == b"{" && right == b"}";
    match now {
        Space::Nothing => Space::Nothing,
        now if left == b"{" && !is_empty => now,
        _ if opens || closes || is_empty => Space::Nothing,
        _ => Space::Blank,
    }
}

/// Whether a gap is next to a statement, or something similar, in the text itself or in a block.
fn has_lines(tree: &Tree, gap: &Gap) -> bool {
    let is_line = |node: NodeId| {
        let is_called = LINES.iter().any(|called| tree.name(node).contains(called));
        is_called && tree.is_named(node) && !tree.text_of(node).starts_with(b"{")
    };
    let is_block = |node: NodeId| {
        let mut children = tree.children(node).filter(|child| !is_blank(tree.text_of(*child)));
        node == tree.root() || children.next().is_some_and(|child| tree.text_of(child) == b"{")
    };
    // The statements of a block may be in a list node.
    let is_list =
        !is_line(gap.parent) && tree.children(gap.parent).all(|child| tree.is_named(child));
    let block = tree.parent(gap.parent).filter(|_| is_list);
    (is_line(gap.left) || is_line(gap.right) || is_line_list(tree, gap, is_line))
        && (is_block(gap.parent) || block.is_some_and(is_block))
}

/// Whether a gap is next to a list of statements.
fn is_line_list(tree: &Tree, gap: &Gap, is_line: impl Fn(NodeId) -> bool) -> bool {
    let is_list = |node: NodeId| {
        let mut children = tree.children(node).peekable();
        children.peek().is_some() && children.all(&is_line)
    };
    is_list(gap.left) || is_list(gap.right)
}

/// Whether a gap is immediately before the token that ends a node.
fn is_end(tree: &Tree, gap: &Gap) -> bool {
    tree.range(gap.right).end == tree.range(gap.parent).end && !tree.is_named(gap.right)
}

/// How many steps a line is indented deeper than its parent in most languages.
fn usual_depth(tree: &Tree, gap: &Gap) -> isize {
    let mut children = tree.children(gap.parent);
    let begins_with_sign = children.next().is_some_and(|child| !tree.is_named(child));
    let is_list = !begins_with_sign && children.all(|child| tree.is_named(child));
    let is_flat = gap.parent == tree.root() || tree.is_error(gap.parent);
    isize::from(!is_flat && !is_end(tree, gap) && !is_list)
}
