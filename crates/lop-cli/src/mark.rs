//! Recognises files that lop wrote, so that no other file is overwritten.
//!
//! The mark is an extended attribute with the fingerprint of the content: it is moved and renamed with the file, and a
//! file that was edited has another fingerprint. On a file system without attributes, a result isn't recognised, and
//! has to be overwritten with `--force`.

use std::path::Path;
use std::sync::Arc;

use lop::{Journal, Text};
use rustix::fs::{XattrFlags, getxattr, setxattr};
use rustix::io::Errno;

use crate::reading::regular;
use crate::resume::{Header, fingerprint};

const NAME: &str = "user.lop.result";

/// Marks a file with this content as a result of lop.
pub(crate) fn set(file: &Path, content: &Text) {
    let _ = setxattr(file, NAME, fingerprint(content).as_bytes(), XattrFlags::empty());
}

/// Whether the file system of a file keeps marks, so that a result of lop has one.
pub(crate) fn is_kept(file: &Path) -> bool {
    getxattr(file, NAME, &mut [0; 64][..]) != Err(Errno::OPNOTSUPP)
}

/// Whether nothing is lost if a file with this journal is overwritten: it does not exist, is empty, or is unchanged
/// since lop wrote it.
pub(crate) fn is_replaceable(file: &Path, journal: &Path) -> bool {
    let Some(content) = regular(file) else { return !file.exists() };
    // A stopped run has left its journal instead of a mark.
    if content.is_empty() || Journal::header::<Header>(journal).is_ok() {
        return true;
    }
    let mut mark = [0; 64];
    let length = getxattr(file, NAME, &mut mark[..]).unwrap_or(0);
    mark[..length] == *fingerprint(&Arc::new(content)).as_bytes()
}
