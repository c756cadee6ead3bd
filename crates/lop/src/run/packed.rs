//! An input with compressed parts, which cannot be reduced in place.
//!
//! The run goes on with a copy of the input in which these parts are stored as they are, if that copy is interesting, too;
//! otherwise they stay as they are. The result is compressed again at the end, if that makes it smaller and it is still interesting.
//! On disk there may be a file larger than the original meanwhile, but never a boring one.

use std::fmt;

use crate::oracle::Oracle;
use crate::search::Cancel;
use crate::text::{Keep, Text};
use crate::tree::Format;

use super::reduction::still_interesting;

/// An input with compressed parts, and its copy without.
pub(super) struct Packed {
    original: Text,
    unpacked: Text,
    format: Format,
}

impl Packed {
    /// Unpacks an input; `None` if it has no compressed parts, or if its copy is boring.
    pub(super) fn of(
        original: &Text,
        format: &Format,
        oracle: &dyn Oracle,
        keep: &Keep,
        stop: &Cancel,
    ) -> Option<Packed> {
        let unpacked = Text::new(format.unpack(original)?);
        let is_good =
            keep.is_in(&unpacked) && still_interesting(oracle, &unpacked, stop) == Some(true);
        let (original, format) = (original.clone(), format.clone());
        is_good.then_some(Packed { original, unpacked, format })
    }

    /// The copy of the input, or of the result of an earlier run.
    pub(super) fn unpack(&self, text: Text) -> Text {
        if text == self.original {
            return self.unpacked.clone();
        }
        self.format.unpack(&text).map_or(text, Text::new)
    }

    /// A smaller copy of the result, if there is one that is interesting: the result with its parts compressed, or the original.
    pub(super) fn pack(&self, best: &Text, oracle: &dyn Oracle, stop: &Cancel) -> Option<Text> {
        let packed = self.format.pack(best).map(Text::new);
        let packed = packed.filter(|packed| {
            packed.len() < best.len() && still_interesting(oracle, packed, stop) == Some(true)
        });
        let least = packed.as_ref().unwrap_or(best).len();
        if self.original.len() <= least { Some(self.original.clone()) } else { packed }
    }

    pub(super) fn original(&self) -> Text {
        self.original.clone()
    }
}

/// What the user should know.
impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the input's compressed parts are stored uncompressed while it is reduced: {} bytes",
            self.unpacked.len()
        )
    }
}
