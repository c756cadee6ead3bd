//! The book in `docs/`: its console examples are run, its links lead somewhere, and its reference is what the command says.
//!
//! A page is run from top to bottom in a directory of its own:
//!
//! - `` ```c file=prog.c `` writes a file, which is executable if it begins with `#!`; `<!-- copy: PATH -->` copies a file or a directory of
//!   the repository.
//! - `` ```console `` has commands after `$ ` (continued after `> `) and what they print, standard error included. `...` stands for any lines,
//!   `[..]` for any part of a line. `exit=3` is the exit code of the block's last command, 0 without it.
//! - `needs=gcc,node` names programs. Without them the block and the rest of the page are skipped, with a message; with LOP_TEST_ALL that
//!   is a failure.
//! - `` ```sh `` without a file is only parsed by the shell.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;
use std::{env, fs, thread};

use common::{Place, finished, start};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn source() -> PathBuf {
    repository().join("docs/src")
}

/// All pages, by their paths below the source of the book.
fn pages() -> BTreeMap<PathBuf, String> {
    let mut pages = BTreeMap::new();
    let mut directories = vec![source()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                let text = fs::read_to_string(&path).unwrap();
                pages.insert(path.strip_prefix(source()).unwrap().to_owned(), text);
            }
        }
    }
    pages
}

/// A part of a page that the test does something with.
enum Part {
    Copy(String),
    Block(Block),
}

/// A fenced block.
struct Block {
    line: usize,
    language: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

fn parts(page: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        if let Some(block) = &mut open {
            if line.trim_end() == "```" {
                parts.extend(open.take().map(Part::Block));
            } else {
                block.text += &format!("{line}\n");
            }
        } else if let Some(info) = line.strip_prefix("```") {
            let mut words = info.split_whitespace().map(str::to_owned);
            let language = words.next().unwrap_or_default();
            let attribute = |word: String| {
                let (name, value) = word.split_once('=').unwrap_or((&word, ""));
                (name.to_owned(), value.to_owned())
            };
            let attributes = words.map(attribute).collect();
            open = Some(Block { line: number + 1, language, attributes, text: String::new() });
        } else if let Some(path) = line.strip_prefix("<!-- copy: ") {
            parts.push(Part::Copy(path.trim_end_matches(" -->").to_owned()));
        }
    }
    assert!(open.is_none(), "a block has no end");
    parts
}

#[test]
fn the_console_examples_of_the_book_print_what_it_says() {
    let only = env::var("LOP_TEST_PAGE").ok();
    let pages = pages().into_iter().filter(|(path, _)| {
        only.as_ref().is_none_or(|only| path.to_string_lossy().contains(&only[..]))
    });
    let queue = Mutex::new(pages.collect::<Vec<_>>());
    let failures = Mutex::new(String::new());
    let workers = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let Some((path, text)) = queue.lock().unwrap().pop() else { break };
                    let started = Instant::now();
                    let outcome = run(&parts(&text), &Place::new());
                    eprintln!("{}: {:.1} s", path.display(), started.elapsed().as_secs_f64());
                    if let Err((line, why)) = outcome {
                        let mut failures = failures.lock().unwrap();
                        writeln!(failures, "docs/src/{}:{line}: {why}", path.display()).unwrap();
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{failures}");
}

/// Runs the blocks of a page. The error has a line and a message.
fn run(parts: &[Part], place: &Place) -> Result<(), (usize, String)> {
    for part in parts {
        let block = match part {
            Part::Copy(path) => {
                let from = repository().join(path);
                let copied = place.command("cp").arg("-r").arg(&from).arg(".").status();
                assert!(copied.unwrap().success(), "{} cannot be copied", from.display());
                continue;
            }
            Part::Block(block) => block,
        };
        let failed = |why: String| (block.line, why);
        if let Some(missing) = missing(block) {
            let message =
                format!("{missing} is not installed: the rest of the page was NOT tested");
            if env::var_os("LOP_TEST_ALL").is_some() {
                return Err(failed(message));
            }
            eprintln!("{message}");
            return Ok(());
        }
        match (&block.language[..], block.attributes.get("file")) {
            (_, Some(name)) if block.text.starts_with("#!") => place.executable(name, &block.text),
            (_, Some(name)) => place.write(name, &block.text),
            ("console", None) => converse(block, place).map_err(failed)?,
            ("sh", None) => {
                place.write("snippet.sh", &block.text);
                let parsed = finished(start(place.command("sh").args(["-n", "snippet.sh"])));
                fs::remove_file(place.path("snippet.sh")).unwrap();
                if parsed.code != 0 {
                    return Err(failed(parsed.stderr));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The first program that a block needs and that isn't there.
fn missing(block: &Block) -> Option<&str> {
    let needed = block.attributes.get("needs")?;
    needed.split(',').find(|name| {
        let found =
            Command::new("sh").args(["-c", &format!("command -v {name} >/dev/null")]).status();
        !found.unwrap().success()
    })
}

/// Runs the commands of a block, and compares what they print.
fn converse(block: &Block, place: &Place) -> Result<(), String> {
    let mut commands: Vec<(String, Vec<&str>)> = Vec::new();
    for line in block.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command.to_owned(), Vec::new()));
        } else {
            let (command, output) = commands.last_mut().ok_or("a command begins with `$ `")?;
            match line.strip_prefix("> ").filter(|_| output.is_empty() && command.ends_with('\\')) {
                Some(more) => *command += &format!("\n{more}"),
                None => output.push(line),
            }
        }
    }
    let last = commands.len().saturating_sub(1);
    let exit = block.attributes.get("exit").map_or(0, |code| code.parse().unwrap());
    let lop = Path::new(env!("CARGO_BIN_EXE_lop")).parent().unwrap().to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([lop].into_iter().chain(env::split_paths(&others))).unwrap();
    for (number, (command, expected)) in commands.iter().enumerate() {
        let both = format!("exec 2>&1\n{command}");
        let mut shell = place.command("sh");
        let output = finished(start(shell.args(["-c", &both]).env("PATH", &path)));
        let printed: Vec<&str> = output.stdout.lines().map(str::trim_end).collect();
        let code = if number == last { exit } else { 0 };
        if output.code != code {
            return Err(format!("`{command}` exits with {}:\n{}", output.code, output.stdout));
        }
        if !matches(expected, &printed) {
            return Err(format!("`{command}` prints something else:\n{}", output.stdout));
        }
    }
    Ok(())
}

/// Whether lines match a pattern of lines, in which `...` stands for any lines.
fn matches(pattern: &[&str], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "..." => {
            (0..=lines.len()).any(|from| matches(rest, &lines[from..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, others)| like(first, line) && matches(rest, others)),
    }
}

/// Whether a line matches a pattern, in which `[..]` stands for anything. Columns are as wide as what is in them, so the
/// number of blanks between words does not matter.
fn like(pattern: &str, line: &str) -> bool {
    let (pattern, line) = (squeezed(pattern), squeezed(line));
    let mut parts = pattern.trim_end().split("[..]");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(end) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(end)
}

/// A line with one blank where it has several after its first word.
fn squeezed(line: &str) -> String {
    let indented = line.len() - line.trim_start().len();
    let mut text = line[..indented].to_owned();
    for (index, word) in line.split_whitespace().enumerate() {
        text.extend((index > 0).then_some(' '));
        text += word;
    }
    text
}

#[test]
fn patterns_of_output_stand_for_lines_and_parts_of_lines() {
    assert!(like("a [..] c", "a b c") && like("[..]c", "a b c") && !like("a [..] d", "a b c"));
    assert!(like("a  time  b", "a      time  b") && !like("  a", " a") && !like("ab", "a b"));
    assert!(!like("a", "a b") && like("[..] s, [..] tests", "3 s, 40 tests"));
    assert!(matches(&["a", "...", "c"], &["a", "x", "y", "c"]) && matches(&["a", "..."], &["a"]));
    assert!(!matches(&["a"], &["a", "b"]) && !matches(&["...", "c"], &["a", "b"]));
}

#[test]
fn the_summary_lists_each_page_once_and_nothing_else() {
    let pages = pages();
    let listed = links(&pages[Path::new("SUMMARY.md")]);
    let mut listed: Vec<PathBuf> = listed.into_iter().map(PathBuf::from).collect();
    listed.sort();
    let there: Vec<PathBuf> =
        pages.into_keys().filter(|path| path != Path::new("SUMMARY.md")).collect();
    assert_eq!(listed, there);
}

/// The targets of a page's links and pictures, without those in code.
fn links(page: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut is_code = false;
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        // Every other part of a line is code.
        let prose: String = line.split('`').step_by(2).collect();
        for (_, after) in prose.match_indices("](").map(|(at, _)| prose.split_at(at + 2)) {
            let target = after.split(')').next().unwrap_or_default();
            targets.extend((!is_code).then(|| target.to_owned()));
        }
    }
    targets
}

/// The anchors that a page's headings get.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn each_link_of_the_book_and_of_the_front_page_leads_somewhere() {
    let mut all: BTreeMap<PathBuf, String> =
        pages().into_iter().map(|(path, text)| (source().join(path), text)).collect();
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let path = repository().join(name);
        all.insert(path.clone(), fs::read_to_string(path).unwrap());
    }
    let mut broken = String::new();
    for (path, text) in &all {
        for link in links(text).iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            let target = target.canonicalize().unwrap_or(target);
            let has_anchor = || {
                let page = all.get(&target).cloned().or_else(|| fs::read_to_string(&target).ok());
                page.is_some_and(|page| anchors(&page).contains(&anchor.to_owned()))
            };
            if !target.exists() || (!anchor.is_empty() && !has_anchor()) {
                writeln!(broken, "{}: {link}", path.display()).unwrap();
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{broken}");
}

#[test]
fn the_reference_of_the_command_line_is_what_the_command_says() {
    let place = Place::new();
    place.lop(["man", "--markdown", "pages"]).expect(0, &[]);
    let kept = source().join("reference/command-line");
    if env::var_os("LOP_UPDATE_BOOK").is_some() {
        let _ = fs::remove_dir_all(&kept);
        let copied = place.command("cp").arg("-r").arg(place.path("pages")).arg(&kept).status();
        assert!(copied.unwrap().success());
    }
    let cure = "LOP_UPDATE_BOOK=1 cargo test -p lop-cli --test book writes it anew";
    let mut there: Vec<String> = fs::read_dir(&kept)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    assert_eq!(there, place.names_in("pages"), "{cure}");
    for name in there {
        let written = place.read(Path::new("pages").join(&name));
        assert!(fs::read(kept.join(&name)).unwrap() == written, "{name} is outdated; {cure}");
    }
}

#[test]
fn each_option_that_the_book_names_exists() {
    let place = Place::new();
    place.lop(["man", "--markdown", "pages"]).expect(0, &[]);
    let mut known = String::new();
    for name in place.names_in("pages") {
        known += &String::from_utf8(place.read(Path::new("pages").join(name))).unwrap();
    }
    let readme =
        (PathBuf::from("README.md"), fs::read_to_string(repository().join("README.md")).unwrap());
    let mut unknown = String::new();
    for (path, text) in pages().into_iter().chain([readme]) {
        for code in text.split('`').skip(1).step_by(2) {
            // What follows ` -- ` or is quoted is a command of the user's.
            let own = code.strip_prefix("lop ").and_then(|own| own.split(" -- ").next());
            let own: String = own.unwrap_or_default().split('\'').step_by(2).collect();
            for word in own.split_whitespace().filter(|word| word.starts_with("--")) {
                let option = word.split(['=', '[', ',']).next().unwrap_or_default();
                let quoted = [" ", "`", "=", "["].map(|end| format!("{option}{end}"));
                if option.len() > 2 && !quoted.iter().any(|it| known.contains(&it[..])) {
                    writeln!(unknown, "{}: {option} in `{code}`", path.display()).unwrap();
                }
            }
        }
    }
    assert!(unknown.is_empty(), "options that lop does not have:\n{unknown}");
}

#[test]
fn the_commands_at_the_top_of_the_front_page_work() {
    let place = Place::new();
    place.write("prog.c", "int unused;\nint main(void) { return missing; }\n");
    place.script("test.sh", "grep -q missing prog.c");
    place.write("query.sql", "SELECT 1;\nSELECT broken;\n");
    place.script("db", "grep -q broken \"$2\" || exit 0\necho 'Assertion x failed' >&2\nexit 1");
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = parts(&readme).into_iter().filter_map(|part| match part {
        Part::Block(block) if block.language == "console" => Some(block),
        _ => None,
    });
    for mut block in blocks {
        let quiet = |line: &str| line.replace("$ lop ", "$ lop -q --force ") + "\n";
        block.text = block.text.lines().map(quiet).collect();
        block.attributes.insert("needs".to_owned(), "gcc".to_owned());
        if let Some(missing) = missing(&block) {
            assert!(env::var_os("LOP_TEST_ALL").is_none(), "{missing} is not installed");
            eprintln!("{missing} is not installed: the commands were NOT tested");
            return;
        }
        converse(&block, &place).unwrap();
    }
    let query = place.squeezed("query.lop.sql");
    assert!(query.contains("broken") && !query.contains("SELECT1"), "{query}");
}
