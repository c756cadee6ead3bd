//! Replaces `unpack.rs` in a build without `lopdf`: files in the form that can be reduced are reduced, with their
//! streams unchanged.

use super::super::Writing;
use super::document::Document;

pub(super) fn transcode(_: &[u8], _: Writing) -> Option<Vec<u8>> {
    None
}

/// Why a file can only be reduced as bytes.
pub(super) fn obstacle(text: &[u8]) -> Option<String> {
    let reason = || "can be read only by a build of lop with the feature `pdf`".to_owned();
    Document::read(text).is_none().then(reason)
}
