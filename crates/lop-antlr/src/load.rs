//! Loads grammars: joins their files and resolves their names.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::grammar::{Code, Grammar, LexerRule, MOST, Tokens, each_reference, mode};
use crate::problem::{Place, Problem, Severity, Source};
use crate::read::read;
use crate::syntax::{Alternative, Command, Element, File, Kind, Name, Rule, What, is_token};

impl Grammar {
    /// Loads a grammar from files: a combined grammar, or a lexer and a parser in any order. Imported grammars and the
    /// lexer that a parser names are searched next to the files.
    ///
    /// # Errors
    ///
    /// All errors that were found.
    pub fn load(paths: &[PathBuf]) -> Result<Grammar, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut sources = Vec::new();
        for path in paths {
            match read_source(path) {
                Ok(source) => sources.push(source),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let folders: Vec<&Path> = paths.iter().filter_map(|path| path.parent()).collect();
        let find = |name: &str| {
            let files = [format!("{name}.g4"), format!("{name}.tokens")];
            let places = files
                .iter()
                .flat_map(|file| folders.iter().flat_map(move |folder| places(folder, file)));
            places.filter(|place| place.is_file()).find_map(|place| read_source(&place).ok())
        };
        Grammar::from_sources(sources, &find)
    }

    /// Groups the grammar files of a folder that belong together, each group for [`Grammar::load`]: a grammar that no
    /// other one imports, with the lexer that it names, or with all lexers if it names none of them. Lexers without a
    /// parser are one group.
    pub fn groups(paths: &[PathBuf]) -> Vec<Vec<PathBuf>> {
        let mut problems = Vec::new();
        let mut files: Vec<(&PathBuf, File)> = Vec::new();
        for path in paths {
            if let Ok(source) = read_source(path) {
                files.push((path, read(&Arc::new(source), &mut problems)));
            }
        }
        let imported: HashSet<&str> = files
            .iter()
            .flat_map(|(_, file)| file.imports.iter().map(|import| import.text.as_str()))
            .collect();
        let (lexers, parsers): (Vec<_>, Vec<_>) = files
            .iter()
            .filter(|(_, file)| !imported.contains(file.name.as_str()))
            .partition(|(_, file)| file.kind == Kind::Lexer);
        let path = |(path, _): &&(&PathBuf, File)| (*path).clone();
        let all: Vec<PathBuf> = lexers.iter().map(path).collect();
        if parsers.is_empty() && !all.is_empty() {
            return vec![all];
        }
        let group = |parser: &&(&PathBuf, File)| {
            let file = &parser.1;
            let vocabulary = file.options.iter().find(|(name, _)| name.text == "tokenVocab");
            let named = vocabulary.and_then(|(_, name)| {
                lexers
                    .iter()
                    .find(|(_, lexer)| name.rsplit(['/', '\\']).next() == Some(&lexer.name))
            });
            let lexers = match named {
                Some(lexer) => vec![path(lexer)],
                // A combined grammar contains its lexer.
                None if file.kind == Kind::Combined => Vec::new(),
                None => all.clone(),
            };
            [vec![path(parser)], lexers].concat()
        };
        parsers.iter().map(group).collect()
    }

    /// Makes a grammar of sources. `find` returns the sources of imported grammars, by their names, and of
    /// vocabularies: lexers, or the lists of tokens that ANTLR writes, whose names end with `.tokens`.
    ///
    /// # Errors
    ///
    /// All errors that were found.
    pub fn from_sources(
        sources: Vec<Source>,
        find: &dyn Fn(&str) -> Option<Source>,
    ) -> Result<Grammar, Vec<Problem>> {
        let mut loader = Loader { find, problems: Vec::new() };
        let mut files: Vec<File> =
            sources.into_iter().map(|source| loader.file(source, &mut HashSet::new())).collect();
        loader.add_vocabularies(&mut files);
        let grammar = loader.grammar(files);
        let mut problems = loader.problems;
        match grammar {
            Some(mut grammar) if problems.iter().all(|each| each.severity != Severity::Error) => {
                grammar.warnings = problems;
                Ok(grammar)
            }
            _ => {
                problems.retain(|problem| problem.severity == Severity::Error);
                Err(problems)
            }
        }
    }
}

/// Possible places of a grammar that another one in a folder names: next to it, else in the folder above, else in one
/// below, since ANTLR gets the place on its command line.
fn places(folder: &Path, file: &str) -> Vec<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let below = fs::read_dir(here).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut below: Vec<PathBuf> = below.filter(|path| path.is_dir()).collect();
    below.sort();
    let folders = [folder.to_owned(), folder.join("..")].into_iter().chain(below);
    folders.map(|folder| folder.join(file)).collect()
}

/// The names in a list of tokens: lines such as `NAME=1` and `'text'=2`.
fn listed_tokens(source: Source) -> Vec<Name> {
    let source = Arc::new(source);
    let names = source.text.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name);
    let names = names.map(str::trim).filter(|name| is_token(name));
    let place = || Place { source: source.clone(), range: 0..0 };
    names.map(|name| Name { text: name.to_owned(), place: place() }).collect()
}

fn read_source(path: &Path) -> Result<Source, Problem> {
    let name = path.display().to_string();
    let is_regular = fs::metadata(path).map(|it| it.is_file());
    let regular = is_regular.and_then(|is_regular| match is_regular {
        true => fs::read(path),
        // Reading a pipe or a device may never end.
        false => Err(io::Error::other("it is not a regular file")),
    });
    match regular {
        // Old grammars are in Latin-1.
        Ok(bytes) => {
            let text = String::from_utf8(bytes).unwrap_or_else(|error| {
                error.as_bytes().iter().map(|byte| char::from(*byte)).collect()
            });
            // Editors on Windows begin files with a byte order mark.
            let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
            Ok(Source { name, text })
        }
        Err(error) => Err(Problem::general(format!("cannot read the grammar `{name}`: {error}"))),
    }
}

struct Loader<'f> {
    find: &'f dyn Fn(&str) -> Option<Source>,
    problems: Vec<Problem>,
}

impl Loader<'_> {
    /// Reads a file with all its imports: its own rules come first, and take precedence.
    fn file(&mut self, source: Source, seen: &mut HashSet<String>) -> File {
        let mut file = read(&Arc::new(source), &mut self.problems);
        seen.insert(file.name.clone());
        for import in std::mem::take(&mut file.imports) {
            if seen.contains(&import.text) {
                continue;
            }
            let Some(source) = (self.find)(&import.text) else {
                let message = format!(
                    "the imported grammar `{0}` is not found: put {0}.g4 beside this file",
                    import.text
                );
                self.problems.push(Problem::error(import.place, message));
                continue;
            };
            let imported = self.file(source, seen);
            let own: HashSet<String> =
                file.rules.iter().map(|rule| rule.name.text.clone()).collect();
            file.rules
                .extend(imported.rules.into_iter().filter(|rule| !own.contains(&rule.name.text)));
            file.tokens.extend(imported.tokens);
            file.channels.extend(imported.channels);
            file.actions += imported.actions;
            file.predicates += imported.predicates;
        }
        file
    }

    /// Adds the lexers that parsers name and that were not given. A lexer needs no vocabulary: it makes the tokens of
    /// its own rules.
    fn add_vocabularies(&mut self, files: &mut Vec<File>) {
        for at in 0..files.len() {
            let wanted = files[at].options.iter().find(|(name, _)| name.text == "tokenVocab");
            let Some((name, vocabulary)) =
                wanted.filter(|_| files[at].kind != Kind::Lexer).cloned()
            else {
                continue;
            };
            let vocabulary = vocabulary.rsplit(['/', '\\']).next().unwrap_or("").to_owned();
            if files.iter().any(|file| file.name == vocabulary) {
                continue;
            }
            match (self.find)(&vocabulary) {
                Some(source) if source.name.ends_with(".tokens") => {
                    files[at].tokens.extend(listed_tokens(source));
                }
                Some(source) => {
                    let file = self.file(source, &mut HashSet::new());
                    files.push(file);
                }
                // A lexer that was given may have another name than the vocabulary.
                None if files.iter().any(|file| file.kind == Kind::Lexer) => {}
                None => {
                    let message = format!(
                        "the lexer `{0}` is not found: give {0}.g4, too, or put it beside this file",
                        vocabulary
                    );
                    self.problems.push(Problem::error(name.place, message));
                }
            }
        }
    }

    fn grammar(&mut self, files: Vec<File>) -> Option<Grammar> {
        let main = files.iter().find(|file| file.kind != Kind::Lexer).or(files.first())?;
        let name = main.name.clone();
        let mut code = Code::default();
        let mut grammar_rules: Vec<Rule> = Vec::new();
        let mut lexer: Vec<(Rule, bool)> = Vec::new();
        let mut tokens = Tokens::new();
        let mut declared: Vec<Name> = Vec::new();
        let mut ignores_case = false;
        for file in files {
            code.actions += file.actions;
            code.predicates += file.predicates;
            let option = |wanted: &str| {
                file.options
                    .iter()
                    .find(|(name, _)| name.text == wanted)
                    .map(|(_, value)| value.clone())
            };
            code.super_class = code.super_class.take().or(option("superClass"));
            let is_case_insensitive =
                option("caseInsensitive").is_some_and(|value| value == "true");
            ignores_case |= is_case_insensitive;
            declared.extend(file.tokens);
            for rule in file.rules {
                match rule.name.is_token() {
                    true => lexer.push((rule, is_case_insensitive)),
                    false if file.kind == Kind::Lexer => {
                        let message =
                            format!("`{}` is a parser rule, in a lexer grammar", rule.name.text);
                        self.problems.push(Problem::error(rule.name.place, message));
                    }
                    false => grammar_rules.push(rule),
                }
            }
        }
        declared.iter().for_each(|name| {
            tokens.add(&name.text);
        });
        let rule_numbers = self.numbers(&mut grammar_rules);
        let (lexer_rules, modes) = self.lexer(lexer, &grammar_rules, ignores_case, &mut tokens);
        self.check_references(&grammar_rules, &rule_numbers, &mut tokens);
        let counts = [
            ("token types", tokens.names.len()),
            ("rules", grammar_rules.len()),
            ("lexer rules", lexer_rules.len()),
        ];
        for (what, count) in counts {
            if count > MOST {
                self.problems.push(Problem::general(format!(
                    "the grammar has {count} {what}; {MOST} are possible"
                )));
            }
        }
        Some(Grammar {
            name,
            warnings: Vec::new(),
            code,
            rules: grammar_rules,
            lexer_rules,
            modes,
            tokens,
            rule_numbers,
        })
    }

    /// The numbers of rules; of two with the same name the first is kept.
    fn numbers(&mut self, rules: &mut Vec<Rule>) -> HashMap<String, usize> {
        let mut numbers = HashMap::new();
        let mut kept = Vec::new();
        for rule in std::mem::take(rules) {
            if numbers.contains_key(&rule.name.text) {
                let message = format!("the rule `{}` is defined twice", rule.name.text);
                self.problems.push(Problem::error(rule.name.place, message));
                continue;
            }
            numbers.insert(rule.name.text.clone(), kept.len());
            kept.push(rule);
        }
        *rules = kept;
        numbers
    }

    /// The rules of the lexer: first those of texts in quotes that only parser rules have, then the others in their order.
    fn lexer(
        &mut self,
        rules: Vec<(Rule, bool)>,
        parser: &[Rule],
        ignores_case: bool,
        tokens: &mut Tokens,
    ) -> (Vec<LexerRule>, Vec<String>) {
        let mut modes = vec!["DEFAULT_MODE".to_owned()];
        let mut lexer_rules: Vec<LexerRule> = Vec::new();
        let mut named: HashSet<String> = HashSet::new();
        let mut own = Vec::new();
        for (rule, is_case_insensitive) in rules {
            if !named.insert(rule.name.text.clone()) {
                let message = format!("the lexer rule `{}` is defined twice", rule.name.text);
                self.problems.push(Problem::error(rule.name.place, message));
                continue;
            }
            let mode = rule.mode.as_deref().unwrap_or("DEFAULT_MODE");
            let mode = modes.iter().position(|known| known == mode).unwrap_or_else(|| {
                modes.push(mode.to_owned());
                modes.len() - 1
            });
            let token = (!rule.is_fragment).then(|| tokens.add(&rule.name.text));
            if let (Some(token), Some(text)) = (token, only_text(&rule.alternatives)) {
                tokens.literals.entry(text.to_owned()).or_insert(token);
                tokens.texts.insert(token, text.to_owned());
            }
            let is_case_insensitive = rule.case_insensitive.unwrap_or(is_case_insensitive);
            own.push((rule, token, mode, is_case_insensitive));
        }
        // Literals of parser rules come before all lexer rules, so `if` isn't an identifier.
        for rule in parser {
            each_literal(&rule.alternatives, &mut |text, element| {
                if tokens.literal(text).is_some() {
                    return;
                }
                let token = tokens.add(&format!("'{text}'"));
                tokens.literals.insert(text.to_owned(), token);
                tokens.texts.insert(token, text.to_owned());
                let elements = vec![Element { label: None, ..element.clone() }];
                lexer_rules.push(LexerRule {
                    name: format!("'{text}'"),
                    token: Some(token),
                    mode: 0,
                    is_case_insensitive: ignores_case,
                    alternatives: vec![Alternative { elements, ..Alternative::default() }],
                });
            });
        }
        for (rule, token, mode, is_case_insensitive) in own {
            self.check_lexer_rule(&rule, &named, &modes, tokens);
            let Rule { name, alternatives, .. } = rule;
            lexer_rules.push(LexerRule {
                name: name.text,
                token,
                mode,
                is_case_insensitive,
                alternatives,
            });
        }
        (lexer_rules, modes)
    }

    fn check_lexer_rule(
        &mut self,
        rule: &Rule,
        named: &HashSet<String>,
        modes: &[String],
        tokens: &mut Tokens,
    ) {
        each_reference(&rule.alternatives, &mut |name, element| {
            if name != "EOF" && !named.contains(name) {
                let message = match is_token(name) {
                    true => format!("the lexer rule `{name}` is not defined"),
                    false => format!(
                        "`{name}` is not a lexer rule: their names begin with a capital letter"
                    ),
                };
                self.problems.push(Problem::error(element.place.clone(), message));
            }
        });
        for command in rule.alternatives.iter().flat_map(|alternative| &alternative.commands) {
            match command {
                Command::Type(name) => {
                    tokens.add(&name.text);
                }
                Command::Mode(name) | Command::PushMode(name)
                    if mode(modes, &name.text).is_none() =>
                {
                    let message = format!("the mode `{}` is not defined", name.text);
                    self.problems.push(Problem::error(name.place.clone(), message));
                }
                _ => {}
            }
        }
    }

    /// Reports rules that are not defined. A token that is not defined never occurs, which is a warning, as in ANTLR.
    fn check_references(
        &mut self,
        rules: &[Rule],
        numbers: &HashMap<String, usize>,
        tokens: &mut Tokens,
    ) {
        for rule in rules {
            each_reference(&rule.alternatives, &mut |name, element| {
                let place = element.place.clone();
                if is_token(name) {
                    if tokens.named(name).is_none() {
                        tokens.add(name);
                        let message =
                            format!("no lexer rule makes the token `{name}`, so it never occurs");
                        self.problems.push(Problem::warning(place, message));
                    }
                } else if !numbers.contains_key(name) {
                    let message = format!("the rule `{name}` is not defined");
                    self.problems.push(Problem::error(place, message));
                }
            });
        }
    }
}

/// The text of a rule that is only a text in quotes.
fn only_text(alternatives: &[Alternative]) -> Option<&str> {
    match alternatives {
        [Alternative { elements, .. }] => match &elements[..] {
            [Element { what: What::Literal(text), .. }] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// Calls a function with each literal, from left to right.
fn each_literal(alternatives: &[Alternative], visit: &mut dyn FnMut(&str, &Element)) {
    let mut open: Vec<&Element> = alternatives.iter().flat_map(|each| &each.elements).collect();
    open.reverse();
    while let Some(element) = open.pop() {
        match &element.what {
            What::Literal(text) => visit(text, element),
            What::Not(elements) => open.extend(elements.iter().rev()),
            What::Block(alternatives) => {
                open.extend(alternatives.iter().rev().flat_map(|each| each.elements.iter().rev()));
            }
            What::Repeat(element, _) => open.push(element),
            What::Reference(_) | What::Set(_) | What::Any => {}
        }
    }
}
