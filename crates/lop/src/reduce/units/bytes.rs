//! Single bytes.

use crate::search::Subset;
use crate::text::{Candidate, Text};

use super::{Atoms, some};

pub(super) fn bytes(text: &[u8], level: usize) -> Option<Box<dyn Atoms>> {
    (level == 0).then_some(Bytes(text.len())).and_then(some)
}

struct Bytes(usize);

impl Atoms for Bytes {
    fn len(&self) -> usize {
        self.0
    }

    fn keep(&self, text: &Text, kept: &Subset) -> Candidate {
        Candidate::without(text, kept.gaps(self.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::units::tests::check;

    #[test]
    fn each_byte_is_an_atom() {
        check("bytes", 0, "a\0b", &["\0b", "ab", "a\0"]);
        check("bytes", 0, "", &[]);
    }
}
