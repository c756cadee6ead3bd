//! The names that a statement declares, by the fields of its grammar.

use crate::tree::{NodeId, Tree};

use super::statements::{has, is_mention};

/// Fields that hold the name of a declaration.
const NAMES: &[&str] = &["name", "declarator", "left", "pattern", "alias", "key"];
/// Fields that hold the last part of a name: `a.b = 1` declares `b`.
const LAST_PARTS: &[&str] = &["property", "attribute", "field", "method"];
/// Fields that hold the parameters of a declaration.
const PARAMETERS: &[&str] = &["parameters", "parameter"];
/// Fields of a parameter that do not hold its name.
const NOT_NAMES: &[&str] = &["type", "value", "default_value", "right", "return_type"];
/// Fields that hold the declaration in a statement.
pub(super) const INNER: &[&str] = &["definition", "declaration"];
/// The field that holds the type of a declaration; the type itself may be declared there.
const TYPE: &str = "type";
/// Fields of which the declaration of a type has one.
const BODIES: &[&str] = &["body", "value", "type"];
/// The field that holds the declarations in a type.
const BODY: &str = "body";
/// A part of the labels of an enumeration's values, which are known outside of its body.
const ENUM: &str = "enum";
/// Parts of the labels of nodes that use a name in one of these fields.
const USES: &[&str] = &["call", "invocation", "access", "subscript", "creation", "binary", "unary"];
/// Parts of the labels of nodes that add something to a declaration.
const ADDITIONS: &[&str] = &["attribute", "annotation", "decorator"];
/// Parts of the labels of statements that add to a type.
const EXTENSIONS: &[&str] = &["impl", "extension"];
/// How many levels below a statement its names are searched for.
const DEPTH: usize = 6;

/// The role of a name in a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    /// The name of a type, in a grammar that distinguishes types: `struct list *list` has one of each.
    Type,
    /// The last part of a name: `b` in `a.b = 1`.
    Part,
    Parameter,
    /// A name that is declared elsewhere in the text.
    Import,
}

/// Reports the names that a node declares, and its parameters.
pub(super) fn declared(tree: &Tree, node: NodeId, tell: &mut dyn FnMut(NodeId, Role)) {
    below(tree, node, DEPTH, tell);
}

fn below(tree: &Tree, node: NodeId, depth: usize, tell: &mut dyn FnMut(NodeId, Role)) {
    if depth == 0 || has(tree.name(node), USES) || has(tree.name(node), ADDITIONS) {
        return;
    }
    for child in tree.children(node).filter(|child| tree.is_named(*child)) {
        match tree.field(child) {
            None => below(tree, child, depth - 1, tell),
            Some("left") if is_updated(tree, node) => {}
            Some(field) if NAMES.contains(&field) => parts(tree, child, depth, Role::Name, tell),
            Some(field) if INNER.contains(&field) => below(tree, child, depth - 1, tell),
            Some(field) if PARAMETERS.contains(&field) => parameters(tree, child, tell),
            Some(TYPE) if has(tree.name(node), EXTENSIONS) => {
                parts(tree, child, depth, Role::Name, tell)
            }
            Some(TYPE) if has_field(tree, child, BODIES) => below(tree, child, depth - 1, tell),
            Some(BODY) => enumerators(tree, child, depth, tell),
            Some(_) => {}
        }
    }
}

/// Reports the names of the values of an enumeration.
fn enumerators(tree: &Tree, body: NodeId, depth: usize, tell: &mut dyn FnMut(NodeId, Role)) {
    let values = tree.children(body).filter(|child| tree.name(*child).contains(ENUM));
    values.for_each(|value| below(tree, value, depth - 1, tell));
}

/// Whether a variable gets a new value that depends on its old one: `a += 1`.
fn is_updated(tree: &Tree, node: NodeId) -> bool {
    let is_update = |text: &[u8]| text.len() > 1 && text.ends_with(b"=") && text != b":=";
    tree.children(node).any(|child| tree.is_leaf(child) && is_update(tree.text_of(child)))
}

/// Reports the names in a declaration.
fn parts(tree: &Tree, node: NodeId, depth: usize, role: Role, tell: &mut dyn FnMut(NodeId, Role)) {
    if is_mention(tree, node) {
        tell(node, if role == Role::Name && is_type(tree, node) { Role::Type } else { role });
    }
    let has_last = has_field(tree, node, LAST_PARTS);
    if depth == 0 || !has_last && has(tree.name(node), ADDITIONS) {
        return;
    }
    let role = if has_last { Role::Part } else { role };
    for child in tree.children(node).filter(|child| tree.is_named(*child)) {
        match tree.field(child) {
            Some(field) if has_last && LAST_PARTS.contains(&field) => {
                parts(tree, child, depth - 1, role, tell)
            }
            None if !has_last => parts(tree, child, depth - 1, role, tell),
            Some(field) if !has_last && NAMES.contains(&field) => {
                parts(tree, child, depth - 1, role, tell)
            }
            Some(field) if PARAMETERS.contains(&field) => parameters(tree, child, tell),
            _ => {}
        }
    }
}

/// Whether a name is that of a type, according to its label.
pub(super) fn is_type(tree: &Tree, name: NodeId) -> bool {
    tree.name(name).contains(TYPE)
}

fn has_field(tree: &Tree, node: NodeId, fields: &[&str]) -> bool {
    tree.children(node).any(|child| tree.field(child).is_some_and(|field| fields.contains(&field)))
}

/// Reports the names of parameters, without those of their types and values.
fn parameters(tree: &Tree, list: NodeId, tell: &mut dyn FnMut(NodeId, Role)) {
    let may_have_name =
        |node: &NodeId| !tree.field(*node).is_some_and(|it| NOT_NAMES.contains(&it));
    let mut open = vec![list];
    while let Some(node) = open.pop() {
        if is_mention(tree, node) {
            tell(node, Role::Parameter);
        }
        open.extend(tree.children(node).filter(may_have_name));
    }
}
