//! `lop man`: the manual pages and the reference of the book, from the same definitions as `--help`.

mod markdown;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::args::Args;
use crate::exit::{Code, Failure};
use crate::helpers;

/// Writes the manual pages, or the reference of the book, to a directory.
pub(crate) fn write(directory: &Path, as_markdown: bool) -> Result<Code, Failure> {
    helpers::written(directory, if as_markdown { markdown::pages } else { pages })
}

fn pages(directory: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(directory)?;
    let mut command = Args::command();
    command.build();
    let page = |command: clap::Command, name: String| {
        let path = directory.join(format!("{name}.1"));
        let mut text = Vec::new();
        clap_mangen::Man::new(command.display_name(&name)).render(&mut text)?;
        fs::write(&path, text)?;
        Ok(path)
    };
    let subcommands = command.get_subcommands().filter(|it| it.get_name() != "help").cloned();
    let subcommands: Vec<clap::Command> = subcommands.collect();
    let own = std::iter::once(page(command, "lop".to_owned()));
    let others = subcommands.into_iter().map(|it| {
        let name = format!("lop-{}", it.get_name());
        page(it, name)
    });
    own.chain(others).collect()
}
