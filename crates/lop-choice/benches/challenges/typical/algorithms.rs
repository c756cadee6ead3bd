//! Algorithms: graphs, sets, trees of segments, geometry, images, texts, time series and simulation.

use std::collections::{BTreeSet, VecDeque};

use lop_choice::{Source, Step};

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("acyclic", acyclic, "[[], [0], [0, 1]]"),
        typical("hull", hull, "[(0, 0), (0, 1), (1, 0), (-1, -1)]"),
        typical("lazy", lazy, "2: add 0..2 1, sum 0..1"),
        typical("rollback", rollback, "2: union 0 1, union 0 0, undo"),
        typical("search", search, "ab aab"),
        typical("sliding", sliding, "2 [Some(0), Some(0), None]"),
    ],
    apart: &[
        typical("labels", labels, "[[0, 0, 1], [0, 1, 1], [1, 1, 0]]"),
        typical("raycast", raycast, "[(0, 0), (0, 1), (1, -1)] (-1, 0)"),
        typical("servers", servers, "2 [(0.0, 1.0), (0.0, 0.0), (0.0, 0.0)]"),
    ],
};

/// A graph of what needs what has no cycle, since everything needs only what comes before it; the search for cycles takes what it meets twice for one.
fn acyclic(s: &mut Source) -> bool {
    let count = s.integer(1..=6);
    let mut needs: Vec<Vec<usize>> = vec![Vec::new()];
    for at in 1..count {
        needs.push(s.distinct(0..=at.min(2), |s| s.integer(0..at)));
    }
    note(s, format!("{needs:?}"), needs.iter().flatten().count());
    (0..count).all(|start| !meets_itself(&needs, start, &mut vec![false; count]))
}

fn meets_itself(needs: &[Vec<usize>], at: usize, seen: &mut [bool]) -> bool {
    std::mem::replace(&mut seen[at], true)
        || needs[at].iter().any(|next| meets_itself(needs, *next, seen))
}

type Point = (i64, i64);

/// No point is outside of the convex hull: where a point makes two others superfluous, only one of them is removed.
fn hull(s: &mut Source) -> bool {
    let mut points = s.list(0..=8, |s| (s.integer(-10..=10), s.integer(-10..=10)));
    note(s, format!("{points:?}"), points.len());
    points.sort();
    points.dedup();
    let mut hull = chain(points.iter());
    hull.extend(chain(points.iter().rev()));
    let next = hull.iter().cycle().skip(1);
    hull.iter().zip(next).all(|(a, b)| points.iter().all(|it| turn(*a, *b, *it) >= 0))
}

fn chain<'p>(points: impl Iterator<Item = &'p Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for point in points {
        if let [.., a, b] = chain[..]
            && turn(a, b, *point) <= 0
        {
            chain.pop();
        }
        chain.push(*point);
    }
    chain.pop();
    chain
}

/// Positive if the way from `a` over `b` to `c` turns to the left.
fn turn(a: Point, b: Point, c: Point) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// The number of areas in a picture, by labels: what a label is the same as is looked up once, though that may be the same as a third one.
fn labels(s: &mut Source) -> bool {
    let (height, width) = (s.integer(1..=5), s.integer(1..=5));
    let picture = s.repeat(height, |s| s.repeat(width, |s| u8::from(s.boolean(0.5))));
    note(s, format!("{picture:?}"), height * width);
    let (mut labels, mut same) = (vec![vec![0; width + 1]; height + 1], vec![0]);
    let mut truly = vec![vec![0; width]; height];
    for y in 0..height {
        for x in 0..width {
            let (up, left) = (labels[y][x + 1], labels[y + 1][x]);
            if picture[y][x] == 0 {
                continue;
            }
            truly[y][x] = y * width + x + 1;
            labels[y + 1][x + 1] = match (up, left) {
                (0, 0) => same.len(),
                (0, it) | (it, 0) => it,
                (up, left) => up.min(left),
            };
            match labels[y + 1][x + 1] {
                new if new == same.len() => same.push(new),
                it if up > 0 && left > 0 && up != left => same[up.max(left)] = it,
                _ => {}
            }
        }
    }
    for _ in 0..height * width {
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
            let near = [(y + 1, x), (y, x + 1), (y.wrapping_sub(1), x), (y, x.wrapping_sub(1))];
            for (v, u) in near.into_iter().filter(|(v, u)| *v < height && *u < width) {
                if truly[y][x] > 0 && truly[v][u] > 0 {
                    truly[y][x] = truly[y][x].min(truly[v][u]);
                }
            }
        }
    }
    let areas: BTreeSet<usize> = labels.into_iter().flatten().map(|it| same[it]).collect();
    let true_areas: BTreeSet<usize> = truly.into_iter().flatten().filter(|it| *it > 0).collect();
    areas.len() == true_areas.len() + 1
}

/// Sums of a tree of segments against those of a list: what was added to a whole segment is missed by a sum over a part of it.
fn lazy(s: &mut Source) -> bool {
    let count = s.integer(1..=8);
    let mut tree = Segments { sums: vec![0; 32], pending: vec![0; 32] };
    let (mut list, mut log, mut holds) = (vec![0; count], Vec::new(), true);
    while log.len() < 10 && s.boolean(0.8) {
        let is_sum = s.boolean(0.5);
        let from = s.integer(0..count);
        let to = s.integer(from + 1..=count);
        if is_sum {
            log.push(format!("sum {from}..{to}"));
            holds &= tree.sum(1, 0, count, from, to) == list[from..to].iter().sum::<i64>();
        } else {
            let number = s.integer(-9..=9);
            log.push(format!("add {from}..{to} {number}"));
            list[from..to].iter_mut().for_each(|it| *it += number);
            tree.add(1, (0, count), (from, to), number);
        }
    }
    note(s, format!("{count}: {}", log.join(", ")), log.len());
    holds
}

struct Segments {
    sums: Vec<i64>,
    pending: Vec<i64>,
}

impl Segments {
    fn add(&mut self, at: usize, (low, high): (usize, usize), range: (usize, usize), number: i64) {
        let (from, to) = (range.0.max(low), range.1.min(high));
        if from >= to {
            return;
        }
        self.sums[at] += number * (to - from) as i64;
        if (from, to) == (low, high) {
            self.pending[at] += number;
        } else {
            let middle = (low + high) / 2;
            self.add(2 * at, (low, middle), range, number);
            self.add(2 * at + 1, (middle, high), range, number);
        }
    }

    fn sum(&self, at: usize, low: usize, high: usize, from: usize, to: usize) -> i64 {
        if from <= low && high <= to {
            return self.sums[at];
        }
        if to <= low || high <= from {
            return 0;
        }
        let middle = (low + high) / 2;
        self.sum(2 * at, low, middle, from, to) + self.sum(2 * at + 1, middle, high, from, to)
    }
}

/// Whether a place is inside of a triangle, by the edges to the right of it against the turns along its edges: an edge counts with both of its ends.
fn raycast(s: &mut Source) -> bool {
    let point = |s: &mut Source| -> Point { (s.integer(-10..=10), s.integer(-10..=10)) };
    let corners = s.repeat(3, point);
    let place = s.draw(point);
    note(s, format!("{corners:?} {place:?}"), 4);
    let edges = [0, 1, 2].map(|at| (corners[at], corners[(at + 1) % 3]));
    let turns = edges.map(|(a, b)| turn(a, b, place).signum());
    // Places on an edge are neither inside nor outside.
    s.assume(turn(corners[0], corners[1], corners[2]) != 0 && !turns.contains(&0));
    let crossed = edges.into_iter().filter(|(a, b)| {
        let is_level = a.1.min(b.1) <= place.1 && place.1 <= a.1.max(b.1) && a.1 != b.1;
        let along = (place.1 - a.1) as f64 / (b.1 - a.1) as f64;
        is_level && a.0 as f64 + along * (b.0 - a.0) as f64 > place.0 as f64
    });
    (crossed.count() % 2 == 1) == (turns[0] == turns[1] && turns[1] == turns[2])
}

/// Sets that are united, and unions that are undone, against copies of the partition: a union that changed nothing is not undone, but the one before it.
fn rollback(s: &mut Source) -> bool {
    let count = s.integer(2..=6);
    let mut sets = Sets {
        parents: (0..count).collect(),
        history: Vec::new(),
        model: vec![(0..count).collect()],
        log: Vec::new(),
    };
    let union = |sets: &mut Sets, s: &mut Source| {
        let (a, b) = (s.integer(0..count), s.integer(0..count));
        sets.log.push(format!("union {a} {b}"));
        let (root, other) = (sets.root(a), sets.root(b));
        if root != other {
            sets.parents[root] = other;
            sets.history.push(root);
        }
        let mut partition = sets.model[sets.model.len() - 1].clone();
        let (a, b) = (partition[a], partition[b]);
        partition.iter_mut().filter(|it| **it == a).for_each(|it| *it = b);
        sets.model.push(partition);
    };
    let undo = |sets: &mut Sets, _: &mut Source| {
        sets.log.push("undo".into());
        if let Some(root) = sets.history.pop() {
            sets.parents[root] = root;
        }
        sets.model.pop();
    };
    let steps = [
        Step::new("union", union),
        Step::new("undo", undo).when(|sets: &Sets| sets.model.len() > 1),
    ];
    s.steps(0..=10, &mut sets, &steps);
    note(s, format!("{count}: {}", sets.log.join(", ")), sets.log.len());
    let partition = &sets.model[sets.model.len() - 1];
    let same = |a, b| (sets.root(a) == sets.root(b)) == (partition[a] == partition[b]);
    (0..count).all(|a| (0..a).all(|b| same(a, b)))
}

struct Sets {
    parents: Vec<usize>,
    history: Vec<usize>,
    model: Vec<Vec<usize>>,
    log: Vec<String>,
}

impl Sets {
    fn root(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }
}

/// A search that goes on with the borders of what it matched: a sign that continues none of them does not begin another match.
fn search(s: &mut Source) -> bool {
    let wanted = s.text_of("abc", 1..=5);
    let text = s.text_of("abc", 0..=12);
    note(s, format!("{wanted} {text}"), wanted.len() + text.len());
    let (wanted, signs) = (wanted.as_bytes(), text.as_bytes());
    let mut matched = 0;
    let found = signs.iter().position(|sign| {
        matched = if wanted[matched] == *sign {
            matched + 1
        } else {
            let ends = |border: &usize| {
                wanted[..*border] == wanted[matched - border..matched] && wanted[*border] == *sign
            };
            // The borders of at least one sign.
            (1..matched).rev().find(ends).map_or(0, |border| border + 1)
        };
        matched == wanted.len()
    });
    found.map(|end| end + 1 - wanted.len())
        == signs.windows(wanted.len()).position(|it| it == wanted)
}

/// Jobs that each go to the first free server, simulated: they go to the servers in turn.
fn servers(s: &mut Source) -> bool {
    let count = s.integer(1..=3);
    // How long after the one before a job comes, and how long it takes.
    let jobs = s.list(0..=8, |s| (s.float(0.0..=5.0), s.float(0.0..=10.0)));
    note(s, format!("{count} {jobs:?}"), jobs.len());
    let (mut in_turn, mut free, mut now) = (vec![0.0; count], vec![0.0_f64; count], 0.0);
    jobs.iter().enumerate().all(|(number, (gap, takes))| {
        now += gap;
        let server = &mut in_turn[number % count];
        *server = now.max(*server) + takes;
        free.sort_by(f64::total_cmp);
        free[0] = now.max(free[0]) + takes;
        free[0] == *server
    })
}

/// The greatest of the last values of a series with gaps, from a queue of candidates: one that leaves takes an equal one with it.
fn sliding(s: &mut Source) -> bool {
    let width = s.integer(1..=5);
    let series = s.list(0..=10, |s| s.option(|s| s.integer(-50..=50)));
    note(s, format!("{width} {series:?}"), series.len());
    let mut candidates: VecDeque<i32> = VecDeque::new();
    (0..series.len()).all(|at| {
        if at >= width && series[at - width].is_some_and(|it| candidates.front() == Some(&it)) {
            candidates.pop_front();
        }
        if let Some(value) = series[at] {
            while candidates.back().is_some_and(|it| *it <= value) {
                candidates.pop_back();
            }
            candidates.push_back(value);
        }
        let window = &series[(at + 1).saturating_sub(width)..=at];
        candidates.front().copied() == window.iter().flatten().copied().max()
    })
}
