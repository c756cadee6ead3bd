//! PNG: chunks, rows, compressed texts.

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
    let rows: Vec<u8> = (0..height).flat_map(|_| [vec![0], vec![7; 3 * width]].concat()).collect();
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
