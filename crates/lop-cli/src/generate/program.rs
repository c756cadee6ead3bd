//! Turns the words after `--generator` into a program that can be run.

use std::ffi::OsString;
use std::path::Path;

use lop::generator::{Error, Program};

use crate::command;
use crate::exit::{Code, Failure};

/// The program, run by a shell if it is more than some words.
pub(super) fn program(text: &str) -> Result<Program, Failure> {
    let is_plain = |sign: char| sign.is_alphanumeric() || " -_./=:,+@%".contains(sign);
    let words: Vec<OsString> = match text.replace("{}", "").chars().all(is_plain) {
        true => text.split_whitespace().map(Into::into).collect(),
        false if text.contains(' ') => return Ok(Program::Script(text.to_owned())),
        false => vec![text.into()],
    };
    let Some(name) = words.first() else {
        return Err(Failure::new(Code::Usage, "the generator has no name")
            .help("say --generator 'COMMAND'"));
    };
    // No word is an input: that is made from choices.
    command::from_words(&words, Path::new("")).map(Program::Command).map_err(|_| {
        let message = format!("the generator `{}` is neither here nor on the PATH", name.display());
        Failure::new(Code::Test, message)
            .help("check its name; it is run without a shell unless it needs one")
    })
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let failure = Failure::new(Code::Test, error.to_string());
        failure.help(error.help().unwrap_or("run the generator by hand to see what it does"))
    }
}
