//! The methods that draw values: numbers, texts, picks, lists.

use std::ops::{Bound, RangeBounds};

use crate::choice::{Choice, Kind};
use crate::float;
use crate::fresh::Fresh;
use crate::record::Label;
use crate::source::Source;

/// An integer type that [`Source::integer`] can draw.
pub trait Integer: Copy {
    /// The least value of the type.
    const LEAST: i128;
    /// The greatest value of the type.
    const GREATEST: i128;
    /// This value as a number.
    fn to_number(self) -> i128;
    /// The value of a number from [`LEAST`](Integer::LEAST) to [`GREATEST`](Integer::GREATEST).
    fn from_number(number: i128) -> Self;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Integer for $type {
            const LEAST: i128 = <$type>::MIN as i128;
            const GREATEST: i128 = <$type>::MAX as i128;
            fn to_number(self) -> i128 {
                self as i128
            }
            fn from_number(number: i128) -> Self {
                number as $type
            }
        }
    )*};
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

/// The number of choices after which a recursive variant is half as likely as at first.
const RECURSIVE: f64 = 16.0;

/// A generator, as one of several.
pub type Generator<'a, T> = &'a dyn Fn(&mut Source) -> T;

impl Source {
    /// Draws an integer of a range; the closer to 0, the simpler.
    #[track_caller]
    pub fn integer<T: Integer>(&mut self, range: impl RangeBounds<T>) -> T {
        let (low, high) = ends(&range, T::LEAST, T::GREATEST, T::to_number);
        self.number(low, high, 0)
    }

    /// Draws an integer of a range; the closer to a target, the simpler.
    #[track_caller]
    pub fn integer_near<T: Integer>(&mut self, range: impl RangeBounds<T>, target: T) -> T {
        let (low, high) = ends(&range, T::LEAST, T::GREATEST, T::to_number);
        self.number(low, high, target.to_number())
    }

    #[track_caller]
    fn number<T: Integer>(&mut self, low: i128, high: i128, target: i128) -> T {
        assert!(
            low <= high,
            "a mistake of the generator: it draws an integer from {low} to {high}, and there is none"
        );
        // A single value is a choice, too: so the choices of a generator with a limit are as many at the limit as elsewhere, and fit there.
        T::from_number(self.choose(Kind::integer(low, high, target)))
    }

    /// Draws `true` with this probability; `false` is simpler.
    pub fn boolean(&mut self, odds: f64) -> bool {
        self.choose(Kind::Boolean { odds }) == 1
    }

    /// Draws a floating-point number of a range; whole numbers and short fractions are simpler. A range without an end
    /// includes infinity, and one without a beginning also includes NaN.
    #[track_caller]
    pub fn float(&mut self, range: impl RangeBounds<f64>) -> f64 {
        let low = match range.start_bound() {
            Bound::Included(low) => *low,
            Bound::Excluded(low) => low.next_up(),
            Bound::Unbounded => f64::NEG_INFINITY,
        };
        let high = match range.end_bound() {
            Bound::Included(high) => *high,
            Bound::Excluded(high) => high.next_down(),
            Bound::Unbounded => f64::INFINITY,
        };
        assert!(
            low <= high,
            "a mistake of the generator: it draws a number from {low} to {high}, and there is none"
        );
        float::from_place(self.choose(Kind::Float { low, high })).unwrap_or(low)
    }

    /// Draws a character, from simple to less simple: digits, letters, other ASCII characters, all others.
    pub fn char(&mut self) -> char {
        character(self.integer(0..=LAST_CHARACTER as u32))
    }

    /// Draws a text with a number of characters in this range.
    #[track_caller]
    pub fn text(&mut self, length: impl RangeBounds<usize>) -> String {
        self.list(length, Source::char).into_iter().collect()
    }

    /// Draws a text with a number of characters in this range, all of an alphabet whose first character is the simplest.
    #[track_caller]
    pub fn text_of(&mut self, alphabet: &str, length: impl RangeBounds<usize>) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        assert!(!alphabet.is_empty(), "a mistake of the generator: the alphabet is empty");
        self.list(length, |s| *s.pick(&alphabet)).into_iter().collect()
    }

    /// Draws a number of bytes in this range.
    #[track_caller]
    pub fn bytes(&mut self, length: impl RangeBounds<usize>) -> Vec<u8> {
        self.list(length, |s| s.integer(..))
    }

    /// Picks one of several values; the first is the simplest.
    #[track_caller]
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        assert!(!all.is_empty(), "a mistake of the generator: it picks from an empty list");
        &all[self.integer(0..all.len())]
    }

    /// Draws from one of several generators; the first is the simplest.
    #[track_caller]
    pub fn one_of<T>(&mut self, all: &[Generator<'_, T>]) -> T {
        self.pick(all)(self)
    }

    /// Draws from one of several generators, each with its weight: one of weight 3 is drawn from three times as often as one of weight 1. The first is the
    /// simplest, whatever its weight.
    #[track_caller]
    pub fn weighted<T>(&mut self, all: &[(u32, Generator<'_, T>)]) -> T {
        let weights: Vec<u32> = all.iter().map(|(weight, _)| *weight).collect();
        let chosen = self.index(&weights, |weights, _| weights.to_vec());
        all[chosen].1(self)
    }

    /// Draws one of the variants of a type, each with its weight, and whether it has further values of the type in it: the more was drawn, the less likely
    /// is such a variant, so that cases end.
    #[doc(hidden)]
    #[track_caller]
    pub fn variant<T>(&mut self, all: &[(u32, bool, Generator<'_, T>)]) -> T {
        let weights: Vec<u32> = all.iter().map(|(weight, ..)| *weight).collect();
        let sum: f64 = weights.iter().copied().map(f64::from).sum();
        // So that parts of small weights count as well.
        let scale = 1000.0_f64.min(f64::from(u32::MAX) / sum);
        let chosen = self.index(&weights, |weights, drawn| {
            let likely = |(weight, (_, is_recursive, _)): (&u32, &(u32, bool, _))| {
                let part = if *is_recursive { RECURSIVE / (RECURSIVE + drawn) } else { 1.0 };
                (f64::from(*weight) * scale * part) as u32
            };
            weights.iter().zip(all).map(likely).collect()
        });
        all[chosen].2(self)
    }

    /// Draws an index. A random one is as likely as its weight of those that are made of these and of the number of choices so far.
    #[track_caller]
    fn index(&mut self, weights: &[u32], made: impl FnOnce(&[u32], f64) -> Vec<u32>) -> usize {
        let count = weights.len();
        assert!(
            weights.iter().any(|weight| *weight > 0),
            "a mistake of the generator: it draws from one of {count} alternatives without a weight"
        );
        if count == 1 {
            return 0;
        }
        let kind = Kind::integer(0, count as i128 - 1, 0);
        let random = |fresh: &mut Fresh, _: &Kind, before: &[Choice]| {
            fresh.weighted(&made(weights, before.len() as f64)) as i128
        };
        self.choose_by(kind, random) as usize
    }

    /// Draws a value or none; `None` is simpler.
    pub fn option<T>(&mut self, generator: impl FnOnce(&mut Source) -> T) -> Option<T> {
        self.begin(Label::OPTION);
        let is_some = self.boolean(0.6);
        let drawn = is_some.then(|| {
            self.begin_before(Label::ITEM, 1);
            let drawn = generator(self);
            self.end(false);
            drawn
        });
        self.end(false);
        drawn
    }

    /// Draws a list with a number of items in this range. A choice before each item says that there is one, so that the reducer can
    /// remove an item together with this choice.
    #[track_caller]
    pub fn list<T, G: FnMut(&mut Source) -> T>(
        &mut self,
        length: impl RangeBounds<usize>,
        mut item: G,
    ) -> Vec<T> {
        // An item is of the same kind as everything else that this generator makes.
        let label = Label::of_generator::<G>();
        let mut list = Vec::new();
        self.each(length, 1.0, |s| {
            list.push(s.labelled(label, &mut item));
            true
        });
        list
    }

    /// Draws a list with a number of items in this range, no two of which are equal; shorter lists are simpler.
    #[track_caller]
    pub fn distinct<T: PartialEq>(
        &mut self,
        length: impl RangeBounds<usize>,
        mut item: impl FnMut(&mut Source) -> T,
    ) -> Vec<T> {
        let mut list = Vec::new();
        self.each(length, 1.0, |s| {
            let made = item(s);
            let is_new = !list.contains(&made);
            if is_new {
                list.push(made);
            }
            is_new
        });
        list
    }

    /// Makes items while the choices say that there are more, `times` as many as usual. An item that is not accepted does not count.
    #[track_caller]
    pub(crate) fn each(
        &mut self,
        length: impl RangeBounds<usize>,
        times: f64,
        mut item: impl FnMut(&mut Source) -> bool,
    ) {
        let (least, most) = ends(&length, 0, i128::from(u32::MAX), |it| it as i128);
        let (least, most) = (least as usize, most as usize);
        assert!(
            least <= most,
            "a mistake of the generator: it draws a length from {least} to {most}, and there is none"
        );
        self.begin(Label::LIST);
        let odds = self.odds_of_more(least, most, times);
        let (mut length, mut refused) = (0, 0);
        while length < most {
            // Even a mandatory item begins with the choice that there is one, so that all items look the same.
            let odds = if length < least { 1.0 } else { odds };
            if self.choose(Kind::Boolean { odds }) == 0 {
                break;
            }
            self.begin_before(Label::ITEM, 1);
            let accepted = item(self);
            self.end(!accepted);
            length += usize::from(accepted);
            refused += usize::from(!accepted);
            if refused > 10 + 3 * length {
                if length < least {
                    self.reject();
                }
                break;
            }
        }
        self.end(false);
    }

    /// Draws exactly `count` items.
    pub fn repeat<T>(&mut self, count: usize, mut item: impl FnMut(&mut Source) -> T) -> Vec<T> {
        (0..count).map(|_| self.span("repeat", &mut item)).collect()
    }
}

/// The ends of a range of integers.
fn ends<T>(
    range: &impl RangeBounds<T>,
    least: i128,
    greatest: i128,
    number: impl Fn(T) -> i128,
) -> (i128, i128)
where
    T: Copy,
{
    let low = match range.start_bound() {
        Bound::Included(low) => number(*low),
        Bound::Excluded(low) => number(*low).saturating_add(1),
        Bound::Unbounded => least,
    };
    let high = match range.end_bound() {
        Bound::Included(high) => number(*high),
        // No number is below the least one, so such a range is empty.
        Bound::Excluded(high) if number(*high) == i128::MIN => return (i128::MAX, i128::MIN),
        Bound::Excluded(high) => number(*high) - 1,
        Bound::Unbounded => greatest,
    };
    (low, high)
}

/// The character at a place in the order of simplicity.
pub(crate) fn character(place: u32) -> char {
    // Surrogates aren't characters, so there are fewer characters than code points.
    match SIMPLE.get(place as usize) {
        Some(sign) => char::from(*sign),
        None => char::from_u32(if place < 0xD800 { place } else { place + 0x800 }).unwrap_or('0'),
    }
}

/// The place of the last character in the order of simplicity.
pub(crate) const LAST_CHARACTER: i128 = 0x0010_FFFF - 0x800;

/// The ASCII characters, from simple to less simple.
const SIMPLE: &[u8; 128] = &simple();

const fn simple() -> [u8; 128] {
    let mut signs = [0; 128];
    let mut count = 0;
    let mut round = 0;
    while round < 5 {
        let mut sign = 0;
        while sign < 128_u8 {
            let group = match sign {
                b'0'..=b'9' => 0,
                b'a'..=b'z' => 1,
                b'A'..=b'Z' => 2,
                b' '..=b'~' => 3,
                _ => 4,
            };
            if group == round {
                signs[count] = sign;
                count += 1;
            }
            sign += 1;
        }
        round += 1;
    }
    signs
}
