//! How inputs fail, which distinguishes those with the same bug from others.

use std::sync::LazyLock;

use lop::oracle::{Outcome, Signature};
use regex::Regex;
use serde::{Deserialize, Serialize};

/// The number of functions that distinguish crashes with the same message.
const FRAMES: usize = 3;

/// The most characters of a message that are shown.
const SHORT: usize = 48;

/// Functions on a stack that are the same in all crashes: those of sanitizers, of the C library and of the program's
/// startup.
static EVERYWHERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(__interceptor_|___?interceptor_|__asan_|__ubsan_|__msan_|__tsan_|__lsan_|__sanitizer_|__GI_|__libc_|__assert|__pthread_kill|_start$|main$|abort$|raise$|gsignal$|fuzzer::)",
    )
    .expect("the pattern is correct")
});

/// Code of sanitizers and of the C library.
static LIBRARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"libsanitizer|compiler-rt|/lib(asan|ubsan|msan|tsan|c)\.so")
        .expect("the pattern is correct")
});

/// A line of a stack, as sanitizers and debuggers print it.
static FRAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*#(\d+)\s+(?:0x[0-9a-fA-F]+\s+in\s+)?([^\s(]+)(.*)$")
        .expect("the pattern is correct")
});

/// A report of the sanitizer for undefined behaviour, which has a stack only on request.
static UNDEFINED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:.*/)?([^/\s]+:\d+):\d+: runtime error: ").expect("the pattern is correct")
});

/// How an input fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failing {
    /// The signature, in words.
    pub(super) signature: String,
    /// The functions in which it fails, the innermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) frames: Vec<String>,
    /// Whether the signature has a message. A signal or an exit code is the same for most bugs of a program.
    pub(super) is_telling: bool,
    /// A short description.
    pub(super) short: String,
}

impl Failing {
    /// How a test ended, if that is a failure.
    pub(super) fn of(outcome: &Outcome) -> Option<Self> {
        let signature = Signature::of(outcome)?;
        let frames = frames(&String::from_utf8_lossy(&outcome.stderr));
        let message = signature.message();
        let short = match message {
            Some(message) => shortened(message),
            None => signature.to_string(),
        };
        let is_telling = message.is_some();
        Some(Failing { signature: signature.to_string(), frames, is_telling, short })
    }

    /// A key that inputs with the same bug share, as far as can be recognised.
    pub(super) fn key(&self) -> Option<(String, Vec<String>)> {
        static NUMBER: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"-?\b\d+\b").expect("the pattern is correct"));
        // An index or a size belongs to one input.
        let signature = NUMBER.replace_all(&self.signature, "N").into_owned();
        self.is_telling.then(|| (signature, self.frames.clone()))
    }
}

/// The functions of the first stack that was printed, or the place that a report without one names.
fn frames(text: &str) -> Vec<String> {
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

/// A message without what surrounds the kind of a failure.
fn shortened(message: &str) -> String {
    static SANITIZER: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(\w+Sanitizer): (?:requested )?([\w-]+)").expect("the pattern is correct")
    });
    if let Some(found) = SANITIZER.captures(message) {
        return format!("{}: {}", &found[1], &found[2]);
    }
    let message = message.trim_start_matches("PATH: ");
    match message.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", message[..end].trim_end()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
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

    #[test]
    fn the_functions_of_the_first_stack_tell_crashes_apart() {
        assert_eq!(frames(REPORT), ["copy_key", "parse"]);
        assert_eq!(frames("no stack"), [""; 0]);
        let debugger = "#0  0x00007f in raise () from /lib/libc.so.6\n#1  0x0055 in free_all (x=3) at a.c:3\n#2  main () at a.c:9\n";
        assert_eq!(frames(debugger), ["free_all"]);
    }

    #[test]
    fn a_report_without_a_stack_names_its_place_and_the_stack_of_another_one_is_not_taken_for_it() {
        let report =
            "src/target.c:19:30: runtime error: index -53 out of bounds for type 'int [4]'\n";
        assert_eq!(frames(report), ["target.c:19"]);
        assert_eq!(frames(&format!("{report}==\n{REPORT}")), ["target.c:19"]);
        assert_eq!(frames(&format!("{report}    #0 0x1 in number target.c:19\n")), ["number"]);
    }

    #[test]
    fn numbers_of_one_input_do_not_tell_bugs_apart() {
        let key = |number: &str| {
            let mut outcome = Outcome::new(lop::Status::Exit(1), std::time::Duration::ZERO);
            outcome.stderr =
                format!("t.c:1:2: runtime error: index {number} out of bounds\n").into();
            Failing::of(&outcome).unwrap().key().unwrap()
        };
        assert_eq!(key("-53"), key("7"));
    }

    #[test]
    fn a_signal_alone_tells_nothing_and_a_message_does() {
        let mut outcome = Outcome::new(lop::Status::Signal(11), std::time::Duration::ZERO);
        assert_eq!(Failing::of(&outcome).unwrap().key(), None);
        outcome.stderr = REPORT.into();
        let failing = Failing::of(&outcome).unwrap();
        assert!(failing.key().is_some());
        assert_eq!(failing.short, "AddressSanitizer: heap-buffer-overflow");
        outcome = Outcome::new(lop::Status::Exit(0), std::time::Duration::ZERO);
        assert_eq!(Failing::of(&outcome), None);
    }
}
