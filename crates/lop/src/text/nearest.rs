//! Suggestions for misspelt names.

/// The name that is nearest to a word.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().min_by_key(|name| strsim::damerau_levenshtein(word, name))
}

/// The name that a word is most likely a misspelling of: the nearest one, if at most a third of the word is wrong.
pub fn similar<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let is_near = |name: &&str| {
        strsim::damerau_levenshtein(word, name) <= word.chars().count().div_ceil(3).min(3)
    };
    nearest(word, names).filter(is_near).filter(|_| word.chars().count() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_misspelling_is_similar() {
        let names = ["compare", "tree", "gen", "strategies"];
        assert_eq!(similar("comapre", names), Some("compare"));
        assert_eq!(similar("strategy", names), Some("strategies"));
        assert_eq!(similar("tere", names), Some("tree"));
        for word in ["md", "test.sh", "objc", "x", ""] {
            assert_eq!(similar(word, names), None, "{word}");
        }
    }
}
