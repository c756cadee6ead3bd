//! Messages that say why a command failed: those of compilers, linters, solvers, interpreters, databases, build tools.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexSet};

use super::mask::{masked, without_names};
use crate::oracle::property::Outcome;

/// What a message reports, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The program itself broke down. The message is in the program's own words, so names in it count.
    Crash,
    /// An exception that nothing caught.
    Exception,
    /// An error in the input.
    Error,
    /// A finding of a checker, or an error that isn't called one.
    Finding,
    /// A warning, for commands that fail because of it.
    Warning,
    /// Not a reason by itself: a summary, a remark, a line of the input.
    Remark,
}

impl Kind {
    /// Whether a command failed even if it exits with 0.
    pub(super) fn is_crash(self) -> bool {
        matches!(self, Kind::Crash | Kind::Exception)
    }
}

/// A message, masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// How lines with messages are recognised; the first pattern that matches decides. The message of a crash is the whole
/// line; any other is the first group of the pattern, or the line from the match on.
const PATTERNS: &[(Kind, Extent, &str)] = {
    use Extent::{Line, TwoLines};
    use Kind::{Crash, Error, Exception, Finding, Remark, Warning};
    &[
        // Lines of the input, which compilers show with a bar; remarks; summaries.
        (Remark, Line, r"^\d* *\|"),
        (Remark, Line, r"(?i)^(.*[:\]] )?(note|help|info|remark|hint): "),
        (
            Remark,
            Line,
            r"error: (aborting due to|could not compile|ld returned|linker command failed|too many errors)",
        ),
        // Sanitizers, valgrind.
        (Crash, Line, r"ERROR: \w*Sanitizer|WARNING: \w*Sanitizer|^SUMMARY: \w*Sanitizer"),
        (Crash, Line, r"runtime error: "),
        (Crash, Line, r"==\d+== (Invalid|Conditional jump|Process terminating)"),
        // Internal compiler errors.
        (Crash, Line, r"(?i)internal (compiler )?error"),
        (Crash, Line, r"LLVM ERROR|UNREACHABLE executed|PLEASE (submit|ATTACH)"),
        // Assertions.
        (Crash, Line, r"(?i)\bassert(ion)?\b.*\bfail"),
        (Crash, Line, r"\bAssertionError\b|Debug check failed|Check failed"),
        // Panics. Where the line only names a place, the message is on the next line.
        (Crash, TwoLines, r"panicked at"),
        (Crash, Line, r"^panic: |^fatal error: "),
        (Crash, TwoLines, r"terminate called"),
        // Messages of shells and runtimes about a child that died.
        (Crash, Line, r"Segmentation fault|Aborted|Bus error|Illegal instruction"),
        (Crash, Line, r"(?i)stack overflow|stack smashing|double free|corrupted "),
        // Exceptions: Java, JavaScript, PHP, OCaml; Python and others; Ruby.
        (Exception, Line, r"^Exception in thread|^Uncaught |^(?:PHP )?Fatal error"),
        (Exception, Line, r"^[\w.]*(?:Error|Exception)\b(?:: |$)"),
        (Exception, Line, r"^\S+:\d+:in .*?: (.*\([\w:]*(?:Error|Exception)\))$"),
        // Solvers.
        (Error, Line, r#"\(error "([^"]*)"#),
        // Databases.
        (Error, Line, r"ERROR \d+ \(\w+\)|(?i)\b(?:parse|runtime) error near line"),
        // git and others.
        (Error, Line, r"^fatal: "),
        // Linkers.
        (Error, Line, r"\b(?:undefined (?:reference|symbol)|multiple definition|cannot find -l)"),
        // Compilers, and all tools that follow their convention. If nothing follows the word, the message is on the
        // next line.
        (Error, TwoLines, r"^CMake Error"),
        (Error, TwoLines, r"(?i)\w*error\s*:\s*(?:\[[\w-]+\]\s*)?$"),
        (
            Error,
            Line,
            r"(?i)(?:(?:fatal|syntax|parse|parser|type) )?\w*error(?:\[[\w:-]+\]| [a-z]+\d+| \([^)]*\))?\s*:",
        ),
        (Error, Line, r"(?i)\bsyntax error\b"),
        // Linters with formats of their own.
        (Error, Line, r"\bSC\d{4} \(error\):"),
        (Finding, Line, r"\bSC\d{4} \("),
        (Finding, Line, r"^\d+:\d+\s+error\s+(.*)"),
        (Warning, Line, r"^\d+:\d+\s+warning\s+(.*)"),
        (Warning, Line, r"(?i)\bwarning:"),
        // Build tools, TeX.
        (Finding, Line, r"\*\*\* |^npm (?:ERR!|error) |^! "),
        // A place in a file and a message: Go, flake8, protoc, Lua; shells, awk; Perl.
        (Finding, Line, r"^(?:\S+: )?[^\s:]+:\d+(?::\d+)?: +(.+)"),
        (Finding, Line, r"^(?:\S+: )?[^\s:]+: (?:line )?\d+: +(.+)"),
        // sed.
        (Finding, Line, r"^\S+: (?:file \S+ line|-e expression #\d+, char) \d+: +(.+)"),
        (Finding, Line, r"^(.+) at \S+ line \d+"),
    ]
};

/// How Python announces the frames of an exception.
const TRACEBACK: &[u8] = b"Traceback (most recent call last):";

/// How many lines a message takes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Extent {
    Line,
    TwoLines,
}

/// All messages of an outcome, those on standard error first.
pub(super) fn messages(outcome: &Outcome) -> Vec<Message> {
    static ALL: LazyLock<RegexSet> = LazyLock::new(|| {
        let patterns = PATTERNS.iter().map(|(_, _, pattern)| *pattern);
        RegexSet::new(patterns).expect("the patterns of this table are correct")
    });
    let mut found = Vec::new();
    for output in [&outcome.stderr, &outcome.stdout] {
        let mut lines = output.split(|byte| *byte == b'\n').peekable();
        let mut is_traced = false;
        while let Some(raw) = lines.next() {
            let line = without_colours(raw.trim_ascii());
            // Python's frames show lines of the program; the exception comes after them, whatever its name.
            if line.starts_with(TRACEBACK) {
                is_traced = true;
                continue;
            }
            if is_traced && (line.is_empty() || raw.starts_with(b" ")) {
                continue;
            }
            let is_exception = std::mem::take(&mut is_traced);
            let index = ALL.matches(&line).iter().next();
            let known = index.map(|index| (PATTERNS[index], said(&line, index)));
            let ((kind, extent, _), said) = match known {
                Some(known) if known.0.0.is_crash() || !is_exception => known,
                _ if is_exception => ((Kind::Exception, Extent::Line, ""), &line[..]),
                _ => continue,
            };
            let next = lines.peek().map(|next| next.trim_ascii());
            let next = next.filter(|next| extent == Extent::TwoLines && !next.is_empty());
            let text = match (said, next) {
                (said, Some(next)) => [said, &without_colours(next)].join(&b' '),
                (said, None) => said.to_vec(),
            };
            let text = String::from_utf8_lossy(&text);
            let text = match kind {
                Kind::Remark => continue,
                Kind::Crash => masked(&text),
                _ => without_names(&text),
            };
            found.push(Message { kind, text });
        }
    }
    found
}

/// Whether the output reports a syntax error. Many such messages quote the wrong line, and so whatever a pattern looks
/// for.
pub(in crate::oracle) fn has_syntax_error(outcome: &Outcome) -> bool {
    static SYNTAX: LazyLock<Regex> =
        LazyLock::new(|| compiled(r"(?i)\bsyntax ?error\b|\bparse error\b"));
    SYNTAX.is_match(&outcome.stderr) || SYNTAX.is_match(&outcome.stdout)
}

/// The message of a line that matches a pattern.
fn said(line: &[u8], index: usize) -> &[u8] {
    static EACH: LazyLock<Vec<Regex>> =
        LazyLock::new(|| PATTERNS.iter().map(|(_, _, pattern)| compiled(pattern)).collect());
    if PATTERNS[index].0 == Kind::Crash {
        return line;
    }
    let Some(found) = EACH[index].captures(line) else { return line };
    match (found.get(1), found.get(0)) {
        (Some(group), _) => group.as_bytes(),
        (None, Some(whole)) => &line[whole.start()..],
        (None, None) => line,
    }
}

/// A line as a terminal without colours shows it.
fn without_colours(line: &[u8]) -> Cow<'_, [u8]> {
    static COLOUR: LazyLock<Regex> = LazyLock::new(|| compiled(r"\x1b\[[0-9;]*[mK]"));
    COLOUR.replace_all(line, b"")
}

fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of this table are correct")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::process::Status;

    /// Checks which messages of an output are kept.
    fn check(output: &str, expected: &[&str]) {
        let failed = Outcome::new(Status::Exit(1), Duration::ZERO);
        let outcome = Outcome { stderr: output.into(), ..failed };
        let texts: Vec<String> = messages(&outcome).into_iter().map(|it| it.text).collect();
        assert_eq!(texts, expected, "{output}");
    }

    #[test]
    fn compilers_and_linkers_report_errors() {
        check(
            "e.c: In function ‘f’:\ne.c:2:30: error: ‘struct p’ has no member named ‘y’\n    2 | \
             error: q->y; }\n      |    ^~\n",
            &["error: ‘…’ has no member named ‘…’"],
        );
        check(
            "/elsewhere/e.c:2:32: error: no member named 'y' in 'struct p'\n1 error generated.\n",
            &["error: no member named '…' in '…'"],
        );
        check(
            "e.c:1:10: fatal error: no.h: No such file or directory\ncompilation terminated.\n",
            &["fatal error: no.h: No such file or directory"],
        );
        check(
            "w.c:1:37: error: unused variable ‘x’ [-Werror=unused-variable]\n",
            &["error: unused variable ‘…’ [-Werror=unused-variable]"],
        );
        check(
            "\x1b[1m\x1b[31merror[E0382]\x1b[0m: borrow of moved value: `v`\n --> b.rs:4:19\n\nerror: \
             aborting due to 1 previous error\n",
            &["error[E0382]: borrow of moved value: `…`"],
        );
        check("# command-line-arguments\n./g.go:3:35: undefined: y\n", &["undefined: …"]);
        check("vet: ./g.go:3:35: undeclared name: y\n", &["undeclared name: …"]);
        check(
            "A.java:1: error: cannot find symbol\n  symbol:   method foo()\n",
            &["error: cannot find symbol"],
        );
        check(
            "x.ts(1,5): error TS2322: Type 'string' is not assignable to type 'number'.\n",
            &["error TS2322: Type '…' is not assignable to type '…'."],
        );
        check(
            "x.cs(3,9): error CS1002: ; expected [/src/x.csproj]\n",
            &["error CS1002: ; expected [PATH]"],
        );
        check(
            "x.cpp(3): error C2065: 'foo': undeclared identifier\n",
            &["error C2065: '…': undeclared identifier"],
        );
        check(
            "x.hs:3:5: error: [GHC-88464]\n    Variable not in scope: foo\n  |\n",
            &["error: [GHC-88464] Variable not in scope: …"],
        );
        check(
            "/usr/bin/ld: /tmp/cc9.o: in function `main':\nu.c:(.text+0xa): undefined reference to \
             `foo'\ncollect2: error: ld returned 1 exit status\n",
            &["undefined reference to `…'"],
        );
        check("ld.lld: error: undefined symbol: foo\n", &["undefined symbol: …"]);
    }

    #[test]
    fn interpreters_end_with_exceptions_and_errors() {
        check(
            "Traceback (most recent call last):\n  File \"/tmp/y.py\", line 2, in <module>\n    \
             f(3)\nAttributeError: 'int' object has no attribute 'foo'\n",
            &["AttributeError: '…' object has no attribute '…'"],
        );
        check(
            "/tmp/n.js:1\nf(a.b.c)\n     ^\n\nTypeError: Cannot read properties of undefined (reading \
             'c')\n    at f (/tmp/n.js:1:28)\n",
            &["TypeError: Cannot read properties of undefined (reading '…')"],
        );
        check(
            "x.rb:3:in 'Foo::Bar#go': undefined local variable or method 'x' for main (NameError)\n",
            &["undefined local variable or method '…' for main (NameError)"],
        );
        check(
            "PHP Fatal error:  Uncaught Error: Call to undefined function foo() in /t/x.php:3\n",
            &["PHP Fatal error:  Uncaught Error: Call to undefined function …() in PATH"],
        );
        check(
            "Global symbol \"$y\" requires explicit package name (did you forget to declare \"my \
             $y\"?) at l.pl line 4.\n",
            &["Global symbol \"…\" requires explicit package name"],
        );
        check(
            "lua: x.lua:3: attempt to call a nil value (global 'foo')\n",
            &["attempt to call a nil value (global '…')"],
        );
        check("h.sh: line 1: foo_bar: command not found\n", &["…: command not found"]);
        check("h.sh: 12: foo_bar: not found\n", &["…: not found"]);
        check("awk: /t/a.awk: line 3: illegal reference to f\n", &["illegal reference to f"]);
        check("sed: file /t/e.sed line 4: unknown option to `s'\n", &["unknown option to `…'"]);
        check("sed: -e expression #1, char 5: extra characters\n", &["extra characters"]);
        check(
            "h.sh: line 4: syntax error near unexpected token `}'\n",
            &["syntax error near unexpected token `}'"],
        );
    }

    #[test]
    fn what_is_behind_the_frames_of_python_is_an_exception_whatever_its_name() {
        let traced = |said: &str| {
            "Traceback (most recent call last):\n  File \"x.py\", line 9, in <module>\n    raise \
             AssertionError(\"lost %s\" % name)\n"
                .to_owned()
                + said
        };
        for said in ["StopIteration", "queue.Empty", "MyErr: no more", "Warning: x"] {
            check(&traced(said), &[said]);
        }
        check(&traced("AssertionError: lost cause\n"), &["AssertionError: lost cause"]);
        check("fatal: bad node\n", &["fatal: bad node"]);
    }

    #[test]
    fn solvers_databases_linters_and_build_tools_have_words_of_their_own() {
        check(
            "(error \"line 86 column 10: model is not available\")\n",
            &["line N column N: model is not available"],
        );
        check(
            "(error \"Parse Error: q.smt2:3.10: Symbol 'x' is not declared.\n",
            &["Parse Error: PATH: Symbol '…' is not declared."],
        );
        check(
            "Parse error near line 3: no such table: u\n  select\n  ^--- error here\n",
            &["Parse error near line N: no such table: …"],
        );
        check(
            "psql:x.sql:3: ERROR:  relation \"foo\" does not exist\n",
            &["ERROR:  relation \"…\" does not exist"],
        );
        check(
            "ERROR 1054 (42S22) at line 1: Unknown column 'x' in 'field list'\n",
            &["ERROR N (42S22) at line N: Unknown column '…' in '…'"],
        );
        check(
            "         ^--^ SC2045 (error): Iterating over ls output is fragile.\n",
            &["SC2045 (error): Iterating over ls output is fragile."],
        );
        check("x.py:3:1: F401 'os.path' imported but unused\n", &["F401 '…' imported but unused"]);
        check(
            "x.py:3:4: E1101: Instance of 'A' has no 'b' member (no-member)\n",
            &["E1101: Instance of '…' has no '…' member (no-member)"],
        );
        check(
            "x.py:3: error: \"A\" has no attribute \"b\"  [attr-defined]\n",
            &["error: \"…\" has no attribute \"…\"  [attr-defined]"],
        );
        check(
            "  12:5  error  'x' is never used  no-unused-vars\n",
            &["'…' is never used  no-unused-vars"],
        );
        check("Makefile:2: *** missing separator.  Stop.\n", &["*** missing separator.  Stop."]);
        check(
            "CMake Error at CMakeLists.txt:3 (foo):\n  Unknown CMake command \"foo\".\n",
            &["CMake Error at PATH (foo): Unknown CMake command \"…\"."],
        );
        check("p.proto:2:13: \"Foo\" is not defined.\n", &["\"…\" is not defined."]);
    }

    #[test]
    fn what_only_looks_like_a_message_is_none() {
        check(
            "all is well\n3 errors generated.\nno error\nx.c:3:1: note: declared here\nfoo: bar\n",
            &[],
        );
    }
}
