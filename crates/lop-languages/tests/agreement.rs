//! Parsers and grammars are of one version.

use lop_languages::{TABLE, find, is_bundled};

#[test]
fn every_parser_agrees_with_its_grammar_on_every_symbol() {
    let mut count = 0;
    for entry in TABLE.iter().filter(|entry| is_bundled(entry.name)) {
        let language = find(entry.name).unwrap();
        assert_eq!(language.disagreements(), Vec::<String>::new(), "{}", entry.name);
        count += 1;
    }
    assert!(count > 0, "no language is part of this build");
}
