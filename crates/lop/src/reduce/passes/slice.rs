//! Keeps the places in the test's output with everything that they need, or what ran.
//!
//! The output of a failure often shows where it is: a compiler names the line of an error, an interpreter the calls
//! that led to an exception. No series of verdicts tells as much. So before anything else this pass proposes to keep
//! the named statements, and
//!
//! 1. the definitions that they use, then those that these use, and so on, with a proposal whenever the kept text is
//!    four times as long;
//! 2. the same, where only a called function is a step, and types and variables of the same function aren't; with a
//!    proposal whenever the kept text has doubled, and finally of all of it;
//! 3. also the statements that affect the kept variables;
//! 4. also the rest of the functions that contain the named statements;
//! 5. also the function in which the program begins, with all that it needs;
//! 6. instead, the statements that ran before them outside of functions;
//! 7. or, of both of these, everything around them that isn't inside anything else.
//!
//! If an interpreter ran the input, all of these keep only what ran, and definitions; keeping all that ran
//! (`reached.rs`) is proposed, too.
//!
//! The smallest is proposed first. Program slicing (Weiser 1981) proves what a statement depends on; here the test decides, so a guess by
//! names is enough. Only the input itself has clues: any smaller text has other lines.
//!
//! Cost: at most nine tests and 1.5 times the logarithm of the text's length; as a rule one for each of them in short
//! texts.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use crate::text::Clues;
use crate::tree::{Tree, ViewId};

use super::Proposal;
use super::needs::Needs;
use super::reached::{all_reached, ran};
use super::statements::{Number, Sort, Statements};

/// A proposal that removes less than one of this many parts of the text isn't worth a test at this point.
const LITTLE: usize = 20;
/// From this length on, a proposal has to remove half of the text: the next tests remove as much of most texts, but
/// hardly of a slice.
const LARGE: usize = 1 << 17;

pub(super) fn propose<'t>(tree: &'t Tree, clues: &Clues) -> impl Iterator<Item = Proposal> + 't {
    let (places, reached) = (clues.places(tree.text()), clues.reached(tree.text()));
    let has_clues = !places.is_empty() || !reached.is_empty();
    let statements = has_clues.then(|| Statements::new(tree));
    let slices = statements.map(|statements| slices(tree, &statements, places, reached));
    slices.into_iter().flatten()
}

fn slices(
    tree: &Tree,
    statements: &Statements<'_>,
    places: &[Range<usize>],
    reached: &[Range<usize>],
) -> Vec<Proposal> {
    let needs = Needs::new(statements);
    let ran = ran(statements, reached);
    let text = tree.text().len();
    let removes =
        |part: usize| move |removed: &Vec<ViewId>| statements.length(removed) * part >= text;
    let mut all = around(statements, &needs, &ran, &named(tree, statements, places));
    all.retain(removes(if text < LARGE { LITTLE } else { 2 }));
    all.extend(all_reached(statements, &needs, &ran).into_iter().filter(removes(LITTLE)));
    all.sort_by_key(|removed| Reverse(statements.length(removed)));
    all.dedup_by_key(|removed| statements.length(removed));
    all.into_iter().map(|removed| statements.view().prune(removed)).collect()
}

/// The removals that keep more and more around the named statements.
fn around<'t>(
    statements: &Statements<'t>,
    needs: &Needs<'_, 't>,
    ran: &[bool],
    named: &[Number],
) -> Vec<Vec<ViewId>> {
    if named.is_empty() {
        return Vec::new();
    }
    let mut all = Slice::new(statements, needs, ran, named, |_, _, _| true).grown(4);
    let mut slice = Slice::new(statements, needs, ran, named, Needs::is_late);
    all.extend(slice.grown(2));
    all.push(slice.closed());
    slice.take_effects();
    all.push(slice.closed());
    slice.keep_functions();
    all.push(slice.closed());
    let mut begun = slice.clone();
    begun.keep_entries();
    all.push(begun.closed());
    slice.keep_what_ran_before(named);
    all.push(slice.closed());
    slice.keep_entries();
    slice.keep_outermost();
    all.push(slice.closed());
    all
}

/// The innermost statements at the clues.
fn named(tree: &Tree, statements: &Statements<'_>, clues: &[Range<usize>]) -> Vec<Number> {
    let text = tree.text();
    let mut named = Vec::new();
    for clue in clues {
        let mut words =
            text[clue.clone()].iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace());
        let ends = [words.clone().next(), words.next_back()].into_iter().flatten();
        named.extend(ends.map(|(at, _)| statements.at(clue.start + at)));
    }
    // The text itself isn't a statement.
    named.retain(|number| *number > 0);
    named.sort_unstable();
    named.dedup();
    named
}

type IsLate<'s, 't> = fn(&Needs<'s, 't>, Number, Number) -> bool;

/// A growing set of kept statements.
#[derive(Clone)]
struct Slice<'s, 't> {
    statements: &'s Statements<'t>,
    needs: &'s Needs<'s, 't>,
    /// Which statements ran.
    ran: &'s [bool],
    kept: Vec<bool>,
    /// Statements around the named ones, which are only kept in part.
    on_the_way: HashSet<Number>,
    /// Kept statements whose needs haven't been looked up yet.
    open: Vec<Number>,
    /// The statements to keep in the next step.
    waiting: Vec<Number>,
    /// Whether the first of two statements needs the second only in a later step.
    is_late: IsLate<'s, 't>,
    /// Whether statements that affect the variables are kept, too.
    takes_effects: bool,
    /// Whether all outermost needed statements are kept.
    takes_outermost: bool,
}

impl<'s, 't> Slice<'s, 't> {
    fn new(
        statements: &'s Statements<'t>,
        needs: &'s Needs<'s, 't>,
        ran: &'s [bool],
        named: &[Number],
        is_late: IsLate<'s, 't>,
    ) -> Self {
        let on_the_way =
            named.iter().flat_map(|number| statements.with_those_around(*number).skip(1)).collect();
        let kept = vec![false; statements.numbers().len()];
        let mut slice = Slice {
            statements,
            needs,
            ran,
            kept,
            on_the_way,
            open: Vec::new(),
            waiting: Vec::new(),
            is_late,
            takes_effects: false,
            takes_outermost: false,
        };
        slice.keep(0);
        named.iter().for_each(|number| slice.keep_whole(*number));
        slice
    }

    /// Keeps a statement, those around it, and in each of these the statements that are needed without a mention.
    fn keep(&mut self, number: Number) {
        let statements = self.statements;
        // A function may be mentioned where nothing calls it.
        if !self.ran[number] && statements.sort(number) != Sort::Function {
            return;
        }
        for number in statements.with_those_around(number).chain([0]) {
            // The statements around a kept one are kept already.
            if std::mem::replace(&mut self.kept[number], true) {
                break;
            }
            self.open.push(number);
            let children = statements.children(number);
            children
                .filter(|child| self.needs.is_setting(*child))
                .for_each(|child| self.keep(child));
        }
    }

    fn keep_whole(&mut self, number: Number) {
        self.keep(number);
        self.statements.inside(number).for_each(|number| self.keep(number));
    }

    fn take_effects(&mut self) {
        self.takes_effects = true;
        self.open = self.kept().collect();
    }

    /// The removals at first, then whenever the kept text has grown by a factor.
    fn grown(&mut self, factor: usize) -> Vec<Vec<ViewId>> {
        let mut grown = Vec::new();
        let mut least = 0;
        let mut has_more = true;
        while has_more {
            has_more = self.grow();
            let removed = self.removed();
            let kept = self.statements.length(&[self.statements.node(0)])
                - self.statements.length(&removed);
            if kept >= least {
                least = kept * factor;
                grown.push(removed);
            }
        }
        grown
    }

    /// The removals once everything is kept that the kept statements need.
    fn closed(&mut self) -> Vec<ViewId> {
        while self.grow() {}
        self.removed()
    }

    /// Keeps the waiting statements, and those that the kept ones need, except those that then wait; returns whether
    /// some do.
    fn grow(&mut self) -> bool {
        for number in std::mem::take(&mut self.waiting) {
            self.keep_needed(number);
        }
        while let Some(number) = self.open.pop() {
            let effects = self.needs.effects(number).iter().filter(|_| self.takes_effects);
            let needed = self.needs.of(number).into_iter().chain(effects.copied());
            for needed in needed.collect::<Vec<Number>>() {
                match (self.is_late)(self.needs, number, needed) {
                    true => self.waiting.push(needed),
                    false => self.keep_needed(needed),
                }
            }
        }
        self.waiting.retain(|number| !self.kept[*number]);
        !self.waiting.is_empty()
    }

    fn keep_needed(&mut self, number: Number) {
        let statements = self.statements;
        let is_function = |child: Number| statements.sort(child) == Sort::Function;
        match statements.sort(number) {
            _ if self.takes_outermost => self.keep_outermost_of(number),
            _ if self.on_the_way.contains(&number) => self.keep_members(number, |_| false),
            Sort::Space => self.keep_members(number, |_| false),
            Sort::Type => self.keep_members(number, |child| !is_function(child)),
            Sort::Function | Sort::Other => self.keep_whole(number),
        }
    }

    /// Keeps a statement, some of those inside it, and the functions that are called without a mention: constructors,
    /// operators and the like.
    fn keep_members(&mut self, number: Number, is_kept: impl Fn(Number) -> bool) {
        self.keep(number);
        let statements = self.statements;
        let is_called = |child: Number| statements.is_implicit(child);
        let kept = statements.children(number).filter(|child| is_kept(*child) || is_called(*child));
        let kept: Vec<Number> = kept.collect();
        kept.into_iter().for_each(|number| self.keep_whole(number));
    }

    /// Keeps the functions in which the program begins.
    fn keep_entries(&mut self) {
        let statements = self.statements;
        let entries = statements.numbers().filter(|number| statements.is_entry(*number));
        entries.for_each(|number| self.keep_whole(number));
    }

    /// Keeps the content of the functions around the named statements, except the definitions there.
    fn keep_functions(&mut self) {
        let statements = self.statements;
        let children = self.on_the_way.iter().flat_map(|around| statements.children(*around));
        let run: Vec<Number> = children.filter(|child| !statements.is_definition(*child)).collect();
        run.into_iter().for_each(|number| self.keep_whole(number));
    }

    /// Keeps what is outside of definitions and before the last named statement, or everything outside if that one is
    /// inside.
    fn keep_what_ran_before(&mut self, named: &[Number]) {
        let statements = self.statements;
        let outside = statements.children(0).filter(|child| !statements.is_definition(*child));
        let is_last = |child: &Number| {
            named.last().is_some_and(|last| statements.inside(*child).contains(last))
        };
        let ran: Vec<Number> = outside.take_while(|child| !is_last(child)).collect();
        ran.into_iter().for_each(|number| self.keep_whole(number));
    }

    /// Of what is kept now, keeps everything that is inside nothing else.
    fn keep_outermost(&mut self) {
        self.takes_outermost = true;
        let kept: Vec<Number> = self.kept().collect();
        kept.into_iter().for_each(|number| self.keep_outermost_of(number));
    }

    fn keep_outermost_of(&mut self, number: Number) {
        let outermost = self.statements.with_those_around(number).last();
        outermost.into_iter().for_each(|number| self.keep_whole(number));
    }

    fn kept(&self) -> impl Iterator<Item = Number> + '_ {
        self.statements.numbers().filter(|number| self.kept[*number])
    }

    /// The outermost statements that are not kept.
    fn removed(&self) -> Vec<ViewId> {
        self.statements.without(&self.kept)
    }
}
