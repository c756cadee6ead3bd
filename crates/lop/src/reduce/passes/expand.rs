//! Expands calls: replaces the calls of a function by its body, and an object by the value of a field.
//!
//! Functions and methods that forward to each other keep each other: none can be removed while it is called, and no
//! call while it does something. So the pass makes three moves over the occurrences of a name:
//!
//! - the statement with the call becomes the body of the function;
//! - the body comes before that statement, and the value that the function returns, or the least that fits, replaces
//!   the call in it;
//! - an object with only one used field is replaced by the value of that field: `new C()` becomes the value, and `x.f`
//!   becomes `x`.
//!
//! The declaration is removed each time, parameters become arguments, and the first parameter of a method, or `this`,
//! becomes the object. An argument that makes something is also assigned to a variable, since it would be made several
//! times where the parameter is used several times. All calls are expanded together, if there are few of them and the
//! text does not grow. The pass does not know what a function is: any declaration counts that has a list of nodes that
//! fit in the place of the statement.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::tree::{Change, NodeId, StandIns, Tree};

use super::calls::{
    body, call, called, constructor, is_called, is_within, member, object, parameters_become,
    parameters_bound,
};
use super::names::{is_name, meanings, names};
use super::pieces::{Piece, edited, moved, new_line};
use super::{Proposal, cut_around, grows, most_first, nearest};

/// The most calls that are expanded together.
const FEW: usize = 4;

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let names = names(tree);
    let mut stand_ins = StandIns::new(tree);
    let mut proposals = Vec::new();
    for occurrences in meanings(tree).iter().filter(|occurrences| occurrences.len() > 1) {
        let Some((declaration, cut)) = cut_around(tree, occurrences[0]) else { continue };
        // The name may also mean something else, such as a parameter.
        let is_called = |node: &NodeId| is_called(tree, *node);
        let is_use = |node: &NodeId| {
            !is_within(tree, *node, declaration) && (is_called(node) || !is_called(&occurrences[0]))
        };
        let uses: Vec<NodeId> = occurrences.iter().copied().filter(is_use).collect();
        if !(1..=FEW).contains(&uses.len()) {
            continue;
        }
        let declared = Declared { tree, name: occurrences[0], declaration };
        let bodies: Vec<[Option<Change>; WAYS]> =
            uses.iter().map(|name| declared.bodies(*name, &mut stand_ins)).collect();
        let expanded = (0..WAYS).filter_map(|way| {
            let changes = bodies.iter().map(|bodies| bodies[way].clone());
            changes.collect::<Option<Proposal>>().filter(|changes| are_apart(tree, changes))
        });
        let fields = declared.fields(&uses, &names);
        let all = expanded.chain(fields).map(|it| [&cut[..], &it].concat());
        proposals.extend(all.filter(|it| uses.len() == 1 || !grows(tree, it)));
    }
    most_first(tree, proposals)
}

/// Whether no change is inside the range of another one: two calls may be in the same statement.
fn are_apart(tree: &Tree, changes: &Proposal) -> bool {
    let places = changes.iter().filter_map(|change| match change {
        Change::Replace(node, _) => Some(tree.range(*node)),
        _ => None,
    });
    let places: Vec<Range<usize>> = places.collect();
    places.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

/// The number of ways to expand a call.
const WAYS: usize = 5;

/// A declaration of something that is used a few times.
struct Declared<'t> {
    tree: &'t Tree,
    name: NodeId,
    declaration: NodeId,
}

impl Declared<'_> {
    /// Replaces the statement that has the call by the body; or puts the body before it, and the returned value or the
    /// least that fits in the place of the call. The first two also with variables for values that are used several
    /// times.
    fn bodies(&self, name: NodeId, stand_ins: &mut StandIns<'_>) -> [Option<Change>; WAYS] {
        let tree = self.tree;
        // The repeated node may also be an argument; then the node around it is the statement.
        let above = std::iter::successors(Some(name), |node| tree.parent(*node));
        let mut statements = above
            .filter(|node| tree.quantifier(*node).repeats())
            .take_while(|statement| !is_within(tree, self.declaration, *statement));
        let found = statements.find_map(|statement| {
            Some(Expansion {
                tree,
                statement,
                call: call(tree, name),
                body: body(tree, self.declaration, self.name, statement)?,
            })
        });
        let Some(expansion) = found else { return [const { None }; WAYS] };
        let pieces = parameters_become(tree, self.declaration, self.name, name, false);
        let [instead, value] = expansion.ways(b"", &pieces);
        let least = expansion.least(&pieces, stand_ins);
        let bound = parameters_bound(tree, self.declaration, self.name, name);
        let [bound_instead, bound_value] = bound.map_or([None, None], |(assignments, pieces)| {
            expansion.ways(&expansion.in_lines(&assignments), &pieces)
        });
        [instead, value, least, bound_instead, bound_value]
    }

    /// Replaces the objects of a class by the value of one of their fields.
    fn fields(&self, uses: &[NodeId], names: &BTreeMap<&[u8], Vec<NodeId>>) -> Vec<Proposal> {
        let tree = self.tree;
        let is_inside = |node: &&NodeId| is_within(tree, **node, self.declaration);
        let start = tree.range(self.declaration).start;
        let constructor = constructor(tree, self.declaration);
        let calls: Vec<(NodeId, Vec<Piece>)> = uses
            .iter()
            .map(|name| {
                let called = called(tree, *name);
                let pieces = constructor
                    .map(|it| parameters_become(tree, self.declaration, it, called, true));
                (call(tree, called), pieces.unwrap_or_default())
            })
            .collect();
        let field = |occurrences: &Vec<NodeId>| {
            let first = occurrences.partition_point(|node| tree.range(*node).start < start);
            let set = occurrences
                .get(first..)?
                .iter()
                .take_while(is_inside)
                .find(|node| member(tree, **node).is_some());
            let set = *set.filter(|node| **node != self.name)?;
            let field = member(tree, set)?;
            let assignment = tree.parent(field)?;
            let mut after = tree.children(assignment).filter(|node| *node > field);
            let value = after.find(|node| {
                tree.is_named(*node)
                    && tree.range(*node).start >= tree.range(field).end
                    && calls.iter().all(|(call, _)| tree.fits(*call, tree.kind(*node)))
            })?;
            let put = |(call, pieces): &(NodeId, Vec<Piece>)| {
                (tree.range(*call), edited(tree, tree.range(value), pieces))
            };
            let values: Vec<Piece> = calls.iter().map(put).collect();
            let places = calls.iter().map(|(call, _)| *call).zip(&values);
            let mut changes: Proposal =
                places.map(|(call, (_, value))| Change::Replace(call, value[..].into())).collect();
            for node in occurrences.iter().filter(|node| !is_inside(node)) {
                let object = edited(tree, object(tree, *node)?, &values);
                changes.push(Change::Replace(member(tree, *node)?, object.into()));
            }
            (changes.len() > calls.len()).then_some(changes)
        };
        // Only names in the declaration count: a text has many others.
        let inside = tree.descendants(self.declaration).filter(|node| is_name(tree, *node));
        let inside: BTreeSet<&[u8]> = inside.map(|node| tree.text_of(node)).collect();
        inside.into_iter().filter_map(|name| field(&names[name])).collect()
    }
}

/// A call in a statement, and the body of its function.
struct Expansion<'t> {
    tree: &'t Tree,
    statement: NodeId,
    call: NodeId,
    body: Vec<NodeId>,
}

impl Expansion<'_> {
    /// The body after other statements, replacing the statement; and the body before the statement, with the returned
    /// value in the place of the call.
    fn ways(&self, before: &[u8], pieces: &[Piece]) -> [Option<Change>; 2] {
        let tree = self.tree;
        let text = [before, &self.text(pieces)].concat();
        let instead = Change::Replace(self.statement, text.into());
        if !self.is_part() {
            let value = (self.body.len() == 1).then(|| instead.clone());
            return [Some(instead), value];
        }
        // The last statement may be the value itself.
        let last = self.body[self.body.len() - 1];
        let is_value = |node: NodeId| tree.fits(self.call, tree.kind(node));
        let mut values = nearest(tree, last, is_value);
        if is_value(last) {
            values.insert(0, last);
        }
        let value = values.first().map(|value| {
            let rest = tree.range(self.body[0]).start..tree.range(last).start;
            let rest = edited(tree, rest, pieces).trim_ascii_end().to_vec();
            let rest = moved(tree, rest, self.body[0], self.statement);
            let rest = [before, &rest].concat();
            let value = match has_open_arguments(tree, *value) {
                true => [b"(", &edited(tree, tree.range(*value), pieces)[..], b")"].concat(),
                false => edited(tree, tree.range(*value), pieces),
            };
            self.put(rest.trim_ascii_end(), &value)
        });
        [Some(instead), value]
    }

    /// The body before the statement, with the least that fits in the place of the call.
    fn least(&self, pieces: &[Piece], stand_ins: &mut StandIns<'_>) -> Option<Change> {
        let least = stand_ins.of(self.call);
        let least = least.first().filter(|_| self.is_part());
        least.map(|least| self.put(&self.text(pieces), least))
    }

    /// Whether the statement has more than the call. The name may be an argument, and the node that ends with a bracket
    /// may be the list around it.
    fn is_part(&self) -> bool {
        let tree = self.tree;
        tree.range(self.call) != tree.range(self.statement)
            && is_within(tree, self.call, self.statement)
    }

    fn text(&self, pieces: &[Piece]) -> Vec<u8> {
        let (first, last) = (self.body[0], self.body[self.body.len() - 1]);
        let whole = self.tree.range(first).start..self.tree.range(last).end;
        moved(self.tree, edited(self.tree, whole, pieces), first, self.statement)
    }

    /// Statements, each on a separate line, and ended as the first one of the body is.
    fn in_lines(&self, statements: &[Vec<u8>]) -> Vec<u8> {
        let end: &[u8] = match self.tree.text_of(self.body[0]).ends_with(b";") {
            true => b";",
            false => b"",
        };
        let line = new_line(self.tree, self.statement);
        statements.iter().flat_map(|it| [&it[..], end, &line].concat()).collect()
    }

    /// The statement after others, with a value in the place of the call.
    fn put(&self, before: &[u8], value: &[u8]) -> Change {
        let tree = self.tree;
        if before.is_empty() {
            return Change::Replace(self.call, value.into());
        }
        let (place, inside) = (tree.range(self.statement), tree.range(self.call));
        let mut text = [before, &new_line(tree, self.statement)].concat();
        text.extend(&tree.text()[place.start..inside.start]);
        text.extend(value);
        text.extend(&tree.text()[inside.end..place.end]);
        Change::Replace(self.statement, text.into())
    }
}

/// Whether a call ends with arguments without brackets, which would absorb the text after them: `f 1, 2` in Ruby.
fn has_open_arguments(tree: &Tree, call: NodeId) -> bool {
    let last = tree.children(call).last();
    last.is_some_and(|it| tree.name(it).contains("argument") && !tree.text_of(it).ends_with(b")"))
}
