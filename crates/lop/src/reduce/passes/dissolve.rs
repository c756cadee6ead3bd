//! Dissolves a class that has one object: its methods become functions, and its fields variables. Or a namespace: its
//! members replace it.
//!
//! The class cannot be removed while its object is used, nor its constructor while a method reads a field; and a method
//! cannot replace its calls while it needs the object. So the pass does all of it together: the methods replace the
//! class; the body of the constructor replaces the statement that makes the object, or comes before it; and members are
//! no longer accessed through the object or `this`: `a.f(1)`, `this.f(1)` and `self.f(1)` become `f(1)`.
//!
//! A namespace is a declaration whose parts may replace it, and whose name is used only before dots or colons: `A::b`
//! becomes `b`.

use crate::tree::{Change, NodeId, Tree};

use super::calls::{
    body, call, called, constructor, is_within, lists_after, object, parameters_become,
};
use super::names::{is_name, names};
use super::pieces::{Piece, edited, moved, new_line};
use super::{Proposal, cut, cut_around, elements, most_first};

/// Parts of the labels that grammars give to declarations of classes.
const CLASSES: &[&str] = &["class", "struct"];

/// Replaces the object where no member of it is accessed: it is neither nothing nor false.
const TRUE: &[u8] = b"1";

/// Signs between a namespace and its members.
const SEPARATORS: &[&[u8]] = &[b"::", b"."];

/// Words of languages for the object in its own methods, if they have one.
const SELVES: &[&[u8]] = &[b"this", b"self"];

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let names = names(tree);
    let classes = names.values().filter(|occurrences| occurrences.len() > 1);
    let proposals = classes.filter_map(|occurrences| {
        let (declaration, _) = cut_around(tree, occurrences[0])?;
        let mut uses = occurrences.iter().filter(|node| !is_within(tree, **node, declaration));
        let (Some(used), None) = (uses.next(), uses.next()) else { return None };
        let class = Class::of(tree, occurrences[0], declaration)?;
        let object = Object::of(tree, *used).filter(|object| {
            !is_within(tree, object.statement, declaration)
                && !is_within(tree, declaration, object.statement)
        })?;
        let others = object.variable.map(|variable| &names[tree.text_of(variable)]);
        class.dissolved(&object, others.map_or(&[], |it| it))
    });
    let namespaces = names.values().filter_map(|occurrences| namespace(tree, occurrences));
    most_first(tree, proposals.chain(namespaces).collect())
}

/// Replaces a namespace by its members.
fn namespace(tree: &Tree, occurrences: &[NodeId]) -> Option<Proposal> {
    let (name, uses) = occurrences.split_first().filter(|(_, uses)| !uses.is_empty())?;
    let places: Vec<Place> =
        uses.iter().map(|node| qualified(tree, *node)).collect::<Option<_>>()?;
    let declaration = statement(tree, *name)?;
    let members = members(tree, *name, declaration)?;
    // Includes the semicolons that end some of them.
    let ended = |node: &NodeId| members.contains(node) || tree.text_of(*node) == b";";
    let siblings = tree.children(tree.parent(members[0])?);
    let all: Vec<NodeId> = siblings.skip_while(|node| *node != members[0]).filter(ended).collect();
    if !tree.fits_sequence(declaration, all.iter().map(|node| tree.kind(*node))) {
        return None;
    }
    let pieces: Vec<Piece> = places.iter().map(|(_, piece)| piece.clone()).collect();
    let (first, last) = (all[0], all[all.len() - 1]);
    let text = edited(tree, tree.range(first).start..tree.range(last).end, &pieces);
    let mut changes =
        vec![Change::Replace(declaration, moved(tree, text, first, declaration).into())];
    changes.extend(replaced(tree, &places, &pieces, &[declaration]));
    Some(changes)
}

/// The node that a name qualifies, and the same without the qualifier: `b` of `A::b` for `A`.
fn qualified(tree: &Tree, name: NodeId) -> Option<Place> {
    let whole = tree.parent(name)?;
    let (range, end) = (tree.range(whole), tree.range(name).end);
    let after = &tree.text()[end..range.end];
    let dot = SEPARATORS.iter().find(|dot| after.trim_ascii_start().starts_with(dot))?;
    let left = after.trim_ascii_start()[dot.len()..].trim_ascii_start();
    let place = range.end - left.len();
    let is_first = range.start == tree.range(name).start && !left.is_empty();
    is_first.then(|| (whole, (range.start..place, Vec::new())))
}

/// Replacements of the places outside of some nodes. A place inside another one changes with that one.
fn replaced(tree: &Tree, places: &[Place], pieces: &[Piece], but: &[NodeId]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut end = 0;
    for (node, _) in places {
        let range = tree.range(*node);
        if range.start >= end && !but.iter().any(|outer| is_within(tree, *node, *outer)) {
            changes.push(Change::Replace(*node, edited(tree, range.clone(), pieces).into()));
            end = range.end;
        }
    }
    changes
}

/// The element of a list that a node is in.
fn statement(tree: &Tree, node: NodeId) -> Option<NodeId> {
    let mut above = std::iter::successors(Some(node), |node| tree.parent(*node));
    above.find(|node| tree.quantifier(*node).repeats())
}

/// The elements of a declaration after its name.
fn members(tree: &Tree, name: NodeId, declaration: NodeId) -> Option<Vec<NodeId>> {
    let within = std::iter::once(declaration).chain(tree.descendants(declaration));
    within.filter(|node| !tree.is_leaf(*node)).find_map(|node| {
        let mut members = elements(tree, node);
        members.retain(|member| *member > name);
        (!members.is_empty()).then_some(members)
    })
}

/// The place where the object of a class is made.
struct Object {
    /// The name that is called to make it.
    called: NodeId,
    call: NodeId,
    statement: NodeId,
    /// The variable that the object is assigned to, if there is one.
    variable: Option<NodeId>,
}

impl Object {
    fn of(tree: &Tree, class: NodeId) -> Option<Object> {
        let called = called(tree, class);
        let call = call(tree, called);
        let statement = statement(tree, call)?;
        let made = tree.range(call);
        let after = tree.text()[made.end..tree.range(statement).end].trim_ascii();
        let mut before = tree
            .descendants(statement)
            .filter(|node| is_name(tree, *node) && tree.range(*node).end <= made.start);
        let variable = before.next().filter(|variable| {
            let between = tree.text()[tree.range(*variable).end..made.start].trim_ascii();
            before.next().is_none() && between == b"=" && after.iter().all(|byte| *byte == b';')
        });
        Some(Object { called, call, statement, variable })
    }
}

/// A class, with the names of its methods.
struct Class<'t> {
    tree: &'t Tree,
    declaration: NodeId,
    members: Vec<NodeId>,
    methods: Vec<NodeId>,
    constructor: Option<NodeId>,
}

/// A node, and a part of it that is replaced.
type Place = (NodeId, Piece);

impl<'t> Class<'t> {
    fn of(tree: &'t Tree, name: NodeId, declaration: NodeId) -> Option<Class<'t>> {
        let is_class = |node: &NodeId| CLASSES.iter().any(|label| tree.name(*node).contains(label));
        let above = std::iter::successors(tree.parent(name), |node| tree.parent(*node));
        above.take_while(|node| is_within(tree, *node, declaration)).find(is_class)?;
        let members = members(tree, name, declaration)?;
        let constructor = constructor(tree, declaration);
        let first = |member: &NodeId| tree.descendants(*member).find(|node| is_name(tree, *node));
        let methods: Vec<NodeId> = members.iter().filter_map(first).collect();
        Some(Class { tree, declaration, members, methods, constructor })
    }

    fn dissolved(&self, object: &Object, others: &[NodeId]) -> Option<Proposal> {
        let tree = self.tree;
        let places = self.places(object, others);
        let pieces: Vec<Piece> = places.iter().map(|(_, piece)| piece.clone()).collect();
        let functions = self.functions(&pieces);
        let mut changes: Proposal = match functions.is_empty() {
            true => cut(tree, self.declaration)?,
            false => vec![Change::Replace(self.declaration, functions.into())],
        };
        let made = match self.constructor {
            Some(constructor) => self.made(constructor, object, &pieces)?,
            None => Vec::new(),
        };
        let rest = match object.variable {
            Some(_) => Vec::new(),
            None => edited(tree, tree.range(object.statement), &pieces),
        };
        let statements = [made, rest].into_iter().filter(|text| !text.is_empty());
        let statements: Vec<Vec<u8>> = statements.collect();
        match statements.is_empty() {
            true => changes.extend(cut(tree, object.statement)?),
            false => {
                let text = statements.join(&new_line(tree, object.statement)[..]);
                changes.push(Change::Replace(object.statement, text.into()));
            }
        }
        let others = [self.declaration, object.statement];
        changes.extend(replaced(tree, &places, &pieces, &others));
        Some(changes)
    }

    /// The members without the constructor, which replace the class.
    fn functions(&self, pieces: &[Piece]) -> Vec<u8> {
        let tree = self.tree;
        let is_function =
            |member: &&NodeId| !self.constructor.is_some_and(|it| is_within(tree, it, **member));
        let functions: Vec<NodeId> = self.members.iter().filter(is_function).copied().collect();
        let kinds = functions.iter().map(|member| tree.kind(*member));
        // JavaScript's methods lack the word.
        let prefix: &[u8] = match tree.fits_sequence(self.declaration, kinds) {
            true => b"",
            false => b"function ",
        };
        let text = |member: &NodeId| {
            let text = edited(tree, tree.range(*member), pieces);
            [prefix, &moved(tree, text, *member, self.declaration)].concat()
        };
        let texts: Vec<Vec<u8>> = functions.iter().map(text).collect();
        texts.join(&new_line(tree, self.declaration)[..])
    }

    /// The body of the constructor.
    fn made(&self, constructor: NodeId, object: &Object, pieces: &[Piece]) -> Option<Vec<u8>> {
        let tree = self.tree;
        let member = self.members.iter().find(|member| is_within(tree, constructor, **member))?;
        let body = body(tree, *member, constructor, object.statement)?;
        let (first, last) = (body[0], body[body.len() - 1]);
        let mut all = parameters_become(tree, *member, constructor, object.called, true);
        all.extend_from_slice(pieces);
        all.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let text = edited(tree, tree.range(first).start..tree.range(last).end, &all);
        Some(moved(tree, text, first, object.statement))
    }

    /// The members that are accessed, the object by itself, and the parameters for it, each with its replacement.
    fn places(&self, object: &Object, others: &[NodeId]) -> Vec<Place> {
        let tree = self.tree;
        let selves = self.selves();
        let mut places = self.asked(object, &selves);
        let is_elsewhere = |node: &&NodeId| {
            ![object.statement, self.declaration].iter().any(|it| is_within(tree, **node, *it))
        };
        for node in others.iter().filter(is_elsewhere) {
            let is_in = |(place, _): &Place| is_within(tree, *node, *place);
            if !places.iter().any(is_in) {
                places.push((*node, (tree.range(*node), TRUE.to_vec())));
            }
        }
        let parameters = self.methods.iter().filter(|_| !selves.is_empty()).filter_map(|method| {
            let list = lists_after(tree, &[*method], b'(').into_iter().next()?;
            let first = list.element(0)[0];
            let end = match list.len() {
                1 => tree.range(first).end,
                _ => tree.range(list.element(1)[0]).start,
            };
            Some((first, (tree.range(first).start..end, Vec::new())))
        });
        places.extend(parameters);
        places.sort_by_key(|(node, (range, _))| {
            (range.start, std::cmp::Reverse((tree.range(*node).end, range.end)))
        });
        places
    }

    /// The members that are accessed through the object, or through anything that has methods of the same names.
    fn asked(&self, made: &Object, selves: &[&[u8]]) -> Vec<Place> {
        let tree = self.tree;
        let methods: Vec<&[u8]> = self.methods.iter().map(|name| tree.text_of(*name)).collect();
        let place = |name: NodeId| {
            let range = object(tree, name)?;
            let object = &tree.text()[range.clone()];
            let is_asked = match is_within(tree, name, self.declaration) {
                true => SELVES.contains(&object) || selves.contains(&object),
                false => {
                    made.variable.is_some_and(|variable| tree.text_of(variable) == object)
                        || tree.range(made.call) == range
                        || methods.contains(&tree.text_of(name))
                }
            };
            let member = tree.parent(name).filter(|_| is_asked)?;
            let place = range.start..tree.range(name).end;
            Some((member, (place, tree.text_of(name).to_vec())))
        };
        tree.ids().filter(|node| is_name(tree, *node)).filter_map(place).collect()
    }

    /// The names of the parameters for the object, if methods have one.
    fn selves(&self) -> Vec<&[u8]> {
        let tree = self.tree;
        let first = |method: &NodeId| {
            let list = lists_after(tree, &[*method], b'(').into_iter().next()?;
            let [parameter] = list.element(0) else { return None };
            is_name(tree, *parameter).then(|| tree.text_of(*parameter))
        };
        let is_explicit = self.constructor.is_none_or(|it| tree.text_of(it) == b"__init__");
        let selves: Vec<&[u8]> = self.methods.iter().filter_map(first).collect();
        match is_explicit && selves.len() == self.methods.len() {
            true => selves,
            false => Vec::new(),
        }
    }
}
