//! Parsers and grammars are of one version.

use lop_languages::{Layout, TABLE, find, is_bundled};

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

#[test]
fn every_label_that_the_table_names_is_one_of_the_grammar() {
    for entry in TABLE.iter().filter(|entry| is_bundled(entry.name)) {
        let language = find(entry.name).unwrap();
        let minimal = entry.minimal.iter().map(|(label, _)| label);
        let islands = entry.islands.iter().flat_map(|island| [&island.inside, &island.node]);
        for label in entry.approximate.iter().chain(minimal).chain(islands) {
            let known = language.grammar().label(label, true).is_some();
            assert!(known, "{} has no label {label}", entry.name);
        }
        for island in entry.islands {
            assert!(TABLE.iter().any(|entry| entry.name == island.language));
        }
        if let Layout::Indented(rules) = entry.layout {
            for rule in rules {
                assert!(
                    language.grammar().rule(rule).is_some(),
                    "{} has no rule {rule}",
                    entry.name
                );
            }
        }
    }
}
