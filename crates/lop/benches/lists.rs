//! All algorithms over lists, on the same lists.
//!
//! `cargo bench -p lop --bench lists` minimises random lists of 16 to 4096 elements, of which 1 to 32 are needed, with every
//! algorithm of the registry, once each. It prints for each kind of list, and for each length: the mean number of distinct tests (the
//! engine remembers the others), of elements and of weight that is left, and tests as a multiple of the information
//! bound, log₂ C(n, k): that many yes/no answers are needed to single out k elements of n.
//!
//! The kinds:
//! - *scattered*: the needed elements are anywhere; *clustered*: they are two runs of neighbours; *heavy*: the
//!   heavier an element, the more likely it is needed, as the paper on WDD found.
//! - *skewed*: the weights are 1 to 1000, and half of all weight is in a few elements; otherwise they are equal.
//! - *dependent*: every other element depends on an earlier one, and is boring without it. What needed elements depend on is
//!   needed, too, and counts for the bound.
//! - *fickle*: besides, a quarter of all candidates is boring for no reason.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use lop::Pace;
use lop::algorithms::{ALGORITHMS, Elements};
use lop::search::{Inline, Subset};

const SEED: u64 = 7;
const LENGTHS: [usize; 5] = [16, 64, 256, 1024, 4096];
const NEEDED: [usize; 4] = [1, 3, 10, 32];
/// Lists of each kind, length and number of needed elements.
const LISTS: usize = 2;

/// How the lists of a table are made.
struct Kind {
    name: &'static str,
    places: Places,
    skewed: bool,
    dependent: bool,
    fickle: bool,
}

#[derive(Clone, Copy)]
enum Places {
    Scattered,
    Clustered,
    Heavy,
}

const PLAIN: Kind =
    Kind { name: "", places: Places::Scattered, skewed: false, dependent: false, fickle: false };

const KINDS: &[Kind] = &[
    Kind { name: "scattered", ..PLAIN },
    Kind { name: "clustered", places: Places::Clustered, ..PLAIN },
    Kind { name: "scattered, skewed", skewed: true, ..PLAIN },
    Kind { name: "heavy, skewed", places: Places::Heavy, skewed: true, ..PLAIN },
    Kind { name: "scattered, dependent", dependent: true, ..PLAIN },
    Kind {
        name: "heavy, skewed, dependent",
        places: Places::Heavy,
        skewed: true,
        dependent: true,
        ..PLAIN
    },
    Kind { name: "scattered, fickle", fickle: true, ..PLAIN },
];

fn main() {
    println!("all algorithms over the same lists, seed {SEED}");
    let mut by_length: Vec<(usize, Vec<Row>)> = Vec::new();
    for n in LENGTHS {
        by_length.push((n, vec![Row::default(); ALGORITHMS.len()]));
    }
    for kind in KINDS {
        let mut rows = vec![Row::default(); ALGORITHMS.len()];
        for (n, rows_of_length) in &mut by_length {
            let mut random = fastrand::Rng::with_seed(SEED);
            for k in NEEDED.into_iter().filter(|k| 2 * k <= *n) {
                for _ in 0..LISTS {
                    let list = List::random(kind, *n, k, &mut random);
                    for (index, algorithm) in ALGORITHMS.iter().enumerate() {
                        let row = list.minimised_by(algorithm.run);
                        assert!(row.left >= row.needed, "{}", algorithm.name);
                        rows[index].add(&row);
                        rows_of_length[index].add(&row);
                    }
                }
            }
        }
        print_table(kind.name, &rows);
    }
    for (n, rows) in &by_length {
        print_table(&format!("all kinds, n = {n}"), rows);
    }
}

/// A list to minimise.
struct List {
    weights: Vec<usize>,
    /// The elements that must stay, in ascending order.
    needed: Vec<usize>,
    /// The element that each element depends on.
    depends: Vec<Option<usize>>,
    fickle: bool,
}

impl List {
    fn random(kind: &Kind, n: usize, k: usize, random: &mut fastrand::Rng) -> List {
        // 1/u has no mean: a few elements have half of the weight.
        let skewed = |random: &mut fastrand::Rng| (1.0 / random.f64().max(0.001)) as usize;
        let weights: Vec<usize> =
            (0..n).map(|_| if kind.skewed { skewed(random) } else { 1 }).collect();
        let mut is_needed = vec![false; n];
        match kind.places {
            Places::Clustered => {
                // One run in each half.
                for (half, length) in [(0, k / 2), (n / 2, k - k / 2)] {
                    let start = half + random.usize(..=n / 2 - length);
                    is_needed[start..start + length].fill(true);
                }
            }
            Places::Scattered | Places::Heavy => {
                // k elements without replacement: those with the first of n arrivals, at rates that are their weights.
                let is_heavy = matches!(kind.places, Places::Heavy);
                let mut arrivals: Vec<(f64, usize)> = (0..n)
                    .map(|element| {
                        let rate = if is_heavy { weights[element] as f64 } else { 1.0 };
                        (-(1.0 - random.f64()).ln() / rate, element)
                    })
                    .collect();
                arrivals.sort_by(|left, right| left.0.total_cmp(&right.0));
                arrivals[..k].iter().for_each(|(_, element)| is_needed[*element] = true);
            }
        }
        let depends: Vec<Option<usize>> = (0..n)
            .map(|element| {
                let depends = kind.dependent && element > 0 && random.bool();
                depends.then(|| random.usize(element.saturating_sub(50)..element))
            })
            .collect();
        for element in (0..n).rev().filter(|element| is_needed[*element]).collect::<Vec<_>>() {
            let on = |element: &usize| depends[*element];
            std::iter::successors(Some(element), on).for_each(|element| is_needed[element] = true);
        }
        let needed = (0..n).filter(|element| is_needed[*element]).collect();
        List { weights, needed, depends, fickle: kind.fickle }
    }

    fn minimised_by(
        &self,
        run: fn(&Elements, &mut dyn lop::search::Survey<Subset>) -> Subset,
    ) -> Row {
        let n = self.weights.len();
        let mut seen = HashMap::new();
        let mut search = Inline(|subset: &Subset| {
            let mut hasher = DefaultHasher::new();
            subset.hash(&mut hasher);
            let hash = hasher.finish();
            *seen.entry(hash).or_insert_with(|| self.is_interesting(subset, hash))
        });
        let weight = |element: usize| self.weights[element];
        let left = run(&Elements::new(n).weighing(&weight), &mut search);
        let sum =
            |elements: &mut dyn Iterator<Item = usize>| elements.map(weight).sum::<usize>() as f64;
        Row {
            lists: 1.0,
            tests: seen.len() as f64,
            left: left.len() as f64,
            weight: sum(&mut left.iter()),
            bound: Pace::least_tests(n, self.needed.len()),
            needed: self.needed.len() as f64,
            needed_weight: sum(&mut self.needed.iter().copied()),
        }
    }

    fn is_interesting(&self, subset: &Subset, hash: u64) -> bool {
        let runs = subset.runs();
        let has = |element: usize| {
            let run = runs.partition_point(|run| run.end <= element);
            runs.get(run).is_some_and(|run| run.contains(&element))
        };
        self.needed.iter().all(|element| has(*element))
            && !(self.fickle && hash.is_multiple_of(4))
            && subset.iter().all(|element| self.depends[element].is_none_or(has))
    }
}

/// Sums over some lists.
#[derive(Clone, Default)]
struct Row {
    lists: f64,
    tests: f64,
    left: f64,
    weight: f64,
    bound: f64,
    needed: f64,
    needed_weight: f64,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.lists += other.lists;
        self.tests += other.tests;
        self.left += other.left;
        self.weight += other.weight;
        self.bound += other.bound;
        self.needed += other.needed;
        self.needed_weight += other.needed_weight;
    }
}

fn print_table(title: &str, rows: &[Row]) {
    let line = |name: &str, lists: f64, tests: f64, left: f64, weight: f64, bound: f64| {
        println!(
            "{name:<14} {:>9.1} {:>9.1} {:>9.1} {:>8.2}",
            tests / lists,
            left / lists,
            weight / lists,
            tests / bound
        );
    };
    println!("\n{title} ({} lists)", rows[0].lists);
    println!("{:<14} {:>9} {:>9} {:>9} {:>8}", "", "tests", "left", "weight", "× bound");
    for (algorithm, row) in ALGORITHMS.iter().zip(rows) {
        line(algorithm.name, row.lists, row.tests, row.left, row.weight, row.bound);
    }
    let least = &rows[0];
    line("least", least.lists, least.bound, least.needed, least.needed_weight, least.bound);
}
