//! Compressed data: read without change, written compressed or stored.
//!
//! Stored data is in blocks of at most 65,535 bytes, each with its length. A file whose streams are stored has the same content as
//! a compressed one, and its content can be edited in place.

use std::ops::Range;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags};

use super::frames::{Field, Frame, Inside, Number, Rule};
use super::sums::adler32;

/// How streams are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tree) enum Writing {
    /// In uncompressed blocks, so that they can be edited.
    Stored,
    /// As short as possible.
    Compressed,
    /// Unchanged; the rest of the file is written in a form that can be reduced.
    Kept,
}

/// The longest stored block.
pub(super) const LONGEST_BLOCK: usize = u16::MAX as usize;
/// The length of the head of a stored block.
pub(super) const BLOCK_HEAD: usize = 5;
/// The longest content that is read: a small file may contain a huge one.
const LONGEST: usize = 1 << 28;

/// The content of a compressed stream, and the number of bytes that the stream takes.
pub(super) fn inflate(data: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut state = Box::<DecompressorOxide>::default();
    let mut content = vec![0; (4 * data.len()).clamp(256, LONGEST)];
    let (mut read, mut written) = (0, 0);
    loop {
        let flags = inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, taken, put) =
            decompress(&mut state, &data[read..], &mut content, written, flags);
        (read, written) = (read + taken, written + put);
        match status {
            TINFLStatus::Done => {
                content.truncate(written);
                return Some((content, read));
            }
            TINFLStatus::HasMoreOutput if content.len() < LONGEST => {
                content.resize((2 * content.len()).min(LONGEST), 0);
            }
            _ => return None,
        }
    }
}

/// A stream with this content; stored blocks have at most `block` bytes.
pub(super) fn deflate(content: &[u8], writing: Writing, block: usize) -> Vec<u8> {
    if writing == Writing::Compressed {
        return compress_to_vec(content, 9);
    }
    let mut stream = Vec::new();
    let count = content.len().div_ceil(block).max(1);
    for index in 0..count {
        let part = &content[index * block..content.len().min((index + 1) * block)];
        stream.extend(block_head(part.len(), index + 1 == count));
        stream.extend(part);
    }
    stream
}

/// The head of a stored block: whether it is the last one, its length, and the complement of that.
pub(super) fn block_head(length: usize, is_last: bool) -> [u8; BLOCK_HEAD] {
    let [low, high] = (length as u16).to_le_bytes();
    [u8::from(is_last), low, high, !low, !high]
}

/// The content of a zlib stream.
pub(super) fn inflate_zlib(data: &[u8]) -> Option<Vec<u8>> {
    is_zlib(data).then(|| inflate(&data[2..])).flatten().map(|(content, _)| content)
}

/// A zlib stream with this content.
pub(super) fn deflate_zlib(content: &[u8], writing: Writing, block: usize) -> Vec<u8> {
    let stream = deflate(content, writing, block);
    [&[0x78, 0x01], &stream[..], &adler32([content].into_iter()).to_be_bytes()].concat()
}

fn is_zlib(data: &[u8]) -> bool {
    matches!(data, [method, flags, ..] if method & 15 == 8 && flags & 32 == 0
        && (u32::from(*method) << 8 | u32::from(*flags)) % 31 == 0)
}

/// The stored blocks of a stream that begins at a place of a text, if all of them are stored and end before another place.
pub(super) fn blocks(text: &[u8], start: usize, end: usize) -> Option<Vec<Frame>> {
    let mut blocks = Vec::new();
    let mut at = start;
    loop {
        let head = text.get(at..at + BLOCK_HEAD)?;
        let (length, _) = Number::Little(2).read(&head[1..])?;
        let block = at..at + BLOCK_HEAD + length as usize;
        let is_last = head[0] == 1;
        if block.end > end || block_head(length as usize, is_last) != *head {
            return None;
        }
        at = block.end;
        blocks.push(Frame { stays: true, ..Frame::content("block", block, BLOCK_HEAD) });
        if is_last {
            return Some(blocks);
        }
    }
}

/// The ranges of blocks.
pub(super) fn ranges(blocks: &[Frame]) -> Vec<Range<usize>> {
    blocks.iter().map(|block| block.range.clone()).collect()
}

/// Puts the blocks of a stored zlib stream into the frame around it. The stream begins and ends at these places.
pub(super) fn zlib_blocks(
    text: &[u8],
    stream: Range<usize>,
    frame: &mut Frame,
) -> Option<(Vec<Range<usize>>, Field)> {
    let sum = stream.end.checked_sub(4)?;
    let blocks = is_zlib(text.get(stream.clone())?).then(|| blocks(text, stream.start + 2, sum));
    let blocks = blocks.flatten()?;
    if blocks.last()?.range.end != sum {
        return None;
    }
    let of = blocks.iter().map(Frame::inner).collect();
    let rule = Rule::Adler32(Number::Big(4));
    let field = Field { at: sum..stream.end, frame: frame.range.clone(), rule, of };
    let ranges = ranges(&blocks);
    frame.head = stream.start + 2 - frame.range.start;
    frame.tail = frame.range.end - sum;
    frame.inside = Inside::Frames(blocks);
    Some((ranges, field))
}
