//! Files beside the input. `--with` puts some of them beside each candidate; for a test that fails without its
//! neighbours, lop finds out whether it needs them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::oracle::execute::Beside;
use lop::oracle::{Outcome, Property, Signature};
use lop::{Cancel, Candidate};

use crate::command::quoted;
use crate::exit::{Code, Failure};
use crate::input;
use crate::listing::files_in;
use crate::oracle;
use crate::question::Question;
use crate::resume::fingerprint;

/// Files that are put beside each candidate: where they are, and their paths in the directory of the test.
#[derive(Default)]
pub(crate) struct With {
    /// What the user named.
    pub(crate) roots: Vec<(PathBuf, PathBuf)>,
    /// The files among it.
    pub(crate) files: Vec<(PathBuf, PathBuf)>,
}

/// The directory that the input is in; of several files, the one that their paths start from.
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
            let source = fs::canonicalize(path)
                .map_err(|error| wrong(format!("cannot read `{shown}` of --with: {error}")))?;
            let name = match source.strip_prefix(&home) {
                Ok(below) => below.to_owned(),
                Err(_) => input::inside(path),
            };
            let found = match source.is_dir() {
                // What a link to a file leads to is copied; other links and empty directories are left out.
                true => files_in(&source, &name)?
                    .into_iter()
                    .filter(|found| found.place.is_file())
                    .map(|found| (found.place, found.name))
                    .collect(),
                false => vec![(source.clone(), name.clone())],
            };
            // A part of a directory that is reduced can be left as it is; a file that is reduced cannot.
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

    /// The identity of the files.
    pub(crate) fn fingerprint(&self) -> String {
        let content = |source: &Path| fingerprint(&Arc::new(fs::read(source).unwrap_or_default()));
        let each = self.files.iter().map(|(source, name)| format!("{name:?} {}", content(source)));
        fingerprint(&Arc::new(each.collect::<Vec<_>>().join("\n").into_bytes()))
    }
}

/// For a test that does not accept the original: what helps, if it does with the files beside the input, or with those of
/// the current directory.
pub(crate) fn missing(
    question: &Question,
    property: Option<&Property>,
    outcome: &Outcome,
    stop: &Cancel,
) -> Option<String> {
    let here = std::path::absolute(".").ok()?;
    let mut places = vec![&question.home, &here];
    places.dedup();
    let place = places.into_iter().find(|place| is_enough(question, place, property, stop))?;
    let shown = match place.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => quoted(below),
        Err(_) => quoted(place),
    };
    let named: String =
        mentioned(question, outcome).iter().map(|name| format!("--with {name}, or ")).collect();
    Some(format!(
        "the test accepts the original if the other files of `{}` are beside it, but tests run in\n\
         a private directory. Put the files there that the test needs: {named}--with FILE for one\n\
         of them, --with {shown} for all; or let the test find them in $LOP_DIR, the input's directory",
        place.display()
    ))
}

/// Whether the test accepts the original with everything that is in a directory beside it. The test runs once, among
/// links, so what it leaves behind does not matter.
fn is_enough(
    question: &Question,
    directory: &Path,
    property: Option<&Property>,
    stop: &Cancel,
) -> bool {
    let with = &question.with.files;
    let is_taken = |name: &Path| {
        let taken = question.taken.iter().chain(with.iter().map(|(_, name)| name));
        taken.into_iter().any(|taken| taken.starts_with(name))
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let links = entries.filter(|entry| !is_taken(Path::new(&entry.file_name())));
    let links = links.map(|entry| Beside::link(entry.path(), entry.file_name()));
    let copies = with.iter().map(|(source, name)| Beside::copy(source, name));
    let Ok(executor) = oracle::executor(question, links.chain(copies).collect(), 1) else {
        return false;
    };
    let original = Candidate::whole(&question.text);
    let outcome = oracle::supervisor(question, executor).run(0, &original, true, stop);
    outcome.is_ok_and(|outcome| match property {
        Some(property) => property.holds(&outcome),
        None => Signature::of(&outcome).is_some(),
    })
}

/// The files beside the input, or in the current directory, that the output of a test mentions and that its directory does not
/// have, as `--with` takes them.
pub(crate) fn mentioned(question: &Question, outcome: &Outcome) -> Vec<String> {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_./+-".contains(byte) || *byte >= 128;
    let outputs = [&outcome.stderr, &outcome.stdout].into_iter();
    let words = outputs.flat_map(|output| output.split(|byte| !is_part(byte)));
    let extension = question.input.extension().map(|it| it.display().to_string());
    let here = std::path::absolute(".").unwrap_or_default();
    let mut found = BTreeSet::new();
    for word in words {
        let Ok(word) = str::from_utf8(word) else { continue };
        let word = word.trim_start_matches("./").trim_end_matches('.');
        if word.is_empty() || word.starts_with('/') || word.contains("..") {
            continue;
        }
        // A module is named without its extension.
        let module = extension.as_ref().map(|extension| format!("{word}.{extension}"));
        let names = [word.contains(['.', '/']).then(|| word.to_owned()), module];
        for name in names.into_iter().flatten() {
            let place = [&question.home, &here].map(|directory| directory.join(&name));
            let Some(file) = place.into_iter().find(|file| file.is_file()) else { continue };
            let is_taken = question.taken.iter().any(|taken| Path::new(&name).starts_with(taken));
            if !is_taken && !question.with.has(&file) {
                let path = file.strip_prefix(&here).unwrap_or(&file);
                found.insert(quoted(path));
            }
        }
    }
    found.into_iter().take(3).collect()
}
