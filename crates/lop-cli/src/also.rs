//! Saves candidates that fail in other ways than the original, for `--also-interesting`.
//!
//! They are in a directory next to the result: `prog.lop.c.also/1.c`, `2.c` and so on, one for each way to fail. A
//! smaller candidate replaces a larger one; files of an earlier run are not touched. `index.tsv` has a line for each:
//! its name, its bytes, and how it fails.

use std::fs;
use std::path::{Path, PathBuf};

use lop::{BestFile, Event, Observer, Place, Saved, Text};

use crate::input;
use crate::paths::suffixed;
use crate::question::Question;
use crate::view::View;

/// An observer that saves candidates that are also interesting, and passes all events on.
pub(crate) struct Saving<'s> {
    question: &'s Question,
    directory: PathBuf,
    view: &'s mut View,
    saved: Vec<Saved>,
}

impl<'s> Saving<'s> {
    /// Saves next to this output.
    pub(crate) fn new(question: &'s Question, output: &Path, view: &'s mut View) -> Self {
        Saving { question, directory: suffixed(output, ".also"), view, saved: Vec::new() }
    }

    /// The saved candidates, in the order in which they were found.
    pub(crate) fn into_saved(self) -> Vec<Saved> {
        self.saved
    }

    fn save(&mut self, signature: &str, text: &Text) {
        let known = self.saved.iter().find(|saved| saved.signature == signature);
        let path = known.map_or_else(|| self.free(), |saved| saved.path.clone());
        let place = match &self.question.bundle {
            None => Place::File(path.clone(), Some(self.question.permissions.clone())),
            Some(bundle) => {
                let places = input::places(bundle, &self.question.text, &path);
                Place::Files(bundle.clone(), places)
            }
        };
        let written = fs::create_dir_all(&self.directory)
            .map_err(|error| error.to_string())
            .and_then(|()| BestFile::create(place, text).map_err(|error| error.to_string()));
        let indexed = written.and_then(|_| self.index(&path, signature, text.len()));
        match indexed {
            Ok(()) if known.is_none() => self.saved.push(Saved::new(signature.into(), path)),
            Ok(()) => {}
            Err(why) => {
                self.view.note(&format!("a candidate with {signature} is not saved: {why}"))
            }
        }
    }

    /// Puts a candidate into the index, replacing a larger one.
    fn index(&self, path: &Path, signature: &str, bytes: usize) -> Result<(), String> {
        let index = self.directory.join("index.tsv");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let before = fs::read_to_string(&index).unwrap_or_default();
        let is_other = |line: &&str| line.split('\t').next() != Some(&name[..]);
        let mut lines: Vec<String> = before.lines().filter(is_other).map(str::to_owned).collect();
        lines.push(format!("{name}\t{bytes}\t{}", signature.replace(['\t', '\n'], " ")));
        lop::replace(&index, (lines.join("\n") + "\n").as_bytes(), None)
            .map_err(|error| error.to_string())
    }

    /// A path that is not in use.
    fn free(&self) -> PathBuf {
        let extension = self.question.input.extension().filter(|_| self.question.bundle.is_none());
        let numbered = (1..).map(|number: u32| {
            let path = self.directory.join(number.to_string());
            extension.map_or(path.clone(), |extension| path.with_extension(extension))
        });
        numbered.into_iter().find(|path| !path.exists()).expect("some number is free")
    }
}

impl Observer for Saving<'_> {
    fn event(&mut self, event: &Event) {
        if let Event::AlsoInteresting { signature, text, .. } = event {
            self.save(signature, text);
        }
        self.view.event(event);
    }
}
