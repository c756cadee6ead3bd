//! `lop.toml`, in the input's directory or above it: options that would otherwise be repeated.
//!
//! Each key is an option of `lop TEST FILE` without its dashes: `jobs = 4`, `thorough = true`, `with = ["a.h", "b.h"]`.
//! Options on the command line come after them and take precedence.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, Command, CommandFactory, Parser};
use toml::{Table, Value};

use crate::args::Args;
use crate::exit::{Code, Failure};
use crate::question::test_and_inputs;
use crate::reading::read_text;

const NAME: &str = "lop.toml";
/// Options that concern a single run.
const ONCE: [&str; 5] = ["resume", "from", "help", "version", "no-config"];

/// The arguments with the options of `lop.toml`, if there is one. `words` is the command line.
pub(crate) fn applied(args: Args, words: &[OsString]) -> Result<Args, Failure> {
    let Ok((_, inputs)) = test_and_inputs(&args.question) else { return Ok(args) };
    let Some(path) = inputs.first().filter(|_| !args.no_config).and_then(|input| found(input))
    else {
        return Ok(args);
    };
    let options = options(&path)?;
    let more = words.iter().skip(1).cloned();
    let words = words.iter().take(1).cloned().chain(options).chain(more);
    let mut args = Args::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let why = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        wrong(&path, why, "correct it, or leave it out with --no-config")
    })?;
    args.config = Some(path);
    Ok(args)
}

/// The file in the directory of an input or above it.
fn found(input: &Path) -> Option<PathBuf> {
    let input = std::path::absolute(input).ok()?;
    input.ancestors().skip(1).map(|directory| directory.join(NAME)).find(|path| path.is_file())
}

pub(crate) fn wrong(path: &Path, why: &str, help: &str) -> Failure {
    Failure::new(Code::Usage, format!("`{}`: {why}", path.display())).help(help)
}

/// The words of all options in a file.
fn options(path: &Path) -> Result<Vec<OsString>, Failure> {
    let table = read(path, "make it readable, or leave it out with --no-config")?;
    let known = keys(&Args::command());
    let known: Vec<&str> = known.iter().filter_map(|option| option.get_long()).collect();
    words(path, &table, &known)
}

/// The content of a file with options; `cure` is the help text if it cannot be read.
pub(crate) fn read(path: &Path, cure: &str) -> Result<Table, Failure> {
    let text = read_text(path).map_err(|error| wrong(path, &error.to_string(), cure))?;
    text.parse().map_err(|error: toml::de::Error| {
        let line = error
            .span()
            .map_or(1, |span| text[..span.start.min(text.len())].lines().count().max(1));
        let why = format!("line {line}: {}", error.message());
        wrong(path, &why, "it is a TOML file with one option per line, such as `jobs = 4`")
    })
}

/// The words of the options in a table, which may only have the known keys.
pub(crate) fn words(path: &Path, table: &Table, known: &[&str]) -> Result<Vec<OsString>, Failure> {
    let mut words = Vec::new();
    for (key, value) in table {
        if !known.contains(&&key[..]) {
            let help = match lop::similar(key, known.iter().copied()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "the keys are the options that lop --help lists, without dashes".into(),
            };
            return Err(wrong(path, &format!("there is no option `{key}`"), &help));
        }
        words.extend(option(key, value).ok_or_else(|| {
            let why = format!("the value of `{key}` is neither a text, a number, true or false, nor a list of these");
            wrong(path, &why, "write it as on the command line")
        })?);
    }
    Ok(words)
}

/// The options of `lop TEST FILE` that may be keys.
pub(crate) fn keys(command: &Command) -> Vec<Arg> {
    let is_key = |option: &&Arg| option.get_long().is_some_and(|name| !ONCE.contains(&name));
    command.get_arguments().filter(is_key).cloned().collect()
}

/// The words of an option.
fn option(key: &str, value: &Value) -> Option<Vec<OsString>> {
    let with = |value: String| Some(vec![format!("--{key}={value}").into()]);
    match value {
        Value::Boolean(true) => Some(vec![format!("--{key}").into()]),
        Value::Boolean(false) => Some(Vec::new()),
        Value::String(text) => with(text.clone()),
        Value::Integer(number) => with(number.to_string()),
        Value::Float(number) => with(number.to_string()),
        Value::Array(all) => {
            let words = all.iter().map(|value| option(key, value)).collect::<Option<Vec<_>>>();
            words.map(|words| words.concat())
        }
        Value::Datetime(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_is_read_or_refused_with_its_path_and_a_cure() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(NAME);
        let parts = [
            "jobs",
            "with",
            "keep",
            "fast",
            "=",
            " ",
            "\n",
            "[",
            "]",
            "{",
            "}",
            "\"",
            "'",
            ",",
            "true",
            "0",
            "-1",
            "1e9",
            "2020-01-01",
            "#",
            ".",
            "\\",
            "é",
            "\u{0}",
            "a.b",
            "\"\"\"",
            "nan",
            "with = ['x']\n",
        ];
        let mut random = lop_testing::random();
        for _ in 0..2_000 {
            let count = random.usize(..12);
            let text: String = (0..count).map(|_| parts[random.usize(..parts.len())]).collect();
            std::fs::write(&path, &text).unwrap();
            match options(&path) {
                Ok(words) => drop(Args::try_parse_from(["lop".into()].into_iter().chain(words))),
                Err(failure) => {
                    let message = failure.to_string();
                    assert!(
                        message.contains(NAME) && message.contains("help:"),
                        "{text:?}: {message}"
                    );
                }
            }
        }
    }
}
