//! A generator for `lop gen`: sums and products of small numbers.
//!
//! `lop gen --find --generator target/debug/examples/expression TEST bug.choices`

use lop_choice::{Source, external};

fn expression(s: &mut Source) -> String {
    match s.integer(0..=2) {
        0 => s.integer(0..=99_u32).to_string(),
        1 => format!("({} + {})", s.draw(expression), s.draw(expression)),
        _ => format!("max({})", s.list(1.., expression).join(", ")),
    }
}

fn main() -> std::process::ExitCode {
    external::main(|s| s.draw(expression) + "\n")
}
