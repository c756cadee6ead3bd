//! Formats of lines, as data: see `rows.rs`. Protobuf is one of statements instead.

use crate::tree::PlainFormat;
use crate::tree::outline::{self, Binding};

use super::rows::{PLAIN, Row, Rows};
use super::text::bound_tokens;
use super::{TEXT, hunks};

pub(in crate::tree) const INI: PlainFormat = PlainFormat {
    name: "ini",
    about: "sections with their entries",
    extensions: &["ini", "cfg", "desktop", "service", "inf", "editorconfig"],
    names: &[".editorconfig", ".gitconfig"],
    looks: |content| {
        let mut lines = first_lines(content);
        let is_entry = |line: &[u8]| line.contains(&b'=') || line.contains(&b':');
        lines.next().is_some_and(is_header)
            && lines.next().is_some_and(|line| is_header(line) || is_entry(line))
    },
    rows: Some(&Rows {
        opens: &[|row| is_header(row.line)],
        // Entries may be indented, too.
        continues: |row| row.is_after_backslash() || row.is_deeper() && !is_header(row.first),
        ..PLAIN
    }),
    ..TEXT
};

pub(in crate::tree) const PROPERTIES: PlainFormat = PlainFormat {
    name: "properties",
    about: "entries of one or more lines",
    extensions: &["properties", "env"],
    names: &[".env"],
    rows: Some(&Rows { continues: |row| row.is_after_backslash(), ..PLAIN }),
    ..TEXT
};

pub(in crate::tree) const LOG: PlainFormat = PlainFormat {
    name: "log",
    about: "records of a line and the indented lines below it, such as stack traces",
    extensions: &["log"],
    looks: |content| {
        let lines =
            || first_lines(content).filter(|line| !line[0].is_ascii_whitespace()).take(SOME);
        lines().count() > 1 && lines().all(begins_with_time)
    },
    rows: Some(&Rows {
        continues: |row| {
            row.is_deeper() || ["Caused by:", "Suppressed:"].iter().any(|start| begins(row, start))
        },
        ..PLAIN
    }),
    ..TEXT
};

pub(in crate::tree) const MAKEFILE: PlainFormat = PlainFormat {
    name: "makefile",
    about: "rules with their recipes, assignments, conditionals",
    extensions: &["mk", "mak", "make"],
    names: &["Makefile", "GNUmakefile"],
    rows: Some(&Rows {
        opens: &[|row| row.line.first() != Some(&b'\t')],
        continues: |row| row.is_after_backslash(),
        blocks: &[
            ("ifeq", "endif"),
            ("ifneq", "endif"),
            ("ifdef", "endif"),
            ("ifndef", "endif"),
            ("define", "endef"),
        ],
        ..PLAIN
    }),
    ..TEXT
};

pub(in crate::tree) const DOCKERFILE: PlainFormat = PlainFormat {
    name: "dockerfile",
    about: "stages with their instructions",
    extensions: &["dockerfile", "containerfile"],
    names: &["Dockerfile", "Containerfile"],
    rows: Some(&Rows {
        opens: &[|row| row.word().eq_ignore_ascii_case(b"from")],
        continues: |row| row.is_after_backslash(),
        ..PLAIN
    }),
    ..TEXT
};

pub(in crate::tree) const ASSEMBLY: PlainFormat = PlainFormat {
    name: "assembly",
    about: "sections, labels with their instructions, macros",
    extensions: &["s", "asm"],
    rows: Some(&Rows {
        opens: &[
            |row| [&b".text"[..], b".data", b".bss", b".section", b"section"].contains(&row.word()),
            |row| is_label(row) && !is_local(row),
            is_label,
        ],
        continues: |row| row.is_after_backslash(),
        blocks: &[(".macro", ".endm"), (".if", ".endif"), ("%macro", "%endmacro")],
        ..PLAIN
    }),
    ..TEXT
};

pub(in crate::tree) const DIFF: PlainFormat = PlainFormat {
    name: "diff",
    about: "files with their hunks",
    extensions: &["diff", "patch"],
    looks: |content| {
        let first = first_lines(content).next().unwrap_or_default();
        first.starts_with(b"diff --git ")
            || first.starts_with(b"--- ")
                && first_lines(content).any(|line| line.starts_with(b"@@ -"))
    },
    rows: Some(&Rows {
        opens: &[
            |row| {
                begins(row, "diff ") || is_file_header(row) && !begins_any(row.before, GIT_HEADER)
            },
            |row| begins(row, "@@ "),
        ],
        ..PLAIN
    }),
    repair: hunks::repair,
    ..TEXT
};

pub(in crate::tree) const MBOX: PlainFormat = PlainFormat {
    name: "mbox",
    about: "messages with their headers and paragraphs",
    extensions: &["mbox", "eml"],
    looks: |content| {
        let mut lines = first_lines(content);
        let is_header =
            |line: &[u8]| line.first().is_some_and(u8::is_ascii_uppercase) && line.contains(&b':');
        lines.next().is_some_and(|line| line.starts_with(b"From "))
            && lines.next().is_some_and(is_header)
    },
    rows: Some(&Rows {
        opens: &[
            |row| begins(row, "From ") && row.before.trim_ascii().is_empty(),
            |row| row.before.trim_ascii().is_empty(),
        ],
        continues: |row| row.is_indented() && !row.before.trim_ascii().is_empty(),
        ..PLAIN
    }),
    ..TEXT
};

pub(in crate::tree) const PROTOBUF: PlainFormat = PlainFormat {
    name: "protobuf",
    about: "statements that end with a semicolon or with braces",
    extensions: &["proto", "thrift"],
    tokens: |text| {
        bound_tokens(text, |token| match token {
            b";" => Binding::End,
            // A comment is not part of any statement.
            [b'/', b'/' | b'*', ..] => Binding::Apart,
            _ => Binding::Plain,
        })
    },
    fold: outline::statements,
    ..TEXT
};

/// The number of lines that must look like a log.
const SOME: usize = 5;

/// The lines between `diff` and `---` in what git writes.
const GIT_HEADER: &[&str] = &[
    "diff ",
    "index ",
    "new file ",
    "deleted file ",
    "old mode ",
    "new mode ",
    "similarity ",
    "rename ",
    "copy ",
];

/// The first meaningful lines: not blank, and not comments.
fn first_lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b";"))
        .take(50)
}

fn begins(row: &Row<'_>, start: &str) -> bool {
    row.line.starts_with(start.as_bytes())
}

fn begins_any(line: &[u8], starts: &[&str]) -> bool {
    starts.iter().any(|start| line.starts_with(start.as_bytes()))
}

/// Whether a line is the header of a section: `[name]`, and maybe a comment.
fn is_header(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let name = line
        .strip_prefix(b"[")
        .and_then(|rest| Some(&rest[..rest.iter().rposition(|byte| *byte == b']')?]));
    name.is_some_and(|name| !name.is_empty() && !name.iter().any(|byte| b",{}".contains(byte)))
}

/// Whether a line begins with a date or a time of day, maybe in brackets.
fn begins_with_time(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"[").unwrap_or(line);
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    matches!(
        (digits, line.get(digits)),
        (2 | 4, Some(b'-' | b':' | b'/' | b'.')) | (10.., Some(b'.' | b' ' | b']'))
    )
}

/// Whether a line begins with a label.
fn is_label(row: &Row<'_>) -> bool {
    let word = row.word();
    let name = word.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.$@?".contains(byte);
    name.len() < word.len() && !name.is_empty() && name.iter().all(is_name)
}

/// Whether a label is local to the one before it.
fn is_local(row: &Row<'_>) -> bool {
    row.word().first().is_some_and(|byte| *byte == b'.' || byte.is_ascii_digit())
}

/// Whether a line and the next one name the two files of a difference.
fn is_file_header(row: &Row<'_>) -> bool {
    hunks::are_files(row.line, row.after)
}
