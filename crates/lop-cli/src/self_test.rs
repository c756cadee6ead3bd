//! `lop self-test`: checks whether an installation works.

use std::fs;
use std::path::Path;
use std::process::Command;

use lop::tree::Format;

use crate::exit::{Code, Failure};
use crate::view::print;

/// An input, a shell command that accepts it, and the most characters that its result may have.
struct Trial {
    name: &'static str,
    file: &'static str,
    input: &'static str,
    command: &'static str,
    at_most: usize,
}

const TRIALS: [Trial; 3] = [
    Trial {
        name: "a text",
        file: "log.txt",
        input: "one\ntwo\nthe needle is here\nfour\n",
        command: "grep -q needle {}",
        at_most: 6,
    },
    Trial {
        name: "a JSON file",
        file: "data.json",
        input: "{\"a\": [1, 2, {\"b\": [3, 4]}], \"c\": \"x\"}",
        command: "grep -q 4 {} && grep -q '^{.*}$' {}",
        at_most: 3,
    },
    Trial {
        name: "a C program",
        file: "prog.c",
        input: "int f(int x) { return x; }\nint main(void) { int y = 1; return f(y) + 2; }\n",
        command: "grep -q 'f(' {} && grep -q main {}",
        at_most: 6,
    },
];

/// Runs this program on a few inputs, and reports the results.
pub(crate) fn run() -> Result<Code, Failure> {
    let broken = |why: String| {
        let help = "install lop again; if that does not help, report it with this output";
        Failure::new(Code::Test, format!("this installation does not work: {why}")).help(help)
    };
    let lop = std::env::current_exe().map_err(|error| broken(error.to_string()))?;
    let directory = tempfile::tempdir().map_err(|error| broken(error.to_string()))?;
    for trial in &TRIALS {
        let left = reduced(&lop, directory.path(), trial)
            .map_err(|why| broken(format!("{}: {why}", trial.name)))?;
        let squeezed: String = left.split_whitespace().collect();
        if squeezed.len() > trial.at_most {
            return Err(broken(format!("{}: `{squeezed}` is left", trial.name)));
        }
        let format = Format::guess(Path::new(trial.file), trial.input.as_bytes());
        print(&format!("ok: {}, as {}", trial.name, format.name()));
    }
    print("this installation works");
    Ok(Code::Done)
}

/// The result of lop for the input of a trial.
fn reduced(lop: &Path, directory: &Path, trial: &Trial) -> Result<String, String> {
    let text = |error: std::io::Error| error.to_string();
    fs::write(directory.join(trial.file), trial.input).map_err(text)?;
    let run = Command::new(lop)
        .args(["--quiet", "--exit", "0", "-o", "left", "--force", trial.file, "--", trial.command])
        .current_dir(directory)
        .output()
        .map_err(text)?;
    if !run.status.success() {
        let said = String::from_utf8_lossy(&run.stderr).trim().to_owned();
        return Err(format!("lop ended with {}: {said}", run.status));
    }
    fs::read_to_string(directory.join("left")).map_err(text)
}
