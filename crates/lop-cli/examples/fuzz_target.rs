//! A fuzz target like those of `cargo fuzz`: the crate `arbitrary` turns bytes into a value, and some values crash it.
//!
//! A fuzzer calls such a function in a loop, stores the bytes that crash it in a file, and can run the target on that
//! file again. So this program takes a file. `lop tmin CRASH -- target/debug/examples/fuzz_target {}` reduces it.

use arbitrary::{Arbitrary, Unstructured};

#[derive(Arbitrary, Debug)]
enum Step {
    Push(u16),
    Pop,
    Swap { first: u8, second: u8 },
    Name(String),
}

/// A stack with a mistake: `Swap` does not check its second index.
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
