//! A small queue of jobs.
#![allow(dead_code)]

use std::collections::HashMap as Map;
use std::fmt::{self, Display};

const LIMIT: usize = 0x10;
static NAMES: [&str; 2] = ["first", "it's \"second\"\n"];

/// What a job may be.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind<'a, T> {
    Empty,
    Named(&'a str, u8),
    Full { value: T, weight: f64 },
}

pub trait Cost {
    type Unit: Into<u64>;
    const BASE: u64 = 1;

    fn cost(&self) -> Self::Unit;
    fn double(&self) -> u64 {
        self.cost().into() * 2 + Self::BASE
    }
}

#[derive(Default)]
pub struct Queue<T: Clone = i32> {
    pub(crate) items: Vec<T>,
    counts: Map<String, usize>,
}

struct Unit;
struct Pair(i32, pub i64);

impl<T> Queue<T>
where
    T: Clone + Display + 'static,
{
    pub fn push(&mut self, item: T) -> Result<(), String> {
        if self.items.len() >= LIMIT && !cfg!(debug_assertions) {
            return Err(format!("full: {item:>5} {}", self.items.len()));
        } else if let Some(count) = self.counts.get_mut("all") {
            *count += 1;
        } else {
            self.counts.insert("all".to_owned(), 1);
        }
        self.items.push(item.clone());
        Ok(())
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.0, self.1)
    }
}

macro_rules! sum {
    ($($x:expr),* $(,)?) => { 0 $(+ $x)* };
}

fn describe<T: Display>(kind: &Kind<'_, T>) -> String {
    match kind {
        Kind::Empty => String::new(),
        Kind::Named(name, 0..=9 | 99) if !name.is_empty() => name.to_string(),
        Kind::Named(..) => r#"a "raw" name"#.into(),
        Kind::Full { value, weight: _ } => value.to_string(),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut queue: Queue<i64> = Queue { items: vec![1, 2], ..Default::default() };
    'outer: for i in (0..10).rev() {
        while let Some(last) = queue.items.pop() {
            if last as i32 == -1 || i % 3 == 0 { continue 'outer; }
        }
        queue.push(i << 2)?;
    }
    let add = |a: i32, b| -> i32 { a + b };
    let text = loop { break 'x'; };
    let [first, .., last] = [1u8, 2, 3];
    unsafe { std::ptr::read(&first) };
    let full = Kind::Full { value: 1.5e3, weight: 0. };
    println!("{} {text} {last} {}", add(1, sum!(1, 2)), describe(&full));
    Ok(()) /* done */
}
