//! Binary formats: whatever is removed, lengths, check sums, offsets and counts are right. The readers here are written
//! apart from lop's.

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

mod png {
    use super::*;

    fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
        let body = [kind, data].concat();
        [&(data.len() as u32).to_be_bytes(), &body[..], &crc(&body).to_be_bytes()].concat()
    }

    fn zlib(content: &[u8], block: usize) -> Vec<u8> {
        [&[0x78, 1], &stored(content, block)[..], &adler(content).to_be_bytes()].concat()
    }

    pub(super) fn make(random: &mut Random) -> Vec<u8> {
        let (width, height) = (random.usize(1..9), random.usize(1..9));
        let rows: Vec<u8> =
            (0..height).flat_map(|_| [vec![0], vec![7; 3 * width]].concat()).collect();
        let header =
            [&(width as u32).to_be_bytes()[..], &(height as u32).to_be_bytes(), &[8, 2, 0, 0, 0]];
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        file.extend(chunk(b"IHDR", &header.concat()));
        for _ in 0..random.usize(..4) {
            file.extend(chunk(b"tEXt", &bytes(random, 60)));
            let text = zlib(&bytes(random, 90), random.usize(1..60));
            file.extend(chunk(b"zTXt", &[b"Name\0\0", &text[..]].concat()));
        }
        let block = (1 + 3 * width) * random.usize(1..4);
        file.extend(chunk(b"IDAT", &zlib(&rows, block)));
        file.extend(chunk(b"IEND", b""));
        file
    }

    pub(super) fn check(file: &[u8]) -> Result<(), String> {
        let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n").ok_or("signature")?;
        let (mut size, mut rows) = (None, None);
        while !rest.is_empty() {
            let length = be(rest.get(..4).ok_or("length")?);
            let body = rest.get(4..8 + length).ok_or("body")?;
            let sum = rest.get(8 + length..12 + length).ok_or("sum")?;
            if be(sum) as u32 != crc(body) {
                return Err("crc".into());
            }
            rest = &rest[12 + length..];
            let data = &body[4..];
            let stream = match &body[..4] {
                b"IHDR" => {
                    size = Some((be(&data[..4]), be(&data[4..8])));
                    None
                }
                b"IDAT" => Some(data),
                b"zTXt" if data.is_empty() => None,
                b"zTXt" => data.strip_prefix(b"Name\0\0"),
                _ => None,
            };
            if let Some(stream) = stream {
                let (content, sum) = read_stored(stream.get(2..).ok_or("zlib")?)?;
                if be(sum) as u32 != adler(&content) || sum.len() != 4 {
                    return Err("adler".into());
                }
                if &body[..4] == b"IDAT" {
                    rows = Some(content.len());
                }
            }
        }
        match (size, rows) {
            (Some((width, height)), Some(rows)) if rows != height * (1 + 3 * width) => {
                Err(format!("{rows} bytes for {width} x {height}"))
            }
            _ => Ok(()),
        }
    }
}

mod gzip {
    use super::*;

    pub(super) fn make(random: &mut Random) -> Vec<u8> {
        let member = |random: &mut Random| {
            let content = bytes(random, 300);
            let mut file = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03name.json\0".to_vec();
            file.extend(stored(&content, random.usize(1..100)));
            file.extend(crc(&content).to_le_bytes());
            file.extend((content.len() as u32).to_le_bytes());
            file
        };
        (0..random.usize(1..4)).flat_map(|_| member(random)).collect()
    }

    pub(super) fn check(file: &[u8]) -> Result<(), String> {
        let mut rest = file;
        while !rest.is_empty() {
            let head = b"\x1f\x8b\x08\x08\0\0\0\0\0\x03name.json\0";
            let (content, after) = read_stored(rest.strip_prefix(head).ok_or("head")?)?;
            let sums = after.get(..8).ok_or("sums")?;
            if le(&sums[..4]) as u32 != crc(&content) || le(&sums[4..]) != content.len() {
                return Err("sums".into());
            }
            rest = &after[8..];
        }
        Ok(())
    }
}

mod zip {
    use super::*;

    pub(super) fn make(random: &mut Random) -> Vec<u8> {
        let (mut file, mut directory) = (Vec::new(), Vec::new());
        let count = random.usize(1..6);
        for index in 0..count {
            let (name, data) = (format!("f{index}.txt"), bytes(random, 80));
            let length = (data.len() as u32).to_le_bytes();
            let common = [
                &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
                &crc(&data).to_le_bytes(),
                &length,
                &length,
                &(name.len() as u16).to_le_bytes(),
                &[0, 0],
            ]
            .concat();
            let place = (file.len() as u32).to_le_bytes();
            file.extend([&b"PK\x03\x04"[..], &common, name.as_bytes(), &data].concat());
            let record = [&b"PK\x01\x02\x14\0"[..], &common, &[0; 10], &place, name.as_bytes()];
            directory.extend(record.concat());
        }
        let count = (count as u16).to_le_bytes();
        let place = (file.len() as u32).to_le_bytes();
        let length = (directory.len() as u32).to_le_bytes();
        let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &length, &place, b"\x02\0hi"];
        [&file[..], &directory, &end.concat()].concat()
    }

    pub(super) fn check(file: &[u8]) -> Result<(), String> {
        let end = file.len().checked_sub(24).ok_or("end")?;
        if !file[end..].starts_with(b"PK\x05\x06") {
            return Err("no end".into());
        }
        let (count, length, mut at) = (
            le(&file[end + 10..end + 12]),
            le(&file[end + 12..end + 16]),
            le(&file[end + 16..end + 20]),
        );
        if at + length != end || le(&file[end + 8..end + 10]) != count {
            return Err("directory".into());
        }
        let mut place = 0;
        for _ in 0..count {
            let record = file[at..end].strip_prefix(b"PK\x01\x02\x14\0").ok_or("record")?;
            let name = le(&record[22..24]);
            if le(&record[36..40]) != place {
                return Err("offset".into());
            }
            let local = file[place..].strip_prefix(b"PK\x03\x04").ok_or("local")?;
            let size = le(&local[14..18]);
            let data = local.get(26 + name..26 + name + size).ok_or("data")?;
            if local[..26] != record[..26]
                || le(&local[10..14]) as u32 != crc(data)
                || le(&local[18..22]) != size
                || local[26..26 + name] != record[40..40 + name]
            {
                return Err("header".into());
            }
            place += 30 + name + size;
            at += 46 + name;
        }
        if at == end && place + length == end { Ok(()) } else { Err("gaps".into()) }
    }
}

mod riff {
    use super::*;

    fn chunk(name: &[u8], data: &[u8]) -> Vec<u8> {
        let pad = vec![0; data.len() % 2];
        [name, &(data.len() as u32).to_le_bytes(), data, &pad].concat()
    }

    fn chunks(random: &mut Random, depth: usize) -> Vec<u8> {
        let one = |random: &mut Random| match depth > 0 && random.bool() {
            true => chunk(b"LIST", &[b"INFO", &chunks(random, depth - 1)[..]].concat()),
            false => chunk(b"data", &bytes(random, 30)),
        };
        (0..random.usize(..4)).flat_map(|_| one(random)).collect()
    }

    pub(super) fn make(random: &mut Random) -> Vec<u8> {
        chunk(b"RIFF", &[b"WAVE", &chunks(random, 3)[..]].concat())
    }

    pub(super) fn check(file: &[u8]) -> Result<(), String> {
        let mut rest = file;
        while !rest.is_empty() {
            let length = le(rest.get(4..8).ok_or("length")?);
            let data = rest.get(8..8 + length).ok_or("data")?;
            if [&b"RIFF"[..], b"LIST"].contains(&&rest[..4]) {
                check(data.get(4..).ok_or("kind")?)?;
            } else if rest[..4] != *b"data" {
                return Err("name".into());
            }
            if length % 2 == 1 && rest.get(8 + length) != Some(&0) {
                return Err("padding".into());
            }
            rest = &rest[8 + length + length % 2..];
        }
        Ok(())
    }
}

mod mp4 {
    use super::*;

    fn make_box(random: &mut Random, name: &[u8], data: &[u8]) -> Vec<u8> {
        let length = data.len() as u32 + 8;
        match random.usize(..4) {
            0 => [&[0, 0, 0, 1], name, &u64::from(length + 8).to_be_bytes(), data].concat(),
            _ => [&length.to_be_bytes(), name, data].concat(),
        }
    }

    pub(super) fn make(random: &mut Random) -> Vec<u8> {
        let start = make_box(random, b"ftyp", b"isom\0\0\0\0");
        let start = if start[3] == 1 { b"\0\0\0\x10ftypisom\0\0\0\0".to_vec() } else { start };
        let rest = bytes(random, 40);
        let free = [make_box(random, b"free", &rest), make_box(random, b"udta", b"")];
        let seed = random.u64(..);
        let movie = |place: usize| {
            let mut random = fastrand::Rng::with_seed(seed);
            let table = [&[0, 0, 0, 0, 0, 0, 0, 1], &(place as u32).to_be_bytes()[..]].concat();
            let mut inside = make_box(&mut random, b"stco", &table);
            let times = bytes(&mut random, 20);
            inside.extend(make_box(&mut random, b"stts", &times));
            for name in [b"stbl", b"minf", b"mdia", b"trak"] {
                inside = make_box(&mut random, name, &inside);
            }
            make_box(&mut random, b"moov", &inside)
        };
        let samples = [&b"needle"[..], &bytes(random, 50)].concat();
        let length = (samples.len() as u32 + 8).to_be_bytes();
        let samples = [&length, &b"mdat"[..], &samples].concat();
        let place = [&start[..], &free.concat(), &movie(0)].concat().len() + 8;
        [&start[..], &free.concat(), &movie(place), &samples].concat()
    }

    pub(super) fn check(file: &[u8]) -> Result<(), String> {
        let mut tables = BTreeMap::new();
        let samples = walk(file, 0..file.len(), &mut tables)?;
        let has_needle = |place: usize| file[place..].starts_with(b"needle");
        match samples {
            // The first sample may have been removed, or a part of it; its place is in the box all the same.
            Some(range) if has_needle(range.start) => {
                match tables.values().all(|it| *it == range.start) {
                    true => Ok(()),
                    false => Err(format!("{tables:?} in {range:?}")),
                }
            }
            _ => Ok(()),
        }
    }

    fn walk(
        file: &[u8],
        range: std::ops::Range<usize>,
        tables: &mut BTreeMap<usize, usize>,
    ) -> Result<Option<std::ops::Range<usize>>, String> {
        let (mut at, mut samples) = (range.start, None);
        while at < range.end {
            let (length, head) = match be(file.get(at..at + 4).ok_or("length")?) {
                1 => (be(&file[at + 8..at + 16]), 16),
                length => (length, 8),
            };
            let inner = at + head..at + length;
            if length < head || inner.end > range.end {
                return Err(format!("a box of {length}"));
            }
            match &file[at + 4..at + 8] {
                b"moov" | b"trak" | b"mdia" | b"minf" | b"stbl" | b"udta" => {
                    walk(file, inner.clone(), tables)?;
                }
                b"stco" => drop(tables.insert(at, be(&file[inner.start + 8..inner.end]))),
                b"mdat" => samples = Some(inner.clone()),
                b"ftyp" | b"free" | b"stts" => {}
                name => return Err(format!("{name:?}")),
            }
            at = inner.end;
        }
        Ok(samples)
    }
}

mod wasm {
    use super::*;

    fn leb(mut number: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number > 127 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }

    fn sized(data: &[u8]) -> Vec<u8> {
        [leb(data.len()), data.to_vec()].concat()
    }

    fn section(id: u8, data: &[u8]) -> Vec<u8> {
        [vec![id], sized(data)].concat()
    }

    fn vector(items: &[Vec<u8>]) -> Vec<u8> {
        [leb(items.len()), items.concat()].concat()
    }

    pub(super) fn make(random: &mut Random) -> Vec<u8> {
        let count = random.usize(1..200);
        let many = |item: Vec<u8>| vec![item; count];
        let bodies: Vec<Vec<u8>> = (0..count)
            .map(|_| sized(&[&[0], &vec![1; random.usize(..200)][..], &[0x0b]].concat()))
            .collect();
        let segments: Vec<Vec<u8>> = (0..random.usize(..5))
            .map(|_| [&[0, 0x41, 0x80, 0x01, 0x0b], &sized(&bytes(random, 200))[..]].concat())
            .collect();
        let exports: Vec<Vec<u8>> = (0..random.usize(..5))
            .map(|index| [sized(format!("f{index}").as_bytes()), vec![0, 0]].concat())
            .collect();
        [
            b"\0asm\x01\0\0\0".to_vec(),
            section(1, &vector(&[vec![0x60, 0, 0]])),
            section(3, &vector(&many(vec![0]))),
            section(5, &vector(&[vec![0, 1]])),
            section(7, &vector(&exports)),
            section(12, &leb(segments.len())),
            section(10, &vector(&bodies)),
            section(11, &vector(&segments)),
            section(0, &[sized(b"note"), bytes(random, 200)].concat()),
        ]
        .concat()
    }

    fn take(bytes: &mut &[u8]) -> Result<usize, String> {
        let mut number = 0;
        for shift in 0..5 {
            let (first, rest) = bytes.split_first().ok_or("number")?;
            *bytes = rest;
            number |= usize::from(first & 127) << (7 * shift);
            if *first < 128 {
                return Ok(number);
            }
        }
        Err("long number".into())
    }

    fn take_sized<'b>(bytes: &mut &'b [u8]) -> Result<&'b [u8], String> {
        let length = take(bytes)?;
        let (data, rest) = bytes.split_at_checked(length).ok_or("sized")?;
        *bytes = rest;
        Ok(data)
    }

    pub(super) fn check(file: &[u8]) -> Result<(), String> {
        let mut rest = file.strip_prefix(b"\0asm\x01\0\0\0").ok_or("magic")?;
        let (mut functions, mut bodies, mut announced, mut segments) = (0, 0, None, 0);
        let has_section = |id: u8, file: &[u8]| -> Result<bool, String> {
            let mut rest = &file[8..];
            while let Some((first, after)) = rest.split_first() {
                rest = after;
                take_sized(&mut rest)?;
                if *first == id {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        while let Some((id, after)) = rest.split_first() {
            rest = after;
            let mut data = take_sized(&mut rest)?;
            if *id == 0 {
                take_sized(&mut data)?;
                continue;
            }
            let count = take(&mut data)?;
            for _ in 0..count {
                match id {
                    1 => data = data.strip_prefix(&[0x60, 0, 0]).ok_or("type")?,
                    3 => data = data.strip_prefix(&[0]).ok_or("function")?,
                    5 => data = data.strip_prefix(&[0, 1]).ok_or("memory")?,
                    7 => {
                        take_sized(&mut data)?;
                        data = data.strip_prefix(&[0, 0]).ok_or("export")?;
                    }
                    10 => drop(take_sized(&mut data)?),
                    11 => {
                        data = data.strip_prefix(&[0, 0x41, 0x80, 1, 0x0b]).ok_or("data")?;
                        take_sized(&mut data)?;
                    }
                    12 => {}
                    _ => return Err(format!("section {id}")),
                }
            }
            match id {
                3 => functions = count,
                10 => bodies = count,
                11 => segments = count,
                12 => announced = Some(count),
                _ => {}
            }
            if !data.is_empty() {
                return Err(format!("section {id} is too long"));
            }
        }
        if has_section(3, file)? && functions != bodies {
            return Err(format!("{functions} functions, {bodies} bodies"));
        }
        match announced {
            Some(announced) if announced != segments => Err("segments".into()),
            _ => Ok(()),
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
