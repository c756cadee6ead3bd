//! What a file is taken for, as the user says or as it seems.

use std::path::Path;

use lop::tree::{FORMATS, Format};
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

/// The format of the first of several files; each of the others has that of its own name.
pub(crate) fn of_several(
    args: &FormatArgs,
    bundle: &Bundle,
    text: &[u8],
) -> Result<Format, Failure> {
    if args.language.is_some() || args.grammar_lib.is_some() {
        let message = "several files are in the languages of their names, so none can be named";
        return Err(Failure::new(Code::Usage, message).help("leave out --language"));
    }
    let first = bundle.members(text).into_iter().next();
    Ok(first.map_or_else(Format::default, |first| Format::guess(&first.path, &text[first.content])))
}

fn unknown(name: &str) -> Failure {
    if let Some(entry) = TABLE.iter().find(|entry| entry.name == name) {
        return Failure::new(Code::Usage, format!("the language `{name}` is not part of this lop"))
            .help(format!(
                "build it with `--features full`, or with lop-languages/{}",
                entry.feature
            ));
    }
    let names =
        FORMATS.iter().map(|format| format.name).chain(TABLE.iter().map(|entry| entry.name));
    let nearest = nearest(name, names).unwrap_or_default();
    Failure::new(Code::Usage, format!("there is no language `{name}`; did you mean `{nearest}`?"))
        .help("`lop languages` lists them; any other tree-sitter grammar: --grammar-lib, --grammar-json")
}

/// The message for a file that can have no tree.
pub(crate) fn too_long(path: &Path) -> Failure {
    Failure::new(Code::Input, format!("`{}` is too long for a tree", path.display()))
}

/// Lists languages and formats.
pub(crate) fn print_languages() {
    print("Languages with a grammar, and the extensions of their files:");
    for entry in TABLE {
        let missing = if is_bundled(entry.name) { "" } else { "  (not part of this lop)" };
        print(&format!("  {:<16} {}{missing}", entry.name, extensions(entry.extensions)));
    }
    if TABLE.iter().any(|entry| !is_bundled(entry.name)) {
        print("Build lop with `--features full` to have them all.");
    }
    print("\nFormats without one:");
    for format in FORMATS {
        print(&format!("  {:<16} {} {}", format.name, format.about, extensions(format.extensions)));
    }
    print("\nAny other tree-sitter grammar: --grammar-lib parser.so --grammar-json grammar.json");
}

fn extensions(extensions: &[&str]) -> String {
    extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}
