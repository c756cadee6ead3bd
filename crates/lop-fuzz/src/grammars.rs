//! Grammars, and texts that are parsed with them.

use std::sync::{Arc, LazyLock};

use lop::antlr::{Cache, Grammar, NodeKind, Parser, Source};
use lop::grammar;
use lop::tree::{AntlrOptions, Format};

use crate::choose;
use crate::trees::check_tree;

/// Separates a grammar from a text.
const LINE: &[u8] = b"\n====\n";
/// The grammars that texts are parsed with, as parsers and as formats.
static KNOWN: LazyLock<Vec<(Parser, Format)>> = LazyLock::new(|| {
    let parser = |text: &str| read(text).expect("the grammars of the tests are well-formed");
    GRAMMARS
        .iter()
        .map(|text| (parser(text), format(parser(text)).expect("it has a start")))
        .collect()
});

const GRAMMARS: [&str; 5] = [
    include_str!("../../lop-antlr/tests/grammars/Json.g4"),
    include_str!("../../lop-antlr/tests/grammars/Lisp.g4"),
    include_str!("../../lop-antlr/tests/grammars/Csv.g4"),
    include_str!("../../lop-antlr/tests/grammars/Sums.g4"),
    include_str!("../../lop-antlr/tests/grammars/Query.g4"),
];

/// Any text as a `.g4` file: it is refused with a message, or all that lop does with a grammar works.
pub(crate) fn antlr_grammar(bytes: &[u8]) {
    let _ = read(&String::from_utf8_lossy(bytes));
}

/// A `.g4` file and a text in its language.
pub(crate) fn antlr_both(bytes: &[u8]) {
    let at = (0..bytes.len()).find(|at| bytes[*at..].starts_with(LINE));
    let Some((grammar, text)) = at.map(|at| (&bytes[..at], &bytes[at + LINE.len()..])) else {
        return;
    };
    let Some(parser) = read(&String::from_utf8_lossy(grammar)) else { return };
    parse(&parser, text);
    if let Some(format) = format(parser) {
        check_tree(&Arc::new(text.to_vec()), &format);
    }
}

/// Any text in the language of a good grammar.
pub(crate) fn antlr_text(bytes: &[u8]) {
    let Some(((parser, format), text)) = choose(&KNOWN, bytes) else { return };
    parse(parser, text);
    check_tree(&Arc::new(text.to_vec()), format);
}

fn read(text: &str) -> Option<Parser> {
    let source = Source { name: "Fuzzed.g4".into(), text: text.to_owned() };
    let grammar = match Grammar::from_sources(vec![source], &|_| None) {
        Ok(grammar) => grammar,
        Err(problems) => {
            assert!(!problems.is_empty(), "a grammar is refused for a reason");
            assert!(problems.iter().all(|problem| !problem.to_string().is_empty()));
            return None;
        }
    };
    let names: Vec<String> =
        grammar.rule_names().chain(grammar.token_names()).map(str::to_owned).collect();
    for name in names {
        let _ = grammar.shown(&name);
    }
    let _ = (
        grammar.left_recursive().count(),
        grammar.start().map(|start| grammar.unreachable_from(start)),
    );
    if let Ok(rules) = grammar.to_rules() {
        check_rules(&rules);
    }
    Parser::new(grammar).ok()
}

fn format(parser: Parser) -> Option<Format> {
    let start = parser.grammar().start()?;
    Format::antlr(parser, start, &AntlrOptions::default()).ok()
}

fn parse(parser: &Parser, text: &[u8]) {
    let Some(start) = parser.grammar().start() else { return };
    let mut cache = Cache::default();
    let parsed = parser.parse(text, start, &mut cache);
    let mut at = 0;
    for token in &parsed.tokens {
        assert_eq!(token.start, at, "tokens have no gaps");
        at = token.end;
    }
    assert_eq!(at as usize, text.len());
    let in_tree = parsed.nodes.iter().filter_map(|node| match node.what {
        NodeKind::Token(token) | NodeKind::Error(token) => Some(token as usize),
        _ => None,
    });
    let seen = (0..parsed.tokens.len()).filter(|token| !parsed.tokens[*token].is_hidden);
    assert!(in_tree.eq(seen), "every token that the parser sees is in the tree once, in order");
    let again = parser.parse(text, start, &mut cache);
    assert_eq!(again.nodes, parsed.nodes, "what is remembered of a text changes nothing");
}

/// Any text as a `grammar.json` of tree-sitter.
pub(crate) fn grammar_json(bytes: &[u8]) {
    if let Ok(grammar) = grammar::Grammar::from_tree_sitter(&String::from_utf8_lossy(bytes)) {
        check_rules(&grammar);
    }
}

/// Any text in the short notation for grammars.
pub(crate) fn grammar_notation(bytes: &[u8]) {
    if let Ok(grammar) = grammar::Grammar::parse("fuzzed", &String::from_utf8_lossy(bytes)) {
        check_rules(&grammar);
    }
}

/// Asks a grammar what trees ask.
fn check_rules(grammar: &grammar::Grammar) {
    let labels: Vec<_> = grammar.labels().take(20).collect();
    for label in &labels {
        let least = grammar.minimal(*label).map(str::to_owned);
        assert_eq!(grammar.minimal(*label).map(str::to_owned), least);
        for rule in grammar.producers(*label) {
            let model = grammar.model(*rule);
            for inner in &labels {
                if let Some(run) = model.run(&[*inner]) {
                    let _ = (run.may_cut(0..1), run.quantifier(0));
                }
            }
        }
        for inner in labels.iter().take(5) {
            let _ = grammar.wrapper(*label, *inner);
        }
    }
}
