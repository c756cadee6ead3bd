//! Dissolves a class that has one object: its methods become functions, and its fields variables.
//!
//! Neither the class can be removed while its object is asked for something, nor its constructor while a method reads a field, nor a method be put in the place of its
//! calls while it needs the object. So all of it at once: the methods replace the class, what the constructor does replaces the statement that makes the object, and
//! neither the object nor `this` is asked any more: `a.f(1)`, `this.f(1)` and `self.f(1)` become `f(1)`.

use crate::tree::{Change, NodeId, StandIns, Tree};

use super::calls::{
    body, call, called, constructor, is_within, lists_after, object, parameters_become,
};
use super::names::{is_name, names};
use super::pieces::{Piece, edited, indentation, moved};
use super::{Proposal, cut, cut_around, elements, most_first};

/// What languages call the object in its own methods, if they have a word for it.
const SELVES: &[&[u8]] = &[b"this", b"self"];

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let mut stand_ins = StandIns::new(tree);
    let names = names(tree);
    let classes = names.values().filter(|occurrences| occurrences.len() > 1);
    let proposals = classes.filter_map(|occurrences| {
        let (declaration, _) = cut_around(tree, occurrences[0])?;
        let mut uses = occurrences.iter().filter(|node| !is_within(tree, **node, declaration));
        let (Some(used), None) = (uses.next(), uses.next()) else { return None };
        let class = Class::of(tree, occurrences[0], declaration)?;
        let variable = class.variable(*used)?;
        let others = names.get(tree.text_of(variable))?;
        class.dissolved(*used, others, &mut stand_ins)
    });
    most_first(tree, proposals.collect())
}

/// A class, with the names of its methods.
struct Class<'t> {
    tree: &'t Tree,
    declaration: NodeId,
    members: Vec<NodeId>,
    methods: Vec<NodeId>,
    constructor: Option<NodeId>,
}

impl<'t> Class<'t> {
    fn of(tree: &'t Tree, name: NodeId, declaration: NodeId) -> Option<Class<'t>> {
        let within = std::iter::once(declaration).chain(tree.descendants(declaration));
        let members = within.filter(|node| !tree.is_leaf(*node)).find_map(|node| {
            let mut members = elements(tree, node);
            members.retain(|member| *member > name);
            (!members.is_empty()).then_some(members)
        })?;
        let constructor = constructor(tree, declaration);
        let first = |member: &NodeId| tree.descendants(*member).find(|node| is_name(tree, *node));
        let methods: Vec<NodeId> = members.iter().filter_map(first).collect();
        Some(Class { tree, declaration, members, methods, constructor })
    }

    /// The variable that the object is assigned to.
    fn variable(&self, used: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let statement = statement(tree, used);
        let made = tree.range(call(tree, called(tree, used)));
        let end = &tree.text()[made.end..tree.range(statement).end];
        let mut before = tree
            .descendants(statement)
            .filter(|node| is_name(tree, *node) && tree.range(*node).end <= made.start);
        let variable = before.next().filter(|_| before.next().is_none())?;
        let is_assigned =
            tree.text()[tree.range(variable).end..made.start].trim_ascii().starts_with(b"=");
        (is_assigned && end.trim_ascii().iter().all(|byte| *byte == b';')).then_some(variable)
    }

    fn dissolved(
        &self,
        used: NodeId,
        others: &[NodeId],
        stand_ins: &mut StandIns<'_>,
    ) -> Option<Proposal> {
        let tree = self.tree;
        let statement = statement(tree, used);
        if is_within(tree, statement, self.declaration)
            || is_within(tree, self.declaration, statement)
        {
            return None;
        }
        let places = self.places(used, others, stand_ins);
        let pieces: Vec<Piece> = places.iter().map(|(_, piece)| piece.clone()).collect();
        let functions: Vec<NodeId> = self
            .members
            .iter()
            .copied()
            .filter(|member| !self.constructor.is_some_and(|it| is_within(tree, it, *member)))
            .collect();
        let kinds = functions.iter().map(|member| tree.kind(*member));
        let prefix: &[u8] = match tree.fits_sequence(self.declaration, kinds) {
            true => b"",
            false => b"function ",
        };
        let separator = [b"\n", &vec![b' '; indentation(tree, self.declaration)][..]].concat();
        let texts: Vec<Vec<u8>> = functions
            .iter()
            .map(|member| {
                let text = edited(tree, tree.range(*member), &pieces);
                [prefix, &moved(tree, text, *member, self.declaration)].concat()
            })
            .collect();
        let mut changes: Proposal = match texts.is_empty() {
            true => cut(tree, self.declaration)?,
            false => vec![Change::Replace(self.declaration, texts.join(&separator[..]).into())],
        };
        match self.constructor {
            Some(constructor) => {
                let made = self.made(constructor, used, statement, &pieces)?;
                changes.push(Change::Replace(statement, made.into()));
            }
            None => changes.extend(cut(tree, statement)?),
        }
        let mut end = 0;
        for (node, _) in &places {
            let is_inside = |outer: NodeId| is_within(tree, *node, outer);
            let range = tree.range(*node);
            if range.start >= end && !is_inside(self.declaration) && !is_inside(statement) {
                changes.push(Change::Replace(*node, edited(tree, range.clone(), &pieces).into()));
                end = range.end;
            }
        }
        Some(changes)
    }

    /// What the constructor does.
    fn made(
        &self,
        constructor: NodeId,
        used: NodeId,
        statement: NodeId,
        pieces: &[Piece],
    ) -> Option<Vec<u8>> {
        let tree = self.tree;
        let member = self.members.iter().find(|member| is_within(tree, constructor, **member))?;
        let body = body(tree, *member, constructor, statement)?;
        let (first, last) = (body[0], body[body.len() - 1]);
        let mut all = parameters_become(tree, *member, constructor, called(tree, used), true);
        all.extend_from_slice(pieces);
        all.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let text = edited(tree, tree.range(first).start..tree.range(last).end, &all);
        Some(moved(tree, text, first, statement))
    }

    /// What is asked of the object, each with what replaces it; and the parameters for the object.
    fn places(
        &self,
        used: NodeId,
        others: &[NodeId],
        stand_ins: &mut StandIns<'_>,
    ) -> Vec<(NodeId, Piece)> {
        let tree = self.tree;
        let statement = statement(tree, used);
        let mut places: Vec<(NodeId, Piece)> = Vec::new();
        let selves = self.selves();
        let words: Vec<&[u8]> = self.methods.iter().map(|name| tree.text_of(*name)).collect();
        for name in tree.ids().filter(|node| is_name(tree, *node)) {
            let Some(object) = object(tree, name) else { continue };
            let object = &tree.text()[object];
            let is_inside = is_within(tree, name, self.declaration);
            let is_own = is_inside && (SELVES.contains(&object) || selves.contains(&object));
            let is_asked = !is_inside && tree.text_of(others[0]) == object;
            let is_method = !is_inside && words.contains(&tree.text_of(name));
            if (is_own || is_asked || is_method)
                && let Some(member) = tree.parent(name)
            {
                let place = tree.range(member).start..tree.range(name).end;
                places.push((member, (place, tree.text_of(name).to_vec())));
            }
        }
        // The object itself is nothing any more.
        for node in others.iter().filter(|node| !is_within(tree, **node, statement)) {
            let is_in = |(place, _): &(NodeId, Piece)| is_within(tree, *node, *place);
            if !places.iter().any(is_in)
                && let Some(least) = stand_ins.of(*node).into_iter().next()
            {
                places.push((*node, (tree.range(*node), least)));
            }
        }
        // Neither is there a parameter for it.
        if !selves.is_empty() {
            for method in &self.methods {
                let list = lists_after(tree, &[*method], b'(').into_iter().next();
                let Some(list) = list else { continue };
                let end = match list.len() {
                    1 => tree.range(list.element(0)[0]).end,
                    _ => tree.range(list.element(1)[0]).start,
                };
                let first = list.element(0)[0];
                places.push((first, (tree.range(first).start..end, Vec::new())));
            }
        }
        places.sort_by_key(|(node, (range, _))| {
            (range.start, std::cmp::Reverse((tree.range(*node).end, range.end)))
        });
        places
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

/// The statement that a node is in.
fn statement(tree: &Tree, node: NodeId) -> NodeId {
    let mut above = std::iter::successors(Some(node), |node| tree.parent(*node));
    above.find(|node| tree.quantifier(*node).repeats()).unwrap_or(tree.root())
}
