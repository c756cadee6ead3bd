//! The imports that sources may have: folders use those below them, and algorithms, reducers, passes, units and rules know nothing of
//! processes, threads, clocks or files, nor of the engine that runs them.

use std::fs;
use std::path::Path;

use lop_testing::{paths, sources};

/// The directories of the sources, seen from this crate.
const DIRECTORIES: [&str; 2] = ["src/reduce", "../lop-choice/src/passes"];

/// The folders of this crate, from the lowest to the highest, with those that each of them may use.
const FOLDERS: [(&str, &[&str]); 9] = [
    ("text", &[]),
    ("process", &["text"]),
    ("oracle", &["text", "process"]),
    ("session", &["text", "oracle"]),
    ("judge", &["text", "oracle", "session"]),
    ("tree", &["text"]),
    ("reduce", &["text", "tree"]),
    ("generator", &["text", "process", "oracle"]),
    ("run", &["text", "oracle", "session", "judge", "tree", "reduce", "generator"]),
];

/// The modules of the standard library that are allowed. A list of forbidden ones would miss new ones.
const STANDARD: [&str; 26] = [
    "array",
    "ascii",
    "borrow",
    "boxed",
    "cell",
    "char",
    "cmp",
    "collections",
    "convert",
    "default",
    "error",
    "fmt",
    "hash",
    "iter",
    "marker",
    "mem",
    "num",
    "ops",
    "option",
    "ptr",
    "rc",
    "result",
    "slice",
    "str",
    "string",
    "vec",
];

/// The allowed items of `std::sync`: those that share values or make them once, but none that waits.
const SYNC: [&str; 3] = ["Arc", "LazyLock", "OnceLock"];

/// The modules of both crates that run processes or threads, or write to disk.
const BELOW: [&str; 13] = [
    "check",
    "engine",
    "external",
    "generator",
    "judge",
    "oracle",
    "process",
    "protocol",
    "report",
    "run",
    "session",
    "store",
    "workers",
];

/// Other crates that are forbidden.
const CRATES: [&str; 5] = ["libc", "rustix", "signal_hook", "tempfile", "lop_cli"];

#[test]
fn algorithms_know_no_process_thread_clock_or_file() {
    let mut seen = 0;
    for directory in DIRECTORIES {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
        let sources = sources(&directory);
        assert!(!sources.is_empty(), "there is nothing in {}", directory.display());
        for path in sources {
            let source = fs::read_to_string(&path).unwrap();
            assert_eq!(forbidden(&source), [""; 0], "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 60, "only {seen} files");
}

#[test]
fn folders_use_only_those_below_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let entries = fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    let mut expected: Vec<String> = FOLDERS.map(|(name, _)| name.to_owned()).into();
    expected.push("lib.rs".into());
    expected.sort();
    assert_eq!(names, expected, "every folder has its place, and nothing is beside them");
    let mut wrong = Vec::new();
    for (at, (folder, below)) in FOLDERS.iter().enumerate() {
        let is_below = |name: &&str| FOLDERS[..at].iter().any(|(each, _)| each == name);
        assert!(below.iter().all(is_below), "{folder} is above all that it uses");
        for path in sources(&root.join(folder)) {
            let source = fs::read_to_string(&path).unwrap();
            let depth = depth(path.strip_prefix(&root).unwrap());
            let used = folders(&source, depth).into_iter();
            let above = used.filter(|name| name != folder && !below.contains(&name.as_str()));
            wrong.extend(above.map(|name| format!("{} uses {name}", path.display())));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn what_a_source_uses_of_other_folders_is_found_however_it_is_written() {
    let used = |source: &str| folders(source, 2);
    assert_eq!(used("use crate::{text::{Key, Text}, tree::Tree};"), ["text", "text", "tree"]);
    assert_eq!(used("use super::super::judge::Judge; use super::mine::It;"), ["judge"]);
    assert_eq!(used("fn f(it: crate::Report) {}"), ["Report"]);
    assert_eq!(used("use crate::search::Answer; use lop_grammar::Grammar;"), [""; 0]);
    assert_eq!(used("#[cfg(test)] mod tests { use crate::run::Reduction; }"), [""; 0]);
}

/// The number of modules between a file and the root of its crate.
fn depth(path: &Path) -> usize {
    path.components().count() - usize::from(path.ends_with("mod.rs"))
}

/// The items of its crate's root that a source uses outside of its tests: folders, or re-exports for users. The
/// search, which all share, is a crate of its own.
fn folders(source: &str, depth: usize) -> Vec<String> {
    let of_root = paths(source).into_iter().filter_map(|path| {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let start = match path[0] == "crate" {
            true => 1,
            false => Some(supers).filter(|supers| *supers >= depth)?,
        };
        path.get(start).cloned()
    });
    of_root.filter(|name| name != "search").collect()
}

#[test]
fn what_is_forbidden_is_found_however_it_is_written() {
    for (source, expected) in [
        ("use std::fs;", "std::fs"),
        ("use std::{cmp::max, fs as files};", "std::fs"),
        (
            "use std::{ops::Range, sync::{Arc, atomic::{AtomicBool, Ordering}}};",
            "std::sync::atomic",
        ),
        ("use {std::thread, std::rc::Rc};", "std::thread"),
        ("use std::*;", "std::*"),
        ("use std as s;", "std"),
        ("use std::{self as s};", "std::self"),
        ("fn f() { let now = ::std::time::Instant::now(); }", "std::time::Instant::now"),
        ("fn f() { println!(\"{}\", std::env::args().count()); }", "std::env::args"),
        ("fn f(it: &crate::oracle::Verdict) {}", "crate::oracle::Verdict"),
        ("use super::super::engine::Engine;", "super::super::engine::Engine"),
        ("use tempfile::tempdir;", "tempfile::tempdir"),
        ("fn f() { fastrand::shuffle(&mut list); }", "fastrand::shuffle"),
        ("#[cfg(test)] mod tests { use std::fs; } use std::net;", "std::net"),
    ] {
        let found = forbidden(source);
        assert_eq!(
            found.len(),
            1 + usize::from(source.contains("Ordering")),
            "{source}: {found:?}"
        );
        assert!(found[0].starts_with(expected), "{source}: {found:?}");
    }
    for source in [
        "use std::{iter, sync::{Arc, OnceLock}, collections::BTreeMap as Map};",
        "// use std::fs;\n/* std::thread */ const WORD: &str = \"std::time\"; /// std::process\nstruct S;",
        "fn f<'std>(fs: &'std str) { super::shape(fs).thread(); }",
        "#[cfg(test)] mod tests { use std::fs; fn f() {} }",
        "fn f(seed: u64) { fastrand::Rng::with_seed(seed); let engine = 1; }",
    ] {
        assert_eq!(forbidden(source), [""; 0], "{source}");
    }
}

/// The forbidden paths in a source, outside of its tests.
fn forbidden(source: &str) -> Vec<String> {
    paths(source)
        .into_iter()
        .filter(|path| is_forbidden(path))
        .map(|path| path.join("::"))
        .collect()
}

fn is_forbidden(path: &[String]) -> bool {
    let mut path = path.iter().map(String::as_str);
    match path.next() {
        Some("std" | "core" | "alloc") => match path.next() {
            Some("sync") => path.next().is_none_or(|name| !SYNC.contains(&name)),
            module => module.is_none_or(|name| !STANDARD.contains(&name)),
        },
        Some("crate" | "super") => {
            path.find(|name| *name != "super").is_some_and(|name| BELOW.contains(&name))
        }
        Some("fastrand") => path.next() != Some("Rng"),
        name => name.is_some_and(|name| CRATES.contains(&name)),
    }
}
