//! The time limit of candidates.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a candidate may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimeLimit {
    /// Always this long.
    Fixed(Duration),
    /// Ten times the time of the original, later five times that of the slowest recent interesting candidate, within
    /// bounds; the longer limit is four times that.
    Adaptive,
}

impl TimeLimit {
    /// A limit for tests that take at least this long: the adaptive one, unless it may be too short.
    pub fn beyond(time: Duration) -> Self {
        match time * 2 > LONGEST {
            true => TimeLimit::Fixed(time * 2),
            false => TimeLimit::Adaptive,
        }
    }
}

/// The shortest adaptive limit: on a loaded machine, even short runs take long.
const SHORTEST: Duration = Duration::from_secs(1);
/// The shortest limit that is learned from candidates, which ran on the machine as it is.
const SHORTEST_LEARNED: Duration = Duration::from_millis(500);
/// The longest adaptive limit, which is also the original's.
const LONGEST: Duration = Duration::from_secs(300);

/// How many of the last interesting candidates set the limit: a single one may have been fast by chance.
const LAST: usize = 8;

/// The current time limit.
pub(crate) struct Timer {
    limit: TimeLimit,
    usual: Mutex<Duration>,
    /// The times of the last interesting candidates.
    last: Mutex<VecDeque<Duration>>,
    is_longer: AtomicBool,
}

impl Timer {
    /// The first limit, as a multiple of the time of the original.
    pub(crate) const TIMES: u32 = 10;
    /// Later limits, as a multiple of the time of interesting candidates, which are closer to the next one.
    pub(crate) const TIMES_LEARNED: u32 = 5;

    pub(crate) fn new(limit: TimeLimit) -> Self {
        let usual = match limit {
            TimeLimit::Fixed(time) => time,
            TimeLimit::Adaptive => LONGEST,
        };
        let (usual, last) = (Mutex::new(usual), Mutex::default());
        Timer { limit, usual, last, is_longer: AtomicBool::new(false) }
    }

    /// Sets an adaptive limit by the time that the original took, and forgets the times of other candidates.
    pub(crate) fn adapt(&self, original: Duration) {
        if self.limit == TimeLimit::Adaptive {
            self.last.lock().expect("nothing panics with this lock").clear();
            let time = (original * Self::TIMES).clamp(SHORTEST, LONGEST);
            *self.usual.lock().expect("nothing panics with this lock") = time;
        }
    }

    /// Allows more time than a test case of unrelated choices took, if the limit is shorter.
    pub(crate) fn stretch(&self, taken: Duration) {
        if self.limit == TimeLimit::Adaptive {
            let mut usual = self.usual.lock().expect("nothing panics with this lock");
            *usual = (taken * Self::TIMES).clamp(*usual, LONGEST);
        }
    }

    /// Shortens an adaptive limit by the time that an interesting candidate took: smaller candidates take less time, so
    /// hangs are found sooner. The limit never becomes longer, since the tests may have been slow for other reasons.
    pub(crate) fn learn(&self, interesting: Duration) {
        if self.limit != TimeLimit::Adaptive || self.is_longer.load(Ordering::Relaxed) {
            return;
        }
        let mut last = self.last.lock().expect("nothing panics with this lock");
        last.push_back(interesting);
        if last.len() > LAST {
            last.pop_front();
        }
        if let (LAST, Some(slowest)) = (last.len(), last.iter().max()) {
            let time = (*slowest * Self::TIMES_LEARNED).clamp(SHORTEST_LEARNED, LONGEST);
            let mut usual = self.usual.lock().expect("nothing panics with this lock");
            *usual = time.min(*usual);
        }
    }

    /// The usual limit.
    pub(crate) fn usual(&self) -> Duration {
        *self.usual.lock().expect("nothing panics with this lock")
    }

    /// The limit of the next run.
    pub(crate) fn current(&self) -> Duration {
        let usual = self.usual();
        if self.is_longer.load(Ordering::Relaxed) { longer(usual) } else { usual }
    }

    /// Sets a longer limit than usual, or the usual one again; says whether there is a longer one. A limit that the user gave
    /// does not change.
    pub(crate) fn set_longer(&self, is_longer: bool) -> bool {
        let usual = self.usual();
        let differs = self.limit == TimeLimit::Adaptive && longer(usual) > usual;
        self.is_longer.store(is_longer && differs, Ordering::Relaxed);
        differs
    }
}

fn longer(time: Duration) -> Duration {
    (time * 4).min(LONGEST.max(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_limit_is_ten_times_the_original_within_bounds() {
        let adaptive = Timer::new(TimeLimit::Adaptive);
        for (original, limit) in [(0, 1_000), (500, 5_000), (100_000, 300_000)] {
            adaptive.adapt(Duration::from_millis(original));
            assert_eq!(adaptive.usual(), Duration::from_millis(limit));
        }
        let fixed = Timer::new(TimeLimit::Fixed(Duration::from_secs(7)));
        fixed.adapt(Duration::from_secs(100));
        assert_eq!(fixed.usual(), Duration::from_secs(7));
    }

    #[test]
    fn the_limit_becomes_shorter_with_interesting_candidates_and_never_longer() {
        let adaptive = Timer::new(TimeLimit::Adaptive);
        adaptive.adapt(Duration::from_secs(2));
        let learn = |millis, times| {
            (0..times).for_each(|_| adaptive.learn(Duration::from_millis(millis)));
            adaptive.usual().as_millis()
        };
        assert_eq!(learn(500, LAST - 1), 20_000, "a few may be fast by chance");
        assert_eq!(learn(500, 1), 2_500);
        assert_eq!(learn(1_500, 3), 2_500);
        assert_eq!(learn(300, LAST), 1_500);
        assert_eq!(learn(1, LAST), 500);
        let fixed = Timer::new(TimeLimit::Fixed(Duration::from_secs(7)));
        (0..LAST).for_each(|_| fixed.learn(Duration::ZERO));
        assert_eq!(fixed.usual(), Duration::from_secs(7));
    }

    #[test]
    fn a_limit_is_stretched_by_what_takes_long_and_never_shortened_by_that() {
        let adaptive = Timer::new(TimeLimit::Adaptive);
        adaptive.adapt(Duration::from_millis(500));
        for (taken, limit) in [(100, 5_000), (700, 7_000), (600, 7_000), (100_000, 300_000)] {
            adaptive.stretch(Duration::from_millis(taken));
            assert_eq!(adaptive.usual(), Duration::from_millis(limit));
        }
    }

    #[test]
    fn a_longer_limit_is_four_times_the_usual_one_unless_the_user_gave_it() {
        let adaptive = Timer::new(TimeLimit::Adaptive);
        assert!(!adaptive.set_longer(true), "the original has the longest limit there is");
        adaptive.adapt(Duration::from_millis(500));
        assert!(adaptive.set_longer(true));
        assert_eq!(adaptive.current(), Duration::from_secs(20));
        assert!(adaptive.set_longer(false));
        assert_eq!(adaptive.current(), Duration::from_secs(5));

        let fixed = Timer::new(TimeLimit::Fixed(Duration::from_secs(7)));
        assert!(!fixed.set_longer(true));
        assert_eq!(fixed.current(), Duration::from_secs(7));
    }
}
