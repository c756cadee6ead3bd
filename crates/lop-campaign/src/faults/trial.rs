//! One disturbed run, and what is checked afterwards.

use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::sync::Arc;
use std::time::Duration;

use super::strike::{Disk, Strike, tests};
use super::task::{TASKS, Task};
use super::{Fault, Start, Touches};
use crate::place::{Ended, Place};
use crate::table::Trial;
use crate::tools::Tools;
use crate::watcher::Watcher;

/// No run takes longer, on a busy machine either.
const LONGEST: Duration = Duration::from_secs(120);

/// A run that was not disturbed.
pub(super) struct Reference {
    result: Vec<Vec<u8>>,
    /// How many there were.
    tests: u64,
}

impl Reference {
    pub(super) fn new(tools: &Tools, task: &Task) -> io::Result<Self> {
        let place = Place::new(tools)?;
        task.lay(&place, "", "")?;
        let mut random = fastrand::Rng::with_seed(0);
        let args = arguments(task, &[], &mut random);
        let child = place.start(&mut Start::Plain.command(tools, &place, &args, &mut random)?)?;
        let ended = place.finish(child, LONGEST)?;
        match (task.result(&place), ended) {
            (Some(result), Some(Ended { status, .. })) if status.success() => {
                Ok(Reference { result, tests: tests(&place) })
            }
            (_, ended) => {
                let message = format!("{} cannot be reduced: {ended:?}", task.name);
                Err(io::Error::other(message))
            }
        }
    }
}

/// The words of a command line.
fn arguments(task: &Task, options: &[&str], random: &mut fastrand::Rng) -> Vec<String> {
    let workers = random.usize(1..=4).to_string();
    // On a machine that is busy with other things, a test may take much longer than the first time.
    let timeout = ["--timeout", "20"].into_iter().filter(|_| !options.contains(&"--timeout"));
    let words = ["-j", &workers]
        .into_iter()
        .chain(timeout)
        .chain(options.iter().copied())
        .chain(["./test.sh"]);
    words.chain(task.input.iter().copied()).map(str::to_owned).collect()
}

/// Disturbs one run.
pub(super) fn run(
    tools: &Tools,
    fault: &Fault,
    references: &[Reference],
    random: &mut fastrand::Rng,
) -> io::Result<Trial> {
    let mut trial = Trial { row: fault.name.to_owned(), ..Trial::default() };
    trial.skipped = fault.start.obstacle(tools);
    if trial.skipped.is_some() {
        return Ok(trial);
    }
    let tasks: Vec<_> =
        TASKS.iter().zip(references).filter(|(task, _)| fault.suits(task)).collect();
    let (task, reference) = tasks[random.usize(..tasks.len())];
    let place = Place::new(tools)?;
    let _disk = Disk::of(fault.start, &place)?;
    task.lay(&place, fault.first, fault.last)?;
    let watchers: Vec<Watcher> = match fault.touches {
        Touches::Result => Vec::new(),
        _ => (0..task.results.len()).map(|index| watch(&place, task, index)).collect(),
    };

    let args = arguments(task, fault.options, random);
    let child = place.start(&mut fault.start.command(tools, &place, &args, random)?)?;
    let mut child = child;
    drop((child.stdout.take(), child.stderr.take()));
    let strike = Strike {
        place: &place,
        task,
        pid: child.id().cast_signed(),
        tests: random.u64(..reference.tests),
        random: fastrand::Rng::with_seed(random.u64(..)).into(),
    };
    (fault.strike)(&strike);
    let ended = place.finish(child, LONGEST)?;
    let mut check = Check { fault, task, place: &place, problems: Vec::new() };
    for problem in watchers.into_iter().flat_map(Watcher::problems) {
        check.problems.push(format!("seen on the way: {problem}"));
    }
    let Some(ended) = ended else {
        check.problems.push(format!("it did not end within {} s", LONGEST.as_secs()));
        trial.problems = check.problems;
        trial.ending = "no end".into();
        return Ok(trial);
    };
    let code = code(&ended);
    trial.ending = ending(&ended);
    check.ended(&ended);
    (fault.mend)(&strike);
    if code < 0 {
        // Nobody could clear up. The next run does.
        check.what_is_on_disk(false);
    } else {
        check.what_is_on_disk(code == 0);
        check.nothing_is_left();
    }
    if code != 0 {
        // The kernel takes a moment to release the locks of a process that was killed while it started another one.
        std::thread::sleep(Duration::from_millis(100));
        let resumes = place.names().iter().any(|name| name.ends_with(".journal"));
        let again = go_on(tools, &place, task, fault, resumes, random)?;
        match again {
            Some(again) if again.status.success() => {}
            other => check.problems.push(format!("the next run failed: {other:?}")),
        }
        check.what_is_on_disk(true);
        check.nothing_is_left();
    }
    if fault.outcome.is_same && task.result(&place).is_some_and(|it| it != reference.result) {
        check.problems.push("the result isn't that of a run that was not disturbed".into());
    }
    check.names();
    trial.problems = check.problems;
    Ok(trial)
}

fn watch(place: &Place, task: &'static Task, index: usize) -> Watcher {
    let path = place.here(task.results[index]);
    Watcher::start(&path, Arc::new(move |content| task.problem(index, content)))
}

/// Goes on with a run that was stopped, or starts it anew if it had not begun.
fn go_on(
    tools: &Tools,
    place: &Place,
    task: &Task,
    fault: &Fault,
    resumes: bool,
    random: &mut fastrand::Rng,
) -> io::Result<Option<Ended>> {
    let mut args = arguments(task, fault.options, random);
    if resumes {
        args.insert(0, "--resume".into());
    }
    let child = place.start(&mut Start::Plain.command(tools, place, &args, random)?)?;
    place.finish(child, LONGEST)
}

/// The exit code, or the signal as a negative number.
fn code(ended: &Ended) -> i32 {
    ended.status.code().unwrap_or_else(|| -ended.status.signal().unwrap_or(0))
}

/// How lop ended and why, without what differs from run to run.
fn ending(ended: &Ended) -> String {
    let code = code(ended);
    let message = message(&ended.said).unwrap_or_default();
    let mut masked = String::new();
    for (index, part) in message.split('`').enumerate() {
        masked.push_str(if index % 2 == 0 { part } else { "…" });
    }
    let words = masked.split_whitespace().map(|word| match word.contains('/') {
        true => "…",
        false => word,
    });
    let masked = words.collect::<Vec<_>>().join(" ");
    match code {
        0 => "done".into(),
        130 => "interrupted".into(),
        ..0 => format!("killed by signal {}", -code),
        _ => format!("exit {code}: {masked}"),
    }
}

/// The message of a failure: the line before its help text.
fn message(said: &str) -> Option<&str> {
    let lines: Vec<&str> = said.lines().collect();
    let help = lines.iter().rposition(|line| line.starts_with("  help: "))?;
    lines.get(help.checked_sub(1)?).map(|line| line.trim_start_matches("lop: "))
}

/// What is wrong after a run.
struct Check<'a> {
    fault: &'a Fault,
    task: &'a Task,
    place: &'a Place,
    problems: Vec<String>,
}

impl Check<'_> {
    /// The exit code is one that is documented for this, and lop says why.
    fn ended(&mut self, ended: &Ended) {
        let (code, said, outcome) = (code(ended), &ended.said, &self.fault.outcome);
        if said.contains("panicked at") {
            self.problems.push(format!("it panicked: {said}"));
        }
        if code == 0 {
            return;
        }
        if !outcome.codes.contains(&code) {
            self.problems.push(format!("it ended with {code}: {said}"));
        } else if code > 0 && code != 130 {
            let is_said = outcome.says.iter().any(|word| said.contains(word));
            if !is_said || message(said).is_none() {
                self.problems.push(format!("its message isn't clear: {said}"));
            }
        }
    }

    /// The original is untouched, and the result is interesting.
    fn what_is_on_disk(&mut self, must_exist: bool) {
        for path in self.task.originals(self.place) {
            let is_input = self.task.files.iter().any(|(name, _)| path == self.place.here(name));
            // In place, a run that has not begun has made no backup.
            let is_same =
                fs::read(&path).map_or(!is_input && !must_exist, |it| it == self.task.content());
            if !is_same && self.fault.touches != Touches::Input {
                self.problems.push(format!("the original `{}` isn't what it was", path.display()));
            }
        }
        for (index, name) in self.task.results.iter().enumerate() {
            match fs::read(self.place.here(name)) {
                Ok(content) => self.problems.extend(self.task.problem(index, &content)),
                Err(error) if must_exist || self.task.is_in_place() => {
                    self.problems.push(format!("the result `{name}` is lost: {error}"));
                }
                Err(_) => {}
            }
        }
    }

    /// No process and no temporary file.
    fn nothing_is_left(&mut self) {
        for (_, command) in self.place.left_processes() {
            self.problems.push(format!("a process is left: {command}"));
        }
        for name in self.place.temporaries() {
            self.problems.push(format!("`{name}` is left in the directory for temporary files"));
        }
    }

    /// A complete run leaves the files that it says, and no others.
    fn names(&mut self) {
        let (names, expected) = (self.place.names(), self.task.names());
        let others: Vec<_> = names.iter().filter(|name| !expected.contains(name)).collect();
        if !others.is_empty() {
            self.problems.push(format!("these files are left: {others:?}"));
        }
    }
}
