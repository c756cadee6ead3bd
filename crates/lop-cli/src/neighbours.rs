//! Finds out whether a test needs files next to the input, and which option helps.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use lop::oracle::Outcome;
use lop::oracle::execute::Beside;

use crate::command::quoted;
use crate::question::Question;

/// The cure for a test that does not accept the original, if it does with the files next to the input, or with those of
/// the current directory. `accepts` runs it again, with such files next to the original.
pub(crate) fn missing(
    question: &Question,
    outcome: &Outcome,
    accepts: &dyn Fn(Vec<Beside>) -> bool,
) -> Option<String> {
    let here = std::path::absolute(".").ok()?;
    let mut places = vec![&question.home, &here];
    places.dedup();
    let place = places.into_iter().find(|place| accepts(neighbours(question, place)))?;
    let shown = match place.strip_prefix(&here) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => quoted(below),
        Err(_) => quoted(place),
    };
    let named: Vec<String> =
        mentioned(question, outcome).iter().map(|name| format!("--with {name}")).collect();
    let named = if named.is_empty() { "--with FILE".to_owned() } else { named.join(" ") };
    Some(format!(
        "the test accepts the original with the other files of `{}` beside it,\n\
         but it runs in a private directory: name the files that it needs, {named}\n\
         (all of them: --with {shown}), or let it find them in $LOP_DIR, the directory of the input",
        place.display()
    ))
}

/// The files next to the input.
pub(crate) fn of(question: &Question) -> Vec<Beside> {
    neighbours(question, &question.home)
}

/// Everything in a directory except the files that the test's directory has already. The test gets links, so it does
/// not matter what it leaves behind.
fn neighbours(question: &Question, directory: &Path) -> Vec<Beside> {
    let with = &question.with.files;
    let is_taken = |name: &Path| {
        let mut taken = question.taken.iter().chain(with.iter().map(|(_, name)| name));
        taken.any(|taken| taken.starts_with(name))
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let links = entries.filter(|entry| !is_taken(Path::new(&entry.file_name())));
    links.map(|entry| Beside::link(entry.path(), entry.file_name())).collect()
}

/// The files next to the input, or in the current directory, that the output of a test mentions and that its directory
/// lacks, in the form for `--with`.
pub(crate) fn mentioned(question: &Question, outcome: &Outcome) -> Vec<String> {
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_./+-".contains(byte) || *byte >= 128;
    let outputs = [&outcome.stderr, &outcome.stdout].into_iter();
    let words = outputs.flat_map(|output| output.split(|byte| !is_part(byte)));
    let extension = question.input.extension().map(|it| it.display().to_string());
    let here = std::path::absolute(".").unwrap_or_default();
    let mut found = BTreeSet::new();
    for word in words {
        let Ok(word) = str::from_utf8(word) else { continue };
        let word = word.trim_start_matches("./").trim_end_matches('.');
        if word.is_empty() || word.starts_with('/') || word.contains("..") {
            continue;
        }
        // A module is mentioned without its extension.
        let module = extension.as_ref().map(|extension| format!("{word}.{extension}"));
        let names = [word.contains(['.', '/']).then(|| word.to_owned()), module];
        for name in names.into_iter().flatten() {
            let place = [&question.home, &here].map(|directory| directory.join(&name));
            let Some(file) = place.into_iter().find(|file| file.is_file()) else { continue };
            let is_taken = question.taken.iter().any(|taken| Path::new(&name).starts_with(taken));
            if !is_taken && !question.with.has(&file) {
                let path = file.strip_prefix(&here).unwrap_or(&file);
                found.insert(quoted(path));
            }
        }
    }
    found.into_iter().take(3).collect()
}
