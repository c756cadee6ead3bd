//! Reads a grammar file.
//!
//! Terence Parr, "The Definitive ANTLR 4 Reference", chapter 15, has the language. Code in the target language is skipped and
//! counted. After an error the reader goes on behind the next semicolon, so one run finds the errors of many rules.

use std::sync::Arc;

use crate::charset::CharSet;
use crate::problem::{Place, Problem, Source};
use crate::scan::{Kind, Token, scan};
use crate::syntax::{self, Alternative, Command, Element, File, Name, Rule, Times, What};

/// The deepest nesting of blocks.
const DEEPEST: usize = 200;
/// The most problems of one file that are reported.
const MOST_PROBLEMS: usize = 100;

/// Reads a file; what could not be read is left out and reported.
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

    /// The options in an action, which the scanner took for code.
    fn options(&mut self) -> Vec<(Name, String)> {
        let range = self.tokens[self.at].range.clone();
        self.next();
        let inner = range.start + 1..range.end.saturating_sub(1).max(range.start + 1);
        let mut options = Vec::new();
        let mut at = inner.start;
        for option in self.source.text[inner.clone()].split(';') {
            if let Some((name, value)) = option.split_once('=') {
                let start = at + (name.len() - name.trim_start().len());
                let text = without_comments(name);
                let place =
                    Place { source: self.source.clone(), range: start..start + text.len().max(1) };
                let value = without_comments(value).trim_matches(['\'', '"']).to_owned();
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
        let inner = &self.source.text[range.start + 1..(range.end - 1).max(range.start + 1)];
        let without: String = inner.lines().map(without_comments).collect::<Vec<_>>().join("\n");
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

    fn alternatives(&mut self, in_lexer: bool) -> Read<Vec<Alternative>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.depth -= 1;
            return self.lost(format!("blocks are nested more than {DEEPEST} levels deep"));
        }
        let mut all = Vec::new();
        let read = loop {
            match self.alternative(in_lexer) {
                Ok(alternative) => all.push(alternative),
                Err(lost) => break Err(lost),
            }
            if !self.eat(Kind::Sign(b'|')) {
                break Ok(all);
            }
        };
        self.depth -= 1;
        read
    }

    fn alternative(&mut self, in_lexer: bool) -> Read<Alternative> {
        let mut alternative = Alternative::default();
        loop {
            match self.kind() {
                Kind::Sign(b'|' | b';' | b')') | Kind::End => return Ok(alternative),
                Kind::Sign(b'<') => alternative.is_right |= self.element_options(),
                Kind::Sign(b'#') => {
                    self.next();
                    alternative.label = Some(self.name("the label of an alternative")?.text);
                }
                Kind::Arrow => {
                    self.next();
                    self.commands(&mut alternative.commands)?;
                }
                Kind::Action => {
                    self.next();
                    match self.eat(Kind::Sign(b'?')) {
                        true => self.file.predicates += 1,
                        false => self.file.actions += 1,
                    }
                    // `{…}?<fail='…'>`
                    if self.kind() == Kind::Sign(b'<') {
                        self.element_options();
                    }
                }
                _ => alternative.elements.push(self.element(in_lexer)?),
            }
        }
    }

    /// `<assoc = right, …>`: whether it says that an operator is right-associative.
    fn element_options(&mut self) -> bool {
        let mut words = Vec::new();
        while !matches!(self.kind(), Kind::Sign(b'>' | b';') | Kind::End) {
            words.push(self.text().to_owned());
            self.next();
        }
        self.eat(Kind::Sign(b'>'));
        words.iter().any(|word| word == "assoc") && words.iter().any(|word| word == "right")
    }

    fn commands(&mut self, commands: &mut Vec<Command>) -> Read<()> {
        loop {
            let name = self.name("a command of the lexer")?;
            let mut argument = None;
            if self.eat(Kind::Sign(b'(')) {
                let place = self.place();
                if !matches!(self.kind(), Kind::Identifier | Kind::Number) {
                    let found = self.shown();
                    return self
                        .lost(format!("a name expected in `{}(…)`, found {found}", name.text));
                }
                argument = Some(Name { text: self.text().to_owned(), place });
                self.next();
                self.expect(b')', "behind the argument of a command")?;
            }
            let command = match (name.text.as_str(), argument) {
                ("skip", None) => Command::Skip,
                ("more", None) => Command::More,
                ("popMode", None) => Command::PopMode,
                ("type", Some(name)) => Command::Type(name),
                ("channel", Some(name)) => Command::Channel(name.text),
                ("mode", Some(name)) => Command::Mode(name),
                ("pushMode", Some(name)) => Command::PushMode(name),
                (other, _) => {
                    let message = format!(
                        "`{other}` is not a command of the lexer here: skip, more, popMode, type(T), channel(C), \
                         mode(M) and pushMode(M) are"
                    );
                    self.problems.push(Problem::error(name.place, message));
                    return Err(Lost);
                }
            };
            commands.push(command);
            if !self.eat(Kind::Sign(b',')) {
                return Ok(());
            }
        }
    }

    fn element(&mut self, in_lexer: bool) -> Read<Element> {
        let mut label = None;
        if self.kind() == Kind::Identifier
            && matches!(self.kind_after(1), Kind::Sign(b'=') | Kind::PlusEquals)
        {
            label = Some(self.text().to_owned());
            self.next();
            self.next();
        }
        let mut element = self.atom(in_lexer)?;
        element.label = label.clone();
        let times = |at_least_once, more_than_once| Times {
            at_least_once,
            more_than_once,
            is_greedy: true,
        };
        let times = match self.kind() {
            Kind::Sign(b'?') => times(false, false),
            Kind::Sign(b'*') => times(false, true),
            Kind::Sign(b'+') => times(true, true),
            // `x+=y` is a label of the next element, but `x +=` cannot be one here.
            _ => return Ok(element),
        };
        self.next();
        let times = Times { is_greedy: !self.eat(Kind::Sign(b'?')), ..times };
        let place = element.place.clone();
        Ok(Element { what: What::Repeat(Box::new(element), times), label, place })
    }

    fn atom(&mut self, in_lexer: bool) -> Read<Element> {
        let start = self.place();
        let what = match self.kind() {
            Kind::Identifier => {
                let name = self.text().to_owned();
                self.next();
                // Arguments of a rule.
                if !in_lexer {
                    self.eat(Kind::Brackets);
                }
                What::Reference(name)
            }
            Kind::Literal if self.kind_after(1) == Kind::Range => {
                let first = self.literal()?;
                self.next();
                if self.kind() != Kind::Literal {
                    let found = self.shown();
                    return self
                        .lost(format!("the last character of a range expected, found {found}"));
                }
                let last = self.literal()?;
                match (only(&first), only(&last)) {
                    (Some(first), Some(last)) if first <= last => {
                        What::Set(CharSet::of([(first.into(), last.into())]))
                    }
                    _ => {
                        let message = "a range is from one character to a larger one";
                        self.problems.push(Problem::error(start, message));
                        return Err(Lost);
                    }
                }
            }
            Kind::Literal => What::Literal(self.literal()?),
            Kind::Brackets if in_lexer => self.set()?,
            Kind::Sign(b'.') => {
                self.next();
                What::Any
            }
            Kind::Sign(b'(') => self.block(in_lexer)?,
            Kind::Sign(b'~') => {
                self.next();
                let inner = self.atom(in_lexer)?;
                What::Not(vec![inner])
            }
            _ => {
                let found = self.shown();
                return self.lost(format!("a rule, a token or a block expected, found {found}"));
            }
        };
        if self.kind() == Kind::Sign(b'<') {
            self.element_options();
        }
        Ok(Element { what, label: None, place: start })
    }

    fn block(&mut self, in_lexer: bool) -> Read<What> {
        self.next();
        // `( options {…} : … )` and `( @init {…} : … )`
        if self.kind() == Kind::Identifier
            && self.text() == "options"
            && self.kind_after(1) == Kind::Action
        {
            self.next();
            self.next();
        }
        while self.kind() == Kind::Sign(b'@') {
            self.named_action()?;
        }
        self.eat(Kind::Sign(b':'));
        let alternatives = self.alternatives(in_lexer)?;
        self.expect(b')', "behind a block")?;
        Ok(What::Block(alternatives))
    }

    /// The characters of a literal.
    fn literal(&mut self) -> Read<String> {
        let place = self.place();
        let raw = self.text().to_owned();
        let mut text = String::new();
        let inner = raw.get(1..raw.len() - 1).unwrap_or("");
        let mut rest = inner;
        while !rest.is_empty() {
            let (character, behind) = self.character(rest, &place)?;
            match character {
                Character::One(c) => text.push(c),
                Character::Class(_) => {
                    self.problems
                        .push(Problem::error(place, "\\p{…} is only possible in a set: [\\p{…}]"));
                    return Err(Lost);
                }
            }
            rest = behind;
        }
        self.next();
        Ok(text)
    }

    /// `[a-z\n\p{Lu}]`
    fn set(&mut self) -> Read<What> {
        let place = self.place();
        let raw = self.text().to_owned();
        let mut rest = raw.get(1..raw.len() - 1).unwrap_or("");
        let mut set = CharSet::default();
        while !rest.is_empty() {
            let (first, behind) = self.character(rest, &place)?;
            rest = behind;
            let first = match first {
                Character::Class(class) => {
                    set = set.with(&class);
                    continue;
                }
                Character::One(first) => first,
            };
            let is_range = rest.starts_with('-') && rest.len() > 1;
            if !is_range {
                set = set.with(&CharSet::one(first));
                continue;
            }
            let (last, behind) = self.character(&rest[1..], &place)?;
            rest = behind;
            match last {
                Character::One(last) if first <= last => {
                    set = set.with(&CharSet::of([(first.into(), last.into())]));
                }
                _ => {
                    let message = "a range in a set is from one character to a larger one";
                    self.problems.push(Problem::error(place, message));
                    return Err(Lost);
                }
            }
        }
        self.next();
        Ok(What::Set(set))
    }

    /// The first character of a literal or set, and what is behind it.
    fn character<'t>(&mut self, text: &'t str, place: &Place) -> Read<(Character, &'t str)> {
        let mut characters = text.chars();
        let Some(first) = characters.next() else { return Err(Lost) };
        if first != '\\' {
            return Ok((Character::One(first), characters.as_str()));
        }
        let bad = |reader: &mut Self, what: String| {
            reader.problems.push(Problem::error(place.clone(), what));
            Err(Lost)
        };
        let escaped = characters.next().unwrap_or('\\');
        let rest = characters.as_str();
        let one = match escaped {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let (digits, behind) = match rest.strip_prefix('{') {
                    Some(inner) => inner.split_once('}').unwrap_or(("", rest)),
                    None => (rest.get(..4).unwrap_or(""), rest.get(4..).unwrap_or("")),
                };
                let number = u32::from_str_radix(digits, 16).ok();
                // Half of a pair stands for no character of its own.
                let character = number.map(|number| char::from_u32(number).unwrap_or('\u{fffd}'));
                return match character {
                    Some(character) => Ok((Character::One(character), behind)),
                    None => bad(
                        self,
                        format!(
                            "`\\u{}` is not a character: write \\u00e4 or \\u{{1f600}}",
                            digits
                        ),
                    ),
                };
            }
            'p' | 'P' if rest.starts_with('{') => {
                let (name, behind) = rest[1..].split_once('}').unwrap_or(("", ""));
                return match CharSet::class(name, escaped == 'P') {
                    Some(class) => Ok((Character::Class(class), behind)),
                    None => bad(self, format!("Unicode has no class `{name}`")),
                };
            }
            other => other,
        };
        Ok((Character::One(one), rest))
    }
}

enum Character {
    One(char),
    Class(CharSet),
}

fn only(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// A piece of an action without comments and white space around it.
fn without_comments(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(start) = text.find("/*") {
        let end = text[start..].find("*/").map_or(text.len(), |end| start + end + 2);
        text.replace_range(start..end, " ");
    }
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join(" ").trim().to_owned()
}
