//! WebAssembly: sections; imports, exports, data segments and function bodies in them. The least body is `unreachable`.

use std::ops::Range;

use super::frames::{Field, Frame, Frames, Inside, Number, Rule};
use super::{Container, Structure};

pub(super) const WASM: Container = Container {
    name: "wasm",
    about: "WebAssembly: sections, exports, data, functions",
    extensions: &["wasm"],
    starts: |text| text.starts_with(b"\0asm"),
    structure: Structure::Frames(read),
    transcode: None,
    obstacle: None,
};

const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const FUNCTIONS: u8 = 3;
const EXPORTS: u8 = 7;
const CODE: u8 = 10;
const DATA: u8 = 11;
const DATA_COUNT: u8 = 12;

/// A reader of one section.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at..self.end)?.first()?;
        self.at += 1;
        Some(byte)
    }

    fn number(&mut self) -> Option<usize> {
        let (number, width) = Number::Leb128.read(self.text.get(self.at..self.end)?)?;
        self.at += width;
        Some(number as usize)
    }

    /// Skips bytes with their number before them.
    fn bytes(&mut self) -> Option<Range<usize>> {
        let length = self.number()?;
        let start = self.at;
        self.at = start.checked_add(length).filter(|end| *end <= self.end)?;
        Some(start..self.at)
    }

    /// Skips a limit with its flags.
    fn limits(&mut self) -> Option<()> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 != 0 {
            self.number()?;
        }
        Some(())
    }

    /// Skips a constant: one instruction with a number, and its end.
    fn constant(&mut self) -> Option<()> {
        let (0x41 | 0x42 | 0x23) = self.byte()? else { return None };
        while self.byte()? & 0x80 != 0 {}
        (self.byte()? == 0x0b).then_some(())
    }

    /// Skips an element of a section. Returns its content if it is a length and bytes, with the place of the length.
    fn element(&mut self, section: u8) -> Option<Option<(Range<usize>, Range<usize>)>> {
        match section {
            IMPORTS => {
                self.bytes()?;
                self.bytes()?;
                match self.byte()? {
                    0 => drop(self.number()?),
                    1 => {
                        self.byte()?;
                        self.limits()?;
                    }
                    2 => self.limits()?,
                    3 => {
                        self.byte()?;
                        self.byte()?;
                    }
                    _ => return None,
                }
            }
            FUNCTIONS => drop(self.number()?),
            EXPORTS => {
                self.bytes()?;
                self.byte()?;
                self.number()?;
            }
            CODE | DATA => {
                if section == DATA {
                    let kind = self.number()?;
                    match kind {
                        0 => self.constant()?,
                        1 => {}
                        2 => {
                            self.number()?;
                            self.constant()?;
                        }
                        _ => return None,
                    }
                }
                let length = self.at;
                let content = self.bytes()?;
                return Some(Some((length..content.start, content)));
            }
            _ => return None,
        }
        Some(None)
    }
}

/// The elements of a section, with the place of their number.
struct Elements {
    count: Range<usize>,
    frames: Vec<Frame>,
    fields: Vec<Field>,
}

fn elements(text: &[u8], id: u8, content: &Range<usize>) -> Option<Elements> {
    let mut reader = Reader { text, at: content.start, end: content.end };
    let number = reader.number()?;
    let count = content.start..reader.at;
    let (mut frames, mut fields) = (Vec::new(), Vec::new());
    for _ in 0..number {
        let start = reader.at;
        let bytes = reader.element(id)?;
        let range = start..reader.at;
        let label = if id == CODE { "body" } else { "entry" };
        let mut frame = Frame { inside: Inside::Sealed, ..Frame::content(label, range.clone(), 0) };
        if let Some((at, content)) = bytes {
            (frame.head, frame.inside) = (content.start - start, Inside::Content(None));
            let rule = Rule::Length(Number::Leb128);
            fields.push(Field { at, frame: range, rule, of: vec![content] });
        }
        frames.push(frame);
    }
    (reader.at == content.end).then_some(Elements { count, frames, fields })
}

fn read(text: &[u8]) -> Option<Frames> {
    if !text.starts_with(b"\0asm") {
        return None;
    }
    let (mut frames, mut fields, mut ties) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader { text, at: 8, end: text.len() };
    let mut functions: Vec<Range<usize>> = Vec::new();
    // The number of data segments, which has a section of its own, and the length of that section.
    let mut data_count: Option<(Range<usize>, Field)> = None;
    let mut end = 8.min(text.len());
    loop {
        let start = reader.at;
        let Some(id) = reader.byte() else { break };
        let Some(content) = reader.bytes() else { break };
        end = content.end;
        let range = start..end;
        let mut frame = Frame::content("section", range.clone(), content.start - start);
        let own = Field {
            at: start + 1..content.start,
            frame: range.clone(),
            rule: Rule::Length(Number::Leb128),
            of: vec![content.clone()],
        };
        frame.inside = Inside::Sealed;
        if id == CUSTOM {
            let mut name = Reader { text, at: content.start, end };
            if name.bytes().is_some() {
                (frame.head, frame.inside) = (name.at - start, Inside::Content(None));
            }
        } else if id == DATA_COUNT {
            data_count = Some((content, own));
            frames.push(frame);
            continue;
        } else if let Some(elements) = elements(text, id, &content) {
            let Elements { count, frames: inside, fields: inner } = elements;
            fields.extend(inner);
            let of: Vec<Range<usize>> = inside.iter().map(|each| each.range.clone()).collect();
            match id {
                FUNCTIONS => functions.clone_from(&of),
                CODE => ties.extend(of.iter().cloned().zip(functions.iter().cloned())),
                DATA => {
                    if let Some((at, length)) = data_count.take() {
                        let (frame, rule) = (length.frame.clone(), Rule::Count(Number::Leb128));
                        fields.push(Field { at, frame, rule, of: of.clone() });
                        fields.push(length);
                    }
                }
                _ => {}
            }
            frame.head = count.end - start;
            let rule = Rule::Count(Number::Leb128);
            fields.push(Field { at: count, frame: range, rule, of });
            // Functions are removed with their bodies.
            let is_own = id != FUNCTIONS;
            frame.inside = if is_own { Inside::Frames(inside) } else { Inside::Sealed };
        }
        frames.push(frame);
        fields.push(own);
    }
    if end < text.len() {
        frames.push(Frame { inside: Inside::Sealed, ..Frame::content("rest", end..text.len(), 0) });
    }
    let inside = Inside::Frames(frames);
    let root = Frame { inside, ..Frame::content("file", 0..text.len(), 8.min(text.len())) };
    Some(Frames { root, fields, streams: Vec::new(), ties })
}
