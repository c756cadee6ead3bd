//! The corpus: other files in the input's language, whose parts are used as replacements.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::tree::{Corpus, Format, Tree};

use crate::exit::{Code, Failure};
use crate::listing::{Kind, files_in};
use crate::reading::regular;

/// Learns from the files that are in the language of the input, or have its extension, and skips all others.
pub(crate) fn read(paths: &[PathBuf], input: &Path, format: &Format) -> Result<Corpus, Failure> {
    let mut corpus = Corpus::default();
    for path in paths {
        let mut learned = 0;
        for file in files(path)? {
            let Some(text) = regular(&file) else { continue };
            let is_alike = file.extension() == input.extension()
                || Format::guess(&file, &text).name() == format.name();
            // Results of lop are skipped: they change during a run.
            let is_result =
                file.file_name().is_some_and(|name| name.display().to_string().contains(".lop."));
            if is_alike && !is_result && text.len() <= Tree::LONGEST {
                corpus.learn(&Tree::parse(&Arc::new(text), format));
                learned += 1;
            }
        }
        if learned == 0 {
            let (language, shown) = (format.name(), path.display());
            let message =
                format!("the corpus `{shown}` has no files in the input's language, {language}");
            return Err(Failure::new(Code::Usage, message)
                .help("give --corpus a file or directory in that language"));
        }
    }
    Ok(corpus)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let shown = path.display();
    match fs::metadata(path) {
        Ok(kind) if kind.is_dir() => {
            let found = files_in(path, Path::new(""))?.into_iter();
            Ok(found.filter(|file| file.kind == Kind::Regular).map(|file| file.place).collect())
        }
        Ok(_) => Ok(vec![path.to_owned()]),
        Err(error) => {
            let message = format!("cannot read the corpus `{shown}`: {error}");
            Err(Failure::new(Code::Usage, message).help("check the path after --corpus"))
        }
    }
}
