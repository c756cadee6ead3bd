//! Content streams: operations that draw a page, each an operator after its operands.

use std::ops::Range;

use super::syntax::{Kind, Token, next, skip, value};

/// The operations of a stream.
pub(super) struct Content {
    pub(super) tokens: Vec<Token>,
    pub(super) operations: Vec<Operation>,
    /// Whether all openings (`q`, `BT`, `BDC` …) are closed in the right order.
    pub(super) is_balanced: bool,
}

pub(super) struct Operation {
    /// Its operands and its operator.
    pub(super) tokens: Range<usize>,
    pub(super) nesting: Nesting,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nesting {
    None,
    Opens,
    Closes,
}

/// The operators with the numbers of their operands, or `ANY`.
const OPERATORS: &[(&str, usize)] = &[
    ("b", 0),
    ("B", 0),
    ("b*", 0),
    ("B*", 0),
    ("BDC", 2),
    ("BMC", 1),
    ("BT", 0),
    ("BX", 0),
    ("c", 6),
    ("cm", 6),
    ("CS", 1),
    ("cs", 1),
    ("d", 2),
    ("d0", 2),
    ("d1", 6),
    ("Do", 1),
    ("DP", 2),
    ("EMC", 0),
    ("ET", 0),
    ("EX", 0),
    ("f", 0),
    ("F", 0),
    ("f*", 0),
    ("G", 1),
    ("g", 1),
    ("gs", 1),
    ("h", 0),
    ("i", 1),
    ("j", 1),
    ("J", 1),
    ("K", 4),
    ("k", 4),
    ("l", 2),
    ("m", 2),
    ("M", 1),
    ("MP", 1),
    ("n", 0),
    ("q", 0),
    ("Q", 0),
    ("re", 4),
    ("RG", 3),
    ("rg", 3),
    ("ri", 1),
    ("s", 0),
    ("S", 0),
    ("SC", ANY),
    ("sc", ANY),
    ("SCN", ANY),
    ("scn", ANY),
    ("sh", 1),
    ("T*", 0),
    ("Tc", 1),
    ("Td", 2),
    ("TD", 2),
    ("Tf", 2),
    ("Tj", 1),
    ("TJ", 1),
    ("TL", 1),
    ("Tm", 6),
    ("Tr", 1),
    ("Ts", 1),
    ("Tw", 1),
    ("Tz", 1),
    ("v", 4),
    ("w", 1),
    ("W", 0),
    ("W*", 0),
    ("y", 4),
    ("'", 1),
    ("\"", 3),
];
const ANY: usize = usize::MAX;

/// Operators that open and close.
const BRACKETS: &[(&str, &str)] =
    &[("q", "Q"), ("BT", "ET"), ("BDC", "EMC"), ("BMC", "EMC"), ("BX", "EX")];

impl Content {
    /// Reads a stream; `None` if anything in it isn't an operation with the right number of operands. That includes images
    /// within the stream, whose data has no length.
    pub(super) fn read(text: &[u8]) -> Option<Content> {
        let mut tokens = Vec::new();
        let mut operations = Vec::new();
        let mut open = Vec::new();
        let mut is_balanced = true;
        let mut at = 0;
        while skip(text, at) < text.len() {
            let start = tokens.len();
            let mut operands = 0;
            let operator = loop {
                let token = next(text, at)?;
                if token.kind == Kind::Word {
                    break token;
                }
                at = value(text, at, &mut tokens)?;
                operands += 1;
            };
            at = operator.end();
            tokens.push(operator);
            let word = str::from_utf8(operator.text(text)).ok()?;
            let (_, wanted) = OPERATORS.iter().find(|(operator, _)| *operator == word)?;
            if *wanted != ANY && *wanted != operands {
                return None;
            }
            let opens = BRACKETS.iter().find(|(opening, _)| *opening == word);
            let closes = BRACKETS.iter().find(|(_, closing)| *closing == word);
            let nesting = match (opens, closes) {
                (Some((_, closing)), _) => {
                    open.push(*closing);
                    Nesting::Opens
                }
                (_, Some((_, closing))) => {
                    is_balanced &= open.pop() == Some(*closing);
                    Nesting::Closes
                }
                _ => Nesting::None,
            };
            operations.push(Operation { tokens: start..tokens.len(), nesting });
        }
        let is_balanced = is_balanced && open.is_empty();
        Some(Content { tokens, operations, is_balanced })
    }
}
