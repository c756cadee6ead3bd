//! gzip: members of stored blocks.

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
