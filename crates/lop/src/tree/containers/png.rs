//! PNG: chunks with their lengths and check sums. The rows of an image are stored in blocks, and its height is their number.

use std::ops::Range;

use super::deflate::{LONGEST_BLOCK, Writing, deflate_zlib, inflate_zlib, zlib_blocks};
use super::frames::{Field, Frame, Frames, Inside, Number, Rule};
use super::sums::crc32;
use super::{Container, Structure};

pub(super) const PNG: Container = Container {
    name: "png",
    about: "chunks, rows of the image",
    extensions: &["png", "apng"],
    starts: |text| text.starts_with(SIGNATURE),
    structure: Structure::Frames(read),
    transcode: Some(transcode),
    obstacle: None,
};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const LENGTH: Number = Number::Big(4);

/// The chunks of a file, each from its length to its sum.
fn chunks(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = SIGNATURE.len();
    std::iter::from_fn(move || {
        let (length, _) = LENGTH.read(text.get(at..)?)?;
        let end = at.checked_add(12 + length as usize).filter(|end| *end <= text.len())?;
        Some(std::mem::replace(&mut at, end)..end)
    })
}

fn kind(text: &[u8], chunk: &Range<usize>) -> [u8; 4] {
    std::array::from_fn(|index| text[chunk.start + 4 + index])
}

fn data(chunk: &Range<usize>) -> Range<usize> {
    chunk.start + 8..chunk.end - 4
}

fn read(text: &[u8]) -> Option<Frames> {
    if !text.starts_with(SIGNATURE) {
        return None;
    }
    let mut frames = Vec::new();
    let (mut fields, mut streams) = (Vec::new(), Vec::new());
    let mut rows = Vec::new();
    let mut height = None;
    let mut end = SIGNATURE.len();
    for chunk in chunks(text) {
        end = chunk.end;
        let kind = kind(text, &chunk);
        let mut frame = Frame { tail: 4, ..Frame::content("chunk", chunk.clone(), 8) };
        let stored = stream(text, &chunk)
            .and_then(|start| zlib_blocks(text, start..chunk.end - 4, &mut frame));
        if let Some((blocks, sum)) = stored {
            streams.push((chunk.clone(), blocks));
            fields.push(sum);
        }
        if let (b"IDAT", Inside::Frames(blocks)) = (&kind, &mut frame.inside) {
            let width = row_width(text).unwrap_or(0);
            blocks.iter_mut().for_each(|block| rows.extend(divide(block, width)));
        }
        if kind == *b"IHDR" && chunk.len() == 25 {
            frame.inside = Inside::Sealed;
            height = Some(chunk.clone());
        } else {
            fields.extend(own_fields(&chunk));
        }
        frames.push(frame);
    }
    // The height depends on all rows, and the sum of its chunk on it.
    if let Some(header) = height {
        if !rows.is_empty() {
            let at = header.start + 12..header.start + 16;
            fields.push(Field { at, frame: header.clone(), rule: Rule::Count(LENGTH), of: rows });
        }
        fields.extend(own_fields(&header));
    }
    if end < text.len() {
        frames.push(Frame::content("rest", end..text.len(), 0));
    }
    let root = Frame {
        label: "file",
        range: 0..text.len(),
        head: SIGNATURE.len(),
        tail: 0,
        stays: false,
        inside: Inside::Frames(frames),
    };
    Some(Frames { root, fields, streams, ties: Vec::new() })
}

/// The length and the sum of a chunk.
fn own_fields(chunk: &Range<usize>) -> [Field; 2] {
    let field = |at, rule, of| Field { at, frame: chunk.clone(), rule, of: vec![of] };
    [
        field(chunk.start..chunk.start + 4, Rule::Length(LENGTH), data(chunk)),
        field(chunk.end - 4..chunk.end, Rule::Crc32(LENGTH), chunk.start + 4..chunk.end - 4),
    ]
}

/// Where the compressed stream of a chunk begins.
fn stream(text: &[u8], chunk: &Range<usize>) -> Option<usize> {
    let data = data(chunk);
    let mut ends = data.clone().filter(|at| text[*at] == 0);
    match &kind(text, chunk) {
        b"IDAT" => Some(data.start),
        // A name, a zero, and the method.
        b"zTXt" | b"iCCP" => Some(ends.next()? + 2).filter(|start| *start <= data.end),
        // A name, a zero, whether it is compressed, the method, and two more names.
        b"iTXt" => {
            let name = ends.next()?;
            let mut names = ends.filter(|at| *at > name + 2);
            let start = names.nth(1)? + 1;
            (text[name + 1] == 1).then_some(start)
        }
        _ => None,
    }
}

/// The number of bytes of a row of an image whose rows are in order.
fn row_width(text: &[u8]) -> Option<usize> {
    let header = text.get(16..29)?;
    let (width, _) = LENGTH.read(header)?;
    let samples = match header[9] {
        0 | 3 => 1,
        2 => 3,
        4 => 2,
        6 => 4,
        _ => return Some(0),
    };
    let is_interlaced = header[12] != 0;
    let bits = width as usize * samples * usize::from(header[8]);
    Some(if is_interlaced { 0 } else { 1 + bits.div_ceil(8) })
}

/// Divides a block into rows, if it has whole rows.
fn divide(block: &mut Frame, width: usize) -> Vec<Range<usize>> {
    let inner = block.inner();
    if width == 0 || !inner.len().is_multiple_of(width) {
        return Vec::new();
    }
    let rows: Vec<Range<usize>> = inner.step_by(width).map(|start| start..start + width).collect();
    let row = |row: &Range<usize>| Frame {
        inside: Inside::Sealed,
        ..Frame::content("row", row.clone(), 0)
    };
    block.inside = Inside::Frames(rows.iter().map(row).collect());
    rows
}

/// The file with its streams written anew. The parts of the image become one.
fn transcode(text: &[u8], writing: Writing) -> Option<Vec<u8>> {
    let mut new = SIGNATURE.to_vec();
    let mut end = SIGNATURE.len();
    let is_image = |chunk: &Range<usize>| kind(text, chunk) == *b"IDAT";
    let image: Vec<u8> =
        chunks(text).filter(is_image).flat_map(|chunk| text[data(&chunk)].to_vec()).collect();
    // Blocks of whole rows.
    let width = row_width(text).filter(|width| (1..=LONGEST_BLOCK).contains(width)).unwrap_or(1);
    let block = LONGEST_BLOCK / width * width;
    let mut is_first = true;
    for chunk in chunks(text) {
        end = chunk.end;
        let data = data(&chunk);
        if is_image(&chunk) {
            if std::mem::take(&mut is_first) {
                let content = inflate_zlib(&image)?;
                write(&mut new, b"IDAT", &deflate_zlib(&content, writing, block));
            }
            continue;
        }
        let written = stream(text, &chunk).and_then(|start| {
            let content = inflate_zlib(&text[start..data.end])?;
            let stream = deflate_zlib(&content, writing, LONGEST_BLOCK);
            Some([&text[data.start..start], &stream[..]].concat())
        });
        match written {
            Some(written) => write(&mut new, &kind(text, &chunk), &written),
            None => new.extend(&text[chunk]),
        }
    }
    new.extend(&text[end..]);
    Some(new)
}

fn write(file: &mut Vec<u8>, kind: &[u8], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(kind);
    file.extend(data);
    file.extend(crc32([kind, data].into_iter()).to_be_bytes());
}
