//! What lop is asked to reduce while it is disturbed.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::place::Place;

/// A task: files, words that must stay in them, and how lop is called.
pub(super) struct Task {
    pub(super) name: &'static str,
    /// The files, and the words that must stay in each.
    pub(super) files: &'static [(&'static str, &'static [&'static str])],
    /// The words of the command line that say what is reduced.
    pub(super) input: &'static [&'static str],
    /// Where the result of each file is.
    pub(super) results: &'static [&'static str],
    /// Other files that a complete run leaves.
    pub(super) others: &'static [&'static str],
}

impl Task {
    /// Whether the result replaces the input.
    pub(super) fn is_in_place(&self) -> bool {
        self.files[0].0 == self.results[0]
    }
}

/// The tasks.
pub(super) const TASKS: [Task; 3] = [
    Task {
        name: "a file",
        files: &[("input.txt", &["word3 ", "word17 "])],
        input: &["input.txt"],
        results: &["input.lop.txt"],
        others: &["input.lop.txt.history"],
    },
    Task {
        name: "a file in place",
        files: &[("input.txt", &["word5 ", "word11 "])],
        input: &["--in-place", "input.txt"],
        results: &["input.txt"],
        others: &["input.txt.orig", "input.txt.history"],
    },
    Task {
        name: "a directory",
        files: &[("project/a.txt", &["word4 "]), ("project/b.txt", &["word9 "])],
        input: &["project"],
        results: &["project.lop/a.txt", "project.lop/b.txt"],
        others: &["project.lop.history"],
    },
];

impl Task {
    /// The content of each file.
    pub(super) fn content(&self) -> Vec<u8> {
        let lines = 24 / self.files.len();
        let line = |number| format!("word{number} other{number} ( x{number} )\n");
        (0..lines).map(line).collect::<String>().into_bytes()
    }

    /// Lays the files out. The test runs some lines first, and some when it ends.
    pub(super) fn lay(&self, place: &Place, first: &str, last: &str) -> io::Result<()> {
        for (name, _) in self.files {
            place.write(name, &self.content())?;
        }
        let (file, _) = self.files[0];
        let size = self.content().len();
        let words = |(name, words): &(&str, &[&str])| -> Vec<String> {
            words.iter().map(|word| format!("grep -q '{word}' {name}")).collect()
        };
        let checks = self.files.iter().flat_map(words).collect::<Vec<_>>().join(" && ");
        place.script(
            "test.sh",
            &format!(
                r#"FILE={file}; SIZE=$(wc -c 2>/dev/null < $FILE || echo 0)
printf . >>"$OUTSIDE/tests"
once() {{ [ "$SIZE" -gt 0 ] && [ "$SIZE" -lt {size} ] && mkdir "$OUTSIDE/$1" 2>/dev/null; }}
{first}
{checks}
code=$?
{last}
exit $code"#
            ),
        )
    }

    /// What is wrong with one file of the result.
    pub(super) fn problem(&self, index: usize, content: &[u8]) -> Option<String> {
        let name = self.results[index];
        if content.len() > self.content().len() {
            return Some(format!("`{name}` grew to {} bytes", content.len()));
        }
        let text = String::from_utf8_lossy(content);
        let lost = self.files[index].1.iter().find(|word| !text.contains(*word))?;
        Some(format!("`{name}` isn't interesting: there is no `{lost}` in {text:?}"))
    }

    /// The result, if all of it is there.
    pub(super) fn result(&self, place: &Place) -> Option<Vec<Vec<u8>>> {
        self.results.iter().map(|name| fs::read(place.here(name)).ok()).collect()
    }

    /// Where the original of each file has to be at the end.
    pub(super) fn originals(&self, place: &Place) -> Vec<PathBuf> {
        let name =
            |file: &str| if self.is_in_place() { format!("{file}.orig") } else { file.into() };
        self.files.iter().map(|(file, _)| place.here(name(file))).collect()
    }

    /// The topmost names that a complete run leaves.
    pub(super) fn names(&self) -> Vec<String> {
        let files = self.files.iter().map(|(name, _)| *name);
        let all = files.chain(self.results.iter().copied()).chain(self.others.iter().copied());
        let topmost = all.chain(["test.sh"]).filter_map(|name| name.split('/').next());
        let mut names: Vec<String> = topmost.map(str::to_owned).collect();
        names.sort();
        names.dedup();
        names
    }
}
