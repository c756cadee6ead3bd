//! `lop compare`, strategies over trees, and the statistics of phases.

mod common;

use common::{Output, Place};
use serde_json::Value;

/// A place with a JSON file, and a test that requires two of its numbers.
fn place() -> Place {
    let place = Place::new();
    place
        .write("data.json", "{\"a\": [1, 2, [3, 4]], \"b\": {\"c\": [5, [[6]]]}, \"d\": [7, 8]}\n");
    // A check for balanced brackets replaces a parser.
    place.script(
        "balanced.sh",
        "grep -q 4 data.json && grep -q 6 data.json && ! grep -q ', *[],}]' data.json || exit 1\n\
         [ $(tr -cd '[{' <data.json | wc -c) = $(tr -cd ']}' <data.json | wc -c) ]",
    );
    place
}

fn compare(place: &Place, more: &[&str]) -> Output {
    let mut args = vec!["compare", "./balanced.sh", "data.json", "--strategies"];
    args.push("hdd*,hddr*,hoist*+hdd*");
    args.extend(more);
    place.lop(args)
}

fn events(output: &Output) -> Vec<Value> {
    output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn strategies_are_compared_in_a_table_and_nothing_is_written() {
    let place = place();
    let before = place.names();
    let output = compare(&place, &["-q"]);
    output.expect(0, &[]);
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{}", output.stdout);
    let columns = [
        "strategy",
        "characters",
        "tokens",
        "nodes",
        "bytes",
        "tests",
        "near",
        "bound",
        "cached",
        "time",
    ];
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), columns);
    for (line, strategy) in lines[1..].iter().zip(["hdd*", "hddr*", "hoist*+hdd*"]) {
        assert!(line.starts_with(strategy), "{line}");
    }
    assert_eq!(place.names(), before);
    assert!(place.temporaries().is_empty());
}

#[test]
fn the_winner_of_each_column_is_bold_in_markdown() {
    let place = place();
    let events = events(&compare(&place, &["--json"]));
    let compared: Vec<&Value> =
        events.iter().filter(|event| event["event"] == "compared").collect();
    let least =
        |key: &dyn Fn(&Value) -> u64| compared.iter().map(|event| key(event)).min().unwrap();
    let tests = |event: &Value| event["tests"].as_u64().unwrap();
    let characters = |event: &Value| event["size"]["characters"].as_u64().unwrap();
    let nodes = |event: &Value| event["nodes"]["after"].as_u64().unwrap();
    assert!(compared.iter().any(|event| tests(event) > least(&tests)), "{compared:?}");

    let markdown = compare(&place, &["-q", "--markdown"]).stdout;
    let rows: Vec<Vec<&str>> = markdown.lines().map(|line| line.split(" | ").collect()).collect();
    assert_eq!(rows[0][0], "| strategy");
    assert!(rows[1][0].starts_with("| ---"));
    for (row, event) in rows[2..].iter().zip(&compared) {
        assert_eq!(row[0], format!("| `{}`", event["strategy"].as_str().unwrap()));
        let cells =
            [(row[1], &characters as &dyn Fn(&Value) -> u64), (row[3], &nodes), (row[5], &tests)];
        for (cell, key) in cells {
            let expected = key(event);
            let is_least = expected == least(key);
            let expected = if is_least { format!("**{expected}**") } else { expected.to_string() };
            assert_eq!(cell, expected, "{markdown}");
        }
    }
}

#[test]
fn each_strategy_is_counted_by_itself_and_by_phase() {
    let place = place();
    let all = events(&compare(&place, &["--json"]));
    let hoisted =
        all.iter().find(|event| event["strategy"] == "hoist*+hdd*" && event["event"] == "compared");
    let phases = hoisted.unwrap()["phases"].as_array().unwrap();
    let names: Vec<_> = phases.iter().map(|phase| phase["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["hoist", "hdd"]);

    // A run with this strategy alone has the same counts.
    let args = ["./balanced.sh", "data.json", "--json", "--strategy", "hoist*+hdd*"];
    let alone = events(&place.lop(args));
    let finished = alone.last().unwrap();
    assert_eq!(finished["event"], "finished");
    for key in ["tests", "hits", "size"] {
        assert_eq!(finished[key], hoisted.unwrap()[key], "{key}");
    }
    let phases = finished["phases"].as_array().unwrap();
    let sum = |key: &str| phases.iter().map(|phase| phase[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("tests"), finished["tests"].as_u64().unwrap());
    assert_eq!(sum("hits"), finished["hits"].as_u64().unwrap());
    for unit in ["characters", "tokens", "bytes"] {
        let gone = phases.iter().map(|phase| phase["gone"][unit].as_u64().unwrap()).sum::<u64>();
        let (before, now) = (&finished["original"][unit], &finished["size"][unit]);
        assert_eq!(gone, before.as_u64().unwrap() - now.as_u64().unwrap(), "{unit}");
        assert_eq!(&phases[1]["size"][unit], now);
    }
}

#[test]
fn with_verbose_the_phases_are_shown_to_people() {
    let place = place();
    let output = place.lop(["-v", "./balanced.sh", "data.json", "--strategy", "hoist*+hddr*"]);
    output.expect(0, &["characters gone", "  hoist ", "  hddr "]);
    let compared = compare(&place, &["-v"]);
    compared.expect(0, &["phases of data.json, 3 of 3: hoist*+hdd*", "characters gone", "  hdd "]);
}

#[test]
fn mistakes_are_answered_before_anything_is_run() {
    let place = place();
    let compare = |strategies: &str| {
        place.lop(["compare", "./balanced.sh", "data.json", "--strategies", strategies])
    };
    compare("hdd*,hddt*").expect(2, &["there is no phase `hddt`", "did you mean `hdd`"]);
    compare("hdd:model").expect(2, &["write `hdd` without `:`"]);
    place.lop(["compare", "./balanced.sh", "data.json"]).expect(2, &["--strategies"]);
    place.lop(["compare", "./none.sh", "data.json", "--strategies", "hdd"]).expect(5, &["none.sh"]);
    let boring = ["compare", "data.json", "--strategies", "hdd", "--exit", "7", "--", "cat", "{}"];
    place.lop(boring).expect(3, &["does not accept the original input"]);
    let json = ["compare", "--json", "none.sh", "data.json", "--strategies", "hdd"];
    let failed = events(&place.lop(json));
    assert_eq!(failed.last().unwrap()["event"], "failed");
}

#[test]
fn the_smallest_result_is_marked_even_if_its_run_was_stopped_by_a_limit() {
    let place = place();
    let limited = compare(&place, &["-q", "--markdown", "--max-tests", "12"]);
    limited.expect(0, &[]);
    assert_eq!(limited.stdout.matches("stopped by --max-tests").count(), 3, "{}", limited.stdout);
    let rows: Vec<Vec<&str>> =
        limited.stdout.lines().skip(2).map(|line| line.split(" | ").collect()).collect();
    let tokens = |row: &Vec<&str>| row[2].trim_matches('*').parse::<usize>().unwrap();
    let least = rows.iter().map(tokens).min().unwrap();
    for row in &rows {
        assert_eq!(row[2].starts_with("**"), tokens(row) == least, "{}", limited.stdout);
        // What a run to the end would have taken is unknown.
        assert!(!row[5].contains('*') && !row[9].contains('*'), "{}", limited.stdout);
    }
    assert!(rows.iter().any(|row| tokens(row) > least), "{}", limited.stdout);
}

#[test]
fn a_flaky_result_is_never_the_best_and_has_a_note() {
    let place = place();
    // A candidate is interesting the first time only; the original is always interesting.
    let seen = place.outside("seen");
    std::fs::create_dir(&seen).unwrap();
    place.script(
        "once.sh",
        &format!(
            "cmp -s data.json '{}' && exit 0; grep -q 4 data.json || exit 1\n\
             mkdir '{}'/$(cksum <data.json | tr ' ' -)",
            place.path("data.json").display(),
            seen.display()
        ),
    );
    let args = ["compare", "-q", "--markdown", "./once.sh", "data.json", "--strategies", "hddr"];
    let flaky = place.lop(args);
    flaky.expect(8, &["not when they were tested again", "--confirm 3"]);
    assert!(flaky.stdout.contains("| flaky |") && !flaky.stdout.contains("**"), "{}", flaky.stdout);
}

#[test]
fn a_command_can_be_compared_and_the_language_be_named() {
    let place = place();
    place.write("data.txt", "[1, [2, [3]]]");
    let args = ["compare", "-q", "data.txt", "--language", "json", "--stdout", r"\[.*3.*\]"];
    let more = ["--strategies", "hddr*,hoistr*,hoistr:model*", "--", "cat", "{}"];
    let output = place.lop(args.iter().chain(&more));
    output.expect(0, &[]);
    let smallest: Vec<&str> = output.stdout.lines().skip(1).collect();
    // HDD removes elements, but not brackets around them; hoisting does the opposite.
    let characters: Vec<&str> =
        smallest.iter().map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(characters, ["7", "3", "3"], "{}", output.stdout);
}

#[test]
fn strategies_are_listed_with_one_line_each_and_their_source() {
    let listed = Place::new().lop(["strategies"]).stdout;
    for reducer in lop::reducers::REDUCERS {
        let line = listed
            .lines()
            .find(|line| line.trim_start().starts_with(&format!("{} ", reducer.name)));
        let line = line.unwrap_or_else(|| panic!("{} is not listed", reducer.name));
        let (_, source) = line.rsplit_once(" (").expect("the source is in brackets");
        assert!(source.contains("et al. 20") || source.contains(" and "), "{line}");
    }
}

#[test]
fn every_run_records_how_it_came_to_its_result() {
    let place = place();
    let all = events(&compare(&place, &["--json"]));
    for event in all.iter().filter(|event| event["event"] == "compared") {
        let number = |value: &Value| value.as_f64().unwrap();
        let improvements = event["improvements"].as_array().unwrap();
        let last = improvements.last().expect("something was found");
        assert_eq!(last["tokens"], event["size"]["tokens"]);
        assert!(number(&last["tests"]) <= number(&event["tests"]));
        let rises = |key: &str| improvements.is_sorted_by_key(|each| number(&each[key]));
        assert!(rises("tests") && rises("seconds"), "{improvements:?}");
        let falls = |pair: &[Value]| number(&pair[0]["tokens"]) >= number(&pair[1]["tokens"]);
        assert!(improvements.windows(2).all(falls), "{improvements:?}");
    }
}

#[test]
fn a_plot_has_a_line_for_each_strategy_over_tests_and_over_time() {
    let place = place();
    compare(&place, &["--plot", "curves.svg"]).expect(0, &["plot: curves.svg"]);
    let svg = String::from_utf8(place.read("curves.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for text in ["tests", "seconds", "tokens left", "data.json", "hdd*", "hddr*", "hoist*+hdd*"] {
        assert!(svg.contains(&format!("\n{text}")), "there is no `{text}` in {svg}");
    }
    // Each panel has a curve of each colour, and the legend of the first has a key.
    for colour in ["#0072B2", "#D55E00", "#009E73"] {
        let lines = svg.lines().filter(|line| line.contains("polyline") && line.contains(colour));
        assert_eq!(lines.count(), 3, "{colour} in {svg}");
    }
    // Each curve starts with the original size at the left, and falls to the right.
    for line in svg.lines().filter(|line| line.contains("polyline") && line.contains("#0072B2")) {
        let points = line.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let points: Vec<(i32, i32)> = points
            .split_whitespace()
            .map(|point| point.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        assert!(points.is_sorted(), "a curve goes to the right, and down: {points:?}");
    }
}

#[test]
fn a_plot_that_could_not_be_written_is_refused_before_anything_is_run() {
    let place = place();
    place.script("balanced.sh", "touch ran; exit 1");
    for (file, why) in [
        ("curves.png", "use a name that ends in .svg"),
        ("nowhere/curves.svg", "its directory does not exist"),
    ] {
        compare(&place, &["--plot", file]).expect(2, &["cannot write the plot to", file, why]);
    }
    let unwritable = compare(&place, &["--plot", "/proc/curves.svg"]);
    unwritable.expect(7, &["cannot write the plot to", "/proc"]);
    assert!(!place.names().contains(&"ran".to_owned()));
}

#[test]
fn a_plot_of_a_file_with_an_odd_name_is_well_formed() {
    let place = Place::new();
    let name = "a<b>&\"c\"\u{1}.json";
    place.write(name, "[1, [2, 3]]\n");
    place.script("test.sh", "grep -q 3 \"$1\"");
    let args = ["compare", "-q", "./test.sh", name, "--strategies", "pardis*", "--plot", "a.svg"];
    place.lop(args).expect(0, &[]);
    let svg = String::from_utf8(place.read("a.svg")).unwrap();
    assert!(svg.contains("a&lt;b&gt;&amp;"), "{svg}");
    assert!(!svg.contains(|c: char| c.is_control() && c != '\n'), "{svg}");
}

#[test]
fn an_ablation_compares_the_default_with_itself_without_each_phase() {
    let place = place();
    let output = place.lop(["compare", "--ablation", "-q", "./balanced.sh", "data.json"]);
    output.expect(0, &[]);
    let labels: Vec<&str> =
        output.stdout.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(labels[..3], ["strategy", "default", "without slice"]);
    assert!(labels.contains(&"without lift") && labels.contains(&"without trim"));
    assert!(!labels.iter().any(|label| label.contains("guard")));
}

#[test]
fn each_strategy_has_the_time_that_the_original_needs() {
    let place = Place::new();
    place.write("prog.txt", "one\ntwo\nthree\nn1e2e3d4l5e6n7e8e9d0l\nfour\nfive\n");
    // Long texts take longer than five times what the short ones take with which a strategy ends.
    let slow = "test $(wc -l < prog.txt) -gt 2 && sleep 0.8";
    place.script("test.sh", &format!("{slow}\ngrep -q n.*e.*e.*d.*l.*e.*n.*e.*e.*d.*l prog.txt"));
    let strategies = "opdd:lines+opdd:characters,opdd:lines+opdd:tokens";
    let args = ["compare", "--json", "./test.sh", "prog.txt", "-j1", "--strategies", strategies];
    let output = place.lop(args);
    output.expect(0, &[]);
    let events = output.stdout.lines().map(|line| line.parse::<Value>().unwrap());
    let compared = events.filter(|event| event["event"] == "compared");
    let unresolved: Vec<u64> = compared.map(|it| it["unresolved"].as_u64().unwrap()).collect();
    assert_eq!(unresolved, [0, 0], "none of these tests hangs");
}
