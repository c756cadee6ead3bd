//! What passes propose for tokens: fewer characters, and simpler ones.

mod common;
#[path = "common/proposals.rs"]
mod proposals;

use std::sync::Arc;

use common::parse;
use lop::Reduction;
use lop::tree::{Format, NodeId};
use proposals::{proposed, proposes};

#[test]
fn lexemes_become_shorter_and_simpler_within_their_kind() {
    // A canonical token: the simplest of the same kind in the text.
    proposes("lexemes", "c", "int a = 17UL; int b = 4;", "int a = 4; int b = 4;");
    // Parts of a token are removed, and its characters become simpler.
    proposes("lexemes", "c", "int a = 17UL;", "int a = 17U;");
    proposes("lexemes", "c", "int a = 17;", "int a = 10;");
    proposes("lexemes", "python", "x = 'abc'\n", "x = 'ac'\n");
    proposes("lexemes", "json", "[\"abcd\"]", "[\"ab\"]");
    // All tokens of the same text together, or one of them.
    proposes("lexemes", "json", "[123, 123]", "[12, 12]");
    proposes("lexemes", "json", "[123, 123]", "[123, 12]");
    // Names have passes of their own, and keywords no other text, unless their rule has other words.
    assert!(proposed("lexemes", "c", "counter f(counter) { return; }").is_empty());
    proposes("lexemes", "c", "int a; double b;", "int a; int b;");
    let void = proposed("lexemes", "c", "void f(void);");
    assert_eq!(void, ["int f(int);", "int f(void);", "void f(int);"]);
}

/// What `lexemes` makes of a token, in its order. The text has a hole for the token, `·`.
fn tokens(format: &str, text: &str, token: &str) -> Vec<String> {
    let (before, after) = text.split_once('·').unwrap();
    let all = proposed("lexemes", format, &text.replace('·', token)).into_iter();
    let inside = all.map(|all| all[before.len()..all.len() - after.len()].to_owned());
    inside.collect()
}

/// Checks that some tokens are made of a token, in this order.
fn shortens(format: &str, text: &str, token: &str, expected: &[&str]) {
    let all = tokens(format, text, token);
    let places = expected.iter().map(|each| all.iter().position(|it| it == each).ok_or(each));
    let places: Vec<_> = places.collect();
    assert!(places.iter().all(Result::is_ok) && places.is_sorted(), "{token}: {places:?} {all:#?}");
}

#[test]
fn a_token_loses_optional_parts_and_alternatives_of_its_lexical_rule() {
    shortens("c", "int a = ·;", "0x1FUL", &["0", "0x1F", "0x1UL", "0x1FU"]);
    shortens("c", "float a = ·;", "1.5e-10f", &["0", "1", "1.5", "1e-10f", "1.5e10f", "1.5e-10"]);
    shortens("c", "float a = ·;", "12'345'678.f", &["12", "12'345.f", "12'345'678"]);
    shortens("javascript", "a = ·", "0x1_Fn", &["0", "0x1"]);
    shortens("javascript", "a = ·", "12.5e-10", &["0", "12", "12.5", "12e-10"]);
    shortens("python", "a = ·\n", "0x1F_FFL", &["0", "0x1FL", "0x1F_FF", "0x1FFFL"]);
    shortens("python", "a = ·\n", "1.5e-10j", &["0.", "1.", "1.5", "1.5j", "1.5e-10"]);
    // A part of a class, and a group, are not half of one.
    let class = tokens("javascript", "/·/", r"[a-z\d]+\/(?:b)");
    assert!(class.contains(&r"[a-z]+\/(?:b)".into()), "{class:#?}");
    assert!(!class.iter().any(|it| it.contains("]") && !it.contains("[")), "{class:#?}");
}

#[test]
fn a_string_loses_whole_escape_sequences_and_never_half_of_one() {
    for (format, text) in
        [("c", "char *a = \"·\";"), ("javascript", "a = \"·\""), ("python", "a = '·'\n")]
    {
        let all = tokens(format, text, r"z\n\x41\tz");
        for half in ["zn", "zx", "nx", "z4", "n4", r"z\n\xz", r"z\n\x\"] {
            assert!(!all.iter().any(|it| it.contains(half)), "{format} {half} {all:#?}");
        }
        assert!(all.iter().all(|it| !it.ends_with('\\')), "{format} {all:#?}");
        // In Python, a scanner recognises what is between the escape sequences.
        for whole in ["", r"z\n", r"\x41\tz", r"z\n\tz", r"z\x41\tz", r"\n\x41\tz"] {
            assert!(all.iter().any(|it| it == whole), "{format} {whole} {all:#?}");
        }
    }
    // White space around an escape sequence is a part of the string, too.
    shortens("python", "a = '·'\n", r"z \n z", &["", r"z \n ", r" \n z"]);
}

#[test]
fn every_token_that_lexemes_proposes_is_one_token_of_the_same_kind() {
    let mut random = lop_testing::random();
    let parts = ["0x", "1", "F", "0b1", ".", "5", "e-1", "e+", "_", "'", "U", "L", "n", "j", "f"];
    let inside = ["a", "Z", "9", r"\n", r"\x41", r"\101", r"\u0041", r"\\", r#"\""#, " "];
    let mut asked = 0;
    for round in 0..300 {
        let format = ["c", "javascript", "python", "java"][round % 4];
        let (pieces, quote): (&[&str], &str) =
            if random.bool() { (&parts, "") } else { (&inside, "\"") };
        let count = random.usize(1..7);
        let middle: String = (0..count).map(|_| pieces[random.usize(..pieces.len())]).collect();
        let token = format!("{quote}{middle}{quote}");
        let text = |token: &str| match format {
            "c" => format!("int a = {token};"),
            "java" => format!("class A {{ int a = {token}; }}"),
            _ => format!("a = {token}\n"),
        };
        // The tokens of a text and their kinds.
        let kinds = |text: &str| {
            let tree = parse(format, text);
            let has_error = tree.ids().any(|node| tree.is_error(node));
            let is_named = |node: &NodeId| tree.is_named(*node) && tree.text_of(*node) != b"";
            let nodes = tree.ids().filter(is_named).map(|node| tree.name(node).to_owned());
            // The rules of some kinds of numbers overlap.
            let kind = |name: String| match name.ends_with("_literal") {
                true => "literal".to_owned(),
                false => name,
            };
            let nodes = nodes.filter(|name| !is_inside_string(name)).map(kind);
            let nodes: Vec<String> = nodes.collect();
            (!has_error).then_some(nodes)
        };
        // Some texts are several tokens.
        let tree = parse(format, &text(&token));
        let is_token = |node: NodeId| {
            let parts = tree.descendants(node).filter(|below| tree.is_named(*below));
            tree.text_of(node) == token.as_bytes()
                && tree.is_named(node)
                && parts.map(|part| tree.name(part)).all(is_inside_string)
        };
        let before = kinds(&text(&token)).filter(|_| tree.ids().any(is_token));
        let Some(before) = before else { continue };
        for new in proposed("lexemes", format, &text(&token)) {
            asked += 1;
            assert_eq!(kinds(&new).as_ref(), Some(&before), "{format}: {token:?} becomes {new:?}");
        }
    }
    assert!(asked > 500, "{asked}");
}

/// Whether a node is a part of a string, of which there may be fewer.
fn is_inside_string(name: &str) -> bool {
    ["character", "content", "fragment", "escape_sequence"].iter().any(|part| name.contains(part))
}

#[test]
fn trim_removes_characters_of_all_tokens_but_names_and_keywords() {
    let all = proposed("trim", "javascript", "const long = 'abcd' >>> 17;");
    let first = ["const long = 'abcd' >>> 1;", "const long = 'abcd' >>> 7;"];
    assert_eq!(all[..2], first, "the last token comes first");
    assert!(all.contains(&"const long = 'abcd' >> 17;".to_owned()), "{all:#?}");
    assert!(all.contains(&"const long = 'cd' >>> 17;".to_owned()), "{all:#?}");
    assert!(all.contains(&"const long = 'acd' >>> 17;".to_owned()), "{all:#?}");
    assert!(all.iter().all(|text| text.starts_with("const long = '")), "{all:#?}");
    proposes("trim", "yaml", "a: some\n", "a: som\n");
    assert!(proposed("trim", "c", "void counter(void);").is_empty());
}

#[test]
fn lexemes_to_the_fixed_point_leave_no_character_that_could_be_removed() {
    let input = b"int x = 1234567890; char *s = \"some longer text\";".to_vec();
    let oracle = |candidate: &[u8]| {
        let text = String::from_utf8_lossy(candidate);
        let digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
        let digits: String = digits.into_iter().collect();
        text.contains("int x =")
            && digits.contains('7')
            && text.contains("\"")
            && text.contains("ge")
    };
    let mut reduction = Reduction::new(Arc::new(input), &oracle);
    reduction.format = Format::named("c").unwrap();
    reduction.strategy = "lexemes*".parse().unwrap();
    let report = reduction.run().unwrap();
    let text = String::from_utf8(report.best.text.to_vec()).unwrap();
    assert_eq!(text, "int x = 7; int *s = \"ge\";");
}
