//! Generators run by the library; the tests of the command cover their output in all languages.

use std::sync::Arc;

use lop::generator::{Choices, Drive, Generator, Kind, Made, Program, Setup, Unmade};
use lop::oracle::command::{Argument, CommandLine};
use lop::{Bytes, Cancel, ChoiceReduction};

/// The case that a program makes from a single choice.
fn make(program: Program, serves: bool, values: &[i128]) -> Made {
    let setup = Setup { drive: Some(Drive::Protocol), serves, ..Setup::new(program) };
    let generator = Generator::new(&setup).unwrap();
    let choices = Choices { values: values.to_vec(), ..Choices::default() };
    generator.make(0, &choices, &Cancel::default()).unwrap()
}

const DRAW: &str = r#"
    number=$(sed -n 2p "$LOP_CHOICES")
    [ -n "$number" ] || { echo '? i 0 99 0' >> "$LOP_EVENTS"; exit 120; }
    echo "i 0 99 0 $number" >> "$LOP_EVENTS"
"#;

#[test]
fn a_test_case_is_written_to_standard_output_or_to_the_path_that_is_given() {
    let printing = format!("{DRAW} echo \"number $number\"");
    let writing = format!("{DRAW} echo noise; echo \"number $number\" > {{}}");
    let command = CommandLine {
        program: "/bin/sh".into(),
        args: [Argument::plain("-c"), Argument::plain(writing.replace("{}", "\"$1\""))]
            .into_iter()
            .chain([Argument::plain("sh"), Argument::candidate()])
            .collect(),
        env: Vec::new(),
        reads_candidate: true,
    };
    let programs = [Program::Script(printing), Program::Script(writing), Program::Command(command)];
    for program in programs {
        let made = make(program.clone(), false, &[42]);
        assert_eq!(made.result.as_deref(), Ok(&b"number 42\n"[..]), "{program:?}");
        assert_eq!(made.record.values(), [42]);
    }
}

#[test]
fn too_few_choices_and_a_refusal_are_told_apart() {
    let few = make(Program::Script(DRAW.into()), false, &[]);
    assert_eq!(few.result, Err(Unmade::TooFew(Kind::integer(0, 99, 0))));
    let refused = make(Program::Script(format!("{DRAW} echo 'not 7' >&2; exit 121")), false, &[7]);
    assert_eq!(refused.result, Err(Unmade::Rejected("exit 121: not 7".into())));
    assert_eq!(refused.record.values(), [7]);
}

#[test]
fn the_time_limit_follows_from_what_test_cases_take_unless_it_is_given() {
    let limits = |time| {
        let setup = Setup {
            drive: Some(Drive::Protocol),
            time,
            ..Setup::new(Program::Script(DRAW.into()))
        };
        let generator = Generator::new(&setup).unwrap();
        let choices = Choices { values: vec![7], ..Choices::default() };
        let before = generator.time_limit();
        generator.make(0, &choices, &Cancel::default()).unwrap();
        generator.adapt(0);
        (before, generator.time_limit())
    };
    let (before, after) = limits(None);
    assert!(after < before, "{after:?}");
    let given = std::time::Duration::from_secs(77);
    assert_eq!(limits(Some(given)), (given, given));
}

#[test]
fn an_item_of_one_choice_is_a_span_like_its_neighbours() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("make.py");
    let text = "import random\n\
                def item():\n\
                \x20   return random.randrange(9) and [random.randrange(9)]\n\
                print([item() for _ in range(3)])\n";
    std::fs::write(&path, text).unwrap();
    let script = format!("python3 {}", path.display());
    let setup = Setup { drive: Some(Drive::Python), ..Setup::new(Program::Script(script)) };
    let choices = Choices { values: vec![0, 1, 7, 0], ..Choices::default() };
    let made = Generator::new(&setup).unwrap().make(0, &choices, &Cancel::default()).unwrap();
    assert_eq!(made.result.as_deref(), Ok(&b"[0, [7], 0]\n"[..]));
    let ranges: Vec<_> = made.record.spans.iter().map(|span| span.range()).collect();
    for item in [0..1, 1..3, 3..4] {
        assert!(ranges.contains(&item), "{item:?} of {ranges:?}");
    }
}

#[test]
fn one_process_makes_many_cases_and_is_started_again_when_it_stops() {
    let script = r#"
        cases=0
        while read -r line; do
            case $line in
                end) echo "i 0 99 0 $number"; printf 'made 4\n%s %s\n\n' "$number" $cases
                     cases=$((cases + 1)) ;;
                13) exit 1 ;;
                *) number=$line ;;
            esac
        done"#;
    let program = Program::Script(script.into());
    let setup = Setup { drive: Some(Drive::Protocol), serves: true, ..Setup::new(program) };
    let generator = Generator::new(&setup).unwrap();
    let made = |value| {
        let choices = Choices { values: vec![value], ..Choices::default() };
        generator.make(0, &choices, &Cancel::default()).unwrap().result
    };
    assert_eq!(made(10).unwrap(), b"10 0");
    assert_eq!(made(11).unwrap(), b"11 1");
    let Err(Unmade::Rejected(why)) = made(13) else { panic!("it stopped") };
    assert!(why.starts_with("it stopped before the case was made"), "{why}");
    assert_eq!(made(12).unwrap(), b"12 0");
}

#[test]
fn a_program_that_cannot_be_started_is_an_error_that_names_it() {
    let command = CommandLine {
        program: "/nowhere/at/all".into(),
        args: Vec::new(),
        env: Vec::new(),
        reads_candidate: true,
    };
    for serves in [false, true] {
        let program = Program::Command(command.clone());
        let setup = Setup { drive: Some(Drive::Protocol), serves, ..Setup::new(program) };
        let generator = Generator::new(&setup).unwrap();
        let error = generator.make(0, &Choices::default(), &Cancel::default()).unwrap_err();
        let message = error.to_string();
        assert!(message.starts_with("cannot run the generator `/nowhere/at/all`: "), "{message}");
    }
}

#[test]
fn the_beginning_of_bytes_that_were_tried_is_tried_itself() {
    let oracle = |text: &[u8]| text.contains(&b'f') && text.ends_with(b"}");
    let input = Arc::new(b"f}zz}".to_vec());
    let reduction = ChoiceReduction::new(Bytes::record(&input), input, &Bytes, &oracle);
    assert_eq!(*reduction.run().unwrap().report.best.text, b"f}");
}
