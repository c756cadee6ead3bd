//! Reducers of trees: hierarchical delta debugging, hoisting, Perses, Pardis, and what is made of them.
//!
//! G. Misherghi and Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006; Á. Kiss, R. Hodován and T.
//! Gyimóthy, "HDDr: A Recursive Variant of the Hierarchical Delta Debugging Algorithm", A-TEST 2018; R.
//! Hodován, Á. Kiss and T. Gyimóthy, "Coarse Hierarchical Delta Debugging", ICSME 2017; D. Vince, R.
//! Hodován, D. Bársony and Á. Kiss, "Extending Hierarchical Delta Debugging with Hoisting", 2021, and "The
//! Effect of Hoisting on Variants of Hierarchical Delta Debugging", 2022, whose figures are the ones that
//! are named here; C. Sun et al., "Perses: Syntax-Guided Program Reduction", ICSE 2018; G. Gharachorlu and N.
//! Sumner, "Pardis: Priority Aware Test Case Reduction", FASE 2019.
//!
//! All of them walk down a tree and do the same to some nodes after others. So each is made of parts: a
//! view of the tree, a [`Traversal`] (level by level, the children of one node after the other, or the largest
//! first), and [`Step`]s: what is done (prune, hoist), and to which nodes (a [`Filter`]). `hierarchy.rs` is the
//! loop of all of them.
//!
//! Guarantee: repeated to the fixed point, `hdd` and `hddr` give 1-tree-minimal results, that is, no
//! single node can be pruned; `hoist` and `hoistr` give results in which no single node can be hoisted;
//! `hddh` and `hddhr` both. The coarse variants, Perses and Pardis promise this for the nodes that they look at: in
//! the results of Perses and Pardis no element of a list and nothing optional can go. Cost: that of
//! ddmin, or of tmin, for each level or each node; of `pardis`, one test for each nullable node in each run.
//!
//! Departures of all: a text is parsed again for each run, since a smaller one may have another tree; the
//! least of a list stays where one of its elements must. In HDD and hoisting: the elements of such a list count
//! as what can go altogether; nodes for which pruning would change nothing are not given to ddmin; where a
//! single node is left, it is asked whether it can go, too (see `prune.rs`). In Perses and Pardis: the tree is
//! not that of a rewritten grammar (see the view's `normal_form.rs`); Perses replaces the children of a node when the
//! turn of that node comes, not each at its own. `perses-n` looks at the same nodes as `pardis-unpruned`, among them
//! the lists themselves, since Section 4.2 says that the two differ in the order only.
//!
//! What the papers measured and what comes out here is said in `priority.rs` for Perses and Pardis.

mod guess;
mod heap;
mod hierarchy;
mod hoist;
mod nullability;
mod priority;
mod prune;
mod shape;
mod tmin;
mod traversal;

pub use hoist::{COMPATIBLE, Compatible, LABEL, MODEL, Reach, chi};
pub use nullability::Filter;
pub use priority::{GALLOP, HYBRID, PARDIS, PERSES, PERSES_N, Priority, Together};
pub use prune::{List, Minimise, Nothing};
pub use shape::Shape;
pub use tmin::tmin;
pub use traversal::Traversal;

use crate::reduce::algorithms::Manner;
use crate::tree::Views;

/// A named reducer.
pub struct Reducer {
    /// The word in a strategy.
    pub name: &'static str,
    /// One line for people, with the source.
    pub about: &'static str,
    /// How it sees the tree.
    pub views: Views,
    /// Which nodes are visited together.
    pub traversal: Traversal,
    /// What is done to them.
    pub steps: &'static [Step],
}

/// What is done to which nodes.
pub struct Step {
    /// Which of those that are visited.
    pub filter: Filter,
    /// What is done to them.
    pub action: Action,
}

/// What is done to some nodes.
#[non_exhaustive]
pub enum Action {
    /// Those that are not needed go.
    Prune(Minimise),
    /// Descendants take the places of nodes.
    Hoist(Reach, &'static Compatible),
}

use Action::{Hoist, Prune};
use Filter::{All, Elements, HighestNullable, Nullable};
use Traversal::{By, Levels, Recursive};

const PAPERS: Views = Views::PAPERS;
const NORMAL: Views = Views::NORMAL_FORM;

const HDD: Minimise = Minimise { nothing: Nothing::Last, list: List::Ddmin(Manner::PICIRE) };
const DD: Minimise = Minimise { nothing: Nothing::First, list: List::Ddmin(Manner::PARDIS) };
/// Also for one node at a time, of which it asks one question.
const OPDD: Minimise = Minimise { nothing: Nothing::First, list: List::Opdd };

const PRUNE: Step = Step { filter: All, action: Prune(HDD) };
const HOIST: Step = Step { filter: All, action: Hoist(Reach::Nearest, &LABEL) };
const COARSE_PRUNE: Step = Step { filter: Nullable, action: Prune(HDD) };
const COARSE_HOIST: Step = Step { filter: Nullable, action: Hoist(Reach::Nearest, &LABEL) };
/// Perses looks for replacements five levels down.
const REPLACE: Step = Step { filter: All, action: Hoist(Reach::Levels(5), &MODEL) };

/// All reducers.
#[rustfmt::skip]
pub const REDUCERS: &[Reducer] = &[
    Reducer { name: "hdd", views: PAPERS, traversal: Levels, steps: &[PRUNE],
        about: "HDD: ddmin over each level of the tree (Misherghi and Su 2006)" },
    Reducer { name: "hddr", views: PAPERS, traversal: Recursive, steps: &[PRUNE],
        about: "HDDʳ: ddmin over the children of each node (Kiss et al. 2018)" },
    Reducer { name: "coarse-hdd", views: PAPERS, traversal: Levels, steps: &[COARSE_PRUNE],
        about: "Coarse HDD: only what can go altogether (Hodován et al. 2017)" },
    Reducer { name: "coarse-hddr", views: PAPERS, traversal: Recursive, steps: &[COARSE_PRUNE],
        about: "Coarse HDDʳ: the same, node by node (Vince et al. 2022)" },
    Reducer { name: "hoist", views: PAPERS, traversal: Levels, steps: &[HOIST],
        about: "HOIST: descendants in the places of nodes (Vince et al. 2021)" },
    Reducer { name: "hoistr", views: PAPERS, traversal: Recursive, steps: &[HOIST],
        about: "HOISTʳ: hoisting among the children of each node (Vince et al. 2022)" },
    Reducer { name: "coarse-hoist", views: PAPERS, traversal: Levels, steps: &[COARSE_HOIST],
        about: "Coarse HOIST: only into places that can be empty (Vince et al. 2022)" },
    Reducer { name: "coarse-hoistr", views: PAPERS, traversal: Recursive, steps: &[COARSE_HOIST],
        about: "Coarse HOISTʳ: the same, node by node (Vince et al. 2022)" },
    Reducer { name: "hddh", views: PAPERS, traversal: Levels, steps: &[PRUNE, HOIST],
        about: "HDDH: HDD and HOIST, interlaced (Vince et al. 2021)" },
    Reducer { name: "hddhr", views: PAPERS, traversal: Recursive, steps: &[PRUNE, HOIST],
        about: "HDDHʳ: HDDʳ and HOISTʳ, interlaced (Vince et al. 2022)" },
    Reducer { name: "coarse-hddh", views: PAPERS, traversal: Levels,
        steps: &[COARSE_PRUNE, COARSE_HOIST],
        about: "Coarse HDDH: their coarse variants, interlaced (Vince et al. 2022)" },
    Reducer { name: "coarse-hddhr", views: PAPERS, traversal: Recursive,
        steps: &[COARSE_PRUNE, COARSE_HOIST],
        about: "Coarse HDDHʳ: their coarse recursive variants, interlaced (Vince et al. 2022)" },
    Reducer { name: "perses", views: NORMAL, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(DD) }],
        about: "Perses DD: ddmin over lists, the largest first (Sun et al. 2018)" },
    Reducer { name: "perses-opdd", views: NORMAL, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(OPDD) }],
        about: "Perses OPDD: one pass over lists instead (Gharachorlu and Sumner 2019)" },
    Reducer { name: "perses-n", views: NORMAL, traversal: By(&PERSES_N),
        steps: &[Step { filter: Nullable, action: Prune(OPDD) }],
        about: "Perses N: one node at a time instead (Gharachorlu and Sumner 2019)" },
    Reducer { name: "perses-replace", views: NORMAL, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(DD) }, REPLACE],
        about: "Perses DD, and descendants in the places of nodes (Sun et al. 2018)" },
    Reducer { name: "pardis", views: NORMAL, traversal: By(&PARDIS),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis: what may go, the largest first (Gharachorlu and Sumner 2019)" },
    Reducer { name: "pardis-unpruned", views: NORMAL, traversal: By(&PARDIS),
        steps: &[Step { filter: Nullable, action: Prune(OPDD) }],
        about: "Pardis without nullability pruning (Gharachorlu and Sumner 2019)" },
    Reducer { name: "pardis-hybrid", views: NORMAL, traversal: By(&HYBRID),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis Hybrid: one pass over what is alike (Gharachorlu and Sumner 2019)" },
    Reducer { name: "gallop", views: NORMAL, traversal: By(&GALLOP),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis Hybrid, ever more at once while all goes (after Gharachorlu and Sumner 2019)" },
];

impl Reducer {
    /// What is compatible where it hoists, if it does and nothing else is said.
    pub fn compatible(&self) -> Option<&'static Compatible> {
        self.steps.iter().find_map(|step| match step.action {
            Hoist(_, compatible) => Some(compatible),
            Prune(_) => None,
        })
    }
}
