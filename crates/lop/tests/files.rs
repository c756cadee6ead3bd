//! Several files as one tree.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use lop::passes::{Lore, PASSES};
use lop::tree::{Format, Tree};
use lop::{Bundle, FileKind, InputFile, Reduction, Text, Turn};

fn pack(files: &[(&str, &str)]) -> (Bundle, Text) {
    let files: Vec<InputFile> =
        files.iter().map(|(path, content)| InputFile::new(path, *content)).collect();
    Bundle::pack(None, &files)
}

fn parse(bundle: &Bundle, text: &Text) -> Tree {
    Tree::parse(text, &Format::of_files(bundle, text, Turn::Later))
}

/// The files of a text, each as `path: content`.
fn shown(bundle: &Bundle, text: &[u8]) -> Vec<String> {
    let members = bundle.members(text).into_iter();
    let content = |range| String::from_utf8_lossy(&text[range]).into_owned();
    members.map(|each| format!("{}: {}", each.path.display(), content(each.content))).collect()
}

/// What a pass proposes for several files.
fn proposed(pass: &str, files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let (bundle, text) = pack(files);
    let tree = parse(&bundle, &text);
    let pass = PASSES.iter().find(|each| each.name == pass).unwrap();
    let lore = Lore::default();
    let candidates = (pass.propose)(&tree, &lore).map(|changes| tree.candidate(&changes));
    candidates.map(|candidate| shown(&bundle, candidate.text())).collect()
}

#[track_caller]
fn proposes(pass: &str, files: &[(&str, &str)], expected: &[&str]) {
    let all = proposed(pass, files);
    assert!(all.iter().any(|it| it == expected), "{pass} of {files:?} proposes {all:#?}");
}

#[test]
fn a_file_goes_alone_or_with_what_mentions_it_in_any_language() {
    let check = |importing: (&str, &str), imported: &str, left: &str| {
        let left = format!("{}: {left}", importing.0);
        proposes("files", &[importing, (imported, "x")], &[&left]);
        let alone = format!("{}: {}", importing.0, importing.1);
        proposes("files", &[importing, (imported, "x")], &[&alone]);
    };
    check(("a.c", "#include \"sub/util.h\"\nint a;\n"), "sub/util.h", "int a;\n");
    check(("main.rs", "mod util;\nuse util::f;\nfn main() {}\n"), "util.rs", "fn main() {}\n");
    check(("main.rs", "mod util;\nfn main() {}\n"), "util/mod.rs", "fn main() {}\n");
    check(("a.py", "from .util import f\nx = 1\n"), "util.py", "x = 1\n");
    check(("a.py", "import util, other\nx = 1\n"), "util/__init__.py", "import other\nx = 1\n");
    check(("a.js", "const u = require('./util');\nf();\n"), "util.js", "f();\n");
    check(("a.js", "import u from './util.js';\nf();\n"), "util.js", "f();\n");
    check(("a.json", "{\"files\": [\"a.js\", \"util.js\"]}"), "util.js", "{\"files\": [\"a.js\"]}");
    check(("Makefile", "O = a.o util.o b.o\nall: $(O)\n"), "util.c", "O = a.o b.o\nall: $(O)\n");
    check(("Makefile", "all: x\nutil.o: util.c\n\tcc util.c\n"), "util.c", "all: x\n");
}

#[test]
fn a_word_that_only_contains_the_name_is_no_mention() {
    let files = [("a.c", "int util_x, my_util; int y;\n"), ("util.c", "int z;\n")];
    assert!(proposed("files", &files).iter().all(|left| {
        left.iter().all(|file| !file.starts_with("a.c") || file.ends_with("my_util; int y;\n"))
    }));
}

#[test]
fn the_comments_of_all_files_go_together_or_file_by_file() {
    let files = [("a.c", "/* 1 */\nint a; // 2\n"), ("b.c", "/* 3 */\nint b;\n")];
    proposes("comments", &files, &["a.c: int a;\n", "b.c: int b;\n"]);
    proposes("comments", &files, &["a.c: int a;\n", "b.c: /* 3 */\nint b;\n"]);
}

#[test]
fn a_name_is_removed_in_all_files_together() {
    let files =
        [("a.c", "int f(void);\nint g(void) { return 1; }\n"), ("b.c", "int f(void);\nint y;\n")];
    proposes("unlink", &files, &["a.c: int g(void) { return 1; }\n", "b.c: int y;\n"]);
}

#[test]
fn the_rules_of_each_language_apply_to_its_files() {
    let files = [("a.c", "int x = a ? b : c;\n"), ("b.py", "x = 1 if y else 2\n")];
    let all = proposed("rewrite", &files);
    let changes = |path: &str, old: &str| {
        let is_new = |file: &String| file.starts_with(path) && !file.contains(old);
        all.iter().any(|left| left.iter().any(is_new))
    };
    assert!(changes("a.c", "a ? b : c") && changes("b.py", "1 if y else 2"), "{all:#?}");
}

#[test]
fn a_candidate_parses_if_each_changed_file_does() {
    let (bundle, text) =
        pack(&[("a.c", "int f() { g(); }\n"), ("b.txt", "((\n"), ("c.c", "int y;\n")]);
    let tree = parse(&bundle, &text);
    let without = |piece: &str| {
        let at = text.windows(piece.len()).position(|it| it == piece.as_bytes()).unwrap();
        lop::Candidate::without(&text, std::iter::once(at..at + piece.len()))
    };
    assert!(tree.still_parses(&without("g();")));
    assert!(!tree.still_parses(&without("{")));
    assert!(tree.still_parses(&without("((")), "any text parses");
    assert!(tree.still_parses(&without("int f() { g(); }\n")));
}

#[test]
fn headers_and_fixed_files_are_the_same_in_every_candidate() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snippets");
    let mut files: Vec<InputFile> = ["c", "py", "rs", "js", "json", "html"]
        .iter()
        .filter_map(|extension| {
            let entries = fs::read_dir(&directory).unwrap().flatten();
            let path = entries
                .map(|entry| entry.path())
                .find(|path| path.extension().is_some_and(|it| it == *extension))?;
            let content = fs::read(&path).unwrap();
            let short: Vec<u8> = content
                .split_inclusive(|byte| *byte == b'\n')
                .take(12)
                .flatten()
                .copied()
                .collect();
            Some(InputFile::new(path.file_name().unwrap(), short))
        })
        .collect();
    files.push(InputFile::new("fixed.c", "int kept; \t "));
    files.push(InputFile::new("first.c", "int a;\n\nint needed(void) { return 0; }  "));
    files.push(InputFile::new("link", "fixed.c"));
    files.push(InputFile::new("data", b"\0\x01needed\xff".to_vec()));
    let count = files.len();
    files[count - 4].turn = Turn::Never;
    files[count - 3].turn = Turn::First;
    files[count - 2].kind = FileKind::Link;
    let (bundle, text) = Bundle::pack(None, &files);
    let wrong: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = wrong.clone();
    let (bundled, originals) = (bundle.clone(), files.clone());
    let oracle = move |text: &[u8]| {
        let members = bundled.members(text);
        let covered: usize = members.iter().map(|member| member.whole.len()).sum();
        let mut paths: Vec<_> = members.iter().map(|member| member.path.clone()).collect();
        paths.dedup();
        let is_same = |member: &&lop::Member| {
            let file = originals.iter().find(|file| file.path == member.path).unwrap();
            text[member.content.clone()] == file.content
        };
        let fixed = members.iter().filter(|member| member.turn == Turn::Never);
        let links = members.iter().filter(|member| member.kind == FileKind::Link);
        let is_right = covered == text.len()
            && paths.len() == members.len()
            && fixed.clone().count() == 1
            && fixed.chain(links).all(|member| is_same(&member));
        if !is_right {
            seen.lock().unwrap().push(format!("{:?}", shown(&bundled, text)));
        }
        let has = |path: &str| {
            members.iter().any(|member| {
                let content = &text[member.content.clone()];
                member.path == Path::new(path) && content.windows(6).any(|it| it == b"needed")
            })
        };
        has("first.c") && has("data")
    };
    for strategy in ["default", "thorough", "hddr*+hoistr", "perses", "ddmin:lines+opdd:bytes"] {
        let mut reduction = Reduction::new(text.clone(), &oracle);
        reduction.bundle = Some(bundle.clone());
        reduction.strategy = strategy.parse().unwrap();
        reduction.max_tests = Some(3000);
        let report = reduction.run().unwrap();
        let wrong = wrong.lock().unwrap();
        assert!(wrong.is_empty(), "{strategy}: {}", wrong[0]);
        let left = shown(&bundle, &report.best.text);
        assert!(left.contains(&"fixed.c: int kept; \t ".to_owned()), "{strategy}: {left:?}");
    }
}
