//! The shell command that runs a test on the original in the same way as lop.

use std::path::{Path, PathBuf};

use crate::command::quoted;
use crate::question::Question;
use crate::reading::regular;

/// A command that runs the test on the original in a new directory.
pub(crate) fn command(question: &Question) -> String {
    let mut steps = vec!["cd $(mktemp -d)".to_owned()];
    if question.originals.is_empty() {
        // The input is not in a file: it has to be piped in again.
        steps.push(format!("cat > {}", quoted(question.name())));
    }
    let mut directories: Vec<PathBuf> = Vec::new();
    for (source, path) in files(question) {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(parent) = parent.filter(|it| !directories.iter().any(|each| each == it)) {
            steps.push(format!("mkdir -p {}", quoted(parent)));
            directories.push(parent.to_owned());
        }
        let copy = if source.is_dir() { "cp -r" } else { "cp" };
        if path.as_os_str().is_empty() {
            steps.push(format!("cp -r {} .", quoted(source.join("."))));
            continue;
        }
        let to = match (source.file_name() == path.file_name(), parent) {
            (true, None) => ".".to_owned(),
            (true, Some(parent)) => quoted(parent),
            (false, _) => quoted(&path),
        };
        steps.push(format!("{copy} {} {to}", quoted(&source)));
    }
    steps.extend(variables(question));
    let input = match question.bundle {
        Some(_) => "/dev/null".to_owned(),
        None => quoted(question.name()),
    };
    steps.push(format!("{} < {input}", test(question)));
    steps.join(" && ")
}

/// The files of the test's directory: their places, and their paths there.
fn files(question: &Question) -> Vec<(PathBuf, PathBuf)> {
    // The originals replace those of their files that --with includes as well.
    question.with.roots.iter().chain(&question.originals).cloned().collect()
}

/// The test with its arguments, as it runs in the test's directory.
fn test(question: &Question) -> String {
    let name = PathBuf::from(question.name());
    let command = &question.command;
    if let Some(script) = command.args.iter().find(|argument| argument.is_script()) {
        return format!("sh -c {}", quoted(script.with(&name)));
    }
    // A program on the PATH is shown as the user wrote it.
    let typed = question.args.command.first().filter(|word| !Path::new(word).exists());
    let program = typed.map_or(command.program.as_os_str(), |word| word.as_os_str());
    let arguments = command.args.iter().map(|argument| quoted(argument.with(&name)));
    std::iter::once(quoted(program)).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Sets the variables of the test, if it mentions one.
fn variables(question: &Question) -> Option<String> {
    let command = &question.command;
    let arguments = command.args.iter().map(|argument| argument.with(Path::new("")));
    let words: Vec<_> = arguments.chain([command.program.clone().into_os_string()]).collect();
    let mentions = |text: &[u8]| text.windows(4).any(|part| part == b"LOP_");
    let is_used = words.iter().any(|word| {
        mentions(word.as_encoded_bytes())
            || regular(word.as_ref()).is_some_and(|file| mentions(&file))
    });
    let set = command
        .env
        .iter()
        .map(|(name, value)| format!("{}={}", name.display(), quoted(value.with(Path::new("")))));
    is_used.then(|| format!("export {}", set.collect::<Vec<_>>().join(" ")))
}
