//! `lop batch`: many inputs, one number of tests at the same time.

#[path = "../common/mod.rs"]
mod common;
mod interrupted;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use common::{Output, Place, finished, start};
use serde_json::Value;

/// A program that fails in several ways, as sanitizers, assertions and signals do. It logs each of its runs.
const TARGET: &str = r#"
echo "$1" >> "$LOG"
has() { grep -qa "$1" -- "$FILE"; }
FILE=$1
report() { echo "==7==ERROR: AddressSanitizer: $1 on address 0x60$$" >&2; echo "    #0 0x1 in $2 t.c:1" >&2; exit 1; }
if has OVERFLOW; then report heap-buffer-overflow parse_key; fi
if has VALUE; then report heap-buffer-overflow parse_value; fi
if has FREED; then report heap-use-after-free drop; fi
if has ASSERT; then echo "t: t.c:9: main: Assertion \`x' failed." >&2; kill -ABRT $$; fi
if has SEGV; then kill -SEGV $$; fi
exit 0
"#;

/// A place with that program and some crashes, each with lines that do not matter.
fn place(crashes: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.script("target", &format!("LOG={}\n{TARGET}", place.outside("log").display()));
    crashes.iter().for_each(|(name, marker)| crash(&place, name, marker));
    place
}

fn crash(place: &Place, name: &str, marker: &str) {
    let size = name.bytes().map(usize::from).sum::<usize>() % 23 + 5;
    let lines = |from: usize| {
        (0..size).map(|n| format!("line {} of {name}\n", from + n)).collect::<String>()
    };
    place.write(format!("crashes/{name}"), format!("{}{marker}\n{}", lines(0), lines(100)));
}

const CRASHES: [(&str, &str); 9] = [
    ("id:000000,sig:06", "OVERFLOW"),
    ("id:000001,sig:06", "OVERFLOW"),
    ("id:000002,sig:06", "FREED"),
    ("id:000003,sig:06", "ASSERT"),
    ("id:000004,sig:06", "OVERFLOW"),
    ("id:000005,sig:06", "VALUE"),
    ("id:000006,sig:11", "SEGV"),
    ("id:000007,sig:06", "ASSERT"),
    ("id:000008,sig:11", "SEGV"),
];

fn batch(place: &Place, more: &[&str]) -> Output {
    place.lop([&["batch", "crashes"], more, &["--", "./target", "{}"]].concat())
}

/// The records of `results.json`, by the names of the jobs.
fn records(place: &Place, directory: &str) -> BTreeMap<String, Value> {
    let text = place.read(format!("{directory}/results.json"));
    let content: Value = serde_json::from_slice(&text).unwrap();
    let jobs = content["jobs"].as_array().unwrap().iter();
    jobs.map(|job| (job["name"].as_str().unwrap_or("?").to_owned(), job.clone())).collect()
}

fn statuses(place: &Place) -> BTreeMap<String, String> {
    let status =
        |(name, record): (String, Value)| (name, record["status"].as_str().unwrap().to_owned());
    records(place, "crashes.reduced").into_iter().map(status).collect()
}

/// The number of runs of the target since this was asked for the last time.
fn runs(place: &Place) -> usize {
    let log = place.outside("log");
    let count = fs::read(&log).map_or(0, |log| log.iter().filter(|byte| **byte == b'\n').count());
    let _ = fs::remove_file(log);
    count
}

/// The results, without the files that describe them.
fn results(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let names = place.names_in("crashes.reduced").into_iter().filter(|name| name != "results.json");
    names.map(|name| (name.clone(), place.read(format!("crashes.reduced/{name}")))).collect()
}

#[test]
fn crashes_are_grouped_by_message_and_function_and_the_smallest_of_each_group_is_reduced() {
    let place = place(&CRASHES);
    place.write("crashes/README.txt", "OVERFLOW: how the crashes were found");
    place.write("crashes/.hidden", "OVERFLOW");
    place.write("crashes/queue/other", "OVERFLOW");
    let output = batch(&place, &[]);
    output.expect(0, &["9 inputs in 6 groups; 6 to reduce", "README.txt"]);
    let records = records(&place, "crashes.reduced");
    assert_eq!(records.len(), 9);
    for (marker, inputs) in [("OVERFLOW", 3), ("ASSERT", 2), ("FREED", 1), ("VALUE", 1)] {
        let of_marker: Vec<&Value> = CRASHES
            .iter()
            .filter(|(_, each)| *each == marker)
            .map(|(name, _)| &records[*name])
            .collect();
        assert_eq!(of_marker.len(), inputs);
        let (reduced, others): (Vec<&Value>, Vec<&Value>) =
            of_marker.into_iter().partition(|it| it["status"] == "reduced");
        let [reduced] = reduced[..] else { panic!("{marker}: {reduced:?}") };
        for other in others {
            assert_eq!(
                (&other["status"], &other["duplicate_of"]),
                (&"duplicate".into(), &reduced["name"])
            );
            assert_eq!(other["group"], reduced["group"]);
            assert!(other["before"]["bytes"].as_u64() >= reduced["before"]["bytes"].as_u64());
        }
        assert_eq!(place.squeezed(reduced["result"].as_str().unwrap()), marker);
        let failing = &reduced["after"]["failing"];
        assert_eq!(failing, &reduced["before"]["failing"]);
    }
    // A signal alone says nothing about the bug; but these results are the same.
    let segv: Vec<&Value> =
        ["id:000006,sig:11", "id:000008,sig:11"].map(|name| &records[name]).into();
    assert!(segv.iter().all(|it| it["status"] == "reduced"));
    assert_eq!(segv[0]["group"], segv[1]["group"]);
    let row = |words: &str| {
        let line = output.stdout.lines().find(|line| line.contains(words));
        line.unwrap_or_else(|| panic!("no {words} in\n{}", output.stdout))
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("heap-buffer-overflow in parse_key")[4], "3");
    assert_eq!(row("heap-buffer-overflow in parse_value")[4], "1");
    assert_eq!(row("SIGSEGV")[1], "2");
    assert_eq!(output.stdout.lines().count(), 6);
    assert_eq!(place.temporaries(), [""; 0]);
}

#[test]
fn with_all_every_crash_is_reduced() {
    let place = place(&CRASHES);
    batch(&place, &[]).expect(0, &[]);
    batch(&place, &["--all"]).expect(0, &["6 done before; 3 to reduce"]);
    assert!(statuses(&place).values().all(|status| status == "reduced"));
    for (name, marker) in CRASHES {
        assert_eq!(place.squeezed(format!("crashes.reduced/{name}")), marker);
    }
    let groups: BTreeSet<u64> = records(&place, "crashes.reduced")
        .values()
        .map(|it| it["group"].as_u64().unwrap())
        .collect();
    assert_eq!(groups.len(), 5);
}

#[test]
fn results_and_numbers_of_tests_are_those_of_separate_runs_for_any_number_of_places() {
    let place = place(&CRASHES);
    let alone = |name: &str| {
        let input = format!("crashes/{name}");
        // On a loaded machine, a usual time limit may be too short.
        let output = place.lop([
            "--json",
            "--timeout",
            "100",
            "-o",
            "alone",
            &input,
            "--",
            "./target",
            "{}",
        ]);
        output.expect(0, &[]);
        let end: Value = serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap();
        (place.read("alone"), end["tests"].clone())
    };
    let alone = CRASHES.map(|(name, _)| (name, alone(name)));
    for jobs in ["-j1", "-j2", "-j5"] {
        batch(&place, &["--all", "--timeout", "100", "-o", jobs.trim_start_matches('-'), jobs])
            .expect(0, &[]);
        let directory = jobs.trim_start_matches('-');
        let records = records(&place, directory);
        for (name, (text, tests)) in &alone {
            assert_eq!(&place.read(format!("{directory}/{name}")), text, "{name} with {jobs}");
            assert_eq!(&records[*name]["tests"], tests, "{name} with {jobs}");
        }
    }
}

#[test]
fn the_same_command_does_nothing_more_and_a_new_or_changed_file_is_looked_at() {
    let place = place(&CRASHES);
    batch(&place, &[]).expect(0, &[]);
    let (first, before) = (runs(&place), results(&place));
    assert!(first > 50, "{first}");
    let output = batch(&place, &[]);
    output.expect(0, &["6 done before; 0 to reduce"]);
    assert_eq!(runs(&place), 0);
    assert!(output.stdout.contains("parse_key"), "the table is shown again");

    crash(&place, "id:000009,sig:06", "FREED");
    batch(&place, &[]).expect(0, &["10 inputs", "0 to reduce"]);
    assert_eq!(runs(&place), 1, "it fails as another one does, which is known after one run");
    crash(&place, "id:000010,new", "SEGV");
    batch(&place, &[]).expect(0, &["1 to reduce"]);
    assert!(runs(&place) < first / 2);
    assert_eq!(place.squeezed("crashes.reduced/id:000010,new"), "SEGV");
    for (name, text) in before {
        assert_eq!(results(&place)[&name], text);
    }
    place.write("crashes/id:000005,sig:06", "other\nVALUE\nlines\n");
    batch(&place, &[]).expect(0, &["1 to reduce"]);
    fs::remove_file(place.path("crashes.reduced/id:000005,sig:06")).unwrap();
    batch(&place, &[]).expect(0, &["1 to reduce"]);
    // With other options, all jobs are others.
    batch(&place, &["--max-tests", "3"]).expect(0, &["7 to reduce", "stopped by a limit"]);
    batch(&place, &["--max-tests", "3"]).expect(0, &["7 done before; 0 to reduce"]);
}

#[test]
fn inputs_that_fail_no_more_are_reported_and_do_not_stop_the_others() {
    let place = place(&[("a", "nothing"), ("b", "SEGV"), ("c", "nothing")]);
    batch(&place, &[]).expect(0, &["2 not reproduced", "lop: not reproduced: `a`, `c`"]);
    assert_eq!(place.squeezed("crashes.reduced/b"), "SEGV");
    assert_eq!(statuses(&place)["a"], "not-reproduced");
    fs::remove_file(place.path("crashes/b")).unwrap();
    batch(&place, &[]).expect(3, &["no input fails any more, such as `a`", "exit 0", "help:"]);
}

#[test]
fn a_job_that_fails_is_reported_with_its_reason_and_tried_again() {
    let place = place(&[("a", "SEGV"), ("b", "SEGV")]);
    place.write("crashes/empty", "");
    let output = batch(&place, &[]);
    output.expect(10, &["1 job failed, such as `empty`", "is empty", "tries these jobs again"]);
    assert_eq!(statuses(&place)["empty"], "failed");
    assert_eq!(place.squeezed("crashes.reduced/a"), "SEGV");
    crash(&place, "empty", "FREED");
    batch(&place, &[]).expect(0, &["1 to reduce"]);
}

#[test]
fn if_an_input_fails_only_once_another_one_of_its_group_is_reduced_instead() {
    let place = place(&[("a", "FREED"), ("b", "FREED")]);
    place.write("crashes/a", "FREED");
    let once = place.outside("once");
    let text = format!(
        "case $1 in */a) [ ! -e {0} ] || exit 0; : > {0};; esac\nLOG={1}\n{TARGET}",
        once.display(),
        place.outside("log").display()
    );
    place.script("target", &text);
    batch(&place, &["-j1"]).expect(0, &["a: not reproduced"]);
    let records = records(&place, "crashes.reduced");
    assert_eq!(
        (&records["a"]["status"], &records["b"]["status"]),
        (&"not-reproduced".into(), &"reduced".into())
    );
    assert_eq!(place.squeezed("crashes.reduced/b"), "FREED");
}

#[test]
fn a_result_that_does_not_fail_every_time_is_called_flaky() {
    let place = place(&[("a", "SEGV"), ("b", "SEGV")]);
    let seen = place.outside("seen");
    fs::create_dir(&seen).unwrap();
    // What is left of `a` fails only once.
    let once =
        format!("h={}/$(cksum < \"$1\" | tr ' ' _); [ ! -e $h ] || exit 0; : > $h", seen.display());
    let text = format!(
        "grep -q SEGV \"$1\" || exit 0\ncase $1 in */a) [ $(wc -l < \"$1\") -gt 2 ] || {{ {once}; }};; esac\nkill -SEGV $$"
    );
    place.script("target", &text);
    let output = batch(&place, &["-j1"]);
    output.expect(
        10,
        &["1 job failed, such as `a`", "was interesting once", "--confirm 3", "lop: flaky: `a`"],
    );
    let records = records(&place, "crashes.reduced");
    assert_eq!(
        (&records["a"]["status"], &records["b"]["status"]),
        (&"flaky".into(), &"reduced".into())
    );
    assert!(records["a"]["result"].is_string());
}

#[test]
fn a_script_judges_by_its_exit_code_and_nothing_is_grouped_before() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.write(format!("in/{name}.txt"), format!("one\n{name}\nneedle\ntwo\n"));
    }
    place.write("in/other.txt", "nothing\n");
    place.script("check.sh", "grep -q needle \"$1\"");
    let output = place.lop(["batch", "in", "--test", "./check.sh", "-o", "out"]);
    output.expect(0, &["3 to reduce", "not reproduced: `other.txt`"]);
    let records = records(&place, "out");
    let groups: BTreeSet<u64> = records.values().filter_map(|it| it["group"].as_u64()).collect();
    assert_eq!(groups.len(), 1, "the results are the same");
    assert_eq!(place.squeezed("out/a.txt"), "needle");
}

#[cfg(target_os = "linux")]
#[test]
fn no_more_tests_run_at_the_same_time_than_jobs_allows() {
    let place = place(&CRASHES);
    let running = place.outside("running");
    fs::create_dir(&running).unwrap();
    let (running, counts) = (running.display(), place.outside("counts"));
    // A test that is killed leaves its file.
    let text = format!(
        ": > {running}/$$; n=0; for p in $(ls {running}); do [ ! -d /proc/$p ] || n=$((n+1)); done; echo $n >> {}; \
         sleep 0.01; rm {running}/$$\nLOG={}\n{TARGET}",
        counts.display(),
        place.outside("log").display()
    );
    place.script("target", &text);
    batch(&place, &["--all", "-j3", "--max-tests", "15"]).expect(0, &[]);
    let counts = fs::read_to_string(counts).unwrap();
    let most = counts.lines().map(|line| line.trim().parse::<usize>().unwrap()).max().unwrap();
    assert!(most <= 3, "{most}");
}

#[test]
fn jobs_come_to_their_end_while_a_test_of_another_one_takes_long() {
    let place =
        place(&[("fast1", "SEGV"), ("fast2", "ASSERT"), ("fast3", "FREED"), ("slow", "OVERFLOW")]);
    // The second run on the slow input waits until all other jobs are done. If they never were, it would give up, and the check below would fail.
    let [count, waited] = ["count", "waited"].map(|name| place.outside(name));
    let text = format!(
        "case $1 in */slow)\necho >> {count}\nif [ $(wc -l < {count}) -eq 2 ]; then n=0\n\
         while [ $(grep -c '\"status\": \"reduced\"' {results}) -lt 3 ] && [ $n -lt 600 ]; do n=$((n+1)); sleep 0.1; done\n\
         grep -c '\"status\": \"reduced\"' {results} > {waited}\nfi;; esac\nLOG={log}\n{TARGET}",
        count = count.display(),
        results = place.path("crashes.reduced/results.json").display(),
        waited = waited.display(),
        log = place.outside("log").display(),
    );
    place.script("target", &text);
    batch(&place, &["-j2", "--timeout", "100"]).expect(0, &[]);
    assert_eq!(fs::read_to_string(waited).unwrap().trim(), "3");
    assert_eq!(place.squeezed("crashes.reduced/slow"), "OVERFLOW");
}

#[test]
fn an_input_on_which_the_test_hangs_fails_with_a_cure() {
    let place = place(&[("a", "SEGV")]);
    place.script("target", "grep -q HANG \"$1\" && sleep 1000; kill -SEGV $$");
    place.write("crashes/hang", "one\nHANG\n");
    batch(&place, &["--timeout", "1", "--allow-trivial"])
        .expect(10, &["`hang`", "runs out of time on the input"]);
    assert_eq!(statuses(&place)["a"], "reduced");
}

#[test]
fn two_batches_do_not_write_to_the_same_directory() {
    let place = place(&CRASHES);
    fs::create_dir(place.path("crashes.reduced")).unwrap();
    let directory = fs::File::open(place.path("crashes.reduced")).unwrap();
    directory.lock().unwrap();
    batch(&place, &[]).expect(7, &["another lop batch is writing to `crashes.reduced`", "-o DIR"]);
}

#[test]
fn names_may_have_blanks_line_ends_dashes_and_other_bytes() {
    let place = place(&[]);
    let long = [b'x'; 250];
    let names: [&[u8]; 8] =
        [b"a b", b"line\nend", b"-dash", b"--help", b"\xff\xfe", b"results.json", b"'$x'", &long];
    for name in names {
        let path = place.path("crashes").join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"one\nSEGV\ntwo\n").unwrap();
    }
    batch(&place, &[]).expect(0, &["8 to reduce"]);
    for name in names.into_iter().filter(|name| *name != b"results.json" && name.len() < 200) {
        let result = place.path("crashes.reduced").join(OsStr::from_bytes(name));
        assert_eq!(fs::read(&result).unwrap().trim_ascii(), b"SEGV", "{}", result.display());
    }
    runs(&place);
    batch(&place, &[]).expect(0, &["8 done before; 0 to reduce"]);
    assert_eq!(runs(&place), 0);
    let output = batch(&place, &["--json", "--max-tests", "1"]);
    assert_eq!(output.stdout.lines().count(), 9);
}

#[test]
fn files_of_the_same_name_in_several_directories_have_results_of_their_own() {
    let place = place(&[("x.txt", "SEGV")]);
    place.write("more/x.txt", "one\nFREED\n");
    place.write("y.txt", "one\nASSERT\n");
    let args = ["batch", "crashes", "more", "y.txt", "-o", "out", "--", "./target", "{}"];
    place.lop(args).expect(0, &["3 to reduce"]);
    let names = place.names_in("out");
    assert_eq!(names.len(), 4, "{names:?}");
    assert!(names.contains(&"y.txt".into()));
    let results = names.iter().filter(|name| name.starts_with("x-"));
    let results: BTreeSet<String> =
        results.map(|name| place.squeezed(format!("out/{name}"))).collect();
    assert_eq!(results, BTreeSet::from(["SEGV".into(), "FREED".into()]));
    place.lop(args).expect(0, &["0 to reduce"]);
}

#[test]
fn a_file_of_jobs_has_defaults_and_a_test_and_options_for_each() {
    let place = place(&[("a", "SEGV"), ("b", "OVERFLOW")]);
    place.write("sources/one.c", "int one;\nint needle;\n");
    place.script("check.sh", "grep -q needle \"$1\"");
    let jobs = r#"
[defaults]
jobs = 2
command = "./target {}"

[[job]]
input = "crashes/a"

[[job]]
input = "crashes/b"
stderr = "parse_key"
max-tests = 4

[[job]]
input = "sources/one.c"
test = "./check.sh"
name = "needle.c"
priority = 5
"#;
    place.write("jobs.toml", jobs);
    // From another directory: paths are those of the file.
    let mut lop = place.command(env!("CARGO_BIN_EXE_lop"));
    lop.current_dir(place.outside("")).args(["batch", "here/jobs.toml"]);
    let output = finished(start(&mut lop));
    output.expect(0, &["3 inputs", "stopped by a limit"]);
    assert_eq!(place.squeezed("jobs.reduced/a"), "SEGV");
    assert_eq!(place.squeezed("jobs.reduced/needle.c"), "needle");
    let records = records(&place, "jobs.reduced");
    assert_eq!((&records["b"]["status"], &records["b"]["tests"]), (&"stopped".into(), &4.into()));
    // Options of the command line come last, and win.
    place.lop(["batch", "jobs.toml", "--max-tests", "500"]).expect(0, &["3 to reduce"]);
    assert_eq!(place.squeezed("jobs.reduced/b"), "OVERFLOW");
}

#[test]
fn a_directory_can_be_the_input_of_a_job_and_is_done_once_and_again_when_it_changed() {
    let place = Place::new();
    place.write("project/a.c", "int a;\n");
    place.write("project/b.txt", "needle\nb\n");
    place.script("check.sh", "grep -rq needle \"$1\"");
    place.write("jobs.toml", "[[job]]\ninput = 'project'\ntest = './check.sh'\n");
    let batch = |says: &str| place.lop(["batch", "jobs.toml"]).expect(0, &[says]);
    batch("1 to reduce");
    assert_eq!(place.names_in("jobs.reduced/project"), ["b.txt"]);
    assert_eq!(place.squeezed("jobs.reduced/project/b.txt"), "needle");
    batch("0 to reduce");
    place.write("project/c.txt", "needle\n");
    fs::remove_file(place.path("project/b.txt")).unwrap();
    batch("1 to reduce");
    assert_eq!(place.names_in("jobs.reduced/project"), ["c.txt"]);
}

#[test]
fn jobs_with_a_higher_priority_start_first() {
    let place = place(&[
        ("a", "SEGV"),
        ("b", "SEGV"),
        ("c", "SEGV"),
        ("d", "SEGV"),
        ("e", "SEGV"),
        ("f", "SEGV"),
    ]);
    let job = |name: &str| {
        format!("[[job]]\ninput = 'crashes/{name}'\npriority = {}\n", name.as_bytes()[0])
    };
    let jobs: String = ["a", "b", "c", "d", "e", "f"].map(job).concat();
    place.write(
        "jobs.toml",
        format!("[defaults]\njobs = 1\nmax-tests = 1\ncommand = './target {{}}'\n{jobs}"),
    );
    let output = place.lop(["batch", "jobs.toml"]);
    output.expect(0, &[]);
    let order: Vec<&str> = output.stderr.lines().filter(|line| line.contains("bytes,")).collect();
    // Four of them run at the same time.
    assert!(
        order[4..].iter().all(|line| line.starts_with("lop: a:") || line.starts_with("lop: b:")),
        "{order:?}"
    );
}

#[test]
fn results_are_as_their_schema_says() {
    let place = place(&CRASHES);
    crash(&place, "nothing", "nothing");
    place.write("crashes/empty", "");
    fs::write(place.path("crashes").join(OsStr::from_bytes(b"\xff")), "one\nSEGV\n").unwrap();
    let output = batch(&place, &["--json", "--max-tests", "20"]);
    output.expect(10, &[]);
    let check = |value: &Value, schema: &Value| {
        let validator = jsonschema::validator_for(schema).unwrap();
        let errors: Vec<String> = validator.iter_errors(value).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {value}");
    };
    let schema = common::schema(include_str!("../../../../docs/src/reference/results.schema.json"));
    check(&serde_json::from_slice(&place.read("crashes.reduced/results.json")).unwrap(), &schema);
    let mut job = schema["$defs"]["job"].clone();
    job["$defs"] = schema["$defs"].clone();
    let lines = output.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let jobs: Vec<Value> = lines.filter(|line| line["event"] == "job").collect();
    assert_eq!(jobs.len(), 12);
    jobs.iter().for_each(|line| check(line, &job));
}

#[test]
fn the_lines_of_json_have_a_job_each_and_the_counts_at_the_end() {
    let place = place(&CRASHES);
    crash(&place, "nothing", "nothing");
    let output = batch(&place, &["--json"]);
    output.expect(0, &[]);
    assert_eq!(output.stderr, "");
    let lines: Vec<Value> =
        output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (end, jobs) = lines.split_last().unwrap();
    assert_eq!(jobs.len(), 10);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let expected = [
        "after", "before", "content", "event", "group", "identity", "input", "name", "result",
        "seconds", "status", "tests",
    ];
    for job in jobs.iter().filter(|job| job["status"] == "reduced") {
        let mut keys = keys(job);
        keys.retain(|key| key != "notes");
        assert_eq!(keys, expected);
        assert_eq!(job["event"], "job");
    }
    for job in jobs.iter().filter(|job| job["status"] == "duplicate") {
        let keys = keys(job);
        assert_eq!(
            keys,
            [
                "before",
                "duplicate_of",
                "event",
                "group",
                "identity",
                "input",
                "name",
                "seconds",
                "status",
                "tests"
            ]
        );
    }
    let statuses: Vec<&str> = jobs.iter().map(|job| job["status"].as_str().unwrap()).collect();
    let count = |status: &str| statuses.iter().filter(|each| **each == status).count();
    assert_eq!(["reduced", "duplicate", "not-reproduced"].map(count), [6, 3, 1]);
    assert_eq!(keys(end), ["event", "groups", "jobs", "results"]);
    assert_eq!(
        (&end["jobs"]["duplicate"], &end["jobs"]["not-reproduced"], &end["groups"]),
        (&3.into(), &1.into(), &5.into())
    );
    let content: Value =
        serde_json::from_slice(&place.read("crashes.reduced/results.json")).unwrap();
    assert_eq!(keys(&content), ["jobs", "lop", "schema"]);
    assert_eq!(content["schema"], 1);
}

#[test]
fn launchers_and_options_of_lop_toml_are_those_of_each_job() {
    let place = place(&[("a", "SEGV"), ("b", "FREED")]);
    let launched = place.outside("launched");
    place.script("launch", &format!("echo >> {}; exec \"$@\"", launched.display()));
    place.write("crashes/lop.toml", "max-tests = 2\n");
    fs::rename(place.path("crashes/lop.toml"), place.path("lop.toml")).unwrap();
    batch(&place, &["--launcher", "./launch {}"]).expect(0, &["stopped by a limit"]);
    assert!(launched.exists());
    batch(&place, &["--no-config"]).expect(0, &[]);
    assert!(statuses(&place).values().all(|status| status == "reduced"));
}

#[test]
fn what_is_wrong_with_all_jobs_is_said_once_and_nothing_is_written() {
    let place = place(&CRASHES);
    let output = place.lop(["batch", "crashes", "--test", "./missing.sh"]);
    output.expect(5, &["the test `./missing.sh` does not exist"]);
    assert_eq!(output.stderr.matches("missing.sh").count(), 1);
    place
        .lop(["batch", "crashes"])
        .expect(2, &["the test of the batch is missing", "lop batch DIR -- COMMAND {}"]);
    place
        .lop(["batch", "crashes", "--test", "./target @@"])
        .expect(2, &["lop batch … -- ./target @@"]);
    assert_eq!(place.names(), ["crashes", "target"]);
    place.write("taken/file", "x");
    batch(&place, &["-o", "taken"]).expect(7, &["`taken`", "not results of lop batch", "-o DIR"]);
}
