//! The notation of strategies.
//!
//! ```text
//! strategy = step { "+" step }           one after the other
//! step     = atom { "~" name } [ "*" ]   without phases of these names; to the fixed point
//! atom     = phase | "(" strategy ")" | race | walk
//! race     = "[" strategy { "|" strategy } "]"   the most productive comes next
//! walk     = "{" strategy "}"           again from interesting texts of the same size
//! phase    = algorithm ":" unit          over a list of lines, tokens, ...
//!          | reducer [ ":" compatible ]  over a tree
//!          | pass                        over a tree
//!          | "guard" | "no-guard"        whether candidates that do not parse are tested
//!          | "default" | "fast" | "thorough"   the default strategies for the input
//! ```
//!
//! So `(opdd:lines+opdd:tokens)*+ddmin:bytes` repeats two phases until neither finds anything, and
//! then runs a third one; `hoistr*+hddhr*` is called Hoistʳ* + HDDHʳ* in the papers. `default~rename` is the default
//! strategy without renaming.

use std::fmt;
use std::str::FromStr;

use super::guard::GUARDS;
use super::{Effort, Strategy, walk};
use crate::reduce::algorithms::ALGORITHMS;
use crate::reduce::passes::PASSES;
use crate::reduce::reducers::{COMPATIBLE, REDUCERS, Reducer};
use crate::reduce::units::UNITS;
use crate::text::nearest;

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Strategy::List(algorithm, unit) => write!(f, "{}:{}", algorithm.name, unit.name),
            Strategy::Tree(reducer, compatible) => {
                f.write_str(reducer.name)?;
                // The paper's own meaning of *compatible* is omitted.
                match reducer.compatible().is_none_or(|own| own.name == compatible.name) {
                    true => Ok(()),
                    false => write!(f, ":{}", compatible.name),
                }
            }
            Strategy::Pass(pass) => f.write_str(pass.name),
            Strategy::Guard(guard) => f.write_str(guard.name),
            Strategy::Default(effort) => f.write_str(effort.name()),
            Strategy::DefaultWithout(effort, names) => {
                f.write_str(effort.name())?;
                names.iter().try_for_each(|name| write!(f, "~{name}"))
            }
            Strategy::Race(steps) => {
                for (index, step) in steps.iter().enumerate() {
                    write!(f, "{}{step}", if index == 0 { "[" } else { "|" })?;
                }
                f.write_str("]")
            }
            Strategy::Walk(step) => write!(f, "{{{step}}}"),
            Strategy::Then(steps) => {
                for (index, step) in steps.iter().enumerate() {
                    write!(f, "{}{step}", if index == 0 { "" } else { "+" })?;
                }
                Ok(())
            }
            Strategy::Star(step) => match **step {
                Strategy::Then(_) | Strategy::Star(_) => write!(f, "({step})*"),
                _ => write!(f, "{step}*"),
            },
        }
    }
}

/// The error for a text that isn't a strategy: the cause and the cure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidStrategy(String);

impl FromStr for Strategy {
    type Err = InvalidStrategy;

    fn from_str(text: &str) -> Result<Self, InvalidStrategy> {
        let mut reader = Reader { rest: text, depth: 0 };
        let strategy = reader.strategy().map_err(InvalidStrategy)?;
        let wrong = match reader.rest.trim_start() {
            "" => return Ok(strategy),
            rest if rest.starts_with('*') => "one `*` is enough: it repeats to the end".into(),
            rest => format!("`{rest}` is too much: join phases by `+`"),
        };
        Err(InvalidStrategy(wrong))
    }
}

/// How deep brackets may be nested. Parsing recurses, and so do running, printing and dropping the strategy.
/// The default strategies need three levels.
const DEEPEST: usize = 100;

struct Reader<'a> {
    rest: &'a str,
    /// The number of open brackets.
    depth: usize,
}

impl Reader<'_> {
    fn strategy(&mut self) -> Result<Strategy, String> {
        let mut steps = vec![self.step()?];
        while self.takes('+') {
            steps.push(self.step()?);
        }
        Ok(if steps.len() == 1 { steps.remove(0) } else { Strategy::Then(steps) })
    }

    fn step(&mut self) -> Result<Strategy, String> {
        let mut step = self.atom()?;
        while self.takes('~') {
            let rest = self.rest.trim_start();
            let length = rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len());
            let (name, rest) = rest.split_at(length);
            self.rest = rest;
            let name = phase_name(name).map_err(|InvalidStrategy(why)| why)?;
            step = step
                .without(&name)
                .ok_or_else(|| format!("nothing is left of the strategy without `{name}`"))?;
        }
        if self.takes('*') {
            step = Strategy::Star(Box::new(step));
        }
        Ok(step)
    }

    fn atom(&mut self) -> Result<Strategy, String> {
        if self.takes('(') {
            let inner = self.nested()?;
            return if self.takes(')') { Ok(inner) } else { Err("a `)` is missing".into()) };
        }
        if self.takes('[') {
            let mut steps = vec![self.nested()?];
            while self.takes('|') {
                steps.push(self.nested()?);
            }
            let race = Strategy::Race(steps);
            return if self.takes(']') { Ok(race) } else { Err("a `]` is missing".into()) };
        }
        if self.takes('{') {
            let walk = Strategy::Walk(Box::new(self.nested()?));
            return if self.takes('}') { Ok(walk) } else { Err("a `}` is missing".into()) };
        }
        let word = self.word().to_owned();
        if word.is_empty() {
            return Err("a strategy is missing; `lop strategies` lists the words".into());
        }
        let is = |name: &str| name == word;
        if let Some(reducer) = REDUCERS.iter().find(|reducer| is(reducer.name)) {
            return self.reducer(reducer);
        }
        if let Some(pass) = PASSES.iter().find(|pass| is(pass.name)) {
            return Ok(Strategy::Pass(pass));
        }
        if let Some(guard) = GUARDS.iter().find(|guard| is(guard.name)) {
            return Ok(Strategy::Guard(guard));
        }
        if let Some(effort) = Effort::ALL.into_iter().find(|effort| is(effort.name())) {
            return Ok(Strategy::Default(effort));
        }
        let names = phase_names().chain(Effort::ALL.map(Effort::name));
        let Some(algorithm) = ALGORITHMS.iter().find(|each| is(each.name)) else {
            return Err(unknown("phase", &word, names));
        };
        if !self.takes(':') {
            return Err(format!(
                "`{word}` does not say what it cuts: write `{word}:lines` or `{word}:tokens`"
            ));
        }
        Ok(Strategy::List(algorithm, self.named("unit", UNITS, |unit| unit.name)?))
    }

    /// A strategy in brackets.
    fn nested(&mut self) -> Result<Strategy, String> {
        if self.depth == DEEPEST {
            return Err(format!(
                "brackets are nested more than {DEEPEST} deep: write the strategy with fewer of them"
            ));
        }
        self.depth += 1;
        let strategy = self.strategy();
        self.depth -= 1;
        strategy
    }

    fn reducer(&mut self, reducer: &'static Reducer) -> Result<Strategy, String> {
        let compatible = match (self.takes(':'), reducer.compatible()) {
            (false, own) => own.unwrap_or(COMPATIBLE[0]),
            (true, Some(_)) => self.named("meaning of compatible", COMPATIBLE, |each| each.name)?,
            (true, None) => {
                return Err(format!(
                    "`{0}` cuts nodes of the tree: write `{0}` without `:`",
                    reducer.name
                ));
            }
        };
        Ok(Strategy::Tree(reducer, compatible))
    }

    /// Reads a name and finds its value in a list.
    fn named<T>(
        &mut self,
        kind: &str,
        all: &'static [T],
        name: impl Fn(&T) -> &'static str,
    ) -> Result<&'static T, String> {
        let word = self.word();
        let found = all.iter().find(|each| name(each) == word);
        found.ok_or_else(|| unknown(kind, word, all.iter().map(name)))
    }

    fn word(&mut self) -> &str {
        let rest = self.rest.trim_start();
        let length = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
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

/// A name for phases of a strategy: that of a phase, or of an algorithm or a reducer over all units.
pub fn phase_name(text: &str) -> Result<String, InvalidStrategy> {
    let text = text.trim();
    if phase_names().any(|name| name == text) {
        return Ok(text.to_owned());
    }
    match text.parse::<Strategy>() {
        Ok(Strategy::List(..) | Strategy::Tree(..)) => Ok(text.to_owned()),
        Err(error) if text.contains(':') => Err(error),
        _ => Err(InvalidStrategy(unknown("phase", text, phase_names()))),
    }
}

/// The names of all phases, without units.
fn phase_names() -> impl Iterator<Item = &'static str> {
    let names = ALGORITHMS.iter().map(|each| each.name);
    let names = names.chain(REDUCERS.iter().map(|each| each.name));
    let names = names.chain(PASSES.iter().map(|each| each.name));
    names.chain(GUARDS.iter().map(|each| each.name)).chain([walk::NAME])
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '-'
}

fn is_of_name(c: char) -> bool {
    is_of_word(c) || c == ':'
}

/// The message for an unknown name, which suggests the nearest one.
fn unknown(kind: &str, word: &str, names: impl Iterator<Item = &'static str>) -> String {
    let nearest = nearest(word, names).unwrap_or_default();
    format!("there is no {kind} `{word}`; did you mean `{nearest}`? `lop strategies` lists them")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_is_printed_as_it_is_written() {
        for text in [
            "ddmin:lines",
            "opdd:lines*+probdd:tokens",
            "(opdd:lines+ddmin:bytes*)*",
            "guard+[rewrite|(lift+splice)*|ddmin:lines]*+no-guard",
            "hoistr*+hddhr*",
            "opdd:lines+{(lift+splice)*}",
            "coarse-hoist:model*+hdd",
            "opdd:lines+default~rename~opdd:tokens*",
        ] {
            assert_eq!(text.parse::<Strategy>().unwrap().to_string(), text);
        }
        let spaced = " ( opdd:lines + ddmin : bytes ) * ".parse::<Strategy>().unwrap();
        assert_eq!(spaced.to_string(), "(opdd:lines+ddmin:bytes)*");
        let label = "hoist:label".parse::<Strategy>().unwrap();
        assert_eq!(label.to_string(), "hoist", "the papers' own meaning is not written");
    }

    #[test]
    fn mistakes_are_answered_with_what_helps() {
        let error = |text: &str| text.parse::<Strategy>().err().unwrap().to_string();
        assert!(error("ddmni:lines").contains("did you mean `ddmin`"));
        assert!(error("coarse-hodst*").contains("did you mean `coarse-hoist`"));
        assert!(error("hoist:modle").contains("did you mean `model`"));
        assert!(error("hdd:model").contains("write `hdd` without `:`"));
        assert!(error("ddmin:line").contains("did you mean `lines`"));
        assert!(error("ddmin").contains("`ddmin:lines`"));
        assert!(error("(ddmin:lines").contains("`)`"));
        assert!(error("ddmin:lines)").contains("`)` is too much"));
        for missing in ["", "hdd*+", "()", "+hdd"] {
            assert!(error(missing).contains("a strategy is missing"), "{missing}");
        }
        assert!(error("hdd**").contains("one `*` is enough"));
    }

    #[test]
    fn phases_are_left_out_by_name() {
        let left = |text: &str| text.parse::<Strategy>().map(|it| it.to_string());
        assert_eq!(left("(lift+rename)~rename*").unwrap(), "lift*");
        assert_eq!(left("(opdd:lines+ddmin:lines+opdd:tokens)~opdd").unwrap(), "ddmin:lines");
        assert_eq!(left("(opdd:lines+opdd:tokens)~opdd:lines").unwrap(), "opdd:tokens");
        assert_eq!(left("(hoist:model+hoist+hdd)~hoist").unwrap(), "hdd");
        for (text, why) in [
            ("default~renmae", "did you mean `rename`"),
            ("default~opdd:tokns", "did you mean `tokens`"),
            ("default~default", "there is no phase `default`"),
            ("default~", "there is no phase"),
            ("lift~lift", "nothing is left"),
        ] {
            let error = left(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn brackets_are_nested_up_to_a_limit() {
        let nested = |open: &str, close: &str, depth: usize| {
            (open.repeat(depth) + "hdd" + &close.repeat(depth)).parse::<Strategy>()
        };
        // Reading, printing and dropping a strategy do not overflow a small stack.
        let work = move || {
            for (open, close) in [("(", ")*"), ("[", "]"), ("(hdd+[", "])*")] {
                let depth = DEEPEST / open.matches(['(', '[']).count();
                let strategy = nested(open, close, depth).unwrap();
                let written = strategy.to_string();
                assert_eq!(written.parse::<Strategy>().unwrap().to_string(), written);
                assert_eq!(strategy.phases(), ["hdd"]);
                assert!(strategy.uses_trees() && strategy.without("hdd").is_none());
                drop(strategy.clone());
                for depth in [depth + 1, 100_000] {
                    let error = nested(open, close, depth).err().unwrap();
                    assert!(error.to_string().contains("nested more than 100 deep"), "{error}");
                }
            }
            assert!("(".repeat(100_000).parse::<Strategy>().is_err());
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn all_cells_of_the_table_of_variants_are_strategies() {
        for hdd in ["hdd", "hddr", "coarse-hdd", "coarse-hddr"] {
            let (hoist, hddh) = (hdd.replace("hdd", "hoist"), hdd.replace("hdd", "hddh"));
            let cells = [
                // The papers omit the second "coarse"; their figures are those of both.
                format!("{hoist}*+hdd*"),
                format!("{hdd}*"),
                format!("{hoist}*+{hdd}*"),
                format!("{hddh}*"),
                format!("{hoist}*+{hddh}*"),
            ];
            for cell in cells {
                assert_eq!(cell.parse::<Strategy>().unwrap().to_string(), cell);
            }
        }
    }
}
