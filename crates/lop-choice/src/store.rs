//! The files in which reduced choices are kept. The next check tries them first.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{error, fmt, fs, io};

use crate::choices::Choices;
use crate::failure::Failure;
use crate::record::{Label, Values};

/// The files of one property.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    directory: PathBuf,
    name: String,
}

/// Choices that an earlier check kept.
pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    pub(crate) values: Values,
    /// The failure for which they were kept, as text.
    pub(crate) failure: Option<String>,
}

/// Reduced choices could not be written to their file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KeepError {
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub source: Arc<io::Error>,
}

impl fmt::Display for KeepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} could not be written: {}", self.path.display(), self.source)
    }
}

impl error::Error for KeepError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        Some(&*self.source)
    }
}

/// The extension of the files.
const EXTENSION: &str = "choices";

impl Store {
    pub(crate) fn new(directory: &Path, name: &str) -> Store {
        let is_plain = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
        let name = name
            .replace("::", "-")
            .chars()
            .map(|sign| if is_plain(sign) { sign } else { '_' })
            .collect();
        Store { directory: directory.to_owned(), name }
    }

    /// All kept choices, with their files. A file that cannot be read is reported and skipped.
    pub(crate) fn all(&self) -> Vec<Kept> {
        let Ok(entries) = fs::read_dir(&self.directory) else { return Vec::new() };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut paths: Vec<PathBuf> = paths.filter(|path| self.is_ours(path)).collect();
        paths.sort();
        let read = |path: PathBuf| match fs::read_to_string(&path)
            .map_err(|it| it.to_string())
            .and_then(|text| text.parse::<Choices>().map_err(|it| it.to_string()))
        {
            Ok(Choices { values, comments, .. }) => {
                Some(Kept { path, values, failure: comments.into_iter().next() })
            }
            Err(why) => {
                eprintln!("lop: {} is skipped: {why}", path.display());
                None
            }
        };
        paths.into_iter().filter_map(read).collect()
    }

    fn is_ours(&self, path: &Path) -> bool {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let rest = stem.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('.'));
        path.extension().is_some_and(|it| it == EXTENSION)
            && rest.is_some_and(|rest| !rest.contains('.'))
    }

    /// Keeps the choices of a failure in a file. They replace those in the file `before`, with which it was found: its name is another one after a
    /// line was added above the place of the failure.
    pub(crate) fn keep(
        &self,
        failure: &Failure,
        notes: &[String],
        values: Values,
        before: Option<&Path>,
    ) -> Result<PathBuf, KeepError> {
        // One file for each kind of failure: a simpler case for the same failure replaces it.
        let kind = Label::of(failure.kind()).0 as u32;
        let path = self.directory.join(format!("{}.{kind:08x}.{EXTENSION}", self.name));
        let comments = std::iter::once(failure.to_string()).chain(notes.iter().cloned()).collect();
        let choices = Choices { comments, values, ..Choices::default() };
        let write = || {
            fs::create_dir_all(&self.directory)?;
            fs::write(&path, choices.to_string())?;
            before.filter(|before| *before != path).map_or(Ok(()), fs::remove_file)
        };
        match write() {
            Ok(()) => Ok(path),
            Err(source) => Err(KeepError { path, source: Arc::new(source) }),
        }
    }
}

/// Whether a failure is the one for which choices were kept, perhaps at another place of the same file. Other checks may have kept choices with
/// which this property fails, too.
pub(crate) fn is_moved(kept: Option<&str>, failure: &Failure) -> bool {
    let Some(kept) = kept else { return true };
    let message = failure.message.lines().next().unwrap_or_default();
    let kept = match &failure.place {
        None => Some(kept),
        Some(place) => {
            let file = place.rsplitn(3, ':').last().unwrap_or_default();
            let rest = kept.strip_prefix("panicked at ").and_then(|kept| kept.strip_prefix(file));
            // `:12:5: the message`
            rest.and_then(|rest| rest.strip_prefix(':')?.splitn(3, ':').nth(2))
        }
    };
    kept.is_some_and(|kept| lasting(kept).eq(lasting(message)))
}

/// The words of a message that are the same in each run: not paths of temporary files, addresses, or the values of the case.
fn lasting(message: &str) -> impl Iterator<Item = &str> {
    let varies = |word: &str| word.contains(|sign: char| sign.is_ascii_digit() || sign == '/');
    message.split_whitespace().filter(move |word| !varies(word))
}
