//! Strategies are values, written as in the papers.
//!
//! ```text
//! strategy = step { "+" step }           one after the other
//! step     = atom [ "*" ]                to the fixed point
//! atom     = algorithm ":" unit | "(" strategy ")"
//! ```
//!
//! So `(opdd:lines+opdd:tokens)*+ddmin:bytes` repeats two phases until neither finds anything, and
//! then runs a third one.

use std::fmt;
use std::str::FromStr;

use crate::algorithms::{ALGORITHMS, Algorithm};
use crate::engine::Engine;
use crate::nearest::nearest;
use crate::search::{Search, Subset};
use crate::units::{UNITS, Unit};

/// What is done to a text with no known language: what stands in brackets before its parts, large
/// units before small ones, and again from the start while anything goes. The layout of what is left
/// stays. One-pass searches, since the fixed point repeats them anyway, at a fraction of ddmin's
/// tests.
pub const TEXT: &str = "((opdd:items+opdd:brackets+opdd:lines+opdd:indents)*\
                        +(opdd:tokens+opdd:pairs)*+opdd:characters)*";

/// What is done to bytes that are no text: there is no layout, and lines and words are chance.
pub const BINARY: &str = "(opdd:lines+opdd:bytes)*";

/// From this size on, lines go first: they are found in a moment, all else takes a lexer.
const LARGE: usize = 1 << 20;

/// The strategy for an input of which nothing is known.
pub fn default_for(input: &[u8]) -> Strategy {
    let is_text = !input.iter().take(LARGE).any(|byte| *byte == 0);
    let words = match is_text {
        true if input.len() >= LARGE => format!("opdd:lines+{TEXT}"),
        true => TEXT.into(),
        false => BINARY.into(),
    };
    words.parse().expect("the default strategies are well-formed")
}

/// How a text is reduced.
#[derive(Clone)]
pub enum Strategy {
    /// One algorithm over one unit.
    Phase(&'static Algorithm, &'static Unit),
    /// One after the other.
    Then(Vec<Strategy>),
    /// Again and again, until nothing is found any more.
    Star(Box<Strategy>),
}

impl Strategy {
    /// Reduces the engine's best.
    pub fn run(&self, engine: &mut Engine) {
        match self {
            Strategy::Phase(algorithm, unit) => {
                engine.begin_phase(&self.to_string());
                run_phase(algorithm, unit, engine);
            }
            Strategy::Then(steps) => steps.iter().for_each(|step| step.run(engine)),
            Strategy::Star(step) => loop {
                let before = engine.best().clone();
                step.run(engine);
                if *engine.best() == before || engine.is_over() {
                    break;
                }
            },
        }
    }
}

fn run_phase(algorithm: &Algorithm, unit: &Unit, engine: &mut Engine) {
    for level in 0.. {
        if engine.is_over() {
            break;
        }
        let text = engine.best().clone();
        let Some(atoms) = (unit.atoms)(&text, level) else { break };
        let all = Subset::all(atoms.len());
        let seed = engine.seed();
        let mut search = engine.over(|kept: &Subset| atoms.keep(&text, kept));
        // The algorithms minimise; that nothing at all is needed is asked first.
        if search.first(&mut std::iter::once(Subset::default())).is_none() {
            (algorithm.run)(all, seed, &mut search);
        }
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::Phase(algorithm, unit) => write!(f, "{}:{}", algorithm.name, unit.name),
            Strategy::Then(steps) => {
                for (index, step) in steps.iter().enumerate() {
                    write!(f, "{}{step}", if index == 0 { "" } else { "+" })?;
                }
                Ok(())
            }
            Strategy::Star(step) => match **step {
                Strategy::Phase(..) => write!(f, "{step}*"),
                _ => write!(f, "({step})*"),
            },
        }
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text };
        let strategy = parser.strategy()?;
        match parser.rest.trim_start() {
            "" => Ok(strategy),
            rest => Err(format!("`{rest}` is too much: join phases by `+`")),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn strategy(&mut self) -> Result<Strategy, String> {
        let mut steps = vec![self.step()?];
        while self.takes('+') {
            steps.push(self.step()?);
        }
        Ok(if steps.len() == 1 { steps.remove(0) } else { Strategy::Then(steps) })
    }

    fn step(&mut self) -> Result<Strategy, String> {
        let mut step = self.atom()?;
        if self.takes('*') {
            step = Strategy::Star(Box::new(step));
        }
        Ok(step)
    }

    fn atom(&mut self) -> Result<Strategy, String> {
        if self.takes('(') {
            let inner = self.strategy()?;
            return if self.takes(')') { Ok(inner) } else { Err("a `)` is missing".into()) };
        }
        let algorithm = self.word();
        let algorithm = find("algorithm", algorithm, ALGORITHMS, |each| each.name)?;
        if !self.takes(':') {
            return Err(format!(
                "`{0}` does not say what it cuts: write `{0}:lines` or `{0}:tokens`",
                algorithm.name
            ));
        }
        let unit = find("unit", self.word(), UNITS, |each| each.name)?;
        Ok(Strategy::Phase(algorithm, unit))
    }

    fn word(&mut self) -> &str {
        let rest = self.rest.trim_start();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(length);
        self.rest = rest;
        word
    }

    fn takes(&mut self, symbol: char) -> bool {
        let rest = self.rest.trim_start().strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }
}

/// Finds a value by name, or says which name is nearest.
fn find<T>(
    kind: &str,
    word: &str,
    all: &'static [T],
    name: impl Fn(&T) -> &'static str,
) -> Result<&'static T, String> {
    all.iter().find(|each| name(each) == word).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(name).collect();
        let nearest = nearest(word, names.iter().copied()).unwrap_or_default();
        format!(
            "there is no {kind} `{word}`; did you mean `{nearest}`? There are {}",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_is_printed_as_it_is_written() {
        for text in
            ["ddmin:lines", "opdd:lines*+probdd:tokens", "(opdd:lines+ddmin:bytes*)*", TEXT, BINARY]
        {
            assert_eq!(text.parse::<Strategy>().unwrap().to_string(), text);
        }
        let spaced = " ( opdd:lines + ddmin : bytes ) * ".parse::<Strategy>().unwrap();
        assert_eq!(spaced.to_string(), "(opdd:lines+ddmin:bytes)*");
    }

    #[test]
    fn mistakes_are_answered_with_what_helps() {
        let error = |text: &str| text.parse::<Strategy>().err().unwrap();
        assert!(error("ddmni:lines").contains("did you mean `ddmin`"));
        assert!(error("ddmin:line").contains("did you mean `lines`"));
        assert!(error("ddmin").contains("`ddmin:lines`"));
        assert!(error("(ddmin:lines").contains("`)`"));
        assert!(error("ddmin:lines)").contains("`)` is too much"));
        assert!(error("").contains("there is no algorithm"));
    }
}
