//! Reads a grammar file.
//!
//! Terence Parr, "The Definitive ANTLR 4 Reference", chapter 15, has the language. Code in the target language is
//! skipped and counted. After an error the reader continues after the next semicolon, so one run finds the errors of
//! many rules.

mod characters;
mod elements;

use std::sync::Arc;

use crate::problem::{Place, Problem, Source};
use crate::scan::{Kind, Token, scan};
use crate::syntax::{self, File, Name, Rule};

/// The deepest nesting of blocks.
const DEEPEST: usize = 200;
/// The most problems of one file that are reported.
const MOST_PROBLEMS: usize = 100;

/// Reads a file; unreadable parts are left out and reported.
pub(crate) fn read(source: &Arc<Source>, problems: &mut Vec<Problem>) -> File {
    let mut found = Vec::new();
    let tokens = scan(source, &mut found);
    let whole = Place { source: source.clone(), range: 0..0 };
    let file = File {
        kind: syntax::Kind::Combined,
        name: String::new(),
        place: whole,
        options: Vec::new(),
        imports: Vec::new(),
        tokens: Vec::new(),
        channels: Vec::new(),
        rules: Vec::new(),
        actions: 0,
        predicates: 0,
    };
    let mut reader = Reader { source, tokens, at: 0, file, problems: found, depth: 0 };
    reader.file();
    let Reader { file, problems: mut found, .. } = reader;
    if found.len() > MOST_PROBLEMS {
        let more = found.len() - MOST_PROBLEMS;
        found.truncate(MOST_PROBLEMS);
        found.push(Problem::general(format!("{}: {more} more errors", source.name)));
    }
    problems.extend(found);
    file
}

struct Reader<'s> {
    source: &'s Arc<Source>,
    tokens: Vec<Token>,
    at: usize,
    file: File,
    problems: Vec<Problem>,
    depth: usize,
}

/// The rest of the rule cannot be read; the problem was reported.
struct Lost;

type Read<T> = Result<T, Lost>;

impl Reader<'_> {
    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn kind_after(&self, count: usize) -> Kind {
        self.tokens.get(self.at + count).map_or(Kind::End, |token| token.kind)
    }

    fn text(&self) -> &str {
        &self.source.text[self.tokens[self.at].range.clone()]
    }

    fn place(&self) -> Place {
        Place { source: self.source.clone(), range: self.tokens[self.at].range.clone() }
    }

    fn next(&mut self) {
        if self.kind() != Kind::End {
            self.at += 1;
        }
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let is_it = self.kind() == kind;
        if is_it {
            self.next();
        }
        is_it
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is_it = self.kind() == Kind::Identifier && self.text() == word;
        if is_it {
            self.next();
        }
        is_it
    }

    fn lost<T>(&mut self, message: impl Into<String>) -> Read<T> {
        let problem = Problem::error(self.place(), message);
        self.problems.push(problem);
        Err(Lost)
    }

    fn expect(&mut self, sign: u8, what: &str) -> Read<()> {
        if self.eat(Kind::Sign(sign)) {
            return Ok(());
        }
        let found = self.shown();
        self.lost(format!("{} expected {what}, found {found}", char::from(sign)))
    }

    fn shown(&self) -> String {
        match self.kind() {
            Kind::End => "the end of the file".into(),
            _ => {
                let text: String = self.text().chars().take(30).collect();
                format!("`{text}`")
            }
        }
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        if self.kind() != Kind::Identifier {
            let found = self.shown();
            return self.lost(format!("{what} expected, found {found}"));
        }
        let name = Name { text: self.text().to_owned(), place: self.place() };
        self.next();
        Ok(name)
    }

    /// Skips to the end of a rule.
    fn resume(&mut self) {
        while !matches!(self.kind(), Kind::Sign(b';') | Kind::End) {
            self.next();
        }
        self.next();
    }

    fn file(&mut self) {
        if self.declaration().is_err() {
            self.resume();
        }
        let mut mode = None;
        while self.kind() != Kind::End {
            if self.item(&mut mode).is_err() {
                self.resume();
            }
        }
    }

    /// `lexer grammar Name;`
    fn declaration(&mut self) -> Read<()> {
        self.file.place = self.place();
        self.file.kind = match self.text() {
            "lexer" => syntax::Kind::Lexer,
            "parser" => syntax::Kind::Parser,
            _ => syntax::Kind::Combined,
        };
        if self.file.kind != syntax::Kind::Combined {
            self.next();
        }
        if !self.eat_word("grammar") {
            let found = self.shown();
            return self.lost(format!("a grammar begins with `grammar NAME;`, found {found}"));
        }
        self.file.name = self.name("the name of the grammar")?.text;
        self.expect(b';', "behind the name of the grammar")
    }

    /// A rule, or something else at the level of rules.
    fn item(&mut self, mode: &mut Option<String>) -> Read<()> {
        match (self.kind(), self.kind_after(1)) {
            (Kind::Sign(b';'), _) => {
                self.next();
                Ok(())
            }
            (Kind::Sign(b'@'), _) => self.named_action(),
            (Kind::Identifier, Kind::Action) if self.text() == "options" => self.grammar_options(),
            (Kind::Identifier, Kind::Action) if self.text() == "tokens" => {
                let tokens = self.list_in_action();
                self.file.tokens.extend(tokens);
                Ok(())
            }
            (Kind::Identifier, Kind::Action) if self.text() == "channels" => {
                let channels = self.list_in_action();
                self.file.channels.extend(channels);
                Ok(())
            }
            (Kind::Identifier, Kind::Identifier) if self.text() == "import" => self.imports(),
            (Kind::Identifier, Kind::Identifier) if self.text() == "mode" => {
                self.next();
                let name = self.name("the name of the mode")?.text;
                *mode = Some(name).filter(|name| name != "DEFAULT_MODE");
                self.expect(b';', "behind the name of the mode")
            }
            (Kind::Identifier, _) => self.rule(mode.clone()),
            _ => {
                let found = self.shown();
                self.lost(format!("the name of a rule expected, found {found}"))
            }
        }
    }

    /// `@scope::name {…}`
    fn named_action(&mut self) -> Read<()> {
        self.next();
        self.name("the name of an action")?;
        if self.eat(Kind::DoubleColon) {
            self.name("the name of an action")?;
        }
        self.file.actions += 1;
        match self.eat(Kind::Action) {
            true => Ok(()),
            false => {
                let found = self.shown();
                self.lost(format!("an action in braces expected, found {found}"))
            }
        }
    }

    fn grammar_options(&mut self) -> Read<()> {
        self.next();
        let options = self.options();
        self.file.options.extend(options);
        Ok(())
    }

    /// The options in an action, which the scanner treated as code.
    fn options(&mut self) -> Vec<(Name, String)> {
        let range = self.tokens[self.at].range.clone();
        self.next();
        let mut options = Vec::new();
        let mut at = range.start + 1;
        for option in without_comments(&self.source.text[range]).split(';') {
            if let Some((name, value)) = option.split_once('=') {
                let start = at + (name.len() - name.trim_start().len());
                let text = name.trim().to_owned();
                let place =
                    Place { source: self.source.clone(), range: start..start + text.len().max(1) };
                let value = value.trim().trim_matches(['\'', '"']).to_owned();
                options.push((Name { text, place }, value));
            }
            at += option.len() + 1;
        }
        options
    }

    /// The names in an action, separated by commas.
    fn list_in_action(&mut self) -> Vec<Name> {
        self.next();
        let range = self.tokens[self.at].range.clone();
        let place = self.place();
        self.next();
        let without = without_comments(&self.source.text[range]);
        let names = without
            .split([',', ';'])
            .map(|name| name.split('=').next().unwrap_or("").trim().to_owned());
        let names = names.filter(|name| !name.is_empty());
        names.map(|text| Name { text, place: place.clone() }).collect()
    }

    /// `import A, b = B;`
    fn imports(&mut self) -> Read<()> {
        self.next();
        loop {
            let mut name = self.name("the name of a grammar")?;
            if self.eat(Kind::Sign(b'=')) {
                name = self.name("the name of a grammar")?;
            }
            self.file.imports.push(name);
            if !self.eat(Kind::Sign(b',')) {
                return self.expect(b';', "behind the imported grammars");
            }
        }
    }

    fn rule(&mut self, mode: Option<String>) -> Read<()> {
        let mut is_fragment = false;
        while self.kind_after(1) == Kind::Identifier
            && ["fragment", "public", "private", "protected"].contains(&self.text())
        {
            is_fragment |= self.text() == "fragment";
            self.next();
        }
        let name = self.name("the name of a rule")?;
        let mut case_insensitive = None;
        // Arguments, results, variables, exceptions, options and actions.
        loop {
            match self.kind() {
                Kind::Sign(b':') => break,
                Kind::Brackets => self.next(),
                Kind::Sign(b'@') => self.named_action()?,
                Kind::Identifier
                    if self.text() == "options" && self.kind_after(1) == Kind::Action =>
                {
                    self.next();
                    let options = self.options();
                    let of_case = options.iter().find(|(name, _)| name.text == "caseInsensitive");
                    case_insensitive = of_case.map(|(_, value)| value == "true");
                }
                Kind::Identifier if ["returns", "locals", "throws"].contains(&self.text()) => {
                    self.next()
                }
                // The exceptions of `throws`.
                Kind::Identifier | Kind::Sign(b',' | b'.') => self.next(),
                _ => {
                    let found = self.shown();
                    return self
                        .lost(format!(": expected behind the name of a rule, found {found}"));
                }
            }
        }
        self.next();
        let is_token = name.is_token();
        let alternatives = self.alternatives(is_token)?;
        if self.kind() != Kind::Sign(b';') {
            let (found, rule) = (self.shown(), &name.text);
            let message = format!("; or | expected in rule `{rule}`, found {found}");
            return self.lost(message);
        }
        self.next();
        // catch […] {…} finally {…}
        while self.kind() == Kind::Identifier && ["catch", "finally"].contains(&self.text()) {
            self.next();
            self.eat(Kind::Brackets);
            self.file.actions += usize::from(self.eat(Kind::Action));
        }
        let mode = mode.filter(|_| is_token);
        self.file.rules.push(Rule { name, is_fragment, mode, case_insensitive, alternatives });
        Ok(())
    }
}

/// The text between braces, with blanks instead of comments, so that all places stay the same.
fn without_comments(braces: &str) -> String {
    let mut rest = braces.get(1..braces.len().saturating_sub(1)).unwrap_or("");
    let mut text = String::new();
    while let Some(start) = rest.find("//").into_iter().chain(rest.find("/*")).min() {
        let end = match rest[start..].starts_with("//") {
            true => rest[start..].find(['\n', '\r']),
            false => rest[start + 2..].find("*/").map(|end| end + 4),
        };
        let end = end.map_or(rest.len(), |end| start + end);
        text.push_str(&rest[..start]);
        text.push_str(&" ".repeat(end - start));
        rest = &rest[end..];
    }
    text + rest
}
