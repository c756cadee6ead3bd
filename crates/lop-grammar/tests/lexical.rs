//! Tokens taken apart by their lexical rules.

use lop_grammar::{Grammar, LexicalRule};
use regex::Regex;

/// Calls a function with the lexical rules of the label `token`.
fn with_rules<T>(notation: &str, ask: impl FnOnce(&[LexicalRule]) -> T) -> T {
    let grammar = Grammar::parse("test", notation).unwrap();
    ask(grammar.lexical_rules(grammar.label("token", true).unwrap()))
}

fn with_rule<T>(expression: &str, ask: impl FnOnce(&LexicalRule) -> T) -> T {
    with_rules(&format!("token = /{expression}/ ;"), |rules| ask(&rules[0]))
}

fn shorter(expression: &str, text: &str) -> Vec<String> {
    with_rule(expression, |rule| {
        let derivation = rule.derive(text).unwrap_or_else(|| panic!("{expression} makes {text}"));
        derivation.shorter().iter().map(|it| it.apply(text)).collect()
    })
}

/// Checks what a token can become, the shortest first.
fn check(expression: &str, text: &str, expected: &[&str]) {
    assert_eq!(shorter(expression, text), expected, "{expression} {text}");
}

const NUMBER: &str = "(0x[0-9A-F]+|[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?)[UL]*";

#[test]
fn a_repetition_loses_halves_and_then_single_iterations() {
    check("[a-d]*", "abcd", &["", "ab", "cd", "abc", "abd", "acd", "bcd"]);
    check("[a-d]+", "abc", &["a", "a", "bc", "ab", "ac"]);
    check("u[0-9]{2}", "u12", &[]);
}

#[test]
fn optional_parts_are_removed_alone_and_together() {
    let all = shorter(NUMBER, "0x1FUL");
    let position = |text: &str| all.iter().position(|it| it == text);
    let expected = ["0", "0x1F", "0x1UL", "0x1FU"].map(|text| position(text).ok_or(text));
    assert!(expected.is_sorted(), "{expected:?} {all:?}");
    let all = shorter(NUMBER, "1.5e-10UL");
    for part in ["0", "1", "1.5", "1.5e-10", "1UL", "1.5UL", "1e-10UL", "1.5e10UL"] {
        assert!(all.iter().any(|it| it == part), "{part} {all:?}");
    }
}

#[test]
fn an_iteration_keeps_its_alternative_or_becomes_the_least_one() {
    let string = "\"(\\\\(n|x[0-9]{2}|u[0-9]+)|[^\"\\\\])*\"";
    let all = shorter(string, r#""a\n\x41b""#);
    assert_eq!(all[0], "\"\"");
    for whole in [r#""a\n""#, r#""\x41b""#, r#""a\nb""#, r#""a\x41b""#, r#""a\n\nb""#] {
        assert!(all.iter().any(|it| it == whole), "{whole} {all:?}");
    }
    // Without its backslash, the rest of an escape sequence would be letters.
    for half in [r#""anx41b""#, r#""an\x41b""#, r#""a\nx41b""#] {
        assert!(!all.iter().any(|it| it == half), "{half} {all:?}");
    }
    assert!(shorter(string, r#""\u123""#).contains(&r#""\u1""#.into()));
}

#[test]
fn characters_become_canonical_where_the_rule_allows_it() {
    let zero = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let simpler = with_rule("[1-9][0-9]*x7", |rule| {
        let derivation = rule.derive("123x7").unwrap();
        derivation.simpler(zero).iter().map(|it| it.apply("123x7")).collect::<Vec<_>>()
    });
    assert_eq!(simpler, ["103x7", "120x7"]);
}

#[test]
fn rules_without_a_single_token_are_lexical_if_they_are_regular_and_without_gaps() {
    let known = |notation: &str| with_rules(notation, |rules| rules.len());
    assert_eq!(known("token = /a/ | /b+/ ;"), 1);
    assert_eq!(known("token = _more ; _more = /a/ | /b+/ ;"), 1);
    // There may be a gap between the parts, and the rule may contain itself.
    assert_eq!(known("token = /a/ /b/ ;"), 0);
    assert_eq!(known("token = /a/ | \"(\" token \")\" ;"), 0);
}

#[test]
fn tokens_in_other_rules_and_rules_that_immediate_tokens_hold_together_are_lexical() {
    let json = r#"{ "name": "test", "rules": {
        "string": { "type": "SEQ", "members": [
            { "type": "STRING", "value": "'" },
            { "type": "REPEAT", "content": { "type": "CHOICE", "members": [
                { "type": "ALIAS", "named": true, "value": "content", "content":
                    { "type": "IMMEDIATE_TOKEN", "content": { "type": "PATTERN", "value": "[^'\\\\]+" } } },
                { "type": "SYMBOL", "name": "escape" } ] } },
            { "type": "STRING", "value": "'" } ] },
        "escape": { "type": "IMMEDIATE_TOKEN", "content": { "type": "PATTERN", "value": "\\\\." } },
        "scanned": { "type": "SEQ", "members": [
            { "type": "SYMBOL", "name": "escape" }, { "type": "SYMBOL", "name": "outside" } ] }
    }, "externals": [ { "type": "SYMBOL", "name": "outside" } ] }"#;
    let grammar = Grammar::from_tree_sitter(json).unwrap();
    let rules = |name| grammar.lexical_rules(grammar.label(name, true).unwrap());
    assert!(rules("content")[0].matches("ab") && !rules("content")[0].matches("a'"));
    assert!(rules("string")[0].matches(r"'a\'b'") && !rules("string")[0].matches(r"'a\'"));
    assert!(rules("outside").is_empty() && rules("scanned").is_empty());
}

#[test]
fn whatever_is_removed_the_rest_is_a_token_of_the_same_rule() {
    let mut random = lop_testing::random();
    let rules = [
        (NUMBER, "0x1Fe.+-UL"),
        ("\"(\\\\([n\"]|x[0-9a-f]{1,2})|[^\"\\\\])*\"", "\"\\nx1a "),
        ("(a|b{2,3}|(ab?)*c)+", "abc"),
        ("(a?){3}(b|ab|)*(c(de|e)?)?", "abcde"),
        ("((a|ä)*?b)+|ä+", "aäb"),
    ];
    let mut derived = 0;
    for round in 0..3_000 {
        let (expression, alphabet) = rules[round % rules.len()];
        let alphabet: Vec<char> = alphabet.chars().collect();
        let length = random.usize(..10);
        let mut text: String =
            (0..length).map(|_| alphabet[random.usize(..alphabet.len())]).collect();
        let judge = Regex::new(&format!(r"\A(?:{expression})\z")).unwrap();
        if expression.starts_with('"') {
            text = format!("\"{text}\"");
        }
        with_rule(expression, |rule| {
            assert_eq!(rule.matches(&text), judge.is_match(&text), "{expression} {text}");
            let Some(derivation) = rule.derive(&text) else { return };
            derived += 1;
            for it in derivation.shorter() {
                let new = it.apply(&text);
                assert!(new.len() < text.len(), "{expression} {text} {new}");
                assert!(judge.is_match(&new), "{expression} {text} {new}");
            }
            for it in derivation.simpler(|c| if c.is_ascii_hexdigit() { '0' } else { 'a' }) {
                let new = it.apply(&text);
                assert!(judge.is_match(&new), "{expression} {text} {new}");
            }
        });
    }
    assert!(derived > 200, "{derived}");
}

#[test]
fn hostile_expressions_and_long_tokens_take_a_bounded_time() {
    // A backtracking matcher without a memory would not come back.
    let many = "a".repeat(5_000);
    for expression in ["(a*)*b", "((a+)+)+b", "(a|a)*b", "(a?){60}a{60}b", "((a|a?)+)*?b"] {
        assert!(!with_rule(expression, |rule| rule.matches(&many)), "{expression}");
    }
    let large = with_rules("token = /((((a{9}){9}){9}){9}){9}/ ;", |rules| rules.len());
    assert_eq!(large, 0, "a rule that would be too large is unknown");
    // What would be too much work is refused.
    let long = "a".repeat(10_000_000);
    assert!(with_rule("[a-z]+", |rule| rule.derive(&long).is_none()));
    let long = format!("\"{}\"", "\\n".repeat(20_000));
    let count = shorter("\"(\\\\n|[^\"])*\"", &long).len();
    assert!(count < 300_000, "{count}");
}

#[test]
fn hidden_rules_that_use_each_other_are_looked_at_once() {
    let uses = |number: usize| {
        let all: Vec<String> = (0..12).map(|other| format!("\"{number}\" _r{other}")).collect();
        format!("_r{number} = /x/ | {} ;", all.join(" | "))
    };
    let rules: String = (0..12).map(uses).collect();
    assert!(with_rules(&format!("token = _r0 \".\" ; {rules}"), |rules| rules.is_empty()));
}

#[test]
fn a_long_chain_of_hidden_rules_is_not_lexical() {
    let next = |number: usize| format!("_r{number} = _r{} ;", number + 1);
    let chain = |length: usize| {
        let rules: String = (0..length).map(next).collect();
        with_rules(&format!("token = _r0 ; {rules} _r{length} = /a/ ;"), |rules| rules.len())
    };
    assert_eq!(chain(50), 1);
    // A rule within a rule takes a frame of the stack.
    assert_eq!(chain(20_000), 0);
}
