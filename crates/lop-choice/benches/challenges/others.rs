//! More challenges, of kinds that the well-known ones leave out: texts, floating-point numbers, dependent choices, steps, matrices, graphs,
//! and generators that were not written for this library. There are no goals for their calls.

use lop_choice::{Source, Step};

use super::challenge::{Challenge, note};

const NONE: f64 = f64::INFINITY;

pub(crate) const OTHERS: &[Challenge] = &[
    Challenge { name: "two_letters", holds: two_letters, normal: "\"01\"", goal: NONE },
    Challenge { name: "long_text", holds: long_text, normal: "\"0000x\"", goal: NONE },
    Challenge { name: "quoted", holds: quoted, normal: "\"<0>\"", goal: NONE },
    Challenge { name: "absorbed", holds: absorbed, normal: "9007199254740992.0", goal: NONE },
    Challenge { name: "rounding", holds: rounding, normal: "(1.0, 0.5)", goal: NONE },
    Challenge { name: "fraction", holds: fraction, normal: "1.5", goal: NONE },
    Challenge { name: "leap_day", holds: leap_day, normal: "2000-02-29", goal: NONE },
    Challenge { name: "sum", holds: sum, normal: "[1000]", goal: NONE },
    Challenge { name: "flags", holds: flags, normal: "32896", goal: NONE },
    Challenge { name: "common_divisor", holds: common_divisor, normal: "(6, 6)", goal: NONE },
    Challenge { name: "matrix", holds: matrix, normal: "[[0, 0], [0, 1]]", goal: NONE },
    Challenge { name: "cycle", holds: cycle, normal: "2: [(0, 1), (1, 0)]", goal: NONE },
    Challenge { name: "queue", holds: queue, normal: "push push push pop", goal: NONE },
    Challenge { name: "deep", holds: deep, normal: "[[[]]]", goal: NONE },
    Challenge { name: "sorted_pairs", holds: sorted_pairs, normal: "[(0, 1), (0, 0)]", goal: NONE },
    Challenge { name: "bound_index", holds: bound_index, normal: "([0, 0, 0], 2)", goal: NONE },
    Challenge { name: "ordered", holds: ordered, normal: "[0, -1]", goal: NONE },
    Challenge { name: "variants", holds: variants, normal: "Triangle(1, 1, 11)", goal: NONE },
    Challenge { name: "table", holds: table, normal: "[[\"\"], [\",\"]]", goal: NONE },
    Challenge {
        name: "twin_texts",
        holds: twin_texts,
        normal: "[(0, \"a\"), (0, \"a\")]",
        goal: NONE,
    },
    Challenge { name: "own_list", holds: own_list, normal: "[3, 9]", goal: NONE },
];

/// A text with two different letters.
fn two_letters(s: &mut Source) -> bool {
    let text = s.text(..);
    note(s, format!("{text:?}"), text.len());
    let mut signs = text.chars().filter(|sign| sign.is_alphanumeric());
    let first = signs.next();
    signs.all(|sign| Some(sign) == first)
}

/// An x that does not come early.
fn long_text(s: &mut Source) -> bool {
    let text = s.text(..);
    note(s, format!("{text:?}"), text.len());
    text.chars().position(|sign| sign == 'x').is_none_or(|at| at < 4)
}

/// Something in angle brackets.
fn quoted(s: &mut Source) -> bool {
    let text = s.text_of("0123456789<>/", ..);
    note(s, format!("{text:?}"), text.len());
    let Some(open) = text.find('<') else { return true };
    text[open..].find('>').is_none_or(|close| close < 2)
}

/// A number to which nothing can be added.
fn absorbed(s: &mut Source) -> bool {
    let x = s.float(0.0..);
    note(s, format!("{x:?}"), 1);
    x.is_infinite() || x + 1.0 != x
}

/// Numbers of which the second does not divide the first, though it is smaller and the quotient is whole.
fn rounding(s: &mut Source) -> bool {
    let (x, y) = (s.float(0.0..1e9), s.float(0.0..1e9));
    note(s, format!("({x:?}, {y:?})"), 2);
    y == 0.0 || x <= y || y.fract() == 0.0
}

/// A number above 1 that is not whole.
fn fraction(s: &mut Source) -> bool {
    let x = s.float(..);
    note(s, format!("{x:?}"), 1);
    !x.is_finite() || x <= 1.0 || x.fract() == 0.0
}

/// A day whose range depends on its month, and that on its year.
fn leap_day(s: &mut Source) -> bool {
    let year: u32 = s.integer_near(1900..=2100, 2000);
    let month: u32 = s.integer(1..=12);
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last =
        [31, 28 + u32::from(is_leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month as usize - 1];
    let day: u32 = s.integer(1..=last);
    note(s, format!("{year}-{month:02}-{day:02}"), 3);
    (month, day) != (2, 29)
}

/// Numbers with a large sum.
fn sum(s: &mut Source) -> bool {
    let list: Vec<u32> = s.list(.., |s| s.integer(0..=10_000));
    note(s, format!("{list:?}"), list.len());
    list.iter().sum::<u32>() < 1000
}

/// Two bits that have to be set.
fn flags(s: &mut Source) -> bool {
    let number: u16 = s.integer(..);
    note(s, number, 1);
    number & 0x8080 != 0x8080
}

/// Numbers with something in common.
fn common_divisor(s: &mut Source) -> bool {
    let (x, y): (u32, u32) = (s.integer_near(1.., 1), s.integer_near(1.., 1));
    note(s, format!("({x}, {y})"), 2);
    let (mut a, mut b) = (x, y);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a <= 5
}

/// Rows and columns come first, then what is in them.
fn matrix(s: &mut Source) -> bool {
    let (rows, columns) = (s.integer(1..=8_usize), s.integer(1..=8_usize));
    let matrix: Vec<Vec<i32>> = s.repeat(rows, |s| s.repeat(columns, |s| s.integer(-9..=9)));
    note(s, format!("{matrix:?}"), rows * columns);
    // The last one is the only one that is not 0, or so they thought.
    rows < 2 || columns < 2 || matrix[rows - 1][columns - 1] == 0
}

/// A graph whose edges are pairs of indices.
fn cycle(s: &mut Source) -> bool {
    let nodes = s.integer(1..=12_usize);
    let edges: Vec<(usize, usize)> = s.list(.., |s| (s.integer(0..nodes), s.integer(0..nodes)));
    note(s, format!("{nodes}: {edges:?}"), nodes + edges.len());
    let mut reach = vec![vec![false; nodes]; nodes];
    edges.iter().filter(|(from, to)| from != to).for_each(|(from, to)| reach[*from][*to] = true);
    for by in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                reach[from][to] |= reach[from][by] && reach[by][to];
            }
        }
    }
    !(0..nodes).any(|node| reach[node][node])
}

#[derive(Default)]
struct Queue {
    right: std::collections::VecDeque<u8>,
    wrong: Vec<u8>,
    done: Vec<&'static str>,
    is_wrong: bool,
}

/// A queue that forgets its order when it holds three, next to one that does not.
fn queue(s: &mut Source) -> bool {
    let push = Step::new("push", |queue: &mut Queue, s| {
        let item = s.integer(0..=9);
        queue.right.push_back(item);
        queue.wrong.push(item);
        queue.done.push("push");
    });
    let pop = Step::new("pop", |queue: &mut Queue, _| {
        let full = queue.wrong.len() >= 3;
        let wrong = if full { queue.wrong.pop() } else { Some(queue.wrong.remove(0)) };
        queue.is_wrong |= full && wrong.is_some();
        queue.right.pop_front();
        queue.done.push("pop");
    });
    let clear = Step::new("clear", |queue: &mut Queue, _| {
        queue.right.clear();
        queue.wrong.clear();
        queue.done.push("clear");
    });
    let mut queue = Queue::default();
    s.steps(.., &mut queue, &[push, pop.when(|queue| !queue.right.is_empty()), clear]);
    let done = queue.done.join(" ");
    note(s, done, queue.done.len());
    !queue.is_wrong
}

fn nested(s: &mut Source, depth: usize) -> (String, usize) {
    let inner: Vec<(String, usize)> =
        s.list(..=if depth < 6 { 3 } else { 0 }, |s| s.span("nested", |s| nested(s, depth + 1)));
    let deepest = inner.iter().map(|it| it.1).max().unwrap_or(0);
    (format!("[{}]", inner.into_iter().map(|it| it.0).collect::<Vec<_>>().join(", ")), deepest + 1)
}

/// Lists in lists in lists.
fn deep(s: &mut Source) -> bool {
    let (text, depth) = s.span("nested", |s| nested(s, 0));
    let size = text.len();
    note(s, text, size);
    depth < 3
}

/// Pairs that are not in order though their first halves are.
fn sorted_pairs(s: &mut Source) -> bool {
    let pairs: Vec<(u8, u8)> = s.list(.., |s| (s.integer(0..=9), s.integer(0..=9)));
    note(s, format!("{pairs:?}"), pairs.len());
    !pairs.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 > pair[1].1)
}

/// An index that is drawn after the list that it is for, from as many as there are.
fn bound_index(s: &mut Source) -> bool {
    let list: Vec<i8> = s.list(1.., |s| s.integer(..));
    let index = s.integer(0..list.len());
    note(s, format!("({list:?}, {index})"), list.len());
    index < 2
}

/// A list that is not in order.
fn ordered(s: &mut Source) -> bool {
    let list: Vec<i32> = s.list(.., |s| s.integer(..));
    note(s, format!("{list:?}"), list.len());
    list.is_sorted()
}

/// One of several shapes, of which only one is wrong.
fn variants(s: &mut Source) -> bool {
    let (text, holds) = match s.integer(0..=3) {
        0 => (format!("Point({})", s.integer(0..=99_u8)), true),
        1 => (format!("Circle({})", s.integer(1..=99_u8)), true),
        2 => (format!("Square({}, {})", s.integer(1..=99_u8), s.integer(1..=99_u8)), true),
        _ => {
            let sides: [u32; 3] = std::array::from_fn(|_| s.integer(1..=99));
            let [a, b, c] = sides;
            (format!("Triangle({a}, {b}, {c})"), a + b + 8 >= c)
        }
    };
    note(s, text, 1);
    holds
}

/// A table: the number of columns comes first, then rows with as many texts.
fn table(s: &mut Source) -> bool {
    let columns: usize = s.integer_near(1..=6, 1);
    let rows: Vec<Vec<String>> = s.list(.., |s| s.repeat(columns, |s| s.text_of("a,", ..)));
    note(s, format!("{rows:?}"), rows.len() * columns);
    !rows.iter().skip(1).flatten().any(|cell| cell.contains(','))
}

/// Two texts that are the same.
fn twin_texts(s: &mut Source) -> bool {
    let pairs: Vec<(u8, String)> = s.list(.., |s| (s.integer(..), s.text_of("abc", ..=5)));
    note(s, format!("{pairs:?}"), pairs.len());
    let texts: Vec<&String> =
        pairs.iter().map(|pair| &pair.1).filter(|text| !text.is_empty()).collect();
    !texts.iter().enumerate().any(|(at, text)| texts[at + 1..].contains(text))
}

/// A list by a generator that knows nothing of lists.
fn own_list(s: &mut Source) -> bool {
    let numbers: Vec<u8> =
        std::iter::from_fn(|| Some(s.integer(0..=9)).filter(|number| *number > 0)).collect();
    note(s, format!("{numbers:?}"), numbers.len());
    !(numbers.contains(&3) && numbers.contains(&9))
}
