//! The format of a text: a parser, and a fallback for texts that it does not understand well.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use lop_grammar::{Grammar, Overlay};
use lop_languages::Language;

use crate::text::{Candidate, Text};

use super::Usage;
use super::antlr::{Antlr, AntlrError, AntlrOptions, sql};
use super::containers::{CONTAINERS, Container, Writing};
use super::dialect::Learned;
use super::formats::{self, Rows, Token};
use super::outline::{Cluster, Fold};
use super::tree_sitter::TreeSitter;
use super::{Parser, Tree};

/// The format that a text is assumed to have.
#[derive(Clone)]
pub struct Format {
    parser: Arc<dyn Parser>,
    /// The binary format that the parser reads, if it is one.
    container: Option<&'static Container>,
    fallback: Option<&'static Fallback>,
    learned: Learned,
}

/// A format that lop reads itself: its tokens, put into brackets or lines, with a small grammar.
#[non_exhaustive]
pub struct PlainFormat {
    /// Its word for `--language`.
    pub name: &'static str,
    /// A line of help.
    pub about: &'static str,
    /// The extensions of its files.
    pub extensions: &'static [&'static str],
    /// The names of its files, without any extension, such as `Makefile`.
    pub names: &'static [&'static str],
    /// Whether a file seems to have this format, if its name does not show it.
    pub(super) looks: fn(&[u8]) -> bool,
    pub(super) grammar: fn() -> &'static Grammar,
    /// How its lines form records and sections, if lines come before brackets.
    pub(super) rows: Option<&'static Rows>,
    pub(super) tokens: fn(&[u8]) -> Vec<Token>,
    pub(super) fold: Fold,
    /// The label of a cluster of tokens.
    pub(super) label: fn(Cluster, &[Token]) -> &'static str,
    /// Whether brackets and tags make its structure, so that it can be laid out anew: in other formats, lines and
    /// indentation do.
    pub(super) can_be_laid_out: bool,
    /// Whether a bracket without a partner is an error. In most formats no text has errors: such a bracket is an
    /// ordinary sign.
    pub(super) is_strict: bool,
    /// Its constants, which may replace expressions.
    pub(super) constants: &'static [&'static str],
    /// The characters of words besides letters and digits.
    pub(super) joins: &'static [u8],
    /// Rewrites the parts that depend on other parts of the text: see [`Parser::repair`].
    pub(super) repair: fn(Candidate) -> Candidate,
}

/// All formats that lop reads itself.
pub const FORMATS: &[PlainFormat] = &[
    formats::TEXT,
    formats::S_EXPRESSIONS,
    formats::SMT_LIB,
    formats::JSON_LIKE,
    formats::XML_LIKE,
    formats::INI,
    formats::PROPERTIES,
    formats::CSV,
    formats::TSV,
    formats::LOG,
    formats::MAKEFILE,
    formats::DOCKERFILE,
    formats::PROTOBUF,
    formats::ASSEMBLY,
    formats::DIFF,
    formats::MBOX,
];

impl PlainFormat {
    /// The format that any text has.
    pub const TEXT: &'static PlainFormat = &formats::TEXT;
}

/// The format of texts that are almost in a language.
struct Fallback {
    /// The name of the language.
    language: &'static str,
    parser: fn() -> Arc<dyn Parser>,
    /// Whether a text with errors gets the other format, if that finds no more of them: a parser that meets a mistake
    /// may misread the rest of the text; brackets and tags are not affected, and another dialect has other mistakes.
    on_errors: bool,
    /// The most tags that may be open at the same time.
    deepest_tags: Option<usize>,
}

/// Tree-sitter's parsers of XML and HTML keep the open tags in a state of a thousand bytes, which they
/// copy for every token; with more tags, they forget some and take very long.
const DEEPEST_TAGS: Option<usize> = Some(200);

const FALLBACKS: &[Fallback] = &[
    Fallback {
        language: "json",
        parser: || Arc::new(&formats::JSON_LIKE),
        on_errors: true,
        deepest_tags: None,
    },
    Fallback { language: "sql", parser: sql, on_errors: true, deepest_tags: None },
    Fallback {
        language: "xml",
        parser: || Arc::new(&formats::XML_LIKE),
        on_errors: true,
        deepest_tags: DEEPEST_TAGS,
    },
    // The parser of HTML handles mistakes itself.
    Fallback {
        language: "html",
        parser: || Arc::new(&formats::XML_LIKE),
        on_errors: false,
        deepest_tags: DEEPEST_TAGS,
    },
];

impl Format {
    /// The format of a parser.
    pub fn new(parser: Arc<dyn Parser>) -> Format {
        Format { parser, container: None, fallback: None, learned: Learned::default() }
    }

    /// The format of a grammar of ANTLR, from one of its rules on.
    ///
    /// # Errors
    ///
    /// If the grammar has more rules or labels than numbers, or an option does not fit it.
    pub fn antlr(
        parser: lop_antlr::Parser,
        start: usize,
        options: &AntlrOptions,
    ) -> Result<Format, AntlrError> {
        Ok(Format::new(Arc::new(Antlr::new(parser, start, options)?)))
    }

    /// The format with this common name, if it is part of this build: its name or an extension, in any case.
    pub fn named(name: &str) -> Option<Format> {
        let lower = name.to_lowercase();
        let plain = |is: &dyn Fn(&PlainFormat) -> bool| FORMATS.iter().find(|format| is(format));
        let found = plain(&|format| format.name == lower).map(Format::from);
        let container = || CONTAINERS.iter().find(|container| container.name == lower);
        let language = || lop_languages::find(lop_languages::named(name)?.name).map(Format::from);
        let by_extension = || {
            let extension = lower.trim_start_matches('.');
            plain(&|format| format.extensions.contains(&extension)).map(Format::from)
        };
        found.or_else(|| container().map(Format::from)).or_else(language).or_else(by_extension)
    }

    /// The format that a file seems to have: that of a binary format by its first bytes, others by their names, else by
    /// their first lines.
    pub fn guess(path: &Path, content: &[u8]) -> Format {
        if let Some(container) = CONTAINERS.iter().find(|container| (container.starts)(content)) {
            return Format::from(container);
        }
        let language = || {
            let name = lop_languages::guess(path, content)?;
            let almost = || fallback(name).map(|fallback| Format::new((fallback.parser)()));
            Format::named(name).or_else(almost)
        };
        let plain = |is_it: &dyn Fn(&PlainFormat) -> bool| {
            FORMATS.iter().find(|format| is_it(format)).map(Format::from)
        };
        let part = |part: Option<&OsStr>| part.and_then(OsStr::to_str).unwrap_or("").to_lowercase();
        let (extension, stem) = (part(path.extension()), part(path.file_stem()));
        plain(&|format| format.extensions.contains(&extension.as_str()))
            .or_else(language)
            .or_else(|| {
                plain(&|format| format.names.iter().any(|name| name.to_lowercase() == stem))
            })
            .or_else(|| plain(&|format| (format.looks)(content)))
            .unwrap_or_default()
    }

    /// This format with content models that overlay those of its grammar. Models for another grammar have no
    /// effect.
    pub fn with_models(self, models: Arc<Overlay>) -> Format {
        Format { learned: Learned { models: Some(models), ..self.learned }, ..self }
    }

    /// This format with the usage of labels in a corpus, which is used besides its grammar.
    pub fn with_usage(self, usage: Arc<Usage>) -> Format {
        Format { learned: Learned { usage: Some(usage), ..self.learned }, ..self }
    }

    /// This format with what another one has learned: models and usage.
    pub(crate) fn with_learned_of(self, other: &Format) -> Format {
        Format { learned: other.learned.clone(), ..self }
    }

    /// The usage of labels that is used besides its grammar.
    pub fn usage(&self) -> Option<&Arc<Usage>> {
        self.learned.usage.as_ref()
    }

    /// The name of its language or format, as in `--language`.
    pub fn name(&self) -> &str {
        self.parser.name()
    }

    /// The parser that is tried first. A text that is almost in its language may get another one: see
    /// [`Tree::parser`].
    pub fn parser(&self) -> &Arc<dyn Parser> {
        &self.parser
    }

    /// The parser that makes the tree of a text in this format.
    pub(super) fn parser_for(&self, text: &[u8]) -> Arc<dyn Parser> {
        match self.fallback {
            Some(_) => self.parse(&Arc::new(text.to_vec())).parser().clone(),
            None => self.parser.clone(),
        }
    }

    /// Whether it is a binary format of frames.
    pub(super) fn is_container(&self) -> bool {
        self.container.is_some()
    }

    /// A copy of a file with compressed parts stored uncompressed, so that they can be reduced; `None` if there are
    /// none.
    pub fn unpack(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.container?.transcode(text, Writing::Stored)
    }

    /// A copy of a file in a form that can be reduced, with compressed parts unchanged; `None` if it already has that
    /// form, or if the format has none.
    pub fn rewrite(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.container?.transcode(text, Writing::Kept)
    }

    /// A copy of a text in which names replace numbers: see [`Parser::named`].
    pub fn name_all(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.parser.named(text)
    }

    /// A copy of a file with parts compressed where possible; `None` if there are none.
    pub fn pack(&self, text: &[u8]) -> Option<Vec<u8>> {
        self.container?.transcode(text, Writing::Compressed)
    }

    /// Why a file of this format can only be reduced as bytes, in words that follow its name, such as `is encrypted`;
    /// `None` if it can be reduced otherwise.
    pub fn obstacle(&self, text: &[u8]) -> Option<String> {
        self.container?.obstacle(text)
    }

    pub(super) fn parse(&self, text: &Text) -> Tree {
        let grow = |parser: &Arc<dyn Parser>| Tree::grow(text, parser, &self.learned);
        let Some(fallback) = self.fallback else { return grow(&self.parser) };
        let other = || grow(&(fallback.parser)());
        if let Some(deepest) = fallback.deepest_tags {
            let tree = other();
            if formats::deepest_tags(&tree) > deepest {
                return tree;
            }
        }
        let tree = grow(&self.parser);
        if !fallback.on_errors || !tree.has_errors() {
            return tree;
        }
        let other = other();
        if other.erroneous() <= tree.erroneous() { other } else { tree }
    }

    /// Whether the parser finds no error in a text. Always true if it accepts any text.
    pub fn accepts(&self, text: &Text) -> bool {
        let may_be_slow = self.fallback.is_some_and(|fallback| fallback.deepest_tags.is_some());
        let fast = if may_be_slow { None } else { self.parser.accepts(text) };
        let by_tree = || {
            let tree = self.parse(text);
            tree.parser().is_strict() == self.parser.is_strict() && !tree.has_errors()
        };
        let strict = || self.fallback.map(|it| (it.parser)()).filter(|it| it.is_strict());
        match fast {
            None => by_tree(),
            Some(accepts) => accepts || strict().is_some_and(|it| it.accepts(text) == Some(true)),
        }
    }
}

fn fallback(language: &str) -> Option<&'static Fallback> {
    FALLBACKS.iter().find(|fallback| fallback.language == language)
}

/// Any text.
impl Default for Format {
    fn default() -> Self {
        Format::from(PlainFormat::TEXT)
    }
}

impl From<&'static PlainFormat> for Format {
    fn from(format: &'static PlainFormat) -> Self {
        Format::new(Arc::new(format))
    }
}

impl From<&'static Container> for Format {
    fn from(container: &'static Container) -> Self {
        Format { container: Some(container), ..Format::new(container.parser()) }
    }
}

impl From<Arc<Language>> for Format {
    fn from(language: Arc<Language>) -> Self {
        let fallback = fallback(language.name());
        Format { fallback, ..Format::new(Arc::new(TreeSitter::new(language))) }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.name()).finish()
    }
}
