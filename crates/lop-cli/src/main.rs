//! The command `lop`: options, messages, live view. The library does all the work.

mod also;
mod args;
mod batch;
mod by_hand;
mod command;
mod compare;
mod config;
mod corpus;
mod doctor;
mod edits;
mod executor;
mod exit;
mod format;
mod formatter;
mod generate;
mod glob;
mod grammar;
mod helpers;
mod history;
mod init;
mod input;
mod launcher;
mod learn;
mod listing;
mod manual;
mod mark;
mod model;
mod neighbours;
mod oracle;
mod paths;
mod places;
mod plan;
mod plot;
mod question;
mod reading;
#[cfg(feature = "remote")]
mod remote;
mod report;
mod resume;
mod run;
mod sandbox;
mod self_test;
mod signals;
mod target;
mod template;
mod tree;
mod unsuited;
mod view;
mod watched;
mod with;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use crate::args::{Args, Subcommand};

fn main() -> ExitCode {
    if let Some(failure) = sandbox::serve() {
        view::tell_failure(&failure, false);
        return failure.code().into();
    }
    let args = match (Args::try_parse(), misspelt()) {
        (Ok(args), None) => args,
        (Err(error), None) => {
            if !is_mistake(&error) {
                error.exit();
            }
            let failure = unknown(&error).unwrap_or_else(|| mistake(&error));
            view::tell_failure(&failure, false);
            return failure.code().into();
        }
        (Err(error), Some(_)) if !error.use_stderr() => error.exit(),
        (_, Some(failure)) => {
            view::tell_failure(&failure, false);
            return failure.code().into();
        }
    };
    let json = match &args.subcommand {
        Some(Subcommand::Batch(args)) => args.json,
        Some(Subcommand::Compare(args)) => args.show.json,
        Some(Subcommand::Gen(args)) => args.show.json,
        Some(Subcommand::Tmin(args)) => args.show.json,
        _ => args.show.json,
    };
    let result = match &args.subcommand {
        Some(Subcommand::Strategies) => {
            view::print_strategies();
            Ok(exit::Code::Done)
        }
        Some(Subcommand::Languages) => {
            format::print_languages();
            Ok(exit::Code::Done)
        }
        Some(Subcommand::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "lop", &mut script);
            view::print(String::from_utf8_lossy(&script).trim_end());
            Ok(exit::Code::Done)
        }
        Some(Subcommand::Tree(args)) => tree::show(args),
        Some(Subcommand::Batch(args)) => batch::batch(args),
        Some(Subcommand::Compare(args)) => compare::compare(args),
        Some(Subcommand::Gen(args)) => generate::generate(args),
        Some(Subcommand::Helpers { directory }) => helpers::write(directory),
        Some(Subcommand::Man { directory, markdown }) => manual::write(directory, *markdown),
        Some(Subcommand::SelfTest) => self_test::run(),
        Some(Subcommand::Sandbox(args)) => sandbox::run(args),
        Some(Subcommand::Grammar(command)) => grammar::run(command),
        Some(Subcommand::Learn(args)) => learn::learn(args),
        Some(Subcommand::Model(args)) => model::show(args),
        Some(Subcommand::Tmin(args)) => generate::tmin(args),
        Some(Subcommand::Init(args)) => init::init(args),
        Some(Subcommand::Doctor(args)) => doctor::examine(args),
        Some(Subcommand::History(args)) => history::show(args),
        None => misplaced(&args.question.paths)
            .map_or(Ok(args), Err)
            .and_then(resume::recall)
            .and_then(|(args, words)| config::applied(args, &words))
            .and_then(run::run),
    };
    match result {
        Ok(code) => code.into(),
        Err(failure) => {
            view::tell_failure(&failure, json);
            failure.code().into()
        }
    }
}

/// Whether the command line is wrong; a request for help isn't a mistake.
fn is_mistake(error: &clap::Error) -> bool {
    error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// The failure for a wrong command line: clap's message, without the usage of all commands.
fn mistake(error: &clap::Error) -> exit::Failure {
    let text = error.to_string();
    let line = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = text.split("\n\n").map(line);
    let message = paragraphs.next().unwrap_or_default();
    let tips = paragraphs.filter_map(|it| Some(it.strip_prefix("tip: ")?.to_owned()));
    let help = tips.chain([format!("{} lists all options", help_command())]);
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    exit::Failure::new(exit::Code::Usage, message).help(help.collect::<Vec<_>>().join("; "))
}

/// The command that prints the help of the subcommand, if there is one, or of lop.
fn help_command() -> String {
    let name = std::env::args().nth(1).unwrap_or_default();
    let subcommand = Args::command().find_subcommand(&name).is_some();
    if subcommand { format!("lop {name} --help") } else { "lop --help".into() }
}

/// The failure for an option that does not exist.
fn unknown(error: &clap::Error) -> Option<exit::Failure> {
    let text = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let option = text(ContextKind::InvalidArg)
        .filter(|_| error.kind() == ErrorKind::UnknownArgument)
        .filter(|option| option.starts_with('-'))?;
    let help = match text(ContextKind::SuggestedArg) {
        _ if option.starts_with("--remote") && !cfg!(feature = "remote") => {
            "it is not in this build of lop: build lop with `--features full`".to_owned()
        }
        Some(meant) => format!("did you mean `{meant}`? {} lists all options", help_command()),
        None => format!("{} lists all options; what follows -- is a command", help_command()),
    };
    let message = format!("there is no option `{option}`");
    Some(exit::Failure::new(exit::Code::Usage, message).help(help))
}

/// The failure for a subcommand after options.
fn misplaced(words: &[PathBuf]) -> Option<exit::Failure> {
    let word = words.first()?;
    let is_other = word.exists() || command::on_path(word.as_os_str()).is_some();
    let name = word.to_str().filter(|_| !is_other)?;
    Args::command().find_subcommand(name)?;
    let message = format!("the subcommand `{name}` is not the first word");
    let help = format!("write it before all options: lop {name} …");
    Some(exit::Failure::new(exit::Code::Usage, message).help(help))
}

/// The failure for a first word that is neither a file nor a program, but almost a subcommand.
fn misspelt() -> Option<exit::Failure> {
    let word = std::env::args_os().nth(1)?;
    if word.as_encoded_bytes().starts_with(b"-")
        || Path::new(&word).exists()
        || command::on_path(&word).is_some()
    {
        return None;
    }
    let command = Args::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let meant = lop::similar(word.to_str()?, names).filter(|name| **name != word)?;
    let message = format!("there is no subcommand, test or file `{}`", word.display());
    let help = format!("did you mean `lop {meant}`? lop help {meant} explains it");
    Some(exit::Failure::new(exit::Code::Usage, message).help(help))
}
