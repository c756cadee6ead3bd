//! The files of `--with`, which accompany each candidate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::exit::{Code, Failure};
use crate::input;
use crate::listing::files_in;
use crate::reading::cure;

/// Files that accompany each candidate: their places, and their paths in the directory of the test.
#[derive(Default)]
pub(crate) struct With {
    /// The paths that the user named.
    pub(crate) roots: Vec<(PathBuf, PathBuf)>,
    /// The files among them.
    pub(crate) files: Vec<(PathBuf, PathBuf)>,
}

/// The directory of the input; for several files, the one that their paths start from.
pub(crate) fn home(inputs: &[PathBuf]) -> PathBuf {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match inputs {
        [only] if !input::is_standard(only) => {
            absolute(only).parent().map_or_else(|| "/".into(), Path::to_owned)
        }
        _ => absolute(Path::new(".")),
    }
}

impl With {
    /// Finds the files of `--with` for an input whose files have these paths in the directory of the test. `own` are the
    /// files that lop itself writes: they change during the run.
    pub(crate) fn find(
        named: &[PathBuf],
        inputs: &[PathBuf],
        taken: &[PathBuf],
        own: &[PathBuf],
    ) -> Result<With, Failure> {
        let canonical = |path: &PathBuf| fs::canonicalize(path).ok();
        let home = home(inputs);
        let home = fs::canonicalize(&home).unwrap_or(home);
        let inputs: Vec<PathBuf> = inputs.iter().filter_map(canonical).collect();
        let own: Vec<PathBuf> = own.iter().filter_map(canonical).collect();
        let mut roots = Vec::new();
        let mut files = BTreeMap::new();
        for path in named {
            let wrong = |message: String| Failure::new(Code::Usage, message);
            let shown = path.display();
            let source = fs::canonicalize(path).map_err(|error| {
                wrong(format!("cannot read `{shown}` of --with: {error}")).help(cure(&error))
            })?;
            let name = match source.strip_prefix(&home) {
                Ok(below) => below.to_owned(),
                Err(_) => input::inside(path),
            };
            if !source.is_dir() && !source.is_file() {
                return Err(wrong(format!(
                    "`{shown}` of --with is neither a file nor a directory"
                ))
                .help("leave it out, or copy its content to a file"));
            }
            let found = match source.is_dir() {
                // The target of a link to a file is copied; other links and empty directories are left out.
                true => files_in(&source, &name)?
                    .into_iter()
                    .filter(|found| found.place.is_file())
                    .map(|found| (found.place, found.name))
                    .collect(),
                false => vec![(source.clone(), name.clone())],
            };
            // A part of a directory that is reduced can be kept unchanged; a file that is reduced cannot.
            let is_part = inputs.iter().any(|input| source.starts_with(input) && source != *input);
            let is_free = |(source, name): &(PathBuf, PathBuf)| {
                let is_of = |all: &[PathBuf]| all.iter().any(|each| source.starts_with(each));
                let is_taken = taken.iter().any(|each| name.starts_with(each));
                !is_of(&own) && (is_part || !is_of(&inputs) && !is_taken)
            };
            let before = files.len();
            files.extend(found.into_iter().filter(is_free).map(|(source, name)| (name, source)));
            if files.len() == before {
                return Err(wrong(format!("`{shown}` of --with has no file besides the input"))
                    .help("name the files that the test needs: --with PATH"));
            }
            roots.push((source, name));
        }
        let files = files.into_iter().map(|(name, source)| (source, name)).collect();
        Ok(With { roots, files })
    }

    /// Whether a file is among them.
    pub(crate) fn has(&self, file: &Path) -> bool {
        fs::canonicalize(file)
            .is_ok_and(|file| self.files.iter().any(|(source, _)| *source == file))
    }
}
