//! How the tokens of a text are counted.
//!
//! A gauge is fixed for a run, and the size of a text depends on nothing else: not on the texts that were measured before it, nor
//! on whether it parses. A text whose quote was cut off counts about as much as before.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::forms::Forms;
use super::lexer::Lexer;
use super::{Bundle, Size, Text};

/// How the tokens of texts are counted: which quotes and comments their language has. The default is for texts in no
/// known language.
#[derive(Clone)]
pub struct Gauge {
    forms: Forms,
    files: Option<Arc<Files>>,
    /// Decides whether a text parses, if that matters.
    parses: Option<Arc<Parses>>,
}

type Parses = dyn Fn(&Text) -> bool + Send + Sync;

/// The gauges of several files in one text.
struct Files {
    bundle: Bundle,
    forms: HashMap<PathBuf, Forms>,
}

impl Default for Gauge {
    fn default() -> Self {
        Gauge::new(Forms::PLAIN)
    }
}

impl Gauge {
    pub(crate) fn new(forms: Forms) -> Self {
        Gauge { forms, files: None, parses: None }
    }

    /// The gauge for several files in one text, each with its own gauge.
    pub fn of_several(bundle: &Bundle, gauges: Vec<(PathBuf, Gauge)>) -> Self {
        let forms = gauges.into_iter().map(|(path, gauge)| (path, gauge.forms)).collect();
        let files = Files { bundle: bundle.clone(), forms };
        Gauge { files: Some(Arc::new(files)), ..Gauge::default() }
    }

    /// The tokens of a text, in order.
    pub fn tokens(&self, text: &[u8]) -> impl Iterator<Item = Range<usize>> {
        let parts = self.parts(text).into_iter();
        parts
            .scan(0, |start, (end, forms)| Some((std::mem::replace(start, end), end, forms)))
            .flat_map(|(start, end, forms)| Lexer::new(&text[..end], start, forms))
    }

    /// This gauge, but a text that does not parse counts as larger than another one with as many tokens.
    pub(crate) fn preferring(self, parses: impl Fn(&Text) -> bool + Send + Sync + 'static) -> Self {
        Gauge { parses: Some(Arc::new(parses)), ..self }
    }

    /// Whether it matters that a text parses.
    pub(super) fn prefers_parsed(&self) -> bool {
        self.parses.is_some()
    }

    /// Whether a text does not parse, if that matters.
    pub(super) fn is_broken(&self, text: &Text) -> bool {
        self.parses.as_ref().is_some_and(|parses| !parses(text))
    }

    /// The size of the headers between several files: they are part of the text, but of none of the files.
    pub(super) fn headers(&self, text: &[u8]) -> Size {
        let mut headers = Size::default();
        let Some(files) = &self.files else { return headers };
        for member in files.bundle.members(text) {
            let Size { tokens, characters, bytes } =
                Size::of(&text[member.whole.start..member.content.start]);
            headers.tokens += tokens;
            headers.characters += characters;
            headers.bytes += bytes;
        }
        headers
    }

    /// The parts of a text that are read one by one: the end of each, and its forms. The ends are ascending, and the
    /// last one is that of the text.
    pub(super) fn parts(&self, text: &[u8]) -> Vec<(usize, Forms)> {
        let mut parts = Vec::new();
        if let Some(files) = &self.files {
            for member in files.bundle.members(text) {
                let forms = files.forms.get(&member.path).copied();
                parts.push((member.content.start, Forms::PLAIN));
                parts.push((member.content.end, forms.unwrap_or(Forms::PLAIN)));
            }
        }
        parts.push((text.len(), self.forms));
        parts
    }
}

impl fmt::Debug for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gauge").field("forms", &self.forms).finish_non_exhaustive()
    }
}
