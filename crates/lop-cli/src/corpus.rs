//! What is learned from other texts of the input's language.

use std::path::{Path, PathBuf};

use lop::tree::{Corpus, Format, Tree};

use crate::exit::{Code, Failure};
use crate::input;

/// Learns from files, and from those in directories that are in the language of the input.
pub(crate) fn read(paths: &[PathBuf], format: &Format) -> Result<Corpus, Failure> {
    let mut corpus = Corpus::default();
    for path in paths {
        let files = match path.is_dir() {
            true => input::files_in(path, Path::new(""))?,
            false => vec![(path.clone(), PathBuf::new())],
        };
        let mut learned = 0;
        for (file, _) in files {
            let (text, _) = input::read(&file, "check the path after --corpus")?;
            let is_alike = Format::guess(&file, &text).name() == format.name();
            if is_alike && text.len() <= Tree::LONGEST {
                corpus.learn(&Tree::parse(&text, format));
                learned += 1;
            }
        }
        if learned == 0 {
            let message = format!(
                "there is nothing in {} to learn from in `{}`",
                format.name(),
                path.display()
            );
            return Err(Failure::new(Code::Usage, message).help(
                "a corpus is files, or directories with files, in the language of the input",
            ));
        }
    }
    Ok(corpus)
}
