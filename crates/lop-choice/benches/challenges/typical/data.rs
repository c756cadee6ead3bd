//! Data: structures, tables, series, images, encodings, calendars and routes.

use std::collections::{BTreeMap, VecDeque};

use lop_choice::{Source, Step};

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical(
            "quadtree",
            quadtree,
            "Split([Leaf(0), Leaf(0), Leaf(0), Split([Leaf(0), Leaf(0), Leaf(0), Leaf(1)])])",
        ),
        typical("routes", routes, "3 [(0, 1, 1), (0, 2, 3), (1, 2, 1)]"),
        typical("links", links, "2 [(0, 1), (0, 1)]"),
        typical("csv", csv, "\"\"|"),
        typical("lz", lz, "aaaaa"),
        typical("interpolate", interpolate, "[(0.0, 0.0), (1.0, 1.0)] 2.0"),
        typical("iou", iou, "[[0.0, 0.0, 1.0, 1.0], [2.0, 2.0, 1.0, 1.0]]"),
        typical("summed", summed, "[[1, 0], [0, 0]] 1..2 1..2"),
        typical("means", means, "[0, 0] [0, 1] [true, false]"),
        typical("recurring", recurring, "0 None Some((2, 1)) [] 2"),
        typical("nulls", nulls, "[(1, false), (1, true)] [[Some(0), None]]"),
        typical("gorilla", gorilla, "[64, 0]"),
    ],
    apart: &[
        typical("ring", ring, "1 [Some(0), Some(0), None, Some(1), Some(0)]"),
        typical("undo", undo, "set 0 to 0, undo, set 0 to 1, redo"),
        typical("drawing", drawing, "Group(0, 0, [Rectangle([0, 0, 1, 1]), Group(0, -1, [])])"),
        typical("period", period, "[1, 0, 3, 2]"),
        typical("heap", heap, "[0, 2, 1, 3]"),
        typical("spans", spans, "[(0, 3), (1, 1)]"),
    ],
};

/// A ring buffer against a queue: when it grows, it copies its slots as they lie instead of from the first item on.
fn ring(s: &mut Source) -> bool {
    let room = s.integer(1..=4);
    let steps = s.list(0..=12, |s| s.one_of(&[&|s| Some(s.integer(0..=9)), &|_| None]));
    note(s, format!("{room} {steps:?}"), steps.len());
    let mut ring = Ring { slots: vec![0; room], first: 0, length: 0 };
    let mut queue = VecDeque::new();
    steps.into_iter().all(|step| match step {
        Some(item) => {
            ring.push(item);
            queue.push_back(item);
            (0..ring.length).all(|at| ring.slots[ring.slot(at)] == queue[at])
        }
        None => ring.pop() == queue.pop_front(),
    })
}

struct Ring {
    slots: Vec<u8>,
    first: usize,
    length: usize,
}

impl Ring {
    fn slot(&self, at: usize) -> usize {
        (self.first + at) % self.slots.len()
    }

    fn push(&mut self, item: u8) {
        if self.length == self.slots.len() {
            self.slots.resize(2 * self.length, 0);
            self.first = 0;
        }
        let slot = self.slot(self.length);
        self.slots[slot] = item;
        self.length += 1;
    }

    fn pop(&mut self) -> Option<u8> {
        let item = (self.length > 0).then(|| self.slots[self.first])?;
        self.first = self.slot(1);
        self.length -= 1;
        Some(item)
    }
}

/// Undo and redo in a spreadsheet against a history of states: a new value does not forget what was undone.
fn undo(s: &mut Source) -> bool {
    let mut sheet = Sheet { history: vec![[0; 3]], ..Sheet::default() };
    let set = |sheet: &mut Sheet, s: &mut Source| {
        let (cell, new) = (s.integer(0..3), s.integer(-99..=99));
        sheet.done.push((cell, sheet.cells[cell], new));
        sheet.cells[cell] = new;
        sheet.history.truncate(sheet.at + 1);
        sheet.at += 1;
        let mut cells = sheet.history[sheet.at - 1];
        cells[cell] = new;
        sheet.history.push(cells);
        sheet.log.push(format!("set {cell} to {new}"));
    };
    let undo = |sheet: &mut Sheet, _: &mut Source| {
        if let Some((cell, old, new)) = sheet.done.pop() {
            sheet.cells[cell] = old;
            sheet.undone.push((cell, old, new));
        }
        sheet.at -= 1;
        sheet.log.push("undo".into());
    };
    let redo = |sheet: &mut Sheet, _: &mut Source| {
        if let Some((cell, old, new)) = sheet.undone.pop() {
            sheet.cells[cell] = new;
            sheet.done.push((cell, old, new));
        }
        sheet.at = (sheet.at + 1).min(sheet.history.len() - 1);
        sheet.log.push("redo".into());
    };
    let steps = [
        Step::new("set", set),
        Step::new("undo", undo).when(|sheet| sheet.at > 0),
        Step::new("redo", redo).when(|sheet| !sheet.undone.is_empty()),
    ];
    s.steps(0..=12, &mut sheet, &steps);
    note(s, sheet.log.join(", "), sheet.log.len());
    sheet.cells == sheet.history[sheet.at]
}

/// The cells, changes that can be undone and redone (each a cell, its old and its new value), and the model.
#[derive(Default)]
struct Sheet {
    cells: [i32; 3],
    done: Vec<(usize, i32, i32)>,
    undone: Vec<(usize, i32, i32)>,
    history: Vec<[i32; 3]>,
    at: usize,
    log: Vec<String>,
}

#[derive(Debug)]
enum Shape {
    /// Left, top, width, height.
    Rectangle([i32; 4]),
    /// Shapes that are moved together.
    Group(i32, i32, Vec<Shape>),
}

/// The bounds of a drawing against those of all its rectangles: an empty group counts as a point.
fn drawing(s: &mut Source) -> bool {
    let shape = shape(s, 3);
    let mut all = Vec::new();
    shape.flatten(0, 0, &mut all);
    note(s, format!("{shape:?}"), all.len());
    all.into_iter().reduce(around).is_none_or(|it| it == shape.bounds())
}

fn shape(s: &mut Source, depth: u32) -> Shape {
    if depth > 0 && s.boolean(0.5) {
        let (x, y) = (s.integer(-20..=20), s.integer(-20..=20));
        Shape::Group(x, y, s.list(0..=4, |s| shape(s, depth - 1)))
    } else {
        let (x, y) = (s.integer(-20..=20), s.integer(-20..=20));
        Shape::Rectangle([x, y, s.integer(1..=10), s.integer(1..=10)])
    }
}

impl Shape {
    fn flatten(&self, left: i32, top: i32, all: &mut Vec<[i32; 4]>) {
        match self {
            Shape::Rectangle([x, y, width, height]) => {
                all.push([left + x, top + y, left + x + width, top + y + height])
            }
            Shape::Group(x, y, shapes) => {
                shapes.iter().for_each(|it| it.flatten(left + x, top + y, all))
            }
        }
    }

    fn bounds(&self) -> [i32; 4] {
        match self {
            Shape::Rectangle([x, y, width, height]) => [*x, *y, x + width, y + height],
            Shape::Group(x, y, shapes) => {
                let inner = shapes.iter().map(Shape::bounds).reduce(around).unwrap_or_default();
                [inner[0] + x, inner[1] + y, inner[2] + x, inner[3] + y]
            }
        }
    }
}

fn around(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

#[derive(Clone, Debug)]
enum Quad {
    Leaf(u8),
    /// North-west, north-east, south-west, south-east.
    Split(Vec<Quad>),
}

/// An image that is kept as a tree of quarters is turned: the quarters are moved, but not turned themselves.
fn quadtree(s: &mut Source) -> bool {
    let image = quad(s, 3);
    let told = format!("{image:?}");
    note(s, &told, told.len());
    let turned = match &image {
        Quad::Leaf(_) => image.clone(),
        Quad::Split(parts) => Quad::Split([2, 0, 3, 1].map(|at| parts[at].clone()).into()),
    };
    (0..64).all(|at| turned.pixel(at % 8, at / 8, 4) == image.pixel(at / 8, 7 - at % 8, 4))
}

fn quad(s: &mut Source, depth: u32) -> Quad {
    if depth > 0 && s.boolean(0.4) {
        Quad::Split(s.repeat(4, |s| quad(s, depth - 1)))
    } else {
        Quad::Leaf(s.integer(0..=3))
    }
}

impl Quad {
    fn pixel(&self, x: usize, y: usize, half: usize) -> u8 {
        match self {
            Quad::Leaf(colour) => *colour,
            Quad::Split(parts) => {
                parts[y / half * 2 + x / half].pixel(x % half, y % half, half / 2)
            }
        }
    }
}

/// The shortest way to the last place, against all ways: the search ends when the place is first seen, not when its turn comes.
fn routes(s: &mut Source) -> bool {
    let count = s.integer(2..=6);
    let mut roads = Vec::new();
    for to in 1..count {
        for from in 0..to {
            if let Some(length) = s.option(|s| s.integer(1..=20)) {
                roads.push((from, to, length));
            }
        }
    }
    note(s, format!("{count} {roads:?}"), roads.len());
    let mut best = vec![None; count];
    best[0] = Some(0);
    for _ in 0..count {
        for (from, to, length) in both_ways(&roads) {
            let way: Option<u32> = best[from].map(|it| it + length);
            best[to] = [best[to], way].into_iter().flatten().min();
        }
    }
    shortest(&roads, count - 1) == best[count - 1]
}

fn both_ways(roads: &[(usize, usize, u32)]) -> impl Iterator<Item = (usize, usize, u32)> {
    roads.iter().flat_map(|(a, b, length)| [(*a, *b, *length), (*b, *a, *length)])
}

fn shortest(roads: &[(usize, usize, u32)], goal: usize) -> Option<u32> {
    let mut open = vec![(0, 0)];
    let mut closed = Vec::new();
    while let Some(at) = (0..open.len()).min_by_key(|at| open[*at]) {
        let (way, here) = open.swap_remove(at);
        if closed.contains(&here) {
            continue;
        }
        closed.push(here);
        for (_, to, length) in both_ways(roads).filter(|(from, ..)| *from == here) {
            if to == goal {
                return Some(way + length);
            }
            open.push((way + length, to));
        }
    }
    None
}

/// The links of a network without which it falls apart: a second link between the same two nodes is taken for the way back.
fn links(s: &mut Source) -> bool {
    let count = s.integer(2..=6);
    let links = s.list(0..=12, |s| (s.integer(0..count), s.integer(0..count)));
    note(s, format!("{count} {links:?}"), links.len());
    let mut search = Bridges { links: &links, seen: vec![None; count], bridges: Vec::new() };
    for node in 0..count {
        if search.seen[node].is_none() {
            search.visit(node, node, 0);
        }
    }
    (0..links.len()).all(|at| {
        let rest = [&links[..at], &links[at + 1..]].concat();
        search.bridges.contains(&at) != are_connected(&rest, links[at])
    })
}

fn are_connected(links: &[(usize, usize)], (a, b): (usize, usize)) -> bool {
    let mut reached = vec![a];
    for _ in links {
        for (from, to) in links.iter().flat_map(|(a, b)| [(a, b), (b, a)]) {
            if reached.contains(from) && !reached.contains(to) {
                reached.push(*to);
            }
        }
    }
    reached.contains(&b)
}

struct Bridges<'l> {
    links: &'l [(usize, usize)],
    /// When each node was first visited.
    seen: Vec<Option<usize>>,
    bridges: Vec<usize>,
}

impl Bridges<'_> {
    /// The first of the nodes on the way that can be reached from here without the way back.
    fn visit(&mut self, node: usize, before: usize, time: usize) -> usize {
        self.seen[node] = Some(time);
        let mut low = time;
        for (at, (a, b)) in self.links.iter().enumerate() {
            let to = if *a == node { *b } else { *a };
            if (*a != node && *b != node) || to == before {
                continue;
            }
            low = low.min(match self.seen[to] {
                Some(time) => time,
                None => {
                    let reached = self.visit(to, node, time + 1);
                    if reached > time {
                        self.bridges.push(at);
                    }
                    reached
                }
            });
        }
        low
    }
}

/// A record is written as CSV and read again: only the first quotation mark of a field is doubled.
fn csv(s: &mut Source) -> bool {
    let fields = s.list(1..=5, |s| s.text_of("ab ,\"", 0..=6));
    note(s, fields.join("|"), fields.len());
    let written: Vec<String> = fields
        .iter()
        .map(|field| match field.contains([',', '"']) {
            true => format!("\"{}\"", field.replacen('"', "\"\"", 1)),
            false => field.clone(),
        })
        .collect();
    read_csv(&written.join(",")) == fields
}

fn read_csv(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if is_quoted && signs.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if is_quoted || field.is_empty() => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            _ => field.push(sign),
        }
    }
    fields.push(field);
    fields
}

/// A text is compressed and restored: a repetition that overlaps itself is copied in one piece, and so only in part.
fn lz(s: &mut Source) -> bool {
    let text = s.text_of("abcd", 0..=30);
    note(s, &text, text.len());
    let (text, mut restored) = (text.into_bytes(), Vec::new());
    let mut at = 0;
    while at < text.len() {
        let same = |start: usize| {
            text[start..].iter().zip(&text[at..]).take_while(|(a, b)| a == b).count()
        };
        match (0..at).max_by_key(|start| same(*start)) {
            Some(start) if same(start) >= 4 => {
                let end = restored.len().min(start + same(start));
                restored.extend_from_within(start.min(end)..end);
                at += same(start);
            }
            _ => {
                restored.push(text[at]);
                at += 1;
            }
        }
    }
    restored == text
}

/// A series is interpolated: what is between its values goes beyond them after the last one.
fn interpolate(s: &mut Source) -> bool {
    let mut series = s.list(1..=8, |s| (s.float(0.0..=100.0), s.float(-50.0..=50.0)));
    let at = s.float(0.0..=100.0);
    note(s, format!("{series:?} {at:?}"), series.len());
    series.sort_by(|a, b| a.0.total_cmp(&b.0));
    series.dedup_by_key(|(time, _)| *time);
    let next = series.iter().position(|(time, _)| *time >= at).unwrap_or(series.len() - 1);
    let value = match next {
        0 => series[0].1,
        _ => {
            let ((t0, v0), (t1, v1)) = (series[next - 1], series[next]);
            v0 + (v1 - v0) * ((at - t0) / (t1 - t0))
        }
    };
    // Rounding is no error.
    series.iter().any(|(_, it)| *it <= value + 1e-9)
        && series.iter().any(|(_, it)| *it >= value - 1e-9)
}

/// How much boxes in an image overlap: two that are apart in both directions have a positive area in common.
fn iou(s: &mut Source) -> bool {
    let boxes = s.list(2..=6, |s| {
        let (x, y) = (s.float(0.0..=100.0), s.float(0.0..=100.0));
        [x, y, s.float(1.0..=50.0), s.float(1.0..=50.0)]
    });
    note(s, format!("{boxes:?}"), boxes.len());
    let in_common = |a: &[f64; 4], b: &[f64; 4]| {
        let [width, height] =
            [0, 1].map(|at| (a[at] + a[at + 2]).min(b[at] + b[at + 2]) - a[at].max(b[at]));
        let both = width * height;
        (both / (a[2] * a[3] + b[2] * b[3] - both)).max(0.0)
    };
    let are_apart = |a: &[f64; 4], b: &[f64; 4]| {
        (0..2).any(|at| a[at] + a[at + 2] < b[at] || b[at] + b[at + 2] < a[at])
    };
    boxes.iter().all(|a| boxes.iter().all(|b| !are_apart(a, b) || in_common(a, b) == 0.0))
}

/// The sum of a part of an image by a table of sums: what lies before in both directions is subtracted twice.
fn summed(s: &mut Source) -> bool {
    let (height, width) = (s.integer(1..=5), s.integer(1..=5));
    let image = s.repeat(height, |s| s.repeat(width, |s| s.integer(0..=9)));
    let (top, left) = (s.integer(0..height), s.integer(0..width));
    let (bottom, right) = (s.integer(top + 1..=height), s.integer(left + 1..=width));
    note(s, format!("{image:?} {top}..{bottom} {left}..{right}"), height * width);
    let sum = |rows: &[Vec<i32>], from: usize, to: usize| -> i32 {
        rows.iter().flat_map(|row| &row[from..to]).sum()
    };
    let before = |y: usize, x: usize| sum(&image[..y], 0, x);
    let by_table = before(bottom, right) - before(top, right) - before(bottom, left);
    by_table == sum(&image[top..bottom], left, right)
}

/// The means of groups in a table: the values that are missing count as well.
fn means(s: &mut Source) -> bool {
    let count = s.integer(0..=10);
    let groups = s.repeat(count, |s| s.integer(0..=5));
    let values = s.repeat(count, |s| s.integer(-100..=100));
    let missing = s.repeat(count, |s| s.boolean(0.1));
    note(s, format!("{groups:?} {values:?} {missing:?}"), count);
    let mut sums: BTreeMap<i32, (i32, i32)> = BTreeMap::new();
    for ((group, value), missing) in groups.iter().zip(&values).zip(&missing) {
        let (sum, length) = sums.entry(*group).or_default();
        *sum += if *missing { 0 } else { *value };
        *length += 1;
    }
    sums.iter().all(|(group, (sum, length))| {
        let present: Vec<i32> = (0..count)
            .filter(|at| groups[*at] == *group && !missing[*at])
            .map(|at| values[at])
            .collect();
        // As fractions.
        sum * present.len() as i32 == present.iter().sum::<i32>() * length
    })
}

/// How often a permutation must be repeated until all is as before: the product of the lengths of its cycles, where their least common multiple is meant.
fn period(s: &mut Source) -> bool {
    let count = s.integer(1..=7);
    let mut rest: Vec<usize> = (0..count).collect();
    let order: Vec<usize> = (0..count).map(|_| rest.remove(s.integer(0..rest.len()))).collect();
    note(s, format!("{order:?}"), count);
    let (mut product, mut seen) = (1, vec![false; count]);
    for start in 0..count {
        let (mut at, mut length) = (start, 0);
        while !std::mem::replace(&mut seen[at], true) {
            (at, length) = (order[at], length + 1);
        }
        product *= length.max(1);
    }
    let mut now = order.clone();
    let mut turns = 1;
    while !now.is_sorted() {
        now = now.iter().map(|at| order[*at]).collect();
        turns += 1;
    }
    product == turns
}

/// Keys leave a heap in order, in whatever order they came: the one that moves down looks at its left child only.
fn heap(s: &mut Source) -> bool {
    let keys = s.distinct(0..=8, |s| s.integer(0..=99));
    note(s, format!("{keys:?}"), keys.len());
    let mut heap: Vec<i32> = Vec::new();
    for key in &keys {
        let mut at = heap.len();
        heap.push(*key);
        while at > 0 && heap[at] < heap[(at - 1) / 2] {
            heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }
    let mut sorted = Vec::new();
    while !heap.is_empty() {
        sorted.push(heap.swap_remove(0));
        let mut at = 0;
        while 2 * at + 1 < heap.len() && heap[2 * at + 1] < heap[at] {
            heap.swap(at, 2 * at + 1);
            at = 2 * at + 1;
        }
    }
    sorted.is_sorted()
}

/// Whether a repeated event is on a day, against the list of its days: it is once more than it should be.
fn recurring(s: &mut Source) -> bool {
    let start = s.integer(0..=30);
    let hours = if s.boolean(0.3) { None } else { Some((s.integer(0..=23), s.integer(1..=12))) };
    let repeated = if s.boolean(0.5) { Some((s.integer(2..=10), s.integer(1..=7))) } else { None };
    let without = s.list(0..=3, |s| s.integer(0..=60));
    let day: i32 = s.integer(0..=60);
    note(s, format!("{start} {hours:?} {repeated:?} {without:?} {day}"), without.len());
    let (times, every) = repeated.unwrap_or((1, 1));
    let days: Vec<i32> = (0..times).map(|time| start + time * every).collect();
    let is_on = match repeated {
        None => day == start,
        Some(_) => day >= start && (day - start) % every == 0 && day <= start + times * every,
    };
    (is_on && !without.contains(&day)) == (days.contains(&day) && !without.contains(&day))
}

/// Rows are written and read again: the bits that mark nulls are numbered by the columns that may be null, but read by all columns.
fn nulls(s: &mut Source) -> bool {
    let columns = s.list(1..=5, |s| (*s.pick(&[1, 2, 4]), s.boolean(0.3)));
    let rows = s.list(0..=4, |s| columns.iter().map(|it| cell(s, *it)).collect::<Vec<_>>());
    note(s, format!("{columns:?} {rows:?}"), columns.len() * rows.len());
    rows.iter().all(|row| restored(&columns, row).as_ref() == Some(row))
}

/// The number of bytes, and whether there may be a null.
type Column = (u32, bool);

fn cell(s: &mut Source, (bytes, may_be_null): Column) -> Option<u64> {
    let value = |s: &mut Source| s.integer(0..1_u64 << (8 * bytes));
    if may_be_null { s.option(value) } else { Some(value(s)) }
}

fn restored(columns: &[Column], row: &[Option<u64>]) -> Option<Vec<Option<u64>>> {
    let may_be_null = (0..row.len()).filter(|at| columns[*at].1);
    let nulls: Vec<usize> =
        may_be_null.enumerate().filter(|(_, at)| row[*at].is_none()).map(|(bit, _)| bit).collect();
    let mut values = row.iter().flatten();
    let read = |at| if nulls.contains(&at) { Some(None) } else { Some(Some(*values.next()?)) };
    let row = (0..row.len()).map(read).collect();
    if values.next().is_none() { row } else { None }
}

/// Times are kept as changes of their distances, in 7 or 9 bits if these are small: the least change that fits into 7 bits is one too small.
fn gorilla(s: &mut Source) -> bool {
    let distances = s.list(0..=12, |s| s.integer(0..=120));
    note(s, format!("{distances:?}"), distances.len());
    let mut before = 0;
    distances.into_iter().all(|distance| {
        let change: i32 = distance - std::mem::replace(&mut before, distance);
        let kept = match change {
            -64..=64 => ((change + 63) & 127) - 63,
            -255..=256 => ((change + 255) & 511) - 255,
            _ => change,
        };
        kept == change
    })
}

/// How much of the time is taken by spans: a span that ends within an earlier one cuts that one off.
fn spans(s: &mut Source) -> bool {
    let mut spans = s.list(0..=8, |s| (s.integer(0..=100), s.integer(1..=20)));
    note(s, format!("{spans:?}"), spans.len());
    spans.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (start, length) in &spans {
        match merged.last_mut() {
            Some((_, end)) if start <= end => *end = start + length,
            _ => merged.push((*start, start + length)),
        }
    }
    let taken =
        |at: usize| spans.iter().any(|(start, length)| (*start..start + length).contains(&at));
    merged.iter().map(|(start, end)| end - start).sum::<usize>()
        == (0..120).filter(|at| taken(*at)).count()
}
