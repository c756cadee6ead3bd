//! gzip: members of a header, a compressed stream, a check sum and a length.

use std::ops::Range;
use std::path::Path;

use super::deflate::{LONGEST_BLOCK, Writing, blocks, deflate, inflate, ranges};
use super::frames::{Field, Frame, Frames, Inside, Number, Rule};
use super::sums::crc32;
use super::{Container, Structure};

pub(super) const GZIP: Container = Container {
    name: "gzip",
    about: "compressed files",
    extensions: &["gz", "tgz", "svgz"],
    starts: |text| text.starts_with(b"\x1f\x8b\x08"),
    structure: Structure::Frames(read),
    transcode: Some(transcode),
    obstacle: None,
};

/// The end of the header of a member.
fn header(text: &[u8]) -> Option<usize> {
    let [0x1f, 0x8b, 8, flags, ..] = text else { return None };
    let mut at = 10;
    if flags & 4 != 0 {
        at += 2 + Number::Little(2).read(text.get(at..)?)?.0 as usize;
    }
    for _ in 0..(flags & 8) / 8 + (flags & 16) / 16 {
        at += text.get(at..)?.iter().position(|byte| *byte == 0)? + 1;
    }
    at += if flags & 2 != 0 { 2 } else { 0 };
    (at <= text.len()).then_some(at)
}

/// The name of a member's file.
fn name(header: &[u8]) -> Option<&Path> {
    let has_name = header[3] & (4 | 8) == 8;
    let name = header[10..].split(|byte| *byte == 0).next()?;
    Some(Path::new(str::from_utf8(name).ok()?)).filter(|_| has_name)
}

fn read(text: &[u8]) -> Option<Frames> {
    let (mut fields, mut streams, mut members) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(head) = header(&text[at..]) {
        let start = at + head;
        let Some(mut blocks) = blocks(text, start, text.len().saturating_sub(8)) else { break };
        let end = blocks.last()?.range.end + 8;
        let member = at..end;
        if let [only] = &mut blocks[..] {
            only.inside = Inside::Content(name(&text[at..start]).map(Into::into));
        }
        streams.push((member.clone(), ranges(&blocks)));
        let of: Vec<Range<usize>> = blocks.iter().map(Frame::inner).collect();
        let number = Number::Little(4);
        for (at, rule) in
            [(end - 8..end - 4, Rule::Crc32(number)), (end - 4..end, Rule::Length(number))]
        {
            fields.push(Field { at, frame: member.clone(), rule, of: of.clone() });
        }
        members.push(Frame {
            tail: 8,
            inside: Inside::Frames(blocks),
            ..Frame::content("member", member, head)
        });
        at = end;
    }
    if at < text.len() {
        members.push(Frame::content("rest", at..text.len(), 0));
    }
    let inside = Inside::Frames(members);
    let root = Frame { inside, ..Frame::content("file", 0..text.len(), 0) };
    Some(Frames { root, fields, streams, ties: Vec::new() })
}

/// The file with its streams written anew.
fn transcode(text: &[u8], writing: Writing) -> Option<Vec<u8>> {
    let mut new = Vec::new();
    let mut at = 0;
    while let Some(head) = header(&text[at..]) {
        let start = at + head;
        let Some((content, length)) = inflate(&text[start..]) else { break };
        let end = start + length + 8;
        if end > text.len() {
            break;
        }
        new.extend(&text[at..start]);
        new.extend(deflate(&content, writing, LONGEST_BLOCK));
        new.extend(crc32([&content[..]].into_iter()).to_le_bytes());
        new.extend((content.len() as u32).to_le_bytes());
        at = end;
    }
    new.extend(&text[at..]);
    (at > 0).then_some(new)
}
