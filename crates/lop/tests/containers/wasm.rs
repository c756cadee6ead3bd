//! WebAssembly: sections and what is in them.

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
