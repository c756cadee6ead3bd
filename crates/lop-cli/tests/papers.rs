//! The examples of the papers on hoisting, with a real C compiler and JDK: Figures 3 and 5 of D. Vince
//! et al., "Extending Hierarchical Delta Debugging with Hoisting" (2021), and Figure 4 of their "The Effect of Hoisting on Variants of Hierarchical Delta Debugging" (2022).

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::{env, fs};

use common::Place;
use lop::tree::Format;
use lop::{Reduction, Size};

const WITHOUT_HOISTING: [&str; 4] = ["hdd*", "hddr*", "coarse-hdd*", "coarse-hddr*"];

/// The coarse variants in which hoisting has no effect.
const COARSE: [&str; 2] = ["coarse-hddh*", "coarse-hddhr*"];
/// Those in which it comes first.
const BEFORE_COARSE: [&str; 4] =
    ["hoist*+coarse-hdd*", "hoist*+coarse-hddh*", "hoistr*+coarse-hddr*", "hoistr*+coarse-hddhr*"];

/// The variants with hoisting that visit all nodes.
const WITH_HOISTING: [&str; 6] =
    ["hoist*+hdd*", "hddh*", "hoist*+hddh*", "hoistr*+hddr*", "hddhr*", "hoistr*+hddhr*"];

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

/// Whether a program is installed. If not, the test is skipped with a message; with LOP_TEST_ALL it fails.
fn is_there(program: &str, package: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok();
    if !found {
        let message = format!(
            "`{program}` is not installed: this example of the papers was NOT tested; \
             install it (Debian: apt install {package})"
        );
        assert!(env::var_os("LOP_TEST_ALL").is_none(), "{message}");
        eprintln!("{message}");
    }
    found
}

#[test]
fn hello_world_of_figure_3_goes_from_42_to_35_characters_with_hoisting_only() {
    if !is_there("cc", "gcc") {
        return;
    }
    let place = Place::new();
    fs::copy(example("hello/helloworld.c"), place.path("helloworld.c")).unwrap();
    let test = example("hello/test.sh");
    let reduce = |strategy: &str| {
        let test = test.to_str().unwrap();
        place.lop(["-q", test, "helloworld.c", "--strategy", strategy]).expect(0, &[]);
        place.read("helloworld.lop.c")
    };
    let original = place.read("helloworld.c");
    assert_eq!(Size::of(&original).characters, 42);
    let pardis = ["perses*", "pardis*", "pardis-hybrid*"];
    for strategy in WITHOUT_HOISTING.into_iter().chain(COARSE).chain(pardis) {
        assert_eq!(reduce(strategy), original, "{strategy}");
    }
    assert_eq!(Size::of(&reduce("pardis-wide*")).characters, 37, "without `if (1)`");
    for strategy in WITH_HOISTING.into_iter().chain(BEFORE_COARSE) {
        let result = reduce(strategy);
        assert_eq!(Size::of(&result).characters, 35, "{strategy}");
        let squeezed = place.squeezed("helloworld.lop.c");
        assert_eq!(squeezed, "intmain(){printf(\"Helloworld!\\n\");}", "{strategy}");
    }
}

#[test]
fn localized_pi_of_figure_5_loses_format_parts_with_hoisting_only() {
    if !(is_there("javac", "openjdk-17-jdk-headless")
        && is_there("java", "openjdk-17-jdk-headless"))
    {
        return;
    }
    let reduce = |strategy: &str| reduce_pi(strategy, false);

    let (pruned, size) = reduce("hdd*");
    // As in Figure 5(b): the method and its call are kept, its body is removed.
    assert!(pruned.contains("static String formatParts(String"), "{pruned}");
    assert!(pruned.contains("decSep(args[0]));") && !pruned.contains("println"), "{pruned}");
    assert!(!pruned.contains("public class") && !pruned.contains("if"), "{pruned}");
    for strategy in WITH_HOISTING {
        let (hoisted, hoisted_size) = reduce(strategy);
        let squeezed: String = hoisted.split_whitespace().collect();
        let expected = "classLocalizedPi{\
             staticStringdecSep(Stringa)throwsException{thrownewException(\"Unsupportedlocale\");}\
             publicstaticvoidmain(String[]args)throwsException{Stringa=decSep(args[0]);}}";
        assert_eq!(squeezed, expected, "{strategy}");
        assert!(10 * hoisted_size < 7 * size, "{strategy}: {hoisted_size} of {size} characters");
    }
}

/// The result of a strategy on LocalizedPi.java, and its size. The program must throw an exception for an unsupported locale, and if
/// `both`, end well for the supported one.
fn reduce_pi(strategy: &str, both: bool) -> (String, usize) {
    let input = Arc::new(fs::read(example("pi/LocalizedPi.java")).unwrap());
    let judges = [(); 2].map(|()| Mutex::new(Judge::start(both)));
    let oracle = move |candidate: &[u8]| {
        // There are as many judges as workers, so one of them is free.
        let free = judges.iter().find_map(|judge| judge.try_lock().ok());
        let mut judge = free.unwrap_or_else(|| judges[0].lock().unwrap());
        judge.accepts(candidate)
    };
    let mut reduction = Reduction::new(input, &oracle);
    reduction.format = Format::named("java").expect("Java is part of every build");
    reduction.workers = 2;
    reduction.strategy = strategy.parse().unwrap();
    let report = reduction.run().unwrap();
    let result = report.best.text.to_vec();
    let test = if both { "pi/both.sh" } else { "pi/test.sh" };
    assert!(accepted_by(test, &result), "{strategy}: {}", String::from_utf8_lossy(&result));
    (String::from_utf8(result).unwrap(), report.best.size.characters)
}

#[test]
fn localized_pi_of_the_second_paper_keeps_the_supported_locale() {
    if !(is_there("javac", "openjdk-17-jdk-headless")
        && is_there("java", "openjdk-17-jdk-headless"))
    {
        return;
    }
    // Figure 4(b): all three methods are kept.
    let (pruned, _) = reduce_pi("hdd*", true);
    assert!(pruned.contains("static String formatParts(String"), "{pruned}");
    assert!(pruned.contains("if (locale.equals(\"en\"))"), "{pruned}");
    // Figure 4(c): the call is hoisted, and formatParts is gone.
    // Where statements are of one supertype, the braces go, too.
    let braces = [("hoist:kind*+hdd*", "{return\"\";}"), ("hoist*+hdd*", "return\"\";")];
    for (strategy, returns) in braces {
        let (hoisted, _) = reduce_pi(strategy, true);
        let squeezed: String = hoisted.split_whitespace().collect();
        let expected = format!(
            "classLocalizedPi{{staticStringdecSep(Stringlocale)throwsException{{\
             if(locale.equals(\"en\")){returns}thrownewException(\"Unsupportedlocale\");}}\
             publicstaticvoidmain(String[]args)throwsException{{Stringa=decSep(args[0]);}}}}"
        );
        assert_eq!(squeezed, expected, "{strategy}");
    }
}

/// A Java virtual machine that compiles and runs programs.
struct Judge {
    java: Child,
    dirs: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Judge {
    fn start(both: bool) -> Judge {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/papers/Judge.java");
        let mut java = Command::new("java");
        java.arg(source).args(both.then_some("both")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut java = java.spawn().unwrap();
        let (dirs, answers) = (java.stdin.take().unwrap(), java.stdout.take().unwrap());
        Judge { java, dirs, answers: BufReader::new(answers) }
    }

    fn accepts(&mut self, candidate: &[u8]) -> bool {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("LocalizedPi.java"), candidate).unwrap();
        writeln!(self.dirs, "{}", dir.path().display()).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        match answer.trim() {
            "yes" => true,
            "no" => false,
            other => panic!("the Java virtual machine answered `{other}`"),
        }
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        let _ = self.java.kill();
        let _ = self.java.wait();
    }
}

/// Whether an example's own test accepts a program, with `javac` and `java` themselves.
fn accepted_by(test: &str, program: &[u8]) -> bool {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("LocalizedPi.java"), program).unwrap();
    let mut test = Command::new(example(test));
    test.current_dir(dir.path()).status().unwrap().success()
}
