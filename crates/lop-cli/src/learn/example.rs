//! One file of a corpus: its tree, or the reason to skip it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::sync::Arc;

use lop::tree::{CONTAINERS, Format, PlainFormat, Tree, Usage};

use super::files::Source;
use super::progress::Skip;

/// The largest file that is parsed: its tree takes up to 240 times as much memory. People hardly ever write larger
/// ones.
const LARGEST: u64 = 4 << 20;
/// The number of bytes that show the kind of a file.
const HEAD: u64 = 8 << 10;
/// A file is skipped if more than one byte of this many is in a syntax error: it is hardly in that language.
const ERROR_SHARE: usize = 10;

/// A file to learn from.
pub(super) struct Example {
    pub(super) tree: Tree,
    /// Its length.
    pub(super) bytes: u64,
}

impl Example {
    /// Reads and parses a file. `is_new` decides by its fingerprint whether lop learns from it.
    pub(super) fn read(
        source: &Source,
        language: Option<&Format>,
        is_new: impl FnOnce(u64) -> bool,
    ) -> Result<Example, Skip> {
        let unreadable = |_: io::Error| Skip::Unreadable;
        // Opening a pipe would wait for a writer.
        let metadata = fs::metadata(&source.path).map_err(unreadable)?;
        if !metadata.is_file() {
            return Err(Skip::Unreadable);
        }
        if metadata.len() > LARGEST {
            return Err(Skip::Large);
        }
        let mut file = File::open(&source.path).map_err(unreadable)?;
        let mut text = Vec::new();
        (&file).take(HEAD).read_to_end(&mut text).map_err(unreadable)?;
        let format = format(source, language, &text)?;
        // The file may have grown.
        let rest = LARGEST + 1 - text.len() as u64;
        (&mut file).take(rest).read_to_end(&mut text).map_err(unreadable)?;
        let bytes = text.len() as u64;
        if bytes > LARGEST {
            return Err(Skip::Large);
        }
        if !is_new(Usage::fingerprint(&text)) {
            return Err(Skip::Known);
        }
        let tree = Tree::parse(&Arc::new(text), &format);
        // A text with errors may be in another format.
        let is_wrong = tree.parser().name() != format.name()
            || tree.erroneous() * ERROR_SHARE > tree.text().len();
        if is_wrong { Err(Skip::Wrong) } else { Ok(Example { tree, bytes }) }
    }
}

/// The format of a file with this beginning.
fn format(source: &Source, language: Option<&Format>, head: &[u8]) -> Result<Format, Skip> {
    let is_container = |name: &str| CONTAINERS.iter().any(|container| container.name == name);
    let wants_binary = language.is_some_and(|language| is_container(language.name()));
    if head.contains(&0) && !wants_binary {
        return Err(Skip::Binary);
    }
    if let Some(language) = language.filter(|_| source.is_given) {
        return Ok(language.clone());
    }
    let guess = Format::guess(&source.path, head);
    match language {
        Some(language) if guess.name() == language.name() => Ok(language.clone()),
        None if guess.name() != PlainFormat::TEXT.name && !is_container(guess.name()) => Ok(guess),
        _ => Err(Skip::Other),
    }
}
