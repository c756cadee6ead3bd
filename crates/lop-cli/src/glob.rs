//! Patterns for paths, as in a shell.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::str::FromStr;

use regex::bytes::Regex;

/// A pattern for paths: `*` and `?` stand for any part and any character of a name, `**` for any directories. A pattern without
/// `/` is for names in any directory; one that matches a directory matches all files below it.
#[derive(Clone, Debug)]
pub(crate) struct Glob {
    pub(crate) text: String,
    regex: Regex,
}

impl FromStr for Glob {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut rest = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
        if rest.is_empty() {
            return Err("write a name or a pattern, such as 'Makefile' or 'src/*.c'".into());
        }
        let start = if rest.contains('/') { "^" } else { "(^|/)" };
        let mut expression = start.to_owned();
        while let Some(next) = rest.chars().next() {
            let (length, meaning) = match next {
                _ if rest.starts_with("**/") => (3, "(.*/)?".into()),
                _ if rest.starts_with("**") => (2, ".*".into()),
                '*' => (1, "[^/]*".into()),
                '?' => (1, "[^/]".into()),
                other => (other.len_utf8(), regex::escape(other.encode_utf8(&mut [0; 4]))),
            };
            expression.push_str(&meaning);
            rest = &rest[length..];
        }
        let regex = Regex::new(&format!("(?s-u){expression}(/|$)"));
        Ok(Glob { text: text.to_owned(), regex: regex.map_err(|error| error.to_string())? })
    }
}

impl Glob {
    /// Whether it matches a path relative to the input.
    pub(crate) fn matches(&self, path: &Path) -> bool {
        self.regex.is_match(path.as_os_str().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        let matches =
            |glob: &str, path: &str| glob.parse::<Glob>().unwrap().matches(Path::new(path));
        for (glob, path) in [
            ("Makefile", "Makefile"),
            ("Makefile", "sub/Makefile"),
            ("*.h", "include/a.h"),
            ("src/*.c", "src/a.c"),
            ("./src/*.c", "src/a.c"),
            ("src", "src/deep/a.c"),
            ("src/", "src/a.c"),
            ("**/a.?", "x/y/a.c"),
            ("**/a.c", "a.c"),
            ("src/**", "src/x/y"),
        ] {
            assert!(matches(glob, path), "{glob} {path}");
        }
        for (glob, path) in [
            ("Makefile", "Makefile.in"),
            ("*.h", "a.hpp"),
            ("src/*.c", "src/x/a.c"),
            ("a.c", "abc"),
        ] {
            assert!(!matches(glob, path), "{glob} {path}");
        }
        assert!("/".parse::<Glob>().is_err());
    }
}
