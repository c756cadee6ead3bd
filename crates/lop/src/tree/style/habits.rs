//! The habits of a text: where lines end, how deep they are indented, and where blanks are, by the kinds of the nodes
//! around.

use std::collections::HashMap;

use crate::tree::layout::line_start;
use crate::tree::{Kind, NodeId, Tree};

use super::gaps::{Gap, Space, Token, gap, is_blank, tokens};

/// A text with more tokens than this per line was written by a program that saved lines.
const CROWDED: usize = 40;
/// The columns of a tab.
const TAB: usize = 8;
/// A state that was seen once in more gaps than this is rare.
const RARE: u32 = 10;
/// The indentation of a text that has none.
const UNIT: usize = 4;

/// The habits of a text.
pub(super) struct Habits {
    /// The labels that were seen, with their numbers.
    labels: HashMap<(String, bool), u32>,
    /// How often gaps were nothing, a blank or a line end: by parent, left and right sibling, token before and token after.
    spaces: HashMap<[u32; 5], [u32; 3]>,
    /// How much deeper a line is than the line on which its parent begins: by parent and first node of the line.
    depths: HashMap<[u32; 2], HashMap<isize, u32>>,
    /// The names of kinds whose leaves are mostly white space.
    layout: Vec<String>,
    /// One step of indentation, in columns.
    unit: usize,
    /// Whether indentation consists of tabs, each of which is one step.
    has_tabs: bool,
}

/// Any label with a name.
const NAMED: u32 = 0;
/// Any label.
const ANY: u32 = 1;
/// All labels that were not seen.
const UNSEEN: u32 = 2;

impl Habits {
    /// The habits that a text shows.
    pub(super) fn of(tree: &Tree) -> Habits {
        let lines = || tree.text().split(|byte| *byte == b'\n');
        let begins = |bytes: &'static [u8]| {
            lines().filter(|line| line.first().is_some_and(|byte| bytes.contains(byte))).count()
        };
        let mut habits = Habits {
            labels: HashMap::new(),
            spaces: HashMap::new(),
            depths: HashMap::new(),
            layout: layout_kinds(tree),
            unit: UNIT,
            has_tabs: begins(b"\t") > begins(b" "),
        };
        let tokens: Vec<Token> = tokens(tree, |kind| habits.is_layout(tree, kind)).collect();
        let count = lines().filter(|line| !is_blank(line)).count();
        if tokens.len() <= CROWDED * count {
            habits.learn(tree, &tokens);
        }
        habits
    }

    fn learn(&mut self, tree: &Tree, tokens: &[Token]) {
        let mut numbers: HashMap<Kind, u32> = HashMap::new();
        let mut steps: HashMap<usize, u32> = HashMap::new();
        for pair in tokens.windows(2) {
            let [before, after] = pair else { continue };
            let gap = gap(tree, before, after);
            // The place of a comment shows nothing about its neighbours.
            let is_beside_comment = gap.is_beside_comment(tree);
            let mut number = |node: NodeId| {
                let next = UNSEEN + 1 + self.labels.len() as u32;
                *numbers.entry(tree.kind(node)).or_insert_with(|| {
                    let label = (tree.name(node).to_owned(), tree.is_named(node));
                    *self.labels.entry(label).or_insert(next)
                })
            };
            let around = gap.around().map(&mut number);
            let [parent, _, right, ..] = around;
            let space = Space::of(&tree.text()[gap.range.clone()]);
            for key in keys(tree, &gap, around).filter(|_| !is_beside_comment) {
                self.spaces.entry(key).or_default()[space as usize] += 1;
            }
            if space == Space::Line {
                let first = tokens.partition_point(|token| token.leaf < gap.parent);
                let column = |token: &Token| self.column(tree, token.range.start) as isize;
                let depth = column(after) - column(&tokens[first]);
                if depth > 0 {
                    *steps.entry(depth as usize).or_default() += 1;
                }
                for right in [right, class(tree, gap.right, right)] {
                    let depths = self.depths.entry([parent, right]).or_default();
                    *depths.entry(depth).or_default() += 1;
                }
            }
        }
        if self.has_tabs {
            self.unit = 1;
        } else if let Some(usual) = usual(&steps) {
            self.unit = usual;
        }
    }

    /// The number of a node's label.
    fn number(&self, tree: &Tree, node: NodeId) -> u32 {
        let label = (tree.name(node).to_owned(), tree.is_named(node));
        self.labels.get(&label).copied().unwrap_or(UNSEEN)
    }

    /// The usual state of a gap, from the most similar ones that were seen: its present state, unless that was rarely
    /// seen.
    pub(super) fn space(&self, tree: &Tree, gap: &Gap, now: Space) -> Option<Space> {
        let around = gap.around().map(|node| self.number(tree, node));
        let counts = keys(tree, gap, around).find_map(|key| self.spaces.get(&key))?;
        if counts[now as usize] * RARE >= counts.iter().sum() {
            return Some(now);
        }
        let most = *counts.iter().max()?;
        let mut usual = [Space::Nothing, Space::Blank, Space::Line].into_iter().zip(counts);
        usual.find(|(_, count)| **count == most).map(|(space, _)| space)
    }

    /// How much deeper than its parent a line after this gap is usually indented.
    pub(super) fn depth(&self, tree: &Tree, gap: &Gap) -> Option<isize> {
        let [parent, right] = [gap.parent, gap.right].map(|node| self.number(tree, node));
        let keys = [[parent, right], [parent, class(tree, gap.right, right)]];
        usual(keys.iter().find_map(|key| self.depths.get(key))?)
    }

    /// Whether leaves of a kind are layout if they are white space.
    pub(super) fn is_layout(&self, tree: &Tree, kind: Kind) -> bool {
        let (dialect, label) = tree.dialect(kind);
        let name = dialect.grammar().label_name(label);
        self.layout.iter().any(|each| each == name)
    }

    /// One step of indentation.
    pub(super) fn unit(&self) -> isize {
        self.unit as isize
    }

    /// The indentation of the line of a place.
    pub(super) fn column(&self, tree: &Tree, at: usize) -> usize {
        let line = &tree.text()[line_start(tree.text(), at)..];
        let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        if self.has_tabs {
            return blanks.filter(|byte| **byte == b'\t').count();
        }
        blanks.fold(0, |column, byte| match byte {
            b'\t' => (column / TAB + 1) * TAB,
            _ => column + 1,
        })
    }

    /// The white space of an indentation.
    pub(super) fn indentation(&self, columns: usize) -> Vec<u8> {
        vec![if self.has_tabs { b'\t' } else { b' ' }; columns]
    }
}

/// The keys under which gaps like this one are counted, the most similar first.
fn keys(tree: &Tree, gap: &Gap, around: [u32; 5]) -> impl Iterator<Item = [u32; 5]> {
    let [parent, left, right, ..] = around;
    let (any_left, any_right) = (class(tree, gap.left, left), class(tree, gap.right, right));
    let mut keys = vec![
        around,
        [parent, left, right, ANY, ANY],
        [parent, any_left, right, ANY, ANY],
        [parent, left, any_right, ANY, ANY],
        [parent, any_left, any_right, ANY, ANY],
    ];
    // Gaps of different parents have nothing in common, unless they are next to the same sign or keyword.
    if any_left != NAMED || any_right != NAMED {
        keys.push([ANY, any_left, any_right, ANY, ANY]);
    }
    keys.dedup();
    keys.into_iter()
}

/// The number of the class of labels that are equally likely: all names are one class.
fn class(tree: &Tree, node: NodeId, number: u32) -> u32 {
    if tree.is_named(node) { NAMED } else { number }
}

/// The value that was seen most often; of several, the least.
fn usual<T: Copy + Ord>(counts: &HashMap<T, u32>) -> Option<T> {
    counts
        .iter()
        .max_by_key(|(what, count)| (**count, std::cmp::Reverse(**what)))
        .map(|(what, _)| *what)
}

/// The names of kinds whose leaves are mostly line ends and indentation, as text is between the elements of XML.
fn layout_kinds(tree: &Tree) -> Vec<String> {
    let mut counts: HashMap<Kind, (usize, usize)> = HashMap::new();
    for leaf in tree.ids().filter(|node| tree.is_leaf(*node) && !tree.range(*node).is_empty()) {
        let text = tree.text_of(leaf);
        let (blank, all) = counts.entry(tree.kind(leaf)).or_default();
        *blank += usize::from(is_blank(text) && text.contains(&b'\n'));
        *all += 1;
    }
    let layout = counts.into_iter().filter(|(_, (blank, all))| 2 * blank > *all);
    let name = |kind| {
        let (dialect, label) = tree.dialect(kind);
        dialect.grammar().label_name(label).to_owned()
    };
    layout.map(|(kind, _)| name(kind)).collect()
}
