//! Proposals by their numbers: each is made when it is asked for the first time, and kept.

use std::cell::{Ref, RefCell};
use std::iter::Fuse;

use crate::tree::Change;

use super::{Proposal, Proposals};

/// The proposals of a pass for a tree, as the search asks for them.
pub(crate) struct Numbered<'t> {
    made: RefCell<Vec<Proposal>>,
    rest: RefCell<Fuse<Proposals<'t>>>,
}

impl<'t> Numbered<'t> {
    pub(crate) fn new(proposals: Proposals<'t>) -> Self {
        Numbered { made: RefCell::default(), rest: RefCell::new(proposals.fuse()) }
    }

    /// A proposal, if there are that many.
    pub(crate) fn get(&self, number: usize) -> Option<Ref<'_, Proposal>> {
        let missing = (number + 1).saturating_sub(self.made.borrow().len());
        self.made.borrow_mut().extend(self.rest.borrow_mut().by_ref().take(missing));
        Ref::filter_map(self.made.borrow(), |made| made.get(number)).ok()
    }

    /// The place of a proposal: of several for the same place, only one is accepted.
    pub(crate) fn place(&self, number: usize) -> Option<u32> {
        let place = |change: &Change| match change {
            Change::Cut(node, _) | Change::Replace(node, _) | Change::Keep { place: node, .. } => {
                node.0
            }
            Change::Layout(range) => range.start as u32,
        };
        Some(self.get(number)?.first().map_or(0, place))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::tree::NodeId;

    #[test]
    fn a_proposal_is_made_when_it_is_asked_for_and_only_once() {
        let made = Cell::new(0);
        let cuts = (0..10).map(|node| vec![Change::cut(NodeId(node))]);
        let numbered = Numbered::new(Box::new(cuts.inspect(|_| made.set(made.get() + 1))));
        assert_eq!((numbered.place(2), made.get()), (Some(2), 3));
        assert_eq!((numbered.place(0), made.get()), (Some(0), 3));
        assert_eq!((numbered.place(10), made.get()), (None, 10));
    }
}
