//! Random small generators: what they draw, and from what.

use std::fmt;

use fastrand::Rng;

/// What a generator draws from: a source of choices, or the enumeration of all of them.
pub(crate) trait Draws {
    /// Draws a number of a range; the closer to 0, the simpler. A range of one number takes no choice.
    fn number(&mut self, low: i64, high: i64) -> i64;
    /// Draws a list by a choice before each item.
    fn list(&mut self, least: usize, most: usize, item: &mut dyn FnMut(&mut dyn Draws));
    /// Draws something whose choices belong together.
    fn span(&mut self, name: &'static str, body: &mut dyn FnMut(&mut dyn Draws));
}

/// A generator.
#[derive(Clone, Debug)]
pub(crate) enum Generator {
    Number(i64, i64),
    /// A list with a choice before each item.
    List(usize, usize, Box<Generator>),
    /// A list whose length is drawn first; whether each item has a span.
    Counted(usize, bool, Box<Generator>),
    Tuple(Vec<Generator>),
    /// One of several, by a selector.
    OneOf(Vec<Generator>),
    /// A tree whose inner nodes have some children, down to a depth at which only leaves are possible.
    Tree(usize, usize, Box<Generator>),
    /// A length, then two lists of it.
    Parallel(usize, Box<Generator>, Box<Generator>),
    /// A list, and an index into it.
    Indexed(usize, Box<Generator>),
    /// A number of things in some order.
    Permutation(usize),
    /// Some flags, and one of those that are set.
    Flags(usize),
}

/// What a generator makes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(i64),
    Several(&'static str, Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Several(name, all) => {
                write!(f, "{name}(")?;
                for (at, value) in all.iter().enumerate() {
                    write!(f, "{}{value}", if at > 0 { " " } else { "" })?;
                }
                write!(f, ")")
            }
        }
    }
}

impl Generator {
    /// A random generator; the deeper, the simpler.
    pub(crate) fn random(random: &mut Rng, depth: usize) -> Generator {
        let below = |random: &mut Rng| Box::new(Generator::random(random, depth + 1));
        match random.usize(..if depth == 0 { 9 } else { 12 }) {
            0 | 1 => Generator::List(random.usize(..2), 12, below(random)),
            2 => Generator::Counted(10, random.bool(), below(random)),
            3 => Generator::Tuple((0..random.usize(2..4)).map(|_| *below(random)).collect()),
            4 if depth < 2 => Generator::Tree(
                random.usize(2..5),
                random.usize(1..3),
                Box::new(Generator::leaf(random)),
            ),
            5 => Generator::Parallel(
                8,
                Box::new(Generator::leaf(random)),
                Box::new(Generator::leaf(random)),
            ),
            6 => Generator::Indexed(8, Box::new(Generator::leaf(random))),
            7 => Generator::Permutation(random.usize(3..7)),
            8 => Generator::Flags(random.usize(3..6)),
            9 if depth < 2 => {
                Generator::OneOf((0..random.usize(2..4)).map(|_| *below(random)).collect())
            }
            _ => Generator::leaf(random),
        }
    }

    fn leaf(random: &mut Rng) -> Generator {
        let high = random.i64(1..6);
        Generator::Number(if random.u8(..4) == 0 { -high } else { 0 }, high)
    }

    pub(crate) fn draw(&self, s: &mut dyn Draws) -> Value {
        let mut all = Vec::new();
        match self {
            Generator::Number(low, high) => Value::Number(s.number(*low, *high)),
            Generator::List(least, most, item) => {
                s.list(*least, *most, &mut |s| all.push(item.draw(s)));
                Value::Several("list", all)
            }
            Generator::Counted(most, spans, item) => {
                for _ in 0..s.number(0, *most as i64) {
                    match spans {
                        true => s.span("counted", &mut |s| all.push(item.draw(s))),
                        false => all.push(item.draw(s)),
                    }
                }
                Value::Several("list", all)
            }
            Generator::Tuple(parts) => {
                parts.iter().for_each(|part| all.push(part.draw(s)));
                Value::Several("tuple", all)
            }
            Generator::OneOf(kinds) => {
                s.span("one of", &mut |s| {
                    let kind = s.number(0, kinds.len() as i64 - 1);
                    all.extend([Value::Number(kind), kinds[kind as usize].draw(s)]);
                });
                Value::Several("kind", all)
            }
            Generator::Tree(depth, children, leaf) => tree(s, *depth, *children, leaf),
            Generator::Parallel(most, left, right) => {
                let length = s.number(0, *most as i64);
                let mut one = Vec::new();
                let mut two = Vec::new();
                s.span("left", &mut |s| (0..length).for_each(|_| one.push(left.draw(s))));
                s.span("right", &mut |s| (0..length).for_each(|_| two.push(right.draw(s))));
                Value::Several(
                    "pairs",
                    vec![Value::Several("list", one), Value::Several("list", two)],
                )
            }
            Generator::Indexed(most, item) => {
                s.list(1, *most, &mut |s| all.push(item.draw(s)));
                let at = s.number(0, all.len() as i64 - 1);
                Value::Several("indexed", vec![Value::Several("list", all), Value::Number(at)])
            }
            Generator::Permutation(most) => {
                let mut left: Vec<i64> = (0..s.number(0, *most as i64)).collect();
                while !left.is_empty() {
                    let at = s.number(0, left.len() as i64 - 1);
                    all.push(Value::Number(left.remove(at as usize)));
                }
                Value::Several("list", all)
            }
            Generator::Flags(count) => {
                let flags: Vec<i64> = (0..*count).map(|_| s.number(0, 1)).collect();
                let set: Vec<i64> =
                    (0..*count as i64).filter(|at| flags[*at as usize] == 1).collect();
                all.extend(flags.into_iter().map(Value::Number));
                if !set.is_empty() {
                    all.push(Value::Number(set[s.number(0, set.len() as i64 - 1) as usize]));
                }
                Value::Several("flags", all)
            }
        }
    }
}

fn tree(s: &mut dyn Draws, depth: usize, children: usize, leaf: &Generator) -> Value {
    let mut all = Vec::new();
    let mut name = "leaf";
    s.span("tree", &mut |s| {
        if depth > 0 && s.number(0, 1) == 1 {
            name = "node";
            all.extend((0..children).map(|_| tree(s, depth - 1, children, leaf)));
        }
        all.push(leaf.draw(s));
    });
    Value::Several(name, all)
}
