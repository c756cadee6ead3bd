//! Formats of lines: lines form records, and records form sections.
//!
//! A format defines which lines continue the record before them, which open a section and at what level, and which
//! words begin and end a block. Lines take precedence over brackets here: a bracket pairs only within its record.
//! Everything can be removed.

use std::ops::Range;

use crate::tree::outline::{self, Binding, Cluster, Item, Pieces, Visit};
use crate::tree::{Builder, PlainFormat};

use super::{items, label, put_visits};

/// How lines form records and sections.
pub(in crate::tree) struct Rows {
    /// Which lines open a section, the outermost level first. A section ends where another one of its level or of an
    /// outer level begins.
    pub(super) opens: &'static [fn(&Row<'_>) -> bool],
    /// Which lines continue the record before them.
    pub(super) continues: fn(&Row<'_>) -> bool,
    /// The words that begin and end a block. A block is a section that ends with its last line.
    pub(super) blocks: &'static [(&'static str, &'static str)],
    /// The characters around a record that don't belong to it.
    pub(super) blanks: &'static [u8],
}

/// Each line is a record.
pub(super) const PLAIN: Rows =
    Rows { opens: &[], continues: |_| false, blocks: &[], blanks: b" \t\r" };

/// A line with the text around it. No line has its line end.
pub(super) struct Row<'a> {
    pub(super) line: &'a [u8],
    /// The line before; empty before the first line.
    pub(super) before: &'a [u8],
    /// The line after; empty after the last line.
    pub(super) after: &'a [u8],
    /// The first line of the record before this line.
    pub(super) first: &'a [u8],
    /// Whether that record has a quote that is still open.
    pub(super) is_quoted: bool,
}

impl Row<'_> {
    /// The first word of the line.
    pub(super) fn word(&self) -> &[u8] {
        let word = self.line.trim_ascii_start();
        let end = word.iter().position(u8::is_ascii_whitespace).unwrap_or(word.len());
        &word[..end]
    }

    pub(super) fn is_indented(&self) -> bool {
        indent(self.line) > 0
    }

    /// Whether the line before ends with a backslash.
    pub(super) fn is_after_backslash(&self) -> bool {
        self.before.strip_suffix(b"\r").unwrap_or(self.before).ends_with(b"\\")
    }

    /// Whether the line is indented deeper than the first one of the record.
    pub(super) fn is_deeper(&self) -> bool {
        indent(self.line) > indent(self.first)
    }
}

/// A section that may still get records: its level, or the number of its block.
enum Open {
    Level(usize),
    Block(usize),
}

/// Builds the nodes of a text: sections, records, and the tokens of each record.
pub(super) fn put(format: &PlainFormat, rows: &Rows, text: &[u8], tree: &mut Builder<'_>) {
    let records = records(rows, text);
    let item = |_| Item { rows: (0, 0), column: 0, binding: Binding::Plain };
    let items: Vec<Item> = records.iter().map(item).collect();
    let grammar = (format.grammar)();
    let section = label(grammar, ((format.label)(Cluster::Section, &[]), true));
    let mut end = 0;
    let visits = sections(rows, text, &records, &items);
    for (index, visit) in visits.iter().enumerate() {
        match visit {
            Visit::Open(_) => {
                let first = visits[index..].iter().find_map(|visit| match visit {
                    Visit::Item(record) => Some(records[*record].start),
                    _ => None,
                });
                tree.open(section, first.unwrap_or(end));
            }
            Visit::Item(record) => {
                end = records[*record].end;
                put_record(format, text, records[*record].clone(), tree);
            }
            Visit::Close => tree.close(end),
        }
    }
}

/// Builds the nodes of a record: one, unless it is empty.
fn put_record(format: &PlainFormat, text: &[u8], range: Range<usize>, tree: &mut Builder<'_>) {
    let record = &text[range.clone()];
    let tokens = (format.tokens)(record);
    let items = items(record, &tokens);
    let balanced = outline::balanced(&items);
    let visits = outline::outline_balanced(&items, &balanced, format.fold);
    // A record with a single piece is that piece.
    let mut depth = 0;
    let tops = visits.iter().filter(|visit| {
        let is_top = depth == 0;
        match visit {
            Visit::Open(_) => depth += 1,
            Visit::Close => depth -= 1,
            Visit::Item(_) => {}
        }
        is_top && !matches!(visit, Visit::Close)
    });
    let is_line = tops.count() > 1;
    if is_line {
        let line = (format.label)(Cluster::Line, &tokens);
        tree.open(label((format.grammar)(), (line, true)), range.start);
    }
    put_visits(format, &tokens, &balanced, &visits, range.start, tree);
    if is_line {
        tree.close(range.end);
    }
}

/// The records of a text, without the blanks around them.
fn records(rows: &Rows, text: &[u8]) -> Vec<Range<usize>> {
    let mut records: Vec<Range<usize>> = Vec::new();
    let (mut first, mut quotes) = (&b""[..], Quotes::default());
    for_each_row(text, |range, before, after| {
        let line = &text[range.clone()];
        let row = Row { line, before, after, first, is_quoted: quotes.is_open };
        let is_content = |byte: &u8| !rows.blanks.contains(byte);
        let blanks = line.iter().position(is_content).unwrap_or(line.len());
        let end = range.start + line.iter().rposition(is_content).map_or(blanks, |last| last + 1);
        match records.last_mut() {
            Some(record) if (rows.continues)(&row) => record.end = record.end.max(end),
            _ if range.start + blanks == end => return,
            _ => {
                records.push(range.start + blanks..end);
                (first, quotes) = (line, Quotes::default());
            }
        }
        line.iter().chain(b"\n").for_each(|byte| quotes.see(*byte));
    });
    records
}

/// Whether a place is in quotes. Quotes open at the start of a field, and are doubled inside.
#[derive(Default)]
pub(super) struct Quotes {
    pub(super) is_open: bool,
    last: Option<u8>,
}

impl Quotes {
    pub(super) fn see(&mut self, byte: u8) {
        if byte == b'"' {
            let may_open = matches!(self.last, None | Some(b',' | b';' | b'\t' | b'"' | b'\n'));
            self.is_open = !self.is_open && may_open;
        }
        self.last = Some(byte);
    }
}

/// Calls a function with each line, and those before and after it.
fn for_each_row<'a>(text: &'a [u8], mut see: impl FnMut(Range<usize>, &'a [u8], &'a [u8])) {
    let mut lines = text.split(|byte| *byte == b'\n').peekable();
    let (mut start, mut before) = (0, &b""[..]);
    while let Some(line) = lines.next() {
        see(start..start + line.len(), before, lines.peek().copied().unwrap_or(b""));
        start += line.len() + 1;
        before = line;
    }
}

/// Puts records into sections and blocks.
fn sections(rows: &Rows, text: &[u8], records: &[Range<usize>], items: &[Item]) -> Vec<Visit> {
    let mut pieces = Pieces::of(items);
    // The whole, and the sections that may still get records.
    let mut open: Vec<(Option<Open>, Vec<usize>)> = vec![(None, Vec::new())];
    let close = |pieces: &mut Pieces<'_>, open: &mut Vec<(Option<Open>, Vec<usize>)>| {
        if let Some((_, inside)) = open.pop() {
            let section = pieces.join(Cluster::Section, inside);
            open.last_mut().expect("the whole is below all sections").1.push(section);
        }
    };
    let add = |open: &mut Vec<(Option<Open>, Vec<usize>)>, record: usize| {
        open.last_mut().expect("the whole is below all sections").1.push(record);
    };
    let mut record = 0;
    for_each_row(text, |range, before, after| {
        let starts = records.get(record).is_some_and(|record| range.contains(&record.start));
        if !starts {
            return;
        }
        let row = Row { line: &text[range], before, after, first: b"", is_quoted: false };
        let word = row.word();
        let level = rows.opens.iter().position(|opens| opens(&row));
        let begins = rows.blocks.iter().position(|(begin, _)| begin.as_bytes() == word);
        let ends = |block: &usize| rows.blocks[*block].1.as_bytes() == word;
        let ended = open
            .iter()
            .rposition(|(section, _)| matches!(section, Some(Open::Block(block)) if ends(block)));
        if let Some(block) = ended {
            while open.len() > block + 1 {
                close(&mut pieces, &mut open);
            }
            add(&mut open, record);
            close(&mut pieces, &mut open);
            record += 1;
            return;
        }
        while let (Some((Some(Open::Level(above)), _)), Some(level)) = (open.last(), level)
            && *above >= level
        {
            close(&mut pieces, &mut open);
        }
        match begins.map(Open::Block).or(level.map(Open::Level)) {
            Some(section) => open.push((Some(section), vec![record])),
            None => add(&mut open, record),
        }
        record += 1;
    });
    while open.len() > 1 {
        close(&mut pieces, &mut open);
    }
    pieces.visits(open.remove(0).1)
}

/// The number of blanks that a line begins with.
fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
