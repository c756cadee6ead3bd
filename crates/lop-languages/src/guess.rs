//! Guesses the language of a file by its name and its first line.

use std::path::Path;

use crate::table::{Entry, TABLE};

/// The name of the language that a file seems to be in, whether or not it is part of this build.
pub fn guess(path: &Path, content: &[u8]) -> Option<&'static str> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension
        .and_then(|extension| {
            // First in the original case: `.C` is C++, `.c` isn't, but `.JSON` is JSON.
            by_extension(extension).or_else(|| by_extension(&extension.to_lowercase()))
        })
        .or_else(|| by_first_line(content))
        .map(|entry| entry.name)
}

/// The language with a common name: its own, an alias or an extension, in any case.
pub fn named(name: &str) -> Option<&'static Entry> {
    let lower = name.to_lowercase();
    let by = |is: &dyn Fn(&Entry) -> bool| TABLE.iter().find(|entry| is(entry));
    by(&|entry| entry.name == lower)
        .or_else(|| by(&|entry| entry.aliases.contains(&lower.as_str())))
        // `C` is the name of a language, although it is an extension of another one.
        .or_else(|| by_extension(lower.trim_start_matches('.')))
}

fn by_extension(extension: &str) -> Option<&'static Entry> {
    TABLE.iter().find(|entry| entry.extensions.contains(&extension))
}

fn by_first_line(content: &[u8]) -> Option<&'static Entry> {
    let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
    let line = content.split(|byte| *byte == b'\n').next()?;
    let line = str::from_utf8(line).ok()?;
    if let Some(command) = line.strip_prefix("#!") {
        // The first known word: before it, there may be `env` with options and variables.
        return command.split_whitespace().find_map(|word| {
            let program = word.rsplit('/').next().unwrap_or(word);
            let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            TABLE.iter().find(|entry| entry.interpreters.contains(&program))
        });
    }
    let named = |name: &str| TABLE.iter().find(|entry| entry.name == name);
    match line.to_lowercase() {
        line if line.starts_with("<?xml") => named("xml"),
        line if line.starts_with("<!doctype html") || line.starts_with("<html") => named("html"),
        line if line.starts_with("<?php") => named("php"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, content: &str, expected: Option<&str>) {
        assert_eq!(guess(path.as_ref(), content.as_bytes()), expected, "{path} {content}");
    }

    #[test]
    fn the_extension_decides() {
        check("a/b.c", "", Some("c"));
        check("b.C", "", Some("cpp"));
        check("data.JSON", "", Some("json"));
        check("x.tsx", "", Some("tsx"));
        check("x.tar.gz", "", None);
        check("x", "", None);
    }

    #[test]
    fn without_one_the_first_line_does() {
        check("run", "#!/bin/sh\n", Some("bash"));
        check("run", "#!/usr/bin/env -S python3.11 -u\n", Some("python"));
        check("run", "#!/usr/bin/env -u X FOO=1 python3\n", Some("python"));
        check("run", "\u{feff}#!/bin/sh\n", Some("bash"));
        check("run", "#! /usr/bin/node", Some("javascript"));
        check("run", "#!/usr/bin/perl -w\n", Some("perl"));
        check("run", "#!/opt/unheard", None);
        check("run", "#!", None);
        check("feed", "<?xml version='1.0'?>", Some("xml"));
        check("page", "<!DOCTYPE HTML>", Some("html"));
        check("run.txt", "#!/bin/bash\n", Some("bash"));
    }

    #[test]
    fn a_language_has_many_names() {
        for (name, expected) in [
            ("c++", "cpp"),
            ("C++", "cpp"),
            ("cxx", "cpp"),
            ("C", "c"),
            ("JavaScript", "javascript"),
            ("js", "javascript"),
            ("py", "python"),
            ("rs", "rust"),
            ("golang", "go"),
            ("yml", "yaml"),
            (".yml", "yaml"),
            ("sh", "bash"),
            ("Shell", "bash"),
            ("c#", "c-sharp"),
            ("cs", "c-sharp"),
            ("CSharp", "c-sharp"),
            ("ts", "typescript"),
            ("TSX", "tsx"),
            ("kt", "kotlin"),
            ("rb", "ruby"),
            ("hs", "haskell"),
            ("ml", "ocaml"),
            ("R", "r"),
            ("pm", "perl"),
        ] {
            assert_eq!(named(name).map(|entry| entry.name), Some(expected), "{name}");
        }
        assert!(named("klingon").is_none());
    }

    #[test]
    fn an_alias_is_written_in_lower_case_and_means_one_language() {
        for entry in TABLE {
            for alias in entry.aliases {
                assert_eq!(*alias, alias.to_lowercase());
                assert_eq!(named(alias).map(|found| found.name), Some(entry.name), "{alias}");
            }
        }
    }

    #[test]
    fn no_extension_and_no_name_is_given_twice() {
        let mut seen = std::collections::HashSet::new();
        for entry in TABLE {
            assert!(seen.insert(entry.name.to_owned()), "{}", entry.name);
            for extension in entry.extensions {
                assert!(seen.insert(format!(".{extension}")), "{extension}");
            }
        }
    }
}
