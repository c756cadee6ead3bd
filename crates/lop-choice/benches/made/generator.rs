//! Random small generators: what they draw, and from what.

use std::fmt;

use fastrand::Rng;

/// What a generator draws from: a source of choices, or the enumeration of all of them.
pub(crate) trait Draws {
    /// Draws a number of a range; the closer to 0, the simpler.
    fn number(&mut self, low: i64, high: i64) -> i64;
    /// Draws a list by a choice before each item.
    fn list(&mut self, least: usize, most: usize, item: &mut dyn FnMut(&mut dyn Draws));
    /// Draws a number with a fraction; whole numbers and short fractions are simpler.
    fn real(&mut self, low: i64, high: i64) -> f64;
    /// Draws a character.
    fn sign(&mut self) -> char;
    /// Draws something whose choices belong together.
    fn span(&mut self, name: &'static str, body: &mut dyn FnMut(&mut dyn Draws));
}

/// A generator.
#[derive(Clone, Debug)]
pub(crate) enum Generator {
    Number(i64, i64),
    Real(i64, i64),
    Sign,
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
    /// A list with a choice before each item that does not belong to the span of the item.
    Flagged(usize, Box<Generator>),
    /// Numbers in order: each has the one before it as its least.
    Ascending(usize, i64),
    /// Steps of a machine with a stack; which steps are possible depends on its height.
    Machine(usize, Box<Generator>),
    /// A number of nodes, and edges between them.
    Graph(usize, usize),
    /// A number of rows and of columns, a table of that size, and a row more.
    Table(usize, usize, Box<Generator>),
    /// An expression: constants and operators, and only constants at a depth.
    Expression(usize, Box<Generator>),
}

/// What a generator makes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Number(i64),
    Real(f64),
    Sign(char),
    Several(&'static str, Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Real(number) => write!(f, "{number}"),
            Value::Sign(sign) => write!(f, "U+{:04X}", u32::from(*sign)),
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
        let leaf = |random: &mut Rng| Box::new(Generator::leaf(random));
        match random.usize(..if depth == 0 { 15 } else { 20 }) {
            0 | 1 => Generator::List(random.usize(..2), 12, below(random)),
            2 => Generator::Counted(10, random.bool(), below(random)),
            3 => Generator::Tuple((0..random.usize(2..4)).map(|_| *below(random)).collect()),
            4 if depth < 2 => Generator::Tree(random.usize(2..5), random.usize(1..3), leaf(random)),
            5 => Generator::Parallel(8, leaf(random), leaf(random)),
            6 => Generator::Indexed(8, leaf(random)),
            7 => Generator::Permutation(random.usize(3..7)),
            8 => Generator::Flags(random.usize(3..6)),
            9 => Generator::Flagged(8, below(random)),
            10 => Generator::Ascending(8, random.i64(3..8)),
            11 => Generator::Machine(12, leaf(random)),
            12 => Generator::Graph(random.usize(3..6), 8),
            13 => Generator::Table(4, 4, leaf(random)),
            14 if depth < 2 => Generator::Expression(random.usize(1..4), leaf(random)),
            15 if depth < 2 => {
                Generator::OneOf((0..random.usize(2..4)).map(|_| *below(random)).collect())
            }
            _ => *leaf(random),
        }
    }

    fn leaf(random: &mut Rng) -> Generator {
        let high = random.i64(1..6);
        match random.u8(..12) {
            0..=2 => Generator::Number(-high, high),
            3 => Generator::Number(0, 100 * high),
            4 | 5 => Generator::Real(0, high),
            6 | 7 => Generator::Sign,
            _ => Generator::Number(0, high),
        }
    }

    /// The generators of which it consists, and itself.
    pub(crate) fn all(&self) -> Vec<&Generator> {
        let parts: Vec<&Generator> = match self {
            Generator::List(_, _, part)
            | Generator::Counted(_, _, part)
            | Generator::Tree(_, _, part)
            | Generator::Indexed(_, part)
            | Generator::Flagged(_, part)
            | Generator::Machine(_, part)
            | Generator::Table(_, _, part)
            | Generator::Expression(_, part) => vec![part],
            Generator::Parallel(_, one, two) => vec![one, two],
            Generator::Tuple(parts) | Generator::OneOf(parts) => parts.iter().collect(),
            _ => Vec::new(),
        };
        parts.into_iter().flat_map(Generator::all).chain([self]).collect()
    }

    pub(crate) fn draw(&self, s: &mut dyn Draws) -> Value {
        let mut all = Vec::new();
        match self {
            Generator::Number(low, high) => Value::Number(s.number(*low, *high)),
            Generator::Real(low, high) => Value::Real(s.real(*low, *high)),
            Generator::Sign => Value::Sign(s.sign()),
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
            Generator::Flagged(most, item) => {
                while all.len() < *most && s.number(0, 1) == 1 {
                    s.span("flagged", &mut |s| all.push(item.draw(s)));
                }
                Value::Several("list", all)
            }
            Generator::Ascending(most, high) => {
                let mut last = 0;
                s.list(0, *most, &mut |s| {
                    last = s.number(last, *high);
                    all.push(Value::Number(last));
                });
                Value::Several("list", all)
            }
            Generator::Machine(most, item) => machine(s, *most, item),
            Generator::Graph(nodes, most) => {
                let nodes = s.number(1, *nodes as i64);
                all.push(Value::Number(nodes));
                s.list(0, *most, &mut |s| {
                    let ends = [s.number(0, nodes - 1), s.number(0, nodes - 1)];
                    all.push(Value::Several("edge", ends.map(Value::Number).into()));
                });
                Value::Several("graph", all)
            }
            Generator::Table(rows, columns, cell) => {
                let (rows, columns) = (s.number(0, *rows as i64), s.number(0, *columns as i64));
                let mut row = |s: &mut dyn Draws| {
                    let cells = (0..columns).map(|_| cell.draw(s)).collect();
                    all.push(Value::Several("row", cells));
                };
                (0..rows).for_each(|_| s.span("row", &mut row));
                row(s);
                Value::Several("table", all)
            }
            Generator::Expression(depth, constant) => expression(s, *depth, constant),
        }
    }
}

/// A step pushes something; if there is something, it may take it; if there are two, it may exchange the topmost one with another one.
fn machine(s: &mut dyn Draws, most: usize, item: &Generator) -> Value {
    let mut stack: Vec<Value> = Vec::new();
    let mut all = Vec::new();
    s.list(0, most, &mut |s| {
        let height = stack.len() as i64;
        all.push(match s.number(0, height.min(2)) {
            0 => {
                stack.push(item.draw(s));
                Value::Several("push", stack.last().cloned().into_iter().collect())
            }
            1 => Value::Several("pop", stack.pop().into_iter().collect()),
            _ => {
                let with = s.number(0, height - 2);
                stack.swap(with as usize, height as usize - 1);
                Value::Several("swap", vec![Value::Number(with)])
            }
        });
    });
    Value::Several("machine", vec![Value::Several("steps", all), Value::Several("stack", stack)])
}

fn expression(s: &mut dyn Draws, depth: usize, constant: &Generator) -> Value {
    let mut all = Vec::new();
    let mut name = "constant";
    s.span("expression", &mut |s| {
        let kind = s.number(0, if depth > 0 { 3 } else { 0 });
        let operands = if kind == 0 { 0 } else { 1 + usize::from(kind != 1) };
        name = ["constant", "minus", "plus", "times"][kind as usize];
        match operands {
            0 => all.push(constant.draw(s)),
            _ => all.extend((0..operands).map(|_| expression(s, depth - 1, constant))),
        }
    });
    Value::Several(name, all)
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
