//! Passes propose, the engine disposes.
//!
//! The engine is what strategies see of a run: the [`Subject`] that is reduced, the [`Judge`] that answers their
//! questions, and the [`Session`] to which both report.

use std::collections::HashSet;
use std::sync::Arc;

use crate::judge::{Judge, ParserTerms, Proposal, Terms};
use crate::reduce::passes::Lore;
use crate::reduce::units::{Atoms, Unit};
use crate::search::{Answer, Search, Survey};
use crate::session::{Rounds, Session};
use crate::text::size::Size;
use crate::text::{Bundle, Candidate, Key, Measured, Text, Turn};
use crate::tree::{Format, Tree};

use super::scout::Scouts;
use super::subject::Subject;

/// Judges what passes propose and keeps the best.
pub(crate) struct Engine<'o, 'b> {
    session: Session<'o>,
    subject: Subject,
    judge: Box<dyn Judge + 'b>,
    /// Scouts that are told about a new best.
    scouts: Option<Scouts>,
    /// The best of an earlier run, which is on disk: only a smaller one replaces it there.
    reached: Option<Arc<Measured>>,
    /// The best from which a detour began.
    left: Option<Arc<Measured>>,
    /// The seed that breaks ties where an algorithm leaves a choice.
    seed: u64,
    /// The phases that were skipped, with the texts in which they were.
    skipped: HashSet<(String, Key)>,
}

impl<'o, 'b> Engine<'o, 'b> {
    pub(super) fn new(
        session: Session<'o>,
        subject: Subject,
        judge: Box<dyn Judge + 'b>,
        reached: Option<Arc<Measured>>,
        seed: u64,
    ) -> Self {
        Engine {
            session,
            subject,
            judge,
            scouts: None,
            reached,
            left: None,
            seed,
            skipped: HashSet::new(),
        }
    }

    /// Sends a scout ahead from every best.
    pub(super) fn scouted_by(self, scouts: Option<Scouts>) -> Self {
        let engine = Engine { scouts, ..self };
        engine.send_scout();
        engine
    }

    fn send_scout(&self) {
        if let Some(scouts) = &self.scouts {
            scouts.send_out(&self.subject, self.judge.best());
        }
    }

    /// Continues with another best.
    fn set_best(&mut self, best: Arc<Measured>) {
        self.judge.set_best(best);
        self.send_scout();
    }

    /// The smallest interesting text so far.
    pub(crate) fn best(&self) -> &Text {
        &self.judge.best().text
    }

    /// The size of the smallest interesting text so far.
    pub(crate) fn size(&self) -> Size {
        self.judge.best().size
    }

    /// The identity of the smallest interesting text so far: it changes with the text.
    pub(crate) fn best_key(&self) -> Key {
        self.judge.best_key()
    }

    /// The format in which the text is reduced.
    pub(crate) fn format(&self) -> &Format {
        &self.subject.format
    }

    /// The knowledge of passes, with what they learn from the text.
    pub(crate) fn lore(&mut self, tree: &Tree) -> Arc<Lore> {
        Arc::make_mut(&mut self.subject.lore).corpus.learn(tree);
        self.subject.lore.clone()
    }

    /// The seed that breaks ties where an algorithm leaves a choice.
    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Reduces the files of a turn from now on; together they are in this format.
    pub(super) fn take_turn(&mut self, bundle: &Bundle, turn: Turn, format: Format) {
        self.subject.take_turn(bundle, turn, format);
        self.send_scout();
    }

    /// The atoms of one level of the best.
    pub(crate) fn atoms(&self, unit: &Unit, level: usize) -> Option<Box<dyn Atoms>> {
        self.subject.atoms(unit, level, self.best())
    }

    /// A search for candidates in other terms than bytes: `build` turns them into proposals.
    pub(crate) fn over<K, B: Fn(&K) -> Proposal>(&mut self, build: B) -> Over<'_, 'o, 'b, B> {
        let terms = Terms { keep: self.subject.keep.clone(), ..Terms::default() };
        // The candidates ahead were judged on other terms.
        self.judge.forget_ahead();
        Over { engine: self, build, terms }
    }

    /// Whether candidates that do not parse are left out; `None` if that is undecided.
    pub(crate) fn guarded(&self) -> Option<bool> {
        if self.subject.valid { Some(true) } else { self.subject.guarded }
    }

    /// Whether no candidate may have more errors than the input.
    pub(crate) fn is_valid(&self) -> bool {
        self.subject.valid
    }

    /// Decides whether candidates that do not parse are left out.
    pub(crate) fn set_guarded(&mut self, guarded: Option<bool>) {
        self.subject.guarded = guarded;
    }

    /// Whether the oracle has accepted candidates that do not parse; `None` if it was not asked yet.
    pub(crate) fn takes_broken(&self) -> Option<bool> {
        self.subject.takes_broken
    }

    /// Notes whether the oracle accepts candidates that do not parse.
    pub(crate) fn set_takes_broken(&mut self, takes: Option<bool>) {
        self.subject.takes_broken = takes;
    }

    /// Sets whether refused changes are left out from now on, or asked for again until something is found.
    pub(crate) fn leave_out_refused(&mut self, leave_out: bool) {
        self.judge.leave_out_refused(leave_out);
    }

    /// Announces which phases will come instead of one of the expected ones.
    pub(crate) fn expect_instead(&mut self, name: &str, phases: Vec<String>) {
        self.session.expect_instead(name, phases);
    }

    /// Runs a phase, which has a name in the statistics. A skipped phase counts as having nothing to try until the text
    /// changes, so the race and the fixed point around it need not know.
    pub(crate) fn phase(&mut self, name: &str, body: impl FnOnce(&mut Self)) {
        if self.is_over() || self.skipped.contains(&(name.to_owned(), self.best_key())) {
            return;
        }
        let start = self.session.begin_phase(name, self.size());
        body(self);
        if self.session.end_phase(start, self.size()) {
            self.skipped.insert((name.to_owned(), self.best_key()));
        }
    }

    /// Runs something until a number of tests were in vain; returns `false` if they were. A nested budget also counts
    /// against the outer one.
    pub(crate) fn with_budget(&mut self, tests: u64, body: impl FnOnce(&mut Self)) -> bool {
        self.session.begin_budget(tests);
        body(self);
        let finished = !self.session.is_out_of_budget();
        self.session.end_budget();
        finished
    }

    /// Whether the phase has to make room for others: too many tests were in vain, or it is skipped.
    pub(crate) fn is_out_of_budget(&mut self) -> bool {
        self.session.is_out_of_budget()
    }

    /// Whether the run has to stop.
    pub(crate) fn is_over(&mut self) -> bool {
        self.session.is_over()
    }

    /// How many contents were asked about.
    pub(crate) fn questions(&self) -> u64 {
        self.session.questions()
    }

    /// The session, and the smallest text that was found in this or an earlier run.
    pub(super) fn finish(self) -> (Session<'o>, Arc<Measured>) {
        let best = self.judge.best().clone();
        let best = self.reached.into_iter().chain(self.left).fold(best, Arc::min);
        (self.session, best)
    }

    /// Continues from an interesting text, and returns to the best unless that leads to something shorter.
    pub(crate) fn detour(&mut self, from: Text, body: impl FnOnce(&mut Self)) {
        let best = self.judge.best().clone();
        let outer = self.left.replace(best.clone());
        self.set_best(Arc::new(best.nearly(from)));
        // The text itself may be shorter already.
        self.follow();
        body(self);
        self.left = outer;
        if !is_shorter(self.judge.best(), &best) {
            self.set_best(best);
        }
    }

    /// Follows the judge to a new best.
    fn follow(&mut self) {
        let best = self.judge.best();
        // On a detour, a text no shorter than the one that the detour left isn't the best of the run.
        if self.left.as_ref().is_some_and(|left| !is_shorter(best, left)) {
            return;
        }
        self.session.improved(best, None);
        if self.reached.as_ref().is_none_or(|reached| best < reached) {
            self.session.keep(&[&best.text]);
        }
    }
}

/// An engine with the strategy that it runs.
pub(super) struct Running<'o, 'b, R> {
    pub(super) engine: Engine<'o, 'b>,
    pub(super) run: R,
}

impl<'o, 'b, R: Fn(&mut Engine<'o, 'b>)> Rounds<'o> for Running<'o, 'b, R> {
    fn session(&mut self) -> &mut Session<'o> {
        &mut self.engine.session
    }

    fn round(&mut self) {
        let Running { engine, run } = self;
        run(engine);
    }

    fn go_on_from_reached(&mut self) -> bool {
        let engine = &mut self.engine;
        let reached = engine.reached.clone();
        // The result was laid out, so white space does not count.
        let better = reached.filter(|reached| is_shorter(reached, engine.judge.best()));
        let is_better = better.is_some();
        better.into_iter().for_each(|better| engine.set_best(better));
        is_better
    }

    fn best_key(&self) -> Key {
        self.engine.best_key()
    }

    fn set_longer_limit(&mut self, longer: bool) -> bool {
        self.engine.judge.set_longer_limit(longer)
    }
}

/// A search for candidates that can be turned into texts.
pub(crate) struct Over<'e, 'o, 'b, B> {
    engine: &'e mut Engine<'o, 'b>,
    build: B,
    terms: Terms,
}

impl<B> Over<'_, '_, '_, B> {
    /// Does not test candidates that are larger than the best: for passes that replace parts by other text.
    pub(crate) fn rewriting(mut self) -> Self {
        self.terms.must_shrink = true;
        self
    }

    /// Lets the parser decide whether candidates parse. Only candidates that are known to parse, or that the parser
    /// accepts, are tested.
    pub(crate) fn guarded_by(mut self, tree: &Arc<Tree>) -> Self {
        // A parser that isn't strict finds no errors where the format's own parser does.
        let is_own = tree.parser().is_strict() == self.engine.format().parser().is_strict();
        let (has_no_errors, tree) = (is_own && !tree.has_errors(), tree.clone());
        let parses = Arc::new(move |candidate: &Candidate| tree.still_parses(candidate));
        self.terms.parser = Some(ParserTerms { parses, has_no_errors, must_parse: true });
        self
    }
}

impl<K, B: Fn(&K) -> Proposal> Search<K> for Over<'_, '_, '_, B> {
    fn first_before(
        &mut self,
        candidates: &mut dyn Iterator<Item = K>,
        next: &mut dyn Iterator<Item = K>,
    ) -> Answer {
        let Over { engine, build, terms } = self;
        let Engine { session, judge, subject, .. } = &mut **engine;
        let build = |candidate: K| repaired(build(&candidate), &subject.format);
        let mut candidates = candidates.map(build);
        let mut next = next.map(build);
        let answer = judge.first(session, terms, &mut candidates, &mut next);
        if answer.found().is_some() {
            engine.send_scout();
            engine.follow();
        }
        answer
    }
}

impl<K, B: Fn(&K) -> Proposal> Survey<K> for Over<'_, '_, '_, B> {
    fn each(&mut self, candidates: Vec<K>) -> Vec<bool> {
        let Over { engine, build, terms } = self;
        let Engine { session, judge, subject, .. } = &mut **engine;
        let build = |candidate: &K| repaired(build(candidate), &subject.format);
        let mut proposals = candidates.iter().map(build);
        judge.each(session, terms, &mut proposals)
    }
}

/// Whether a text is shorter than another one, regardless of layout.
fn is_shorter(text: &Measured, than: &Measured) -> bool {
    let measure = |it: &Measured| (it.size.tokens, it.size.characters);
    measure(text) < measure(than)
}

/// A proposal with correct lengths and check sums, if its format has any.
fn repaired(proposal: Proposal, format: &Format) -> Proposal {
    Proposal { candidate: format.parser().repair(proposal.candidate), ..proposal }
}
