//! Trees of texts, compared with those that ANTLR itself makes (`scripts/antlr-trees`), and grammars that are wrong.

use std::fs;
use std::path::{Path, PathBuf};

use lop_antlr::{Cache, Grammar, NodeKind, Parsed, Parser, Source};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// The entries of a directory, in order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// Each grammar of the tests with its start rule and its inputs.
fn grammars() -> Vec<(Parser, usize, Vec<PathBuf>)> {
    let load = |place: &PathBuf| {
        let file = |end: &str| folder("grammars").join(format!("{}{end}.g4", name(place)));
        let path = [file(""), file("Parser")].into_iter().find(|path| path.exists()).unwrap();
        let grammar = Grammar::load(&[path]).unwrap_or_else(|problems| panic!("{}", problems[0]));
        let [start] = &entries(place)[..] else { panic!("{} has one start rule", place.display()) };
        let rule = grammar.rule(&name(start)).unwrap();
        (Parser::new(grammar).unwrap(), rule, entries(start))
    };
    entries(&folder("inputs")).iter().map(load).collect()
}

/// All text of a tree is in its tokens.
fn check_text(parsed: &Parsed, text: &[u8]) {
    let mut at = 0;
    for token in &parsed.tokens {
        assert_eq!(token.start, at, "tokens have no gaps");
        at = token.end;
    }
    assert_eq!(at as usize, text.len());
    let in_tree = parsed.nodes.iter().filter_map(|node| match node.what {
        NodeKind::Token(token) | NodeKind::Error(token) => Some(token),
        _ => None,
    });
    let seen =
        (0..parsed.tokens.len() as u32).filter(|token| !parsed.tokens[*token as usize].is_hidden);
    assert!(in_tree.eq(seen), "every token that the parser sees is in the tree once, in order");
}

#[test]
fn good_inputs_have_the_trees_of_antlr() {
    let mut compared = 0;
    for (parser, start, inputs) in grammars() {
        for input in inputs.iter().filter(|input| input.extension().is_some_and(|it| it == "tree"))
        {
            let text = fs::read(input.with_extension("txt")).unwrap();
            let parsed = parser.parse(&text, start, &mut Cache::default());
            check_text(&parsed, &text);
            // The end of the text is a leaf of ANTLR's.
            let expected = fs::read_to_string(input).unwrap().replace(" <EOF>", "");
            assert_eq!(parser.drawn(&parsed, &text).trim(), expected.trim(), "{}", input.display());
            assert!(parsed.errors.is_empty(), "{}", input.display());
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared} trees");
}

#[test]
fn inputs_are_accepted_or_refused_as_they_should_be() {
    for (parser, start, inputs) in grammars() {
        // With what was found out about other texts, too.
        let mut cache = Cache::default();
        for input in inputs.iter().filter(|input| input.extension().is_some_and(|it| it == "txt")) {
            let text = fs::read(input).unwrap();
            let parsed = parser.parse(&text, start, &mut cache);
            check_text(&parsed, &text);
            assert_eq!(
                parsed.errors.is_empty(),
                name(input).starts_with("good"),
                "{}",
                input.display()
            );
        }
    }
}

fn parser(text: &str) -> Result<Parser, Vec<String>> {
    let source = Source { name: "T.g4".into(), text: text.into() };
    let shown = |problems: Vec<lop_antlr::Problem>| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let grammar = Grammar::from_sources(vec![source], &|_| None).map_err(shown)?;
    Parser::new(grammar).map_err(|problems| problems.iter().map(ToString::to_string).collect())
}

#[test]
fn many_errors_are_reported_in_one_run_with_their_lines() {
    let errors =
        parser("grammar T;\na : b 'x ;\nc : (d | e ;\nf : A -> jump ;\ng : h i ;\nB : [a-z ;\n")
            .unwrap_err();
    let all = errors.join("\n");
    assert!(errors.len() >= 5, "{all}");
    for part in [
        "T.g4:2:7: error:",
        "closing '",
        "T.g4:5:5: error: the rule `h` is not defined\n  5 | g : h i ;\n    |     ^",
        "a set of characters begins here",
    ] {
        assert!(all.contains(part), "{part} in {all}");
    }
}

#[test]
fn rules_that_begin_with_each_other_are_refused_by_name() {
    let errors = parser("grammar T; a : b 'x' ; b : c? a | 'y' ; c : 'z' ;").unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("a → b → a"), "{errors:?}");
    assert!(parser("grammar T; a : a 'x' | 'y' ;").is_ok());
}

/// Parses texts with the first rule of a grammar; the answers are ANTLR's.
fn check(grammar: &str, accepted: &[&str], refused: &[&str]) {
    let parser = parser(grammar).unwrap_or_else(|errors| panic!("{grammar}: {}", errors[0]));
    let mut cache = Cache::default();
    for (texts, is_accepted) in [(accepted, true), (refused, false)] {
        for text in texts {
            let parsed = parser.parse(text.as_bytes(), 0, &mut cache);
            check_text(&parsed, text.as_bytes());
            assert_eq!(parsed.errors.is_empty(), is_accepted, "{text:?} in {grammar}");
        }
    }
}

#[test]
fn halves_of_pairs_in_sets_leave_the_characters_around_them() {
    check(
        r"grammar T; s : (A | B)* EOF ; A : [\uD800-\uFFFF] ; B : '\uD83D\uDE00' ;",
        &["", "\u{e000}\u{f900}", "😀"],
        &["a", "😁"],
    );
    check(r"grammar T; s : A* EOF ; A : '\u00e4'..'\uDFFF' ;", &["äö漢"], &["a", "\u{e000}"]);
    let none =
        parser(r"grammar T; s : A* EOF ; A : 'a' | [\uD800-\uDBFF] [\uDC00-\uDFFF] ;").unwrap();
    assert!(none.grammar().to_rules().is_ok());
}

#[test]
fn the_last_of_skip_more_and_type_says_what_a_token_is() {
    let grammar =
        "grammar T; s : A* EOF ; A : 'a' ; B : 'b' -> skip, type(A) ; C : 'c' -> type(A), skip ;";
    check(grammar, &["abc"], &["d"]);
    let parser = parser(grammar).unwrap();
    let drawn = parser.drawn(&parser.parse(b"abc", 0, &mut Cache::default()), b"abc");
    assert_eq!(drawn, "(s a b)");
}

#[test]
fn a_token_that_is_not_complete_ends_with_the_text() {
    let lexer = "grammar T; s : (TEXT | A)* EOF ; A : 'a' ; Q : '\"' -> more, mode(S) ; mode S; TEXT : '\"' -> mode(0) ; X : . -> more ;";
    check(lexer, &["a\"b\"a", "a\"b"], &["b"]);
    check("grammar T; s : LINE+ EOF ; LINE : [a-z]* ('\\n' | EOF) ;", &["", "a", "a\nb"], &["1"]);
    check("grammar T; s : (A NL)* EOF ; A : 'a' ; NL : '\\n' | EOF ;", &["a\n"], &["", "a"]);
}

#[test]
fn a_byte_order_mark_is_not_a_part_of_a_text() {
    check("\u{feff}grammar T; s : 'a' EOF ;", &["\u{feff}a", "a"], &["a\u{feff}", ""]);
}

#[test]
fn code_may_have_braces_in_texts_and_comments_and_apostrophes() {
    for code in [
        "{ f('}') }",
        "{ f(\"}\"); /* } */ g('a long { text') }",
        "{ // it's }\n }",
        "{ fn f<'a>() {}\n }",
    ] {
        check(
            &format!(
                "grammar T; @members {code} s : {code} 'a' x[{{, \"]\", y[1]] {code} EOF ; x : 'b' ;"
            ),
            &["ab"],
            &["a"],
        );
    }
    check(
        "grammar T; options { /* a; b = c */ language = Java; // d;\n caseInsensitive = true; } s : 'a' EOF ;",
        &["A"],
        &[],
    );
    check("grammar T; s : {x} A b[new int[] {1}] EOF ; b : 'b' ; A : 'a' ;", &["ab"], &[]);
}

#[test]
fn vocabularies_are_grammars_or_lists_of_tokens_and_lexers_need_none() {
    let source = |name: &str, text: &str| Source { name: name.into(), text: text.into() };
    let find = |name: &str| match name {
        "Lexer" => Some(source(
            "Lexer.g4",
            "lexer grammar Lexer; options { tokenVocab = Other; } A : 'a' ;",
        )),
        "List" => Some(source("List.tokens", "A=1\nB=2\n'c'=3\n")),
        _ => None,
    };
    for text in [
        "parser grammar T; options { tokenVocab = Lexer; } s : A EOF ;",
        "grammar T; options { tokenVocab = List; } s : (A | B) EOF ; A : 'a' ;",
    ] {
        let grammar = Grammar::from_sources(vec![source("T.g4", text)], &find).unwrap();
        assert!(grammar.warnings.is_empty(), "{}", grammar.warnings[0]);
        let parser = Parser::new(grammar).unwrap();
        assert!(parser.parse(b"a", 0, &mut Cache::default()).errors.is_empty());
    }
}

#[test]
fn a_text_is_parsed_with_the_rule_that_ends_with_its_end() {
    for (text, start) in [
        ("grammar T; a : 'x' ; unused : a ; b : a b? EOF ; c : ';' | EOF ;", "b"),
        ("grammar T; a : 'x' ; b : a EOF ;", "b"),
        ("grammar T; a : b ; b : 'x' ;", "a"),
    ] {
        let parser = parser(text).unwrap();
        let found =
            parser.grammar().start().and_then(|rule| parser.grammar().rule_names().nth(rule));
        assert_eq!(found, Some(start), "{text}");
    }
}

#[test]
fn a_loop_over_the_end_of_the_text_ends() {
    let parser =
        parser("grammar T; file : row* EOF ; row : WORD? ('\\n' | EOF) ; WORD : [a-z]+ ;").unwrap();
    for text in ["", "a", "a\n", "\n\nb"] {
        let parsed = parser.parse(text.as_bytes(), 0, &mut Cache::default());
        check_text(&parsed, text.as_bytes());
    }
}

#[test]
fn arbitrary_bytes_neither_panic_nor_hang_nor_lose_text() {
    let mut random = lop_testing::random();
    for (parser, start, inputs) in grammars() {
        let samples: Vec<Vec<u8>> = inputs.iter().map(|input| fs::read(input).unwrap()).collect();
        let mut cache = Cache::default();
        for _ in 0..60 {
            let mut text = samples[random.usize(..samples.len())].clone();
            for _ in 0..random.usize(1..6) {
                let at = random.usize(..=text.len());
                match random.u8(..4) {
                    0 => text.truncate(at),
                    1 => text.insert(at, random.u8(..)),
                    2 if at < text.len() => text[at] = random.u8(..),
                    _ => text = [&text[at..], &text[..at]].concat(),
                }
            }
            let parsed = parser.parse(&text, start, &mut cache);
            check_text(&parsed, &text);
        }
    }
}

#[test]
fn arbitrary_grammars_neither_panic_nor_hang() {
    let mut random = lop_testing::random();
    let samples: Vec<String> =
        entries(&folder("grammars")).iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for _ in 0..300 {
        let mut text: Vec<char> = samples[random.usize(..samples.len())].chars().collect();
        for _ in 0..random.usize(1..8) {
            let at = random.usize(..text.len().max(1)).min(text.len());
            let end = (at + random.usize(1..30)).min(text.len());
            match random.u8(..4) {
                0 => drop(text.drain(at..end)),
                1 => text.insert(at, char::from(b"{}[]()|;:'\\~.*+?<>#@-="[random.usize(..22)])),
                2 => text.splice(at..at, text[at..end].to_vec()).for_each(drop),
                _ => text.truncate(at),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(parser) = parser(&text)
            && parser.grammar().rule_names().next().is_some()
        {
            let parsed = parser.parse(text.as_bytes(), 0, &mut Cache::default());
            check_text(&parsed, text.as_bytes());
        }
    }
}
