//! MP4: nested boxes, and a table of places.

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
