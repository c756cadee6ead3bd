//! Binary formats: whatever is removed, lengths, check sums, offsets and counts are right. The readers here are written
//! apart from lop's.

mod gzip;
mod mp4;
mod pdf;
#[cfg(feature = "pdf")]
mod pdf_files;
mod png;
mod riff;
mod wasm;
mod zip;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lop::tree::{CONTAINERS, Change, Format, NodeId, Tree};
use lop::{Candidate, Edit, Reduction, Text};

type Random = fastrand::Rng;

fn be(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn le(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn crc(bytes: &[u8]) -> u32 {
    let mut sum = !0u32;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
        }
    }
    !sum
}

fn adler(bytes: &[u8]) -> u32 {
    let step = |(low, high): (u32, u32), byte: &u8| {
        let low = (low + u32::from(*byte)) % 65521;
        (low, (high + low) % 65521)
    };
    let (low, high) = bytes.iter().fold((1, 0), step);
    high << 16 | low
}

fn bytes(random: &mut Random, most: usize) -> Vec<u8> {
    match random.usize(..3) {
        0 => b"some text, and (more) text\n".repeat(random.usize(..1 + most / 27)),
        _ => (0..random.usize(..=most)).map(|_| random.u8(..)).collect(),
    }
}

/// Stored blocks.
fn stored(content: &[u8], block: usize) -> Vec<u8> {
    let parts: Vec<&[u8]> = content.chunks(block).collect();
    let parts = if parts.is_empty() { vec![&b""[..]] } else { parts };
    let mut stream = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        stream.push(u8::from(index + 1 == parts.len()));
        stream.extend((part.len() as u16).to_le_bytes());
        stream.extend((!(part.len() as u16)).to_le_bytes());
        stream.extend(*part);
    }
    stream
}

/// The content of stored blocks, and the bytes after them.
fn read_stored(mut stream: &[u8]) -> Result<(Vec<u8>, &[u8]), String> {
    let mut content = Vec::new();
    loop {
        let [last, a, b, c, d, rest @ ..] = stream else { return Err("no block".into()) };
        let length = le(&[*a, *b]);
        if [!a, !b] != [*c, *d] || rest.len() < length {
            return Err(format!("a block of {length}"));
        }
        content.extend(&rest[..length]);
        stream = &rest[length..];
        if *last == 1 {
            return Ok((content, stream));
        }
    }
}

type Make = fn(&mut Random) -> Vec<u8>;
type Check = fn(&[u8]) -> Result<(), String>;

const FORMATS: &[(&str, Make, Check)] = &[
    ("png", png::make, png::check),
    ("gzip", gzip::make, gzip::check),
    ("zip", zip::make, zip::check),
    ("riff", riff::make, riff::check),
    ("mp4", mp4::make, mp4::check),
    ("wasm", wasm::make, wasm::check),
    ("pdf", pdf::make, pdf::check),
];

#[test]
fn every_container_is_tested_and_recognised() {
    let mut random = lop_testing::random();
    let mut tested: Vec<&str> = FORMATS.iter().map(|(name, ..)| *name).collect();
    let mut all: Vec<&str> = CONTAINERS.iter().map(|container| container.name).collect();
    tested.sort_unstable();
    all.sort_unstable();
    assert_eq!(tested, all);
    for (name, make, check) in FORMATS {
        let file = make(&mut random);
        assert_eq!(check(&file), Ok(()), "{name}");
        assert_eq!(Format::guess(Path::new("file"), &file).name(), *name);
    }
}

/// Checks that a candidate is well-formed once it is repaired.
fn check_repaired(format: &Format, candidate: Candidate, check: Check, what: &str) {
    let file = candidate.base().clone();
    let repaired = format.parser().repair(candidate);
    let bytes = repaired.bytes();
    if !bytes.is_empty() {
        assert_eq!(check(&bytes), Ok(()), "{what} of {file:?} with {:?}", repaired.edits());
    }
}

#[test]
fn whatever_nodes_are_removed_the_file_is_well_formed() {
    let mut random = lop_testing::random();
    for (name, make, check) in FORMATS {
        let format = Format::named(name).unwrap();
        for _ in 0..60 {
            let text: Text = Arc::new(make(&mut random));
            let tree = Tree::parse(&text, &format);
            check_repaired(&format, Candidate::whole(&text), *check, name);
            let nodes: Vec<NodeId> = tree.ids().filter(|node| tree.is_removable(*node)).collect();
            for _ in 0..20 {
                let count = random.usize(1..6);
                let some = (0..count).map(|_| Change::cut(nodes[random.usize(..nodes.len())]));
                let some: Vec<Change> = some.collect();
                check_repaired(&format, tree.candidate(&some), *check, name);
            }
        }
    }
}

#[test]
fn whatever_bytes_are_removed_or_replaced_the_file_is_well_formed() {
    let mut random = lop_testing::random();
    for (name, make, check) in FORMATS {
        let format = Format::named(name).unwrap();
        for _ in 0..60 {
            let text: Text = Arc::new(make(&mut random));
            for _ in 0..20 {
                let mut places: Vec<usize> =
                    (0..2 * random.usize(1..5)).map(|_| random.usize(..=text.len())).collect();
                places.sort_unstable();
                let edit = |places: &[usize]| Edit {
                    range: places[0]..places[1],
                    with: if random.usize(..4) == 0 { b"new"[..].into() } else { [].into() },
                };
                let edits: Vec<Edit> = places.chunks(2).map(edit).collect();
                check_repaired(&format, Candidate::new(&text, edits), *check, name);
            }
        }
    }
}

#[test]
fn bytes_that_follow_no_format_are_left_as_they_are() {
    let mut random = lop_testing::random();
    for (name, make, _) in FORMATS {
        let format = Format::named(name).unwrap();
        for _ in 0..200 {
            // A file that is cut off, or has bytes changed.
            let mut file = make(&mut random);
            file.truncate(random.usize(..=file.len()));
            for _ in 0..random.usize(..4) {
                if !file.is_empty() {
                    let at = random.usize(..file.len());
                    file[at] = random.u8(..);
                }
            }
            let text: Text = Arc::new(file);
            let whole = Candidate::whole(&text);
            assert_eq!(format.parser().repair(whole).bytes(), **text, "{name}");
            let tree = Tree::parse(&text, &format);
            assert_eq!(tree.candidate(&[]).bytes(), **text, "{name}");
            for node in tree.ids().filter(|node| tree.is_removable(*node)) {
                format.parser().repair(tree.candidate(&[Change::cut(node)])).bytes();
            }
            let _ = (format.unpack(&text), format.pack(&text));
        }
    }
}

#[test]
fn what_is_packed_and_unpacked_again_is_the_same() {
    let mut random = lop_testing::random();
    for (name, make, check) in FORMATS {
        let format = Format::named(name).unwrap();
        for _ in 0..30 {
            let file = make(&mut random);
            let unpacked = format.unpack(&file).unwrap_or(file);
            assert_eq!(check(&unpacked), Ok(()), "{name}");
            if let Some(packed) = format.pack(&unpacked) {
                assert_eq!(format.unpack(&packed).as_ref(), Some(&unpacked), "{name}");
            }
            assert_eq!(format.unpack(&unpacked), None, "{name}");
        }
    }
}

/// The result of the default strategy, and the number of tests it took.
fn reduce(file: Vec<u8>, is_interesting: impl Fn(&[u8]) -> bool + Sync + Send) -> (Vec<u8>, usize) {
    let tests = AtomicUsize::new(0);
    let oracle = |file: &[u8]| {
        tests.fetch_add(1, Ordering::Relaxed);
        is_interesting(file)
    };
    let format = Format::guess(Path::new("file"), &file);
    let mut reduction = Reduction::new(Arc::new(file), &oracle);
    reduction.format = format;
    let report = reduction.run().unwrap();
    (report.best.text.to_vec(), tests.into_inner())
}

#[test]
fn a_compressed_file_is_reduced_as_what_it_holds() {
    let json: String =
        (0..2000).map(|index| format!("{{\"name\": \"item {index}\"}},\n")).collect();
    let content = format!("[{json}0]");
    let mut file = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03name.json\0".to_vec();
    file.extend(stored(content.as_bytes(), 65535));
    file.extend(crc(content.as_bytes()).to_le_bytes());
    file.extend((content.len() as u32).to_le_bytes());
    let packed = Format::named("gzip").unwrap().pack(&file).unwrap();
    assert!(packed.len() < file.len() / 4);
    let holds = |file: &[u8]| {
        let unpacked = Format::named("gzip").unwrap().unpack(file);
        let unpacked = unpacked.as_deref().unwrap_or(file);
        gzip::check(unpacked).is_ok() && unpacked.windows(9).any(|it| it == b"item 1234")
    };
    let (result, tests) = reduce(packed, holds);
    assert!(result.len() < 50 && holds(&result), "{result:?}");
    assert!(tests < 150, "{tests} tests");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_workers() {
    let mut random = lop_testing::random();
    for (name, make, check) in FORMATS {
        let file: Text = Arc::new(make(&mut random));
        let oracle = |file: &[u8]| check(file).is_ok() && file.len() % 7 != 3 && file.len() > 40;
        if !oracle(&file) {
            continue;
        }
        let run = |workers: usize| {
            let mut reduction = Reduction::new(file.clone(), &oracle);
            reduction.format = Format::named(name).unwrap();
            reduction.workers = workers;
            let report = reduction.run().unwrap();
            (report.best.text.to_vec(), report.counts.tests)
        };
        assert_eq!(run(1), run(3), "{name}");
    }
}
