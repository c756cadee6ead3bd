//! The messages about jobs, and the end of the batch.

use std::collections::BTreeMap;

use serde_json::json;

use super::board::Board;
use super::failing::Failing;
use super::store::{Record, Status, Store};
use crate::exit::{Code, Failure};
use crate::view::{Table, clock, number, print, say, several};

/// The names that a list has; the others are counted.
const LISTED: usize = 5;

/// Some names, and the number of the others.
pub(super) fn list(names: &[String]) -> String {
    let shown = names.iter().take(LISTED).map(|name| format!("`{name}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {} more", number(more as u64)),
    }
}

fn count(records: &[Record], status: Status) -> u64 {
    records.iter().filter(|record| record.status == status).count() as u64
}

/// Prints what will be done.
pub(super) fn before(board: &Board, records: &[Record], json: bool) {
    let is_decided = |record: &&Record| {
        matches!(record.status, Status::Duplicate | Status::NotReproduced | Status::Failed)
    };
    records.iter().filter(is_decided).filter(|_| json).for_each(tell);
    let inputs = several(records.len() as u64, "input");
    let mut line = format!("{inputs} in {}", several(groups(records) as u64, "group"));
    let done = records.iter().filter(|record| record.is_done()).count() as u64;
    let open = count(records, Status::Waiting) + count(records, Status::Interrupted);
    for (count, what) in [
        (count(records, Status::NotReproduced), "not reproduced"),
        (count(records, Status::Failed), "failed"),
        (done, "done before"),
    ] {
        if count > 0 {
            line += &format!(", {} {what}", number(count));
        }
    }
    board.say(&format!("{line}; {} to reduce", number(open)));
    let is_mute = |record: &&Record| {
        let failing = record.before.failing.as_ref();
        record.is_failing() && failing.is_none_or(|failing| !failing.is_telling)
    };
    let mute = records.iter().filter(is_mute).count() as u64;
    if mute > 1 {
        board.say(&format!(
            "note: {} print no message that tells bugs apart, so each of them is reduced; a sanitizer would print one",
            several(mute, "input")
        ));
    }
}

/// Prints the status of a job as JSON.
fn tell(record: &Record) {
    let mut event = json!(record);
    event["event"] = "job".into();
    print(&event.to_string());
}

/// Prints how a job ended.
pub(super) fn ended(board: &Board, record: &Record, json: bool) {
    if json {
        tell(record);
    }
    let name = record.name();
    let line = match (&record.status, &record.after) {
        (Status::Failed | Status::Flaky | Status::NotReproduced, _) => {
            format!("{name}: {}: {}", word(record.status), first_line(record))
        }
        (_, Some(after)) => {
            let bytes = format!("{} → {} bytes", number(record.before.bytes), number(after.bytes));
            let time = clock(std::time::Duration::from_secs_f64(record.seconds));
            let why = match record.status {
                Status::Reduced => String::new(),
                status => format!("; {}", word(status)),
            };
            format!("{name}: {bytes}, {} in {time}{why}", several(record.tests, "test"))
        }
        (status, None) => format!("{name}: {}", word(*status)),
    };
    board.done(&name, Some(line));
}

fn first_line(record: &Record) -> &str {
    record.message.as_deref().and_then(|message| message.lines().next()).unwrap_or_default()
}

/// The word for a status.
fn word(status: Status) -> &'static str {
    match status {
        Status::Waiting => "not begun",
        Status::Interrupted => "interrupted",
        Status::Reduced => "reduced",
        Status::Stopped => "stopped by a limit",
        Status::Duplicate => "like another one",
        Status::NotReproduced => "not reproduced",
        Status::Flaky => "flaky",
        Status::Failed => "failed",
    }
}

/// All statuses of jobs.
const STATUSES: [Status; 8] = [
    Status::Waiting,
    Status::Interrupted,
    Status::Reduced,
    Status::Stopped,
    Status::Duplicate,
    Status::NotReproduced,
    Status::Flaky,
    Status::Failed,
];

/// Prints the end of the batch as JSON.
pub(super) fn counts(records: &[Record], store: &Store) {
    let name = |status: Status| json!(status).as_str().unwrap_or_default().to_owned();
    let counts = STATUSES.map(|status| (name(status), count(records, status)));
    let (counts, results) = (BTreeMap::from(counts), store.results().display().to_string());
    let groups = groups(records);
    let event = json!({ "event": "batch", "groups": groups, "jobs": counts, "results": results });
    print(&event.to_string());
}

fn groups(records: &[Record]) -> usize {
    records.iter().filter_map(|record| record.group).max().unwrap_or(0)
}

/// Prints one row for each group, if there is any.
pub(super) fn table(records: &[Record]) {
    if groups(records) > 0 {
        print(&rows(records).to_string());
    }
}

/// Prints the jobs without a row in the table, where the results are, and how to continue.
pub(super) fn after(records: &[Record], store: &Store, is_interrupted: bool) {
    let open = count(records, Status::Waiting) + count(records, Status::Interrupted);
    for status in [Status::NotReproduced, Status::Flaky, Status::Failed] {
        let names: Vec<String> =
            records.iter().filter(|record| record.status == status).map(Record::name).collect();
        if !names.is_empty() {
            say(&format!("lop: {}: {}", word(status), list(&names)));
        }
    }
    say(&format!(
        "lop: results are in {}, figures in {}",
        store.directory.display(),
        store.results().display()
    ));
    if is_interrupted {
        say(&format!(
            "lop: interrupted with {} left; the same command goes on",
            several(open, "job")
        ));
    }
}

/// One row for each group, whose smallest result is shown.
fn rows(records: &[Record]) -> Table {
    let mut table = Table::new([
        "failure",
        "inputs",
        "bytes",
        "reduced",
        "tests",
        "time",
        "smallest result",
        "note",
    ]);
    table.has_texts(6);
    table.has_texts(7);
    let members = |group| -> Vec<&Record> {
        records.iter().filter(|record| record.group == Some(group)).collect()
    };
    let mut all: Vec<Vec<&Record>> = (1..=groups(records)).map(members).collect();
    // The most frequent failure comes first.
    all.sort_by_key(|members| std::cmp::Reverse(members.len()));
    for members in all {
        let size = |record: &&&Record| {
            (record.after.as_ref().map_or(u64::MAX, |after| after.bytes), record.before.bytes)
        };
        let Some(best) = members.iter().min_by_key(size) else { continue };
        let tests = members.iter().map(|record| record.tests).sum();
        let seconds = members.iter().map(|record| record.seconds).sum();
        let after = best.after.as_ref();
        table.row([
            label(best),
            number(members.len() as u64),
            number(best.before.bytes),
            after.map_or("–".into(), |after| number(after.bytes)),
            number(tests),
            clock(std::time::Duration::from_secs_f64(seconds)),
            best.name(),
            note(best),
        ]);
    }
    table
}

/// How the members of a group fail.
fn label(record: &Record) -> String {
    match &record.before.failing {
        None => "interesting".into(),
        Some(failing) => with_place(failing),
    }
}

fn with_place(failing: &Failing) -> String {
    match failing.frames.first() {
        Some(place) => {
            let line = place.rsplit_once(':').map_or("", |(_, line)| line);
            let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
            format!("{} {} {place}", failing.short, if is_line { "at" } else { "in" })
        }
        None => failing.short.clone(),
    }
}

/// A note on a result.
fn note(record: &Record) -> String {
    let before = record.before.failing.as_ref();
    let after = record.after.as_ref().and_then(|after| after.failing.as_ref());
    match (record.status, before, after) {
        (Status::Reduced, Some(before), Some(after))
            if before.frames.first() != after.frames.first() =>
        {
            format!("now {}", with_place(after))
        }
        (Status::Reduced, ..) => String::new(),
        (status, ..) => word(status).into(),
    }
}

/// The exit code.
pub(super) fn code(records: &[Record]) -> Result<Code, Failure> {
    if records.iter().all(|record| record.status == Status::NotReproduced) {
        let said = records.first().map(first_line).unwrap_or_default();
        let message = format!("no input fails any more, such as `{}`: {said}", records[0].name());
        return Err(Failure::new(Code::NotInteresting, message)
            .help("run the test by hand on one of them, or define the property: --exit, --signal, --stderr …"));
    }
    let failed = |record: &&Record| matches!(record.status, Status::Flaky | Status::Failed);
    let Some(first) = records.iter().find(failed) else { return Ok(Code::Done) };
    let count = several(records.iter().filter(failed).count() as u64, "job");
    let message = first.message.as_deref().unwrap_or_default();
    let (why, cure) = message.split_once("\n  help: ").unwrap_or((message, ""));
    let cure: Vec<&str> = cure.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let others = "results.json has the messages of all; the same command tries these jobs again";
    let message = format!("{count} failed, such as `{}`: {why}", first.name());
    let failure = Failure::new(Code::SomeFailed, message);
    Err(failure.help([&cure[..], &[others]].concat().join("\n")))
}
