//! The challenges: small generators with properties that fail, and what is left of a failure at best.

use lop_choice::Source;

use super::challenge::{Challenge, note};

pub(crate) const CHALLENGES: &[Challenge] = &[
    Challenge {
        name: "binheap",
        holds: binheap,
        normal: "(0 () (0 (0 () ()) (1 () ())))",
        goal: 136.0,
    },
    Challenge {
        name: "bound5",
        holds: bound5,
        normal: "[[], [], [], [-1], [-32768]]",
        goal: 129.0,
    },
    Challenge {
        name: "bound5_full",
        holds: bound5_full,
        normal: "[[], [], [], [-1], [-32768]]",
        goal: 283.0,
    },
    Challenge { name: "calculator", holds: calculator, normal: "(0/(0+0))", goal: 53.0 },
    Challenge { name: "coupling", holds: coupling, normal: "[1, 0]", goal: 60.0 },
    Challenge { name: "deletion", holds: deletion, normal: "([0, 0], 0)", goal: 9.0 },
    Challenge {
        name: "difference1",
        holds: |s| difference(s, |gap| gap == 0),
        normal: "(10, 10)",
        goal: 27.0,
    },
    Challenge {
        name: "difference2",
        holds: |s| difference(s, |gap| (1..=4).contains(&gap)),
        normal: "(10, 6)",
        goal: 40.0,
    },
    Challenge {
        name: "difference3",
        holds: |s| difference(s, |gap| gap == 1),
        normal: "(10, 9)",
        goal: 40.0,
    },
    Challenge { name: "distinct", holds: distinct, normal: "[0, 1, -1]", goal: 35.0 },
    Challenge {
        name: "large_union_list",
        holds: large_union_list,
        normal: "[[0, 1, -1, 2, -2]]",
        goal: 187.0,
    },
    Challenge { name: "lengthlist", holds: lengthlist, normal: "[900]", goal: 89.0 },
    Challenge {
        name: "nestedlists",
        holds: nestedlists,
        normal: "[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]",
        goal: 141.0,
    },
    Challenge {
        name: "parser",
        holds: super::parser::holds,
        normal: super::parser::NORMAL,
        goal: 219.0,
    },
    Challenge { name: "replacement", holds: replacement, normal: "(1000000, [])", goal: 100.0 },
    Challenge { name: "reverse", holds: reverse, normal: "[0, 1]", goal: 10.0 },
];

fn integers(s: &mut Source) -> Vec<i64> {
    s.list(.., |s| s.integer(..))
}

fn nested(s: &mut Source) -> Vec<Vec<i64>> {
    let lists = s.list(.., integers);
    note(s, format!("{lists:?}"), lists.len() + lists.iter().map(Vec::len).sum::<usize>());
    lists
}

fn sum(list: &[i16]) -> i16 {
    list.iter().fold(0, |sum, it| sum.wrapping_add(*it))
}

fn note_five(s: &mut Source, lists: &[Vec<i16>]) {
    note(s, format!("{lists:?}"), lists.iter().map(Vec::len).sum());
}

fn bound5(s: &mut Source) -> bool {
    let lists: Vec<Vec<i16>> = (0..5)
        .map(|_| {
            s.draw(|s: &mut Source| {
                s.filter(|s| s.list(..=1, |s| s.integer(..)), |list| sum(list) < 256)
            })
        })
        .collect();
    note_five(s, &lists);
    sum(&lists.concat()) < 5 * 256
}

fn bound5_full(s: &mut Source) -> bool {
    let lists: Vec<Vec<i16>> = (0..5).map(|_| s.list(.., |s| s.integer(..))).collect();
    note_five(s, &lists);
    s.assume(lists.iter().all(|list| sum(list) < 256));
    sum(&lists.concat()) < 5 * 256
}

enum Heap {
    Empty,
    Node(i64, Box<Heap>, Box<Heap>),
}

impl std::fmt::Display for Heap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Heap::Empty => f.write_str("()"),
            Heap::Node(key, left, right) => write!(f, "({key} {left} {right})"),
        }
    }
}

fn heap(s: &mut Source, least: i64, size: u32) -> Heap {
    s.span("heap", |s| {
        if s.integer_near(1..=8, 1) == 1 || size == 0 {
            return Heap::Empty;
        }
        let key = s.integer(least..);
        let left = heap(s, key, size / 2);
        Heap::Node(key, Box::new(left), Box::new(heap(s, key, size / 2)))
    })
}

fn keys(heap: &Heap) -> Vec<i64> {
    let (mut keys, mut open) = (Vec::new(), vec![heap]);
    while let Some(heap) = open.pop() {
        if let Heap::Node(key, left, right) = heap {
            keys.push(*key);
            open.extend([&**left, &**right]);
        }
    }
    keys
}

fn merge(one: Heap, two: Heap) -> Heap {
    match (one, two) {
        (one, Heap::Empty) => one,
        (Heap::Empty, two) => two,
        (Heap::Node(key, left, right), Heap::Node(other, l, r)) if key <= other => {
            Heap::Node(key, Box::new(merge(*right, Heap::Node(other, l, r))), left)
        }
        (one, Heap::Node(key, left, right)) => Heap::Node(key, Box::new(merge(*right, one)), left),
    }
}

fn binheap(s: &mut Source) -> bool {
    let size = s.integer(0..=20);
    let heap = heap(s, i64::MIN, size);
    let mut all = keys(&heap);
    note(s, &heap, 2 * all.len() + 1);
    all.sort_unstable();
    let taken = match heap {
        Heap::Empty => Vec::new(),
        Heap::Node(key, left, right) => [vec![key], keys(&merge(*left, *right))].concat(),
    };
    taken == all
}

enum Expression {
    Literal(i64),
    Binary(char, Box<Expression>, Box<Expression>),
}

impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expression::Literal(value) => write!(f, "{value}"),
            Expression::Binary(sign, left, right) => write!(f, "({left}{sign}{right})"),
        }
    }
}

fn expression(s: &mut Source, depth: u32) -> Expression {
    s.span("expression", |s| match if depth < 8 { s.integer(0..=2) } else { 0 } {
        0 => Expression::Literal(s.draw(|s: &mut Source| s.integer(..))),
        sign => {
            let left = expression(s, depth + 1);
            let right = expression(s, depth + 1);
            Expression::Binary(if sign == 1 { '+' } else { '/' }, Box::new(left), Box::new(right))
        }
    })
}

impl Expression {
    fn size(&self) -> usize {
        match self {
            Expression::Literal(_) => 1,
            Expression::Binary(_, left, right) => 1 + left.size() + right.size(),
        }
    }

    fn divides_by_literal_zero(&self) -> bool {
        match self {
            Expression::Literal(_) => false,
            Expression::Binary('/', _, right) if matches!(**right, Expression::Literal(0)) => true,
            Expression::Binary(_, left, right) => {
                left.divides_by_literal_zero() || right.divides_by_literal_zero()
            }
        }
    }

    fn value(&self) -> Option<i64> {
        match self {
            Expression::Literal(value) => Some(*value),
            Expression::Binary('+', left, right) => {
                Some(left.value()?.wrapping_add(right.value()?))
            }
            Expression::Binary(_, left, right) => {
                let (left, right) = (left.value()?, right.value()?);
                (right != 0).then(|| left.wrapping_div(right))
            }
        }
    }
}

fn calculator(s: &mut Source) -> bool {
    let expression = expression(s, 0);
    note(s, &expression, expression.size());
    s.assume(!expression.divides_by_literal_zero());
    expression.value().is_some()
}

fn coupling(s: &mut Source) -> bool {
    let list: Vec<usize> = s.list(.., |s| s.integer(0..=10));
    note(s, format!("{list:?}"), list.len());
    s.assume(list.iter().all(|it| *it < list.len()));
    !list.iter().enumerate().any(|(at, other)| at != *other && list[*other] == at)
}

fn deletion(s: &mut Source) -> bool {
    let mut list: Vec<i64> = integers(s);
    let index: usize = s.integer(0..=10);
    note(s, format!("({list:?}, {index})"), list.len());
    s.assume(index < list.len());
    let element = list[index];
    let first = list.iter().position(|it| *it == element).unwrap_or(index);
    list.remove(first);
    !list.contains(&element)
}

fn difference(s: &mut Source, is_wrong: fn(u64) -> bool) -> bool {
    let (x, y): (i64, i64) = (s.integer(1..), s.integer(1..));
    note(s, format!("({x}, {y})"), 2);
    x < 10 || !is_wrong(x.abs_diff(y))
}

fn count_distinct(list: impl IntoIterator<Item = i64>) -> usize {
    list.into_iter().collect::<std::collections::HashSet<i64>>().len()
}

fn distinct(s: &mut Source) -> bool {
    let list = integers(s);
    note(s, format!("{list:?}"), list.len());
    count_distinct(list) < 3
}

fn large_union_list(s: &mut Source) -> bool {
    let lists = nested(s);
    count_distinct(lists.concat()) < 5
}

fn nestedlists(s: &mut Source) -> bool {
    nested(s).concat().len() <= 10
}

fn lengthlist(s: &mut Source) -> bool {
    let length = s.integer_near(1..=100, 1);
    let list: Vec<u32> = s.repeat(length, |s| s.integer(0..=1000));
    note(s, format!("{list:?}"), list.len());
    list.iter().max() < Some(&900)
}

fn replacement(s: &mut Source) -> bool {
    let first: u128 = s.integer(0..=1_000_000_u64).into();
    let list: Vec<u64> = s.list(.., |s| s.integer_near(2..=10, 2));
    note(s, format!("({first}, {list:?})"), list.len());
    list.iter().fold(first, |product, it| product.saturating_mul(u128::from(*it))) < 1_000_000
}

fn reverse(s: &mut Source) -> bool {
    let list = integers(s);
    note(s, format!("{list:?}"), list.len());
    list.iter().eq(list.iter().rev())
}
