//! Binary formats.

use std::sync::Arc;

use lop::tree::{CONTAINERS, Change, Format, Tree};
use lop::{Candidate, Text};

use crate::trees::check_tree;

/// A file of this format has a tree, whatever is removed from it can be repaired, and what is unpacked, packed or rewritten opens again.
pub(crate) fn container(name: &str, bytes: &[u8]) {
    let container = CONTAINERS.iter().find(|it| it.name == name).expect("there is such a format");
    let format = Format::from(container);
    let text: Text = Arc::new(bytes.to_vec());
    let tree = check_tree(&text, &format);
    let _ = (format.obstacle(&text), format.accepts(&text));
    repair(&format, &tree);
    for other in [format.unpack(&text), format.rewrite(&text), format.pack(&text)] {
        let Some(other) = other.map(Arc::new) else { continue };
        let tree = check_tree(&other, &format);
        repair(&format, &tree);
    }
    if let Some(unpacked) = format.unpack(&text) {
        assert_eq!(format.unpack(&unpacked), None, "what is unpacked has nothing to unpack");
        if let Some(packed) = format.pack(&unpacked) {
            let again = format.unpack(&packed);
            assert!(again.is_none_or(|again| again == unpacked), "packing loses nothing");
        }
    }
}

/// Removes single nodes, the first half of the bytes, and nothing.
fn repair(format: &Format, tree: &Tree) {
    let text = tree.text();
    let parser = format.parser();
    let nodes = tree.ids().filter(|node| tree.is_removable(*node)).take(12);
    for node in nodes {
        parser.repair(tree.candidate(&[Change::cut(node)])).bytes();
    }
    let half = std::iter::once(0..text.len() / 2);
    parser.repair(Candidate::without(text, half)).bytes();
    let repaired = parser.repair(Candidate::whole(text)).bytes();
    assert_eq!(repaired, **text, "a file from which nothing is removed stays as it is");
}
