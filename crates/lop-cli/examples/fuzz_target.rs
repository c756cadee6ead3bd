//! A fuzz target as `cargo fuzz` would have it: bytes become a value by the crate `arbitrary`, and a value can crash it.
//!
//! Fuzzers call such a function in a loop; when it crashes, they keep the bytes in a file and run the target on that file again. So this
//! program takes a file. `lop tmin CRASH -- target/debug/examples/fuzz_target {}` makes the file smaller.

use arbitrary::{Arbitrary, Unstructured};

#[derive(Arbitrary, Debug)]
enum Step {
    Push(u16),
    Pop,
    Swap { first: u8, second: u8 },
    Name(String),
}

/// A stack with a mistake: what was swapped is not looked for.
fn target(steps: Vec<Step>) {
    let mut stack = Vec::new();
    for step in steps {
        match step {
            Step::Push(number) => stack.push(number),
            Step::Pop => drop(stack.pop()),
            Step::Swap { first, second } if usize::from(first) < stack.len() => {
                stack.swap(first.into(), second.into())
            }
            Step::Swap { .. } => {}
            Step::Name(name) => stack.truncate(99 + name.len()),
        }
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("the name of a file");
    let bytes = std::fs::read(path).expect("a file that can be read");
    let steps = Vec::arbitrary(&mut Unstructured::new(&bytes));
    if std::env::var_os("SHOW").is_some() {
        println!("{steps:?}");
    }
    steps.into_iter().for_each(target);
}
