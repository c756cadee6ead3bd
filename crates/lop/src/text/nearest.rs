//! Suggestions for misspelt names.

/// The name that is nearest to a word.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().min_by_key(|name| strsim::damerau_levenshtein(word, name))
}
