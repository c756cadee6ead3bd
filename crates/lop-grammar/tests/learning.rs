//! Content models learned from examples.

use lop_grammar::{Grammar, Label, Model, Order, Overlay};

/// A word: each letter is a label.
fn word(letters: &str) -> Vec<Label> {
    letters.bytes().map(|letter| Label(u16::from(letter))).collect()
}

fn learned(examples: &[&str], window: usize) -> Model {
    Model::from_words(examples.iter().map(|example| word(example)), window)
}

/// Checks which words a model accepts.
fn check(examples: &[&str], window: usize, accepted: &[&str], refused: &[&str]) {
    let model = learned(examples, window);
    for letters in accepted {
        assert!(model.run(&word(letters)).is_some(), "{examples:?} {window}: {letters}");
    }
    for letters in refused {
        assert!(model.run(&word(letters)).is_none(), "{examples:?} {window}: {letters}");
    }
}

#[test]
fn what_was_seen_next_to_itself_may_be_repeated_and_what_was_left_out_may_be_left_out() {
    check(&["(aa)", "()"], 2, &["()", "(a)", "(aaaa)"], &["", "(", "a", "(a", ")("]);
    check(&["(a,a)"], 2, &["(a)", "(a,a,a)"], &["()", "(a,)", "(aa)"]);
    check(&["abc", "ac"], 2, &["abc", "ac"], &["ab", "bc", "abbc"]);
}

#[test]
fn a_larger_window_accepts_less() {
    let examples = ["abab", "cab"];
    check(&examples, 1, &["cab", "bbc", "", "a"], &["d"]);
    check(&examples, 2, &["ab", "cabab", "ababab"], &["", "ba", "cb"]);
    check(&examples, 3, &["ab", "ababab", "cabab"], &["", "ba", "c", "cabcab"]);
    check(&examples, 5, &examples, &["ab", "ababab", "cabab"]);
}

#[test]
fn without_examples_nothing_is_accepted() {
    check(&[], 2, &[], &["", "a"]);
    check(&[""], 2, &[""], &["a"]);
}

#[test]
fn quantifiers_are_learned_from_pairs_of_neighbours() {
    let quantifiers = |examples: &[&str], letters: &str| -> Vec<&str> {
        let model = learned(examples, 2);
        let run = model.run(&word(letters)).unwrap();
        (0..letters.len()).map(|child| run.quantifier(child).sign()).collect()
    };
    assert_eq!(quantifiers(&["ab", "a"], "ab"), ["", "?"]);
    assert_eq!(quantifiers(&["(bb)", "(b)"], "(bb)"), ["", "+", "+", ""]);
    assert_eq!(quantifiers(&["(bb)", "()"], "(bb)"), ["", "*", "*", ""]);
    assert_eq!(quantifiers(&["(a,a)", "()"], "(a,a)"), ["", "*", "+", "*", ""]);
    // One or the other: neither is optional.
    assert_eq!(quantifiers(&["a", "b"], "a"), [""]);
}

#[test]
fn the_order_of_examples_does_not_matter() {
    let (one, other) = (learned(&["ab", "abb", "b"], 2), learned(&["b", "abb", "ab"], 2));
    for letters in ["", "a", "b", "ab", "ba", "bb", "abb", "abbb", "aab"] {
        let accepts = |model: &Model| model.run(&word(letters)).is_some();
        assert_eq!(accepts(&one), accepts(&other), "{letters}");
    }
}

/// Random examples over three labels, and every word of up to five of them: the model accepts exactly
/// the words that have no unseen window.
#[test]
fn a_learned_model_accepts_all_that_has_only_windows_that_were_seen() {
    let mut random = lop_testing::random();
    // The ends of a word are part of its windows.
    let windows = |word: &str, size: usize| -> Vec<String> {
        let padded = format!("{}{word}$", "^".repeat(size - 1));
        (0..=padded.len() - size).map(|at| padded[at..at + size].to_owned()).collect()
    };
    for _ in 0..100 {
        let window = random.usize(2..5);
        let examples: Vec<String> = (0..random.usize(1..5))
            .map(|_| (0..random.usize(0..6)).map(|_| random.char('a'..='c')).collect())
            .collect();
        let seen: Vec<String> = examples.iter().flat_map(|word| windows(word, window)).collect();
        let model = Model::from_words(examples.iter().map(|example| word(example)), window);
        for length in 0..=5u32 {
            for number in 0..3u32.pow(length) {
                let letters: String = (0..length)
                    .map(|place| (b'a' + (number / 3u32.pow(place) % 3) as u8) as char)
                    .collect();
                let expected = windows(&letters, window).iter().all(|each| seen.contains(each));
                let accepted = model.run(&word(&letters)).is_some();
                assert_eq!(accepted, expected, "{examples:?} {window} {letters}");
            }
        }
    }
}

#[test]
fn an_overlay_has_models_for_the_labels_of_its_examples_and_belongs_to_one_grammar() {
    let grammar = Grammar::parse("test", "node = a* ; a = /a/ ; b = /b/ ;").unwrap();
    let label = |name| grammar.label(name, true).unwrap();
    let (node, a, b) = (label("node"), label("a"), label("b"));
    let examples = [(node, vec![a, b]), (node, vec![b])];
    let overlay = Overlay::learned(&grammar, Order::OverlayFirst, 2, examples);
    let model = overlay.model(node).unwrap();
    assert!(model.run(&[a, b]).is_some() && model.run(&[a]).is_none());
    assert!(overlay.model(a).is_none());
    assert_eq!(overlay.order(), Order::OverlayFirst);
    assert!(overlay.is_for(&grammar));
    assert!(overlay.is_for(&Grammar::parse("test", "node = a+ ; a = /a/ ; b = /b/ ;").unwrap()));
    assert!(!overlay.is_for(&Grammar::parse("test", "node = a* ; a = /a/ ; c = /b/ ;").unwrap()));
    assert!(!overlay.is_for(&Grammar::parse("other", "node = a* ; a = /a/ ; b = /b/ ;").unwrap()));
}

#[test]
fn a_model_can_be_asked_while_it_is_being_asked() {
    let model = learned(&["(aa)", "()"], 2);
    let run = model.run(&word("(aa)")).unwrap();
    assert!(run.stands((0..4).filter(|child| !run.may_cut(*child..child + 1))));
}
