//! Whether events are as their JSON Schema says.

mod common;

use std::collections::BTreeSet;

use common::{Output, Place};
use jsonschema::Validator;
use serde_json::Value;

fn schema() -> Validator {
    let text = include_str!("../../../docs/src/reference/events.schema.json");
    jsonschema::validator_for(&common::schema(text)).unwrap()
}

/// The names of the events of a run, each of which is valid.
fn events(output: &Output) -> BTreeSet<String> {
    let schema = schema();
    let event = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
        let errors: Vec<String> = schema.iter_errors(&event).map(|it| it.to_string()).collect();
        assert!(
            errors.is_empty(),
            "not as the schema says: {}",
            line.chars().take(300).collect::<String>()
        );
        event["event"].as_str().unwrap().to_owned()
    };
    output.stdout.lines().map(event).collect()
}

#[test]
fn every_event_is_as_the_schema_says() {
    let place = Place::new();
    place.write("prog.c", "int a;\nint b;\nint needle;\nint c;\n".repeat(30));
    place.script("test.sh", "sleep 0.01; grep -q needle prog.c");
    let mut seen = events(&place.lop(["--json", "./test.sh", "prog.c"]));
    seen.extend(events(&place.lop(["--json", "--resume", "./test.sh", "prog.c"])));
    seen.extend(events(&place.lop([
        "compare",
        "--json",
        "./test.sh",
        "prog.c",
        "--strategies",
        "ddmin:lines",
        "--max-tests",
        "9",
    ])));
    place.script(
        "crash.sh",
        "grep -q needle prog.c && exit 3; grep -q 'int a' prog.c && exit 4; exit 0",
    );
    seen.extend(events(&place.lop([
        "--json",
        "prog.c",
        "--exit",
        "3",
        "--also-interesting",
        "exit 4",
        "--",
        "./crash.sh",
        "{}",
    ])));
    let wanted = [
        "about", "status", "property", "started", "phase", "improved", "progress", "finished",
        "compared", "failed",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|name| !seen.contains(*name)).collect();
    assert_eq!(missing, [""; 0], "{seen:?}");
}

#[test]
fn the_first_event_has_the_version_of_the_schema() {
    let place = Place::new();
    place.write("prog.c", "int needle;\nint b;\n");
    place.script("test.sh", "grep -q needle prog.c");
    let output = place.lop(["--json", "./test.sh", "prog.c"]);
    let first: Value = serde_json::from_str(output.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((first["event"].as_str(), first["schema"].as_u64()), (Some("about"), Some(1)));
    let title =
        include_str!("../../../docs/src/reference/events.schema.json").lines().nth(2).unwrap();
    assert!(title.contains("version 1"), "{title}");
}
