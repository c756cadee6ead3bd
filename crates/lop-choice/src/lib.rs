//! Property testing that reduces the choices of a generator instead of the values that it makes.
//!
//! A *generator* is a plain function that draws from a [`Source`]. A *property* draws the values it needs, and fails by a panic, by an
//! `Err` or by `false`. [`check`] looks for choices with which the property fails, finds the simplest ones, and reports the values that they make:
//!
//! ```
//! use lop_choice::{Check, Source};
//!
//! fn reversed(list: &[i32]) -> Vec<i32> {
//!     list.iter().rev().copied().collect()
//! }
//!
//! let report = Check { seed: Some(1), regressions: None, ..Check::default() }.run(|s: &mut Source| {
//!     let list: Vec<i32> = s.named("list", |s| s.list(.., |s| s.integer(..)));
//!     assert_eq!(reversed(&list), list);
//! });
//! assert_eq!(report.found[0].notes, ["list = [0, 1]"]);
//! ```
//!
//! In a test, one call is enough. A test that fails reports the case, the failure, and the file that keeps the choices:
//!
//! ```no_run
//! # use lop_choice::check;
//! #[test]
//! fn sorting_sorts() {
//!     check(|s| {
//!         let mut list: Vec<u8> = s.named("list", |s| s.list(.., |s| s.integer(..)));
//!         list.sort();
//!         assert!(list.is_sorted());
//!     });
//! }
//! ```
//!
//! # Why choices
//!
//! You never write a shrinker: lop shrinks the choices, not the values. Simpler is a shortlex order: fewer choices come first, and of equally many
//! choices the simpler ones. The generator makes a value from the reduced choices, so every result could have been generated: a
//! sorted list stays sorted, a heap stays a heap, an index stays within its list.
//!
//! # Generators
//!
//! Generators call each other through [`Source::draw`], which records the choices of each call as a span. With spans, the reducer can replace a tree
//! by one of its subtrees:
//!
//! ```
//! # use lop_choice::{Check, Source};
//! #[derive(Clone, Debug, PartialEq)]
//! enum Tree {
//!     Leaf,
//!     Node(Box<Tree>, u8, Box<Tree>),
//! }
//!
//! fn tree(s: &mut Source) -> Tree {
//!     // The first alternative is the simplest.
//!     match s.boolean(0.4) {
//!         false => Tree::Leaf,
//!         true => Tree::Node(Box::new(s.draw(tree)), s.integer(..), Box::new(s.draw(tree))),
//!     }
//! }
//!
//! fn sum(tree: &Tree) -> u32 {
//!     match tree {
//!         Tree::Leaf => 0,
//!         Tree::Node(left, number, right) => sum(left) + u32::from(*number) + sum(right),
//!     }
//! }
//!
//! let report = Check { seed: Some(1), regressions: None, ..Check::default() }.run(|s| sum(&s.named("tree", tree)) < 300);
//! assert_eq!(report.found[0].notes, ["tree = Node(Leaf, 45, Node(Leaf, 255, Leaf))"]);
//! ```
//!
//! Spans that are drawn from the same function are of the same kind. Each closure makes a kind of its own, so a generator with more parameters calls
//! [`s.span("tree", |s| …)`](Source::span) in its body instead.
//!
//! [`Source`] draws numbers ([`integer`](Source::integer), [`float`](Source::float)), [`boolean`](Source::boolean)s, [`text`](Source::text)s,
//! [`bytes`](Source::bytes), [`pick`](Source::pick)s, [alternatives](Source::one_of), [`list`](Source::list)s and more. A type that implements [`Draw`] can be drawn
//! with [`any`](Source::any):
//!
//! ```
//! use lop_choice::{Draw, Source};
//!
//! struct Point { x: f64, y: f64 }
//!
//! impl Draw for Point {
//!     fn draw(s: &mut Source) -> Point {
//!         Point { x: s.float(-1.0..=1.0), y: s.float(-1.0..=1.0) }
//!     }
//! }
//!
//! # lop_choice::Check { regressions: None, ..Default::default() }.check(|s| {
//! let (name, points): (String, Vec<Point>) = s.any();
//! # });
//! ```
//!
//! One choice may depend on another, as in any function; there is no combinator to chain or flatten:
//!
//! ```
//! # use lop_choice::{Check, Source};
//! # let report = Check { seed: Some(1), regressions: None, ..Check::default() }.run(|s| {
//! let list: Vec<u8> = s.list(1..=20, |s| s.integer(..));
//! let index = s.integer(0..list.len());
//! # s.note(format!("{list:?} {index}"));
//! # index < 2
//! # });
//! # assert_eq!(report.found[0].notes, ["[0, 0, 0] 2"]);
//! ```
//!
//! Useless values can be [filtered](Source::filter) or [assumed](Source::assume) away, but it is better not to generate them.
//!
//! # Stateful tests
//!
//! The steps of a stateful test are a list, and are reduced like one:
//!
//! ```
//! # use lop_choice::{Check, Source, Step};
//! #[derive(Default)]
//! struct Stacks {
//!     model: Vec<u8>,
//!     tested: Vec<u8>,
//! }
//!
//! let report = Check { seed: Some(1), regressions: None, ..Check::default() }.run(|s| {
//!     let steps = [
//!         Step::new("push", |stacks: &mut Stacks, s: &mut Source| {
//!             let item = s.named("item", |s| s.integer(0..=9));
//!             stacks.model.push(item);
//!             stacks.tested.insert(stacks.tested.len().min(2), item);
//!         }),
//!         Step::new("pop", |stacks: &mut Stacks, _: &mut Source| {
//!             assert_eq!(stacks.model.pop(), stacks.tested.pop());
//!         }),
//!         Step::invariant("both have the same length", |stacks: &Stacks| {
//!             assert_eq!(stacks.model.len(), stacks.tested.len());
//!         }),
//!     ];
//!     s.steps(..=50, &mut Stacks::default(), &steps);
//! });
//! assert_eq!(report.found[0].notes, ["push(item = 0)", "push(item = 0)", "push(item = 0)", "push(item = 1)", "pop"]);
//! ```
//!
//! # Macros
//!
//! With the feature `derive`, `#[derive(Draw)]` draws structs and enums field by field, and `#[property]` makes a test of a function, whose arguments are drawn:
//!
//! ```
//! # #[cfg(feature = "derive")] {
//! use lop_choice::{Draw, property};
//!
//! #[derive(Debug, Draw)]
//! enum Shape {
//!     Nothing,
//!     Dot { x: f64, y: f64 },
//!     #[draw(weight = 3)]
//!     Group(Vec<Shape>),
//! }
//!
//! #[property(cases = 1000)]
//! #[example(Shape::Nothing, 0)]
//! fn turning_a_shape_keeps_its_area(shape: Shape, #[draw(|s| s.integer(0..360))] degrees: u32) {
//!     // …
//! }
//! # }
//! ```
//!
//! # Finding more
//!
//! - [`s.target(score)`](Source::target): half of the cases are changes of the one with the greatest score, so a property comes closer to its limits than by chance.
//! - [`s.classify(class)`](Source::classify): `LOP_STATISTICS=1` prints which share of the cases each class has.
//! - [`Check::case_time`]: a case that hangs is a failure. [`Check::in_child`]: so is one that aborts or overflows the stack. Both run the cases in a child process, and
//!   both failures are reduced.
//! - [`Check::check_with`] tries examples first, as they are.
//! - A report marks named values for which other values were seen to fail as well.
//!
//! # Existing generators
//!
//! With the feature `arbitrary`, `s.arbitrary()` makes values of any type that implements that crate's `Arbitrary`. With the feature `rand`,
//! `s.random_numbers()` is an `RngCore` for existing code. Both are reduced without a change to that code. An asynchronous property is checked by
//! [`check_async`], with the `block_on` of any runtime.
//!
//! # Settings and regressions
//!
//! [`Check`] sets the number of cases and the limits of the reduction, and so does the environment: `LOP_CASES`, `LOP_SEED`, `LOP_CALLS`, `LOP_TIME`,
//! `LOP_CASE_TIME`, `LOP_STATISTICS` and `LOP_REGRESSIONS`. Failures of different kinds (by the place of the panic, or the type and variant of the error) are reduced separately,
//! and all of them are reported. The panic of the reduced case is printed as always, with a backtrace if `RUST_BACKTRACE` asks for one. Reduced choices are kept in the directory
//! `lop-regressions`, in one text file for each failure, and the next check tries them first. Put these files under version control, or delete them when the
//! failure is fixed. A failure that does not occur again with the same choices is reported as flaky.
//!
//! # Programs that make test cases
//!
//! A generator can also be a program of its own, whose choices `lop gen` reduces: see [`external`].

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod case;
mod check;
mod child;
mod choice;
mod choices;
mod climb;
mod draw;
#[doc(hidden)]
pub mod engine;
mod existing;
mod explain;
pub mod external;
mod failure;
mod float;
mod fresh;
mod known;
mod loops;
mod passes;
#[cfg(feature = "regex")]
mod pattern;
mod protocol;
mod record;
mod repair;
mod report;
mod shortlex;
mod source;
mod steps;
mod store;
mod trials;
mod types;
mod workers;

pub use check::{Check, check, check_async};
pub use draw::{Generator, Integer};
#[cfg(feature = "rand")]
pub use existing::Random;
pub use failure::{Failure, Outcome};
pub use lop_search as search;
pub use report::{Found, Report};
pub use source::Source;
pub use steps::Step;
pub use store::KeepError;
pub use types::Draw;

#[cfg(feature = "derive")]
pub use lop_choice_derive::{Draw, property};

/// The crate whose types [`Source::arbitrary`] makes.
#[cfg(feature = "arbitrary")]
pub use arbitrary;
/// The crate whose `RngCore` [`Random`] is.
#[cfg(feature = "rand")]
pub use rand_core;
