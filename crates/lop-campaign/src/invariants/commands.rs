//! Runs of the real command, over a file, a directory, and the choices of a generator.

use std::fs;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::texts::{LONGEST, strategy};
use crate::place::Place;
use crate::table::Trial;
use crate::tools::Tools;
use crate::watcher::Watcher;

/// A task of the command.
struct Task {
    name: &'static str,
    /// The files that are reduced.
    files: Vec<(String, Vec<u8>)>,
    test: String,
    /// The arguments behind the number of workers.
    args: Vec<String>,
    /// Each file of the result, and a pattern of words and numbers that it always has.
    results: Vec<(String, Vec<String>)>,
}

/// Runs the command.
pub(super) fn run(tools: &Tools, random: &mut fastrand::Rng) -> io::Result<Trial> {
    let task = match random.u8(..4) {
        0 | 1 => file(random),
        2 => directory(random),
        _ => match &tools.generator {
            Some(generator) => choices(generator, random),
            None => file(random),
        },
    };
    let mut trial = Trial { row: format!("the command, {}", task.name), ..Trial::default() };
    let name = task.args.join(" ");
    let workers = random.usize(1..=8);
    let started = Instant::now();
    let one = task.run(tools, workers, None, &mut trial.problems)?;
    let duration = started.elapsed();
    let others = random.usize(1..=8);
    let two = task.run(tools, others, None, &mut trial.problems)?;
    if one != two {
        trial
            .problems
            .push(format!("{name}: {workers} and {others} workers have different results"));
    }
    let moment = duration.mul_f64(random.f64());
    let three = task.run(tools, others, Some(moment), &mut trial.problems)?;
    if one != three {
        trial.problems.push(format!("{name}: killed and resumed, it has another result"));
    }
    trial.ending = if one.is_some() { "Complete" } else { "no result" }.into();
    Ok(trial)
}

/// A text of words in lines.
fn words(random: &mut fastrand::Rng, prefix: &str) -> Vec<u8> {
    let line = |number| {
        format!("{prefix}{number}. {} ( x{number} )\n", ["a", "b, c", "{ d }"][number % 3])
    };
    (0..random.usize(4..20)).map(line).collect::<String>().into_bytes()
}

/// A word of such a text.
fn word(random: &mut fastrand::Rng, text: &[u8], prefix: &str) -> String {
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    format!("{prefix}{}.", random.usize(..lines))
}

fn file(random: &mut fastrand::Rng) -> Task {
    let text = words(random, "w");
    let kept = [word(random, &text, "w"), word(random, &text, "w")];
    // An even number of brackets: a property that is lost and found again.
    let parity = "[ $(( $(grep -o '[(]' input.txt | wc -l) % 2 )) = 0 ]";
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    let parity = if random.bool() && lines % 2 == 0 { parity } else { "true" };
    let mut args = vec!["./test.sh".into(), "input.txt".into()];
    if random.bool() {
        args.splice(0..0, ["--strategy".into(), strategy(random).to_string()]);
    }
    Task {
        name: "a file",
        test: format!(
            "grep -qF '{}' input.txt && grep -qF '{}' input.txt && {parity}",
            kept[0], kept[1]
        ),
        files: vec![("input.txt".into(), text)],
        args,
        results: vec![("input.lop.txt".into(), kept.into())],
    }
}

fn directory(random: &mut fastrand::Rng) -> Task {
    let (a, b) = (words(random, "w"), words(random, "v"));
    let (kept, other) = (word(random, &a, "w"), word(random, &b, "v"));
    Task {
        name: "a directory",
        test: format!("grep -qF '{kept}' project/a.txt && grep -qF '{other}' project/sub/b.txt"),
        files: vec![
            ("project/a.txt".into(), a),
            ("project/sub/b.txt".into(), b),
            ("project/c.txt".into(), words(random, "u")),
        ],
        args: vec!["./test.sh".into(), "project".into()],
        results: vec![
            ("project.lop/a.txt".into(), vec![kept]),
            ("project.lop/sub/b.txt".into(), vec![other]),
        ],
    }
}

/// Sums and maxima: see the generator in `main.rs`.
fn choices(generator: &str, random: &mut fastrand::Rng) -> Task {
    let seed = random.u8(1..).to_string();
    let mut args: Vec<String> =
        ["gen", "--find", "--seed", &seed, "--generator", generator].map(str::to_owned).into();
    args.extend(["./test.sh".into(), "bug.choices".into()]);
    Task {
        name: "choices of a generator",
        test: "grep -q 'max(.* + [5-9][0-9]' $1".into(),
        files: Vec::new(),
        args,
        results: vec![("bug.lop.case".into(), vec!["max(".into(), " + ".into()])],
    }
}

impl Task {
    /// Runs it while its result is watched; kills it at a moment and resumes it, if there is one. Returns the result.
    fn run(
        &self,
        tools: &Tools,
        workers: usize,
        kill: Option<Duration>,
        problems: &mut Vec<String>,
    ) -> io::Result<Option<Vec<Vec<u8>>>> {
        let place = Place::new(tools)?;
        self.files.iter().try_for_each(|(name, content)| place.write(name, content))?;
        place.script("test.sh", &self.test)?;
        let watchers: Vec<Watcher> =
            self.results.iter().map(|(name, kept)| watch(&place, name, kept)).collect();
        let start = |resumes: bool| {
            let mut command = place.command(&tools.lop)?;
            // The name of a subcommand comes first.
            let (first, rest) = self.args.split_at(usize::from(self.args[0] == "gen"));
            command
                .args(first)
                .args(["--timeout", "20", "-j", &workers.to_string()])
                .args(resumes.then_some("--resume"));
            place.start(command.args(rest))
        };
        let mut child = start(false)?;
        let mut is_complete = false;
        if let Some(moment) = kill {
            std::thread::sleep(moment);
            let _ = child.kill();
            child.wait()?;
            // The kernel takes a moment to release the locks of a process that was killed while it started another one.
            std::thread::sleep(Duration::from_millis(100));
            let resumes = place.names().iter().any(|name| name.ends_with(".journal"));
            is_complete = place.here(&self.results[0].0).exists() && !resumes;
            if !is_complete {
                child = start(resumes)?;
            }
        }
        let ended = place.finish(child, LONGEST)?;
        for problem in watchers.into_iter().flat_map(Watcher::problems) {
            problems.push(format!("{}: seen on the way: {problem}", self.args.join(" ")));
        }
        match ended {
            Some(ended) if ended.status.success() || is_complete => {}
            other => problems.push(format!("{}: it failed: {other:?}", self.args.join(" "))),
        }
        for (_, left) in place.left_processes() {
            problems.push(format!("a process is left: {left}"));
        }
        // If it was killed after its end, no run has cleared up yet.
        for left in place.temporaries().iter().filter(|_| !is_complete) {
            problems.push(format!("`{left}` is left in the directory for temporary files"));
        }
        Ok(self.results.iter().map(|(name, _)| fs::read(place.here(name)).ok()).collect())
    }
}

fn watch(place: &Place, name: &str, kept: &[String]) -> Watcher {
    let kept = kept.to_vec();
    let check = move |content: &[u8]| {
        let text = String::from_utf8_lossy(content);
        let lost = kept.iter().find(|word| !text.contains(*word))?;
        Some(format!("there is no `{lost}` in {text:?}"))
    };
    Watcher::start(&place.here(name), Arc::new(check))
}
