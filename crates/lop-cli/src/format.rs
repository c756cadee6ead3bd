//! Chooses the format of a file: by the options of the user, else by its name and content.

use std::path::Path;

use lop::tree::{CONTAINERS, FORMATS, Format};
use lop::{Bundle, nearest};
use lop_languages::{Language, TABLE, is_bundled};

use crate::args::FormatArgs;
use crate::exit::{Code, Failure};
use crate::view::print;

/// The format of a file.
pub(crate) fn choose(args: &FormatArgs, path: &Path, content: &[u8]) -> Result<Format, Failure> {
    if let (Some(library), Some(grammar)) = (&args.grammar_lib, &args.grammar_json) {
        return Language::load(library, grammar)
            .map(Format::from)
            .map_err(|error| Failure::new(Code::Usage, error.to_string()));
    }
    match &args.language {
        None => Ok(Format::guess(path, content)),
        Some(name) => Format::named(name).ok_or_else(|| unknown(name)),
    }
}

/// The format of the first of several files. The library chooses that of each other file by its name.
pub(crate) fn of_several(
    args: &FormatArgs,
    bundle: &Bundle,
    text: &[u8],
) -> Result<Format, Failure> {
    if args.language.is_some() || args.grammar_lib.is_some() {
        let option = if args.language.is_some() { "--language" } else { "--grammar-lib" };
        let message = format!("{option} cannot be used with several files");
        return Err(Failure::new(Code::Usage, message)
            .help(format!("leave out {option}: each file's language is chosen by its name")));
    }
    let first = bundle.members(text).into_iter().next();
    Ok(first.map_or_else(Format::default, |first| Format::guess(&first.path, &text[first.content])))
}

fn unknown(name: &str) -> Failure {
    if let Some(entry) = TABLE.iter().find(|entry| entry.name == name) {
        let message = format!("the language `{name}` is not included in this build of lop");
        return Failure::new(Code::Usage, message).help(format!(
            "build lop with `--features full`, or with `--features lop-languages/{}`",
            entry.feature
        ));
    }
    let names = FORMATS.iter().map(|format| format.name);
    let names = names.chain(CONTAINERS.iter().map(|format| format.name));
    let names = names.chain(TABLE.iter().map(|entry| entry.name));
    let nearest = nearest(name, names).unwrap_or_default();
    Failure::new(Code::Usage, format!("unknown language `{name}`; did you mean `{nearest}`?")).help(
        "`lop languages` lists all; other tree-sitter grammars: --grammar-lib and --grammar-json",
    )
}

/// The failure for a file that is too large for a tree.
pub(crate) fn too_long(path: &Path) -> Failure {
    Failure::new(Code::Input, format!("`{}` is too large for a syntax tree", path.display()))
}

/// Lists languages and formats.
pub(crate) fn print_languages() {
    print("Languages with a grammar, and their file extensions:");
    for entry in TABLE {
        let missing = if is_bundled(entry.name) { "" } else { "  (not in this build)" };
        print(&format!("  {:<16} {}{missing}", entry.name, extensions(entry.extensions)));
    }
    if TABLE.iter().any(|entry| !is_bundled(entry.name)) {
        print("Build lop with `--features full` to include all of them.");
    }
    print("\nFormats without a grammar:");
    for format in FORMATS {
        print(&format!("  {:<16} {} {}", format.name, format.about, extensions(format.extensions)));
    }
    print("\nBinary formats, with lengths and check sums written anew:");
    for format in CONTAINERS {
        print(&format!("  {:<16} {} {}", format.name, format.about, extensions(format.extensions)));
    }
    print(
        "\nOther languages, with any tree-sitter grammar: --grammar-lib parser.so --grammar-json grammar.json",
    );
}

fn extensions(extensions: &[&str]) -> String {
    extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}
