//! What lop's parsers must hold to, whatever bytes they get.
//!
//! A *target* is a function that hands bytes to a parser and panics if an invariant is broken. libFuzzer runs the targets
//! with coverage (`fuzz/`, `scripts/fuzz`). The tests of this crate run them without it: on each seed, on each finding, and on random mutations of both.

mod containers;
mod files;
mod generators;
mod grammars;
mod trees;
mod words;

/// Panics if bytes break an invariant.
pub type Target = fn(&[u8]);

/// All targets, by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("antlr-grammar", grammars::antlr_grammar),
    ("antlr-both", grammars::antlr_both),
    ("antlr-text", grammars::antlr_text),
    ("grammar-json", grammars::grammar_json),
    ("grammar-notation", grammars::grammar_notation),
    ("model", files::model),
    ("journal", files::journal),
    ("bundle", files::bundle),
    ("choices", generators::choices),
    ("events", generators::events),
    ("cases", generators::cases),
    ("png", |bytes| containers::container("png", bytes)),
    ("gzip", |bytes| containers::container("gzip", bytes)),
    ("zip", |bytes| containers::container("zip", bytes)),
    ("riff", |bytes| containers::container("riff", bytes)),
    ("mp4", |bytes| containers::container("mp4", bytes)),
    ("wasm", |bytes| containers::container("wasm", bytes)),
    ("pdf", |bytes| containers::container("pdf", bytes)),
    ("formats", trees::formats),
    ("languages", trees::languages),
    ("reduction", trees::reduction),
    ("rules", words::rules),
    ("strategy", words::strategy),
    ("options", words::options),
];

/// Runs the target of this name; with `LOP_FUZZ_LAST=FILE`, the bytes are in that file then.
///
/// # Panics
///
/// If there is no such target, and if one of its invariants is broken.
pub fn run(name: &str, bytes: &[u8]) {
    // A stack overflow leaves nothing behind but this.
    if let Some(last) = std::env::var_os("LOP_FUZZ_LAST") {
        let _ = std::fs::write(last, bytes);
    }
    let (_, target) =
        TARGETS.iter().find(|(each, _)| *each == name).expect("there is such a target");
    target(bytes);
}

/// The first byte, which chooses one of several, and the rest.
fn choose<'f, 'b, T>(from: &'f [T], bytes: &'b [u8]) -> Option<(&'f T, &'b [u8])> {
    let (first, rest) = bytes.split_first()?;
    Some((&from[usize::from(*first) % from.len()], rest))
}
