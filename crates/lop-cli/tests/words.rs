//! Words of the command line: help, names of languages, phases that are left out, and misspellings.

mod common;

use common::Place;
use serde_json::Value;

fn place() -> Place {
    let place = Place::new();
    place.write("prog.c", "int first;\nint second(int third) { return third + first; }\n");
    place.script("check.sh", "grep -q 'return' \"$1\" && grep -q second \"$1\"");
    place
}

#[test]
fn help_is_a_word_as_well_as_an_option() {
    let place = Place::new();
    let all = place.lop(["help"]);
    all.expect(0, &[]);
    assert_eq!(all.stdout, place.lop(["--help"]).stdout);
    for text in ["Examples:\n  lop ./test.sh prog.c", "Exit codes:", "$LOP_DIR", "--with"] {
        assert!(all.stdout.contains(text), "no `{text}` in:\n{}", all.stdout);
    }
    let examples = all.stdout.split("Examples:").nth(1).unwrap();
    assert!(examples.lines().all(|line| line.chars().count() <= 80), "{examples}");
    for name in ["tree", "compare", "gen", "tmin"] {
        let one = place.lop(["help", name]);
        one.expect(0, &[]);
        assert_eq!(one.stdout, place.lop([name, "--help"]).stdout);
    }
}

#[test]
fn shells_complete_options_and_subcommands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let output = place.lop(["completions", shell]);
        output.expect(0, &[]);
        for word in ["compare", "without"] {
            assert!(output.stdout.contains(word), "{shell} does not know {word}");
        }
    }
    place.write("lop.bash", place.lop(["completions", "bash"]).stdout);
    let bash = place.command("bash").args(["-n", "lop.bash"]).status();
    assert!(bash.is_err() || bash.unwrap().success());
}

#[test]
fn a_misspelt_subcommand_is_recognised() {
    let place = place();
    for (args, meant) in [
        (&["comapre", "./check.sh", "prog.c"][..], "`lop compare`"),
        (&["comapre", "./check.sh", "prog.c", "--strategies", "hdd"], "`lop compare`"),
        (&["comapre", "prog.c", "--", "cat", "{}"], "`lop compare`"),
        (&["lagnuages"], "`lop languages`"),
        (&["strategy"], "`lop strategies`"),
        (&["tre", "prog.c"], "`lop tree`"),
    ] {
        place.lop(args).expect(2, &["did you mean", meant]);
    }
    // A file or a program of that name is meant.
    place.script("tre", "grep -q second \"$1\"");
    place.lop(["./tre", "prog.c"]).expect(0, &[]);
    place.lop(["tre", "prog.c"]).expect(0, &[]);
    place.lop(["nothing", "prog.c"]).expect(5, &["the test `nothing`"]);
    place.lop(["--fats", "./tre", "prog.c"]).expect(2, &["no option `--fats`", "mean `--fast`?"]);
    place.lop(["--zzz"]).expect(2, &["there is no option `--zzz`", "lop --help"]);
    let misplaced = place.lop(["-q", "doctor", "./tre", "prog.c"]);
    misplaced.expect(2, &["the subcommand `doctor` is not the first word", "lop doctor"]);
}

#[test]
fn languages_have_their_usual_names_in_any_case() {
    let place = place();
    let language = |name: &str| {
        let output = place.lop(["tree", "--json", "--language", name, "prog.c"]);
        output.expect(0, &[]);
        let tree: Value = serde_json::from_str(output.stdout.lines().next().unwrap())
            .unwrap_or_else(|_| serde_json::from_str(&output.stdout).unwrap());
        tree["language"].as_str().unwrap().to_owned()
    };
    for (name, expected) in [
        ("C", "c"),
        ("c++", "cpp"),
        ("js", "javascript"),
        ("Py", "python"),
        ("rs", "rust"),
        ("golang", "go"),
        ("yml", "yaml"),
        ("sh", "bash"),
        ("smt2", "smt-lib"),
        ("Text", "text"),
    ] {
        assert_eq!(language(name), expected, "{name}");
    }
    let unknown = |name| place.lop(["tree", "--language", name, "prog.c"]);
    unknown("pyhton").expect(2, &["unknown language `pyhton`; did you mean `python`?"]);
    unknown("klingon").expect(2, &["unknown language `klingon`\n", "lop languages"]);
}

/// The phases of a run, by name.
fn phases(place: &Place, args: &[&str]) -> Vec<String> {
    let output = place.lop([&["--json", "./check.sh"], args].concat());
    output.expect(0, &[]);
    let finished: Value = serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap();
    let phases = finished["phases"].as_array().unwrap().iter();
    phases.map(|phase| phase["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn phases_of_the_default_are_left_out_for_a_file_and_for_several() {
    let place = place();
    place.write("dir/prog.c", place.read("prog.c"));
    place.script("check.sh", "cat prog.c dir/prog.c 2>/dev/null | grep -q second");
    for input in ["prog.c", "dir"] {
        let all = phases(&place, &[input]);
        let left =
            phases(&place, &["--without", "rename,opdd,merge", "--without", "hddhr:model", input]);
        for name in ["rename", "opdd:pairs", "merge:tokens", "hddhr:model"] {
            assert!(all.iter().any(|each| each == name), "{name}: {all:?}");
            assert!(!left.iter().any(|each| each == name), "{name}: {left:?}");
        }
        assert!(left.iter().any(|each| each == "lift"), "{left:?}");
    }
    let exact = phases(&place, &["--without", "merge:tokens", "prog.c"]);
    assert!(exact.iter().any(|each| each == "opdd:pairs"), "{exact:?}");
    assert!(!exact.iter().any(|each| each == "merge:tokens"), "{exact:?}");
    let text = phases(&place, &["--language", "text", "--without", "opdd:brackets", "prog.c"]);
    assert!(text.iter().any(|each| each == "opdd:lines"), "{text:?}");
    assert!(!text.iter().any(|each| each == "opdd:brackets"), "{text:?}");
}

#[test]
fn phases_are_left_out_of_any_strategy_and_in_a_comparison() {
    let place = place();
    let own = ["--strategy", "(opdd:lines+lift+rename)*", "--without", "lift", "prog.c"];
    assert_eq!(phases(&place, &own), ["opdd:lines", "rename"]);
    assert_eq!(phases(&place, &["--strategy", "(lift+rename)~rename", "prog.c"]), ["lift"]);
    let compared = ["compare", "-q", "./check.sh", "prog.c", "--strategies", "fast,fast~lift"];
    let output = place.lop(compared);
    output.expect(0, &[]);
    assert!(output.stdout.contains("\nfast~lift "), "{}", output.stdout);
    place.lop([&compared[..], &["--without", "gallop"]].concat()).expect(0, &[]);
}

#[test]
fn mistakes_on_the_command_line_are_answered_in_two_lines() {
    let place = place();
    for (words, essentials) in [
        (&["--hang", "./check.sh", "prog.c"][..], ["--timeout <TIME>", "lop --help lists"]),
        (&["--timeout", "abc", "./check.sh", "prog.c"], ["abc", "lop --help lists"]),
        (&["batch", "--jobs", "abc", "d", "--", "cc"], ["--jobs <N>", "lop batch --help lists"]),
        (&["gen", "--drive", "phyton", "t", "c"], ["phyton", "python"]),
    ] {
        let output = place.lop(words);
        output.expect(2, &essentials);
        assert_eq!(output.stderr.lines().count(), 2, "{}", output.stderr);
        assert!(!output.stderr.contains("Usage"), "{}", output.stderr);
    }
}

#[test]
fn phases_that_do_not_exist_are_answered_with_the_nearest_name() {
    let place = place();
    let without = |names: &'static str| place.lop(["--without", names, "./check.sh", "prog.c"]);
    without("lift,renmae").expect(2, &["no phase `renmae`", "did you mean `rename`"]);
    without("opdd:tokns").expect(2, &["did you mean `tokens`"]);
    let nothing = ["--strategy", "lift", "--without", "lift", "./check.sh", "prog.c"];
    place.lop(nothing).expect(2, &["nothing is left"]);
}

#[test]
fn phases_to_be_left_out_that_a_strategy_does_not_have_are_noted() {
    let place = place();
    let run = |args: &[&str]| place.lop([args, &["./check.sh", "prog.c"]].concat());
    let note = "note: the strategy has no phase";
    run(&["--without", "rename,gtr"]).expect(0, &[&format!("{note} `gtr`;")]);
    run(&["--strategy", "lift", "--without", "rename"]).expect(0, &[&format!("{note} `rename`;")]);
    for args in
        [&["--without", "rename,opdd"][..], &["--strategy", "lift+fast", "--without", "rename"]]
    {
        let output = run(args);
        output.expect(0, &[]);
        assert!(!output.stderr.contains(note), "{}", output.stderr);
    }
}

#[test]
fn the_default_of_two_versions_of_a_program_has_a_phase_for_both() {
    let place = Place::new();
    for (name, number) in [("old.c", 1), ("new.c", 2)] {
        place.write(name, format!("int g;\nint main(void) {{ g = 3; return {number}; }}\n"));
    }
    place.script("check.sh", "grep -q 'return 1' old.c && grep -q 'return 2' new.c");
    let output = place.lop(["--without", "ppr", "./check.sh", "old.c", "new.c"]);
    output.expect(0, &[]);
    assert!(!output.stderr.contains("no phase"), "{}", output.stderr);
    let output = place.lop(["compare", "--ablation", "./check.sh", "old.c", "new.c"]);
    output.expect(0, &[]);
    assert!(output.stdout.contains("\nwithout ppr "), "{}", output.stdout);
}

#[test]
fn phases_are_numbered_as_they_are_written() {
    let place = place();
    let numbers = |strategy: &str| {
        let args = ["--json", "--strategy", strategy, "./check.sh", "prog.c"];
        let output = place.lop(args);
        output.expect(0, &[]);
        let events = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
        let phases: Vec<Value> = events.filter(|event: &Value| event["event"] == "phase").collect();
        let read = |phase: &Value| {
            let name = phase["name"].as_str().unwrap().to_owned();
            (name, phase["number"].as_u64(), phase["of"].as_u64())
        };
        let mut numbers: Vec<_> = phases.iter().map(read).collect();
        numbers.sort();
        numbers.dedup();
        numbers
    };
    let expected = |name: &str, number| (name.to_owned(), Some(number), Some(3));
    assert_eq!(
        numbers("(opdd:lines+[lift|rename])*"),
        [expected("lift", 2), expected("opdd:lines", 1), expected("rename", 3)]
    );
    // What a default stands for is counted once it is known, and guards are not: they try nothing.
    let default = numbers("opdd:lines+default~gallop");
    let number = |name: &str| default.iter().find(|(each, _, _)| each == name).unwrap();
    assert_eq!(number("opdd:lines"), &("opdd:lines".into(), Some(1), Some(2)));
    let (_, last, of) = number("trim");
    assert!(last == of && of.is_some_and(|of| of > 10), "{default:?}");
    assert_eq!(number("comments"), &("comments".into(), Some(3), *of));
    assert_eq!(number("no-guard"), &("no-guard".into(), None, None));
}
