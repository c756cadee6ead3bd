//! The answers of content models, on small grammars.

use lop_grammar::{Grammar, GrammarBuilder, Label, Quantifier, Rule, Run};

/// A node's children, written as labels with blanks between; tokens are quoted.
fn word(grammar: &Grammar, children: &str) -> Vec<Label> {
    let label = |child: &str| match child.strip_prefix('\'') {
        _ if child == "·" => Label::TEXT,
        Some(token) => grammar.label(token.trim_end_matches('\''), false).unwrap(),
        None => grammar.label(child, true).unwrap(),
    };
    children.split_whitespace().map(label).collect()
}

fn run<'a>(grammar: &'a Grammar, rule: &str, children: &str) -> Option<Run<'a>> {
    grammar.model(grammar.rule(rule).unwrap()).run(&word(grammar, children))
}

/// Checks which children may be removed, as one line of `x` and `.`.
fn check_cuts(notation: &str, children: &str, expected: &str) {
    let grammar = Grammar::parse("test", notation).unwrap();
    let run = run(&grammar, "node", children).unwrap_or_else(|| panic!("{children} is a node"));
    let count = children.split_whitespace().count();
    let cuts: String =
        (0..count).map(|child| if run.may_cut(child..child + 1) { 'x' } else { '.' }).collect();
    assert_eq!(cuts, expected, "{notation} {children}");
}

#[test]
fn what_is_optional_or_repeated_may_go() {
    check_cuts("node = a b? c ; a = /a/ ; b = /b/ ; c = /c/ ;", "a b c", ".x.");
    check_cuts("node = a b* c ; a = /a/ ; b = /b/ ; c = /c/ ;", "a b b c", ".xx.");
    check_cuts("node = b+ ; b = /b/ ;", "b b", "xx");
    check_cuts("node = b+ ; b = /b/ ;", "b", ".");
    check_cuts("node = (a b)? c ; a = /a/ ; b = /b/ ; c = /c/ ;", "a b c", "...");
}

#[test]
fn hidden_rules_are_expanded_in_place() {
    check_cuts("node = _list ; _list = a | _list a ; a = /a/ ;", "a a a", "xxx");
    check_cuts("node = a _rest? ; _rest = b c? ; a = /a/ ; b = /b/ ; c = /c/ ;", "a b c", "..x");
}

#[test]
fn an_element_goes_with_its_separator() {
    let grammar = Grammar::parse("test", "node = \"(\" (a (\",\" a)*)? \")\" ; a = /a/ ;").unwrap();
    let run = run(&grammar, "node", "'( a ', a ', a ')").unwrap();
    assert!(run.may_cut(1..3) && run.may_cut(2..4) && run.may_cut(4..6) && run.may_cut(1..6));
    assert!(!run.may_cut(1..2) && !run.may_cut(2..3) && !run.may_cut(0..2));
    assert!(run.stands([0, 3, 6]) && run.stands([0, 6]) && !run.stands([0, 1, 3, 6]));
}

#[test]
fn what_the_rule_allows_may_stand_in_for_a_child() {
    let grammar = Grammar::parse(
        "test",
        "node = _item* ; _item = block | a | \";\" ; block = \"{\" _item* \"}\" ; a = /a/ ;",
    )
    .unwrap();
    let [a, block, semicolon] = word(&grammar, "a block ';")[..] else { unreachable!() };
    let run = run(&grammar, "node", "a block").unwrap();
    assert!(run.may_replace(1, a) && run.may_replace(0, block) && run.may_replace(0, semicolon));
    assert!(run.may_splice(1, &[a, a, semicolon]));
    let [brace] = word(&grammar, "'{")[..] else { unreachable!() };
    assert!(!run.may_replace(1, brace) && !run.may_splice(1, &[a, brace]));
}

#[test]
fn quantifiers_are_those_of_the_rule() {
    let grammar = Grammar::parse(
        "test",
        "node = a b? c* d+ (e f)* ; \
         a = /a/ ; b = /b/ ; c = /c/ ; d = /d/ ; e = /e/ ; f = /f/ ;",
    )
    .unwrap();
    let run = run(&grammar, "node", "a b c d e f").unwrap();
    let signs: String = (0..6).map(|child| format!("{}.", run.quantifier(child).sign())).collect();
    assert_eq!(signs, ".?.*.+.*.*.");
    assert_eq!(run.quantifier(3), Quantifier::Plus);
}

#[test]
fn a_token_without_a_node_is_neither_invented_nor_lost() {
    let grammar = Grammar::parse("test", "node = a (/[0-9]+/ | b) ; a = /a/ ; b = /b/ ;").unwrap();
    let with_b = run(&grammar, "node", "a b").unwrap();
    // A number could be there, but none is.
    assert!(!with_b.may_cut(1..2));
    assert!(run(&grammar, "node", "a").is_none());
    let with_text = run(&grammar, "node", "a ·").unwrap();
    assert!(!with_text.may_cut(1..2));
    let optional = Grammar::parse("test", "node = a /[0-9]+/? ; a = /a/ ;").unwrap();
    assert!(run(&optional, "node", "a ·").unwrap().may_cut(1..2));
    // A line end is white space, which isn't a child.
    let line = Grammar::parse("test", "node = a /\\n/ ; a = /a/ ;").unwrap();
    assert!(run(&line, "node", "a").is_some());
    // Two tokens in a row are one piece of text.
    let two = Grammar::parse("test", "node = /x/ /y/ a ; a = /a/ ;").unwrap();
    assert!(run(&two, "node", "· a").is_some());
    assert!(run(&two, "node", "a").is_none());
}

#[test]
fn a_cut_that_needs_a_blank_token_is_sure_only_where_one_was() {
    // A statement ends with a semicolon or a line end; a list of them needs no new line end when one
    // is removed.
    let grammar =
        Grammar::parse("test", "node = _s* ; _s = a _end ; _end = \";\" | /\\n/ ; a = /a/ ;")
            .unwrap();
    let run = run(&grammar, "node", "a a '; a").unwrap();
    assert!(run.may_cut(0..1) && run.is_sure_cut(0..1));
    assert!(run.may_cut(1..3) && run.is_sure_cut(1..3));
    assert!(run.may_cut(2..3) && !run.is_sure_cut(2..3));
}

#[test]
fn recursion_at_either_end_is_exact_and_recursion_in_the_middle_says_that_it_is_not() {
    let check = |rules: &str| {
        let grammar = Grammar::parse("test", &format!("node = _r ; {rules} a = /a/ ;")).unwrap();
        grammar.model(grammar.rule("node").unwrap()).is_approximate()
    };
    assert!(!check("_r = a _r | a ;"));
    assert!(!check("_r = _r a | a ;"));
    assert!(!check("_r = a (_r | a)? ;"));
    assert!(check("_r = \"(\" _r \")\" | a ;"));
    assert!(!check("_r = a _s? ; _s = \",\" _r ;"));
    assert!(check("_r = a _s? ; _s = \",\" _r \";\" ;"));
}

#[test]
fn a_minimal_text_that_was_set_stays_and_is_used_in_others() {
    let source = r#"call = name "(" name ")" ; name = /[a-z]+/ ; list = call+ ;"#;
    let mut grammar = Grammar::parse("calls", source).unwrap();
    assert!(grammar.set_minimal("name", "xyz"));
    assert!(!grammar.set_minimal("nothing", ""));
    let minimal = |name| grammar.minimal(grammar.label(name, true).unwrap());
    assert_eq!([minimal("name"), minimal("list")], [Some("xyz"), Some("xyz(xyz)")]);
    let mut grammar = Grammar::parse("calls", source).unwrap();
    assert!(grammar.set_minimal("call", ""));
    assert_eq!(grammar.minimal(grammar.label("list", true).unwrap()), Some(""));
}

#[test]
fn the_minimal_text_is_the_shortest_derivation() {
    let grammar = Grammar::parse(
        "test",
        "block = \"{\" _statement* \"}\" ; \
         _statement = if | expression \";\" | block ; \
         if = \"if\" \"(\" expression \")\" _statement (\"else\" _statement)? ; \
         expression = name | call ; \
         call = expression \"(\" \")\" ; \
         loop = \"while\" name _statement ; \
         endless = \"x\" endless ; \
         name = /[a-z]+/ ;",
    )
    .unwrap();
    let minimal = |name| grammar.minimal(grammar.label(name, true).unwrap());
    assert_eq!(minimal("block"), Some("{}"));
    assert_eq!(minimal("if"), Some("if(a)a;"));
    assert_eq!(minimal("call"), Some("a()"));
    assert_eq!(minimal("loop"), Some("while a{}"));
    assert_eq!(minimal("endless"), None);
    assert_eq!(grammar.minimal(grammar.label("else", false).unwrap()), Some("else"));
}

#[test]
fn of_tokens_that_other_code_recognises_only_layout_has_a_known_text() {
    let mut builder = GrammarBuilder::new("test");
    let around = |start, inner, end| Rule::seq([start, inner, end].map(Rule::symbol));
    builder.rule("block", around("_indent", "name", "_layout_end"));
    builder.rule("string", around("_string_start", "name", "_string_end"));
    builder.rule("name", Rule::literal("a"));
    for name in ["_indent", "_layout_end", "_string_start", "_string_end"] {
        builder.external(name);
    }
    let grammar = builder.build().unwrap();
    let minimal = |name| grammar.minimal(grammar.label(name, true).unwrap());
    assert_eq!(minimal("block"), Some("a"));
    assert_eq!(minimal("string"), None);
}

#[test]
fn a_required_repetition_keeps_one() {
    let mut grammar = Grammar::parse("test", "node = a* ; a = /a/ ;").unwrap();
    grammar.require_one("node");
    assert!(run(&grammar, "node", "a a").unwrap().may_cut(0..1));
    assert!(!run(&grammar, "node", "a").unwrap().may_cut(0..1));
}

/// All words of up to three letters, compared with a plain derivation of the rule.
#[test]
fn a_model_accepts_what_the_rule_derives_and_nothing_else() {
    let mut random = lop_testing::random();
    for _ in 0..200 {
        let (rule, words) = random_rule(&mut random, 3);
        let grammar =
            Grammar::parse("test", &format!("node = {rule} ; a = /a/ ; b = /b/ ; c = /c/ ;"))
                .unwrap();
        for length in 0..=3u32 {
            for number in 0..3usize.pow(length) {
                let letters: Vec<usize> =
                    (0..length).map(|place| number / 3usize.pow(place) % 3).collect();
                let children: Vec<&str> = letters.iter().map(|l| ["a", "b", "c"][*l]).collect();
                let accepted = run(&grammar, "node", &children.join(" ")).is_some();
                assert_eq!(accepted, words.contains(&letters), "{rule}: {children:?}");
            }
        }
    }
}

/// A random rule, and all the words of up to three letters that it derives.
fn random_rule(random: &mut fastrand::Rng, depth: usize) -> (String, Vec<Vec<usize>>) {
    let short = |mut words: Vec<Vec<usize>>| {
        words.retain(|word| word.len() <= 3);
        words.sort();
        words.dedup();
        words
    };
    let concatenate = |left: &[Vec<usize>], right: &[Vec<usize>]| {
        short(left.iter().flat_map(|l| right.iter().map(move |r| [&l[..], r].concat())).collect())
    };
    if depth == 0 || random.u8(..4) == 0 {
        let letter = random.usize(..3);
        return (["a", "b", "c"][letter].to_owned(), vec![vec![letter]]);
    }
    let (left, left_words) = random_rule(random, depth - 1);
    match random.u8(..5) {
        0 => (format!("({left})?"), short([left_words, vec![vec![]]].concat())),
        kind @ (1 | 2) => {
            let mut words = if kind == 1 { vec![vec![]] } else { left_words.clone() };
            for _ in 0..3 {
                words = short([words.clone(), concatenate(&words, &left_words)].concat());
            }
            (format!("({left}){}", if kind == 1 { "*" } else { "+" }), words)
        }
        kind => {
            let (right, right_words) = random_rule(random, depth - 1);
            match kind {
                3 => (format!("({left} {right})"), concatenate(&left_words, &right_words)),
                _ => (format!("({left} | {right})"), short([left_words, right_words].concat())),
            }
        }
    }
}
