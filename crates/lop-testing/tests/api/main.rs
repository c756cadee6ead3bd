//! The public API of the crates: each change of it shows in a file, and it keeps to three rules.

mod cases;
mod listing;
mod names;
mod print;
mod reach;
mod rewrite;
mod rules;
mod sources;

use std::path::{Path, PathBuf};
use std::{env, fs};

use listing::list;
use sources::Crate;

/// The crates that others use.
const CRATES: [&str; 6] =
    ["lop", "lop-antlr", "lop-choice", "lop-search", "lop-grammar", "lop-languages"];

/// The environment variable with which the files are written.
const VARIABLE: &str = "LOP_UPDATE_API";

#[test]
fn the_public_api_of_each_crate_is_the_one_in_its_file() {
    let mut changes = String::new();
    for name in CRATES {
        let path = directory(name).join("api.txt");
        let new = list(&read(name)).text();
        if env::var_os(VARIABLE).is_some() {
            fs::write(&path, new).unwrap();
            continue;
        }
        let old = fs::read_to_string(&path).unwrap_or_default();
        for (sign, line) in difference(&old, &new) {
            changes += &format!("{sign} {line}\n");
        }
    }
    assert!(
        changes.is_empty(),
        "the public API has changed:\n{changes}\
        if it should, run `{VARIABLE}=1 cargo test -p lop-testing --test api` and say so in CHANGELOG.md"
    );
}

#[test]
fn a_difference_is_the_lines_that_are_gone_and_those_that_are_new() {
    let found = difference("a\nb\nc\n", "b\nd\nc\n");
    assert_eq!(found, [('-', "a"), ('+', "d")]);
    assert_eq!(difference("a\na\n", "a\n"), [('-', "a")]);
    assert_eq!(difference("a\n", "a\n"), []);
}

/// The lines of which one text has more than the other.
fn difference<'t>(old: &'t str, new: &'t str) -> Vec<(char, &'t str)> {
    let more = |one: &'t str, other: &'t str, sign: char| {
        let mut left: Vec<&str> = other.lines().collect();
        let more = one.lines().filter(move |line| {
            let found = left.iter().position(|it| it == line);
            found.map(|at| left.swap_remove(at)).is_none()
        });
        more.map(move |line| (sign, line))
    };
    more(old, new, '-').chain(more(new, old, '+')).collect()
}

fn read(name: &str) -> Crate {
    Crate::read(&name.replace('-', "_"), &directory(name))
}

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}
