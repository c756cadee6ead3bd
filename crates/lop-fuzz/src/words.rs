//! What people write: rules, strategies, options.

use std::sync::Arc;

use lop::oracle::Votes;
use lop::rules::Rules;
use lop::tree::{Format, Tree};
use lop::{Strategy, parse_signal, similar, strategy};

use crate::trees::known;

/// Any text as rewrite rules for C; those that are read are applied.
pub(crate) fn rules(bytes: &[u8]) {
    let Some(format) = known("c") else { return };
    let text = String::from_utf8_lossy(bytes);
    match Rules::read(&text, &**format.parser()) {
        Ok(rules) => {
            let text = Arc::new(b"int f(int a) { if (a) { g(a + 1); } return 2 * a; }\n".to_vec());
            let tree = Tree::parse(&text, format);
            for changes in rules.proposals(&tree).take(50) {
                tree.candidate(&changes).bytes();
            }
        }
        Err(error) => assert!(error.line >= 1 && !error.message.is_empty()),
    }
}

/// Any text as a strategy: one that is read is written and read as the same.
pub(crate) fn strategy(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match text.parse::<Strategy>() {
        Ok(strategy) => {
            let written = strategy.to_string();
            let again = written.parse::<Strategy>().expect("what is written is read").to_string();
            assert_eq!(again, written);
            for phase in strategy.phases() {
                let _ = strategy.without(&phase);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Any text as the values of options.
pub(crate) fn options(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(votes) = text.parse::<Votes>() {
        assert_eq!(votes.to_string().parse(), Ok(votes));
    }
    let _ = (
        parse_signal(&text),
        strategy::phase_name(&text),
        similar(&text, ["lines", "tokens", "opdd"]),
    );
    let _ = Format::guess(text.as_ref().as_ref(), bytes);
    let _ = Format::named(&text);
}
