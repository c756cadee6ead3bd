//! Templates of commands that launch other commands: `srun -n1 {}`, `ssh board 'cd {dir} && {quoted}; exit $?'`.
//!
//! A template is split into words as a shell does it, without variables and patterns. Its holes are filled for each
//! launch.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::str::FromStr;

/// A command with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The template as the user wrote it.
    text: String,
    program: String,
    words: Vec<Word>,
}

/// Texts and holes, joined without anything in between.
type Word = Vec<Part>;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Hole(Hole),
}

/// The kind of a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hole {
    /// The words of the command; the hole must be a whole word.
    Words,
    /// The command for a shell: each of its words quoted.
    Quoted,
    /// The directory of the command.
    Directory,
    /// The file of the candidate.
    File,
}

/// The holes as they are written.
const HOLES: [(&str, Hole); 4] = [
    ("{}", Hole::Words),
    ("{quoted}", Hole::Quoted),
    ("{dir}", Hole::Directory),
    ("{file}", Hole::File),
];

/// The contents of the holes.
pub(crate) struct Filling<'f> {
    pub(crate) command: Vec<OsString>,
    pub(crate) directory: &'f OsStr,
    pub(crate) file: &'f OsStr,
}

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = split(text)?.into_iter();
        let program = words.next().ok_or("it is empty; write for instance 'srun -n1 {}'")?;
        if program.contains('{') {
            return Err("it begins with a program, such as srun in 'srun -n1 {}'".into());
        }
        let words = words.map(|word| parts(&word)).collect::<Result<Vec<Word>, String>>()?;
        let has = |hole| words.iter().flatten().any(|part| *part == Part::Hole(hole));
        if !has(Hole::Words) && !has(Hole::Quoted) {
            return Err(format!(
                "it has no place for the test: add {{}}, or {{quoted}} where a shell reads it, as in '{} {{}}'",
                text.trim()
            ));
        }
        Ok(Template { text: text.into(), program, words })
    }
}

impl Template {
    /// The program that launches others.
    pub(crate) fn program(&self) -> &str {
        &self.program
    }

    /// The template as the user wrote it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The arguments of the program.
    pub(crate) fn fill(&self, filling: &Filling<'_>) -> Vec<OsString> {
        let word = |word: &Word| match &word[..] {
            [Part::Hole(Hole::Words)] => filling.command.clone(),
            parts => vec![filled(parts, filling)],
        };
        self.words.iter().flat_map(word).collect()
    }
}

/// A word with its holes filled. If the word contains the command, a shell reads it, so paths in it are quoted, too.
fn filled(parts: &[Part], filling: &Filling<'_>) -> OsString {
    let is_script = parts.contains(&Part::Hole(Hole::Quoted));
    let path = |path: &OsStr| match is_script {
        true => quoted(path.as_bytes()),
        false => path.as_bytes().to_vec(),
    };
    let bytes = parts.iter().flat_map(|part| match part {
        Part::Text(text) => text.as_bytes().to_vec(),
        Part::Hole(Hole::Directory) => path(filling.directory),
        Part::Hole(Hole::File) => path(filling.file),
        Part::Hole(Hole::Words | Hole::Quoted) => {
            let words: Vec<_> =
                filling.command.iter().map(|word| quoted(word.as_bytes())).collect();
            words.join(&b' ')
        }
    });
    OsString::from_vec(bytes.collect())
}

/// A word, quoted for any shell. Unlike in messages, its bytes are kept.
fn quoted(word: &[u8]) -> Vec<u8> {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(byte);
    if !word.is_empty() && word.iter().all(is_plain) {
        return word.to_vec();
    }
    let inner: Vec<&[u8]> = word.split(|byte| *byte == b'\'').collect();
    [b"'", &inner.join(&b"'\\''"[..])[..], b"'"].concat()
}

/// The words of a text: separated by white space, with quotes and backslashes as in a shell.
pub(crate) fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match sign {
            _ if sign.is_ascii_whitespace() => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match signs.next() {
                        Some('\'') => break,
                        Some(sign) => word.push(sign),
                        None => return Err("a ' is never closed: add the other one".into()),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match signs.next() {
                        Some('"') => break,
                        Some('\\') => match signs.next() {
                            Some(sign @ ('"' | '\\' | '$' | '`')) => word.push(sign),
                            Some(sign) => word.extend(['\\', sign]),
                            None => {}
                        },
                        Some(sign) => word.push(sign),
                        None => return Err("a \" is never closed: add the other one".into()),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(signs.next()),
            sign => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    Ok(words)
}

/// The texts and holes of a word.
fn parts(word: &str) -> Result<Word, String> {
    let mut parts = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let found = HOLES.iter().filter_map(|(name, hole)| Some((rest.find(name)?, *name, *hole)));
        let Some((start, name, hole)) = found.min_by_key(|(start, ..)| *start) else { break };
        if start > 0 {
            parts.push(Part::Text(rest[..start].into()));
        }
        parts.push(Part::Hole(hole));
        rest = &rest[start + name.len()..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.into()));
    }
    if parts.len() > 1 && parts.contains(&Part::Hole(Hole::Words)) {
        return Err(format!(
            "{{}} stands for several words, and is a word of its own; write {{quoted}} in `{word}`"
        ));
    }
    match misspelt(&parts) {
        Some((written, meant)) => Err(format!("it has no {written}: did you mean {meant}?")),
        None => Ok(parts),
    }
}

/// A hole that seems to be misspelt. Other braces belong to the launcher, and those after a dollar to a shell.
fn misspelt(parts: &[Part]) -> Option<(String, &'static str)> {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text),
        Part::Hole(_) => None,
    });
    let mut written = texts.flat_map(|text| {
        let starts = text.match_indices('{').map(|(start, _)| start);
        let starts = starts.filter(|start| !text[..*start].ends_with('$'));
        starts.filter_map(|start| text[start..].find('}').map(|end| &text[start + 1..start + end]))
    });
    written.find_map(|inner| {
        let names = HOLES.iter().map(|(name, _)| *name);
        let names = names.filter(|name| *name != "{}").map(|name| &name[1..name.len() - 1]);
        let meant = lop::similar(inner, names)?;
        let (hole, _) = HOLES.iter().find(|(name, _)| name.contains(meant))?;
        Some((format!("{{{inner}}}"), *hole))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program and the arguments that a template gives for `./test -x 'a b'`.
    fn fill(template: &str) -> Vec<String> {
        let template: Template = template.parse().unwrap();
        let command = ["./test", "-x", "it's a b"].map(OsString::from).to_vec();
        let (directory, file) = (OsStr::new("/tmp/d 1"), OsStr::new("/tmp/d 1/in.c"));
        let words = template.fill(&Filling { command, directory, file });
        let words = words.into_iter().map(|word| word.into_string().unwrap());
        std::iter::once(template.program().to_owned()).chain(words).collect()
    }

    #[test]
    fn a_hole_of_its_own_is_filled_with_the_words_of_the_command() {
        assert_eq!(fill("srun -n1 {}"), ["srun", "-n1", "./test", "-x", "it's a b"]);
        assert_eq!(
            fill("a {} b {}"),
            "a|./test|-x|it's a b|b|./test|-x|it's a b".split('|').collect::<Vec<_>>()
        );
    }

    #[test]
    fn a_quoted_command_is_what_a_shell_reads_and_paths_beside_it_are_quoted() {
        let quoted = r"./test -x 'it'\''s a b'";
        assert_eq!(fill("ssh board {quoted}"), ["ssh", "board", quoted]);
        let script = format!("cd '/tmp/d 1' && {quoted}; exit $?");
        assert_eq!(fill("ssh board 'cd {dir} && {quoted}; exit $?'"), ["ssh", "board", &script]);
        let [_, dir, file, ..] = &fill("x --dir={dir} {file} {}")[..] else { panic!() };
        assert_eq!((&dir[..], &file[..]), ("--dir=/tmp/d 1", "/tmp/d 1/in.c"));
    }

    #[test]
    fn words_are_split_as_in_a_shell() {
        let words = |text: &str| split(text).unwrap();
        assert_eq!(words(" a  b\tc\nd "), ["a", "b", "c", "d"]);
        assert_eq!(words(r#"'a b' "c d" e\ f g'h'"i""#), ["a b", "c d", "e f", "ghi"]);
        assert_eq!(words(r#"'' "" "\"\\\$\x" '\' a\\"#), ["", "", "\"\\$\\x", "\\", "a\\"]);
        assert_eq!(words("$HOME *"), ["$HOME", "*"]);
    }

    #[test]
    fn any_text_is_a_template_or_refused() {
        let parts = [
            "{", "}", "{}", "{quoted}", "{dir}", "{dri}", "$", "'", "\"", "\\", " ", "\n", "a",
            "é", "\u{0}",
        ];
        let mut random = lop_testing::random();
        for _ in 0..2_000 {
            let count = random.usize(..10);
            let text: String = (0..count).map(|_| parts[random.usize(..parts.len())]).collect();
            let Ok(template) = text.parse::<Template>() else { continue };
            let command = vec!["test".into()];
            let (directory, file) = (OsStr::new("/d"), OsStr::new("/d/f"));
            let words = template.fill(&Filling { command, directory, file });
            assert!(words.iter().any(|word| word.to_string_lossy().contains("test")), "{text:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_cure() {
        for (text, why) in [
            ("", "it is empty"),
            ("  ", "it is empty"),
            ("srun -n1", "'srun -n1 {}'"),
            ("{}", "begins with a program"),
            ("sh -c '{}'x", "write {quoted}"),
            ("ssh 'x {}", "never closed"),
            ("ssh \"x {}", "never closed"),
            ("ssh {qouted}", "did you mean {quoted}?"),
            ("x {dri} {}", "did you mean {dir}?"),
        ] {
            let error = text.parse::<Template>().unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
        for text in ["x ${dri} {}", "awk {print} {}", "kubectl jsonpath={.items} {}"] {
            assert!(text.parse::<Template>().is_ok(), "{text}");
        }
    }
}
