//! Tables: rows of fields with a separator between them. A field in quotes may contain separators and line ends.

use std::ops::Range;
use std::sync::OnceLock;

use lop_grammar::Grammar;

use crate::tree::PlainFormat;
use crate::tree::outline::{self, Cluster};

use super::rows::{PLAIN, Quotes, Rows};
use super::{Token, own};

pub(in crate::tree) const CSV: PlainFormat = PlainFormat {
    name: "csv",
    about: "rows of fields",
    extensions: &["csv"],
    names: &[],
    looks: |_| false,
    grammar,
    rows: Some(&Rows { continues: |row| row.is_quoted, blanks: b" \r", ..PLAIN }),
    tokens: |record| {
        let has = |separator: u8| record.contains(&separator);
        fields(record, if has(b';') && !has(b',') { b';' } else { b',' })
    },
    fold: outline::flat,
    label: |cluster, _| if cluster == Cluster::Section { "section" } else { "row" },
    can_be_laid_out: false,
    is_strict: false,
    constants: &[],
    joins: b"",
    repair: |candidate| candidate,
};

pub(in crate::tree) const TSV: PlainFormat = PlainFormat {
    name: "tsv",
    extensions: &["tsv", "tab"],
    tokens: |record| fields(record, b'\t'),
    ..CSV
};

/// A field may be empty, so it can be removed with or without a separator.
fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    own(
        &GRAMMAR,
        "table",
        r#"
        document = (row | field | section)* ;
        section  = (row | field)* ;
        row      = field? ("," field?)* | field? (";" field?)* | field? ("tab" field?)* ;
        field    = /[^,]+/ ;
        "#,
    )
}

fn fields(record: &[u8], separator: u8) -> Vec<Token> {
    let name = match separator {
        b',' => ",",
        b';' => ";",
        _ => "tab",
    };
    let (mut tokens, mut start, mut quotes) = (Vec::new(), 0, Quotes::default());
    let field =
        |range: Range<usize>| (!range.is_empty()).then(|| Token::new(("field", true), range));
    for (at, byte) in record.iter().enumerate() {
        quotes.see(*byte);
        if *byte == separator && !quotes.is_open {
            tokens.extend(field(start..at));
            tokens.push(Token::new((name, false), at..at + 1));
            start = at + 1;
        }
    }
    tokens.extend(field(start..record.len()));
    tokens
}
