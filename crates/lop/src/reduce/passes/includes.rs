//! Removes statements that include other files, such as `#include` and `import`.
//!
//! All reducers of trees also try these, but late, since they are small. The included files aren't small: twelve
//! headers of C++ alone take g++ 0.9 s, a small program without any 0.03 s, and every further candidate is compiled.

use crate::tree::{NodeId, Tree};

use super::Proposal;
use super::cuts::Cuts;
use super::statements::has;

/// Parts of the labels of such statements.
const LABELS: &[&str] = &["include", "import"];

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let is_include = |node: NodeId| tree.is_named(node) && has(tree.name(node), LABELS);
    let is_outermost = move |node: &NodeId| !tree.parent(*node).is_some_and(is_include);
    let mut cuts = Cuts::new(tree);
    let includes = tree.ids().filter(move |node| is_include(*node)).filter(is_outermost);
    includes.filter_map(move |node| cuts.of(node))
}
