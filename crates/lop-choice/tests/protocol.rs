//! The two halves of the protocol against each other: what one writes, the other reads as equal.

use fastrand::Rng;
use lop_choice::engine::protocol::driver::{Events, one_of_many, read_case};
use lop_choice::engine::protocol::generator::{
    next_choices, read_choices, write_case, write_events,
};
use lop_choice::engine::protocol::{Case, Error};
use lop_choice::engine::{Choice, Choices, Kind, Label, Record, Recorder};

const CASES: u64 = 2000;

/// Runs a test with random numbers, many times.
fn many_times(test: impl Fn(&mut Rng)) {
    let mut random = lop_testing::random();
    (0..CASES).for_each(|_| test(&mut random));
}

#[test]
fn records_and_cases_are_read_as_they_were_written() {
    many_times(|rng| {
        let written: Vec<(Record, Case)> =
            (0..rng.usize(..4)).map(|_| (record(rng), case(rng))).collect();
        let mut text = Vec::new();
        for (record, case) in &written {
            write_events(&mut text, record, case).unwrap();
            write_case(&mut text, case).unwrap();
        }
        let mut text = &text[..];
        let read = std::iter::from_fn(|| read_case(&mut text).unwrap());
        let read: Vec<(Record, Case)> = read.collect();
        let expected: Vec<(Record, Case)> =
            written.into_iter().map(|(record, case)| (by_name(record), case)).collect();
        assert_eq!(read, expected);
    });
}

#[test]
fn the_events_of_an_only_case_are_read_as_they_were_written() {
    many_times(|rng| {
        let (record, case) = (record(rng), case(rng));
        let mut text = Vec::new();
        write_events(&mut text, &record, &case).unwrap();
        let wanted = match case {
            Case::TooFew(kind) => Some(kind),
            _ => None,
        };
        assert_eq!(Events::read(&text).unwrap().finish(), (by_name(record), wanted));
    });
}

#[test]
fn choices_are_read_as_they_were_written() {
    many_times(|rng| {
        let written: Vec<Choices> = (0..rng.usize(..4)).map(|_| choices(rng)).collect();
        let text: String = written.iter().map(one_of_many).collect();
        let mut text = text.as_bytes();
        let read: Vec<Choices> = std::iter::from_fn(|| next_choices(&mut text).unwrap()).collect();
        assert_eq!(read, written);

        let only = choices(rng);
        assert_eq!(read_choices(&mut only.to_string().as_bytes()).unwrap(), only);
    });
}

#[test]
fn whatever_a_generator_writes_is_read_or_refused() {
    many_times(|rng| {
        let (record, case) = (record(rng), case(rng));
        let mut text = Vec::new();
        write_events(&mut text, &record, &case).unwrap();
        write_case(&mut text, &case).unwrap();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..text.len());
            let other = rng.choice(*b"\n ()!?ibf-019.\t\xffmade").unwrap();
            match rng.bool() {
                true => text[at] = other,
                false => text.insert(at, other),
            }
        }
        let _ = Events::read(&text);
        let mut text = &text[..];
        // Reading ends: with the input, or with what is wrong.
        while let Ok(Some(_)) = read_case(&mut text) {}
    });
    let wrong = read_case(&mut &b"( \xff\n"[..]);
    assert!(matches!(wrong, Err(Error::Io(_))), "what is not text cannot be read");
}

/// The record with labels as they arrive: of most only the name's hash is known, and that is their name.
fn by_name(mut record: Record) -> Record {
    record.spans.iter_mut().for_each(|span| span.label = Label::of(&span.label.name()));
    record
}

fn record(rng: &mut Rng) -> Record {
    let mut recorder = Recorder::default();
    draw(rng, &mut recorder, 4);
    recorder.finish()
}

/// Draws choices, spans and lists, also empty ones.
fn draw(rng: &mut Rng, recorder: &mut Recorder, depth: usize) {
    for _ in 0..rng.usize(..4) {
        match rng.usize(..3) {
            1 if depth > 0 => {
                recorder.begin(Label(rng.u64(..)), 0);
                draw(rng, recorder, depth - 1);
                recorder.end(rng.bool());
            }
            2 if depth > 0 => {
                let goes_on = |value| Choice { value, kind: Kind::Boolean { odds: 0.75 } };
                recorder.begin(Label::LIST, 0);
                for _ in 0..rng.usize(..3) {
                    recorder.push(goes_on(1));
                    recorder.begin(Label::ITEM, 1);
                    draw(rng, recorder, depth - 1);
                    recorder.end(rng.bool());
                }
                recorder.push(goes_on(0));
                recorder.end(false);
            }
            _ => {
                let kind = kind(rng);
                recorder.push(Choice { value: kind.realised(integer(rng)), kind });
            }
        }
    }
}

fn kind(rng: &mut Rng) -> Kind {
    match rng.usize(..3) {
        0 => {
            let (one, two) = (integer(rng), integer(rng));
            Kind::integer(one.min(two), one.max(two), integer(rng))
        }
        1 => Kind::Boolean { odds: [0.0, 1.0, rng.f64()][rng.usize(..3)] },
        _ => {
            let (one, two) = (float(rng), float(rng));
            Kind::Float { low: one.min(two), high: one.max(two) }
        }
    }
}

fn integer(rng: &mut Rng) -> i128 {
    [rng.i128(-10..10), rng.i128(..), i128::MIN, i128::MAX][rng.usize(..4)]
}

fn float(rng: &mut Rng) -> f64 {
    let any = f64::from_bits(rng.u64(..));
    let any = if any.is_nan() { 0.1 } else { any };
    [any, rng.f64(), f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, -0.0][rng.usize(..6)]
}

fn case(rng: &mut Rng) -> Case {
    match rng.usize(..4) {
        0 => Case::TooFew(kind(rng)),
        1 => Case::Rejected,
        // Also line ends, and what looks like an event.
        2 => Case::Made(b"made 3\n\xff\n".repeat(rng.usize(..3))),
        _ => Case::Made((0..rng.usize(..9)).map(|_| rng.u8(..)).collect()),
    }
}

fn choices(rng: &mut Rng) -> Choices {
    Choices {
        comments: (0..rng.usize(..2)).map(|_| "end".to_owned()).collect(),
        values: (0..rng.usize(..5)).map(|_| integer(rng)).collect(),
        most: rng.bool().then(|| rng.usize(..)),
        fresh: rng.bool().then(|| (rng.u64(..), rng.f64())),
    }
}
