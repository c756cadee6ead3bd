//! Makes texts presentable on a terminal, whatever bytes they have.

use std::fmt::Write;

/// The width of a tab.
const TAB: &str = "  ";
/// The number of bytes that show whether a file is text.
const SAMPLE: usize = 4096;

/// A line of a text, with characters replaced that would control the terminal.
pub(super) fn shown(line: &[u8]) -> String {
    let mut text = String::new();
    for char in String::from_utf8_lossy(line).chars() {
        match char {
            '\t' => text.push_str(TAB),
            '\r' => {}
            char if char.is_control() || is_invisible(char) => text.push('·'),
            char => text.push(char),
        }
    }
    text
}

/// Characters that change the direction or the place of others.
fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The first lines of a text, each with its number; for binary data, bytes with their offsets.
pub(super) fn first_lines(text: &[u8], most: usize) -> Vec<(String, String)> {
    if text[..text.len().min(SAMPLE)].contains(&0) {
        return bytes(text, most);
    }
    let text = text.trim_ascii_end();
    let lines = text.split(|byte| *byte == b'\n').enumerate().take(most);
    let numbered = |(index, line): (usize, &[u8])| {
        // Text beyond the widest terminal is skipped.
        (format!("{:>4}", index + 1), shown(&line[..line.len().min(SAMPLE)]))
    };
    lines.filter(|_| !text.is_empty()).map(numbered).collect()
}

fn bytes(text: &[u8], most: usize) -> Vec<(String, String)> {
    let row = |(index, row): (usize, &[u8])| {
        let hex = row.iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x} ");
            hex
        });
        let is_shown = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
        let char = |byte: &u8| if is_shown(byte) { char::from(*byte) } else { '·' };
        let chars: String = row.iter().map(char).collect();
        (format!("{:>4x}", index * 8), format!("{hex:<24} {chars}"))
    };
    text.chunks(8).enumerate().take(most).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_reaches_the_terminal_as_a_command() {
        assert_eq!(shown(b"a\tb\r"), "a  b");
        assert_eq!(shown(b"\x1b[31mred\x07"), "·[31mred·");
        assert_eq!(shown("x\u{202e}y\u{9b}z".as_bytes()), "x·y·z");
        assert_eq!(shown(b"\xff\xc3\xa9"), "\u{fffd}é");
    }

    #[test]
    fn the_first_lines_are_numbered_and_binary_data_are_shown_as_bytes() {
        let check = |text: &[u8], expected: &[(&str, &str)]| {
            let lines = first_lines(text, 3);
            let lines: Vec<_> = lines.iter().map(|(left, right)| (&left[..], &right[..])).collect();
            assert_eq!(lines, expected);
        };
        check(b"", &[]);
        check(b"a\n \n", &[("   1", "a")]);
        check(b"a\n\nb\nc\n", &[("   1", "a"), ("   2", ""), ("   3", "b")]);
        check(b"PNG\x00\xff", &[("   0", "50 4e 47 00 ff           PNG··")]);
    }
}
