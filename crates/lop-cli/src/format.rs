//! Chooses the format of a file: by the options of the user, else by its name and content.

use std::path::{Path, PathBuf};

use lop::tree::{CONTAINERS, FORMATS, Format};
use lop::{Bundle, Member, similar};
use lop_languages::{Language, TABLE, is_bundled};

use crate::args::FormatArgs;
use crate::exit::{Code, Failure};
use crate::view::print;
use crate::{grammar, model};

/// The format of a file, with the models of its language.
pub(crate) fn choose(args: &FormatArgs, path: &Path, content: &[u8]) -> Result<Format, Failure> {
    let format = named(args, path, content)?;
    model::apply(&args.model, format.clone(), &[format])
}

fn named(args: &FormatArgs, path: &Path, content: &[u8]) -> Result<Format, Failure> {
    if let (Some(library), Some(grammar)) = (&args.grammar_lib, &args.grammar_json) {
        return Language::load(library, grammar).map(Format::from).map_err(|error| {
            Failure::new(Code::Usage, error.to_string()).help(
                "give the library and the grammar.json that tree-sitter made from one grammar",
            )
        });
    }
    if let Some(format) = grammar::format(args)? {
        return Ok(format);
    }
    let path = args.name.as_deref().unwrap_or(path);
    match &args.language {
        None => Ok(Format::guess(path, content)),
        Some(name) => Format::named(name).ok_or_else(|| unknown(name)),
    }
}

/// The name of a file with the content of standard input: `stdin`, with the extension of its language if that is given.
pub(crate) fn standard_name(args: &FormatArgs) -> PathBuf {
    let format = args.language.as_deref().and_then(Format::named);
    let is_named = |name: &str| format.as_ref().is_some_and(|format| format.name() == name);
    let languages = TABLE.iter().map(|entry| (entry.name, entry.extensions));
    let formats = FORMATS.iter().map(|format| (format.name, format.extensions));
    let found = languages.chain(formats).find(|(name, _)| is_named(name));
    let extension = found.and_then(|(_, extensions)| extensions.first());
    Path::new("stdin").with_extension(extension.copied().unwrap_or_default())
}

/// The format of the first of several files. The library chooses that of each other file by its name.
pub(crate) fn of_several(
    args: &FormatArgs,
    bundle: &Bundle,
    text: &[u8],
) -> Result<Format, Failure> {
    let options = [
        ("--language", args.language.is_some()),
        ("--grammar", !args.grammar.is_empty()),
        ("--grammar-lib", args.grammar_lib.is_some()),
    ];
    if let Some((option, _)) = options.into_iter().find(|(_, is_given)| *is_given) {
        let message = format!("{option} cannot be used with several files");
        return Err(Failure::new(Code::Usage, message)
            .help(format!("leave out {option}: each file's language is chosen by its name")));
    }
    let guess = |member: Member| Format::guess(&member.path, &text[member.content]);
    let formats: Vec<Format> = match args.model.is_empty() {
        true => bundle.members(text).into_iter().take(1).map(guess).collect(),
        false => bundle.members(text).into_iter().map(guess).collect(),
    };
    model::apply(&args.model, formats.first().cloned().unwrap_or_default(), &formats)
}

fn unknown(name: &str) -> Failure {
    if let Some(entry) = lop_languages::named(name) {
        let message = format!("the language `{}` is not included in this build of lop", entry.name);
        return Failure::new(Code::Usage, message).help(format!(
            "build lop with `--features full`, or with `--features lop-languages/{}`",
            entry.feature
        ));
    }
    let names = FORMATS.iter().map(|format| format.name);
    let names = names.chain(CONTAINERS.iter().map(|format| format.name));
    let names = names.chain(TABLE.iter().map(|entry| entry.name));
    let meant = similar(&name.to_lowercase(), names);
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    Failure::new(Code::Usage, format!("unknown language `{name}`{meant}")).help(
        "`lop languages` lists all; other grammars: --grammar for ANTLR, --grammar-lib and --grammar-json for tree-sitter",
    )
}

/// The note about a file whose language isn't in this build.
pub(crate) fn note_missing(path: &Path) -> Option<String> {
    let language = missing(path, is_bundled)?;
    Some(format!(
        "the language `{language}` is not in this build of lop: `{}` is reduced without its grammar; build lop with `--features full`",
        path.display()
    ))
}

fn missing(path: &Path, is_bundled: fn(&str) -> bool) -> Option<&'static str> {
    let extension = path.extension()?.to_str()?;
    let entry = TABLE.iter().find(|entry| entry.extensions.contains(&extension))?;
    (!is_bundled(entry.name)).then_some(entry.name)
}

/// The failure for a file that is too large for a tree.
pub(crate) fn too_long(path: &Path) -> Failure {
    Failure::new(Code::Input, format!("`{}` is too large for a syntax tree", path.display()))
        .help("cut it first with a strategy over lines: --strategy ddmin:lines")
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
        "\nOther languages, with any ANTLR grammar: --grammar Lexer.g4 --grammar Parser.g4\n\
         or any tree-sitter grammar: --grammar-lib parser.so --grammar-json grammar.json",
    );
}

fn extensions(extensions: &[&str]) -> String {
    extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_is_not_in_the_build_is_named() {
        let missing = |name: &str| missing(Path::new(name), |language| language != "c");
        assert_eq!(missing("src/prog.c"), Some("c"));
        assert_eq!(missing("prog.py"), None);
        assert_eq!(missing("notes.txt"), None);
    }
}
