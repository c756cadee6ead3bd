//! Runs actions with known answers first, which reveal problems of workers, and identifies the programs that the test
//! uses.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use lop::Status;
use tokio::sync::watch;

use crate::crew::{Crew, Flight, Reply};
use crate::error::{Error, Kind};
use crate::fault::Fault;
use crate::job::{Job, Manner};
use crate::wrapper::{MARK, Said, output};

/// Accepts one candidate, and reports how it saw any.
const CANARY: &str = "IFS= read -r line <\"$1\"\nIFS= read -r again\n[ \"$line\" = \"$again\" ] || exit 9\n\
                      echo \"seen $line\"\necho \"said $line\" >&2\n[ \"$line\" = interesting ]";

/// Prints the check sums of programs. To the server's cache, a worker with other programs is another worker.
const PROBE: &str = r#"uname -sm
cksum </etc/os-release
for word; do
    found=$(command -v "$word") || continue
    case $found in
    /*) if [ -f "$found" ] && [ -x "$found" ]; then printf '%s %s\n' "$word" "$(cksum <"$found")"; fi ;;
    esac
done"#;

/// Programs that tests use without naming them.
const USUAL: [&str; 9] = ["sh", "cc", "c++", "gcc", "clang", "rustc", "python3", "node", "java"];
/// More words than this are not looked up.
const WORDS: usize = 400;

/// The time limit of these actions, which take hardly any time: a worker may have to be started for the first one.
const TIME: Duration = Duration::from_secs(60);

/// Checks that workers run tests, and puts the identity of their programs into the job.
pub(crate) async fn check(crew: &Arc<Crew>, job: &mut Job) -> Result<(), Error> {
    let candidate = format!("{MARK}/here/candidate");
    let words = ["/bin/sh", "-c", CANARY, "sh", &candidate].map(str::as_bytes);
    let canary = job.running(&words);
    let known = [("interesting", 0), ("boring", 1), ("", 1)];
    let flights = known.map(|(text, _)| tokio::spawn(run(crew.clone(), canary.clone(), text)));
    for (flight, (text, code)) in flights.into_iter().zip(known) {
        let reply = flight.await.map_err(|error| broken(crew, &error.to_string()))??;
        let is_right = reply.said == Some(Said::Ended(Status::Exit(code)))
            && output(reply.stdout.clone(), true).0 == format!("seen {text}\n").as_bytes()
            && output(reply.stderr.clone(), false).0 == format!("said {text}\n").as_bytes();
        if !is_right {
            return Err(misled(crew, &reply));
        }
    }
    let words = words_of(&job.text);
    let words = ["/bin/sh", "-c", PROBE, "sh"].into_iter().chain(words.iter().map(String::as_str));
    let words: Vec<&[u8]> = words.map(str::as_bytes).collect();
    let reply = run(crew.clone(), job.running(&words), "").await?;
    match reply.said {
        Some(Said::Ended(Status::Exit(_))) => {
            let programs = output(reply.stdout, true).0;
            job.salt = crew.connection.function.digest(&programs).hash.into_bytes();
            Ok(())
        }
        _ => Err(misled(crew, &reply)),
    }
}

async fn run(crew: Arc<Crew>, job: Job, text: &str) -> Result<Reply, Error> {
    let text = if text.is_empty() { String::new() } else { format!("{text}\n") };
    let manner = Manner { wants_output: true, time: TIME, file_size: 1 << 30, is_alone: true };
    let task = job.task(text.as_bytes(), manner).map_err(|error| {
        Error::new(Kind::Option, format!("cannot send files to the server: {error}"), "rename it")
    })?;
    // These actions are never cancelled.
    let (_tell, cancelled) = watch::channel(false);
    let flight = Flight { slot: 0, skips_cache: true, wants_output: true, cancelled };
    match crew.clone().fly(task, flight).await {
        Ok(reply) => Ok(reply.expect("it is never cancelled")),
        Err(fault) => Err(broken(&crew, fault.why()).cured_by(cure(&fault))),
    }
}

fn cure(fault: &Fault) -> &'static str {
    match fault {
        Fault::Unknown(_) => "give a token with --remote-token, or check it",
        Fault::Refused(_) => "check --remote-instance, --remote-property and the server's log",
        _ => "look into the server's log; --remote-property chooses other workers",
    }
}

fn broken(crew: &Crew, why: &str) -> Error {
    let address = &crew.connection.access().address;
    let message = format!("the server `{address}` ran no test: {why}");
    Error::new(Kind::Worker, message, "look into the server's log")
}

/// The error of a worker that gave a wrong answer.
fn misled(crew: &Crew, reply: &Reply) -> Error {
    let address = &crew.connection.access().address;
    let worker = reply.worker();
    let message = match &reply.said {
        Some(Said::Absent(program)) => {
            let message =
                format!("{worker} of `{address}` has no `{program}`, which the test needs");
            let cure = "install it there, send it with --with, or choose other workers with --remote-property";
            return Error::new(Kind::Worker, message, cure);
        }
        Some(Said::Broken(why)) => format!("{worker} of `{address}` cannot run tests: {why}"),
        Some(Said::Ended(status)) => {
            format!("{worker} of `{address}` runs tests wrongly: a known one ended with {status}")
        }
        None if reply.is_out_of_time => {
            format!("{worker} of `{address}` is too slow: it ran out of time before a test started")
        }
        None => format!("{worker} of `{address}` runs no test: it ended with exit {}", reply.code),
    };
    let mut message = message;
    for (name, stream) in [("standard error", &reply.stderr), ("standard output", &reply.stdout)] {
        let text = String::from_utf8_lossy(stream);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        if !lines.is_empty() {
            message.push_str(&format!("\n  end of its {name}:"));
        }
        for line in &lines[lines.len().saturating_sub(5)..] {
            let line: String = line.chars().take(200).collect();
            message.push_str(&format!("\n    | {line}"));
        }
    }
    Error::new(Kind::Worker, message, "mend the worker, or choose others with --remote-property")
}

/// The words of a test that may be programs, with the usual ones: always in the same order.
fn words_of(text: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(text);
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_+./-".contains(c);
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_end_matches(['.', '/']));
    let may_be_program = |word: &&str| {
        let starts = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        starts && word.len() <= 100 && !word.starts_with("/lop-root")
    };
    let mut words: BTreeSet<String> =
        words.filter(may_be_program).take(10 * WORDS).map(str::to_owned).collect();
    while words.len() > WORDS {
        words.pop_last();
    }
    words.extend(USUAL.map(str::to_owned));
    words
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_words_of_a_test_are_looked_up_in_one_order() {
        let words = words_of(b"#!/bin/sh\ngcc-12 -O2 \"$1\" && ./a.out | grep -q 'x y.'");
        for word in ["/bin/sh", "gcc-12", "grep", "x", "y", "cc", "python3"] {
            assert!(words.contains(word), "{word} {words:?}");
        }
        assert!(!words.contains("-O2") && !words.contains("./a.out"));
    }

    #[test]
    fn a_program_that_changes_is_another_one_and_no_other_file_is_looked_at() {
        let place = tempfile::tempdir().unwrap();
        let tool = place.path().join("tool");
        let probe = |mode: u32| {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(mode)).unwrap();
            let mut command = Command::new("/bin/sh");
            command.args(["-c", PROBE, "sh", "if", "echo", "sh", "/tmp"]).arg(&tool);
            String::from_utf8(command.output().unwrap().stdout).unwrap()
        };
        std::fs::write(&tool, "one").unwrap();
        let one = probe(0o755);
        assert_eq!(one, probe(0o755));
        assert!(one.contains("\nsh ") && one.contains("/tool ") && !one.contains("/tmp "), "{one}");
        assert!(!probe(0o644).contains("/tool"), "it cannot be executed");
        std::fs::write(&tool, "two").unwrap();
        assert_ne!(probe(0o755), one);
    }
}
