//! Words and paths in shell commands.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A word, quoted for a shell if it needs to be.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let word = word.as_ref().display().to_string();
    match is_plain(&word) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Whether a shell takes a word as it is.
fn is_plain(word: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%{}".contains(c);
    !word.is_empty() && word.chars().all(is_plain)
}

/// Puts a path between the texts of a script. A path that a shell would take apart is quoted as its place needs: users
/// write `{}`, `"{}"` and `'{}'`, and all of them mean the path.
pub(super) fn filled(texts: &[OsString], path: &OsStr) -> OsString {
    if path.to_str().is_some_and(is_plain) {
        return texts.join(path);
    }
    let mut script: Vec<u8> = Vec::new();
    let mut quotes = Quotes::default();
    for (index, text) in texts.iter().enumerate() {
        if index > 0 {
            quotes.put(path.as_bytes(), &mut script);
        }
        quotes.pass(text.as_bytes());
        script.extend(text.as_bytes());
    }
    OsString::from_vec(script)
}

/// An open quote, bracket or comment in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// `'`
    Single,
    /// `"`
    Double,
    /// `(` or `$(`: inside, quotes start anew.
    Bracket,
    /// A backtick, likewise.
    Tick,
    /// A comment, up to the end of the line.
    Comment,
}

/// The quotes and brackets that are open, the innermost last.
#[derive(Default)]
struct Quotes {
    open: Vec<Open>,
    /// The byte before the place, unless it is quoted.
    last: u8,
}

impl Quotes {
    /// Reads a part of a script, and notes what it opens and closes.
    fn pass(&mut self, text: &[u8]) {
        let mut bytes = text.iter().copied().peekable();
        while let Some(byte) = bytes.next() {
            let starts_word =
                matches!(self.last, 0 | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(');
            let last = std::mem::replace(&mut self.last, byte);
            match (self.open.last(), byte) {
                (Some(Open::Single), b'\'')
                | (Some(Open::Double), b'"')
                | (Some(Open::Bracket), b')')
                | (Some(Open::Tick), b'`')
                | (Some(Open::Comment), b'\n') => drop(self.open.pop()),
                (Some(Open::Single | Open::Comment), _) => {}
                (_, b'\\') => {
                    bytes.next();
                    self.last = b'\\';
                }
                (_, b'`') => self.open.push(Open::Tick),
                (Some(Open::Double), b'(') if last == b'$' => self.open.push(Open::Bracket),
                (Some(Open::Double), _) => {}
                (_, b'\'') => self.open.push(Open::Single),
                (_, b'"') => self.open.push(Open::Double),
                (_, b'(') => self.open.push(Open::Bracket),
                (_, b'#') if starts_word => self.open.push(Open::Comment),
                _ => {}
            }
        }
    }

    /// Adds a path so that the shell reads it as it is.
    fn put(&mut self, path: &[u8], script: &mut Vec<u8>) {
        let (around, escaped, escape): (&[u8], &[u8], &[u8]) = match self.open.last() {
            Some(Open::Single) => (b"", b"'", br"'\'"),
            Some(Open::Double) => (b"", br#"\"$`"#, br"\"),
            _ => (b"'", b"'", br"'\'"),
        };
        script.extend(around);
        for byte in path {
            if escaped.contains(byte) {
                script.extend(escape);
            }
            script.push(*byte);
        }
        script.extend(around);
        self.last = b'x';
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("dir/prog.c"), "dir/prog.c");
        assert_eq!(quoted("my file"), "'my file'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    /// What a shell prints for a script with a path in place of each `{}`.
    fn printed(script: &str, path: &str) -> String {
        let texts: Vec<OsString> = script.split("{}").map(OsString::from).collect();
        let output = Command::new("/bin/sh").arg("-c").arg(filled(&texts, path.as_ref())).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    }

    #[test]
    fn a_path_stays_one_word_however_the_script_quotes_it() {
        for path in ["a.c", "sp ace.c", "it's.c", "a\"b.c", "$HOME`id`.c", "a\\b.c", "*", "ü #.c"]
        {
            for script in [
                "printf '%s\\n' {}",
                "printf '%s\\n' \"{}\"",
                "printf '%s\\n' '{}'",
                "printf \"%s\\n\" \"$(printf %s {})\"",
                "printf '%s\\n' \"$(printf %s \"{}\")\"",
                "# it's a comment\nprintf '%s\\n' {}",
                "printf '%s\\n' \\'{} | tr -d \\'",
            ] {
                let expected = match script.contains("tr -d") {
                    true => path.replace('\'', ""),
                    false => path.to_owned(),
                };
                assert_eq!(printed(script, path), format!("{expected}\n"), "{script}");
            }
            let (before, after) = ("x=", ".o");
            let script = format!("printf '%s\\n' {before}{{}}{after} \"{before}{{}}{after}\"");
            let word = format!("{before}{path}{after}\n");
            assert_eq!(printed(&script, path), word.repeat(2));
        }
    }

    #[test]
    fn blanks_are_quoted_between_backticks() {
        let scripts = ["printf '%s\\n' \"`printf %s {}`\"", "printf '%s\\n' `basename {} .c`"];
        assert_eq!(scripts.map(|script| printed(script, "a b.c")), ["a b.c\n", "a\nb\n"]);
    }

    #[test]
    fn a_plain_path_is_put_in_as_it_is() {
        let texts = ["cat <<'END'\n", "\nEND"].map(OsString::from);
        assert_eq!(filled(&texts, "/tmp/a.c".as_ref()), "cat <<'END'\n/tmp/a.c\nEND");
    }
}
