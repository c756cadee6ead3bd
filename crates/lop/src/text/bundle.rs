//! Several files in one text, so that the engine need not know that there are several.
//!
//! Each file is preceded by a header: a mark, its path, and a line end, so that the first line of a file looks like any
//! other line. The mark occurs in none of the files, and no header is ever edited: a file is removed together with its header.
//! Links and empty directories are files, too, which can be removed but not reduced.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::{memchr, memmem};

use crate::text::Text;

/// The mark that separates several files in one text, and the properties of each file besides its content.
#[derive(Clone, Debug)]
pub struct Bundle {
    mark: Vec<u8>,
    /// The directory that they are in, if it has a name.
    pub root: Option<PathBuf>,
    /// The path of the first file that was put into it.
    first: PathBuf,
    entries: Arc<HashMap<PathBuf, (FileKind, Turn)>>,
}

/// A file that is put into a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputFile {
    /// Its path, from where the test runs.
    pub path: PathBuf,
    /// Its content; for a link, the path that it leads to.
    pub content: Vec<u8>,
    /// Its kind.
    pub kind: FileKind,
    /// When it is reduced.
    pub turn: Turn,
}

impl InputFile {
    /// A regular file with the usual permissions.
    pub fn new(path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        let (path, content) = (path.into(), content.into());
        InputFile { path, content, kind: FileKind::Regular(0o644), turn: Turn::Later }
    }
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file with these permissions.
    Regular(u32),
    /// A symbolic link.
    Link,
    /// A directory that was empty.
    Directory,
}

/// When a file is reduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Turn {
    /// Never: it stays as it is.
    Never,
    /// Before all others.
    First,
    /// After those that come first.
    #[default]
    Later,
}

/// A file in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its path, from where the test runs.
    pub path: PathBuf,
    /// Its content, with its header.
    pub whole: Range<usize>,
    /// Its content.
    pub content: Range<usize>,
    /// Its kind.
    pub kind: FileKind,
    /// When it is reduced.
    pub turn: Turn,
}

impl Bundle {
    /// The bytes that precede the path of each file in a text. They occur in none of the files.
    pub fn mark(&self) -> &[u8] {
        &self.mark
    }

    /// Puts files into one text, those that are never reduced first. If there is a root, all of them are in it.
    pub fn pack(root: Option<&Path>, files: &[InputFile]) -> (Bundle, Text) {
        let marks = (0..).map(|number: usize| format!("\0lop{number}\x01").into_bytes());
        let occurs =
            |mark: &Vec<u8>| files.iter().any(|file| memmem::find(&file.content, mark).is_some());
        let mark =
            marks.into_iter().find(|mark| !occurs(mark)).expect("some number does not occur");
        let entry = |file: &InputFile| (file.path.clone(), (file.kind, file.turn));
        let bundle = Bundle {
            mark,
            root: root.map(Path::to_owned),
            first: files.first().map(|file| file.path.clone()).unwrap_or_default(),
            entries: Arc::new(files.iter().map(entry).collect()),
        };
        let mut order: Vec<&InputFile> = files.iter().collect();
        order.sort_by_key(|file| file.turn);
        let text = bundle.join(order.iter().map(|file| (&*file.path, &*file.content)));
        (bundle, text)
    }

    /// Puts the remaining files into one text, some of them reduced, after [`Bundle::pack`].
    pub fn join<'f>(&self, files: impl IntoIterator<Item = (&'f Path, &'f [u8])>) -> Text {
        let mut text = Vec::new();
        for (path, content) in files {
            text.extend(&self.mark);
            text.extend(path.as_os_str().as_bytes());
            text.extend(HEADER_END);
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
            let content = path + length + HEADER_END.len();
            let path = Path::new(OsStr::from_bytes(&text[path..path + length]));
            let end = next(content.min(text.len())).unwrap_or(text.len());
            // Anything else that looks like a header is there by chance.
            if let Some((kind, turn)) = self.entries.get(path).filter(|_| content <= end) {
                let (kind, turn, path) = (*kind, *turn, path.to_owned());
                members.push(Member { path, whole: start..end, content: content..end, kind, turn });
            }
            at = end;
        }
        members
    }

    /// Two versions of a text: without the files that can be reduced, and with these files empty.
    pub(crate) fn emptied(&self, text: &[u8]) -> [Text; 2] {
        let members = self.members(text);
        let stays = |member: &Member| member.turn == Turn::Never;
        let content = |member: &Member| match stays(member) || !member.is_regular() {
            true => member.content.clone(),
            false => 0..0,
        };
        let files = || members.iter().map(|it| (it, &*it.path, &text[content(it)]));
        let rest = files().filter(|(member, ..)| stays(member));
        [
            self.join(rest.map(|(_, path, it)| (path, it))),
            self.join(files().map(|(_, path, it)| (path, it))),
        ]
    }

    /// The path of the directory or of the first file, from where the test runs.
    pub fn name(&self) -> &Path {
        self.root.as_deref().unwrap_or(&self.first)
    }

    /// The turns in which its files are reduced.
    pub(crate) fn turns(&self) -> Vec<Turn> {
        let has_first = self.entries.values().any(|(_, turn)| *turn == Turn::First);
        has_first.then_some(Turn::First).into_iter().chain([Turn::Later]).collect()
    }
}

impl Member {
    /// Whether it can be reduced or removed in this turn.
    pub(crate) fn has(&self, turn: Turn) -> bool {
        self.turn != Turn::Never && self.turn <= turn
    }

    /// Whether its content can be reduced.
    pub(crate) fn is_regular(&self) -> bool {
        matches!(self.kind, FileKind::Regular(_))
    }
}

const HEADER_END: &[u8] = b"\0\n";

/// Whether a text begins at a place: all of it, or a file in it.
pub(crate) fn begins_text(text: &[u8], at: usize) -> bool {
    at == 0 || text[..at].ends_with(HEADER_END)
}

/// Whether a text ends at a place: all of it, or a file in it.
pub(crate) fn ends_text(text: &[u8], at: usize) -> bool {
    at == text.len() || text[at..].starts_with(b"\0lop")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_told_apart_again_whatever_is_in_it() {
        let mut files =
            [("a.c", &b"int x;"[..]), ("d/b", b"\0lop0\x01\0\xff\0lop"), ("empty", b"")]
                .map(|(path, content)| InputFile::new(path, content));
        files[1].kind = FileKind::Regular(0o4751);
        let (bundle, text) = Bundle::pack(None, &files);
        let members = bundle.members(&text);
        let unpacked = members.iter().map(|member| InputFile {
            path: member.path.clone(),
            content: text[member.content.clone()].to_vec(),
            kind: member.kind,
            turn: member.turn,
        });
        assert_eq!(unpacked.collect::<Vec<_>>(), files);
        let without = [&text[..members[1].whole.start], &text[members[1].whole.end..]].concat();
        let paths: Vec<PathBuf> = bundle.members(&without).into_iter().map(|it| it.path).collect();
        assert_eq!(paths, [PathBuf::from("a.c"), "empty".into()]);
        assert!(bundle.members(b"").is_empty());
    }

    #[test]
    fn files_are_emptied_or_removed_but_for_those_that_are_not_reduced() {
        let mut files = ["a", "fixed", "link"].map(|path| InputFile::new(path, path));
        files[1].turn = Turn::Never;
        files[2].kind = FileKind::Link;
        let (bundle, text) = Bundle::pack(None, &files);
        let contents = |text: &Text| -> Vec<(PathBuf, Vec<u8>)> {
            let members = bundle.members(text).into_iter();
            members.map(|it| (it.path, text[it.content].to_vec())).collect()
        };
        let expected =
            [&[("fixed", "fixed")][..], &[("fixed", "fixed"), ("a", ""), ("link", "link")]];
        let expected = expected.map(|files| -> Vec<(PathBuf, Vec<u8>)> {
            files.iter().map(|(path, content)| ((*path).into(), (*content).into())).collect()
        });
        assert_eq!(bundle.emptied(&text).each_ref().map(contents), expected);
    }

    #[test]
    fn files_are_in_the_order_of_their_turns_and_the_first_stays_the_first() {
        let mut files = ["later", "fixed", "first"].map(|path| InputFile::new(path, path));
        files[1].turn = Turn::Never;
        files[2].turn = Turn::First;
        let (bundle, text) = Bundle::pack(None, &files);
        let members = bundle.members(&text);
        let order: Vec<&Path> = members.iter().map(|member| &*member.path).collect();
        assert_eq!(order, ["fixed", "first", "later"].map(Path::new));
        assert_eq!(bundle.name(), Path::new("later"));
        let open = |turn: Turn| members.iter().filter(move |member| member.has(turn)).count();
        assert_eq!(bundle.turns().into_iter().map(open).collect::<Vec<_>>(), [1, 2]);
    }
}
