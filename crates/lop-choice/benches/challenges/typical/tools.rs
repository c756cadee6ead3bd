//! Tools: compilers, formatters, build systems, allocators, schedulers, databases, version control and the like.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Display;
use std::iter::Peekable;
use std::str::Chars;

use lop_choice::{Source, Step};

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("coalesce", coalesce, "alloc 1, alloc 1, free 0, free 0"),
        typical("savepoint", savepoint, "begin, begin, put 0 0, commit, rollback"),
        typical("reprint", reprint, "0-(0+1)"),
        typical("propagate", propagate, "if a { a = 1 }; print a"),
        typical("mergebase", mergebase, "1: 0; 2: 0 1; of 2 and 1"),
        typical("utf16", utf16, "10000 at 1"),
        typical("elapsed", elapsed, "59.5"),
        typical("tiles", tiles, "0 0 0; 0 0 0; 0 0 1"),
        typical("mergejoin", mergejoin, "0 0 | 0"),
        typical("dequeue", dequeue, "0 3 1 4 5 2 without 3"),
        typical("crontab", crontab, "2000-12-4 + 4 weeks"),
        typical("hunks", hunks, "0+2 0+1"),
    ],
    apart: &[
        typical("includes", includes, "3: 0-1 0-2 1-2"),
        typical("glob", glob, "*a aa"),
        typical("bounds", bounds, "[0, 0] [0, 1)"),
        typical("regmoves", regmoves, "1 0 3 2"),
        typical("buildflags", buildflags, "profile=release O=2 lto=true g=true split=packed j=1"),
        typical("pagesplit", pagesplit, "33 60"),
    ],
};

fn joined<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

/// A heap: its free and its used blocks, each with its start and length.
struct Heap {
    free: Vec<(usize, usize)>,
    used: Vec<(usize, usize)>,
    log: Vec<String>,
}

impl Heap {
    fn alloc(&mut self, size: usize) {
        self.log.push(format!("alloc {size}"));
        let Some(at) = self.free.iter().position(|block| block.1 >= size) else { return };
        let (start, length) = self.free.remove(at);
        self.used.push((start, size));
        if length > size {
            self.free.insert(at, (start + size, length - size));
        }
    }

    fn free(&mut self, index: usize) {
        self.log.push(format!("free {index}"));
        let (start, length) = self.used.remove(index);
        let at = self.free.partition_point(|block| block.0 < start);
        if at < self.free.len() && self.free[at].0 == start + length {
            self.free[at] = (start, length + self.free[at].1);
        } else if at > 0 && self.free[at - 1].0 + self.free[at - 1].1 == start {
            self.free[at - 1].1 += length;
        } else {
            self.free.insert(at, (start, length));
        }
    }
}

/// No two free blocks of an allocator touch; but a block that is freed between two free ones is joined with one of them only.
fn coalesce(s: &mut Source) -> bool {
    let mut heap = Heap { free: vec![(0, 64)], used: Vec::new(), log: Vec::new() };
    let alloc = Step::new("alloc", |heap: &mut Heap, s| heap.alloc(s.integer(1..=16)));
    let free = Step::new("free", |heap: &mut Heap, s| heap.free(s.integer(0..heap.used.len())));
    s.steps(0..=20, &mut heap, &[alloc, free.when(|heap| !heap.used.is_empty())]);
    note(s, joined(&heap.log, ", "), heap.log.len());
    heap.free.windows(2).all(|two| two[0].0 + two[0].1 < two[1].0)
}

/// A store with nested transactions is like a stack of copies; but an inner commit forgets what an outer rollback has to undo.
fn savepoint(s: &mut Source) -> bool {
    let count = s.integer(1..=20);
    let steps = s.repeat(count, |s| {
        let name = *s.pick(&["put", "delete", "begin", "commit", "rollback"]);
        let arguments: Vec<u8> = match name {
            "put" => vec![s.integer(0..=3), s.integer(0..=9)],
            "delete" => vec![s.integer(0..=3)],
            _ => Vec::new(),
        };
        (name, arguments)
    });
    let told = steps.iter().map(|(name, arguments)| format!("{name} {}", joined(arguments, " ")));
    note(s, joined(told, ", ").replace(" ,", ",").trim_end(), count);
    let (mut store, mut undo, mut marks) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut copies = vec![BTreeMap::new()];
    for (name, arguments) in steps {
        let top = copies.len() - 1;
        match (name, &arguments[..]) {
            (_, [key, value]) => {
                undo.push((*key, store.insert(*key, *value)));
                copies[top].insert(*key, *value);
            }
            (_, [key]) => {
                undo.push((*key, store.remove(key)));
                copies[top].remove(key);
            }
            ("begin", _) => {
                marks.push(undo.len());
                copies.push(copies[top].clone());
            }
            _ => {
                let Some(mark) = marks.pop() else { continue };
                let inner = copies.pop().unwrap_or_default();
                if name == "commit" {
                    undo.truncate(mark);
                    copies[top - 1] = inner;
                    continue;
                }
                for (key, before) in undo.drain(mark..).rev() {
                    match before {
                        Some(value) => store.insert(key, value),
                        None => store.remove(&key),
                    };
                }
            }
        }
    }
    copies.last() == Some(&store)
}

enum Expr {
    Number(i128),
    Binary(char, Box<Expr>, Box<Expr>),
}

fn number(s: &mut Source) -> Expr {
    Expr::Number(s.integer(0..=9))
}

fn expr(s: &mut Source, depth: u32) -> Expr {
    if depth == 0 {
        return number(s);
    }
    let binary = |s: &mut Source, sign| {
        Expr::Binary(sign, Box::new(expr(s, depth - 1)), Box::new(expr(s, depth - 1)))
    };
    s.one_of(&[&number, &|s| binary(s, '+'), &|s| binary(s, '-'), &|s| binary(s, '*')])
}

fn strength(sign: char) -> u8 {
    if sign == '*' { 2 } else { 1 }
}

impl Expr {
    /// Printed inside of a sign so strong. A right operand is printed as if its sign were stronger by `more`.
    fn printed(&self, around: u8, more: u8) -> String {
        match self {
            Expr::Number(number) => number.to_string(),
            Expr::Binary(sign, left, right) => {
                let own = strength(*sign);
                let (left, right) = (left.printed(own, more), right.printed(own + more, more));
                let text = format!("{left}{sign}{right}");
                if own < around { format!("({text})") } else { text }
            }
        }
    }
}

/// The value of a printed expression whose signs are at least so strong.
fn evaluated(text: &mut Peekable<Chars<'_>>, least: u8) -> i128 {
    let mut left = match text.next() {
        Some('(') => {
            let inner = evaluated(text, 1);
            text.next();
            inner
        }
        digit => digit.and_then(|it| it.to_digit(10)).map_or(0, i128::from),
    };
    while let Some(sign) = text.next_if(|it| *it != ')' && strength(*it) >= least) {
        let right = evaluated(text, strength(sign) + 1);
        left = match sign {
            '+' => left + right,
            '-' => left - right,
            _ => left * right,
        };
    }
    left
}

/// A printed expression has the same value; but a right operand of the same strength has no parentheses.
fn reprint(s: &mut Source) -> bool {
    let expr = expr(s, 5);
    let (right, wrong) = (expr.printed(0, 1), expr.printed(0, 0));
    note(s, &right, right.len());
    evaluated(&mut wrong.chars().peekable(), 1) == evaluated(&mut right.chars().peekable(), 1)
}

#[derive(Clone, Copy)]
enum Value {
    Constant(u8),
    Variable(usize),
}

enum Statement {
    Set(usize, Value),
    Print(Value),
    If(usize, Vec<Statement>),
}

fn variable(s: &mut Source) -> usize {
    s.integer(0..=2)
}

fn value(s: &mut Source) -> Value {
    s.one_of(&[&|s| Value::Constant(s.integer(0..=9)), &|s| Value::Variable(variable(s))])
}

fn block(s: &mut Source, depth: u32) -> Vec<Statement> {
    s.list(0..=5, |s| match s.integer(0..=if depth > 0 { 2 } else { 1 }) {
        0 => Statement::Set(variable(s), value(s)),
        1 => Statement::Print(value(s)),
        _ => Statement::If(variable(s), block(s, depth - 1)),
    })
}

fn block_form(block: &[Statement]) -> String {
    let name = |variable: usize| ["a", "b", "c"][variable];
    let value = |value: &Value| match value {
        Value::Constant(number) => number.to_string(),
        Value::Variable(variable) => name(*variable).to_owned(),
    };
    let told = |statement: &Statement| match statement {
        Statement::Set(to, from) => format!("{} = {}", name(*to), value(from)),
        Statement::Print(what) => format!("print {}", value(what)),
        Statement::If(when, block) => format!("if {} {{ {} }}", name(*when), block_form(block)),
    };
    joined(block.iter().map(told), "; ")
}

fn run(block: &[Statement], variables: &mut [u8; 3], printed: &mut Vec<u8>) {
    for statement in block {
        let value = |value: &Value| match value {
            Value::Constant(number) => *number,
            Value::Variable(variable) => variables[*variable],
        };
        match statement {
            Statement::Set(to, from) => variables[*to] = value(from),
            Statement::Print(what) => printed.push(value(what)),
            Statement::If(when, block) if variables[*when] != 0 => run(block, variables, printed),
            Statement::If(..) => {}
        }
    }
}

/// With constants instead of the variables that are known to have them.
fn propagated(block: &[Statement], known: &mut [Option<u8>; 3]) -> Vec<Statement> {
    let mut made = Vec::new();
    for statement in block {
        let value = |value: &Value| match value {
            Value::Variable(variable) => known[*variable].map_or(*value, Value::Constant),
            Value::Constant(_) => *value,
        };
        made.push(match statement {
            Statement::Set(to, from) => {
                let from = value(from);
                known[*to] = if let Value::Constant(number) = from { Some(number) } else { None };
                Statement::Set(*to, from)
            }
            Statement::Print(what) => Statement::Print(value(what)),
            Statement::If(when, block) => Statement::If(*when, propagated(block, known)),
        });
    }
    made
}

/// Constant propagation keeps what a program prints; but what is known in a branch is still known after it.
fn propagate(s: &mut Source) -> bool {
    let program = block(s, 2);
    note(s, block_form(&program), program.len());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    run(&program, &mut [0; 3], &mut before);
    run(&propagated(&program, &mut [None; 3]), &mut [0; 3], &mut after);
    before == after
}

/// A cycle of includes is reported if there is one; but a file that is met twice on different ways is reported, too.
fn includes(s: &mut Source) -> bool {
    let files: usize = s.integer(2..=8);
    let edges = s.list(0..=12, |s| {
        s.filter(|s| (s.integer(0..files), s.integer(0..files)), |(from, to)| from != to)
    });
    let told = edges.iter().map(|(from, to)| format!("{from}-{to}"));
    note(s, format!("{files}: {}", joined(told, " ")), edges.len());
    let edges: BTreeSet<(usize, usize)> = edges.into_iter().collect();
    let mut open = edges.clone();
    while let Some(edge) = open.iter().find(|edge| open.iter().all(|it| it.0 != edge.1)).copied() {
        open.remove(&edge);
    }
    let is_reported = (0..files).any(|root| meets_again(root, &edges, &mut BTreeSet::new()));
    is_reported != open.is_empty()
}

fn meets_again(at: usize, edges: &BTreeSet<(usize, usize)>, met: &mut BTreeSet<usize>) -> bool {
    !met.insert(at) || edges.iter().any(|edge| edge.0 == at && meets_again(edge.1, edges, met))
}

/// The commits that are reached from one, the nearest first.
fn ancestors(from: usize, parents: &[Vec<usize>]) -> Vec<usize> {
    let (mut found, mut open) = (Vec::new(), VecDeque::from([from]));
    while let Some(commit) = open.pop_front() {
        if !found.contains(&commit) {
            found.push(commit);
            open.extend(&parents[commit]);
        }
    }
    found
}

/// No common ancestor of two commits comes after their merge base; but the base is the first that is met from one of them.
fn mergebase(s: &mut Source) -> bool {
    let mut parents: Vec<Vec<usize>> = vec![Vec::new()];
    while parents.len() < 12 && s.boolean(0.8) {
        let mut own = vec![s.integer(0..parents.len())];
        if s.boolean(0.3) {
            own.push(s.integer(0..parents.len()));
        }
        parents.push(own);
    }
    let (one, other) = (s.integer(0..parents.len()), s.integer(0..parents.len()));
    let told = (1..parents.len()).map(|at| format!("{at}: {}; ", joined(&parents[at], " ")));
    note(s, format!("{}of {one} and {other}", joined(told, "")), parents.len());
    let mut common = ancestors(one, &parents);
    let others = ancestors(other, &parents);
    common.retain(|commit| others.contains(commit));
    let base = common[0];
    common[1..].iter().all(|commit| !ancestors(*commit, &parents).contains(&base))
}

/// A glob matches as if all ways were tried; but a star never takes more than it must for the next sign.
fn glob(s: &mut Source) -> bool {
    let pattern = s.text_of("ab*?", 0..=8);
    let text = s.text_of("ab", 0..=10);
    note(s, format!("{pattern} {text}"), pattern.len() + text.len());
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    glob_matches(pattern, text, 1) == glob_matches(pattern, text, usize::MAX)
}

/// Whether a pattern matches, if so many ends of each star are tried.
fn glob_matches(pattern: &[u8], text: &[u8], ends: usize) -> bool {
    let fits = |sign: u8, at: usize| text.get(at).is_some_and(|it| sign == b'?' || sign == *it);
    match pattern {
        [] => text.is_empty(),
        [b'*', rest @ ..] => {
            let may_end = |at: &usize| match rest.first() {
                None => *at == text.len(),
                Some(b'*') => true,
                Some(sign) => fits(*sign, *at),
            };
            let mut tried = (0..=text.len()).filter(may_end).take(ends);
            tried.any(|at| glob_matches(rest, &text[at..], ends))
        }
        [sign, rest @ ..] => fits(*sign, 0) && glob_matches(rest, &text[1..], ends),
    }
}

/// A place in a text is the same after it was a line and a column; but one way counts UTF-16 units, and the other characters.
fn utf16(s: &mut Source) -> bool {
    let text: Vec<char> = s.text(0..=12).chars().collect();
    let offset = s.integer(0..=text.len());
    let told = text.iter().map(|it| format!("{:x}", u32::from(*it)));
    note(s, format!("{} at {offset}", joined(told, " ")), text.len());
    let before = &text[..offset];
    let line = before.iter().filter(|it| **it == '\n').count();
    let column: usize =
        before.iter().rev().take_while(|it| **it != '\n').map(|it| it.len_utf16()).sum();
    let starts = text.iter().enumerate().filter(|(_, it)| **it == '\n').map(|(at, _)| at + 1);
    let start = [0].into_iter().chain(starts).nth(line);
    start.is_some_and(|start| start + column == offset)
}

/// The time of a build is shown with fewer than 60 seconds after its minutes; but these are rounded after the minutes are taken off.
fn elapsed(s: &mut Source) -> bool {
    let steps = s.list(1..=6, |s| s.float(0.0..=100.0));
    note(s, joined(&steps, " "), steps.len());
    let total: f64 = steps.iter().sum();
    (total % 60.0 + 0.5).floor() < 60.0
}

/// One end of a range: where it is, and whether the range includes it.
type End = (f64, bool);

/// A value is in the intersection of two ranges of a query if it is in both; but an end is included only if both ranges include theirs.
fn bounds(s: &mut Source) -> bool {
    let range = |s: &mut Source| -> (End, End) {
        let low = s.float(0.0..=100.0);
        let high = s.float(low..=100.0);
        ((low, s.boolean(0.5)), (high, s.boolean(0.5)))
    };
    let (one, other) = (range(s), range(s));
    let told = |(low, high): (End, End)| {
        let signs = (if low.1 { '[' } else { '(' }, if high.1 { ']' } else { ')' });
        format!("{}{}, {}{}", signs.0, low.0, high.0, signs.1)
    };
    note(s, format!("{} {}", told(one), told(other)), 2);
    let has = |(low, high): (End, End), value: f64| {
        (value > low.0 || value == low.0 && low.1) && (value < high.0 || value == high.0 && high.1)
    };
    let low = (one.0.0.max(other.0.0), one.0.1 && other.0.1);
    let high = (one.1.0.min(other.1.0), one.1.1 && other.1.1);
    let ends = [one.0.0, one.1.0, other.0.0, other.1.0];
    ends.iter().all(|end| has((low, high), *end) == (has(one, *end) && has(other, *end)))
}

/// A tiled loop does what the plain loop does; but it forgets the corner that is left over both by the rows and by the columns.
fn tiles(s: &mut Source) -> bool {
    let (rows, columns): (usize, usize) = (s.integer(1..=7), s.integer(1..=7));
    let matrix = s.repeat(rows, |s| s.repeat(columns, |s| s.integer(0..=9_u8)));
    note(s, joined(matrix.iter().map(|row| joined(row, " ")), "; "), rows * columns);
    if rows < 2 || columns < 2 {
        return true; // The plain loop is used.
    }
    let (whole_rows, whole_columns) = (rows / 2 * 2, columns / 2 * 2);
    let mut transposed = vec![vec![0; rows]; columns];
    let mut copy = |row: usize, column: usize| transposed[column][row] = matrix[row][column];
    for row in (0..whole_rows).step_by(2) {
        for column in (0..whole_columns).step_by(2) {
            (0..4).for_each(|at| copy(row + at / 2, column + at % 2));
        }
    }
    (whole_rows..rows).for_each(|row| (0..whole_columns).for_each(|column| copy(row, column)));
    (whole_columns..columns).for_each(|column| (0..whole_rows).for_each(|row| copy(row, column)));
    (0..rows).all(|row| (0..columns).all(|column| transposed[column][row] == matrix[row][column]))
}

/// A merge join finds as many pairs as two nested loops; but it doesn't go back on the right for equal keys on the left.
fn mergejoin(s: &mut Source) -> bool {
    let (lefts, rights) = (s.integer(0..=8), s.integer(0..=8));
    let mut left = s.repeat(lefts, |s| s.integer(0..=20_u8));
    let mut right = s.repeat(rights, |s| s.integer(0..=20_u8));
    note(s, format!("{} | {}", joined(&left, " "), joined(&right, " ")), lefts + rights);
    left.sort_unstable();
    right.sort_unstable();
    let (mut at, mut to, mut pairs) = (0, 0, 0);
    while at < lefts && to < rights {
        pairs += usize::from(left[at] == right[to]);
        if left[at] < right[to] { at += 1 } else { to += 1 }
    }
    pairs == left.iter().map(|key| right.iter().filter(|it| *it == key).count()).sum::<usize>()
}

/// A permutation of registers becomes single moves; but all its cycles are saved in the same scratch register before one is restored.
fn regmoves(s: &mut Source) -> bool {
    let count = s.integer(1..=8);
    let mut from: Vec<usize> = (0..count).collect();
    for at in 0..count - 1 {
        from.swap(at, s.integer(at..count));
    }
    note(s, joined(&from, " "), count);
    let mut registers: Vec<usize> = (0..count).collect();
    let (mut scratch, mut last, mut is_done) = (0, Vec::new(), vec![false; count]);
    for start in 0..count {
        if from[start] == start || is_done[start] {
            continue;
        }
        scratch = registers[start];
        let mut at = start;
        while from[at] != start {
            registers[at] = registers[from[at]];
            is_done[at] = true;
            at = from[at];
        }
        is_done[at] = true;
        last.push(at);
    }
    last.into_iter().for_each(|at| registers[at] = scratch);
    registers == from
}

/// A task that is taken out of a binary heap leaves a heap; but the last task, which takes its place, only sinks.
fn dequeue(s: &mut Source) -> bool {
    let count: usize = s.integer(1..=12);
    let mut left: Vec<usize> = (0..count).collect();
    let order: Vec<usize> = (0..count).map(|_| left.remove(s.integer(0..left.len()))).collect();
    let out = s.integer(0..count);
    note(s, format!("{} without {out}", joined(&order, " ")), count);
    let mut heap: Vec<usize> = Vec::new();
    for task in order {
        let mut at = heap.len();
        heap.push(task);
        while at > 0 && heap[(at - 1) / 2] > heap[at] {
            heap.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }
    heap.swap_remove(out);
    let mut at = out;
    while let Some(least) = (2 * at + 1..heap.len().min(2 * at + 3)).min_by_key(|it| heap[*it]) {
        if heap[at] > heap[least] {
            heap.swap(at, least);
        }
        at = least;
    }
    (1..heap.len()).all(|at| heap[(at - 1) / 2] <= heap[at])
}

/// The settings of a build are the same after they were arguments; but split debug information turns optimisation at link time off.
fn buildflags(s: &mut Source) -> bool {
    let profile = *s.pick(&["debug", "release"]);
    let is_release = profile == "release";
    let level: u8 = if is_release { s.integer(2..=3) } else { s.integer(0..=1) };
    let lto = is_release && s.boolean(0.5);
    let debug = s.boolean(0.5);
    let split = if debug { *s.pick(&["off", "packed", "unpacked"]) } else { "off" };
    let threads: u8 = s.integer(1..=16);
    let line = format!("profile={profile} O={level} lto={lto} g={debug} split={split} j={threads}");
    note(s, &line, 6);
    let mut read = BTreeMap::new();
    for (name, value) in line.split(' ').filter_map(|argument| argument.split_once('=')) {
        read.insert(name, value);
        if name == "split" && value != "off" {
            read.insert("lto", "false");
        }
    }
    read["lto"] == lto.to_string() && read["split"] == split && read["profile"] == profile
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The next run of a job comes some days or weeks after the last one; but the year stays the same after December.
fn crontab(s: &mut Source) -> bool {
    let (year, month) = (s.integer(2000..=2037), s.integer(1..=12));
    let day = s.integer(1..=days_in(year, month));
    let (unit, count): (&str, u32) = (*s.pick(&["days", "weeks"]), s.integer(1..=4));
    note(s, format!("{year}-{month}-{day} + {count} {unit}"), 5);
    let after = if unit == "weeks" { 7 * count } else { count };
    next_run(year, month, day + after, 0) == next_run(year, month, day + after, 1)
}

/// The date of a day that may be after the end of its month. After December come so many years.
fn next_run(year: u32, month: u32, day: u32, years: u32) -> (u32, u32, u32) {
    match day.checked_sub(days_in(year, month)) {
        None | Some(0) => (year, month, day),
        Some(day) if month == 12 => next_run(year + years, 1, day, years),
        Some(day) => next_run(year, month + 1, day, years),
    }
}

/// The records of a page fit into it with their slots of 4 bytes; but the slot of the record that is added isn't counted.
fn pagesplit(s: &mut Source) -> bool {
    let sizes = s.list(0..=12, |s| s.integer(1..=60_u32));
    note(s, joined(&sizes, " "), sizes.len());
    let mut pages = vec![0];
    for size in sizes {
        let last = pages.len() - 1;
        match pages[last] + size {
            0..=100 => pages[last] += size + 4,
            _ => pages.push(size + 4),
        }
    }
    pages.iter().all(|used| *used <= 100)
}

/// Hunks that touch are merged and cover the same lines; but the merged one ends where the later one ends.
fn hunks(s: &mut Source) -> bool {
    let mut hunks: Vec<(u32, u32)> = s.list(0..=8, |s| (s.integer(0..=50), s.integer(1..=10)));
    let told = hunks.iter().map(|(start, length)| format!("{start}+{length}"));
    note(s, joined(told, " "), hunks.len());
    hunks.sort_by_key(|hunk| hunk.0);
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (start, length) in &hunks {
        match merged.last_mut() {
            Some(last) if *start <= last.1 => last.1 = start + length,
            _ => merged.push((*start, start + length)),
        }
    }
    let covered: BTreeSet<u32> = hunks.iter().flat_map(|it| it.0..it.0 + it.1).collect();
    merged.iter().flat_map(|it| it.0..it.1).eq(covered)
}
