//! What can be drawn: numbers, texts, picks, lists.

use std::ops::{Bound, RangeBounds};

use crate::choice::Kind;
use crate::float;
use crate::record::Label;
use crate::source::Source;

/// An integer type that can be drawn.
pub trait Integer: Copy {
    /// Its least value.
    const LEAST: i128;
    /// Its greatest value.
    const GREATEST: i128;
    /// As a number.
    fn to_number(self) -> i128;
    /// From a number that is known to fit.
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

impl Source {
    /// An integer of a range, the closer to 0 the simpler.
    pub fn integer<T: Integer>(&mut self, range: impl RangeBounds<T>) -> T {
        let (low, high) = ends(&range, T::LEAST, T::GREATEST, T::to_number);
        self.number(low, high, 0)
    }

    /// An integer of a range, the closer to a target the simpler.
    pub fn integer_near<T: Integer>(&mut self, range: impl RangeBounds<T>, target: T) -> T {
        let (low, high) = ends(&range, T::LEAST, T::GREATEST, T::to_number);
        self.number(low, high, target.to_number())
    }

    fn number<T: Integer>(&mut self, low: i128, high: i128, target: i128) -> T {
        assert!(low <= high, "there is no integer from {low} to {high}: the range is empty");
        // Where nothing can be chosen, no choice is made.
        if low == high {
            return T::from_number(low);
        }
        T::from_number(self.choose(Kind::integer(low, high, target)))
    }

    /// Yes with these odds, from 0 to 1; no is simpler.
    pub fn boolean(&mut self, odds: f64) -> bool {
        if odds <= 0.0 || odds >= 1.0 {
            return odds >= 1.0;
        }
        self.choose(Kind::Boolean { odds }) == 1
    }

    /// A floating-point number of a range, what looks simple first. A range without an end has infinity in it, and one
    /// without a beginning also what is no number.
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
        assert!(low <= high, "there is no number from {low} to {high}: the range is empty");
        if low == high {
            return low;
        }
        float::from_place(self.choose(Kind::Float { low, high })).unwrap_or(low)
    }

    /// A character, what looks simple first: digits, letters, other signs of ASCII, all others.
    pub fn char(&mut self) -> char {
        // Surrogates are no characters, so there are fewer than codes.
        let place: u32 = self.integer(0..=LAST_CHARACTER as u32);
        match SIMPLE.get(place as usize) {
            Some(sign) => char::from(*sign),
            None => {
                char::from_u32(if place < 0xD800 { place } else { place + 0x800 }).unwrap_or('0')
            }
        }
    }

    /// A text of so many characters.
    pub fn text(&mut self, length: impl RangeBounds<usize>) -> String {
        self.list(length, Source::char).into_iter().collect()
    }

    /// A text of so many characters of an alphabet, the first one being the simplest.
    pub fn text_of(&mut self, alphabet: &str, length: impl RangeBounds<usize>) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        self.list(length, |s| *s.pick(&alphabet)).into_iter().collect()
    }

    /// So many bytes.
    pub fn bytes(&mut self, length: impl RangeBounds<usize>) -> Vec<u8> {
        self.list(length, |s| s.integer(..))
    }

    /// One of several, the first one being the simplest.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        assert!(!all.is_empty(), "nothing can be picked from an empty list");
        &all[self.integer(0..all.len())]
    }

    /// What one of several generators makes, the first one being the simplest.
    pub fn one_of<T>(&mut self, all: &[&dyn Fn(&mut Source) -> T]) -> T {
        self.pick(all)(self)
    }

    /// Something or nothing; nothing is simpler.
    pub fn option<T>(&mut self, generator: impl FnOnce(&mut Source) -> T) -> Option<T> {
        self.boolean(0.6).then(|| generator(self))
    }

    /// A list of so many items, each preceded by the choice that there is one, so that one that is cut out leaves a list.
    pub fn list<T, G: FnMut(&mut Source) -> T>(
        &mut self,
        length: impl RangeBounds<usize>,
        mut item: G,
    ) -> Vec<T> {
        // An item is of the same kind as whatever else this generator makes.
        let label = Label::of(std::any::type_name::<G>());
        let mut list = Vec::new();
        self.each(length, |s| {
            list.push(s.labelled(label, &mut item));
            true
        });
        list
    }

    /// A list of so many items of which no two are equal; the shorter one is simpler.
    pub fn distinct<T: PartialEq>(
        &mut self,
        length: impl RangeBounds<usize>,
        mut item: impl FnMut(&mut Source) -> T,
    ) -> Vec<T> {
        let mut list = Vec::new();
        self.each(length, |s| {
            let made = item(s);
            let is_new = !list.contains(&made);
            if is_new {
                list.push(made);
            }
            is_new
        });
        list
    }

    /// Makes items as long as there are to be more; one that is not accepted does not count.
    pub(crate) fn each(
        &mut self,
        length: impl RangeBounds<usize>,
        mut item: impl FnMut(&mut Source) -> bool,
    ) {
        let (least, most) = ends(&length, 0, i128::from(u32::MAX), |it| it as i128);
        let (least, most) = (least as usize, most as usize);
        assert!(least <= most, "there is no length from {least} to {most}: the range is empty");
        self.begin(Label::LIST);
        let odds = self.odds_of_more(least, most);
        let (mut length, mut refused) = (0, 0);
        while length < most {
            // An item begins with the choice that there is one even if there has to be: so all items look the same.
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

    /// Exactly so many items.
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
        // Nothing is below the least number of all, so such a range is empty.
        Bound::Excluded(high) if number(*high) == i128::MIN => return (i128::MAX, i128::MIN),
        Bound::Excluded(high) => number(*high) - 1,
        Bound::Unbounded => greatest,
    };
    (low, high)
}

/// The place of the last character.
pub(crate) const LAST_CHARACTER: i128 = 0x0010_FFFF - 0x800;

/// The characters of ASCII, what looks simple first.
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
