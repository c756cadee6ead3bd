//! Several files as one tree: its topmost nodes are the files, and below each is the tree of that file in its own
//! language.
//!
//! So any pass that cuts nodes cuts files, and nodes of all files, the largest first; and names are removed or replaced
//! in all files together. The nodes of this parser are a frame around the files' own trees. A file can be removed, and
//! so can its content, in case only its name is needed. Files that are not to be reduced now come before and after the
//! others (see [`Bundle::pack`]); they are leaves that no rule makes optional.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use lop_grammar::{Grammar, Label};

use crate::text::{Bundle, Candidate, Edit, Member, Text, Turn};

use super::dialect::Learned;
use super::{Builder, Format, NodeId, Parser, Tree};

/// The parser of several files in one text.
struct Files {
    bundle: Bundle,
    turn: Turn,
    /// By the original content of each file: without its first line, its language might not be recognised.
    formats: HashMap<PathBuf, Format>,
    joins: Vec<u8>,
}

impl Format {
    /// The format of several files in one text, of which those in this turn are reduced. Each has the format that its
    /// name and content suggest.
    pub fn of_files(bundle: &Bundle, text: &[u8], turn: Turn) -> Format {
        let format = |member: &Member| Format::guess(&member.path, &text[member.content.clone()]);
        let members = bundle.members(text);
        let formats: HashMap<PathBuf, Format> = members
            .iter()
            .filter(|member| member.has(turn))
            .map(|member| (member.path.clone(), format(member)))
            .collect();
        let mut joins: Vec<u8> =
            formats.values().flat_map(|format| format.parser().joins().to_vec()).collect();
        joins.sort_unstable();
        joins.dedup();
        Format::new(Arc::new(Files { bundle: bundle.clone(), turn, formats, joins }))
    }
}

fn grammar() -> &'static Grammar {
    static GRAMMAR: OnceLock<Grammar> = OnceLock::new();
    GRAMMAR.get_or_init(|| {
        let notation = r"
            files   = file* ;
            headed  = fixed file* ;
            tailed  = file* fixed ;
            framed  = fixed file* fixed ;
            file    = header content? ;
            fixed   = /.+/ ;
            header  = /.+/ ;
            content = /.+/ ;
        ";
        Grammar::parse("files", notation).expect("our own grammars are well-formed")
    })
}

fn label(name: &str) -> Label {
    grammar().label(name, true).unwrap_or(Label::ERROR)
}

impl Parser for Files {
    fn name(&self) -> &str {
        "files"
    }

    fn grammar(&self) -> &Grammar {
        grammar()
    }

    /// It is if the parser of any file is.
    fn is_strict(&self) -> bool {
        self.formats.values().any(|format| format.parser().is_strict())
    }

    fn is_frame(&self) -> bool {
        true
    }

    /// The largest file, preferably a text.
    fn sample(&self, text: &[u8]) -> Range<usize> {
        let members = self.bundle.members(text).into_iter();
        let contents = members.filter(|it| it.has(self.turn) && it.is_regular());
        let is_text = |content: &Range<usize>| !text[content.clone()].contains(&0);
        contents
            .map(|it| it.content)
            .max_by_key(|content| (is_text(content), content.len()))
            .unwrap_or(0..0)
    }

    fn joins(&self) -> &[u8] {
        &self.joins
    }

    fn build(&self, text: &[u8], tree: &mut Builder<'_>) {
        let members: Vec<Member> = self.bundle.members(text);
        let mut open = members.iter().filter(|member| member.has(self.turn));
        let start = open.clone().next().map_or(text.len(), |first| first.whole.start);
        let end = open.next_back().map_or(text.len(), |last| last.whole.end);
        let (head, tail) = (0..start, end..text.len());
        let root = match (head.is_empty(), tail.is_empty()) {
            (true, true) => "files",
            (false, true) => "headed",
            (true, false) => "tailed",
            (false, false) => "framed",
        };
        tree.open(label(root), 0);
        let fixed = |range: Range<usize>, tree: &mut Builder<'_>| {
            if !range.is_empty() {
                tree.leaf(label("fixed"), range);
            }
        };
        fixed(head, tree);
        for member in members.iter().filter(|member| member.has(self.turn)) {
            self.put(text, member, tree);
        }
        fixed(tail, tree);
        tree.close(text.len());
    }

    /// Repairs each file separately.
    fn repair(&self, candidate: Candidate) -> Candidate {
        if !self.formats.values().any(Format::is_container) {
            return candidate;
        }
        let base = candidate.base().clone();
        let mut edits = candidate.edits().to_vec();
        for Member { path, content, .. } in self.bundle.members(&base) {
            let Some(format) = self.formats.get(&path).filter(|it| it.is_container()) else {
                continue;
            };
            let is_here = |edit: &mut Edit| {
                content.start <= edit.range.start && edit.range.end <= content.end
            };
            let mut own: Vec<Edit> = edits.extract_if(.., is_here).collect();
            if own.is_empty() {
                continue;
            }
            for Edit { range, .. } in &mut own {
                *range = range.start - content.start..range.end - content.start;
            }
            let file = Candidate::new(&Arc::new(base[content.clone()].to_vec()), own);
            edits.extend(format.parser().repair(file).edits().iter().map(|edit| Edit {
                range: edit.range.start + content.start..edit.range.end + content.start,
                with: edit.with.clone(),
            }));
        }
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        Candidate::new(&base, edits)
    }

    fn still_parses(&self, tree: &Tree, candidate: &Candidate) -> bool {
        let is_gone = |part: &&Part| {
            let covers = |edit: &Edit| {
                edit.range.start <= part.member.whole.start
                    && part.member.whole.end <= edit.range.end
            };
            candidate.edits().iter().any(covers)
        };
        let changed = |part: &Part| {
            let edits = candidate.edits().iter().filter_map(|edit| part.own(edit));
            Some(edits.collect::<Vec<_>>()).filter(|edits| !edits.is_empty())
        };
        self.parts_of(tree).iter().filter(|part| !is_gone(part)).all(|part| {
            changed(part).is_none_or(|edits| {
                let tree = part.tree();
                tree.still_parses(&Candidate::new(tree.text(), edits))
            })
        })
    }

    fn parts<'t>(&self, tree: &'t Tree) -> Vec<(usize, &'t Tree)> {
        let parts = self.parts_of(tree).iter();
        parts.map(|part| (part.member.content.start, part.tree())).collect()
    }
}

impl Files {
    fn put(&self, text: &[u8], member: &Member, tree: &mut Builder<'_>) {
        let Member { whole, content, .. } = member;
        tree.open(label("file"), whole.start);
        // The target of a link isn't reduced.
        let header_end = if member.is_regular() { content.start } else { content.end };
        tree.leaf(label("header"), whole.start..header_end);
        if header_end < content.end {
            tree.open(label("content"), content.start);
            if let Some(parser) = self.parser(member, &text[content.clone()]) {
                tree.island(content.clone(), &parser);
            }
            tree.close(content.end);
        }
        tree.close(whole.end);
    }

    /// The parser of a file's content. Bytes that are neither text nor in a format of frames have no tree.
    fn parser(&self, member: &Member, content: &[u8]) -> Option<Arc<dyn Parser>> {
        let format = self.formats.get(&member.path)?;
        let has_tree = format.is_container() || !content.contains(&0);
        has_tree.then(|| format.parser_for(content))
    }

    /// The files that have trees.
    fn parts_of<'t>(&self, tree: &'t Tree) -> &'t [Part] {
        tree.remember(|| {
            let text = tree.text();
            let members = self.bundle.members(text).into_iter();
            let open = members.filter(|member| member.has(self.turn) && member.is_regular());
            let part = |member: Member| {
                let content = &text[member.content.clone()];
                let parser = self.parser(&member, content).filter(|_| !content.is_empty())?;
                Some(Part { parser, text: content.to_vec().into(), member, tree: OnceLock::new() })
            };
            open.filter_map(part).collect::<Vec<Part>>()
        })
    }
}

/// A file with a tree of its own, made on first use.
struct Part {
    member: Member,
    text: Text,
    parser: Arc<dyn Parser>,
    tree: OnceLock<Tree>,
}

impl Part {
    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| Tree::grow(&self.text, &self.parser, &Learned::default()))
    }

    /// The part of an edit that is in this file.
    fn own(&self, edit: &Edit) -> Option<Edit> {
        let Range { start, end } = self.member.content;
        let (from, to) = (edit.range.start.clamp(start, end), edit.range.end.clamp(start, end));
        let is_here = start <= edit.range.start && edit.range.start <= end;
        let with = if is_here { edit.with.clone() } else { Box::default() };
        (from < to || is_here && !with.is_empty())
            .then(|| Edit { range: from - start..to - start, with })
    }
}

/// A file among several.
pub(crate) struct FileNode<'t> {
    /// Its node.
    pub(crate) node: NodeId,
    /// Its name, without directories.
    pub(crate) name: &'t [u8],
    /// Its name without extension, by which other files often mention it; for the index of a directory, the name of the
    /// directory.
    pub(crate) stem: &'t [u8],
}

/// The names of files that are known by the names of their directories.
const INDEXES: &[&str] = &["mod", "index", "__init__"];

impl Tree {
    /// The files, if the text is several in one.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileNode<'_>> {
        let nodes = self.parser().is_frame().then(|| self.children(self.root()));
        let files = nodes.into_iter().flatten().filter(|node| self.name(*node) == "file");
        files.filter_map(|node| {
            let header = self.text_of(self.children(node).next()?);
            let path = header.split(|byte| *byte == 1).nth(1)?.split(|byte| *byte == 0).next()?;
            let path = Path::new(OsStr::from_bytes(path));
            let stem = path.file_stem()?;
            let is_index = INDEXES.iter().any(|index| stem == *index);
            let directory = path.parent().and_then(Path::file_name).filter(|_| is_index);
            let stem = directory.unwrap_or(stem).as_bytes();
            Some(FileNode { node, name: path.file_name()?.as_bytes(), stem })
        })
    }
}
