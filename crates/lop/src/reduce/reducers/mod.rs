//! Reducers of trees: hierarchical delta debugging, hoisting, Perses, Pardis, and their variants.
//!
//! G. Misherghi and Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006; Á. Kiss, R. Hodován and T. Gyimóthy, "HDDr:
//! A Recursive Variant of the Hierarchical Delta Debugging Algorithm", A-TEST 2018; R. Hodován, Á. Kiss and T.
//! Gyimóthy, "Coarse Hierarchical Delta Debugging", ICSME 2017; D. Vince, R. Hodován, D. Bársony and Á. Kiss,
//! "Extending Hierarchical Delta Debugging with Hoisting", 2021, and "The Effect of Hoisting on Variants of
//! Hierarchical Delta Debugging", 2022, whose figures are cited here; C. Sun et al., "Perses: Syntax-Guided Program
//! Reduction", ICSE 2018; G. Gharachorlu and N. Sumner, "Pardis: Priority Aware Test Case Reduction", FASE 2019; S.
//! Herfert, J. Patra and M. Pradel, "Automatically Reducing Tree-Structured Test Inputs", ASE 2017, whose GTR is in
//! `gtr.rs` and `templates.rs`. The files of the list algorithms name their papers.
//!
//! All of them walk down a tree and take the same steps for one group of nodes after the other. So each is made of parts: a
//! view of the tree, a [`Traversal`] (level by level, the children of one node after the other, or the largest
//! first), and [`Step`]s, each with an [`Action`] (prune, hoist, apply a template) and a [`Filter`] of nodes. `hierarchy.rs` is the
//! loop of all of them.
//!
//! Guarantee: repeated to the fixed point, `hdd` and `hddr` give 1-tree-minimal results, that is, no single node can be
//! pruned; `hoist` and `hoistr` give results in which no single node can be hoisted; `hddh` and `hddhr` both; `gtr`
//! gives 1-transformation-minimal results. The coarse variants, Perses and Pardis promise this for the nodes that they
//! visit: in the results of Perses and Pardis no element of a list and no optional node can be removed. Cost: that of
//! the list algorithm, or of tmin, for each level or each node; of `pardis`, one test for each nullable node in each
//! run.
//!
//! Departures of all: a text is parsed again for each run, since a smaller one may have another tree; if a list needs
//! an element, the least one stays. In HDD and hoisting: the elements of such a list count as nodes that can be
//! removed; ddmin does not get nodes that pruning would not change; if a single node remains, its removal is tried, too
//! (see `prune.rs`). In Perses and Pardis: the tree is not that of a rewritten grammar (see the view's
//! `normal_form.rs`); Perses replaces the children of a node when it visits that node, not each child separately.
//! `perses-n` visits the same nodes as `pardis-unpruned`, including the lists themselves, since Section 4.2 says that
//! the two differ only in the order.
//!
//! `priority.rs` compares the papers' measurements of Perses and Pardis with ours.

mod gtr;
mod guess;
mod heap;
mod hierarchy;
mod hoist;
mod nullability;
mod priority;
mod prune;
mod shape;
mod swaths;
mod templates;
mod tmin;
mod traversal;
mod uses;

pub use hoist::{COMPATIBLE, Compatible, KIND, LABEL, MODEL, Reach, chi};
pub use nullability::Filter;
pub use priority::{GALLOP, HYBRID, PARDIS, PERSES, PERSES_N, Priority, Together};
pub use prune::{List, Minimise, Nothing};
pub use shape::Shape;
pub use templates::{
    CHILD, CHILD_FILTERED, DELETE, DELETE_FILTERED, HOISTING, PHI, TEMPLATES, Template,
    Transformation,
};
pub use tmin::tmin;
pub use traversal::Traversal;

use crate::reduce::algorithms::Manner;
use crate::tree::Views;

/// A named reducer.
pub struct Reducer {
    /// Its word in a strategy.
    pub name: &'static str,
    /// A line of help, with the source.
    pub about: &'static str,
    /// The views of the tree that are on.
    pub views: Views,
    /// Which nodes are visited together.
    pub traversal: Traversal,
    /// The steps for each group of nodes.
    pub steps: &'static [Step],
}

/// An action and the nodes that it applies to.
pub struct Step {
    /// Which of the visited nodes it applies to.
    pub filter: Filter,
    /// How they are reduced.
    pub action: Action,
}

/// A way to reduce some nodes.
#[non_exhaustive]
pub enum Action {
    /// Removes unneeded nodes, or replaces them by the least text that their places allow.
    Prune(Minimise),
    /// Replaces nodes by their descendants.
    Hoist(Reach, &'static Compatible),
    /// Transforms nodes by a template.
    Apply(&'static Template),
}

use Action::{Apply, Hoist, Prune};
use Filter::{All, Elements, Empty, HighestNullable, Nullable};
use Traversal::{By, Levels, Recursive};

const PAPERS: Views = Views::PAPERS;
const NORMAL: Views = Views::NORMAL_FORM;
const WIDE: Views = Views::WIDE_NORMAL_FORM;
const ABSTRACT: Views = Views::ABSTRACT;

const HDD: Minimise = Minimise { nothing: Nothing::Last, list: List::Ddmin(Manner::PICIRE) };
const DD: Minimise = Minimise { nothing: Nothing::First, list: List::Ddmin(Manner::PARDIS) };
/// Also for one node at a time, which takes one test.
const OPDD: Minimise = Minimise { nothing: Nothing::First, list: List::Opdd };
/// Only all of the nodes together: the walk continues with parts of them.
const WHOLE: Minimise = Minimise { nothing: Nothing::First, list: List::Whole };

const PRUNE: Step = Step { filter: All, action: Prune(HDD) };
/// HDD with another algorithm instead of ddmin.
const fn prune_by(list: List) -> Step {
    Step { filter: All, action: Prune(Minimise { nothing: Nothing::Last, list }) }
}
/// Perses with another algorithm instead of ddmin.
const fn elements_by(list: List) -> Step {
    Step { filter: Elements, action: Prune(Minimise { nothing: Nothing::First, list }) }
}
const HOIST: Step = Step { filter: All, action: Hoist(Reach::Nearest, &LABEL) };
const COARSE_PRUNE: Step = Step { filter: Nullable, action: Prune(HDD) };
const COARSE_HOIST: Step = Step { filter: Empty, action: Hoist(Reach::Nearest, &LABEL) };
/// Also into places that can be empty, which are separate nodes in the papers.
const COARSE_HOIST_WIDE: Step = Step { filter: Nullable, action: Hoist(Reach::Nearest, &LABEL) };
/// Perses searches five levels down for replacements.
const REPLACE: Step = Step { filter: All, action: Hoist(Reach::Levels(5), &MODEL) };

const fn apply(template: &'static Template) -> Step {
    Step { filter: All, action: Apply(template) }
}

/// All reducers.
#[rustfmt::skip]
pub const REDUCERS: &[Reducer] = &[
    Reducer { name: "hdd", views: PAPERS, traversal: Levels, steps: &[PRUNE],
        about: "HDD: ddmin over each level of the tree (Misherghi and Su 2006)" },
    Reducer { name: "hdd-wddmin", views: PAPERS, traversal: Levels, steps: &[prune_by(List::Wddmin)],
        about: "HDD with ddmin over parts of equal weight (Zhou et al. 2025)" },
    Reducer { name: "hdd-probdd", views: PAPERS, traversal: Levels, steps: &[prune_by(List::Probdd)],
        about: "HDD with probabilistic delta debugging (Wang et al. 2021)" },
    Reducer { name: "hdd-wprobdd", views: PAPERS, traversal: Levels, steps: &[prune_by(List::Wprobdd)],
        about: "HDD with weighted probabilistic delta debugging (Zhou et al. 2025)" },
    Reducer { name: "hdd-cdd", views: PAPERS, traversal: Levels, steps: &[prune_by(List::Cdd)],
        about: "HDD with counter-based delta debugging (Zhang et al. 2025)" },
    Reducer { name: "hddr", views: PAPERS, traversal: Recursive, steps: &[PRUNE],
        about: "HDDʳ: ddmin over the children of each node (Kiss et al. 2018)" },
    Reducer { name: "coarse-hdd", views: PAPERS, traversal: Levels, steps: &[COARSE_PRUNE],
        about: "Coarse HDD: only nodes that can be removed (Hodován et al. 2017)" },
    Reducer { name: "coarse-hddr", views: PAPERS, traversal: Recursive, steps: &[COARSE_PRUNE],
        about: "Coarse HDDʳ: Coarse HDD node by node (Vince et al. 2022)" },
    Reducer { name: "hoist", views: PAPERS, traversal: Levels, steps: &[HOIST],
        about: "HOIST: replaces nodes by descendants (Vince et al. 2021)" },
    Reducer { name: "hoistr", views: PAPERS, traversal: Recursive, steps: &[HOIST],
        about: "HOISTʳ: hoisting among the children of each node (Vince et al. 2022)" },
    Reducer { name: "coarse-hoist", views: PAPERS, traversal: Levels, steps: &[COARSE_HOIST],
        about: "Coarse HOIST: only nodes of rules that allow the empty text (Vince et al. 2022)" },
    Reducer { name: "coarse-hoistr", views: PAPERS, traversal: Recursive, steps: &[COARSE_HOIST],
        about: "Coarse HOISTʳ: Coarse HOIST node by node (Vince et al. 2022)" },
    Reducer { name: "coarse-hoist-wide", views: PAPERS, traversal: Levels,
        steps: &[COARSE_HOIST_WIDE],
        about: "Coarse HOIST, into all places that can be empty (after Vince et al. 2022)" },
    Reducer { name: "coarse-hoistr-wide", views: PAPERS, traversal: Recursive,
        steps: &[COARSE_HOIST_WIDE],
        about: "Coarse HOISTʳ, likewise (after Vince et al. 2022)" },
    Reducer { name: "hddh", views: PAPERS, traversal: Levels, steps: &[PRUNE, HOIST],
        about: "HDDH: HDD and HOIST, interlaced (Vince et al. 2021)" },
    Reducer { name: "hddhr", views: PAPERS, traversal: Recursive, steps: &[PRUNE, HOIST],
        about: "HDDHʳ: HDDʳ and HOISTʳ, interlaced (Vince et al. 2022)" },
    Reducer { name: "coarse-hddh", views: PAPERS, traversal: Levels,
        steps: &[COARSE_PRUNE, COARSE_HOIST],
        about: "Coarse HDDH: Coarse HDD and Coarse HOIST, interlaced (Vince et al. 2022)" },
    Reducer { name: "coarse-hddhr", views: PAPERS, traversal: Recursive,
        steps: &[COARSE_PRUNE, COARSE_HOIST],
        about: "Coarse HDDHʳ: Coarse HDDʳ and Coarse HOISTʳ, interlaced (Vince et al. 2022)" },
    Reducer { name: "coarse-hddh-wide", views: PAPERS, traversal: Levels,
        steps: &[COARSE_PRUNE, COARSE_HOIST_WIDE],
        about: "Coarse HDDH, hoisting into all places that can be empty (after Vince et al. 2022)" },
    Reducer { name: "coarse-hddhr-wide", views: PAPERS, traversal: Recursive,
        steps: &[COARSE_PRUNE, COARSE_HOIST_WIDE],
        about: "Coarse HDDHʳ, likewise (after Vince et al. 2022)" },
    Reducer { name: "perses", views: NORMAL, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(DD) }],
        about: "Perses DD: ddmin over lists, the largest first (Sun et al. 2018)" },
    Reducer { name: "perses-opdd", views: NORMAL, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(OPDD) }],
        about: "Perses OPDD: Perses with one pass over lists (Gharachorlu and Sumner 2019)" },
    Reducer { name: "perses-wddmin", views: NORMAL, traversal: By(&PERSES), steps: &[elements_by(List::Wddmin)],
        about: "Perses with ddmin over parts of equal weight (Zhou et al. 2025)" },
    Reducer { name: "perses-probdd", views: NORMAL, traversal: By(&PERSES), steps: &[elements_by(List::Probdd)],
        about: "Perses with probabilistic delta debugging (Wang et al. 2021)" },
    Reducer { name: "perses-wprobdd", views: NORMAL, traversal: By(&PERSES), steps: &[elements_by(List::Wprobdd)],
        about: "Perses with weighted probabilistic delta debugging (Zhou et al. 2025)" },
    Reducer { name: "perses-cdd", views: NORMAL, traversal: By(&PERSES), steps: &[elements_by(List::Cdd)],
        about: "Perses with counter-based delta debugging (Zhang et al. 2025)" },
    Reducer { name: "perses-n", views: NORMAL, traversal: By(&PERSES_N),
        steps: &[Step { filter: Nullable, action: Prune(OPDD) }],
        about: "Perses N: Perses with one node at a time (Gharachorlu and Sumner 2019)" },
    Reducer { name: "perses-replace", views: NORMAL, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(DD) }, REPLACE],
        about: "Perses DD, and replaces nodes by descendants (Sun et al. 2018)" },
    Reducer { name: "pardis", views: NORMAL, traversal: By(&PARDIS),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis: removable nodes, the largest first (Gharachorlu and Sumner 2019)" },
    Reducer { name: "pardis-unpruned", views: NORMAL, traversal: By(&PARDIS),
        steps: &[Step { filter: Nullable, action: Prune(OPDD) }],
        about: "Pardis without nullability pruning (Gharachorlu and Sumner 2019)" },
    Reducer { name: "pardis-hybrid", views: NORMAL, traversal: By(&HYBRID),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis Hybrid: one pass over siblings of equal weight (Gharachorlu and Sumner 2019)" },
    Reducer { name: "perses-wide", views: WIDE, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(DD) }],
        about: "Perses DD, which also removes `if (…)` and the like from around their last part (after Sun et al. 2018)" },
    Reducer { name: "perses-opdd-wide", views: WIDE, traversal: By(&PERSES),
        steps: &[Step { filter: Elements, action: Prune(OPDD) }],
        about: "Perses OPDD, likewise (after Gharachorlu and Sumner 2019)" },
    Reducer { name: "pardis-wide", views: WIDE, traversal: By(&PARDIS),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis, likewise (after Gharachorlu and Sumner 2019)" },
    Reducer { name: "pardis-hybrid-wide", views: WIDE, traversal: By(&HYBRID),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis Hybrid, likewise (after Gharachorlu and Sumner 2019)" },
    Reducer { name: "hdd-blind", views: ABSTRACT, traversal: Levels,
        steps: &[Step { filter: All, action: Prune(gtr::DD) }],
        about: "HDD without a grammar: deletes any node (Misherghi and Su 2006)" },
    Reducer { name: "gtr", views: ABSTRACT, traversal: Levels,
        steps: &[apply(&DELETE_FILTERED), apply(&CHILD_FILTERED)],
        about: "GTR: deletes nodes or replaces them by a child, as --model allows (Herfert et al. 2017)" },
    Reducer { name: "gtr-unfiltered", views: ABSTRACT, traversal: Levels,
        steps: &[apply(&DELETE), apply(&CHILD)],
        about: "GTR whatever --model allows (Herfert et al. 2017)" },
    Reducer { name: "gallop", views: WIDE, traversal: By(&GALLOP),
        steps: &[Step { filter: HighestNullable, action: Prune(OPDD) }],
        about: "Pardis Hybrid, ever more nodes at once while all succeed (after Gharachorlu and Sumner 2019)" },
    Reducer { name: "scythe", views: WIDE, traversal: Traversal::Swaths,
        steps: &[Step { filter: HighestNullable, action: Prune(WHOLE) }],
        about: "large nodes alone, small neighbours together, in swaths of ever fewer tokens (after Sun et al. 2018, Gharachorlu and Sumner 2019)" },
];

impl Reducer {
    /// The meaning of *compatible* that it hoists with by default; `None` if it does not hoist.
    pub fn compatible(&self) -> Option<&'static Compatible> {
        self.steps.iter().find_map(|step| match step.action {
            Hoist(_, compatible) => Some(compatible),
            Prune(_) | Apply(_) => None,
        })
    }
}
