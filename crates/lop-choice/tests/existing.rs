//! Generators that were not written for this crate are reduced as they are.

#![cfg(all(feature = "arbitrary", feature = "rand"))]

use arbitrary::Arbitrary;
use lop_choice::{Check, Outcome, Source};
use rand::Rng;
use rand::seq::SliceRandom;

fn reduced<R: Outcome>(property: impl FnMut(&mut Source) -> R + Send + Clone) -> Vec<String> {
    let all = (0..20).map(|seed| {
        let check = Check { seed: Some(seed), cases: 5000, regressions: None, ..Check::default() };
        check.run(property.clone()).found.into_iter().next().expect("it fails").notes.join(" ")
    });
    let mut all: Vec<String> = all.collect();
    all.sort();
    all.dedup();
    all
}

#[derive(Arbitrary, Clone, Debug)]
enum Shape {
    Circle { radius: u8 },
    Polygon { points: Vec<(i16, i16)>, name: String },
}

#[test]
fn what_implements_arbitrary_is_reduced_as_it_is() {
    let left = reduced(|s| {
        let shapes: Vec<Shape> = s.arbitrary();
        s.note(format!("{shapes:?}"));
        !shapes
            .iter()
            .any(|shape| matches!(shape, Shape::Polygon { points, name } if points.len() >= 2 && name.len() < 99))
    });
    assert_eq!(left, [r#"[Polygon { points: [(0, 0), (0, 0)], name: "" }]"#]);
    let left = reduced(|s| {
        let shapes: Vec<Shape> = s.arbitrary();
        s.note(format!("{shapes:?}"));
        !shapes.iter().any(|shape| matches!(shape, Shape::Circle { radius } if *radius > 20))
    });
    assert_eq!(left, ["[Circle { radius: 21 }]"]);
}

#[test]
fn texts_whose_lengths_are_read_from_the_back_are_reduced() {
    let left = reduced(|s| {
        let (number, text): (u16, String) = s.arbitrary();
        s.note(format!("{number} {text:?}"));
        !(text.len() >= 3 && number >= 256)
    });
    assert_eq!(left, [r#"256 "\0\0\0""#]);
}

#[test]
fn code_for_random_number_generators_is_reduced_as_it_is() {
    let left = reduced(|s| {
        let mut random = s.random_numbers();
        let count = random.random_range(0..20);
        let mut list: Vec<u32> = (0..count).map(|_| random.random_range(0..1000)).collect();
        list.shuffle(&mut random);
        s.note(format!("{list:?}"));
        list.iter().all(|it| *it < 500)
    });
    assert_eq!(left, ["[500]"]);
}
