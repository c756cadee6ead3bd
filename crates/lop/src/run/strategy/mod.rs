//! Strategies are values, written as in the papers.
//!
//! `hoistr*+hddhr*` is called Hoistʳ* + HDDHʳ* in the papers; see `notation.rs` for the whole notation.
//!
//! Every phase parses the best text anew: a smaller text may have another tree.

mod default;
mod guard;
mod notation;
mod race;
mod walk;

pub use default::{DEFAULTS, Defaults, Effort, default_for};
use default::{default_and_again, is_pair, with_pairs};
pub use guard::{GUARDS, Guard};
pub use notation::{InvalidStrategy, phase_name};

use std::sync::Arc;

use crate::judge::Proposal;
use crate::reduce::algorithms::{Algorithm, Elements};
use crate::reduce::passes::{Numbered, Pass, sweep};
use crate::reduce::reducers::{Compatible, Reducer, Shape};
use crate::reduce::units::Unit;
use crate::run::engine::Engine;
use crate::search::{Answer, Search, Subset};
use crate::text::Text;
use crate::tree::{Change, Format, Tree, View};

/// Which reductions run, and in what order.
#[derive(Clone)]
#[non_exhaustive]
pub enum Strategy {
    /// One algorithm over one unit.
    List(&'static Algorithm, &'static Unit),
    /// One reducer over the tree, with its meaning of *compatible* if it hoists.
    Tree(&'static Reducer, &'static Compatible),
    /// One pass over the tree.
    Pass(&'static Pass),
    /// Decides whether candidates that do not parse are tested from now on.
    Guard(&'static Guard),
    /// The default strategy for the input.
    Default(Effort),
    /// The default strategy without some phases, by their names.
    DefaultWithout(Effort, Vec<String>),
    /// One after the other.
    Then(Vec<Strategy>),
    /// Repeats a strategy until it finds nothing.
    Star(Box<Strategy>),
    /// Always the most productive one, until none of them finds anything.
    Race(Vec<Strategy>),
    /// A strategy, and again from interesting texts of the same size.
    Walk(Box<Strategy>),
}

impl Strategy {
    /// Reduces the engine's best.
    pub(crate) fn run(&self, engine: &mut Engine) {
        match self {
            Strategy::List(algorithm, unit) => {
                engine.phase(&self.to_string(), |engine| reduce_list(algorithm, unit, engine));
            }
            Strategy::Tree(reducer, compatible) => {
                engine.phase(&self.to_string(), |engine| reduce_tree(reducer, compatible, engine));
            }
            Strategy::Pass(pass) => {
                engine.phase(&self.to_string(), |engine| reduce_by_pass(pass, engine));
            }
            Strategy::Guard(guard) => {
                engine.phase(guard.name, |engine| (guard.set)(engine));
            }
            Strategy::Default(effort) => self.run_default(*effort, &[], engine),
            Strategy::DefaultWithout(effort, names) => self.run_default(*effort, names, engine),
            Strategy::Then(steps) => steps.iter().for_each(|step| step.run(engine)),
            Strategy::Race(steps) => race::race(steps, engine),
            Strategy::Walk(step) => walk::walk(step, engine),
            Strategy::Star(step) => loop {
                let before = engine.best().clone();
                step.run(engine);
                if *engine.best() == before || engine.is_over() || engine.is_out_of_budget() {
                    break;
                }
            },
        }
    }

    /// Runs the default strategy for the engine's best without some phases.
    fn run_default(&self, effort: Effort, without: &[String], engine: &mut Engine) {
        let [left, again] = defaults(effort, without, engine.best(), engine.format());
        if let Some(left) = left {
            engine.expect_instead(&self.to_string(), left.steps());
            // Refused changes are left out while anything else is found; refused removals are asked for again at the
            // end.
            loop {
                engine.leave_out_refused(true);
                left.run(engine);
                engine.leave_out_refused(false);
                let before = engine.best_key();
                again.iter().for_each(|again| again.run(engine));
                if engine.best_key() == before || engine.is_over() || engine.is_out_of_budget() {
                    break;
                }
            }
        }
    }

    /// Whether it has a phase; for the default strategy, whether that of this text and format has.
    pub fn has(&self, phase: &str, text: &Text, format: &Format) -> bool {
        let meant = match self {
            Strategy::Default(effort) => defaults(*effort, &[], text, format)[0].take(),
            Strategy::DefaultWithout(effort, names) => {
                defaults(*effort, names, text, format)[0].take()
            }
            written => Some(written.clone()),
        };
        meant.is_some_and(|meant| meant.phases().iter().any(|name| name == phase))
    }

    /// The names of its phases that try something.
    pub(crate) fn steps(&self) -> Vec<String> {
        let is_guard = |phase: &String| GUARDS.iter().any(|guard| guard.name == phase);
        self.phases().into_iter().filter(|phase| !is_guard(phase)).collect()
    }

    /// The names of its phases, each once, in the order in which they are written.
    pub fn phases(&self) -> Vec<String> {
        let mut names = Vec::new();
        let mut open = vec![self];
        while let Some(strategy) = open.pop() {
            match strategy {
                Strategy::Then(steps) | Strategy::Race(steps) => open.extend(steps.iter().rev()),
                Strategy::Star(step) => open.push(step),
                Strategy::Walk(step) => {
                    names.push(walk::NAME.to_owned());
                    open.push(step);
                }
                phase if !names.contains(&phase.to_string()) => names.push(phase.to_string()),
                _ => {}
            }
        }
        names
    }

    /// This strategy without a phase; `None` if it has no other. The name of an algorithm or reducer includes all its
    /// units and meanings of *compatible*.
    pub fn without(&self, phase: &str) -> Option<Strategy> {
        let left = |steps: &[Strategy]| -> Option<Vec<Strategy>> {
            let left: Vec<_> = steps.iter().filter_map(|step| step.without(phase)).collect();
            (!left.is_empty()).then_some(left)
        };
        match self {
            Strategy::Then(steps) => left(steps).map(|mut left| match left.len() {
                1 => left.remove(0),
                _ => Strategy::Then(left),
            }),
            Strategy::Race(steps) => left(steps).map(Strategy::Race),
            Strategy::Star(step) => Some(Strategy::Star(Box::new(step.without(phase)?))),
            Strategy::Walk(step) => match (step.without(phase)?, phase == walk::NAME) {
                (step, true) => Some(step),
                (step, false) => Some(Strategy::Walk(Box::new(step))),
            },
            // Its phases depend on the input.
            Strategy::Default(effort) => {
                Some(Strategy::DefaultWithout(*effort, vec![phase.to_owned()]))
            }
            Strategy::DefaultWithout(effort, names) => {
                let names = names.iter().cloned().chain([phase.to_owned()]).collect();
                Some(Strategy::DefaultWithout(*effort, names))
            }
            other => {
                let name = other.to_string();
                let is_meant = name == phase || name.split(':').next() == Some(phase);
                (!is_meant).then(|| other.clone())
            }
        }
    }

    /// Whether any phase uses the tree.
    pub fn uses_trees(&self) -> bool {
        match self {
            // The default uses trees only if the input has one.
            Strategy::List(..) | Strategy::Default(_) | Strategy::DefaultWithout(..) => false,
            Strategy::Tree(..) | Strategy::Pass(_) | Strategy::Guard(_) => true,
            Strategy::Then(steps) | Strategy::Race(steps) => steps.iter().any(Strategy::uses_trees),
            Strategy::Star(step) => step.uses_trees(),
            Strategy::Walk(_) => true,
        }
    }
}

/// The default strategy for a text without some phases, and the phases that it repeats with refused changes at its end.
fn defaults(
    effort: Effort,
    without: &[String],
    text: &Text,
    format: &Format,
) -> [Option<Strategy>; 2] {
    let mut both = default_and_again(text, format, effort);
    if is_pair(text, format) {
        both = both.map(with_pairs);
    }
    both.map(|it| without.iter().try_fold(it, |left, name| left.without(name)))
}

fn reduce_list(algorithm: &Algorithm, unit: &Unit, engine: &mut Engine) {
    for level in 0.. {
        if engine.is_over() || engine.is_out_of_budget() {
            break;
        }
        let text = engine.best().clone();
        let Some(atoms) = engine.atoms(unit, level) else { break };
        let weight = |atom: usize| atoms.weight(&text, atom);
        let elements = Elements::new(atoms.len()).weighing(&weight).seeded(engine.seed());
        let is_guarded = engine.guarded() == Some(true);
        let tree = is_guarded.then(|| Arc::new(Tree::parse(&text, engine.format())));
        let build = |kept: &Subset| Proposal::unsure(atoms.keep(&text, kept));
        let search = engine.over(build);
        let mut search = match &tree {
            Some(tree) => search.guarded_by(tree),
            None => search,
        };
        // The algorithms keep at least one atom, so the empty subset is tried first.
        if search.first(&mut std::iter::once(Subset::default())) == Answer::Nothing {
            (algorithm.run)(&elements, &mut search);
        }
    }
}

fn reduce_tree(reducer: &Reducer, compatible: &Compatible, engine: &mut Engine) {
    let tree = Arc::new(Tree::parse(engine.best(), engine.format()));
    let view = View::new(&tree, reducer.views);
    let (is_guarded, is_valid) = (engine.guarded() == Some(true), engine.is_valid());
    let build = |shape: &Shape| {
        let changes = shape.changes(&view);
        let is_sure = !is_guarded || !is_valid && changes.iter().all(|change| tree.is_sure(change));
        Proposal { candidate: tree.candidate(&changes), is_sure }
    };
    reducer.run(&view, compatible, &mut engine.over(build).guarded_by(&tree));
}

fn reduce_by_pass(pass: &Pass, engine: &mut Engine) {
    let tree = Arc::new(Tree::parse(engine.best(), engine.format()));
    let lore = engine.lore(&tree);
    let proposals = Numbered::new((pass.propose)(&tree, &lore));
    let is_sure = engine.guarded() == Some(false);
    let build = |accepted: &Vec<usize>| {
        let accepted = accepted.iter().filter_map(|number| proposals.get(*number));
        let changes: Vec<Change> = accepted.flat_map(|proposal| proposal.clone()).collect();
        Proposal { candidate: tree.candidate(&changes), is_sure }
    };
    let mut search = engine.over(build).rewriting().guarded_by(&tree);
    sweep(&|number| proposals.place(number), pass.together, &mut search);
}
