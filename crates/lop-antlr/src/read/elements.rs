//! Reads the alternatives of a rule.

use crate::charset::CharSet;
use crate::problem::Problem;
use crate::scan::Kind;
use crate::syntax::{Alternative, Command, Element, Name, Times, What};

use super::{DEEPEST, Lost, Read, Reader};

impl Reader<'_> {
    pub(super) fn alternatives(&mut self, in_lexer: bool) -> Read<Vec<Alternative>> {
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

    /// `<assoc = right, …>`: whether it makes an operator right-associative.
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
                let first = self.numbers()?;
                self.next();
                if self.kind() != Kind::Literal {
                    let found = self.shown();
                    return self
                        .lost(format!("the last character of a range expected, found {found}"));
                }
                let last = self.numbers()?;
                match (&first[..], &last[..]) {
                    ([first], [last]) if first <= last => What::Set(CharSet::of([(*first, *last)])),
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
}
