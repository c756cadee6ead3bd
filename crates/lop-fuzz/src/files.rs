//! Files that lop writes and reads again: models, journals, and several files in one text.

use std::sync::Arc;

use lop::tree::{Format, Usage};
use lop::{Bundle, InputFile, Journal};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::trees::{check_tree, known};

/// Any bytes as a model; and, since no random bytes have a right check sum, as the body of one.
pub(crate) fn model(bytes: &[u8]) {
    let _ = Usage::from_bytes(bytes);
    let mut signed = b"lop model\n\x01".to_vec();
    let mut length = bytes.len();
    while length >= 0x80 {
        signed.push(length as u8 | 0x80);
        length >>= 7;
    }
    signed.push(length as u8);
    signed.extend(bytes);
    signed.extend(xxh3_64(&signed).to_le_bytes());
    let Ok(usage) = Usage::from_bytes(&signed) else { return };
    let written = usage.to_bytes();
    let again = Usage::from_bytes(&written).expect("what is written is read");
    assert!(again.to_bytes() == written, "what is read is written as it was");
    if let Some(format) = known("json") {
        let text = Arc::new(br#"{"a": [1, {"b": null}], "c": "d"}"#.to_vec());
        let tree = check_tree(&text, &format.clone().with_usage(Arc::new(usage)));
        let _ =
            tree.ids().filter(|node| tree.is_mandatory(*node) || tree.is_removable(*node)).count();
    }
}

/// A journal with some bytes overwritten, inserted or removed: it never says another verdict than it did. Two bytes are a place, one is what happens there.
pub(crate) fn journal(bytes: &[u8]) {
    let seed = xxh3_64_with_seed(b"\"header\"", 0);
    let mut text = format!("lop journal 2 {seed:016x} \"header\"\n").into_bytes();
    let verdict = |key: u128| key.is_multiple_of(3);
    for key in 0..20u128 {
        let letter = if verdict(key) { "i" } else { "b" };
        let line = format!("{letter} {key:032x}");
        text.extend(format!("{line} {:016x}\n", xxh3_64_with_seed(line.as_bytes(), seed)).bytes());
    }
    for change in bytes.chunks_exact(4) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % (text.len() + 1);
        match change[2] % 4 {
            0 => text.truncate(at),
            1 if at < text.len() => drop(text.remove(at)),
            2 => text.insert(at, change[3]),
            _ if at < text.len() => text[at] = change[3],
            _ => {}
        }
    }
    let file = tempfile::NamedTempFile::new().expect("there is room for a small file");
    std::fs::write(file.path(), &text).expect("it can be written");
    let header = Journal::header::<String>(file.path());
    let Ok(journal) = Journal::resume(file.path()) else { return };
    assert_eq!(header.ok().as_deref(), Some("header"));
    for (key, interesting) in journal.verdicts() {
        assert_eq!(verdict(key), interesting, "the journal lies about {key}");
    }
}

/// Files that contain what separates files come out as they went in.
pub(crate) fn bundle(bytes: &[u8]) {
    let files: Vec<InputFile> = bytes
        .split(|byte| *byte == b'|')
        .enumerate()
        .map(|(number, content)| InputFile::new(format!("dir/{number}.c"), content))
        .collect();
    let (bundle, text) = Bundle::pack(Some("dir".as_ref()), &files);
    let members = bundle.members(&text);
    assert_eq!(members.len(), files.len());
    for (member, file) in members.iter().zip(&files) {
        assert_eq!(member.path, file.path);
        assert_eq!(text[member.content.clone()], file.content);
    }
    // A text that is not from here has no members, or some; it is never out of its bounds.
    let cut = &text[text.len() / 3..];
    assert!(bundle.members(cut).iter().all(|member| member.whole.end <= cut.len()));
    check_tree(&text, &Format::of_files(&bundle, &text, lop::Turn::Later));
}
