//! The script that runs a test on a worker, and its output.
//!
//! Workers may invent exit codes, so the script always exits with 0. It prints a line before the output of the test and
//! a sentinel after it; any text that the worker adds before that isn't part of the output.

use std::path::Path;

use lop::Status;
use lop::oracle::execute::OUTPUT;

/// Replaces the action's directory in the words of a test: no other path begins like this, and shells do not change it.
pub(crate) const MARK: &str = "/@lop-root@";

const SCRIPT: &str = include_str!("wrapper.sh");
const VERSION: &str = "lop-remote 1 ";
const OUTPUT_LINE: &str = "lop-remote 1 output\n";

/// The test that the script runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    /// The program and its arguments, with [`MARK`] for the directory.
    pub(crate) words: Vec<Vec<u8>>,
    /// Variables that are set, likewise.
    pub(crate) variables: Vec<(String, Vec<u8>)>,
    /// Programs that the test needs.
    pub(crate) needs: Vec<Vec<u8>>,
    /// The file that is standard input.
    pub(crate) input: Vec<u8>,
    /// The candidate's name if it is a single file, which a test may change.
    pub(crate) changes: Option<Vec<u8>>,
    /// Whether a shell reads one of the words.
    pub(crate) has_script: bool,
}

impl Run {
    /// The script.
    pub(crate) fn script(&self) -> Vec<u8> {
        let mut checks = Vec::new();
        if self.has_script {
            checks.extend(
                b"case $root in\n*[!A-Za-z0-9_./=:,+@%-]*) say \"broken its directory $root has a name that needs quotes\" ;;\nesac\n",
            );
        }
        if let Some(name) = &self.changes {
            // Workers may share one read-only copy of a file between actions.
            let name = quoted(&[b"./", &name[..]].concat());
            let lines: [&[u8]; 5] = [
                b"[ -w ",
                &name,
                b" ] || {\n    cp ",
                &name,
                b" \"$own/copy\" && chmod u+w \"$own/copy\" && mv -f \"$own/copy\" ",
            ];
            checks.extend(lines.concat());
            checks.extend(&name);
            checks.extend(b"\n}\n");
        }
        let variables = self.variables.iter().flat_map(|(name, value)| {
            let value = quoted(value);
            [
                b"fill ",
                &value[..],
                b"\n",
                name.as_bytes(),
                b"=$filled\nexport ",
                name.as_bytes(),
                b"\n",
            ]
            .concat()
        });
        let list = |words: &[Vec<u8>]| {
            words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(&b' ')
        };
        let most = (OUTPUT + 1).to_string().into_bytes();
        let parts: [(&str, Vec<u8>); 7] = [
            ("@MARK@", MARK.into()),
            ("@NEEDS@", list(&self.needs)),
            ("@CHECKS@", checks),
            ("@VARIABLES@", variables.collect()),
            ("@WORDS@", list(&self.words)),
            ("@INPUT@", quoted(&self.input)),
            ("@MOST@", most),
        ];
        let mut script = Vec::new();
        let mut rest = SCRIPT;
        // Replaced in one pass, since the words of a test may look like other placeholders.
        while let Some((at, name, part)) = parts
            .iter()
            .filter_map(|(name, part)| rest.find(name).map(|at| (at, name, part)))
            .min_by_key(|(at, ..)| *at)
        {
            script.extend(&rest.as_bytes()[..at]);
            script.extend(part);
            rest = &rest[at + name.len()..];
        }
        script.extend(rest.as_bytes());
        script
    }
}

/// A word that a shell does not change, whatever its bytes are.
pub(crate) fn quoted(word: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for byte in word {
        match byte {
            b'\'' => quoted.extend(br"'\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

/// A path in the action's directory.
pub(crate) fn rooted(path: &Path) -> std::path::PathBuf {
    Path::new(MARK).join(path)
}

/// The script's report.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// The test ended.
    Ended(Status),
    /// The worker lacks a program.
    Absent(String),
    /// The worker cannot run the test for another reason.
    Broken(String),
}

/// The script's report at the end of its output; `None` if it did not reach its end.
pub(crate) fn said(stdout: &[u8]) -> Option<Said> {
    let line = stdout.strip_suffix(b"\n")?;
    let start = line.iter().rposition(|byte| *byte == b'\n')? + 1;
    let words = line[start..].strip_prefix(VERSION.as_bytes())?;
    let words = String::from_utf8_lossy(words).into_owned();
    let (kind, rest) = words.split_once(' ')?;
    match kind {
        "exit" => rest.parse().ok().map(|code| Said::Ended(Status::Exit(code))),
        "signal" => rest.parse().ok().map(|signal| Said::Ended(Status::Signal(signal))),
        "absent" => Some(Said::Absent(rest.into())),
        "broken" => Some(Said::Broken(rest.into())),
        _ => None,
    }
}

/// The test's own output in that of the action, and whether it was cut.
pub(crate) fn output(mut stream: Vec<u8>, is_stdout: bool) -> (Vec<u8>, bool) {
    if is_stdout && let Some(line) = stream.strip_suffix(b"\n") {
        let end = line.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
        stream.truncate(end);
    }
    let line = OUTPUT_LINE.as_bytes();
    if let Some(at) = stream.windows(line.len()).position(|window| window == line) {
        stream.drain(..at + line.len());
    }
    let is_cut = stream.len() as u64 > OUTPUT;
    stream.truncate(OUTPUT as usize);
    (stream, is_cut)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Output};

    use super::*;

    /// Runs a script as a worker does.
    fn run(shell: &str, run: &Run, wants: &str) -> (Output, tempfile::TempDir) {
        let place = tempfile::tempdir().unwrap();
        for directory in ["lop", "here", "tmp"] {
            std::fs::create_dir(place.path().join(directory)).unwrap();
        }
        std::fs::write(place.path().join("here/it's"), "content").unwrap();
        std::fs::write(place.path().join("lop/run"), run.script()).unwrap();
        let mut command = Command::new(shell);
        command.args(["lop/run", wants, "4096"]).current_dir(place.path());
        (command.output().unwrap(), place)
    }

    fn test(script: &str) -> Run {
        let words = ["/bin/sh", "-c", script, "sh", "/@lop-root@/here/it's"];
        Run {
            words: words.map(|word| word.as_bytes().to_vec()).into(),
            variables: vec![("WHERE".into(), b"/@lop-root@/x:/@lop-root@/y".to_vec())],
            needs: vec![b"/bin/sh".to_vec(), b"cat".to_vec()],
            input: b"/@lop-root@/here/it's".to_vec(),
            changes: Some(b"it's".to_vec()),
            has_script: false,
        }
    }

    fn status(script: &str) -> Vec<Said> {
        let shells = ["/bin/sh", "/bin/bash"].into_iter().filter(|it| Path::new(it).exists());
        shells.map(|shell| said(&run(shell, &test(script), "output").0.stdout).unwrap()).collect()
    }

    fn all_are(said: Vec<Said>, expected: Status) {
        assert!(said.iter().all(|it| *it == Said::Ended(expected)), "{said:?} {expected}");
    }

    #[test]
    fn the_sentinel_says_how_the_test_ended() {
        all_are(status("exit 7"), Status::Exit(7));
        all_are(status("exit 139"), Status::Exit(139));
        all_are(status("kill -SEGV $$"), Status::Signal(11));
        all_are(status("kill -KILL $$"), Status::Signal(9));
        all_are(status("echo lop-remote 1 exit 0; exit 1"), Status::Exit(1));
        all_are(
            status("head -c 3000000 /dev/zero >big; exit $(($(wc -c <big) / 1048576))"),
            Status::Exit(2),
        );
    }

    #[test]
    fn the_test_gets_its_directory_its_input_and_its_variables() {
        let script = "cat; cat \"$1\" && [ \"$PWD/it's\" = \"$1\" ] && echo; ls -A . \"$TMPDIR\"; echo $WHERE >&2";
        let (output, place) = run("/bin/sh", &test(script), "output");
        let root = place.path().display();
        let stdout = format!("contentcontent\n.:\nit's\n\n{root}/tmp:\n");
        assert_eq!(super::output(output.stdout, true), (stdout.into_bytes(), false));
        let stderr = format!("{root}/x:{root}/y\n");
        assert_eq!(super::output(output.stderr, false), (stderr.into_bytes(), false));
    }

    #[test]
    fn output_that_is_not_wanted_is_not_kept() {
        let (output, _place) = run("/bin/sh", &test("echo x; echo y >&2; exit 3"), "silent");
        assert_eq!(said(&output.stdout), Some(Said::Ended(Status::Exit(3))));
        assert_eq!(super::output(output.stdout, true).0, b"");
        assert_eq!(super::output(output.stderr, false).0, b"");
    }

    #[test]
    fn what_the_worker_prints_before_is_not_part_of_the_output() {
        let stream = b"warning\nlop-remote 1 output\nhello\nlop-remote 1 exit 0\n".to_vec();
        assert_eq!(output(stream, true).0, b"hello");
        assert_eq!(output(b"warning\nlop-remote 1 output\noops\n".to_vec(), false).0, b"oops\n");
    }

    #[test]
    fn without_a_sentinel_nothing_is_said() {
        for text in [
            "",
            "exit 0\n",
            "\nlop-remote 1 exit 0",
            "x\nlop-remote 1 exit\n",
            "\nlop-remote 2 exit 0\n",
            "\nlop-remote 1 exit x\n",
        ] {
            assert_eq!(said(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn a_worker_that_lacks_a_program_or_cannot_write_says_so() {
        let lacking = Run { needs: vec![b"/no/such/program".to_vec()], ..test("exit 0") };
        let (output, _place) = run("/bin/sh", &lacking, "output");
        assert_eq!(said(&output.stdout), Some(Said::Absent("/no/such/program".into())));
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("lop")).unwrap();
        std::fs::write(place.path().join("lop/run"), test("exit 0").script()).unwrap();
        let mut command = Command::new("/bin/sh");
        let output = command.args(["lop/run", "output", "1"]).current_dir(&place).output().unwrap();
        let Some(Said::Broken(why)) = said(&output.stdout) else { panic!("{output:?}") };
        assert!(why.contains("cannot be written"), "{why}");
    }

    #[test]
    fn words_may_have_any_bytes() {
        let mut odd = test("printf %s \"$2\"");
        odd.words.push(b"\xff '\"$x\n@WORDS@".to_vec());
        let (output, _place) = run("/bin/sh", &odd, "output");
        assert_eq!(super::output(output.stdout, true).0, b"\xff '\"$x\n@WORDS@");
        assert!(OsStr::from_bytes(&quoted(b"a'b")).to_str() == Some(r"'a'\''b'"));
    }
}
