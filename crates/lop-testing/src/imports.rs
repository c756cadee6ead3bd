//! What sources name: for tests that check which modules use which.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// All sources in a directory, and in those below it.
pub fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    let (directories, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|it| it.is_dir());
    let files = files.into_iter().filter(|it| it.extension().is_some_and(|it| it == "rs"));
    files.chain(directories.iter().flat_map(|directory| sources(directory))).collect()
}

/// All paths that a source names outside of its tests, such as `["crate", "record", "Record"]`; those of a `use` with
/// braces one by one.
pub fn paths(source: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    find(source.parse().expect("Rust"), &[], &mut found);
    found
}

/// All paths in some tokens.
fn find(tokens: TokenStream, prefix: &[String], found: &mut Vec<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is_punct = |at: usize, sign: char| matches!(tokens.get(at), Some(TokenTree::Punct(it)) if it.as_char() == sign);
    let is_word =
        |at: usize, word: &str| matches!(tokens.get(at), Some(TokenTree::Ident(it)) if it == word);
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Punct(_) if is_punct(at, '#') && is_for_tests(tokens.get(at + 1)) => {
                // The item ends with its braces, or with a semicolon.
                while at < tokens.len() && !is_braced(&tokens[at]) && !is_punct(at, ';') {
                    at += 1;
                }
            }
            TokenTree::Group(group) => find(group.stream(), &[], found),
            TokenTree::Punct(it) if it.as_char() == '*' && !prefix.is_empty() => {
                found.push([prefix, &["*".into()]].concat());
            }
            // What follows is the name of a lifetime, or a new name.
            TokenTree::Punct(_) if is_punct(at, '\'') => at += 1,
            TokenTree::Ident(_) if is_word(at, "as") => at += 1,
            TokenTree::Ident(first) => {
                let mut path = [prefix, &[first.to_string()]].concat();
                while is_punct(at + 1, ':') && is_punct(at + 2, ':') {
                    match tokens.get(at + 3) {
                        Some(TokenTree::Ident(next)) => path.push(next.to_string()),
                        Some(TokenTree::Punct(next)) if next.as_char() == '*' => {
                            path.push("*".into())
                        }
                        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                            find(group.stream(), &path, found);
                            path.clear();
                        }
                        // Such as the arguments of a type.
                        _ => break,
                    }
                    at += 3;
                }
                found.extend(Some(path).filter(|path| !path.is_empty()));
            }
            _ => {}
        }
        at += 1;
    }
}

fn is_for_tests(attribute: Option<&TokenTree>) -> bool {
    attribute.is_some_and(|it| it.to_string().replace(' ', "") == "[cfg(test)]")
}

fn is_braced(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Checks that the files and folders of a crate use only those that come before them in a list, so that no two use each
/// other. The list has all of them but `exempt`, which only hand on names.
///
/// # Panics
///
/// If one uses another that comes after it, or the list is not complete.
pub fn check_order(source: &Path, order: &[&str], exempt: &[&str]) {
    let mut seen = Vec::new();
    for path in sources(source) {
        let file = path.strip_prefix(source).expect("a file below").iter().next().expect("a name");
        let file = file.to_str().expect("text").trim_end_matches(".rs").to_owned();
        if exempt.contains(&&file[..]) {
            continue;
        }
        let place = order.iter().position(|name| *name == file);
        let place = place.unwrap_or_else(|| panic!("{file} has no place in the list"));
        for used in paths(&fs::read_to_string(&path).expect("a source")) {
            // Not that of `pub(crate)`.
            let [root, module, ..] = &used[..] else { continue };
            let is_before = order[..place].contains(&&module[..]);
            let is_allowed = root != "crate" || *module == file || is_before;
            assert!(is_allowed, "{} uses {}", path.display(), used.join("::"));
        }
        seen.push(file);
    }
    let missing: Vec<_> =
        order.iter().filter(|name| !seen.iter().any(|file| file == *name)).collect();
    assert!(missing.is_empty(), "these are in the list, but not there: {missing:?}");
}
