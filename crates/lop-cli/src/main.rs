//! The command `lop`: options, messages, live view. The library does all the work.

mod also;
mod args;
mod command;
mod compare;
mod corpus;
mod exit;
mod format;
mod formatter;
mod generate;
mod glob;
mod input;
mod listing;
mod oracle;
mod plan;
mod plot;
mod question;
mod resume;
mod run;
mod signals;
mod tree;
mod view;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Subcommand};

fn main() -> ExitCode {
    let args = Args::parse();
    let json = match &args.subcommand {
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
        Some(Subcommand::Tree(args)) => tree::show(args),
        Some(Subcommand::Compare(args)) => compare::compare(args),
        Some(Subcommand::Gen(args)) => generate::generate(args),
        Some(Subcommand::Tmin(args)) => generate::tmin(args),
        None => resume::recall(args).and_then(run::run),
    };
    match result {
        Ok(code) => code.into(),
        Err(failure) => {
            view::tell_failure(&failure, json);
            failure.code().into()
        }
    }
}
