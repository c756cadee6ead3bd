//! Input trees: directories whose digests depend on their whole content.
//!
//! Most of a tree is the same for all candidates. A copy shares its directories with the original, and only those above
//! a changed file are made anew.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Component, Path};
use std::sync::{Arc, OnceLock};

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Digest, Directory, DirectoryNode, FileNode, SymlinkNode,
};
use prost::Message;

use crate::blobs::{Blob, Function};

/// A directory.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    entries: BTreeMap<String, Entry>,
    /// The digest, if the directory has not changed since it was sealed.
    sealed: OnceLock<Digest>,
}

#[derive(Clone, Debug)]
enum Entry {
    File { digest: Digest, is_executable: bool },
    Link(String),
    Tree(Arc<Tree>),
}

impl Clone for Tree {
    /// A copy is made to be changed, so its digest is unknown.
    fn clone(&self) -> Self {
        Tree { entries: self.entries.clone(), sealed: OnceLock::new() }
    }
}

impl Tree {
    /// Puts a file at a path, replacing one that is there.
    pub(crate) fn add_file(
        &mut self,
        path: &Path,
        digest: Digest,
        is_executable: bool,
    ) -> Result<(), String> {
        self.add(path, Entry::File { digest, is_executable })
    }

    /// Puts a symbolic link at a path.
    pub(crate) fn add_link(&mut self, path: &Path, target: &OsStr) -> Result<(), String> {
        self.add(path, Entry::Link(text(target)?.to_owned()))
    }

    /// Makes a directory at a path, unless there is one.
    pub(crate) fn add_directory(&mut self, path: &Path) -> Result<(), String> {
        let mut at = self;
        for name in names(path)? {
            at = at.below(name);
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, entry: Entry) -> Result<(), String> {
        let mut names = names(path)?;
        let last = names.pop().ok_or("a file without a name")?;
        let mut at = self;
        for name in names {
            at = at.below(name);
        }
        at.sealed = OnceLock::new();
        at.entries.insert(last.to_owned(), entry);
        Ok(())
    }

    /// A subdirectory, to be changed.
    fn below(&mut self, name: &str) -> &mut Tree {
        self.sealed = OnceLock::new();
        let entry = self.entries.entry(name.to_owned());
        let entry = entry.or_insert_with(|| Entry::Tree(Arc::default()));
        if !matches!(entry, Entry::Tree(_)) {
            *entry = Entry::Tree(Arc::default());
        }
        match entry {
            Entry::Tree(tree) => Arc::make_mut(tree),
            _ => unreachable!("it was made a directory"),
        }
    }

    /// The digest; adds the directories with new digests to the blobs.
    pub(crate) fn seal(&self, function: Function, blobs: &mut Vec<Blob>) -> Digest {
        if let Some(digest) = self.sealed.get() {
            return digest.clone();
        }
        // The protocol requires each list to be sorted by name, as the map is.
        let mut directory = Directory::default();
        for (name, entry) in &self.entries {
            let name = name.clone();
            match entry {
                Entry::File { digest, is_executable } => directory.files.push(FileNode {
                    name,
                    digest: Some(digest.clone()),
                    is_executable: *is_executable,
                    node_properties: None,
                }),
                Entry::Link(target) => directory.symlinks.push(SymlinkNode {
                    name,
                    target: target.clone(),
                    node_properties: None,
                }),
                Entry::Tree(tree) => {
                    let digest = Some(tree.seal(function, blobs));
                    directory.directories.push(DirectoryNode { name, digest });
                }
            }
        }
        let blob = function.blob(directory.encode_to_vec());
        blobs.push(blob.clone());
        self.sealed.get_or_init(|| blob.digest).clone()
    }
}

/// The names of a path below a directory.
fn names(path: &Path) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(text(name)?),
            Component::CurDir => {}
            _ => return Err(format!("the path `{}` leads out of the directory", path.display())),
        }
    }
    Ok(names)
}

/// A name, as text for the protocol.
fn text(name: &OsStr) -> Result<&str, String> {
    name.to_str().ok_or_else(|| format!("the name `{}` is not valid UTF-8", name.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    const FUNCTION: Function = Function::Sha256;

    fn file(tree: &mut Tree, path: &str, content: &[u8]) {
        tree.add_file(Path::new(path), FUNCTION.digest(content), false).unwrap();
    }

    fn seal(tree: &Tree) -> (Digest, Vec<Directory>) {
        let mut blobs = Vec::new();
        let digest = tree.seal(FUNCTION, &mut blobs);
        (digest, blobs.iter().map(|blob| Directory::decode(&**blob.bytes).unwrap()).collect())
    }

    #[test]
    fn a_tree_has_sorted_files_links_and_directories() {
        let mut tree = Tree::default();
        file(&mut tree, "b", b"2");
        tree.add_file(Path::new("./a"), FUNCTION.digest(b"1"), true).unwrap();
        tree.add_link(Path::new("link"), OsStr::new("../x")).unwrap();
        tree.add_directory(Path::new("empty/inner")).unwrap();
        let (digest, directories) = seal(&tree);
        let root = directories.last().unwrap();
        assert_eq!(FUNCTION.digest(&root.encode_to_vec()), digest);
        let names: Vec<_> = root.files.iter().map(|it| (&*it.name, it.is_executable)).collect();
        assert_eq!(names, [("a", true), ("b", false)]);
        assert_eq!(root.symlinks[0].target, "../x");
        assert_eq!(root.directories[0].name, "empty");
        assert_eq!(directories.len(), 3);
    }

    #[test]
    fn only_the_directories_on_the_way_to_a_change_are_made_anew() {
        let mut base = Tree::default();
        for path in ["a/one", "a/deep/two", "b/three"] {
            file(&mut base, path, b"x");
        }
        let (before, all) = seal(&base);
        assert_eq!(all.len(), 4);
        let mut changed = base.clone();
        file(&mut changed, "a/one", b"y");
        let (after, fresh) = seal(&changed);
        assert_ne!(after, before);
        assert_eq!(fresh.len(), 2, "the root and `a`");
        assert_eq!(seal(&base), (before, vec![]), "the original is as it was");
        let mut again = base.clone();
        file(&mut again, "a/one", b"y");
        assert_eq!(seal(&again).0, after);
    }

    #[test]
    fn a_file_in_the_place_of_a_directory_is_replaced() {
        let mut tree = Tree::default();
        file(&mut tree, "a", b"x");
        file(&mut tree, "a/b", b"y");
        let (_, directories) = seal(&tree);
        assert_eq!(directories.last().unwrap().directories[0].name, "a");
    }

    #[test]
    fn names_that_the_protocol_cannot_have_are_refused() {
        let mut tree = Tree::default();
        for path in ["../x", "/x", "a/../../x"] {
            let error = tree.add_directory(Path::new(path)).unwrap_err();
            assert!(error.contains("leads out"), "{path}");
        }
        let odd = Path::new(OsStr::from_bytes(b"\xff"));
        assert!(tree.add_directory(odd).unwrap_err().contains("UTF-8"));
    }
}
