//! Problems of grammars, as compilers print them: the file, the line, the column, and the line itself.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The text of a grammar file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of the file, for messages.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// A place in a source.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// The range of its text.
    pub range: Range<usize>,
}

/// An error in a grammar, or a remark about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The cause and the cure.
    pub message: String,
    /// The place, if it is in a file.
    pub place: Option<Place>,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Severity {
    /// The grammar cannot be used.
    Error,
    /// The grammar can be used, but may not mean what its author intended.
    Warning,
}

impl Place {
    /// The line and the column, from 1, and the text of the line.
    pub fn line(&self) -> (usize, usize, &str) {
        let text = &self.source.text;
        let at = boundary(text, self.range.start);
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let number = text[..start].matches('\n').count() + 1;
        (number, text[start..at].chars().count() + 1, text[start..end].trim_end())
    }

    /// The number of characters in its first line, at least one.
    fn width(&self) -> usize {
        let text = &self.source.text;
        let (start, end) = (boundary(text, self.range.start), boundary(text, self.range.end));
        let marked = &text[start..end.max(start)];
        marked.chars().take_while(|c| *c != '\n').count().max(1)
    }
}

/// The last place between two characters, at this one or before it: a range may have been cut by bytes.
fn boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

impl Problem {
    pub(crate) fn error(place: Place, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Error, message: message.into(), place: Some(place) }
    }

    pub(crate) fn warning(place: Place, message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(place, message) }
    }

    /// A problem of a whole grammar.
    pub(crate) fn general(message: impl Into<String>) -> Problem {
        Problem { severity: Severity::Error, message: message.into(), place: None }
    }
}

/// The longest line that is printed: grammars may have tables of characters in one line.
const LONGEST_LINE: usize = 160;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let Some(place) = &self.place else { return write!(f, "{severity}: {}", self.message) };
        let (line, column, text) = place.line();
        write!(f, "{}:{line}:{column}: {severity}: {}", place.source.name, self.message)?;
        if text.chars().count() <= LONGEST_LINE {
            let number = line.to_string();
            // A tab before the place is also one in the line below.
            let indent: String =
                text.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(f, "\n  {number} | {text}")?;
            write!(f, "\n  {} | {indent}{}", " ".repeat(number.len()), "^".repeat(place.width()))?;
        }
        Ok(())
    }
}
