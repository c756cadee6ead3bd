//! The names that a statement declares, by the fields of its grammar.

use crate::tree::{NodeId, Tree};

use super::statements::{has, is_mention};

/// Fields in which a declaration has its name.
const NAMES: &[&str] = &["name", "declarator", "left", "pattern", "alias", "key"];
/// Fields in which a name has its last part: `a.b = 1` declares `b`.
const LAST_PARTS: &[&str] = &["property", "attribute", "field", "method"];
/// Fields in which a declaration has its parameters.
const PARAMETERS: &[&str] = &["parameters", "parameter"];
/// Fields of a parameter that do not have its name.
const NOT_NAMES: &[&str] = &["type", "value", "default_value", "right", "return_type"];
/// Fields in which a statement has what is declared in it.
pub(super) const INNER: &[&str] = &["definition", "declaration"];
/// The field in which a declaration has a type, which may be declared there.
const TYPE: &str = "type";
/// Fields of which a declaration of a type has one.
const BODIES: &[&str] = &["body", "value", "type"];
/// The field in which a type has what is declared in it.
const BODY: &str = "body";
/// Part of the labels of what is declared in the body of an enumeration, and is known outside of it.
const ENUM: &str = "enum";
/// Parts of the labels of what uses a name in one of these fields.
const USES: &[&str] = &["call", "invocation", "access", "subscript", "creation", "binary", "unary"];
/// Parts of the labels of what says more of what is declared.
const ADDITIONS: &[&str] = &["attribute", "annotation", "decorator"];
/// Parts of the labels of statements that add to a type.
const EXTENSIONS: &[&str] = &["impl", "extension"];
/// How far below a statement its names are looked for.
const DEPTH: usize = 6;

/// What a name of a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Name,
    /// The name of a type, in a grammar that tells these from others: `struct list *list` has one of each.
    Type,
    /// The last part of a name: `b` in `a.b = 1`.
    Part,
    Parameter,
    /// A name that is declared elsewhere in the text.
    Import,
}

/// Tells the names that a node declares, and its parameters.
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

/// Tells the names of the values of an enumeration.
fn enumerators(tree: &Tree, body: NodeId, depth: usize, tell: &mut dyn FnMut(NodeId, Role)) {
    let values = tree.children(body).filter(|child| tree.name(*child).contains(ENUM));
    values.for_each(|value| below(tree, value, depth - 1, tell));
}

/// Whether a variable gets a new value that depends on its old one: `a += 1`.
fn is_updated(tree: &Tree, node: NodeId) -> bool {
    let is_update = |text: &[u8]| text.len() > 1 && text.ends_with(b"=") && text != b":=";
    tree.children(node).any(|child| tree.is_leaf(child) && is_update(tree.text_of(child)))
}

/// Tells the names in what is declared.
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

/// Whether a name is that of a type, as its label says.
pub(super) fn is_type(tree: &Tree, name: NodeId) -> bool {
    tree.name(name).contains(TYPE)
}

fn has_field(tree: &Tree, node: NodeId, fields: &[&str]) -> bool {
    tree.children(node).any(|child| tree.field(child).is_some_and(|field| fields.contains(&field)))
}

/// Tells the names of parameters, without those of their types and values.
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
