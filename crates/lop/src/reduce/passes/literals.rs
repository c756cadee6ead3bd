//! Makes literals simpler: numbers towards 0 and 1, strings towards the empty one, by halves if necessary.

use crate::tree::{Change, NodeId, Tree};

use super::Proposal;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    tree.ids().flat_map(|node: NodeId| {
        let texts = match tree.text_of(node) {
            [digit, ..] if digit.is_ascii_digit() && tree.is_leaf(node) => {
                numbers(tree.text_of(node))
            }
            [quote, .., _] if b"\"'`".contains(quote) && tree.is_named(node) => {
                strings(tree.text_of(node))
            }
            _ => Vec::new(),
        };
        texts.into_iter().map(move |text| vec![Change::Replace(node, text.into())])
    })
}

/// 0, 1, the number without its suffix, its first digit, its half.
fn numbers(text: &[u8]) -> Vec<Vec<u8>> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let half = std::str::from_utf8(&text[..digits]).ok().and_then(|text| text.parse::<u64>().ok());
    let half = half.map_or(Vec::new(), |number| (number / 2).to_string().into_bytes());
    let texts = [b"0".to_vec(), b"1".to_vec(), text[..digits].to_vec(), text[..1].to_vec(), half];
    let mut simpler: Vec<Vec<u8>> = Vec::new();
    for new in texts {
        let is_simpler = (new.len(), new.as_slice()) < (text.len(), text);
        if !new.is_empty() && is_simpler && !simpler.contains(&new) {
            simpler.push(new);
        }
    }
    simpler
}

/// The empty string with the same quotes, or half of the content.
fn strings(text: &[u8]) -> Vec<Vec<u8>> {
    let quotes = text.iter().take_while(|byte| **byte == text[0]).count();
    let quotes = if quotes == 3 { 3 } else { 1 };
    let quote = &text[..quotes];
    if text.len() <= 2 * quotes || !text.ends_with(quote) {
        return Vec::new();
    }
    let content = &text[quotes..text.len() - quotes];
    // A text with a quote inside may be two strings.
    let is_one = !content.contains(&quote[0]);
    let is_between = |at: &usize| content[*at] & 0xC0 != 0x80 && content[at - 1] != b'\\';
    let middle = (content.len().div_ceil(2)..content.len()).find(|at| is_one && is_between(at));
    let halves = middle.map(|middle| content.split_at(middle));
    let kept = halves.map_or(vec![&[][..]], |(left, right)| vec![&[], right, left]);
    kept.into_iter().map(|kept| [quote, kept, quote].concat()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(all: Vec<Vec<u8>>) -> Vec<String> {
        all.into_iter().map(|text| String::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn numbers_become_smaller_and_strings_shorter() {
        assert_eq!(texts(numbers(b"17UL")), ["0", "1", "17", "8"]);
        assert_eq!(texts(numbers(b"1")), ["0"]);
        assert!(numbers(b"0").is_empty());
        assert_eq!(texts(numbers(b"0x1F")), ["0", "1"]);
        assert_eq!(texts(strings(b"\"abcd\"")), ["\"\"", "\"cd\"", "\"ab\""]);
        assert_eq!(texts(strings(b"'''a'''")), ["''''''"]);
        // An escape or a letter of several bytes is not cut in two.
        assert_eq!(texts(strings(br"'a\nb'")), ["''", "'b'", r"'a\n'"]);
        assert_eq!(texts(strings("'aéb'".as_bytes())), ["''", "'b'", "'aé'"]);
        assert_eq!(texts(strings("'éé'".as_bytes())), ["''", "'é'", "'é'"]);
        assert_eq!(texts(strings(b"'a' + b + 'c'")), ["''"]);
        assert!(strings(b"\"\"").is_empty());
        assert!(strings(b"'a").is_empty());
    }
}
