//! Gives names to unnamed values in LLVM assembly.
//!
//! Such a value has a number by its order in the function, and so has a block. Without one of them, all later ones
//! would have other numbers, so only the last one could be removed. With names, all of them can.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};

/// A copy of a text in which the values and blocks of functions have names; `None` if they have names already, or if a
/// type has a number, which cannot be distinguished from that of a value.
pub(super) fn named(text: &[u8]) -> Option<Vec<u8>> {
    static TYPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^%\d+ = type"));
    static FUNCTION: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"(?m)^define [^\n]*\n(?s:.*?)^\}"));
    if TYPE.is_match(text) {
        return None;
    }
    let mut functions = 0;
    let named = FUNCTION.replace_all(text, |found: &Captures<'_>| {
        functions += 1;
        function(&found[0], &letters(functions))
    });
    match named {
        Cow::Borrowed(_) => None,
        Cow::Owned(named) => Some(named).filter(|named| named != text),
    }
}

/// A function with a name for each value and block, which begins with some letters: other functions have other names.
fn function(text: &[u8], letters: &str) -> Vec<u8> {
    // Strings and quoted names stay unchanged.
    static VALUE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r#"(?m)"[^"]*"|%(?<value>\d+)\b|^(?<block>\d+):"#));
    let head = text.split_inclusive(|byte| *byte == b'\n').next().unwrap_or(text);
    let numbers = |part| VALUE.captures_iter(part).filter_map(|found| number(&found));
    // The first block has the number after the last parameter, unless it has a name.
    let first = numbers(head).max().map_or(0, |last| last + 1);
    let is_value = memchr::memmem::find(text, format!("%{first} = ").as_bytes()).is_some();
    let is_used = !is_value && numbers(&text[head.len()..]).any(|number| number == first);
    let named = |found: &Captures<'_>| match (found.name("value"), found.name("block")) {
        (Some(value), _) => [b"%", letters.as_bytes(), value.as_bytes()].concat(),
        (_, Some(block)) => [letters.as_bytes(), block.as_bytes(), b":"].concat(),
        _ => found[0].to_vec(),
    };
    let mut all = VALUE.replace_all(text, named).into_owned();
    if is_used {
        let end = VALUE.replace_all(head, named).len();
        all.splice(end..end, format!("{letters}{first}:\n").into_bytes());
    }
    all
}

/// A number from 1 on in letters: `a` to `z`, `aa`, `ab` and so on.
fn letters(number: usize) -> String {
    let mut letters = String::new();
    let mut left = number;
    while left > 0 {
        letters.insert(0, char::from(b'a' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    letters
}

/// The number of a value.
fn number(found: &Captures<'_>) -> Option<u64> {
    std::str::from_utf8(found.name("value")?.as_bytes()).ok()?.parse().ok()
}

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is well-formed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_blocks_without_a_name_get_one() {
        let text = br#"@s = global [2 x i8] c"%1"
define i32 @f(i32 %0) {
  %2 = add i32 %0, 1
  br label %3

3:
  %4 = phi i32 [ %2, %1 ], [ %4, %3 ]
  ret i32 %4
}
"#;
        let expected = br#"@s = global [2 x i8] c"%1"
define i32 @f(i32 %a0) {
a1:
  %a2 = add i32 %a0, 1
  br label %a3

a3:
  %a4 = phi i32 [ %a2, %a1 ], [ %a4, %a3 ]
  ret i32 %a4
}
"#;
        assert_eq!(
            named(text).unwrap().escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
        assert_eq!(named(expected), None);
    }

    #[test]
    fn a_first_block_with_a_name_gets_no_other() {
        let text = b"define i32 @f() {\nentry:\n  %0 = add i32 1, 1\n  ret i32 %0\n}\n";
        let expected = b"define i32 @f() {\nentry:\n  %a0 = add i32 1, 1\n  ret i32 %a0\n}\n";
        assert_eq!(named(text).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn functions_have_different_names() {
        let text = "define i8 @f(i8 %0) {\n  ret i8 %0\n}\n";
        let named = named(text.repeat(28).as_bytes()).unwrap();
        let named = String::from_utf8(named).unwrap();
        let uses: std::collections::HashSet<_> =
            named.lines().filter(|line| line.contains("ret")).collect();
        assert!(uses.len() == 28 && uses.contains("  ret i8 %ab0"), "{uses:?}");
    }

    #[test]
    fn types_with_numbers_are_left_alone() {
        assert_eq!(named(b"%0 = type { i8 }\ndefine void @f(%0* %0) {\n  ret void\n}\n"), None);
    }
}
