//! Random oracles: a predicate that is known here, and an oracle that answers by it in some manner.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lop::oracle::{Oracle, Reason, Verdict};
use lop::{Cancel, Candidate};

/// Whether a text has the property.
pub(super) type Predicate = Arc<dyn Fn(&[u8]) -> bool + Send + Sync>;

/// A kind of property.
pub(super) struct Property {
    pub(super) name: &'static str,
    /// Makes one that holds for the original.
    make: fn(&mut fastrand::Rng, &[u8]) -> Predicate,
}

/// The kinds of properties. All but the first are not monotone: a text may have one, a part of it not, and a part of that again.
pub(super) const PROPERTIES: &[Property] = &[
    Property { name: "parts are there", make: parts },
    Property { name: "a parity", make: parity },
    Property { name: "a hash", make: hashed },
    Property { name: "a length", make: length },
    Property { name: "brackets match", make: balanced },
];

impl Property {
    pub(super) fn make(&self, random: &mut fastrand::Rng, original: &[u8]) -> Predicate {
        let predicate = (self.make)(random, original);
        assert!(predicate(original), "the original has the property");
        predicate
    }
}

/// Some short pieces of the original have to stay.
fn parts(random: &mut fastrand::Rng, original: &[u8]) -> Predicate {
    let piece = |random: &mut fastrand::Rng| {
        let start = random.usize(..original.len());
        let end = (start + random.usize(1..6)).min(original.len());
        original[start..end].to_vec()
    };
    let pieces: Vec<Vec<u8>> = (0..random.usize(1..5)).map(|_| piece(random)).collect();
    Arc::new(move |text| {
        pieces.iter().all(|piece| text.windows(piece.len()).any(|window| window == piece))
    })
}

/// Some pieces have to stay, and a byte has to occur as often as in the original, up to a multiple.
fn parity(random: &mut fastrand::Rng, original: &[u8]) -> Predicate {
    let (byte, modulus) = (original[random.usize(..original.len())], random.usize(2..4));
    let count = move |text: &[u8]| text.iter().filter(|each| **each == byte).count() % modulus;
    let (expected, others) = (count(original), parts(random, original));
    Arc::new(move |text| count(text) == expected && others(text))
}

/// Some pieces have to stay, and of what has them some texts do not count, for no reason.
fn hashed(random: &mut fastrand::Rng, original: &[u8]) -> Predicate {
    let (salt, share) = (random.u64(..), random.u64(2..6));
    let (original, others) = (original.to_vec(), parts(random, original));
    Arc::new(move |text| {
        others(text) && (text == original || !hash(salt, text).is_multiple_of(share))
    })
}

/// Some pieces have to stay, and the length is not divisible by a number, unless that of the original is.
fn length(random: &mut fastrand::Rng, original: &[u8]) -> Predicate {
    let modulus = random.usize(2..5);
    let (expected, others) = (original.len().is_multiple_of(modulus), parts(random, original));
    Arc::new(move |text| text.len().is_multiple_of(modulus) == expected && others(text))
}

/// Some pieces have to stay, and brackets match if those of the original do.
fn balanced(random: &mut fastrand::Rng, original: &[u8]) -> Predicate {
    fn matches(text: &[u8]) -> bool {
        let mut open = Vec::new();
        for byte in text {
            match byte {
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                b'{' => open.push(b'}'),
                b')' | b']' | b'}' if open.pop() != Some(*byte) => return false,
                _ => {}
            }
        }
        open.is_empty()
    }
    let (expected, others) = (matches(original), parts(random, original));
    Arc::new(move |text| (!expected || matches(text)) && others(text))
}

pub(super) fn hash(salt: u64, text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (salt, text).hash(&mut hasher);
    hasher.finish()
}

/// How an oracle answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Manner {
    /// Immediately and truly.
    Steady,
    /// Truly, after a random time.
    Slow,
    /// Some candidates time out unless they get more time.
    TimesOut,
    /// With this probability, an interesting candidate is taken for a boring one.
    Misses(f64),
    /// With this probability, the answer is the wrong one.
    Lies(f64),
    /// With this probability, a run is lost.
    Loses(f64),
    /// It panics at this question.
    Panics(u64),
}

impl Manner {
    pub(super) fn random(random: &mut fastrand::Rng) -> Self {
        match random.u8(..12) {
            0..=3 => Manner::Steady,
            4..=6 => Manner::Slow,
            7 => Manner::TimesOut,
            8 => Manner::Misses(0.5 * random.f64()),
            9 => Manner::Lies(0.2 * random.f64()),
            10 => Manner::Loses(0.5 * random.f64()),
            _ => Manner::Panics(random.u64(1..60)),
        }
    }

    /// Whether the same question always has the same answer.
    pub(super) fn is_deterministic(self) -> bool {
        matches!(self, Manner::Steady | Manner::Slow | Manner::TimesOut)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Manner::Steady => "steady",
            Manner::Slow => "slow",
            Manner::TimesOut => "times out",
            Manner::Misses(_) => "misses",
            Manner::Lies(_) => "lies",
            Manner::Loses(_) => "loses runs",
            Manner::Panics(_) => "panics",
        }
    }
}

/// An oracle that remembers what it found interesting.
pub(super) struct Witness {
    predicate: Predicate,
    manner: Manner,
    random: Mutex<fastrand::Rng>,
    has_longer_limit: AtomicBool,
    asked: AtomicU64,
    /// Cancels a run at this question.
    stops_at: Option<(u64, Cancel)>,
    said: Mutex<HashSet<u64>>,
}

impl Witness {
    pub(super) fn new(predicate: &Predicate, manner: Manner, seed: u64) -> Self {
        Witness {
            predicate: predicate.clone(),
            manner,
            random: fastrand::Rng::with_seed(seed).into(),
            has_longer_limit: false.into(),
            asked: 0.into(),
            stops_at: None,
            said: Mutex::default(),
        }
    }

    /// Cancels a run at a question.
    pub(super) fn stopping(self, at: u64, run: &Cancel) -> Self {
        Witness { stops_at: Some((at, run.clone())), ..self }
    }

    /// Whether a text may be a result: it was found interesting, and rightly so, unless the oracle lies.
    pub(super) fn vouches_for(&self, text: &[u8]) -> bool {
        let is_said = lock(&self.said).contains(&hash(0, text));
        is_said && (matches!(self.manner, Manner::Lies(_)) || (self.predicate)(text))
    }

    /// How often it was asked.
    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }

    fn happens(&self, probability: f64) -> bool {
        lock(&self.random).f64() < probability
    }
}

impl Oracle for Witness {
    fn judge(&self, _slot: usize, candidate: &Candidate, _cancel: &Cancel) -> Verdict {
        let asked = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some((_, run)) = self.stops_at.as_ref().filter(|(at, _)| *at == asked) {
            run.cancel();
        }
        let text = candidate.text();
        let mut is_interesting = (self.predicate)(text);
        match self.manner {
            Manner::Steady => {}
            Manner::Slow => {
                let pause = lock(&self.random).u64(..300);
                std::thread::sleep(Duration::from_micros(pause));
            }
            Manner::TimesOut => {
                let is_slow = hash(1, text).is_multiple_of(5);
                if is_slow && !self.has_longer_limit.load(Ordering::SeqCst) {
                    return Verdict::Unresolved(Reason::TimedOut);
                }
            }
            Manner::Misses(p) => is_interesting &= !self.happens(p),
            Manner::Lies(p) => is_interesting ^= self.happens(p),
            Manner::Loses(p) if self.happens(p) => {
                return Verdict::Unresolved(Reason::Lost("the campaign lost it".into()));
            }
            Manner::Panics(at) if at == asked => {
                std::panic::resume_unwind(Box::new("the campaign's oracle panics"));
            }
            _ => {}
        }
        if !is_interesting {
            return Verdict::Boring;
        }
        lock(&self.said).insert(hash(0, text));
        Verdict::Interesting
    }

    fn set_longer_limit(&self, longer: bool) -> bool {
        self.has_longer_limit.store(longer, Ordering::SeqCst);
        self.manner == Manner::TimesOut
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
