//! How much work texts are: counted, not timed.

use lop_antlr::{Cache, Grammar, Parsed, Parser, Source};

/// Statements that are declarations or expressions, with casts that look like calls: much is known only far ahead.
const STATEMENTS: &str = "grammar T;
    file : statement* EOF ;
    statement : 'if' '(' e ')' statement ('else' statement)? | '{' statement* '}' | declaration ';' | e ';' ;
    declaration : type ID ('=' e)? ;
    type : ID | type '*' | '(' type ')' ;
    e : assigned | choice ;
    assigned : unary '=' e ;
    choice : sum | sum '?' e ':' choice ;
    sum : product | sum '+' product | sum '-' product ;
    product : cast | product '*' cast ;
    cast : unary | '(' type ')' cast ;
    unary : primary | '-' cast ;
    primary : ID | '(' e ')' | primary '(' (e (',' e)*)? ')' ;
    ID : [a-z]+ ;
    SPACE : ' '+ -> skip ;";

/// An expression that can be read in exponentially many ways.
const AMBIGUOUS: &str = "grammar T;
    file : e* EOF ;
    e : e e | '(' list ')' | '(' e ')' | e '+' e | ID | ID '=' e ;
    list : e (',' e)* ;
    ID : [a-z]+ ;
    SPACE : ' '+ -> skip ;";

fn parse(grammar: &str, text: &str, cache: &mut Cache) -> Parsed {
    let source = Source { name: "T.g4".into(), text: grammar.into() };
    let grammar = Grammar::from_sources(vec![source], &|_| None).unwrap();
    Parser::new(grammar).unwrap().parse(text.as_bytes(), 0, cache)
}

/// A text that is twice as long takes at most a little more than twice the work.
fn check_linear(grammar: &str, part: &str) {
    let work = |count: usize| {
        let text = part.repeat(count);
        let parsed = parse(grammar, &text, &mut Cache::default());
        assert_eq!((parsed.errors.len(), parsed.gave_up_in), (0, None), "{part}");
        parsed.work
    };
    let (once, twice) = (work(200), work(400));
    assert!(twice < once * 2 + once / 4, "{part}: {once}, twice as long: {twice}");
}

#[test]
fn work_per_token_stays_constant_while_a_text_grows() {
    check_linear(STATEMENTS, "a * b; (a) * b = f((c)(d, -e), (g)) + (h);");
    check_linear(STATEMENTS, "if (a) { (b)(c); } else if (d) e = f; else { g * h; }");
    check_linear(STATEMENTS, "a + (b * c - d(e, f)) * ((g) - h) ? i : j;");
    check_linear(AMBIGUOUS, "a b (c, d) (e) + (f = g) ");
}

/// Without merged calls, each bracket would double the work, or more.
#[test]
fn work_per_level_grows_at_most_with_the_depth() {
    for grammar in [STATEMENTS, AMBIGUOUS] {
        let end = if grammar == STATEMENTS { ";" } else { "" };
        let work = |depth: usize| {
            let text = format!("{}a{}{end}", "(".repeat(depth), ")".repeat(depth));
            let parsed = parse(grammar, &text, &mut Cache::default());
            assert_eq!((parsed.errors.len(), parsed.gave_up_in), (0, None), "{depth}");
            parsed.work
        };
        let (once, twice) = (work(100), work(200));
        assert!(twice < once * 5, "{once}, twice as deep: {twice}");
    }
}

#[test]
fn a_text_that_is_parsed_again_takes_less_work() {
    let mut cache = Cache::default();
    let text = "{ a * (b) = (c)(d, (e)); }".repeat(20);
    let source = Source { name: "T.g4".into(), text: STATEMENTS.into() };
    let parser = Parser::new(Grammar::from_sources(vec![source], &|_| None).unwrap()).unwrap();
    let mut work = || parser.parse(text.as_bytes(), 0, &mut cache).work;
    let (first, second) = (work(), work());
    assert!(second * 2 < first, "{first}, then {second}");
}
