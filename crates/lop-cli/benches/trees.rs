//! How often proposals of trees are right: over real files, by language.
//!
//! ```text
//! cargo bench --bench trees                       files of this machine's packages
//! cargo bench --bench trees -- DIR ...            files below these directories
//! cargo bench --bench trees -- --scaling          only time and memory for C files of increasing size
//! ```
//!
//! For each language: the share of nodes that their content model accepts; the shares of proposed
//! cuts of single nodes, cuts of groups and hoists after which the parser finds no new error, first
//! as the models propose them, then without those that the models are not sure of and the parser
//! rejects; time to parse and match, and memory, per byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use lop::Text;
use lop::tree::{Change, Format, NodeId, Tree};
use lop_languages::Language;

const SAMPLES: usize = 600;
const FILES: usize = 40;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    match &arguments[..] {
        [flag, files @ ..] if flag == "--measure" => measure(files),
        [flag] if flag == "--scaling" => scaling(),
        directories => {
            report(directories);
            scaling();
        }
    }
}

fn report(directories: &[String]) {
    let seed = 1;
    let roots = if directories.is_empty() {
        roots()
    } else {
        directories.iter().map(PathBuf::from).collect()
    };
    let files = files(&roots);
    println!("seed {seed}; at most {SAMPLES} samples of each kind");
    println!(
        "{:<12} {:>5} {:>7} {:>8} {:>9} | {:>8} {:>8} {:>8} | {:>8} {:>8} {:>8} {:>6} | {:>7} {:>6}",
        "language",
        "files",
        "lines",
        "nodes",
        "matched",
        "cuts",
        "groups",
        "hoists",
        "cuts",
        "groups",
        "hoists",
        "asked",
        "s/MB",
        "B/B"
    );
    for (name, paths) in files {
        let Some(language) = lop_languages::find(name) else { continue };
        let mut random = fastrand::Rng::with_seed(seed);
        let mut totals = Totals::default();
        for path in &paths {
            let Ok(content) = std::fs::read(path) else { continue };
            let place = path.display().to_string();
            totals.add(
                &place,
                &Arc::new(content),
                &language,
                &mut random,
                SAMPLES.div_ceil(paths.len()),
            );
        }
        let [seconds, bytes] = measured(&paths);
        totals.print(name, paths.len(), seconds, bytes);
    }
}

#[derive(Default)]
struct Totals {
    lines: usize,
    nodes: usize,
    matchable: usize,
    matched: usize,
    /// Cuts, groups and hoists.
    proposals: [Proposals; 3],
    unmatched: BTreeMap<String, usize>,
    bad: BTreeMap<String, usize>,
}

#[derive(Default)]
struct Proposals {
    proposed: usize,
    fine: usize,
    /// Those for which the model was not sure and the parser was asked.
    asked: usize,
    /// Those for which the model was sure, or that the parser accepted.
    accepted: usize,
    accepted_and_fine: usize,
}

impl Totals {
    fn add(
        &mut self,
        place: &str,
        text: &Text,
        language: &Arc<Language>,
        random: &mut fastrand::Rng,
        samples: usize,
    ) {
        let tree = Tree::parse(text, &Format::from(language.clone()));
        self.lines += text.iter().filter(|byte| **byte == b'\n').count();
        self.nodes += tree.len();
        for node in tree.ids() {
            if let Some(matched) = tree.is_matched(node) {
                self.matchable += 1;
                self.matched += usize::from(matched);
                if !matched {
                    let children: Vec<&str> = tree.children(node).map(|c| tree.name(c)).collect();
                    let (line, _) = tree.position(tree.range(node).start);
                    let word = format!(
                        "{}: {}, {place}:{}",
                        tree.name(node),
                        children.join(" "),
                        line + 1
                    );
                    *self.unmatched.entry(word).or_default() += 1;
                }
            }
        }
        let errors = language.errors_in(text);
        let proposals = [cuts(&tree), groups(&tree), hoists(&tree, random)];
        for (kind, all) in proposals.iter().enumerate() {
            for _ in 0..samples.min(all.len()) {
                let (parent, change) = &all[random.usize(..all.len())];
                let candidate = tree.candidate(std::slice::from_ref(change));
                let fine = language.errors_in(&candidate.bytes()) <= errors;
                let totals = &mut self.proposals[kind];
                totals.proposed += 1;
                totals.fine += usize::from(fine);
                let sure = tree.is_sure(change);
                let accepted = sure || tree.still_parses(&candidate);
                totals.asked += usize::from(!sure);
                totals.accepted += usize::from(accepted);
                totals.accepted_and_fine += usize::from(accepted && fine);
                if accepted && !fine {
                    let what = match change {
                        Change::Cut(first, last) if first == last => {
                            format!("-{}", tree.name(*first))
                        }
                        Change::Cut(first, last) => {
                            format!("-{}…{}", tree.name(*first), tree.name(*last))
                        }
                        Change::Keep { place, first, .. } => {
                            format!("{}→{}", tree.name(*place), tree.name(*first))
                        }
                        other => format!("{other:?}"),
                    };
                    *self.bad.entry(format!("{}: {what}", tree.name(*parent))).or_default() += 1;
                }
            }
        }
    }

    fn print(&self, name: &str, files: usize, seconds: f64, bytes: f64) {
        let share = |part: usize, whole: usize| match whole {
            0 => "–".to_owned(),
            _ => format!("{:.2} %", 100.0 * part as f64 / whole as f64),
        };
        let raw = |p: &Proposals| share(p.fine, p.proposed);
        let guarded = |p: &Proposals| share(p.accepted_and_fine, p.accepted);
        let [cuts, groups, hoists] = &self.proposals;
        let asked: usize = self.proposals.iter().map(|p| p.asked).sum();
        println!(
            "{name:<12} {files:>5} {:>7} {:>8} {:>9} | {:>8} {:>8} {:>8} | {:>8} {:>8} {:>8} {:>6} | {seconds:>7.3} {bytes:>6.1}",
            self.lines,
            self.nodes,
            share(self.matched, self.matchable),
            raw(cuts),
            raw(groups),
            raw(hoists),
            guarded(cuts),
            guarded(groups),
            guarded(hoists),
            asked
        );
        if std::env::var_os("LOP_VERBOSE").is_some() {
            print_most("not matched", &self.unmatched);
            print_most("new errors", &self.bad);
        }
    }
}

fn print_most(what: &str, counts: &BTreeMap<String, usize>) {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (name, count) in counts.into_iter().take(12) {
        println!("    {what}: {count} × {name}");
    }
}

fn cuts(tree: &Tree) -> Vec<(NodeId, Change)> {
    let nodes = tree.ids().filter(|node| tree.is_removable(*node));
    nodes.filter_map(|node| Some((tree.parent(node)?, Change::cut(node)))).collect()
}

fn groups(tree: &Tree) -> Vec<(NodeId, Change)> {
    let groups =
        |node: NodeId| tree.groups(node).into_iter().map(move |g| (node, Change::Cut(g.0, g.1)));
    tree.ids().flat_map(groups).collect()
}

fn hoists(tree: &Tree, random: &mut fastrand::Rng) -> Vec<(NodeId, Change)> {
    // A large file has too many pairs: take one for each of a third of the places.
    let places: Vec<NodeId> = tree.ids().filter(|_| random.u8(..3) == 0).collect();
    let mut hoists = Vec::new();
    for place in places {
        let nodes: Vec<NodeId> = tree.hoistable(place).collect();
        if let (Some(parent), false) = (tree.parent(place), nodes.is_empty()) {
            hoists.push((parent, Change::hoist(place, nodes[random.usize(..nodes.len())])));
        }
    }
    hoists
}

/// Seconds per megabyte and bytes of memory per byte, measured in a new process.
fn measured(paths: &[PathBuf]) -> [f64; 2] {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program).arg("--measure").args(paths).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    [numbers.next().unwrap_or(f64::NAN), numbers.next().unwrap_or(f64::NAN)]
}

/// Prints the time and memory to parse some files of one language, with all trees in memory. The files are parsed
/// once before, so that the grammar and the models of its rules, which a language needs only once, are not counted.
fn measure(paths: &[String]) {
    let texts: Vec<(Text, Format)> = paths
        .iter()
        .map(|path| {
            let content = std::fs::read(path).expect("the file can be read");
            let format = Format::guess(path.as_ref(), &content);
            (Arc::new(content), format)
        })
        .collect();
    let bytes = texts.iter().map(|(text, _)| text.len()).sum::<usize>() as f64;
    let parse =
        || -> Vec<Tree> { texts.iter().map(|(text, format)| Tree::parse(text, format)).collect() };
    drop(parse());
    forget_peak();
    let before = resident();
    let start = Instant::now();
    let trees = parse();
    let seconds = start.elapsed().as_secs_f64();
    let memory = peak().saturating_sub(before);
    std::hint::black_box(&trees);
    println!("{} {}", seconds / (bytes / 1e6), memory as f64 / bytes);
}

/// Returns unused memory to the system, and resets the peak to the current use.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "there is no safe wrapper")
)]
fn forget_peak() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function takes a number, and only touches free memory.
    unsafe {
        libc::malloc_trim(0);
    }
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn resident() -> u64 {
    status("VmRSS:")
}

fn peak() -> u64 {
    status("VmHWM:")
}

fn status(key: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) * 1024
}

/// Prints time and memory for C files of increasing size.
fn scaling() {
    println!("\n{:>12} {:>9} {:>9}", "bytes of C", "s/MB", "B/B");
    let directory = tempfile::tempdir().expect("a temporary directory");
    for size in [10_000, 100_000, 1_000_000, 10_000_000] {
        let mut text = String::new();
        let mut number = 0;
        while text.len() < size {
            number += 1;
            text += &format!(
                "struct s{number} {{ int a, b[{number}]; struct s{number} *next; }};\n\
                 static int f{number}(struct s{number} *p, unsigned n) {{\n    \
                     int sum = 0;\n    \
                     for (unsigned i = 0; i < n; i++) {{\n        \
                         if (p->a > {number} && p->b[i] != 0x{number:x}) {{ sum += p->b[i] * (i + 1); }}\n        \
                         else {{ p = p->next; continue; }} /* step {number} */\n    \
                     }}\n    \
                     return sum ? sum : f{number}(p->next, n - 1);\n\
                 }}\n"
            );
        }
        let path = directory.path().join("large.c");
        std::fs::write(&path, &text).expect("the file can be written");
        // The best of three: slower runs shared the machine with other processes.
        let runs: Vec<[f64; 2]> = (0..3).map(|_| measured(std::slice::from_ref(&path))).collect();
        let best = |index: usize| runs.iter().map(|run| run[index]).fold(f64::INFINITY, f64::min);
        let largest = |index: usize| runs.iter().map(|run| run[index]).fold(0.0, f64::max);
        println!("{:>12} {:>9.3} {:>9.1}", text.len(), best(0), largest(1));
    }
}

fn roots() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let cargo = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let system = ["/usr/include", "/usr/lib", "/usr/local/lib", "/usr/share", "/usr/bin", "/etc"];
    system.iter().map(PathBuf::from).chain([cargo.join("registry/src")]).collect()
}

/// Some files of each language, spread evenly over those found.
fn files(roots: &[PathBuf]) -> BTreeMap<&'static str, Vec<PathBuf>> {
    let mut found: BTreeMap<&'static str, Vec<PathBuf>> = BTreeMap::new();
    let mut pending: Vec<PathBuf> = roots.to_vec();
    while let Some(directory) = pending.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            if kind.is_dir() {
                pending.push(path);
            } else if kind.is_file()
                && entry.metadata().is_ok_and(|data| (8_000..400_000).contains(&data.len()))
            {
                let start = if path.extension().is_none() { first_line(&path) } else { Vec::new() };
                if let Some(language) = lop_languages::guess(&path, &start) {
                    found.entry(language).or_default().push(path);
                }
            }
        }
    }
    for (language, paths) in &mut found {
        paths.sort();
        let step = (paths.len() / FILES).max(1);
        *paths = paths.iter().step_by(step).take(FILES).cloned().collect();
        paths.retain(|path| is_in(language, path));
    }
    found.retain(|_, paths| !paths.is_empty());
    found
}

/// Whether a file really is in the language of its extension: it has at most one error per fifty lines.
fn is_in(language: &str, path: &Path) -> bool {
    let (Some(language), Ok(text)) = (lop_languages::find(language), std::fs::read(path)) else {
        return false;
    };
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    language.errors_in(&text) * 50 <= lines
}

fn first_line(path: &Path) -> Vec<u8> {
    use std::io::Read;
    let mut start = vec![0; 200];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut start)).unwrap_or(0);
    start.truncate(read);
    start
}
