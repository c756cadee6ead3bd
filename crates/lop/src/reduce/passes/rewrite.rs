//! Rewrite rules: those of the language, and those of the user (see [`crate::rules`]).

use crate::reduce::rules::Rules;
use crate::tree::Tree;

use super::Proposal;

pub(super) fn propose(tree: &Tree, rules: &Rules) -> Vec<Proposal> {
    let mut proposals = rules.proposals(tree);
    if let Some(shipped) = Rules::shipped(&**tree.parser()) {
        proposals.extend(shipped.proposals(tree));
    }
    proposals
}
