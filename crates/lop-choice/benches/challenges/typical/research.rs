//! Research: numbers, formulas, matrices, statistics, DNA, trees of species and of decisions.

use lop_choice::Source;

use super::{Field, typical};
use crate::challenge::note;

pub(crate) const FIELD: Field = Field {
    seen: &[
        typical("crt", crt, "[(2, 0), (2, 0), (4, 2)]"),
        typical("derivative", derivative, "Pow(Add(X, X), 2) 1"),
        typical("frames", frames, "ATGTAATAA"),
        typical("logsum", logsum, "[0.0, 710.0]"),
        typical("parsimony", parsimony, "(A,(C,A))"),
        typical("pruning", pruning, "Split(0, 0, Leaf(0), Split(1, 0, Leaf(0), Leaf(1))) [1, 0]"),
    ],
    apart: &[
        typical("chunks", chunks, "[[0.0], [0.0, 1.0]]"),
        typical("elimination", elimination, "[[0, 0, 1], [0, 1, 0], [1, 0, 0]]"),
        typical("median", median, "[(0, 1), (1, 1)]"),
    ],
};

/// The mean of a stream, merged from the means of its chunks: as if all chunks were as long.
fn chunks(s: &mut Source) -> bool {
    let chunks = s.list(0..=4, |s| s.list(0..=4, |s| s.float(-100.0..=100.0)));
    note(s, format!("{chunks:?}"), chunks.iter().flatten().count());
    let (mut count, mut mean) = (0, 0.0);
    for chunk in chunks.iter().filter(|it| !it.is_empty()) {
        let of_chunk = mean_of(chunk);
        mean = if count == 0 { of_chunk } else { (mean + of_chunk) / 2.0 };
        count += chunk.len();
    }
    count == 0 || (mean - mean_of(&chunks.concat())).abs() < 1e-6
}

fn mean_of(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Numbers with these remainders: if moduli have a common factor, those that were combined count for their product, and numbers between are missed.
fn crt(s: &mut Source) -> bool {
    let congruences = s.list(0..=4, |s| {
        let modulus = s.integer(2..=10);
        (modulus, s.integer(0..modulus))
    });
    note(s, format!("{congruences:?}"), congruences.len());
    let exists =
        (0..2520_u32).any(|it| congruences.iter().all(|(modulus, rest)| it % modulus == *rest));
    exists == combined(&congruences).is_some()
}

fn combined(congruences: &[(u32, u32)]) -> Option<u32> {
    let (mut number, mut step) = (0, 1);
    for (modulus, rest) in congruences {
        let numbers = (0..*modulus).map(|at| number + at * step);
        number = numbers.into_iter().find(|it| it % modulus == *rest)?;
        step *= modulus;
    }
    Some(number)
}

#[derive(Clone, Debug)]
enum Term {
    X,
    Const(i128),
    Add(Box<Term>, Box<Term>),
    Mul(Box<Term>, Box<Term>),
    Pow(Box<Term>, u32),
}

/// Symbolic against automatic differentiation: the derivative of a power lacks that of its base.
fn derivative(s: &mut Source) -> bool {
    let term = term(s, 3);
    let x = s.integer(-9..=9);
    let told = format!("{term:?} {x}");
    note(s, &told, told.len());
    term.derived().at(x).0 == term.at(x).1
}

fn term(s: &mut Source, depth: u32) -> Term {
    s.span("term", |s| match s.integer(0..=if depth > 0 { 4 } else { 1 }) {
        0 => Term::X,
        1 => Term::Const(s.integer(-9..=9)),
        2 => Term::Add(term(s, depth - 1).into(), term(s, depth - 1).into()),
        3 => Term::Mul(term(s, depth - 1).into(), term(s, depth - 1).into()),
        _ => Term::Pow(term(s, depth - 1).into(), s.integer(2..=3)),
    })
}

impl Term {
    /// The value and the derivative at a place.
    fn at(&self, x: i128) -> (i128, i128) {
        match self {
            Term::X => (x, 1),
            Term::Const(number) => (*number, 0),
            Term::Add(a, b) => {
                let (a, b) = (a.at(x), b.at(x));
                (a.0 + b.0, a.1 + b.1)
            }
            Term::Mul(a, b) => {
                let (a, b) = (a.at(x), b.at(x));
                (a.0 * b.0, a.1 * b.0 + a.0 * b.1)
            }
            Term::Pow(a, n) => {
                let a = a.at(x);
                (a.0.pow(*n), i128::from(*n) * a.0.pow(n - 1) * a.1)
            }
        }
    }

    fn has_x(&self) -> bool {
        match self {
            Term::X => true,
            Term::Const(_) => false,
            Term::Add(a, b) | Term::Mul(a, b) => a.has_x() || b.has_x(),
            Term::Pow(a, _) => a.has_x(),
        }
    }

    fn derived(&self) -> Term {
        match self {
            Term::X => Term::Const(1),
            _ if !self.has_x() => Term::Const(0),
            Term::Const(_) => Term::Const(0),
            Term::Add(a, b) => Term::Add(a.derived().into(), b.derived().into()),
            Term::Mul(a, b) => Term::Add(
                Term::Mul(a.derived().into(), b.clone()).into(),
                Term::Mul(a.clone(), b.derived().into()).into(),
            ),
            Term::Pow(a, n) => {
                Term::Mul(Term::Const(i128::from(*n)).into(), Term::Pow(a.clone(), n - 1).into())
            }
        }
    }
}

/// A determinant by elimination without fractions, against the expansion by minors: a pivot is looked for in the next row only.
fn elimination(s: &mut Source) -> bool {
    let size = s.integer(1..=4);
    let rows = s.repeat(size, |s| s.repeat(size, |s| s.integer(-3..=3_i64)));
    note(s, format!("{rows:?}"), size);
    eliminated(rows.clone()) == by_minors(&rows)
}

fn eliminated(mut rows: Vec<Vec<i64>>) -> i64 {
    let size = rows.len();
    let (mut sign, mut before) = (1, 1);
    for k in 0..size - 1 {
        if rows[k][k] == 0 {
            rows.swap(k, k + 1);
            sign = -sign;
        }
        if rows[k][k] == 0 {
            return 0;
        }
        for i in k + 1..size {
            for j in k + 1..size {
                rows[i][j] = (rows[i][j] * rows[k][k] - rows[i][k] * rows[k][j]) / before;
            }
        }
        before = rows[k][k];
    }
    sign * rows[size - 1][size - 1]
}

fn by_minors(rows: &[Vec<i64>]) -> i64 {
    let Some((first, rest)) = rows.split_first() else { return 1 };
    let without = |at: usize| -> Vec<Vec<i64>> {
        rest.iter().map(|row| [&row[..at], &row[at + 1..]].concat()).collect()
    };
    let parts = first.iter().enumerate().filter(|(_, it)| **it != 0);
    parts.map(|(at, it)| [*it, -it][at % 2] * by_minors(&without(at))).sum()
}

/// Open reading frames of DNA: the start is not forgotten when a stop is found.
fn frames(s: &mut Source) -> bool {
    let pieces = s.list(0..=10, |s| {
        s.weighted(&[
            (4, &|s| s.pick(&["A", "C", "G", "T"]).to_string()),
            (1, &|_| "ATG".to_string()),
            (2, &|s| s.pick(&["TAA", "TAG", "TGA"]).to_string()),
        ])
    });
    let dna = pieces.concat();
    note(s, &dna, dna.len());
    (0..3.min(dna.len())).all(|frame| {
        let codons: Vec<&str> =
            (frame..dna.len() - 2.min(dna.len())).step_by(3).map(|at| &dna[at..at + 3]).collect();
        let (mut found, mut start) = (Vec::new(), None);
        for (at, codon) in codons.iter().enumerate() {
            match (is_stop(codon), start) {
                (true, Some(start)) => found.push(at - start),
                (false, None) if *codon == "ATG" => start = Some(at),
                _ => {}
            }
        }
        // What follows the last stop is open.
        let mut closed: Vec<&[&str]> = codons.split(is_stop).collect();
        closed.pop();
        let lengths = closed.into_iter().filter_map(|it| {
            it.iter().position(|codon| *codon == "ATG").map(|start| it.len() - start)
        });
        lengths.eq(found)
    })
}

fn is_stop(codon: &&str) -> bool {
    ["TAA", "TAG", "TGA"].contains(codon)
}

/// The logarithm of a sum of exponentials: the first number is taken out of the sum, not the greatest.
fn logsum(s: &mut Source) -> bool {
    let numbers = s.list(1..=6, |s| s.float(-1000.0..=1000.0));
    note(s, format!("{numbers:?}"), numbers.len());
    let greatest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let by = |shift: f64| shift + numbers.iter().map(|it| (it - shift).exp()).sum::<f64>().ln();
    (by(numbers[0]) - by(greatest)).abs() < 1e-6
}

/// The lower median of values with weights, against that of values as often as they weigh: half of the weight is not enough.
fn median(s: &mut Source) -> bool {
    let mut values = s.list(1..=6, |s| (s.integer(0..=50), s.integer(1..=9)));
    note(s, format!("{values:?}"), values.len());
    values.sort();
    let each: Vec<u32> = values.iter().flat_map(|(value, weight)| vec![*value; *weight]).collect();
    let mut weight_so_far = 0;
    let found = values.iter().find(|(_, weight)| {
        weight_so_far += weight;
        2 * weight_so_far > each.len()
    });
    found.map(|it| it.0) == each.get((each.len() - 1) / 2).copied()
}

#[derive(Debug)]
enum Clade {
    Leaf(usize),
    Fork(Box<Clade>, Box<Clade>),
}

/// The fewest mutations in a tree of species, by Fitch against Sankoff: of two sets without a common base, Fitch keeps the first instead of both.
fn parsimony(s: &mut Source) -> bool {
    let tree = clade(s, 3);
    let told = tree.told();
    note(s, &told, told.len());
    tree.fitch().1 == *tree.sankoff().iter().min().expect("four bases")
}

fn clade(s: &mut Source, depth: u32) -> Clade {
    if depth > 0 && s.boolean(0.6) {
        Clade::Fork(s.draw(|s| clade(s, depth - 1)).into(), s.draw(|s| clade(s, depth - 1)).into())
    } else {
        Clade::Leaf(s.integer(0..4))
    }
}

impl Clade {
    fn told(&self) -> String {
        match self {
            Clade::Leaf(base) => "ACGT"[*base..=*base].into(),
            Clade::Fork(a, b) => format!("({},{})", a.told(), b.told()),
        }
    }

    /// The set of bases, as bits, and the mutations.
    fn fitch(&self) -> (u8, u32) {
        match self {
            Clade::Leaf(base) => (1 << base, 0),
            Clade::Fork(a, b) => {
                let ((a, by_a), (b, by_b)) = (a.fitch(), b.fitch());
                if a & b == 0 { (a, by_a + by_b + 1) } else { (a & b, by_a + by_b) }
            }
        }
    }

    /// The mutations for each base.
    fn sankoff(&self) -> [u32; 4] {
        match self {
            Clade::Leaf(base) => std::array::from_fn(|at| if at == *base { 0 } else { 99 }),
            Clade::Fork(a, b) => {
                let sides = [a.sankoff(), b.sankoff()];
                let cost = |at: usize, side: &[u32; 4]| {
                    (0..4).map(|to| side[to] + u32::from(to != at)).min().unwrap_or(0)
                };
                std::array::from_fn(|at| sides.iter().map(|side| cost(at, side)).sum())
            }
        }
    }
}

#[derive(Clone, Debug)]
enum Decision {
    Leaf(u8),
    /// A feature and a threshold: the first if the feature is not above it.
    Split(usize, u8, Box<Decision>, Box<Decision>),
}

/// A pruned tree of decisions decides like the whole one: the bounds of one feature are taken for those of the other.
fn pruning(s: &mut Source) -> bool {
    let tree = decision(s, 3);
    let sample = s.repeat(2, |s| s.integer(0..=9));
    let told = format!("{tree:?} {sample:?}");
    note(s, &told, told.len());
    tree.clone().pruned(0, 9).decide(&sample) == tree.decide(&sample)
}

fn decision(s: &mut Source, depth: u32) -> Decision {
    if depth > 0 && s.boolean(0.5) {
        let (feature, threshold) = (s.integer(0..2), s.integer(0..=8));
        let below = decision(s, depth - 1);
        Decision::Split(feature, threshold, below.into(), decision(s, depth - 1).into())
    } else {
        Decision::Leaf(s.integer(0..=2))
    }
}

impl Decision {
    fn decide(&self, sample: &[u8]) -> u8 {
        match self {
            Decision::Leaf(class) => *class,
            Decision::Split(feature, threshold, below, above) => {
                if sample[*feature] <= *threshold { below } else { above }.decide(sample)
            }
        }
    }

    fn pruned(self, low: u8, high: u8) -> Decision {
        match self {
            Decision::Split(_, threshold, below, _) if high <= threshold => below.pruned(low, high),
            Decision::Split(_, threshold, _, above) if low > threshold => above.pruned(low, high),
            Decision::Split(feature, threshold, below, above) => Decision::Split(
                feature,
                threshold,
                below.pruned(low, threshold).into(),
                above.pruned(threshold + 1, high).into(),
            ),
            leaf => leaf,
        }
    }
}
