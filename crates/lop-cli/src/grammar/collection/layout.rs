//! The layout of a collection of grammars and their examples.
//!
//! A *project* is a folder with grammars. `desc.xml` or `pom.xml` in it names the rule with which a text begins, and
//! the folders of the examples, as in the public collection `grammars-v4`.

use std::fs;
use std::path::{Path, PathBuf};

use lop::antlr::Grammar;

/// A folder with grammars.
pub(super) struct Project {
    pub(super) folder: PathBuf,
    /// The files of each grammar.
    pub(super) grammars: Vec<Vec<PathBuf>>,
    /// The name of the grammar for the examples.
    pub(super) name: Option<String>,
    /// Whether the lexer ignores the case of letters.
    pub(super) ignores_case: bool,
    /// Whether each byte of an example is a character.
    pub(super) is_latin: bool,
    pub(super) tests: Vec<Test>,
}

/// Examples that are parsed with the same rule.
pub(super) struct Test {
    pub(super) start: Option<String>,
    pub(super) examples: Vec<Example>,
}

pub(super) struct Example {
    pub(super) path: PathBuf,
    /// Whether a file next to it lists its errors.
    pub(super) is_wrong: bool,
}

/// The depth to which folders are searched.
const DEEPEST: usize = 6;

/// Folders with the code of a grammar in one language, and sometimes a copy of the grammar for it. The first ones are preferred.
const TARGETS: &[&str] = &[
    "Java",
    "CSharp",
    "Python3",
    "JavaScript",
    "TypeScript",
    "Cpp",
    "Go",
    "Dart",
    "PHP",
    "Swift",
    "Antlr4ng",
    "Rust",
];

/// All projects in a folder, and in the folders below it.
pub(super) fn projects(folder: &Path) -> Vec<Project> {
    let mut found = Vec::new();
    find(folder, 0, &mut found);
    found
}

fn find(folder: &Path, depth: usize, found: &mut Vec<Project>) {
    let project = project(folder);
    let is_project = project.is_some();
    found.extend(project);
    let is_own = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name == "examples" || name.starts_with('.') || is_project && TARGETS.contains(&&*name)
    };
    for inner in entries(folder).into_iter().filter(|path| path.is_dir() && !is_own(path)) {
        if depth < DEEPEST {
            find(&inner, depth + 1, found);
        }
    }
}

fn project(folder: &Path) -> Option<Project> {
    let description = Description::of(folder);
    let mut files = grammars_in(folder);
    if files.is_empty() && description.is_some() {
        let targets = TARGETS.iter().map(|target| grammars_in(&folder.join(target)));
        files = targets.into_iter().find(|files| !files.is_empty())?;
    }
    let description = description.unwrap_or_default();
    let named: Vec<PathBuf> = description.files.iter().map(|file| folder.join(file)).collect();
    if !named.is_empty() && named.iter().all(|file| file.is_file()) {
        files = named;
    }
    let grammars = Grammar::groups(&files);
    let tests = description.tests.iter().map(|(start, inputs)| Test {
        start: start.clone(),
        examples: inputs.iter().flat_map(|inputs| examples(folder, inputs)).collect(),
    });
    (!grammars.is_empty()).then(|| Project {
        folder: folder.to_owned(),
        grammars,
        name: description.name,
        ignores_case: description.ignores_case,
        is_latin: description.is_latin,
        tests: tests.collect(),
    })
}

pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    entries
}

fn has_extension(path: &Path, names: &[&str]) -> bool {
    path.extension().is_some_and(|extension| names.iter().any(|name| extension == *name))
}

fn grammars_in(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|path| has_extension(path, &["g4"])).collect()
}

/// The examples that match a pattern such as `examples/**/*.txt`: those of the folder before its first star.
fn examples(folder: &Path, pattern: &str) -> Vec<Example> {
    let parts: Vec<&str> = pattern.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let plain = parts.iter().take_while(|part| !part.contains('*'));
    let ending = parts.last().and_then(|part| part.strip_prefix("*.")).filter(|it| *it != "*");
    let mut open = vec![plain.fold(folder.to_owned(), |path, part| path.join(part))];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(entries(&path).into_iter().rev());
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_other = ending.is_some_and(|ending| !name.ends_with(&format!(".{ending}")));
        let is_extra = has_extension(&path, &["errors", "tree", "tokens", "interp"]);
        if is_other || is_extra || name.starts_with('.') || !path.is_file() {
            continue;
        }
        // An empty list means that there are no errors.
        let beside = [path.with_extension("errors"), format!("{}.errors", path.display()).into()];
        let is_wrong = beside.iter().any(|it| fs::metadata(it).is_ok_and(|it| it.len() > 0));
        found.push(Example { path, is_wrong });
    }
    found
}

/// The content of `desc.xml` or `pom.xml`.
struct Description {
    name: Option<String>,
    files: Vec<String>,
    ignores_case: bool,
    is_latin: bool,
    /// Start rules, and patterns of examples.
    tests: Vec<(Option<String>, Vec<String>)>,
}

impl Default for Description {
    fn default() -> Self {
        let tests = vec![(None, vec!["examples".to_owned()])];
        Description { name: None, files: Vec::new(), ignores_case: false, is_latin: false, tests }
    }
}

impl Description {
    fn of(folder: &Path) -> Option<Description> {
        let read =
            |file: &str| Some(without(&fs::read_to_string(folder.join(file)).ok()?, "<!--", "-->"));
        let (new, old) = (read("desc.xml"), read("pom.xml"));
        // A folder of folders also has a pom.xml.
        let old = old.filter(|old| old.contains("<entryPoint>"));
        if new.is_none() && old.is_none() {
            return None;
        }
        let (new, old) = (new.unwrap_or_default(), old.unwrap_or_default());
        let outside = without(&new, "<test>", "</test>");
        let either = |in_new: &str, in_old: &str| {
            texts(&outside, in_new).into_iter().chain(texts(&old, in_old)).next()
        };
        let case = either("case-insensitive-type", "caseInsensitiveType").unwrap_or_default();
        let encoding = either("file-encoding", "fileEncoding").unwrap_or_default().to_lowercase();
        let is_latin =
            ["iso-8859", "latin", "windows-125"].iter().any(|it| encoding.starts_with(it))
                || texts(&old, "binary").iter().any(|it| it == "true");
        let start = either("entry-point", "entryPoint");
        let inputs = |text: &str| -> Vec<String> {
            let all = texts(text, "inputs");
            all.iter().flat_map(|it| it.split(';').map(|it| it.trim().to_owned())).collect()
        };
        let or_all = |inputs: Vec<String>| match inputs.is_empty() {
            true => vec![texts(&old, "exampleFiles").pop().unwrap_or("examples".into())],
            false => inputs,
        };
        let of_test = |test: &String| {
            (texts(test, "entry-point").pop().or(start.clone()), or_all(inputs(test)))
        };
        let mut tests: Vec<_> = texts(&new, "test").iter().map(of_test).collect();
        if tests.is_empty() {
            tests.push((start.clone(), or_all(inputs(&outside))));
        }
        // Tests for several targets may name the same examples.
        tests.sort();
        tests.dedup();
        let files = texts(&outside, "grammar-files").into_iter().chain(texts(&old, "include"));
        let files: Vec<String> = files
            .flat_map(|files| {
                files.split([';', ',']).map(|it| it.trim().to_owned()).collect::<Vec<_>>()
            })
            .filter(|file| file.ends_with(".g4"))
            .collect();
        Some(Description {
            name: either("grammar-name", "grammarName"),
            files,
            ignores_case: ["UPPER", "LOWER"].contains(&case.to_uppercase().as_str()),
            is_latin,
            tests,
        })
    }
}

/// A text without all parts between these beginnings and ends.
fn without(xml: &str, open: &str, close: &str) -> String {
    let mut parts = xml.split(open);
    let first = parts.next().unwrap_or_default();
    let behind = parts.map(|part| part.split_once(close).map_or("", |(_, rest)| rest));
    [first].into_iter().chain(behind).collect()
}

/// The texts between all pairs of tags with a name.
fn texts(xml: &str, tag: &str) -> Vec<String> {
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let inner = xml.split(&open).skip(1).filter_map(|part| part.split_once(&close));
    inner.map(|(text, _)| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}
