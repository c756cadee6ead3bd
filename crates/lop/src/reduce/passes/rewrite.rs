//! Rewrite rules: those of the language, and those of the user (see [`crate::rules`]).

use crate::reduce::rules::Rules;
use crate::tree::Tree;

use super::Proposal;

pub(super) fn propose(tree: &Tree, rules: &Rules) -> Vec<Proposal> {
    let mut proposals = rules.proposals(tree);
    let shipped = tree.parsers().filter_map(|parser| Rules::shipped(&**parser));
    proposals.extend(shipped.flat_map(|rules| rules.proposals(tree)));
    proposals
}
