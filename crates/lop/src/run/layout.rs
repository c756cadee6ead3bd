//! The last step of a run: lays the result out.
//!
//! A layout that is interesting replaces the result. That test also confirms the result, so a run usually takes no more
//! tests than without this step; if no layout is interesting, each cost one. The tests are not counted among those of
//! the search, and are the same with any number of workers. If the run is stopped, they may take one more second.

use std::ops::Range;
use std::sync::Arc;

use crate::text::{Bundle, Keep, Text};
use crate::tree::{Format, Style, Tree};

/// How the result of a run is laid out at the end.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub enum Layout<'r> {
    /// It stays as the search left it: the smallest text that was found.
    #[default]
    AsFound,
    /// As the original is: see [`Style`]. Texts in no known language stay as they are.
    AsOriginal,
    /// By a formatter; if its output isn't interesting, as the original is.
    By(&'r Formatter<'r>),
}

/// Formats a text in a language; `None` if it cannot.
pub type Formatter<'r> = dyn Fn(&Format, &[u8]) -> Option<Vec<u8>> + 'r;

/// The most tests that are spent on layout.
const MOST: usize = 12;

/// A result, and what its layout depends on.
pub(super) struct Result<'a> {
    pub(super) text: &'a Text,
    pub(super) original: &'a Text,
    pub(super) format: &'a Format,
    pub(super) bundle: Option<&'a Bundle>,
    pub(super) keep: &'a Keep,
}

/// A file of the result.
struct File {
    /// Its content in the result.
    content: Range<usize>,
    /// Its possible layouts, the best first.
    layouts: Vec<Vec<u8>>,
}

impl Result<'_> {
    /// The result in the best layout that is interesting; `None` if no layout is.
    pub(super) fn laid_out(
        &self,
        layout: Layout<'_>,
        mut is_interesting: impl FnMut(&Text) -> bool,
    ) -> Option<Text> {
        let files = self.files(layout);
        let mut chosen: Vec<Option<&[u8]>> = vec![None; files.len()];
        let mut tests = 0;
        let mut accepts = |chosen: &[Option<&[u8]>]| {
            let text = Arc::new(self.with(&files, chosen));
            tests += 1;
            (tests <= MOST && self.keep.is_in(&text) && is_interesting(&text)).then_some(text)
        };
        let best: Vec<Option<&[u8]>> =
            files.iter().map(|file| file.layouts.first().map(Vec::as_slice)).collect();
        if best.iter().all(Option::is_none) {
            return None;
        }
        let mut result = accepts(&best);
        if result.is_some() {
            return result;
        }
        // A single file may make the layout boring, so each is laid out separately.
        for (index, file) in files.iter().enumerate() {
            let is_known = files.len() == 1;
            for layout in file.layouts.iter().skip(usize::from(is_known)) {
                chosen[index] = Some(layout);
                if let Some(text) = accepts(&chosen) {
                    result = Some(text);
                    break;
                }
                chosen[index] = None;
            }
        }
        result
    }

    fn files(&self, layout: Layout<'_>) -> Vec<File> {
        let Some(bundle) = self.bundle else {
            let content = 0..self.text.len();
            let layouts = layouts(layout, self.format, self.original, self.text);
            return vec![File { content, layouts }];
        };
        let originals = bundle.members(self.original);
        let members = bundle.members(self.text).into_iter();
        let files = members.map(|member| {
            let original = originals.iter().find(|original| original.path == member.path);
            let original = original.map_or(0..0, |original| original.content.clone());
            let original = Arc::new(self.original[original].to_vec());
            let text = Arc::new(self.text[member.content.clone()].to_vec());
            let format = Format::guess(&member.path, &original);
            File { content: member.content, layouts: layouts(layout, &format, &original, &text) }
        });
        files.collect()
    }

    /// The result with other layouts of some of its files.
    fn with(&self, files: &[File], chosen: &[Option<&[u8]>]) -> Vec<u8> {
        let mut text = Vec::new();
        let mut at = 0;
        for (file, layout) in files.iter().zip(chosen) {
            text.extend(&self.text[at..file.content.start]);
            text.extend(layout.unwrap_or(&self.text[file.content.clone()]));
            at = file.content.end;
        }
        text.extend(&self.text[at..]);
        text
    }
}

/// The layouts of a text, the best first.
fn layouts(layout: Layout<'_>, format: &Format, original: &Text, text: &Text) -> Vec<Vec<u8>> {
    let formatted = match layout {
        Layout::AsFound => return Vec::new(),
        Layout::AsOriginal => None,
        Layout::By(formatter) => formatter(format, text),
    };
    let mut layouts: Vec<Vec<u8>> =
        formatted.into_iter().filter(|formatted| *formatted != **text).collect();
    // A text that was not reduced still has its own layout.
    if format.parser().can_be_laid_out() && original.len() <= Tree::LONGEST && text != original {
        let style = Style::of(&Tree::parse(original, format));
        let own = style.layouts(&Tree::parse(text, format), format);
        // If little was removed, a layout may be larger than the original.
        layouts.extend(own.into_iter().filter(|layout| layout.len() <= original.len()));
    }
    layouts
}
