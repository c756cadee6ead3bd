//! Expands calls: puts the body of a function in the place of its only call, and a field's value in the place of its object.
//!
//! Functions and methods that forward to each other hold each other in place: none can be removed while it is called, and no call while it
//! does something. So three moves over the occurrences of a name:
//!
//! - the statement with the call becomes the body of the function;
//! - the body comes before that statement, and the call in it becomes the value that the function returns, or the least that fits;
//! - of an object that is asked for one field only, the value of that field is left: `new C()` becomes the value, and `x.f` becomes `x`.
//!
//! The declaration is removed each time, parameters become arguments, and the first parameter of a method, or `this`, becomes the object. The pass
//! does not know what a function is: a declaration that has a list of what fits in the place of the statement is one.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{Change, NodeId, StandIns, Tree};

use super::links::lists_after;
use super::names::{is_name, meanings, names};
use super::pieces::{Piece, edited, indentation, moved};
use super::{Proposal, cut_around, elements, most_first, nearest};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let names = names(tree);
    let mut stand_ins = StandIns::new(tree);
    let mut proposals = Vec::new();
    for occurrences in meanings(tree).iter().filter(|occurrences| occurrences.len() > 1) {
        let Some((declaration, cut)) = cut_around(tree, occurrences[0]) else { continue };
        // Another thing may have the same name, such as a parameter.
        let is_called = |node: &NodeId| tree.text()[tree.range(*node).end..].starts_with(b"(");
        let is_use = |node: &NodeId| {
            !is_within(tree, *node, declaration) && (is_called(node) || !is_called(&occurrences[0]))
        };
        let uses: Vec<NodeId> = occurrences.iter().copied().filter(is_use).collect();
        let [call] = uses[..] else { continue };
        let declared = Declared { tree, name: occurrences[0], declaration };
        proposals.extend(
            declared.bodies(call, &mut stand_ins).into_iter().map(|it| [&cut[..], &it].concat()),
        );
        proposals
            .extend(declared.fields(call, &names).into_iter().map(|it| [&cut[..], &it].concat()));
    }
    most_first(tree, proposals)
}

fn is_within(tree: &Tree, node: NodeId, outer: NodeId) -> bool {
    let (inner, outer) = (tree.range(node), tree.range(outer));
    outer.start <= inner.start && inner.end <= outer.end
}

/// A declaration of something that is used once.
struct Declared<'t> {
    tree: &'t Tree,
    name: NodeId,
    declaration: NodeId,
}

impl Declared<'_> {
    /// Puts the body in the place of the statement that has the call, or before it.
    fn bodies(&self, name: NodeId, stand_ins: &mut StandIns<'_>) -> Vec<Proposal> {
        let tree = self.tree;
        let above = |node| std::iter::successors(Some(node), |node| tree.parent(*node));
        let Some(statement) = above(name).find(|node| tree.quantifier(*node).repeats()) else {
            return Vec::new();
        };
        if is_within(tree, self.declaration, statement) {
            return Vec::new();
        }
        let Some(body) = self.body(statement) else { return Vec::new() };
        let (first, last) = (body[0], body[body.len() - 1]);
        let pieces = self.substitutions(name);
        let whole = tree.range(first).start..tree.range(last).end;
        let text = moved(tree, edited(tree, whole.clone(), &pieces), first, statement);
        let mut proposals = vec![vec![Change::Replace(statement, text.clone().into())]];
        let call = self.call(name);
        let (place, inside) = (tree.range(statement), tree.range(call));
        // The name may be an argument, and the node that ends with a bracket the list around it.
        if inside == place || !is_within(tree, call, statement) {
            return proposals;
        }
        let put = |before: &[u8], value: &[u8]| {
            let mut text = before.to_vec();
            if !text.is_empty() {
                text.push(b'\n');
                text.extend(std::iter::repeat_n(b' ', indentation(tree, statement)));
            }
            text.extend(&tree.text()[place.start..inside.start]);
            text.extend(value);
            text.extend(&tree.text()[inside.end..place.end]);
            vec![Change::Replace(statement, text.into())]
        };
        let values = nearest(tree, last, |node| tree.fits(call, tree.kind(node)));
        if let Some(value) = values.first() {
            let rest = whole.start..tree.range(last).start;
            let rest = moved(
                tree,
                edited(tree, rest, &pieces).trim_ascii_end().to_vec(),
                first,
                statement,
            );
            proposals.push(put(&rest, &edited(tree, tree.range(*value), &pieces)));
        }
        if let Some(least) = stand_ins.of(call).first() {
            proposals.push(put(&text, least));
        }
        proposals
    }

    /// The highest siblings within the declaration that may replace a statement.
    fn body(&self, statement: NodeId) -> Option<Vec<NodeId>> {
        let tree = self.tree;
        let above = std::iter::once(self.declaration).chain(tree.descendants(self.declaration));
        above.filter(|node| !tree.is_leaf(*node)).find_map(|node| {
            let mut body = elements(tree, node);
            body.retain(|child| *child > self.name);
            let kinds = body.iter().map(|node| tree.kind(*node));
            (!body.is_empty() && tree.fits_sequence(statement, kinds)).then_some(body)
        })
    }

    /// The node that a name is called in: that with its arguments, and with the object that it is asked of.
    fn call(&self, name: NodeId) -> NodeId {
        let tree = self.tree;
        let end = match lists_after(tree, &[name], b'(').first() {
            Some(list) => tree.range(list.nodes()[0]).end,
            None => tree.range(name).end,
        };
        let mut above = std::iter::successors(Some(name), |node| tree.parent(*node));
        let call = above.find(|node| {
            let (range, text) = (tree.range(*node), tree.text_of(*node));
            range.end >= end && text.ends_with(b")") && range.end > tree.range(name).end
        });
        call.unwrap_or(name)
    }

    /// What parameters become in the body.
    fn substitutions(&self, name: NodeId) -> Vec<Piece> {
        let tree = self.tree;
        let lists = |name| lists_after(tree, &[name], b'(').into_iter().next();
        let parameters = lists(self.name);
        let arguments: Vec<Vec<u8>> = lists(name).map_or(Vec::new(), |list| {
            (0..list.len()).map(|at| self.text(list.element(at))).collect()
        });
        let object = self.object(name);
        let count = parameters.as_ref().map_or(0, |list| list.len());
        let values: Vec<Vec<u8>> = match (&object, count.checked_sub(arguments.len())) {
            (Some(object), Some(1)) => [vec![object.clone()], arguments].concat(),
            _ => arguments,
        };
        let mut pieces: Vec<Piece> = Vec::new();
        let body: Vec<NodeId> = tree
            .descendants(self.declaration)
            .filter(|node| *node > self.name && tree.is_leaf(*node))
            .collect();
        for (at, value) in values.iter().enumerate().take(count) {
            let Some(parameter) = parameters.as_ref().map(|list| list.element(at)) else { break };
            let here = parameter
                .iter()
                .flat_map(|node| std::iter::once(*node).chain(tree.descendants(*node)));
            let Some(parameter) = here.filter(|node| is_name(tree, *node)).last() else { continue };
            let uses = body.iter().filter(|node| {
                is_name(tree, **node) && tree.text_of(**node) == tree.text_of(parameter)
            });
            pieces.extend(uses.map(|node| (tree.range(*node), value.clone())));
        }
        if let Some(object) = object {
            let this = body.iter().filter(|node| tree.text_of(**node) == b"this");
            pieces.extend(this.map(|node| (tree.range(*node), object.clone())));
        }
        pieces.sort_by_key(|(range, _)| range.start);
        pieces
    }

    /// What is before a name in the node that ends with it, without the dot: `a` in `a.f`.
    fn object(&self, name: NodeId) -> Option<Vec<u8>> {
        let tree = self.tree;
        let member = tree.parent(name).filter(|node| {
            tree.range(*node).end == tree.range(name).end
                && tree.range(*node).start < tree.range(name).start
        })?;
        let before = &tree.text()[tree.range(member).start..tree.range(name).start];
        let end = before.iter().rposition(|byte| !b".:->? \n".contains(byte))?;
        Some(before[..=end].to_vec())
    }

    fn text(&self, nodes: &[NodeId]) -> Vec<u8> {
        let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
        self.tree.text()[self.tree.range(first).start..self.tree.range(last).end].to_vec()
    }

    /// Leaves of an object the value of one of its fields.
    fn fields(&self, name: NodeId, names: &BTreeMap<&[u8], Vec<NodeId>>) -> Vec<Proposal> {
        let tree = self.tree;
        let call = self.call(name);
        let is_inside = |node: &&NodeId| is_within(tree, **node, self.declaration);
        let start = tree.range(self.declaration).start;
        let field = |occurrences: &Vec<NodeId>| {
            let first = occurrences.partition_point(|node| tree.range(*node).start < start);
            let set = occurrences.get(first).filter(is_inside);
            let set = *set.filter(|node| **node != self.name)?;
            self.object(set)?;
            let member = tree.parent(set)?;
            let assignment = tree.parent(member)?;
            let mut after = tree.children(assignment).filter(|node| *node > member);
            let value = after.find(|node| {
                tree.is_named(*node)
                    && tree.range(*node).start >= tree.range(member).end
                    && tree.fits(call, tree.kind(*node))
            })?;
            let mut changes = vec![Change::Replace(call, tree.text_of(value).into())];
            for node in occurrences.iter().filter(|node| !is_inside(node)) {
                changes.push(Change::Replace(tree.parent(*node)?, self.object(*node)?.into()));
            }
            (changes.len() > 1).then_some(changes)
        };
        // Only names that are in the declaration: a text has many others.
        let inside = tree.descendants(self.declaration).filter(|node| is_name(tree, *node));
        let inside: BTreeSet<&[u8]> = inside.map(|node| tree.text_of(node)).collect();
        inside.into_iter().filter_map(|name| field(&names[name])).collect()
    }
}
