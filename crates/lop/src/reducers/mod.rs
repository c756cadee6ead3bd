//! Reducers of trees: hierarchical delta debugging, hoisting, and what is made of the two.
//!
//! G. Misherghi and Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006; Á. Kiss, R. Hodován and T.
//! Gyimóthy, "HDDr: A Recursive Variant of the Hierarchical Delta Debugging Algorithm", A-TEST 2018; R.
//! Hodován, Á. Kiss and T. Gyimóthy, "Coarse Hierarchical Delta Debugging", ICSME 2017; D. Vince, R.
//! Hodován, D. Bársony and Á. Kiss, "Extending Hierarchical Delta Debugging with Hoisting", 2021, and "The
//! Effect of Hoisting on Variants of Hierarchical Delta Debugging", 2022, whose figures are the ones that
//! are named here.
//!
//! All of them walk down a tree and do the same to some nodes after others. So each is made of parts: a
//! [`Traversal`] (level by level, or the children of one node after the other), a [`Filter`] (all nodes,
//! or only those that can go altogether: the coarse variants), and [`Step`]s (prune, hoist, or both).
//! `hierarchy.rs` is Figures 2, 7 and 8 in one.
//!
//! Guarantee: repeated to the fixed point, `hdd` and `hddr` give 1-tree-minimal results, that is, no
//! single node can be pruned; `hoist` and `hoistr` give results in which no single node can be hoisted;
//! `hddh` and `hddhr` both. The coarse variants promise this for the nodes that they look at. Cost: that of
//! ddmin, or of tmin, for each level or each node.
//!
//! Departures: the elements of a list count as what can go altogether, also where one of them must stay (the
//! least of it then does); nodes for which pruning would change nothing are not given to ddmin; where a single node
//! is left, it is asked whether it can go, too (see `prune.rs`); a text is parsed again for each run, since
//! a smaller one may have another tree.

mod hierarchy;
mod hoist;
mod prune;
mod shape;
mod tmin;
mod traversal;

pub use hoist::{COMPATIBLE, Compatible, chi};
pub use shape::Shape;
pub use tmin::tmin;
pub use traversal::Traversal;

/// A named reducer.
pub struct Reducer {
    /// The word in a strategy.
    pub name: &'static str,
    /// One line for people, with the source.
    pub about: &'static str,
    /// Which nodes are visited together.
    pub traversal: Traversal,
    /// Which of them are looked at.
    pub filter: Filter,
    /// What is done to them.
    pub steps: &'static [Step],
}

/// Which nodes are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// All.
    All,
    /// Those whose minimal replacement is empty: `filterEmptyPhiNodes` in Figures 2 and 7.
    EmptyPhi,
}

/// What is done to some nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Those that are not needed go.
    Prune,
    /// Descendants take the places of nodes.
    Hoist,
}

use Filter::{All, EmptyPhi};
use Step::{Hoist, Prune};

const LEVELS: Traversal = Traversal::LEVELS;
const RECURSIVE: Traversal = Traversal::RECURSIVE;

/// All reducers.
#[rustfmt::skip]
pub const REDUCERS: &[Reducer] = &[
    Reducer { name: "hdd", traversal: LEVELS, filter: All, steps: &[Prune],
        about: "HDD: ddmin over each level of the tree (Misherghi and Su 2006)" },
    Reducer { name: "hddr", traversal: RECURSIVE, filter: All, steps: &[Prune],
        about: "HDDʳ: ddmin over the children of each node (Kiss et al. 2018)" },
    Reducer { name: "coarse-hdd", traversal: LEVELS, filter: EmptyPhi, steps: &[Prune],
        about: "Coarse HDD: only what can go altogether (Hodován et al. 2017)" },
    Reducer { name: "coarse-hddr", traversal: RECURSIVE, filter: EmptyPhi, steps: &[Prune],
        about: "Coarse HDDʳ: the same, node by node (Vince et al. 2022)" },
    Reducer { name: "hoist", traversal: LEVELS, filter: All, steps: &[Hoist],
        about: "HOIST: descendants in the places of nodes (Vince et al. 2021)" },
    Reducer { name: "hoistr", traversal: RECURSIVE, filter: All, steps: &[Hoist],
        about: "HOISTʳ: hoisting among the children of each node (Vince et al. 2022)" },
    Reducer { name: "coarse-hoist", traversal: LEVELS, filter: EmptyPhi, steps: &[Hoist],
        about: "Coarse HOIST: only into places that can be empty (Vince et al. 2022)" },
    Reducer { name: "coarse-hoistr", traversal: RECURSIVE, filter: EmptyPhi, steps: &[Hoist],
        about: "Coarse HOISTʳ: the same, node by node (Vince et al. 2022)" },
    Reducer { name: "hddh", traversal: LEVELS, filter: All, steps: &[Prune, Hoist],
        about: "HDDH: HDD and HOIST, interlaced (Vince et al. 2021)" },
    Reducer { name: "hddhr", traversal: RECURSIVE, filter: All, steps: &[Prune, Hoist],
        about: "HDDHʳ: HDDʳ and HOISTʳ, interlaced (Vince et al. 2022)" },
    Reducer { name: "coarse-hddh", traversal: LEVELS, filter: EmptyPhi, steps: &[Prune, Hoist],
        about: "Coarse HDDH: their coarse variants, interlaced (Vince et al. 2022)" },
    Reducer { name: "coarse-hddhr", traversal: RECURSIVE, filter: EmptyPhi, steps: &[Prune, Hoist],
        about: "Coarse HDDHʳ: their coarse recursive variants, interlaced (Vince et al. 2022)" },
];

impl Reducer {
    /// Whether it hoists, so that it matters what is compatible.
    pub fn hoists(&self) -> bool {
        self.steps.contains(&Hoist)
    }
}
