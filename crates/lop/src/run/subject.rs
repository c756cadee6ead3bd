//! The subject: the text or the files in it, its format, the knowledge of passes, and whether candidates must parse.

use std::ops::Range;
use std::sync::Arc;

use crate::reduce::passes::Lore;
use crate::reduce::units::{Atoms, Unit, atoms_of_parts};
use crate::text::{Bundle, Keep, Member, Turn};
use crate::tree::Format;

/// The subject of a run.
#[derive(Clone)]
pub(crate) struct Subject {
    pub(super) format: Format,
    /// The protected parts.
    pub(super) keep: Arc<Keep>,
    /// The knowledge of passes besides the text.
    pub(super) lore: Arc<Lore>,
    /// Whether no candidate may have more errors than the input.
    pub(super) valid: bool,
    /// If the text is several files in one: the bundle that separates them, and the turn in which files are reduced
    /// now.
    pub(super) files: Option<(Bundle, Turn)>,
    /// Whether candidates that do not parse are left out; `None` if that is undecided.
    pub(super) guarded: Option<bool>,
    /// Whether the oracle has accepted candidates that do not parse; `None` if it was not asked yet.
    pub(super) takes_broken: Option<bool>,
}

impl Subject {
    pub(crate) fn new(format: Format, keep: Keep, lore: Lore, valid: bool) -> Self {
        Subject {
            format,
            keep: Arc::new(keep),
            lore: Arc::new(lore),
            valid,
            files: None,
            guarded: None,
            takes_broken: None,
        }
    }

    /// Reduces the files of a turn from now on; together they are in this format.
    pub(super) fn take_turn(&mut self, bundle: &Bundle, turn: Turn, format: Format) {
        self.files = Some((bundle.clone(), turn));
        self.format = format;
        // Other files may have other parsers.
        self.takes_broken = None;
    }

    /// The atoms of one level of a unit, in all files that are reduced.
    pub(super) fn atoms(&self, unit: &Unit, level: usize, text: &[u8]) -> Option<Box<dyn Atoms>> {
        match &self.files {
            None => (unit.atoms)(text, level),
            Some(_) => atoms_of_parts(unit, level, text, self.contents(text)),
        }
    }

    fn contents(&self, text: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let files = self.files.as_ref().map(|(bundle, turn)| {
            let members = bundle.members(text).into_iter();
            members.filter(|member| member.has(*turn) && member.is_regular())
        });
        files.into_iter().flatten().map(|member: Member| member.content)
    }
}
