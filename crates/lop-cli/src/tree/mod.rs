//! `lop tree`: the tree of a file, as an outline, as JSON or for Graphviz.

mod dot;
mod hoists;
mod json;
mod outline;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::sync::Arc;

use lop::tree::{NodeId, Tree, View, ViewId, Views};

use hoists::Hoists;

use crate::args::{TreeArgs, ViewArg};
use crate::exit::{Code, Failure};
use crate::reading::cure;
use crate::{format, input};

/// The most nodes that the outline shows for hoisting to a place.
const HOISTS_SHOWN: usize = 3;

/// The most that JSON lists: with all of them, the output for a deep tree would be quadratic.
const HOISTS_LISTED: usize = 64;

/// Shows the tree of a file.
pub(crate) fn show(args: &TreeArgs) -> Result<Code, Failure> {
    let (text, _) = input::read(&args.file, "check the path")?;
    if text.len() > Tree::LONGEST {
        return Err(format::too_long(&args.file).help("the limit is 4 GiB"));
    }
    let format = format::choose(&args.format, &args.file, &text)?;
    if let Some(reason) = format.obstacle(&text) {
        let name = args.file.display();
        eprintln!("lop: note: {name} {reason}; it is reduced as bytes");
    }
    // A run reduces the copy with compressed parts stored uncompressed.
    let text = format.unpack(&text).map_or(text, Arc::new);
    let tree = Tree::parse(&text, &format);
    let view = View::new(&tree, views(&args.view));
    let picture = Picture { tree: &tree, view: &view, depth: args.depth.unwrap_or(usize::MAX) };
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match (args.json, args.dot) {
        (true, _) => json::write(&picture, format.name(), &mut out),
        (_, true) => dot::write(&picture, &mut out),
        _ => outline::write(&picture, &mut out),
    };
    match written.and_then(|()| out.flush()) {
        // The reader of the pipe may have closed it early.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::new(
            Code::Output,
            format!("cannot write the tree to standard output: {error}"),
        )
        .help(cure(&error))),
        _ => Ok(Code::Done),
    }
}

fn views(args: &[ViewArg]) -> Views {
    let has = |view: ViewArg| args.contains(&view);
    let (papers, wide) = (has(ViewArg::Papers), has(ViewArg::WideNormalForm));
    let normal = wide || has(ViewArg::NormalForm);
    Views {
        group: has(ViewArg::Group) || papers || normal || has(ViewArg::Abstract),
        squeeze: has(ViewArg::Squeeze) || papers,
        flatten: has(ViewArg::Flatten) || papers || normal,
        quantify: has(ViewArg::Quantify) || normal,
        wide,
        hide_unremovable: has(ViewArg::HideUnremovable),
        hidden_tokens: has(ViewArg::HiddenTokens),
        abstract_syntax: has(ViewArg::Abstract),
    }
}

/// The part of a tree to show.
struct Picture<'a> {
    tree: &'a Tree,
    view: &'a View<'a>,
    depth: usize,
}

/// The size of a tree.
struct Extent {
    /// The number of edges from the root to the deepest node.
    height: usize,
    /// The nodes with children, and those without.
    rules: usize,
    tokens: usize,
}

impl Picture<'_> {
    /// The extent of the whole tree.
    fn extent(&self) -> Extent {
        let whole = Picture { depth: usize::MAX, ..*self };
        let mut extent = Extent { height: 0, rules: 0, tokens: 0 };
        for (node, depth) in whole.nodes() {
            extent.height = extent.height.max(depth);
            match self.view.children(node).next() {
                Some(_) => extent.rules += 1,
                None => extent.tokens += 1,
            }
        }
        extent
    }

    /// The nodes down to the maximum depth, in pre-order, each with its own depth.
    fn nodes(&self) -> impl Iterator<Item = (ViewId, usize)> {
        let mut depths: Vec<usize> = Vec::new();
        self.view.ids().filter_map(move |node| {
            let depth = self.view.parent(node).map_or(0, |parent| depths[parent.index()] + 1);
            depths.push(depth);
            (depth <= self.depth).then_some((node, depth))
        })
    }

    fn is_leaf(&self, node: ViewId) -> bool {
        self.view.children(node).next().is_none()
    }

    /// The nodes that can be hoisted to a node's place: the first `most`, and the number of all.
    fn hoistable(&self, hoists: &Hoists<'_>, node: ViewId, most: usize) -> (Vec<NodeId>, usize) {
        self.view.place(node).map_or_else(Default::default, |place| hoists.to(place, most))
    }

    /// A node's text in quotes on one line, cut off if it is long.
    fn text(&self, node: ViewId) -> String {
        let text = &self.tree.text()[self.view.range(node)];
        quoted(text)
    }

    /// The line and column where a node starts, counted from 1.
    fn position(&self, node: NodeId) -> (usize, usize) {
        let (line, column) = self.tree.position(self.tree.range(node).start);
        (line + 1, column + 1)
    }
}

/// A text in quotes on one line, cut off if it is long.
fn quoted(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    // A character has at most four bytes. Only the start is decoded, since a node's text may be a large file.
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * (LONGEST + 1))]);
    let mut short = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            // Backslashes in the text are not escaped.
            c if c.is_control() => short.extend(c.escape_default()),
            c => short.push(c),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    format!("“{short}”")
}
