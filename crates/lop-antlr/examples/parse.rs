//! Prints the tree of a text: `cargo run --example parse -- GRAMMAR… START FILE`.

use lop_antlr::{Cache, Grammar, NodeKind, Parser};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [grammars @ .., start, file] = &args[..] else { panic!("GRAMMAR… START FILE") };
    let paths: Vec<_> = grammars.iter().map(Into::into).collect();
    let grammar = Grammar::load(&paths).unwrap_or_else(|problems| {
        problems.iter().for_each(|problem| eprintln!("{problem}"));
        std::process::exit(1)
    });
    let rule = grammar.rule(start).expect("the start rule is defined");
    let parser = Parser::new(grammar).unwrap_or_else(|problems| panic!("{problems:?}"));
    let text = std::fs::read(file).expect("the file can be read");
    let parsed = parser.parse(&text, rule, &mut Cache::default());
    println!("{}", parser.drawn(&parsed, &text));
    eprintln!(
        "{} tokens, {} errors {:?}",
        parsed.tokens.len(),
        parsed.errors.len(),
        parsed.gave_up_in
    );
    let _ = NodeKind::Rule(0);
}
