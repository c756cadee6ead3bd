//! The content of a grammar file, as a value.

use crate::charset::CharSet;
use crate::problem::Place;

/// One grammar file.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) place: Place,
    /// `options { … }` of the grammar.
    pub(crate) options: Vec<(Name, String)>,
    pub(crate) imports: Vec<Name>,
    /// `tokens { … }`
    pub(crate) tokens: Vec<Name>,
    /// `channels { … }`
    pub(crate) channels: Vec<Name>,
    pub(crate) rules: Vec<Rule>,
    /// The number of actions, and that of predicates: code in the target language.
    pub(crate) actions: usize,
    pub(crate) predicates: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Combined,
    Lexer,
    Parser,
}

/// A name, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) place: Place,
}

impl Name {
    /// Whether it is the name of a token: those of rules begin with a small letter.
    pub(crate) fn is_token(&self) -> bool {
        is_token(&self.text)
    }
}

pub(crate) fn is_token(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: Name,
    pub(crate) is_fragment: bool,
    /// The mode of a lexer rule; `None` in the default mode.
    pub(crate) mode: Option<String>,
    pub(crate) case_insensitive: Option<bool>,
    pub(crate) alternatives: Vec<Alternative>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Alternative {
    pub(crate) elements: Vec<Element>,
    /// `# label`
    pub(crate) label: Option<String>,
    /// `<assoc = right>`
    pub(crate) is_right: bool,
    /// `-> command, …`
    pub(crate) commands: Vec<Command>,
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) what: What,
    /// `label =` or `label +=`
    pub(crate) label: Option<String>,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// A rule or a token.
    Reference(String),
    /// A text in quotes.
    Literal(String),
    /// Characters of a lexer rule: a set, a range, or all except some.
    Set(CharSet),
    /// Tokens of a parser rule: all except these.
    Not(Vec<Element>),
    /// Any token or character.
    Any,
    Block(Vec<Alternative>),
    Repeat(Box<Element>, Times),
}

/// `?`, `*`, `+`, each maybe followed by `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) at_least_once: bool,
    pub(crate) more_than_once: bool,
    pub(crate) is_greedy: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Command {
    Skip,
    More,
    Type(Name),
    Channel(String),
    Mode(Name),
    PushMode(Name),
    PopMode,
}
