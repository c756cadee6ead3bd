//! RIFF: nested chunks with padding.

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
