//! How long passes take to propose.
//!
//! `cargo bench -p lop --bench passes --features full -- [PASS...] FILE...` prints for each pass the number of its proposals, and the
//! seconds to the first of them and to all. `scripts/large DIR` makes files that are large enough.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use lop::passes::{Lore, PASSES, Pass};
use lop::tree::{Format, Tree};

fn main() {
    let arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let is_pass = |word: &String| PASSES.iter().any(|pass| pass.name == word);
    let (named, files): (Vec<String>, Vec<String>) = arguments.partition(is_pass);
    let is_named = |pass: &&Pass| named.is_empty() || named.iter().any(|name| name == pass.name);
    for file in files {
        let tree = parse(&file);
        println!("{file}: {} nodes", tree.len());
        println!("{:12} {:>10} {:>9} {:>9}", "pass", "proposals", "first", "all");
        for pass in PASSES.iter().filter(is_named) {
            let lore = Lore::default();
            let started = Instant::now();
            let mut proposals = (pass.propose)(&tree, &lore);
            let found = usize::from(proposals.next().is_some());
            let first = started.elapsed().as_secs_f64();
            let found = found + proposals.count();
            let all = started.elapsed().as_secs_f64();
            println!("{:12} {found:>10} {first:>8.2}s {all:>8.2}s", pass.name);
        }
    }
}

fn parse(file: &str) -> Tree {
    let text = std::fs::read(file).unwrap_or_else(|error| panic!("cannot read {file}: {error}"));
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str());
    let format = extension.and_then(Format::named);
    let format = format.unwrap_or_else(|| panic!("the language of {file} is unknown"));
    Tree::parse(&Arc::new(text), &format)
}
