//! Calls: the names that are followed by a list of parameters or arguments, and the nodes that such a list belongs to.
//!
//! A list is in brackets, or it is a node by itself after the name, as in Ruby's `f a, b`. The constructor of a class
//! has another name than the class that is called.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::text::lexer;
use crate::tree::{NodeId, Series, Tree};

use super::names::is_name;
use super::pieces::Piece;
use super::{elements, nearest};

/// Names that languages give to the method that makes an object of a class.
const CONSTRUCTORS: &[&[u8]] = &[b"__init__", b"constructor", b"initialize", b"__construct"];

/// Signs between an object and the name of its member. A single colon is one only in Lua, where grammars call it a
/// method.
const DOTS: &[&[u8]] = &[b".", b"->", b"::", b":"];

/// The lists that follow a name.
pub(super) fn lists_after(tree: &Tree, occurrences: &[NodeId], bracket: u8) -> Vec<Series> {
    occurrences.iter().filter_map(|node| list_after(tree, *node, bracket)).collect()
}

/// The list after a name: immediately after it, or for braces, anywhere in the rest of its declaration.
fn list_after(tree: &Tree, name: NodeId, bracket: u8) -> Option<Series> {
    let opens = |node: &NodeId| tree.text_of(*node) == [bracket];
    let after = (name.0 + 1..tree.len() as u32).map(NodeId);
    let mut leaves = after.filter(|node| tree.is_leaf(*node) && !tree.is_extra(*node)).peekable();
    // Most names have no bracket after them, and finding their declarations takes time.
    if bracket != b'{' && !leaves.peek().is_some_and(opens) {
        return if bracket == b'(' { bare_list_after(tree, name) } else { None };
    }
    let mut above = std::iter::successors(tree.parent(name), |node| tree.parent(*node));
    let declaration = above.find(|node| tree.quantifier(*node).repeats());
    let end = tree.range(declaration.unwrap_or(tree.root())).end;
    let open = leaves.take_while(|node| tree.range(*node).start < end).find(opens)?;
    let parent = tree.parent(open)?;
    let list = tree.series(parent).into_iter().find(|series| series.nodes()[0] > open);
    // A list of one element isn't recognised as a series.
    let inside = tree.children(parent).find(|node| *node > open && !tree.is_extra(*node));
    let only = inside.filter(|node| tree.is_named(*node) && tree.is_removable(*node));
    list.or_else(|| only.map(Series::of_one))
}

/// Whether arguments or parameters follow a name.
pub(super) fn is_called(tree: &Tree, name: NodeId) -> bool {
    tree.text()[tree.range(name).end..].starts_with(b"(") || bare_list_after(tree, name).is_some()
}

/// Whether a node is a list of arguments or parameters that are not in brackets.
pub(super) fn is_bare_list(tree: &Tree, node: NodeId) -> bool {
    let (text, range) = (tree.text(), tree.range(node));
    let before = text[..range.start].trim_ascii_end().last();
    let is_list = ["argument", "parameter"].iter().any(|it| tree.name(node).contains(it));
    let in_brackets = before.is_some_and(|byte| b"([{<,".contains(byte));
    is_list && !tree.is_leaf(node) && !in_brackets && !b"([{<".contains(&text[range.start])
}

/// The list of arguments or parameters after a name that are not in brackets.
fn bare_list_after(tree: &Tree, name: NodeId) -> Option<Series> {
    // The next node, since a name has no children.
    let mut after = (name.0 + 1..tree.len() as u32).map(NodeId);
    let list = after.find(|node| !tree.is_extra(*node))?;
    if tree.parent(list) != tree.parent(name) || !is_bare_list(tree, list) {
        return None;
    }
    // A list with a single element is empty without it.
    match tree.children(list).count() {
        1 => Some(Series::of_one(list)),
        _ => tree.series(list).into_iter().next(),
    }
}

/// Whether some of the names of a text are those of constructors: finding the constructors takes time.
pub(super) fn has_constructors(names: &BTreeMap<&[u8], Vec<NodeId>>) -> bool {
    CONSTRUCTORS.iter().any(|name| names.contains_key(name))
}

/// The name of the constructor in the declaration of a class.
pub(super) fn constructor(tree: &Tree, declaration: NodeId) -> Option<NodeId> {
    let mut inside = tree.descendants(declaration);
    inside.find(|node| is_name(tree, *node) && CONSTRUCTORS.contains(&tree.text_of(*node)))
}

/// The name of the constructor of a class, and the names that are called to make its objects: the name of the class, or
/// `new` after it.
pub(super) fn constructions(
    tree: &Tree,
    occurrences: &[NodeId],
    declaration: NodeId,
) -> Option<Vec<NodeId>> {
    let constructor = constructor(tree, declaration)?;
    let end = tree.range(declaration).end;
    let uses = occurrences.iter().filter(|node| tree.range(**node).start >= end);
    Some(std::iter::once(constructor).chain(uses.map(|node| called(tree, *node))).collect())
}

/// The name that is called to make an object of a class.
pub(super) fn called(tree: &Tree, class: NodeId) -> NodeId {
    let end = tree.range(class).end;
    let after = (class.0 + 1..tree.len() as u32).map(NodeId);
    let next = after.filter(|node| tree.is_leaf(*node)).find(|node| is_name(tree, *node));
    let is_new = |node: &NodeId| {
        let between = &tree.text()[end..tree.range(*node).start];
        tree.text_of(*node) == b"new" && between == b"."
    };
    next.filter(is_new).unwrap_or(class)
}

/// The node in which a name is called: with its arguments, and with the object whose member it is.
pub(super) fn call(tree: &Tree, name: NodeId) -> NodeId {
    let end = tree.range(name).end;
    let list = list_after(tree, name, b'(')
        .map(|list| tree.range(list.nodes()[list.nodes().len() - 1]).end);
    let has_bracket = tree.text()[end..].trim_ascii_start().starts_with(b"(");
    let least = list.unwrap_or(end);
    let mut above = std::iter::successors(Some(name), |node| tree.parent(*node));
    let call = above.find(|node| {
        let range = tree.range(*node);
        let is_closed = !has_bracket || tree.text_of(*node).ends_with(b")");
        range.end >= least && is_closed && range.end > end
    });
    let call = call.filter(|_| has_bracket || list.is_some());
    call.or_else(|| member(tree, name)).or_else(|| made(tree, name)).unwrap_or(name)
}

/// The node that makes an object of a class without arguments: `new A` for `A`.
fn made(tree: &Tree, name: NodeId) -> Option<NodeId> {
    let parent = tree.parent(name)?;
    let (range, name) = (tree.range(parent), tree.range(name));
    let before = tree.text()[range.start..name.start].trim_ascii_end();
    (range.end == name.end && before == b"new").then_some(parent)
}

/// The node that ends with a name and begins with the object that it is a member of: `a.f` for `f`.
pub(super) fn member(tree: &Tree, name: NodeId) -> Option<NodeId> {
    let ends = |node: &NodeId| tree.range(*node).end == tree.range(name).end;
    object(tree, name).and_then(|_| tree.parent(name)).filter(ends)
}

/// The range of the object whose member a name is, before the dot: `a` in `a.f` and `a.f(1)`.
pub(super) fn object(tree: &Tree, name: NodeId) -> Option<Range<usize>> {
    let parent = tree.parent(name)?;
    let start = tree.range(parent).start;
    let before = tree.text()[start..tree.range(name).start].trim_ascii_end();
    let is_dot = |dot: &&&[u8]| **dot != b":" || tree.name(parent).contains("method");
    let object = DOTS.iter().filter(is_dot).find_map(|dot| before.strip_suffix(*dot))?;
    // Two dots are an operator.
    let object = Some(object).filter(|it| !it.ends_with(b"."))?;
    let object = object.strip_suffix(b"?").unwrap_or(object).trim_ascii_end();
    (!object.is_empty()).then(|| start..start + object.len())
}

/// Whether a node has the name of a variable, and isn't a member of an object.
pub(super) fn is_variable(tree: &Tree, node: NodeId, variable: NodeId) -> bool {
    is_name(tree, node)
        && tree.text_of(node) == tree.text_of(variable)
        && object(tree, node).is_none()
}

/// The replacements of a function's parameters when a call is expanded. A method may have a parameter for the object; a
/// constructor has one if it has one parameter more than there are arguments.
pub(super) fn parameters_become(
    tree: &Tree,
    declaration: NodeId,
    declared: NodeId,
    name: NodeId,
    is_constructor: bool,
) -> Vec<Piece> {
    let all = values(tree, declaration, declared, name, is_constructor);
    sorted(all.iter().flat_map(|it| it.places.iter().map(|place| (place.clone(), it.text.clone()))))
}

/// Like `parameters_become`, but a value that is more than a name and is used several times is first assigned to a
/// variable, so that it is made only once. Returns these assignments and the replacements; `None` if there is no such
/// value.
pub(super) fn parameters_bound(
    tree: &Tree,
    declaration: NodeId,
    declared: NodeId,
    name: NodeId,
) -> Option<(Vec<Vec<u8>>, Vec<Piece>)> {
    let mut assignments = Vec::new();
    let mut pieces: Vec<Piece> = Vec::new();
    for Value { text, variable, places } in values(tree, declaration, declared, name, false) {
        let is_bound = places.len() > 1 && lexer::tokens(&text).nth(1).is_some();
        let text = match (is_bound, variable) {
            (false, _) => text,
            (true, Some(variable)) => {
                assignments.push([&variable, &b" = "[..], &text].concat());
                continue;
            }
            // `this` has no name, so it gets that of the method, which is free now.
            (true, None) => {
                let method = tree.text_of(declared).to_vec();
                assignments.push([&method, &b" = "[..], &text].concat());
                method
            }
        };
        pieces.extend(places.into_iter().map(|place| (place, text.clone())));
    }
    (!assignments.is_empty()).then(|| (assignments, sorted(pieces)))
}

fn sorted(pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = pieces.into_iter().collect();
    pieces.sort_by_key(|(range, _)| range.start);
    pieces
}

/// A value that a call passes to a function.
struct Value {
    text: Vec<u8>,
    /// The declaration of the variable that has it; `None` for `this`.
    variable: Option<Vec<u8>>,
    /// The places where it is used.
    places: Vec<Range<usize>>,
}

fn values(
    tree: &Tree,
    declaration: NodeId,
    declared: NodeId,
    name: NodeId,
    is_constructor: bool,
) -> Vec<Value> {
    let list = |name| lists_after(tree, &[name], b'(').into_iter().next();
    let elements = |list: &Series| (0..list.len()).map(|at| list.element(at).to_vec()).collect();
    let parameters: Vec<Vec<NodeId>> = list(declared).as_ref().map_or(Vec::new(), elements);
    let last = parameters.last().and_then(|last| last.last()).copied().unwrap_or(declared);
    let arguments: Vec<Vec<NodeId>> = list(name).as_ref().map_or(Vec::new(), elements);
    let object = object(tree, name).map(|object| &tree.text()[object]);
    let object = object.filter(|_| !is_constructor);
    let has_self = parameters.len() == arguments.len() + 1 && (object.is_some() || is_constructor);
    let body: Vec<NodeId> = tree
        .descendants(declaration)
        .filter(|node| tree.range(*node).start >= tree.range(last).end && tree.is_leaf(*node))
        .collect();
    let places = |is_used: &dyn Fn(NodeId) -> bool| -> Vec<Range<usize>> {
        body.iter().filter(|node| is_used(**node)).map(|node| tree.range(*node)).collect()
    };
    let mut values: Vec<Value> = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        let value = match at.checked_sub(usize::from(has_self)) {
            None => object.map(<[u8]>::to_vec),
            Some(at) => value(tree, parameter, arguments.get(at..).unwrap_or(&[])),
        };
        let Some((text, name)) = value.zip(parameter_name(tree, parameter)) else { continue };
        let whole = text_of(tree, parameter);
        // Includes the type, if that comes first.
        let is_typed = whole.ends_with(tree.text_of(name)) && !whole.starts_with(b"*");
        let variable = if is_typed { whole } else { tree.text_of(name).to_vec() };
        let places = places(&|node| is_variable(tree, node, name));
        values.push(Value { text, variable: Some(variable), places });
    }
    if let Some(object) = object {
        let places = places(&|node| tree.text_of(node) == b"this");
        values.push(Value { text: object.to_vec(), variable: None, places });
    }
    values
}

/// The name of a parameter: the last name before its default, since its type may come first.
fn parameter_name(tree: &Tree, parameter: &[NodeId]) -> Option<NodeId> {
    let here =
        parameter.iter().flat_map(|node| std::iter::once(*node).chain(tree.descendants(*node)));
    here.take_while(|node| tree.text_of(*node) != b"=").filter(|node| is_name(tree, *node)).last()
}

/// The value of a parameter, given the arguments from its position on: all of them for a parameter that takes the rest, the default if there are none.
fn value(tree: &Tree, parameter: &[NodeId], arguments: &[Vec<NodeId>]) -> Option<Vec<u8>> {
    let texts: Vec<Vec<u8>> = arguments.iter().map(|it| text_of(tree, it)).collect();
    let is_pair = |it: &&Vec<NodeId>| it.len() == 1 && tree.name(it[0]).contains("pair");
    let whole = text_of(tree, parameter);
    if [&b"*"[..], b"..."].iter().any(|rest| whole.starts_with(rest)) && !whole.starts_with(b"**") {
        return Some([b"[", &texts.join(&b", "[..])[..], b"]"].concat());
    }
    let Some(first) = texts.first() else {
        return default(tree, *parameter.first()?).map(|node| tree.text_of(node).to_vec());
    };
    // Pairs without braces are one argument.
    match arguments.iter().all(|it| is_pair(&it)) {
        true => Some([b"{", &texts.join(&b", "[..])[..], b"}"].concat()),
        false => Some(first.clone()),
    }
}

/// The value of a parameter for which a call has no argument.
pub(super) fn default(tree: &Tree, parameter: NodeId) -> Option<NodeId> {
    let mut children = tree.children(parameter).skip_while(|node| tree.text_of(*node) != b"=");
    children.find(|node| tree.is_named(*node))
}

/// The body of the function with this name: the highest siblings within its declaration, after its parameters, that may
/// replace a statement.
pub(super) fn body(
    tree: &Tree,
    declaration: NodeId,
    name: NodeId,
    statement: NodeId,
) -> Option<Vec<NodeId>> {
    let parameters = lists_after(tree, &[name], b'(').into_iter().next();
    let last = parameters.and_then(|list| list.nodes().last().copied()).unwrap_or(name);
    let above = std::iter::once(declaration).chain(tree.descendants(declaration));
    let list = above.filter(|node| !tree.is_leaf(*node)).find_map(|node| {
        let mut body = elements(tree, node);
        body.retain(|child| *child > last);
        let kinds = body.iter().map(|node| tree.kind(*node));
        (!body.is_empty() && tree.fits_sequence(statement, kinds)).then_some(body)
    });
    // A single statement may not be in a list, as after the colon in Python.
    let is_body = |node: NodeId| node > last && tree.fits(statement, tree.kind(node));
    list.or_else(|| nearest(tree, declaration, is_body).pop().map(|only| vec![only]))
}

/// The text of neighbours.
fn text_of(tree: &Tree, nodes: &[NodeId]) -> Vec<u8> {
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    tree.text()[tree.range(first).start..tree.range(last).end].to_vec()
}

/// Whether a node is inside another one, or is the same.
pub(super) fn is_within(tree: &Tree, node: NodeId, outer: NodeId) -> bool {
    let (inner, outer) = (tree.range(node), tree.range(outer));
    outer.start <= inner.start && inner.end <= outer.end
}
