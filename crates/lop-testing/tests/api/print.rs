//! Tokens as they are usually written, on one line.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Signs of several characters.
const SIGNS: [&str; 6] = ["::", "->", "=>", "...", "..=", ".."];

/// Words after which a bracket is not an argument.
const APART: [&str; 8] = ["as", "const", "dyn", "for", "in", "mut", "where", "="];

pub(crate) fn print(tokens: TokenStream) -> String {
    let mut words = Vec::new();
    flatten(tokens, &mut words);
    // What is written over several lines has a comma at its end.
    let ends =
        |word: Option<&String>| word.is_none_or(|it| ["}", "]", ">", "{"].contains(&it.as_str()));
    let kept = |at: &usize| words[*at] != "," || !ends(words.get(at + 1));
    let words: Vec<&String> = (0..words.len()).filter(kept).map(|at| &words[at]).collect();
    let mut line = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 && is_apart(words[at - 1], word) {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

fn is_apart(before: &str, after: &str) -> bool {
    let is_word = |it: &str| it.starts_with(|it: char| it.is_alphanumeric() || "_'\"".contains(it));
    match (before, after) {
        ("{", "}") => false,
        ("!", "{") | ("*", "as") => true,
        (_, "," | ";" | ":" | "::" | ")" | "]" | ">" | "." | "!") if before != "->" => false,
        ("(" | "[" | "<" | "&" | "*" | "!" | "::" | "#" | "?" | "." | "-", _) => false,
        ("for", "<") => false,
        (_, "(" | "[" | "<") => {
            APART.contains(&before)
                || !is_word(before) && !matches!(before, ">" | ")" | "]")
                || before.starts_with('\'')
        }
        _ => true,
    }
}

/// Whether arguments may follow a word.
fn is_call(word: &str) -> bool {
    word == ">" || word.starts_with(char::is_alphabetic) && !APART.contains(&word)
}

/// The words and signs of some tokens.
fn flatten(tokens: TokenStream, words: &mut Vec<String>) {
    let mut sign = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(it) => {
                let longer = format!("{sign}{}", it.as_char());
                if !SIGNS.iter().any(|known| known.starts_with(&longer)) && !sign.is_empty() {
                    push(&mut sign, words);
                }
                sign.push(it.as_char());
                if it.spacing() == Spacing::Alone {
                    push(&mut sign, words);
                }
            }
            TokenTree::Ident(it) => {
                let quote = if sign == "'" { std::mem::take(&mut sign) } else { String::new() };
                push(&mut sign, words);
                words.push(quote + &it.to_string());
            }
            TokenTree::Literal(it) => {
                push(&mut sign, words);
                words.push(it.to_string());
            }
            TokenTree::Group(it) => {
                push(&mut sign, words);
                let (open, close) = match it.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                push(&mut open.to_owned(), words);
                let mut inner = Vec::new();
                flatten(it.stream(), &mut inner);
                // The comma of a tuple of one is not like the others.
                let is_list = words.len() > 1 && is_call(&words[words.len() - 2]);
                if open == "(" && (is_list || inner.iter().filter(|it| *it == ",").count() > 1) {
                    inner.pop_if(|it| it == ",");
                }
                words.extend(inner);
                push(&mut close.to_owned(), words);
            }
        }
    }
}

/// Adds what is there.
fn push(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}
