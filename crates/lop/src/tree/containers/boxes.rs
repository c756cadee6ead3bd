//! Formats of nested chunks: RIFF (WAV, AVI, WebP) and the boxes of MP4.

use std::ops::Range;

use super::frames::{Field, Frame, Frames, Inside, Number, Rule};
use super::{Container, Structure};

pub(super) const RIFF: Container = Container {
    name: "riff",
    about: "WAV, AVI, WebP: nested chunks",
    extensions: &["wav", "avi", "webp", "ani", "rmi"],
    starts: |text| text.starts_with(b"RIFF") && text.len() >= 12,
    structure: Structure::Frames(|text| Some(file(text, riff))),
    transcode: None,
    obstacle: None,
};

pub(super) const MP4: Container = Container {
    name: "mp4",
    about: "MP4, QuickTime, HEIF: nested boxes",
    extensions: &["mp4", "m4a", "m4v", "mov", "3gp", "heic", "heif", "avif"],
    starts: |text| text.get(4..8) == Some(b"ftyp"),
    structure: Structure::Frames(|text| Some(file(text, boxes))),
    transcode: None,
    obstacle: None,
};

/// Frames nested more deeply are treated as bytes.
const DEEPEST: usize = 32;

type Read = fn(&[u8], Range<usize>, usize, &mut Vec<Field>) -> Vec<Frame>;

fn file(text: &[u8], read: Read) -> Frames {
    let mut fields = Vec::new();
    let inside = Inside::Frames(read(text, 0..text.len(), 0, &mut fields));
    let root = Frame { inside, ..Frame::content("file", 0..text.len(), 0) };
    Frames { root, fields, streams: Vec::new(), ties: Vec::new() }
}

/// The bytes after the last frame.
fn rest(range: Range<usize>) -> Option<Frame> {
    (!range.is_empty()).then(|| Frame::content("rest", range, 0))
}

/// The chunks in a range. A chunk has a name, a length, its data, and a zero if the length is odd.
fn riff(text: &[u8], range: Range<usize>, depth: usize, fields: &mut Vec<Field>) -> Vec<Frame> {
    let number = Number::Little(4);
    let mut frames = Vec::new();
    let mut at = range.start;
    while at + 8 <= range.end {
        let length = number.read(&text[at + 4..]).map_or(0, |(length, _)| length as usize);
        let data = at + 8..at + 8 + length;
        if data.end > range.end {
            break;
        }
        // Some writers leave out the last padding.
        let end = (data.end + length % 2).min(range.end);
        let mut frame = Frame { tail: end - data.end, ..Frame::content("chunk", at..end, 8) };
        let is_list = [&b"RIFF"[..], b"LIST"].contains(&&text[at..at + 4]) && length >= 4;
        if is_list && depth < DEEPEST {
            frame.head = 12;
            let inside = riff(text, data.start + 4..data.end, depth + 1, fields);
            frame.inside = Inside::Frames(inside);
        }
        for (at, rule) in [(at + 4..at + 8, Rule::Length(number)), (data.end..end, Rule::Padding)] {
            let of = vec![data.clone()];
            fields.push(Field { at, frame: frame.range.clone(), rule, of });
        }
        frames.push(frame);
        at = end;
    }
    frames.extend(rest(at..range.end));
    frames
}

/// The boxes that contain boxes.
const NESTED: &[&[u8; 4]] = &[
    b"moov", b"trak", b"mdia", b"minf", b"stbl", b"dinf", b"edts", b"udta", b"mvex", b"moof",
    b"traf", b"mfra", b"meta", b"iprp", b"ipco", b"sinf", b"schi", b"tref", b"ilst", b"gmhd",
];

/// The boxes in a range. A box has its length with its head, and a name.
fn boxes(text: &[u8], range: Range<usize>, depth: usize, fields: &mut Vec<Field>) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut at = range.start;
    while at + 8 <= range.end {
        let length = Number::Big(4).read(&text[at..]).map_or(0, |(length, _)| length);
        let (length, number, head) = match length {
            // To the end of the file.
            0 => ((range.end - at) as u64, None, 8),
            1 if at + 16 <= range.end => {
                let length = Number::Big(8).read(&text[at + 8..]).map_or(0, |(length, _)| length);
                (length, Some((at + 8..at + 16, Number::Big(8))), 16)
            }
            length => (length, Some((at..at + 4, Number::Big(4))), 8),
        };
        if length < head as u64 || length > (range.end - at) as u64 {
            break;
        }
        let whole = at..at + length as usize;
        let name = &text[at + 4..at + 8];
        let mut frame = Frame::content("box", whole.clone(), head);
        if NESTED.iter().any(|nested| nested[..] == *name) && depth < DEEPEST {
            // The box of metadata has a version before its boxes, except in QuickTime.
            let has_version = name == b"meta" && text[at + head..].starts_with(&[0; 4]);
            frame.head += if has_version && whole.len() >= head + 4 { 4 } else { 0 };
            let inside = boxes(text, frame.inner(), depth + 1, fields);
            frame.inside = Inside::Frames(inside);
        }
        let width = match name {
            b"stco" => 4,
            b"co64" => 8,
            _ => 0,
        };
        if width > 0 {
            frame.inside = Inside::Sealed;
            fields.extend(places(text, &frame, width));
        }
        if let Some((at, number)) = number {
            let rule = Rule::Length(number);
            fields.push(Field { at, frame: whole.clone(), rule, of: vec![whole.clone()] });
        }
        frames.push(frame);
        at = whole.end;
    }
    frames.extend(rest(at..range.end));
    frames
}

/// The places of the samples in the file.
fn places(text: &[u8], frame: &Frame, width: usize) -> Vec<Field> {
    let table = frame.inner().start + 8..frame.range.end;
    let field = |at: usize| {
        let number = Number::Big(width);
        let (place, _) = number.read(text.get(at..table.end)?)?;
        let place = usize::try_from(place).ok().filter(|place| *place <= text.len())?;
        let of = std::iter::once(place..place).collect();
        let (frame, rule) = (frame.range.clone(), Rule::Place(number));
        Some(Field { at: at..at + width, frame, rule, of })
    };
    table.clone().step_by(width).filter_map(field).collect()
}
