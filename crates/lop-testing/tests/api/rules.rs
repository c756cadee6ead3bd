//! What a public API keeps to: users can name all that they see, wait for no lock, and lose nothing when it grows.

use super::listing::{Line, Listing, list};
use super::rewrite::Mention;
use super::sources::Crate;
use super::{CRATES, read};

/// The enums, and the structs whose fields are all public, that never get another variant or field, each with the
/// reason. All others are `#[non_exhaustive]`.
const COMPLETE: &[(&str, &str)] = &[
    ("lop::Edit", "a range and its replacement: users write it"),
    ("lop::Limits", OPTIONS),
    ("lop::Phase", "the summary takes it apart, so that it shows all of it"),
    ("lop::algorithms::Algorithm", RECIPE),
    ("lop::algorithms::Manner", RECIPE),
    ("lop::generator::Made", "a record, and a case or the reason why there is none"),
    ("lop::generator::Setup", OPTIONS),
    ("lop::oracle::Verdict", "three by definition"),
    (
        "lop::oracle::command::CommandLine",
        "a program, its arguments, its environment: users write it",
    ),
    ("lop::oracle::execute::Setup", OPTIONS),
    ("lop::passes::Lore", OPTIONS),
    ("lop::passes::Pass", RECIPE),
    ("lop::preflight::Agreement", "the verdicts, and their disagreement"),
    ("lop::reducers::Minimise", RECIPE),
    ("lop::reducers::Reducer", RECIPE),
    ("lop::reducers::Step", RECIPE),
    ("lop::reducers::Template", RECIPE),
    ("lop::tree::PatternError", "a place and a message: parsers of others make it"),
    ("lop::tree::Views", OPTIONS),
    ("lop::units::Unit", RECIPE),
    ("lop_antlr::NodeKind", "what a parse tree consists of"),
    ("lop_antlr::Source", "a name and a text: users write it"),
    ("lop_choice::Check", OPTIONS),
    ("lop_grammar::Gap", "a place has two sides"),
    ("lop_grammar::Label", "a number"),
    ("lop_grammar::Quantifier", "four by definition"),
    ("lop_grammar::RuleId", "a number"),
    ("lop_search::Answer", "three by definition"),
    ("lop_search::Inline", "a predicate"),
    ("lop_search::pool::Finished", "a job, its number and its outcome"),
    ("lop_search::pool::Ended", "a job ends, panics or is cancelled"),
];

/// Users build it from a default: `Options { one: 1, ..Options::default() }`. A new field changes nothing for them.
const OPTIONS: &str = "options, built from a default";

/// Users write others as literals: one more of it is another value, not other code.
const RECIPE: &str = "a recipe, of which users write their own";

/// The crates whose names need no re-export.
const KNOWN: [(&str, &str); 5] = [
    ("alloc", "everyone has it"),
    ("core", "everyone has it"),
    ("std", "everyone has it"),
    ("arbitrary", "a type that has its trait comes with it"),
    ("serde", "a type that has its traits comes with it"),
];

#[test]
fn everything_in_a_signature_can_be_named_by_those_who_use_it() {
    let mut wrong = Vec::new();
    for name in CRATES {
        wrong.extend(unnamed(&list(&read(name))));
    }
    assert!(wrong.is_empty(), "re-export these, or keep them inside:\n{}", wrong.join("\n"));
}

#[test]
fn no_signature_has_the_guard_of_a_lock() {
    let mut wrong = Vec::new();
    for name in CRATES {
        wrong.extend(guards(&list(&read(name))));
    }
    assert!(wrong.is_empty(), "who holds a guard can lock up the rest:\n{}", wrong.join("\n"));
}

#[test]
fn what_may_grow_is_non_exhaustive() {
    let mut found = Vec::new();
    for name in CRATES {
        found.extend(list(&read(name)).lines.iter().filter(|it| it.is_exhaustive).map(path));
    }
    let is_listed = |path: &&String| COMPLETE.iter().any(|(listed, _)| listed == path);
    let new: Vec<&String> = found.iter().filter(|path| !is_listed(path)).collect();
    assert!(new.is_empty(), "`#[non_exhaustive]`, or an entry in COMPLETE, for {new:#?}");
    let old = COMPLETE.iter().filter(|(listed, _)| !found.iter().any(|path| path == listed));
    let old: Vec<&str> = old.map(|(listed, _)| *listed).collect();
    assert!(
        old.is_empty(),
        "these are not there, or `#[non_exhaustive]`, but in COMPLETE: {old:#?}"
    );
}

#[test]
fn what_users_cannot_name_is_found() {
    check_names("pub fn f(_: regex::Regex) {}", &["regex::Regex"]);
    check_names("pub struct A { pub b: Vec<regex::Regex> }", &["regex::Regex"]);
    check_names("pub enum A { B { c: regex::Regex } }", &["regex::Regex"]);
    check_names(
        "use regex::Regex as R; pub trait A { fn b(&self) -> Option<R>; }",
        &["regex::Regex"],
    );
    check_names("pub struct A; impl From<regex::Error> for A {}", &["regex::Error"]);
    check_names("mod a { pub struct B; } pub fn c() -> a::B {}", &["it::a::B"]);
    check_names("use other::*; pub fn f(_: Stranger) {}", &["Stranger"]);
    check_names("pub use regex::Regex; pub fn f(_: regex::Regex) {}", &[]);
    check_names("pub use regex as r; pub fn f(_: r::bytes::Regex) {}", &[]);
    check_names(
        "pub struct A; impl regex::Replacer for A {} pub fn f<T: serde::Serialize>(_: std::io::Error) {}",
        &[],
    );
    check_names("struct A; impl A { pub fn f(_: regex::Regex) {} } fn g(_: regex::Regex) {}", &[]);
}

#[test]
fn the_guard_of_a_lock_is_found() {
    let count = |source: &str| guards(&list(&Crate::parse("it", source))).len();
    assert_eq!(count("use std::sync::MutexGuard; pub fn f(&self) -> MutexGuard<'_, u8> {}"), 1);
    assert_eq!(
        count(
            "use std::sync as s; pub struct A { pub b: Option<s::RwLockReadGuard<'static, u8>> }"
        ),
        1
    );
    assert_eq!(
        count("pub struct A(std::sync::MutexGuard<'static, u8>, pub std::sync::Mutex<u8>);"),
        0
    );
    assert_eq!(count("pub struct HookGuard; pub fn f() -> HookGuard {}"), 0);
}

#[test]
fn an_enum_or_a_struct_with_only_public_fields_is_exhaustive() {
    let check = |source: &str, expected: bool| {
        let krate = Crate::parse("it", source);
        assert_eq!(list(&krate).lines.iter().any(|it| it.is_exhaustive), expected, "{source}");
    };
    check("pub enum A { B }", true);
    check("pub struct A { pub b: u8 }", true);
    check("pub struct A(pub u8);", true);
    check("#[non_exhaustive] pub enum A { B }", false);
    check("#[non_exhaustive] pub struct A { pub b: u8 }", false);
    check("pub struct A { pub b: u8, c: u8 }", false);
    check("pub struct A;", false);
    check("enum A { B } pub fn f() {}", false);
}

/// Checks what users cannot name.
fn check_names(source: &str, expected: &[&str]) {
    let found = unnamed(&list(&Crate::parse("it", source)));
    let names: Vec<&str> = found.iter().map(|it| it.split_once(" in ").unwrap().0).collect();
    assert_eq!(names, expected, "{source}");
}

fn path(line: &Line) -> String {
    line.place.0.join("::")
}

/// What is named by the lines of a crate but has no name for those who use it.
fn unnamed(listing: &Listing<'_>) -> Vec<String> {
    let exported = listing.foreign();
    let is_exported = |path: &[String]| exported.iter().any(|start| path.starts_with(start));
    problems(listing, |mention| match mention {
        Mention::Foreign(path) => {
            KNOWN.iter().all(|(name, _)| *name != path[0]) && !is_exported(path)
        }
        Mention::Own(_, is_public) => !is_public,
        Mention::Unknown(_) => true,
    })
}

/// The guards of locks in the lines of a crate.
fn guards(listing: &Listing<'_>) -> Vec<String> {
    problems(listing, |mention| {
        let Mention::Foreign(path) = mention else { return false };
        let last = &path[path.len() - 1];
        last.ends_with("Guard") && ["Mutex", "RwLock"].iter().any(|lock| last.contains(lock))
    })
}

fn problems(listing: &Listing<'_>, is_wrong: impl Fn(&Mention) -> bool) -> Vec<String> {
    let mut problems = Vec::new();
    for line in &listing.lines {
        for mention in line.mentions.iter().filter(|it| is_wrong(it)) {
            let name = match mention {
                Mention::Own(path, _) | Mention::Foreign(path) => path.join("::"),
                Mention::Unknown(name) => name.clone(),
            };
            problems.push(format!("{name} in {}", line.text));
        }
    }
    problems
}
