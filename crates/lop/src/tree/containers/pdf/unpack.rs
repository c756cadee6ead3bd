//! Brings a file into the form that can be reduced, and packs the result.
//!
//! `lopdf` reads files that aren't in this form: with object streams, a table that is a stream, updates, or a broken
//! table. They are written anew, one object after the other. Then compressed streams are opened in place. A stream that
//! would be too large stays compressed. `lopdf` limits the depth of values; its memory is limited here, and a panic in
//! it counts as a file that cannot be read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::catch_unwind;

use lopdf::{Dictionary, Document as Loaded, LoadOptions, Object as Value, Stream, StringFormat};

use crate::text::Edit;

use super::super::deflate::{LONGEST_BLOCK, Writing, deflate_zlib};
use super::super::draft::Draft;
use super::derived::table;
use super::document::Document;
use super::repair::Repairer;
use super::syntax::{Kind, Pair, elements, pairs};

/// The longest stream that is opened.
const LONGEST: usize = 64 << 20;
/// The most bytes of all streams of a file together.
const MOST: usize = 256 << 20;
/// The longest stream of objects: they take more memory than their text.
const LONGEST_HOLDER: usize = 16 << 20;
/// `lopdf` reads values by recursion, a hundred levels deep at most.
const STACK: usize = 64 << 20;

/// The filters that can be undone.
const FILTERS: &[&str] =
    &["FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode", "RunLengthDecode"];

/// The file in the form that can be reduced, with its streams opened, compressed or unchanged.
pub(super) fn transcode(text: &[u8], writing: Writing) -> Option<Vec<u8>> {
    let (text, repairer) = match Repairer::read(text) {
        Some(repairer) => (Cow::Borrowed(text), repairer),
        None if writing == Writing::Compressed => return None,
        None => {
            let text = rewritten(text).ok()?;
            let repairer = Repairer::read(&text)?;
            (Cow::Owned(text), repairer)
        }
    };
    Some(match writing {
        Writing::Stored => opened(&text, &repairer),
        Writing::Compressed => compressed(&text, &repairer),
        Writing::Kept => text.into_owned(),
    })
}

/// Why a file can only be reduced as bytes.
pub(super) fn obstacle(text: &[u8]) -> Option<String> {
    if Document::read(text).is_some() {
        return None;
    }
    match rewritten(text) {
        Err(reason) => Some(reason),
        Ok(text) if Document::read(&text).is_none() => {
            Some("has objects that cannot be read".into())
        }
        Ok(_) => None,
    }
}

/// The file with compressed streams opened.
fn opened(text: &[u8], repairer: &Repairer) -> Vec<u8> {
    let mut draft = Draft { base: text, edits: BTreeMap::new() };
    let mut rest = MOST;
    for object in &repairer.document.objects {
        let Some(data) = &object.data else { continue };
        let Some(coding) = Coding::read(text, &repairer.document, &object.tokens) else { continue };
        let Some(content) = coding.decoded(&text[data.clone()], rest.min(LONGEST)) else {
            continue;
        };
        rest = rest.saturating_sub(content.len());
        coding.cuts.iter().for_each(|cut| draft.put(Edit::cut(cut.clone())));
        draft.put(Edit { range: data.clone(), with: content.into() });
    }
    written(draft, repairer)
}

/// The file with streams compressed if that makes them shorter.
fn compressed(text: &[u8], repairer: &Repairer) -> Vec<u8> {
    const FILTER: &[u8] = b" /Filter /FlateDecode";
    let mut draft = Draft { base: text, edits: BTreeMap::new() };
    for (index, object) in repairer.document.objects.iter().enumerate() {
        let Some(data) = &object.data else { continue };
        let has = |key: &str| repairer.document.get(text, index, key).is_some();
        if has("Filter") || has("DecodeParms") || has("F") {
            continue;
        }
        let stream = deflate_zlib(&text[data.clone()], Writing::Compressed, LONGEST_BLOCK);
        if stream.len() + FILTER.len() < data.len() {
            let at = repairer.document.tokens[object.tokens.start].end();
            draft.put(Edit { range: at..at, with: FILTER.into() });
            draft.put(Edit { range: data.clone(), with: stream.into() });
        }
    }
    written(draft, repairer)
}

fn written(mut draft: Draft<'_>, repairer: &Repairer) -> Vec<u8> {
    if draft.edits.is_empty() {
        return draft.base.to_vec();
    }
    repairer.finish(&mut draft);
    draft.pieces(&(0..draft.base.len())).concat()
}

/// The filters of a stream that can be undone.
struct Coding {
    /// The filters, with their parameters.
    dictionary: Dictionary,
    /// The entries of the stream's dictionary, or parts of them, that are removed when these filters are undone.
    cuts: Vec<Range<usize>>,
}

impl Coding {
    fn read(text: &[u8], document: &Document, dictionary: &Range<usize>) -> Option<Coding> {
        let tokens = &document.tokens;
        let entries = pairs(tokens, dictionary);
        let get = |key: &str| entries.iter().find(|pair| tokens[pair.key].is_name(text, key));
        let list = |pair: &Pair| match tokens[pair.value.start].kind {
            Kind::OpenArray => elements(tokens, &pair.value),
            _ => vec![pair.value.clone()],
        };
        // Data in another file.
        if get("F").is_some() {
            return None;
        }
        let filter = get("Filter")?;
        let filters = list(filter);
        let is_known = |filter: &&Range<usize>| {
            FILTERS.iter().any(|name| tokens[filter.start].is_name(text, name))
        };
        let count = filters.iter().take_while(is_known).count();
        let parameters = get("DecodeParms");
        let each = parameters.map(list).unwrap_or_default();
        let is_all = count == filters.len();
        if count == 0 || !is_all && !each.is_empty() && each.len() != filters.len() {
            return None;
        }
        let whole = |pair: &Pair| document.place(pair.key..pair.value.end);
        let place = |range: &Range<usize>| document.place(range.clone());
        let cuts = if is_all {
            [Some(filter), parameters].into_iter().flatten().map(whole).collect()
        } else {
            filters.iter().take(count).chain(each.iter().take(count)).map(place).collect()
        };
        let name =
            |filter: &Range<usize>| Value::Name(tokens[filter.start].text(text)[1..].to_vec());
        let parameters = |index: usize| {
            let mut dictionary = Dictionary::new();
            let range = each.get(index).cloned().unwrap_or(0..0);
            for Pair { key, value } in
                pairs(tokens, &range).into_iter().filter(|_| !range.is_empty())
            {
                let number = tokens[value.start].whole(text).and_then(|it| i64::try_from(it).ok());
                let key = tokens[key].text(text)[1..].to_vec();
                dictionary.set(key, number.map_or(Value::Null, Value::Integer));
            }
            Value::Dictionary(dictionary)
        };
        let mut dictionary = Dictionary::new();
        dictionary.set("Filter", Value::Array(filters[..count].iter().map(name).collect()));
        dictionary.set("DecodeParms", Value::Array((0..count).map(parameters).collect()));
        Some(Coding { dictionary, cuts })
    }

    fn decoded(&self, data: &[u8], longest: usize) -> Option<Vec<u8>> {
        let stream = Stream::new(self.dictionary.clone(), data.to_vec());
        catch_unwind(|| stream.decompressed_content_with_limit(longest).ok()).ok().flatten()
    }
}

/// The result of code that needs a large stack; `None` if it panics.
fn apart<T: Send>(run: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("lopdf".into()).stack_size(STACK);
        thread.spawn_scoped(scope, run).ok()?.join().ok()
    })
}

/// The file with one object after the other, or why it cannot be read.
fn rewritten(text: &[u8]) -> Result<Vec<u8>, String> {
    let options = LoadOptions::with_max_decompressed_size(LONGEST_HOLDER);
    let loaded = apart(|| {
        let is_encrypted = || memchr::memmem::find(text, b"/Encrypt").is_some();
        let loaded = Loaded::load_mem_with_options(text, options).map_err(|error| match error {
            lopdf::Error::InvalidPassword => ENCRYPTED.to_owned(),
            _ if is_encrypted() => ENCRYPTED.to_owned(),
            error => format!("is broken ({error})"),
        })?;
        if loaded.trailer.has(b"Encrypt") {
            return Err(ENCRYPTED.to_owned());
        }
        match loaded.catalog() {
            Ok(_) => Ok(write(&loaded)),
            Err(error) => Err(format!("is broken ({error})")),
        }
    });
    loaded.unwrap_or_else(|| Err("is broken".into()))
}

const ENCRYPTED: &str = "is encrypted";

fn write(loaded: &Loaded) -> Vec<u8> {
    let mut file = format!("%PDF-{}\n", loaded.version).into_bytes();
    let mut places = BTreeMap::new();
    for ((number, generation), value) in &loaded.objects {
        // Objects that describe the form of the file.
        let dictionary = match value {
            Value::Stream(stream) => Some(&stream.dict),
            Value::Dictionary(dictionary) => Some(dictionary),
            _ => None,
        };
        let describes = |it: &&Dictionary| {
            it.has_type(b"ObjStm") || it.has_type(b"XRef") || it.has(b"Linearized")
        };
        if dictionary.is_some_and(|it| describes(&it)) || *number == 0 {
            continue;
        }
        places.insert(*number, (file.len(), u32::from(*generation)));
        file.extend(format!("{number} {generation} obj").bytes());
        match value {
            Value::Stream(stream) => {
                let length = stream.content.len().to_string();
                let others = stream.dict.iter().filter(|(key, _)| *key != b"Length");
                write_lines(&mut file, Some(("Length", &length)), others);
                file.extend(b"stream\n");
                file.extend(&stream.content);
                file.extend(b"\nendstream");
            }
            Value::Dictionary(dictionary) => write_lines(&mut file, None, dictionary.iter()),
            value => write_value(&mut file, value),
        }
        let is_open = !file.ends_with(b"\n");
        file.extend(if is_open { &b"\nendobj\n"[..] } else { b"endobj\n" });
    }
    let start = file.len();
    let size = places.keys().next_back().map_or(1, |last| u64::from(*last) + 1).to_string();
    file.extend(table(&places));
    let kept = |(key, _): &(&Vec<u8>, &Value)| [&b"Root"[..], b"Info", b"ID"].contains(&&key[..]);
    write_lines(&mut file, Some(("Size", &size)), loaded.trailer.iter().filter(kept));
    file.extend(format!("startxref\n{start}\n%%EOF\n").bytes());
    file
}

/// Writes a dictionary with one entry a line.
fn write_lines<'v>(
    file: &mut Vec<u8>,
    first: Option<(&str, &str)>,
    entries: impl Iterator<Item = (&'v Vec<u8>, &'v Value)>,
) {
    file.extend(b"\n<<\n");
    if let Some((key, number)) = first {
        file.extend(format!("/{key} {number}\n").bytes());
    }
    for (key, value) in entries {
        write_name(file, key);
        write_value(file, value);
        file.push(b'\n');
    }
    file.extend(b">>\n");
}

/// Writes a value with a blank before each token, so that any of its parts can replace it. `lopdf` reads no value that
/// is too deep for this recursion.
fn write_value(file: &mut Vec<u8>, value: &Value) {
    file.push(b' ');
    match value {
        Value::Null | Value::Stream(_) => file.extend(b"null"),
        Value::Boolean(is_true) => file.extend(is_true.to_string().bytes()),
        Value::Integer(number) => file.extend(number.to_string().bytes()),
        Value::Real(number) if number.is_finite() => file.extend(number.to_string().bytes()),
        Value::Real(_) => file.push(b'0'),
        Value::Name(name) => write_name(file, name),
        Value::String(string, StringFormat::Hexadecimal) => {
            file.push(b'<');
            string.iter().for_each(|byte| file.extend(format!("{byte:02x}").bytes()));
            file.push(b'>');
        }
        Value::String(string, StringFormat::Literal) => {
            file.push(b'(');
            for byte in string {
                match byte {
                    b'\\' | b'(' | b')' => file.extend([b'\\', *byte]),
                    b'\r' => file.extend(b"\\r"),
                    byte => file.push(*byte),
                }
            }
            file.push(b')');
        }
        Value::Array(values) => {
            file.push(b'[');
            values.iter().for_each(|value| write_value(file, value));
            file.extend(b" ]");
        }
        Value::Dictionary(dictionary) => {
            file.extend(b"<<");
            for (key, value) in dictionary {
                file.push(b' ');
                write_name(file, key);
                write_value(file, value);
            }
            file.extend(b" >>");
        }
        Value::Reference((number, generation)) => {
            file.extend(format!("{number} {generation} R").bytes());
        }
    }
}

fn write_name(file: &mut Vec<u8>, name: &[u8]) {
    file.push(b'/');
    for byte in name {
        match byte {
            b'#' | b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%' => {
                file.extend(format!("#{byte:02X}").bytes());
            }
            0x21..=0x7e => file.push(*byte),
            _ => file.extend(format!("#{byte:02X}").bytes()),
        }
    }
}
