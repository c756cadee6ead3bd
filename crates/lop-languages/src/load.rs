//! Languages that are not part of the build: a shared library and its `grammar.json`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop_grammar::Grammar;
use tree_sitter_language::LanguageFn;

use crate::language::Language;

/// Why a language cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The grammar's file cannot be read.
    #[error("cannot read the grammar {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The grammar's file isn't a grammar.
    #[error("{}: {source}", path.display())]
    Grammar {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: lop_grammar::Error,
    },
    /// The library cannot be loaded.
    #[error(
        "cannot load the parser {}: {source}; it must be a shared library, made by `tree-sitter build` \
         or `cc -shared -fPIC parser.c`", path.display()
    )]
    Library {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// This program is static.
    #[error(
        "cannot load the parser {}: this lop is a static program, which cannot load libraries; \
         install another package of lop, or build it by `cargo install`", path.display()
    )]
    Static {
        /// The library.
        path: PathBuf,
    },
    /// The library is not the grammar's.
    #[error(
        "the parser {} has no function `{function}` that gives a language, so it was not made from \
         the grammar {}: name the library and the grammar.json of one tree-sitter package",
        path.display(), grammar.display()
    )]
    Function {
        /// The library.
        path: PathBuf,
        /// The grammar.
        grammar: PathBuf,
        /// The missing function.
        function: String,
    },
    /// The library is too old or too new.
    #[error(
        "the parser {} has version {version} of tree-sitter's interface; lop speaks {} to {}: make \
         it again with another version of `tree-sitter generate`",
        path.display(), tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION, tree_sitter::LANGUAGE_VERSION
    )]
    Version {
        /// The library.
        path: PathBuf,
        /// Its version.
        version: usize,
    },
    /// The library and the grammar are of different versions.
    #[error(
        "the parser {} was not made from the grammar {}: the grammar knows nothing of {}; take both from \
         one version of the package",
        library.display(), grammar.display(), unknown.join(", ")
    )]
    Disagreement {
        /// The library.
        library: PathBuf,
        /// The grammar.
        grammar: PathBuf,
        /// Symbols and fields that the grammar does not know, or some of them.
        unknown: Vec<String>,
    },
}

impl Language {
    /// Loads a parser from a shared library, and the grammar that it was made from. The library
    /// stays loaded to the end of the process. Its code is run: load only libraries that you trust.
    pub fn load(library: &Path, grammar: &Path) -> Result<Arc<Language>, LoadError> {
        let is_regular = std::fs::metadata(grammar).map(|it| it.is_file());
        let json = is_regular.and_then(|is_regular| match is_regular {
            true => std::fs::read_to_string(grammar),
            // Reading a pipe or a device may never end.
            false => Err(std::io::Error::other("it is not a regular file")),
        });
        let json = json.map_err(|source| LoadError::Read { path: grammar.into(), source })?;
        let read = Grammar::from_tree_sitter(&json)
            .map_err(|source| LoadError::Grammar { path: grammar.into(), source })?;
        let parser: tree_sitter::Language = parser(library, grammar, &read.name)?.into();
        let version = parser.abi_version();
        let known = tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION..=tree_sitter::LANGUAGE_VERSION;
        if !known.contains(&version) {
            return Err(LoadError::Version { path: library.into(), version });
        }
        let language = Language::new(parser, read);
        let mut unknown = language.disagreements();
        if unknown.is_empty() {
            return Ok(Arc::new(language));
        }
        unknown.truncate(5);
        Err(LoadError::Disagreement { library: library.into(), grammar: grammar.into(), unknown })
    }
}

#[expect(unsafe_code, reason = "a library is loaded and called by convention")]
fn parser(path: &Path, grammar: &Path, name: &str) -> Result<LanguageFn, LoadError> {
    // musl's loader would only report that there is no loader.
    if cfg!(target_feature = "crt-static") {
        return Err(LoadError::Static { path: path.into() });
    }
    // The loader would search for a bare name among the system's libraries.
    let found = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // SAFETY: the user wants this library to be run; a tree-sitter parser has no initialisers.
    let library = unsafe { libloading::Library::new(&found) }
        .map_err(|source| LoadError::Library { path: path.into(), source: source.into() })?;
    // The languages made from it point into it.
    let library = Box::leak(Box::new(library));
    let function = format!("tree_sitter_{name}");
    // SAFETY: every tree-sitter parser exports a function of this name and type.
    let symbol = unsafe { library.get::<unsafe extern "C" fn() -> *const ()>(function.as_bytes()) };
    let missing = LoadError::Function {
        path: path.into(),
        grammar: grammar.into(),
        function: function.clone(),
    };
    let Ok(symbol) = symbol else { return Err(missing) };
    // SAFETY: it takes nothing and returns a pointer to a constant.
    if unsafe { symbol() }.is_null() {
        return Err(missing);
    }
    // SAFETY: it returns a language, by the same convention.
    Ok(unsafe { LanguageFn::from_raw(*symbol) })
}
