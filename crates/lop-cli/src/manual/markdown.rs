//! `lop man --markdown`: the reference of the book, one page for each command and each list of words.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::StyledStr;
use clap::{Arg, ArgAction, Command, CommandFactory};
use lop::strategy::DEFAULTS;
use lop::tree::{CONTAINERS, FORMATS};
use lop_languages::TABLE;

use crate::args::Args;
use crate::config;
use crate::exit::{CODES, EXAMPLES};
use crate::view::{Words, words};

/// The first line of each page.
const ORIGIN: &str =
    "<!-- Written by `lop man --markdown`: change the definitions in crates/ instead. -->\n";

/// Writes all pages to a directory, and returns their paths.
pub(super) fn pages(directory: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(directory)?;
    let mut root = Args::command();
    root.build();
    let mut pages = vec![("lop".to_owned(), main_page(&root))];
    for command in described(&root) {
        pages.push((format!("lop-{}", command.get_name()), page_of(command)));
    }
    pages.push(("words".to_owned(), words_page()));
    pages.push(("languages".to_owned(), languages_page()));
    pages.push(("lop-toml".to_owned(), keys_page(&root)));
    let write = |(name, text): (String, String)| {
        let path = directory.join(name + ".md");
        fs::write(&path, format!("{ORIGIN}{text}"))?;
        Ok(path)
    };
    pages.into_iter().map(write).collect()
}

/// The subcommands with a function of their own.
fn described(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|it| it.get_name() != "help" && !it.is_hide_set())
}

fn main_page(root: &Command) -> String {
    let mut text = page_of(root);
    text += "\n## Subcommands\n\n| command | |\n|---|---|\n";
    for command in described(root) {
        let about = command.get_about().map(plain).unwrap_or_default();
        let name = command.get_name();
        let _ = writeln!(text, "| [`lop {name}`](lop-{name}.md) | {} |", cell(&about));
    }
    let _ = write!(text, "\n## Examples\n\n```text\n");
    for line in EXAMPLES.lines().skip(1) {
        let _ = writeln!(text, "{}", line.trim_start());
    }
    text += "```\n\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
    for (code, meaning) in CODES {
        let _ = writeln!(text, "| {} | {} |", code as u8, cell(meaning));
    }
    text
}

/// A page about a command: its description, its usage, its options.
fn page_of(command: &Command) -> String {
    let mut text = String::new();
    describe(&mut text, command, 1);
    text
}

fn describe(text: &mut String, command: &Command, depth: usize) {
    let heading = "#".repeat(depth);
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let about = command.get_long_about().or(command.get_about()).map(plain).unwrap_or_default();
    let usage =
        plain(&command.clone().render_usage()).replace("Usage: ", "").replace("       ", "");
    let _ = writeln!(
        text,
        "{heading} {name}\n\n{}\n\n```text\n{}\n```",
        escaped(&about),
        usage.trim_end()
    );
    let shown = |it: &&Arg| !it.is_hide_set();
    list(text, &format!("{heading}# Arguments"), command.get_positionals().filter(shown));
    let options = || command.get_arguments().filter(shown).filter(|it| !it.is_positional());
    let title = |option: &Arg| option.get_help_heading().unwrap_or("Options").to_owned();
    let mut titles: Vec<String> = Vec::new();
    for each in options().map(title) {
        if !titles.contains(&each) {
            titles.push(each);
        }
    }
    // The options of every command come last.
    titles.sort_by_key(|title| title == "Options");
    for each in titles {
        list(text, &format!("{heading}# {each}"), options().filter(|it| title(it) == each));
    }
    for inner in described(command).filter(|_| depth > 1 || name != "lop") {
        text.push('\n');
        describe(text, inner, depth + 1);
    }
}

/// A list of arguments under a heading, unless there are none.
fn list<'a>(text: &mut String, heading: &str, arguments: impl Iterator<Item = &'a Arg>) {
    let mut items = String::new();
    for argument in arguments {
        let about = argument.get_long_help().or(argument.get_help()).map(plain).unwrap_or_default();
        let _ =
            write!(items, "- `{}`: {}", written(argument), escaped(about.trim_end_matches('.')));
        let defaults: Vec<_> =
            argument.get_default_values().iter().map(|it| it.to_string_lossy()).collect();
        if !defaults.is_empty() && argument.get_action().takes_values() {
            let _ = write!(items, " [default: {}]", defaults.join(", "));
        }
        items.push('\n');
        // The name of a value may list the possible values.
        let names = argument.get_value_names().unwrap_or_default();
        let takes_one =
            argument.get_action().takes_values() && !names.iter().any(|it| it.contains('|'));
        let values = argument.get_possible_values();
        let values = values.iter().filter(|_| takes_one);
        for value in values.filter(|it| !it.is_hide_set()) {
            let about = value.get_help().map(plain).unwrap_or_default();
            let separator = if about.is_empty() { "" } else { ": " };
            let _ = writeln!(items, "  - `{}`{separator}{}", value.get_name(), escaped(&about));
        }
    }
    if !items.is_empty() {
        let _ = write!(text, "\n{heading}\n\n{items}");
    }
}

/// An option in the usual notation: `-j, --jobs <N>`.
fn written(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    format!("{short}{argument}")
}

fn words_page() -> String {
    let mut text = "# Words of strategies\n\nThe words that `--strategy`, `--without` and `lop compare --strategies` take, as `lop strategies` \
                    prints them. How they are put together: [Strategies](../strategies.md).\n"
        .to_owned();
    for Words { title, words } in words() {
        let _ = write!(text, "\n## {title}\n\n| word | |\n|---|---|\n");
        for (name, about) in words {
            let _ = writeln!(text, "| `{name}` | {} |", cell(about));
        }
    }
    text += "\n## Default strategies\n";
    for each in DEFAULTS {
        let _ = write!(text, "\nFor {}:\n\n```text\n", each.of);
        for (effort, strategy) in [
            ("", each.usual),
            ("at its end, again: ", each.again),
            ("--fast: ", each.fast),
            ("--thorough: ", each.thorough),
        ] {
            let _ = writeln!(text, "{effort}{strategy}");
        }
        text += "```\n";
    }
    text
}

fn languages_page() -> String {
    let mut text = "# Languages and formats\n\nAs `lop languages` prints them. A build without `--features full` leaves out the largest \
                    grammars. What lop does with each: [Trees and languages](../trees.md).\n"
        .to_owned();
    let extensions =
        |all: &[&str]| all.iter().map(|each| format!("`.{each}`")).collect::<Vec<_>>().join(" ");
    text += "\n## Languages with a grammar\n\n| name | file extensions |\n|---|---|\n";
    for language in TABLE {
        let _ = writeln!(text, "| `{}` | {} |", language.name, extensions(language.extensions));
    }
    let mut table = |title: &str, rows: Vec<(&str, &str, &[&str])>| {
        let _ = write!(text, "\n## {title}\n\n| name | | file extensions |\n|---|---|---|\n");
        for (name, about, of) in rows {
            let _ = writeln!(text, "| `{name}` | {} | {} |", cell(about), extensions(of));
        }
    };
    let formats = FORMATS.iter().map(|it| (it.name, it.about, it.extensions)).collect();
    table("Formats without a grammar", formats);
    let containers = CONTAINERS.iter().map(|it| (it.name, it.about, it.extensions)).collect();
    table("Binary formats, with lengths and check sums written anew", containers);
    text
}

fn keys_page(root: &Command) -> String {
    let mut text = "# lop.toml\n\n`lop TEST FILE` reads options from the `lop.toml` beside the input, or in the nearest directory above it. A key is the \
                    name of an option without its dashes; the command line comes after the file and wins. `--no-config` leaves the file out.\n\n\
                    ```toml\njobs = 4\nthorough = true\nwith = [\"config.h\", \"data\"]\n```\n\n| key | value |\n|---|---|\n"
        .to_owned();
    for option in config::keys(root) {
        let name = option.get_long().unwrap_or_default();
        let values = option.get_value_names().unwrap_or_default().join(" ");
        let value = match option.get_action() {
            ArgAction::SetTrue => "`true` or `false`".to_owned(),
            ArgAction::Append => format!("`{values}`, or a list of these"),
            _ => format!("`{values}`"),
        };
        let _ = writeln!(text, "| `{name}` | {} |", cell(&value));
    }
    text + "\nThe options themselves: [lop](lop.md).\n"
}

/// A text of clap without its colours.
fn plain(text: &StyledStr) -> String {
    text.to_string()
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|")
}

/// A text with `<` and `*` escaped for Markdown, except in code.
fn escaped(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(number, part)| match number % 2 {
        0 => part.replace('<', "&lt;").replace('*', "\\*"),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("`")
}
