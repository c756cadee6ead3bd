//! Several files in one text, so that the engine need not know that there are several.
//!
//! Each file is preceded by a mark and its path. The mark occurs in none of the files, and is never edited: a file's
//! content is reduced by itself, and a file is removed together with its mark.

use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::{memchr, memmem};

use crate::text::Text;

/// The mark that separates several files in one text.
#[derive(Clone, Debug)]
pub struct Bundle {
    mark: Vec<u8>,
    /// The paths of all files that were put into it.
    paths: Vec<PathBuf>,
    /// The directory that they are in, if it has a name.
    pub root: Option<PathBuf>,
    /// The executable ones.
    executable: Vec<PathBuf>,
}

/// A file in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its path, from where the test runs.
    pub path: PathBuf,
    /// Its content, with its mark and path.
    pub whole: Range<usize>,
    /// Its content.
    pub content: Range<usize>,
}

impl Bundle {
    /// Puts files into one text. If a directory is given, all of them are in it.
    pub fn pack(
        root: Option<&Path>,
        files: &[(PathBuf, Vec<u8>)],
        executable: Vec<PathBuf>,
    ) -> (Bundle, Text) {
        let marks = (0..).map(|number: usize| format!("\0lop{number}\x01").into_bytes());
        let occurs =
            |mark: &Vec<u8>| files.iter().any(|(_, content)| memmem::find(content, mark).is_some());
        let mark =
            marks.into_iter().find(|mark| !occurs(mark)).expect("some number does not occur");
        let paths = files.iter().map(|(path, _)| path.clone()).collect();
        let bundle = Bundle { mark, paths, root: root.map(Path::to_owned), executable };
        let text = bundle.join(files);
        (bundle, text)
    }

    /// Puts files into one text again, some of them removed or reduced since [`Bundle::pack`].
    pub fn join(&self, files: &[(PathBuf, Vec<u8>)]) -> Text {
        let mut text = Vec::new();
        for (path, content) in files {
            text.extend(&self.mark);
            text.extend(path.as_os_str().as_bytes());
            text.push(0);
            text.extend(content);
        }
        Arc::new(text)
    }

    /// The files in a text.
    pub fn members(&self, text: &[u8]) -> Vec<Member> {
        let mark = memmem::Finder::new(&self.mark);
        let next = |from: usize| mark.find(&text[from..]).map(|found| from + found);
        let mut members = Vec::new();
        let mut at = 0;
        while let Some(start) = next(at) {
            let path = start + self.mark.len();
            let Some(length) = memchr(0, &text[path..]) else { break };
            let content = path + length + 1;
            let end = next(content).unwrap_or(text.len());
            let path = PathBuf::from(OsStr::from_bytes(&text[path..path + length]));
            // Anything else that looks like a mark is there by chance.
            if self.paths.contains(&path) {
                members.push(Member { path, whole: start..end, content: content..end });
            }
            at = end;
        }
        members
    }

    /// Whether a file is executable.
    pub fn is_executable(&self, path: &Path) -> bool {
        self.executable.iter().any(|each| each == path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_told_apart_again_whatever_is_in_it() {
        let files: Vec<(PathBuf, Vec<u8>)> =
            [("a.c", &b"int x;"[..]), ("d/b", b"\0lop0\x01\0\xff\0lop"), ("empty", b"")]
                .map(|(path, content)| (path.into(), content.to_vec()))
                .into();
        let (bundle, text) = Bundle::pack(None, &files, vec!["d/b".into()]);
        let members = bundle.members(&text);
        let unpacked: Vec<(PathBuf, Vec<u8>)> = members
            .iter()
            .map(|member| (member.path.clone(), text[member.content.clone()].to_vec()))
            .collect();
        assert_eq!(unpacked, files);
        let without = [&text[..members[1].whole.start], &text[members[1].whole.end..]].concat();
        let paths: Vec<PathBuf> = bundle.members(&without).into_iter().map(|it| it.path).collect();
        assert_eq!(paths, [PathBuf::from("a.c"), "empty".into()]);
        assert!(bundle.is_executable(Path::new("d/b")) && !bundle.is_executable(Path::new("a.c")));
        assert!(bundle.members(b"").is_empty());
    }
}
