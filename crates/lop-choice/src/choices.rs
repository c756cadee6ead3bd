//! Choices as text: in the files of regressions, and as input of external generators.
//!
//! ```text
//! lop-choices 1
//! # panicked at src/sort.rs:12:5: not sorted
//! 1
//! 0
//! ```
//!
//! The first line names the version, `#` begins a comment, `most` limits the number of choices, `seed` makes random choices when
//! all others are used up, and every other line is a choice.

use std::fmt;

use crate::record::Values;

/// The first line.
const HEADER: &str = "lop-choices 1";

/// Choices, and what a generator does when they are used up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choices {
    /// Comments for people.
    pub comments: Vec<String>,
    /// The choices.
    pub values: Values,
    /// The number of choices that may be drawn.
    pub most: Option<usize>,
    /// The seed of the random choices that follow, and the size of the case. Without it, no choices follow.
    pub fresh: Option<(u64, f64)>,
}

/// A text that isn't a list of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    line: usize,
    text: String,
    why: &'static str,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, `{}`: {}", self.line, self.text, self.why)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for line in self.comments.iter().flat_map(|comment| comment.split('\n')) {
            writeln!(f, "# {line}")?;
        }
        if let Some(most) = self.most {
            writeln!(f, "most {most}")?;
        }
        if let Some((seed, size)) = self.fresh {
            writeln!(f, "seed {seed} {size}")?;
        }
        self.values.iter().try_for_each(|value| writeln!(f, "{value}"))
    }
}

impl std::str::FromStr for Choices {
    type Err = Error;

    fn from_str(text: &str) -> Result<Choices, Error> {
        let mut choices = Choices::default();
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line.trim());
        let error = |line: usize, text: &str, why| Error {
            line: line + 1,
            text: text.chars().take(60).collect(),
            why,
        };
        if header != HEADER {
            let why = match header.starts_with("lop-choices ") {
                true => "choices of a version that is not known here; a newer lop may know it",
                false => "this isn't a file of choices: the first line must be `lop-choices 1`",
            };
            return Err(error(0, header, why));
        }
        for (number, line) in lines {
            let mut words = line.split_whitespace();
            let is_known = match (words.next(), words.next(), words.next()) {
                (None, _, _) => true,
                (Some(word), _, _) if word.starts_with('#') => {
                    choices
                        .comments
                        .push(line.trim_start_matches(['#', ' ']).trim_end().to_owned());
                    true
                }
                (Some("most"), Some(most), None) => {
                    most.parse().map(|most| choices.most = Some(most)).is_ok()
                }
                (Some("seed"), Some(seed), Some(size)) => match (seed.parse(), size.parse::<f64>())
                {
                    (Ok(seed), Ok(size)) if size.is_finite() => {
                        choices.fresh = Some((seed, size));
                        true
                    }
                    _ => false,
                },
                (Some(value), None, _) => {
                    value.parse().map(|value| choices.values.push(value)).is_ok()
                }
                _ => false,
            };
            if !is_known {
                return Err(error(
                    number,
                    line,
                    "neither a whole number nor `most N`, `seed S SIZE` or a comment",
                ));
            }
        }
        Ok(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let choices = Choices {
            comments: vec!["one".into(), String::new(), "two".into()],
            values: vec![0, -7, i128::MAX, i128::MIN],
            most: Some(9),
            fresh: Some((u64::MAX, 0.25)),
        };
        assert_eq!(choices.to_string().parse(), Ok(choices));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let wrong = |text: &str| text.parse::<Choices>().unwrap_err().to_string();
        assert!(wrong("lop-choices 1\n5\nsix\n").starts_with("line 3, `six`: neither"));
        assert!(wrong("lop-choices 1\nseed 1 NaN\n").starts_with("line 2"));
        assert!(wrong("lop-choices 9\n").contains("version that is not known"));
        assert!(wrong("int main() {}").contains("the first line must be"));
    }
}
