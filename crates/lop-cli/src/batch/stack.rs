//! The functions in which a program failed, from the stack that it printed: of sanitizers and debuggers, and of
//! interpreters.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// The number of functions that distinguish crashes with the same message.
const FRAMES: usize = 3;

/// Functions on a stack that are the same in all crashes: those of sanitizers, of the C library and of the program's
/// startup.
static EVERYWHERE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"^(__interceptor_|___?interceptor_|__asan_|__ubsan_|__msan_|__tsan_|__lsan_|__sanitizer_|__GI_|__libc_|__assert|__pthread_kill|_start$|main$|abort$|raise$|gsignal$|fuzzer::)",
    )
});

/// Code of sanitizers and of the C library.
static LIBRARY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"libsanitizer|compiler-rt|/lib(asan|ubsan|msan|tsan|c)\.so"));

/// A line of a stack, as sanitizers and debuggers print it.
static FRAME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*#(\d+)\s+(?:0x[0-9a-fA-F]+\s+in\s+)?([^\s(]+)(.*)$"));

/// A report of the sanitizer for undefined behaviour, which has a stack only on request.
static UNDEFINED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:.*/)?([^/\s]+:\d+):\d+: runtime error: "));

/// How an interpreter prints the stack of an exception.
struct Traced {
    /// The line that begins a stack, if there is one. Of several stacks, the last one counts.
    begins: Option<Regex>,
    /// A frame, with the groups `file`, `line` and `name`.
    frame: Regex,
    /// Whether the function that failed comes last.
    is_reversed: bool,
}

static TRACED: LazyLock<[Traced; 4]> = LazyLock::new(|| {
    let traced = |begins: Option<&str>, frame, is_reversed| Traced {
        begins: begins.map(regex),
        frame: regex(frame),
        is_reversed,
    };
    [
        // Python.
        traced(
            Some(r"^\s*Traceback \(most recent call last\):"),
            r#"^\s+File "(?<file>[^"]+)", line (?<line>\d+), in (?<name>\S+)"#,
            true,
        ),
        // Java and its relatives.
        traced(None, r"^\s+at (?<name>[\w.$/<>@-]+)\((?<file>[^:()]+)(?::(?<line>\d+))?\)$", false),
        // JavaScript.
        traced(
            None,
            r"^\s+at (?:(?:async |new )?(?<name>[^\s()]+) (?:\[as \S+\] )?\()?(?<file>[^()]+?):(?<line>\d+):\d+\)?$",
            false,
        ),
        // Ruby.
        traced(
            None,
            r"^(?:\s+from )?(?<file>[^\s:]+):(?<line>\d+):in ['`](?:block in )?(?<name>[^']+)'",
            false,
        ),
    ]
});

/// The functions of the stack, the innermost first. Frames in the candidate's own file don't count, since its lines and
/// names change.
pub(super) fn frames(text: &str, candidate: &str) -> Vec<String> {
    let found = native(text);
    if !found.is_empty() {
        return found;
    }
    let stacks = TRACED.iter().map(|traced| traced.frames(text, candidate));
    stacks.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

impl Traced {
    fn frames(&self, text: &str, candidate: &str) -> Vec<String> {
        let mut found: Vec<(String, String)> = Vec::new();
        for line in text.lines() {
            if self.begins.as_ref().is_some_and(|begins| begins.is_match(line)) {
                found.clear();
            }
            let Some(frame) = self.frame.captures(line) else { continue };
            let part = |name| frame.name(name).map_or("", |part| part.as_str());
            let is_own = Path::new(part("file")).file_name().is_none_or(|it| it != candidate);
            if is_own {
                found.push((part("name").to_owned(), part("line").to_owned()));
            }
        }
        if self.is_reversed {
            found.reverse();
        }
        // How often a function calls itself depends on the input.
        found.dedup_by(|next, before| next.0 == before.0);
        let named = found.into_iter().take(FRAMES).enumerate();
        // The line of the innermost tells apart what fails in the same function.
        named
            .map(|(at, (name, line))| if at == 0 { format!("{name}:{line}") } else { name })
            .collect()
    }
}

/// The functions of the first stack of a sanitizer or debugger, or the place that a report without one names.
fn native(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut number = None;
    let mut place = None;
    for line in text.lines() {
        let Some(frame) = FRAME.captures(line) else {
            match UNDEFINED.captures(line) {
                _ if place.is_some() => return place.into_iter().collect(),
                Some(report) if number.is_none() => place = Some(report[1].to_owned()),
                _ => {}
            }
            continue;
        };
        place = None;
        let current: Option<u64> = frame[1].parse().ok();
        if number.is_some() && current <= number {
            // The allocation or release of memory has another stack.
            break;
        }
        number = current;
        let name = frame[2].trim_end_matches(['+', ',']);
        let is_own = !EVERYWHERE.is_match(name) && !LIBRARY.is_match(&frame[3]);
        // A function that calls itself counts once: the number of calls depends on the input.
        if is_own && found.last().is_none_or(|last| last != name) && found.len() < FRAMES {
            found.push(name.to_owned());
        }
    }
    found.extend(place);
    found
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is correct")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::batch) const REPORT: &str = "\
=================================================================
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55 bp 0x7f sp 0x7f
WRITE of size 10 at 0x602000000018 thread T0
    #0 0x7f0a in memcpy ../../../../src/libsanitizer/sanitizer_common/sanitizer_common_interceptors.inc:115
    #1 0x5581 in copy_key /src/target.c:16
    #2 0x5581 in copy_key /src/target.c:17
    #3 0x5582 in parse(char const*) /src/target.c:30
    #4 0x5583 in main /src/target.c:40
    #5 0x7f09 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58

0x602000000018 is located 0 bytes after 8-byte region
allocated by thread T0 here:
    #0 0x7f0b in malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69
    #1 0x5584 in make_table /src/target.c:11
";

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(frames(text, "in.txt"), expected, "{text}");
    }

    #[test]
    fn the_functions_of_the_first_stack_tell_crashes_apart() {
        check(REPORT, &["copy_key", "parse"]);
        check("no stack", &[]);
        let debugger = "#0  0x00007f in raise () from /lib/libc.so.6\n#1  0x0055 in free_all (x=3) at a.c:3\n#2  main () at a.c:9\n";
        check(debugger, &["free_all"]);
    }

    #[test]
    fn a_report_without_a_stack_names_its_place_and_the_stack_of_another_one_is_not_taken_for_it() {
        let report =
            "src/target.c:19:30: runtime error: index -53 out of bounds for type 'int [4]'\n";
        check(report, &["target.c:19"]);
        check(&format!("{report}==\n{REPORT}"), &["target.c:19"]);
        check(&format!("{report}    #0 0x1 in number target.c:19\n"), &["number"]);
    }

    #[test]
    fn interpreters_name_functions_and_the_line_of_the_innermost() {
        let python = "Traceback (most recent call last):\n  File \"/t/calc.py\", line 60, in <module>\n    \
                      run()\n  File \"/t/calc.py\", line 40, in eval\n    x\n  File \"/t/calc.py\", line 41, in \
                      eval\n    x\n  File \"/t/calc.py\", line 35, in name\n    return env[name]\nKeyError: 'x'\n";
        check(python, &["name:35", "eval", "<module>"]);
        let again = "\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most \
                     recent call last):\n  File \"/t/calc.py\", line 9, in fail\n    x\nValueError\n";
        check(&format!("{python}{again}"), &["fail:9"]);
        check(
            "Exception in thread \"main\" java.lang.Error: x\n\tat a.B.c(B.java:7)\n\tat a.B.main(B.java:9)\n",
            &["a.B.c:7", "a.B.main"],
        );
        check(
            "/t/x.js:3\nTypeError: x\n    at get (/t/x.js:3:5)\n    at new A (/t/x.js:9:1)\n    at /t/x.js:12:1\n",
            &["get:3", "A", ""],
        );
        check(
            "/t/x.rb:3:in 'Array#fetch': x (IndexError)\n\tfrom /t/x.rb:8:in `block in each'\n",
            &["Array#fetch:3", "each"],
        );
    }

    #[test]
    fn frames_of_the_candidate_do_not_count() {
        check(
            "Traceback (most recent call last):\n  File \"/tmp/1/in.txt\", line 3, in f\nKeyError: 1\n",
            &[],
        );
    }
}
