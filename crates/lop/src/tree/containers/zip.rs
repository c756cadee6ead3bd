//! ZIP, and formats based on it (JAR, DOCX, ODT, EPUB, APK …): entries, and a directory of them at the end.

use std::ops::Range;
use std::path::PathBuf;

use super::deflate::{LONGEST_BLOCK, Writing, deflate, inflate};
use super::frames::{Field, Frame, Frames, Inside, Number, Rule};
use super::sums::crc32;
use super::{Container, Structure};

pub(super) const ZIP: Container = Container {
    name: "zip",
    about: "entries; also JAR, DOCX, ODT, EPUB",
    extensions: &[
        "zip", "jar", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "apk", "whl", "xpi",
        "war",
    ],
    starts: |text| text.starts_with(b"PK\x03\x04"),
    structure: Structure::Frames(read),
    transcode: Some(transcode),
    obstacle: None,
};

const SHORT: Number = Number::Little(2);
const LONG: Number = Number::Little(4);
const STORED: u64 = 0;
const DEFLATED: u64 = 8;

/// An entry: its places and its properties in the directory.
struct Entry {
    /// From its own header to its data.
    local: Range<usize>,
    data: Range<usize>,
    /// Its record in the directory.
    record: Range<usize>,
    method: u64,
    flags: u64,
}

/// The directory and its entries.
struct Directory {
    range: Range<usize>,
    entries: Vec<Entry>,
}

fn number(text: &[u8], at: usize, number: Number) -> Option<usize> {
    number.read(text.get(at..)?).map(|(number, _)| number as usize)
}

/// Reads the directory. Files of more than 4 GB, and those in several parts, have a different one.
fn directory(text: &[u8]) -> Option<Directory> {
    let last = text.len().checked_sub(22)?;
    let end = (0..=last).rev().take(1 << 16).find(|at| text[*at..].starts_with(b"PK\x05\x06"))?;
    let count = number(text, end + 10, SHORT)?;
    let start = number(text, end + 16, LONG)?;
    let mut entries = Vec::new();
    let mut at = start;
    for _ in 0..count {
        if !text.get(at..end)?.starts_with(b"PK\x01\x02") {
            return None;
        }
        let lengths = [28, 30, 32].map(|field| number(text, at + field, SHORT));
        let record = at..at + 46 + lengths[0]? + lengths[1]? + lengths[2]?;
        let local = number(text, at + 42, LONG)?;
        if !text.get(local..start)?.starts_with(b"PK\x03\x04") {
            return None;
        }
        let data = local + 30 + number(text, local + 26, SHORT)? + number(text, local + 28, SHORT)?;
        let data_end = data.checked_add(number(text, at + 20, LONG)?)?;
        if data_end > start || record.end > end {
            return None;
        }
        entries.push(Entry {
            local: local..data,
            data: data..data_end,
            record: record.clone(),
            method: SHORT.read(&text[at + 10..])?.0,
            flags: SHORT.read(&text[at + 8..])?.0,
        });
        at = record.end;
    }
    (at == end).then_some(Directory { range: start..end, entries })
}

impl Entry {
    fn name(&self, text: &[u8]) -> Option<PathBuf> {
        let length = number(text, self.record.start + 28, SHORT)?;
        let start = self.record.start + 46;
        Some(str::from_utf8(&text[start..start + length]).ok()?.into())
    }
}

fn read(text: &[u8]) -> Option<Frames> {
    let Directory { range: directory, mut entries } = directory(text)?;
    let root = 0..text.len();
    let records: Vec<Range<usize>> = entries.iter().map(|entry| entry.record.clone()).collect();
    entries.sort_by_key(|entry| entry.local.start);
    let starts = entries.iter().skip(1).map(|entry| entry.local.start);
    let ends: Vec<usize> = starts.chain([directory.start]).collect();
    let head = entries.first().map_or(directory.start, |entry| entry.local.start);
    let (mut frames, mut fields, mut ties) = (Vec::new(), Vec::new(), Vec::new());
    let mut places = Vec::new();
    for (entry, end) in entries.iter().zip(ends) {
        let Entry { local, data, record, method, flags } = entry;
        if data.end > end {
            return None;
        }
        let range = local.start..end;
        // Not encrypted, and without a record of its sizes after it.
        let is_open = *method == STORED && flags & 9 == 0;
        if is_open {
            for (frame, start) in [(&range, local.start + 14), (record, record.start + 16)] {
                let rules = [Rule::Crc32(LONG), Rule::Length(LONG), Rule::Length(LONG)];
                for (at, rule) in (start..).step_by(4).zip(rules) {
                    let (frame, of) = (frame.clone(), vec![data.clone()]);
                    fields.push(Field { at: at..at + 4, frame, rule, of });
                }
            }
        }
        let at = record.start + 42..record.start + 46;
        places.push(Field {
            at,
            frame: record.clone(),
            rule: Rule::Place(LONG),
            of: vec![local.clone()],
        });
        ties.push((range.clone(), record.clone()));
        frames.push(Frame {
            label: "entry",
            head: local.len(),
            tail: end - data.end,
            stays: false,
            inside: if is_open { Inside::Content(entry.name(text)) } else { Inside::Sealed },
            range,
        });
    }
    let end = directory.end;
    let mut last = |at: usize, width: usize, rule: Rule, of: Vec<Range<usize>>| {
        fields.push(Field { at: at..at + width, frame: root.clone(), rule, of });
    };
    last(end + 8, 2, Rule::Count(SHORT), records.clone());
    last(end + 10, 2, Rule::Count(SHORT), records);
    last(end + 12, 4, Rule::Length(LONG), vec![directory.clone()]);
    last(end + 16, 4, Rule::Place(LONG), vec![directory.clone()]);
    fields.extend(places);
    let root = Frame {
        label: "file",
        head,
        tail: text.len() - directory.start,
        stays: false,
        inside: Inside::Frames(frames),
        range: root,
    };
    Some(Frames { root, fields, streams: Vec::new(), ties })
}

/// The archive with its entries written anew, in the order of the directory.
fn transcode(text: &[u8], writing: Writing) -> Option<Vec<u8>> {
    let Directory { range: directory, entries } = directory(text)?;
    let (mut new, mut records) = (Vec::new(), Vec::new());
    for Entry { local, data, record, method, flags } in entries {
        let content = match method {
            _ if flags & 1 != 0 => return None,
            STORED => text[data].to_vec(),
            DEFLATED => inflate(&text[data])?.0,
            _ => return None,
        };
        let sum = crc32([&content[..]].into_iter()).to_le_bytes();
        let length = (content.len() as u32).to_le_bytes();
        let compressed = (writing == Writing::Compressed)
            .then(|| deflate(&content, writing, LONGEST_BLOCK))
            .filter(|compressed| compressed.len() < content.len());
        let method = if compressed.is_some() { DEFLATED } else { STORED } as u16;
        let data = compressed.unwrap_or(content);
        let sizes = [sum, (data.len() as u32).to_le_bytes(), length].concat();
        // No record of the sizes follows the data.
        let flags = (flags & !8) as u16;
        let place = (new.len() as u32).to_le_bytes();
        let mut header = text[local].to_vec();
        header[6..8].copy_from_slice(&flags.to_le_bytes());
        header[8..10].copy_from_slice(&method.to_le_bytes());
        header[14..26].copy_from_slice(&sizes);
        new.extend(header);
        new.extend(data);
        let mut record = text[record].to_vec();
        record[8..10].copy_from_slice(&flags.to_le_bytes());
        record[10..12].copy_from_slice(&method.to_le_bytes());
        record[16..28].copy_from_slice(&sizes);
        record[42..46].copy_from_slice(&place);
        records.extend(record);
    }
    let mut end = text[directory.end..].to_vec();
    end[12..16].copy_from_slice(&(records.len() as u32).to_le_bytes());
    end[16..20].copy_from_slice(&(new.len() as u32).to_le_bytes());
    new.extend(records);
    new.extend(end);
    Some(new)
}
