//! Floating-point numbers in the order of their simplicity.
//!
//! Each number has a *place* in this order: first the whole numbers from 0 up, then the numbers with one binary digit behind the point, with two, and
//! so on, then −0, huge and tiny numbers, then infinity, then NaN. A negative number has a negative place, so that
//! passes that lower numbers lower floating-point numbers as well. Invariant: `from_place(to_place(x))` has the bits of `x`, except
//! that there is one NaN.

/// Whole numbers below this one are their own place; above it, not every whole number is a floating-point number.
const WHOLE: i128 = 1 << 53;
/// The place of NaN.
pub(crate) const LAST: i128 = i128::MAX >> 32;
const INFINITE: i128 = LAST - 1;
const NEGATIVE_ZERO: u64 = 1 << 63;

/// The place of a number in the order of simplicity; negative for negative numbers.
pub fn to_place(number: f64) -> i128 {
    if number.is_nan() {
        return LAST;
    }
    let size = number.abs();
    let place = if size.is_infinite() {
        INFINITE
    } else if size.fract() == 0.0 && size < WHOLE as f64 && number.to_bits() != NEGATIVE_ZERO {
        size as i128
    } else {
        let digits = digits_behind(size);
        // Ordered by the number of digits behind the point, then by the number without its point.
        match (size * 2f64.powi(digits)) as i128 {
            shifted if digits > 0 && digits <= 60 && shifted < WHOLE => {
                WHOLE * i128::from(digits) + shifted
            }
            _ => WHOLE * 64 + i128::from(size.to_bits()),
        }
    };
    if number.is_sign_negative() { -place } else { place }
}

/// The number at a place; `None` if there is none.
pub fn from_place(place: i128) -> Option<f64> {
    let size = match place.checked_abs()? {
        LAST => f64::NAN,
        INFINITE => f64::INFINITY,
        at @ 0..WHOLE => at as f64,
        at if at < WHOLE * 64 => {
            let digits = (at / WHOLE) as i32;
            ((at % WHOLE) as f64) * 2f64.powi(-digits)
        }
        at => f64::from_bits(u64::try_from(at - WHOLE * 64).ok()?),
    };
    let number = if place < 0 { -size } else { size };
    // Each number has one place only.
    (to_place(number) == place).then_some(number)
}

/// Whether a range includes a number: one without a beginning includes NaN, and one that begins with 0 does not include −0.
pub(crate) fn is_in(number: f64, low: f64, high: f64) -> bool {
    let is_below = number.to_bits() == NEGATIVE_ZERO && low.to_bits() == 0;
    (low..=high).contains(&number) && !is_below || number.is_nan() && low == f64::NEG_INFINITY
}

/// Whether this is the place of a whole number below 2⁵³.
pub fn is_whole(place: i128) -> bool {
    place.unsigned_abs() < WHOLE.unsigned_abs()
}

/// The simplest number of a range.
pub fn simplest(low: f64, high: f64) -> f64 {
    if low <= 0.0 && high >= 0.0 {
        return 0.0;
    }
    let (near, far) = if low > 0.0 { (low, high) } else { (-high, -low) };
    let sign = if low > 0.0 { 1.0 } else { -1.0 };
    if near.ceil() <= far {
        return sign * near.ceil();
    }
    // As few digits behind the point as possible.
    let rounded = (1..60).map(|digits| {
        let scale = 2f64.powi(digits);
        (near * scale).ceil() / scale
    });
    sign * rounded.into_iter().find(|it| *it >= near && *it <= far).unwrap_or(near)
}

/// The number of binary digits behind the point.
fn digits_behind(size: f64) -> i32 {
    let mut digits = 0;
    let mut rest = size;
    while rest.fract() != 0.0 && digits <= 60 {
        rest *= 2.0;
        digits += 1;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_numbers_come_first() {
        let order = [
            0.0,
            1.0,
            2.0,
            3.0,
            1e15,
            0.5,
            1.5,
            0.25,
            0.75,
            0.1,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        let places: Vec<i128> = order.iter().map(|it| to_place(*it)).collect();
        assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
        assert!(
            order
                .iter()
                .skip(1)
                .filter(|it| !it.is_nan())
                .all(|it| to_place(-it) == -to_place(*it))
        );
    }

    #[test]
    fn every_number_has_one_place() {
        let mut random = lop_testing::random();
        for _ in 0..100_000 {
            let number = match random.u8(..4) {
                3 => *random.choice(&[0.0, -0.0]).unwrap(),
                0 => f64::from_bits(random.u64(..)),
                1 => random.f64() * 2f64.powi(random.i32(-70..70)),
                _ => f64::from(random.i32(..)) / 2f64.powi(random.i32(..40)),
            };
            let back = from_place(to_place(number));
            let same = back.is_some_and(|it| {
                it.to_bits() == number.to_bits() || it.is_nan() && number.is_nan()
            });
            assert!(same, "{number:?} became {back:?}");
        }
    }

    #[test]
    fn the_simplest_number_of_a_range_is_in_it() {
        let ranges = [
            (-1.0, 1.0),
            (0.3, 0.9),
            (2.5, 7.0),
            (-7.0, -2.5),
            (0.1, 0.2),
            (1e300, 1e301),
            (0.1, 0.1),
        ];
        let simple = [0.0, 0.5, 3.0, -3.0, 0.125, 1e300, 0.1];
        for ((low, high), expected) in ranges.into_iter().zip(simple) {
            assert_eq!(simplest(low, high), expected, "{low} to {high}");
        }
    }
}
