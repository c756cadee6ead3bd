//! ANTLR's grammars as parsers. No other module knows lop-antlr.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use lop_antlr::{Cache, NodeKind, Parsed, Source};
use lop_grammar::{Grammar, Label};
use regex::bytes::Regex;

use crate::text::similar;

use super::format::Format;
use super::{Builder, Parser};

/// A user's additions to an ANTLR grammar.
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct AntlrOptions {
    /// The least texts of rules and tokens, by their names, if they are better than those of the grammar.
    pub replacements: BTreeMap<String, String>,
    /// Tokens whose texts are in other languages, by their names.
    pub islands: BTreeMap<String, AntlrIsland>,
}

/// A token whose text is in another language.
#[derive(Clone)]
#[non_exhaustive]
pub struct AntlrIsland {
    /// The format of its text.
    pub format: Format,
    /// A regular expression for the parts of the text that are in that format: the first group of each match, or all of
    /// a match without groups. `None` for all of the text.
    pub within: Option<String>,
}

impl AntlrIsland {
    /// A token whose whole text has a format.
    pub fn new(format: Format) -> AntlrIsland {
        AntlrIsland { format, within: None }
    }
}

/// The reason why a grammar of ANTLR cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AntlrError {
    /// It has more rules or labels than can be numbered.
    #[error(transparent)]
    Grammar(#[from] lop_grammar::Error),
    /// An option has a name that does not exist.
    #[error("the grammar {grammar} has no {what} `{name}`{}", meant(.similar))]
    Unknown {
        /// The name of the grammar.
        grammar: String,
        /// The kind of thing that was searched for.
        what: &'static str,
        /// Its name.
        name: String,
        /// A name that exists.
        similar: Option<String>,
    },
    /// A least text is set for a token that has no other text.
    #[error("the token `{name}` has one text only, so it needs no replacement")]
    OneText {
        /// The name of the token.
        name: String,
    },
    /// A regular expression of an island is wrong.
    #[error("the regular expression of the island `{token}` is wrong: {error}")]
    Within {
        /// The name of the token.
        token: String,
        /// The cause.
        error: String,
    },
}

fn meant(similar: &Option<String>) -> String {
    similar.as_ref().map_or(String::new(), |meant| format!("; did you mean `{meant}`?"))
}

/// A grammar of ANTLR with its start rule.
pub(super) struct Antlr {
    parser: lop_antlr::Parser,
    start: usize,
    grammar: Grammar,
    /// The labels of rules and tokens, by their numbers.
    rules: Vec<Label>,
    tokens: Vec<Label>,
    /// By the numbers of tokens.
    islands: HashMap<u16, (Format, Option<Regex>)>,
    /// The least texts that the user has chosen.
    chosen: HashMap<Label, String>,
    /// Knowledge about texts: a cache for each thread that has parsed at the same time.
    caches: Mutex<Vec<Cache>>,
}

impl Antlr {
    pub(super) fn new(
        parser: lop_antlr::Parser,
        start: usize,
        options: &AntlrOptions,
    ) -> Result<Antlr, AntlrError> {
        let mut grammar = parser.grammar().to_rules()?;
        for (name, text) in &options.replacements {
            if !grammar.set_minimal(name, text) {
                let names = || parser.grammar().token_names().chain(parser.grammar().rule_names());
                let is_token = names().any(|known| known == name);
                return Err(match is_token {
                    true => AntlrError::OneText { name: name.clone() },
                    false => unknown(&parser, "rule or token", name, names()),
                });
            }
        }
        let islands = options.islands.iter().map(|(name, island)| {
            let token = parser.grammar().token_names().position(|known| known == name);
            let names = parser.grammar().token_names();
            let token = token.ok_or_else(|| unknown(&parser, "token", name, names))?;
            let wrong = |error: regex::Error| AntlrError::Within {
                token: name.clone(),
                error: error.to_string(),
            };
            let within = island.within.as_deref().map(Regex::new).transpose().map_err(wrong)?;
            Ok((token as u16, (island.format.clone(), within)))
        });
        let islands = islands.collect::<Result<_, AntlrError>>()?;
        let label = |name: &str| {
            let text = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
            let label =
                grammar.label(name, true).or_else(|| grammar.label(text.unwrap_or(name), false));
            label.unwrap_or(Label::ERROR)
        };
        let rules = parser.grammar().rule_names().map(label).collect();
        let text_or_name =
            |(number, name): (usize, &str)| match parser.grammar().text_of(number as u16) {
                Some(text) => grammar.label(text, false).unwrap_or(Label::ERROR),
                None => label(name),
            };
        let tokens = parser.grammar().token_names().enumerate().map(text_or_name).collect();
        let replacements = options.replacements.iter();
        let chosen = replacements.map(|(name, text)| (label(name), text.clone())).collect();
        let caches = Mutex::default();
        Ok(Antlr { parser, start, rules, tokens, islands, chosen, caches, grammar })
    }

    fn parse(&self, text: &[u8]) -> Parsed {
        let caches = || self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut cache = caches().pop().unwrap_or_default();
        let parsed = self.parser.parse(text, self.start, &mut cache);
        caches().push(cache);
        parsed
    }
}

/// The parser of SQL, for the dialects that tree-sitter's does not know.
pub(super) fn sql() -> Arc<dyn Parser> {
    static PARSER: OnceLock<Arc<Antlr>> = OnceLock::new();
    let read = || {
        let source = Source { name: "sql.g4".into(), text: include_str!("grammars/sql.g4").into() };
        let grammar = lop_antlr::Grammar::from_sources(vec![source], &|_| None).ok()?;
        let start = grammar.rule("script")?;
        let replacements = SQL_REPLACEMENTS.map(|(name, text)| (name.into(), text.into()));
        let options = AntlrOptions { replacements: replacements.into(), ..AntlrOptions::default() };
        Antlr::new(lop_antlr::Parser::new(grammar).ok()?, start, &options).ok()
    };
    PARSER.get_or_init(|| Arc::new(read().expect("our own grammars are well-formed"))).clone()
}

/// The least texts, for places where the grammar accepts more than any database does.
const SQL_REPLACEMENTS: [(&str, &str); 10] = [
    ("statement", "SELECT 0"),
    ("query", "SELECT 0"),
    ("compound", "SELECT 0"),
    ("core", "SELECT 0"),
    ("result", "0"),
    ("expression", "0"),
    ("operand", "0"),
    ("name", "a"),
    ("NAME", "a"),
    ("STRING", "''"),
];

fn unknown<'n>(
    parser: &lop_antlr::Parser,
    what: &'static str,
    name: &str,
    names: impl Iterator<Item = &'n str>,
) -> AntlrError {
    let similar = similar(name, names).map(str::to_owned);
    AntlrError::Unknown {
        grammar: parser.grammar().name.clone(),
        what,
        name: name.to_owned(),
        similar,
    }
}

impl Parser for Antlr {
    fn name(&self) -> &str {
        &self.parser.grammar().name
    }

    fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn minimal(&self, label: Label) -> Option<&str> {
        self.chosen.get(&label).map(String::as_str)
    }

    fn accepts(&self, text: &[u8]) -> Option<bool> {
        // Islands have their own parsers.
        self.islands.is_empty().then(|| self.parse(text).errors.is_empty())
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        let parsed = self.parse(text);
        let firsts = first_tokens(&parsed);
        let mut walk = Walk { antlr: self, text, parsed: &parsed, firsts, tree, next: 0, at: 0 };
        walk.all();
    }
}

/// Puts the nodes of a parsed text into a tree.
struct Walk<'w, 't> {
    antlr: &'w Antlr,
    text: &'w [u8],
    parsed: &'w Parsed,
    /// The first token of each node, if it has any.
    firsts: Vec<Option<usize>>,
    tree: &'w mut Builder<'t>,
    /// The first token that is not in the tree yet.
    next: usize,
    /// The end of the token before it.
    at: usize,
}

impl Walk<'_, '_> {
    fn all(&mut self) {
        let fields: Vec<_> = (0..self.antlr.parser.field_count())
            .map(|field| match self.antlr.parser.field_name(field as u16) {
                "" => Default::default(),
                name => self.tree.field(name),
            })
            .collect();
        // The ends of the open rules.
        let mut open: Vec<usize> = Vec::new();
        for (number, node) in self.parsed.nodes.iter().enumerate() {
            while open.pop_if(|end| *end <= number).is_some() {
                self.tree.close(self.at);
            }
            let field = fields[usize::from(node.field)];
            match node.what {
                NodeKind::Rule(rule) => {
                    let first = self.firsts[number];
                    let start = match first {
                        // The root covers the whole text.
                        _ if open.is_empty() => 0,
                        Some(token) => {
                            self.hidden_before(token);
                            self.parsed.tokens[token].start as usize
                        }
                        None => self.at,
                    };
                    self.tree.open(self.antlr.rules[usize::from(rule)], start).under(field);
                    open.push(number + 1 + node.below as usize);
                }
                NodeKind::Token(token) => {
                    self.hidden_before(token as usize);
                    let found = self.parsed.tokens[token as usize];
                    let label = self.antlr.tokens[usize::from(found.kind)];
                    let range = found.start as usize..found.end as usize;
                    self.tree.open(label, range.start).under(field);
                    if let Some((format, within)) = self.antlr.islands.get(&found.kind) {
                        self.islands(range.clone(), format, within.as_ref());
                    }
                    self.tree.close(range.end);
                    self.pass(token as usize);
                }
                NodeKind::Error(token) => {
                    self.hidden_before(token as usize);
                    let found = self.parsed.tokens[token as usize];
                    self.tree.region(found.start as usize..found.end as usize);
                    self.pass(token as usize);
                }
                NodeKind::Missing(kind) => {
                    let label = self.antlr.tokens[usize::from(kind)];
                    self.tree.leaf(label, self.at..self.at).under(field).error(true);
                }
            }
        }
        while open.len() > 1 {
            open.pop();
            self.tree.close(self.at);
        }
        self.hidden_before(self.parsed.tokens.len());
        self.tree.close(self.text.len());
    }

    /// Puts the trees of a token's parts in another language below the open node.
    fn islands(&mut self, token: Range<usize>, format: &Format, within: Option<&Regex>) {
        let found = match within {
            None => vec![token.clone()],
            Some(within) => {
                let captures = within.captures_iter(&self.text[token.clone()]);
                let parts = captures.filter_map(|found| found.get(1).or_else(|| found.get(0)));
                parts.map(|part| token.start + part.start()..token.start + part.end()).collect()
            }
        };
        let parts = found.into_iter().filter(|part| !part.is_empty());
        let mut at = token.start;
        for part in parts {
            self.plain(at..part.start);
            if !self.tree.island(part.clone(), format.parser()) {
                self.plain(part.clone());
            }
            at = part.end;
        }
        if at > token.start {
            self.plain(at..token.end);
        }
    }

    fn plain(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.tree.leaf(Label::TEXT, range);
        }
    }

    fn pass(&mut self, token: usize) {
        self.next = token + 1;
        self.at = self.parsed.tokens[token].end as usize;
    }

    /// Puts comments and the like into the tree. White space is layout.
    fn hidden_before(&mut self, token: usize) {
        while self.next < token {
            let hidden = self.parsed.tokens[self.next];
            let range = hidden.start as usize..hidden.end as usize;
            if !self.text[range.clone()].iter().all(u8::is_ascii_whitespace) {
                let label = self.antlr.tokens.get(usize::from(hidden.kind)).copied();
                self.tree.leaf(label.unwrap_or(Label::ERROR), range).extra(true);
            }
            self.pass(self.next);
        }
    }
}

/// The first token of each node, if it has any.
fn first_tokens(parsed: &Parsed) -> Vec<Option<usize>> {
    let mut firsts = vec![None; parsed.nodes.len()];
    // The next token in the text, and its node.
    let mut next: Option<(usize, usize)> = None;
    for (number, node) in parsed.nodes.iter().enumerate().rev() {
        if let NodeKind::Token(token) | NodeKind::Error(token) = node.what {
            next = Some((number, token as usize));
        }
        let end = number + node.below as usize;
        firsts[number] = next.filter(|(at, _)| *at <= end).map(|(_, token)| token);
    }
    firsts
}
