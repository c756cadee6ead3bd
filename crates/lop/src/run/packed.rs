//! Handles inputs with compressed parts, or with values that are numbered by their order: neither can be reduced in
//! place.
//!
//! The run continues with a copy of the input in which these parts are stored uncompressed, if that copy is
//! interesting, too. Otherwise they stay as they are, and only the rest is written in a form that can be reduced, if
//! the format has one. At the end, the result is compressed again if that makes it smaller and it is still interesting.
//! Meanwhile the file on disk may be larger than the original, but never boring.

use std::fmt;

use crate::oracle::Oracle;
use crate::search::Cancel;
use crate::text::{Bundle, Keep, Member, Text};
use crate::tree::Format;

use super::reduction::still_interesting;

/// An input with compressed parts, and its copy without.
pub(super) struct Packed {
    original: Text,
    unpacked: Text,
    files: Files,
    way: Way,
}

/// A way to write a file so that it can be reduced, and a note on it for the user.
type Way = (fn(&Format, &[u8]) -> Option<Vec<u8>>, &'static str);

/// All ways; the one that allows the most reduction comes first. A bug in a reader of compressed parts needs them
/// compressed.
const WAYS: [Way; 3] = [
    (Format::unpack, "the input's compressed parts are stored uncompressed while it is reduced"),
    (Format::rewrite, "the input's parts are written one after the other while it is reduced"),
    (Format::name_all, "the input's values without a name have one while it is reduced"),
];

/// The files of the input: one with its format, or several, each with its own.
struct Files {
    format: Format,
    bundle: Option<Bundle>,
}

impl Files {
    /// A copy of the input in which every file is rewritten, if that makes a difference.
    fn rewritten(
        &self,
        text: &[u8],
        rewrite: fn(&Format, &[u8]) -> Option<Vec<u8>>,
    ) -> Option<Text> {
        let Some(bundle) = &self.bundle else { return rewrite(&self.format, text).map(Text::new) };
        let file = |Member { path, content, .. }| {
            let content = &text[content];
            let new = rewrite(&Format::guess(&path, content), content);
            (path, new.unwrap_or_else(|| content.to_vec()))
        };
        let files: Vec<_> = bundle.members(text).into_iter().map(file).collect();
        let files = files.iter().map(|(path, content)| (path.as_path(), content.as_slice()));
        Some(bundle.join(files)).filter(|new| **new != text)
    }
}

impl Packed {
    /// Unpacks an input; `None` if it has no compressed parts, or if all copies are boring.
    pub(super) fn of(
        original: &Text,
        (format, bundle): (&Format, Option<&Bundle>),
        oracle: &dyn Oracle,
        keep: &Keep,
        stop: &Cancel,
    ) -> Option<Packed> {
        let files = Files { format: format.clone(), bundle: bundle.cloned() };
        let is_good =
            |copy: &Text| keep.is_in(copy) && still_interesting(oracle, copy, stop) == Some(true);
        let mut copies = WAYS.into_iter().filter_map(|way| {
            let unpacked = files.rewritten(original, way.0).filter(is_good)?;
            Some((unpacked, way))
        });
        let (unpacked, way) = copies.next()?;
        Some(Packed { original: original.clone(), unpacked, files, way })
    }

    /// The copy of the input, or of the result of an earlier run.
    pub(super) fn unpack(&self, text: Text) -> Text {
        if text == self.original {
            return self.unpacked.clone();
        }
        self.files.rewritten(&text, self.way.0).unwrap_or(text)
    }

    /// A smaller copy of the result, if there is one that is interesting: the result with its parts compressed, or the original.
    pub(super) fn pack(&self, best: &Text, oracle: &dyn Oracle, stop: &Cancel) -> Option<Text> {
        let packed = self.files.rewritten(best, Format::pack);
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

/// The files that can only be reduced as bytes, as sentences.
pub(super) fn obstacles(text: &[u8], (format, bundle): (&Format, Option<&Bundle>)) -> Vec<String> {
    let sentence = |name: &str, reason: String| format!("{name} {reason}; it is reduced as bytes");
    match bundle {
        None => format.obstacle(text).map(|it| sentence("the input", it)).into_iter().collect(),
        Some(bundle) => {
            let member = |Member { path, content, .. }: Member| {
                let reason =
                    Format::guess(&path, &text[content.clone()]).obstacle(&text[content])?;
                Some(sentence(&format!("`{}`", path.display()), reason))
            };
            bundle.members(text).into_iter().filter_map(member).collect()
        }
    }
}

/// The note for the user.
impl fmt::Display for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} bytes", self.way.1, self.unpacked.len())
    }
}
