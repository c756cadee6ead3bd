//! Rewrite rules: those of the language, and those of the user (see [`crate::rules`]).

use crate::reduce::rules::Rules;
use crate::tree::Tree;

use super::Proposal;

pub(super) fn propose<'t>(tree: &'t Tree, rules: &'t Rules) -> impl Iterator<Item = Proposal> + 't {
    let shipped = tree.parsers().flat_map(|parser| Rules::shipped(&**parser));
    rules.proposals(tree).chain(shipped.flat_map(|rules| rules.proposals(tree)))
}
