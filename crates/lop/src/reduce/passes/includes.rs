//! Removes what brings other files in, such as `#include` and `import`.
//!
//! All reducers of trees try these, too, but late, since they are small. What they bring in is not: without the headers of its
//! library, a program of C++ is compiled in a tenth of the time, and so is every further candidate.

use crate::tree::{NodeId, Tree};

use super::Proposal;
use super::cuts::Cuts;
use super::statements::has;

/// Parts of the labels of what brings a file in.
const LABELS: &[&str] = &["include", "import"];

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let is_include = |node: NodeId| tree.is_named(node) && has(tree.name(node), LABELS);
    let is_outermost = move |node: &NodeId| !tree.parent(*node).is_some_and(is_include);
    let mut cuts = Cuts::new(tree);
    let includes = tree.ids().filter(move |node| is_include(*node)).filter(is_outermost);
    includes.filter_map(move |node| cuts.of(node))
}
