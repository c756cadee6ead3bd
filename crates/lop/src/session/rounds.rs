//! A complete run: rounds until nothing is left to try.

use crate::text::Key;

use super::{Event, Session};

/// How many tests in a row may time out again. Each takes four times the usual limit, so together they take as long as
/// twenty tests that timed out before.
const RETRIES: u64 = 5;

/// A search that runs in rounds.
pub(crate) trait Rounds<'o> {
    /// The session to which it reports.
    fn session(&mut self) -> &mut Session<'o>;

    /// Runs it once, until it finds nothing more.
    fn round(&mut self);

    /// The identity of the best: it changes with the best.
    fn best_key(&self) -> Key;

    /// Gives tests a longer limit until something is found, or the usual one; returns whether there is a difference.
    fn set_longer_limit(&mut self, longer: bool) -> bool;

    /// Continues from the best of an earlier run, if that is better; returns whether it is.
    fn go_on_from_reached(&mut self) -> bool;

    /// Runs it until nothing is left to try.
    ///
    /// An earlier run may have got further if not all of its verdicts were written. That is known only at the end: it
    /// may have found its result with the longer limit.
    fn run_to_the_end(&mut self) {
        self.run_until_nothing_is_left();
        if !self.session().is_over() && self.go_on_from_reached() {
            self.run_until_nothing_is_left();
        }
    }

    /// Runs rounds until nothing is left to try.
    ///
    /// When only tests that timed out remain, a round gives them a longer limit. All other verdicts are known, so it
    /// retries just these, in the order of the strategy, which has the most promising first. If [`RETRIES`] of them in
    /// a row time out again, most of the others would, too: the run ends.
    fn run_until_nothing_is_left(&mut self) {
        loop {
            self.session().take_timed_out();
            self.round();
            let timed_out = self.session().take_timed_out();
            if self.session().is_over() || timed_out == 0 || !self.set_longer_limit(true) {
                break;
            }
            self.session().tell(&Event::Retrying { timed_out, at_most: timed_out.min(RETRIES) });
            let before = self.best_key();
            self.session().begin_retries(RETRIES);
            self.round();
            if self.session().is_over() || self.best_key() == before {
                break;
            }
        }
        self.set_longer_limit(false);
        self.session().end_retries();
    }
}
