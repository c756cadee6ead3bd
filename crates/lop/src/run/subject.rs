//! What is reduced: the text or a part of it, what it is taken for, what passes know, and whether candidates must parse.

use std::ops::Range;
use std::sync::Arc;

use crate::reduce::passes::Lore;
use crate::text::{Around, Keep, Text};
use crate::tree::Format;

/// What is reduced.
pub(crate) struct Subject {
    pub(super) format: Format,
    /// What must be kept.
    pub(super) keep: Arc<Keep>,
    /// What passes know besides the text.
    pub(super) lore: Lore,
    /// The part that is reduced, if it is not all of the text.
    pub(super) focus: Option<Focus>,
    /// Whether no candidate may have more errors than the input.
    pub(super) valid: bool,
    /// Whether candidates that do not parse are left out; `None` if that was not decided yet.
    pub(super) guarded: Option<bool>,
    /// Whether the oracle has taken candidates that do not parse; `None` if it was not asked yet.
    pub(super) takes_broken: Option<bool>,
}

/// A part of the text, by itself.
pub(super) struct Focus {
    pub(super) text: Text,
    pub(super) around: Arc<Around>,
    /// The format of the whole.
    outer: Format,
}

impl Subject {
    pub(crate) fn new(format: Format, keep: Keep, lore: Lore, valid: bool) -> Self {
        Subject {
            format,
            keep: Arc::new(keep),
            lore,
            focus: None,
            valid,
            guarded: None,
            takes_broken: None,
        }
    }

    /// From here on, all is about a part of a text.
    pub(super) fn focus_on(&mut self, text: &Text, part: Range<usize>, format: Format) {
        let around =
            Around { before: text[..part.start].to_vec(), after: text[part.end..].to_vec() };
        let text = Arc::new(text[part].to_vec());
        let outer = std::mem::replace(&mut self.format, format);
        self.focus = Some(Focus { text, around: Arc::new(around), outer });
        // Another language may have another parser.
        self.takes_broken = None;
    }

    /// All is about the whole again.
    pub(super) fn unfocus(&mut self) {
        if let Some(focus) = self.focus.take() {
            self.format = focus.outer;
        }
    }

    /// The part of a new text, of which all else is as it was.
    pub(super) fn follow(&mut self, text: &Text) {
        if let Some(focus) = &mut self.focus {
            let part = focus.around.before.len()..text.len() - focus.around.after.len();
            focus.text = Arc::new(text[part].to_vec());
        }
    }
}
