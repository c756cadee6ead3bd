//! With quickcheck. It has no seeds, so each run has cases of its own. Types of one's own have shrinkers by hand.

use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;

use quickcheck::{Arbitrary, Gen, QuickCheck, Testable};

use crate::{Expression, Watched, report};

/// A list that has as many items as were drawn before.
#[derive(Clone, Debug)]
struct Dependent(Vec<u8>);

impl Arbitrary for Dependent {
    fn arbitrary(g: &mut Gen) -> Self {
        let length = 1 + usize::arbitrary(g) % 20;
        Dependent((0..length).map(|_| u8::arbitrary(g)).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().filter(|list| !list.is_empty()).map(Dependent))
    }
}

/// A sorted list of numbers up to 1000.
#[derive(Clone, Debug)]
struct Sorted(Vec<u16>);

impl Arbitrary for Sorted {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut list = Numbers::arbitrary(g).0;
        list.sort();
        Sorted(list)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(|mut list| {
            list.sort();
            Sorted(list)
        }))
    }
}

/// Numbers up to 1000.
#[derive(Clone, Debug)]
struct Numbers(Vec<u16>);

impl Arbitrary for Numbers {
    fn arbitrary(g: &mut Gen) -> Self {
        let length = usize::arbitrary(g) % 21;
        Numbers((0..length).map(|_| u16::arbitrary(g) % 1001).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Numbers))
    }
}

impl Arbitrary for Expression {
    fn arbitrary(g: &mut Gen) -> Self {
        fn of_depth(g: &mut Gen, depth: u32) -> Expression {
            let two =
                |g: &mut Gen| (Box::new(of_depth(g, depth - 1)), Box::new(of_depth(g, depth - 1)));
            match u8::arbitrary(g) % 4 {
                2 if depth > 0 => {
                    let (one, two) = two(g);
                    Expression::Add(one, two)
                }
                3 if depth > 0 => {
                    let (one, two) = two(g);
                    Expression::Divide(one, two)
                }
                _ => Expression::Number(u8::arbitrary(g) % 21),
            }
        }
        of_depth(g, 5)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        match self {
            Expression::Number(number) => Box::new(number.shrink().map(Expression::Number)),
            Expression::Add(one, two) => {
                Box::new([(**one).clone(), (**two).clone()].into_iter().chain(
                    (one.clone(), two.clone()).shrink().map(|(one, two)| Expression::Add(one, two)),
                ))
            }
            Expression::Divide(one, two) => Box::new(
                [(**one).clone(), (**two).clone()].into_iter().chain(
                    (one.clone(), two.clone())
                        .shrink()
                        .map(|(one, two)| Expression::Divide(one, two)),
                ),
            ),
        }
    }
}

/// A property that is watched. The trait is for functions of values, so this one draws by itself and shrinks as quickcheck does.
struct Property<T, F> {
    watched: Rc<RefCell<Watched<T>>>,
    holds: F,
}

impl<T: Arbitrary + Debug, F: Fn(&T) -> bool + 'static> Testable for Property<T, F> {
    fn result(&self, g: &mut Gen) -> quickcheck::TestResult {
        let call = |case: &T| self.watched.borrow().call(case, (self.holds)(case));
        let mut case = T::arbitrary(g);
        if call(&case) {
            return quickcheck::TestResult::passed();
        }
        while let Some(smaller) = case.shrink().find(|it| !call(it)) {
            case = smaller;
        }
        quickcheck::TestResult::failed()
    }
}

fn run<T: Arbitrary + Debug>(holds: impl Fn(&T) -> bool + 'static) -> Option<(u64, T)> {
    let watched = Rc::new(RefCell::new(Watched::new()));
    let property = Property { watched: watched.clone(), holds };
    let _ = QuickCheck::new().tests(2000).quicktest(property);
    let (calls, case) = watched.borrow().seen();
    Some((calls, case?))
}

pub fn all(runs: u64) {
    let name = "quickcheck";
    report(name, "reverse", runs, crate::reverse_simplest, |_| {
        run(|it: &Vec<i32>| crate::reverse(it))
    });
    report(name, "distinct", runs, crate::distinct_simplest, |_| {
        run(|it: &Vec<i32>| crate::distinct(it))
    });
    report(
        name,
        "sum",
        runs,
        |it: &Numbers| crate::sum_simplest(&it.0),
        |_| run(|it: &Numbers| crate::sum(&it.0)),
    );
    report(name, "nested", runs, crate::nested_simplest, |_| {
        run(|it: &Vec<Vec<u8>>| crate::nested(it))
    });
    report(
        name,
        "dependent",
        runs,
        |it: &Dependent| crate::dependent_simplest(&it.0),
        |_| run(|it: &Dependent| crate::dependent(&it.0)),
    );
    report(
        name,
        "sorted",
        runs,
        |it: &Sorted| crate::sorted_simplest(&it.0),
        |_| run(|it: &Sorted| crate::sorted(&it.0)),
    );
    report(name, "calculator", runs, crate::calculator_simplest, |_| run(crate::calculator));
}
