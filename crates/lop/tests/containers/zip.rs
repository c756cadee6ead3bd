//! ZIP: entries and their directory.

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
