//! The true minimum: all choices are enumerated in shortlex order until the first case that fails.

use std::collections::HashMap;
use std::sync::OnceLock;

use lop_choice::Source;

use crate::generator::{Draws, Generator, Value};
use crate::property::{Class, Failure};

/// How many cases are enumerated at most.
const MOST: usize = 3_000_000;

/// The simplest case that fails, with the number of its choices; `None` if it is not found in time.
pub(crate) fn minimum(generator: &Generator, failure: &Failure) -> Option<(Value, usize)> {
    let mut left = MOST;
    (0..=12).find_map(|length| {
        let mut all = Enumeration { ranks: Vec::new(), at: 0, length };
        loop {
            left = left.checked_sub(1)?;
            all.at = 0;
            let value = generator.draw(&mut all);
            if all.at == length && failure.fails(&value) {
                return Some((value, length));
            }
            if !all.advance() {
                return None;
            }
        }
    })
}

/// The first characters of each combination of classes, from simple to less simple: properties depend on no more than these.
fn signs() -> &'static [char] {
    static SIGNS: OnceLock<Vec<char>> = OnceLock::new();
    SIGNS.get_or_init(|| {
        let mut counts: HashMap<[bool; 8], usize> = HashMap::new();
        let places = (0..0x0010_FFFF - 0x07FF).map(|place| Source::given([place]).char());
        let is_first = |sign: &char| {
            let count = counts.entry(Class::ALL.map(|class| class.has(*sign))).or_default();
            *count += 1;
            *count <= 3
        };
        places.filter(is_first).collect()
    })
}

/// One case after the other, by the ranks of its choices. A case that takes more choices than are allowed is drawn to its end with the simplest
/// ones, and skipped.
struct Enumeration {
    /// The rank of each choice, and the number of its ranks.
    ranks: Vec<(i64, i64)>,
    at: usize,
    length: usize,
}

impl Enumeration {
    /// The next choice among so many, by its rank.
    fn rank(&mut self, count: i64) -> i64 {
        let at = self.at;
        self.at += 1;
        if at >= self.length {
            return 0;
        }
        if at == self.ranks.len() {
            self.ranks.push((0, count));
        }
        self.ranks[at].0
    }

    /// The next case; `false` if that was the last one.
    fn advance(&mut self) -> bool {
        self.ranks.truncate(self.at);
        while let Some((rank, count)) = self.ranks.pop() {
            if rank + 1 < count {
                self.ranks.push((rank + 1, count));
                return true;
            }
        }
        false
    }
}

impl Draws for Enumeration {
    fn number(&mut self, low: i64, high: i64) -> i64 {
        let simplest = 0.clamp(low, high);
        let mut numbers: Vec<i64> = (low..=high).collect();
        numbers.sort_by_key(|it| ((it - simplest).abs(), *it < simplest));
        numbers[self.rank(high - low + 1) as usize]
    }

    fn list(&mut self, least: usize, most: usize, item: &mut dyn FnMut(&mut dyn Draws)) {
        for length in 0..most {
            // An item that must be there begins with a choice, too.
            let more = match length < least {
                true => {
                    self.rank(1);
                    true
                }
                false => self.rank(2) == 1,
            };
            if !more || length >= least && self.at > self.length {
                break;
            }
            item(self);
        }
    }

    fn real(&mut self, low: i64, high: i64) -> f64 {
        // By the number of binary digits behind the point; no property needs more than two.
        let quarters = (4 * low..=4 * high).map(|it| it as f64 / 4.0);
        let mut numbers: Vec<f64> = quarters.collect();
        let digits = |it: f64| (0..3).position(|by| (it * f64::from(1 << by)).fract() == 0.0);
        numbers.sort_by(|one, two| {
            (digits(*one), one.abs()).partial_cmp(&(digits(*two), two.abs())).expect("no NaN")
        });
        numbers[self.rank(numbers.len() as i64) as usize]
    }

    fn sign(&mut self) -> char {
        let signs = signs();
        signs[self.rank(signs.len() as i64) as usize]
    }

    fn span(&mut self, _name: &'static str, body: &mut dyn FnMut(&mut dyn Draws)) {
        body(self);
    }
}
