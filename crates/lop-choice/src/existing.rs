//! Existing generators: those of the crates `arbitrary` and `rand`.

#[cfg(any(feature = "arbitrary", feature = "rand"))]
use crate::choice::Kind;
#[cfg(any(feature = "arbitrary", feature = "rand"))]
use crate::source::Source;

#[cfg(feature = "arbitrary")]
impl Source {
    /// Draws a value of a type that implements the `Arbitrary` of the crate [`arbitrary`].
    ///
    /// That crate reads most values from the front of its bytes and the lengths of texts from the back, and takes zeros for
    /// missing bytes. Each byte is one choice, so that the reducer can remove any of them. Bytes from which no value can be made are rejected.
    pub fn arbitrary<T: for<'a> arbitrary::Arbitrary<'a>>(&mut self) -> T {
        let bytes = self.raw_bytes();
        match T::arbitrary_take_rest(arbitrary::Unstructured::new(&bytes)) {
            Ok(made) => made,
            Err(_) => self.reject(),
        }
    }

    /// Draws bytes until the choice that there are no more, which is the simplest one.
    fn raw_bytes(&mut self) -> Vec<u8> {
        self.span("raw bytes", |s| {
            let kind = Kind::integer(0, 256, 0);
            std::iter::from_fn(|| u8::try_from(s.choose(kind) - 1).ok()).collect()
        })
    }
}

/// A random number generator whose numbers are choices, for code that was written for the crate `rand`.
#[cfg(feature = "rand")]
pub struct Random<'s>(&'s mut Source);

#[cfg(feature = "rand")]
impl Source {
    /// A random number generator whose numbers are choices of this source.
    pub fn random_numbers(&mut self) -> Random<'_> {
        Random(self)
    }
}

#[cfg(feature = "rand")]
impl rand_core::RngCore for Random<'_> {
    fn next_u32(&mut self) -> u32 {
        self.0.choose_evenly(Kind::integer(0, u32::MAX.into(), 0)) as u32
    }

    fn next_u64(&mut self) -> u64 {
        self.0.choose_evenly(Kind::integer(0, u64::MAX.into(), 0)) as u64
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        bytes
            .iter_mut()
            .for_each(|byte| *byte = self.0.choose_evenly(Kind::integer(0, 255, 0)) as u8);
    }
}
