//! The statements of a tree.
//!
//! A statement is a node that a person would remove as a whole: a definition, an instruction, a branch, a file. It can
//! be removed, has several tokens, and is one of a sequence without separators or begins a line. Its *own* tokens are
//! those outside of the statements inside it.
//!
//! The label and the first word of a node decide whether it is a statement, and of which sort. The lists here contain
//! what many grammars have in common.

use std::ops::Range;

use crate::text::lexer;
use crate::tree::{NodeId, Tree, View, ViewId, Views};

use super::declared::{INNER, Role, declared, is_type};
use super::names::is_name;

/// Parts of the labels of functions.
const FUNCTIONS: &[&str] = &["function", "method", "constructor", "subroutine"];
/// Parts of the labels of types that may have members.
const TYPES: &[&str] = &["class", "struct", "union", "enum", "interface", "trait", "impl"];
/// Parts of the labels of nodes whose members only share a qualified name.
const SPACES: &[&str] = &["mod", "namespace"];
/// Beginnings of the labels of statements that declare variables and run.
const LOOPS: &[&str] = &["for", "with"];
/// Parts of the labels of nodes that belong to the statement after them.
const ATTRIBUTES: &[&str] = &["attribute", "annotation", "decorator"];
/// Parts of the labels of nodes that belong to the statement before them.
const REMAINDERS: &[&str] = &["heredoc_body"];
/// Parts of the labels of clauses that the statement around them may need.
const CLAUSES: &[&str] = &["except", "catch", "finally", "rescue", "ensure"];
/// The label of a clause that Ruby's `case` needs at least once, even if there is an `else`.
const WHEN: &str = "when";
/// Parts of the labels of statements that only state where a name belongs.
const DECLARATIVE: &[&str] = &["global", "nonlocal"];
/// The field that holds the code that runs when a function is called.
const BODY: &str = "body";
/// Parts of the labels of texts with statements in them.
const TEXTS: &[&str] = &["string", "template", "heredoc"];
/// First words of statements that get names from elsewhere, or set how the text is read.
#[rustfmt::skip]
const IMPORTS: &[&str] = &[
    "import", "from", "include", "using", "use", "package", "pragma", "require", "require_relative", "load", "feature", "declare",
];
/// Names of functions that are called without a mention, besides those that begin with two underscores: constructors and conversions.
const IMPLICIT: &[&[u8]] = &[
    b"constructor",
    b"initialize",
    b"new",
    b"BUILD",
    b"to_s",
    b"toString",
    b"each",
    b"fmt",
    b"drop",
];
/// Names of functions that nothing calls.
const ENTRIES: &[&[u8]] = &[b"main", b"Main"];

/// A statement by its number, in the order of the text. The first one is the whole text.
pub(super) type Number = usize;

/// All statements of a tree.
pub(super) struct Statements<'t> {
    view: View<'t>,
    all: Vec<Statement<'t>>,
}

/// The sort of a statement, as far as names are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Function,
    /// A class and the like.
    Type,
    /// A namespace or a module.
    Space,
    Other,
}

struct Statement<'t> {
    node: ViewId,
    sort: Sort,
    around: Number,
    /// The innermost statement around it that has names of its own, and the innermost function.
    scope: Number,
    function: Option<Number>,
    /// The first statement that is not inside this one.
    end: Number,
    uses: Vec<Use<'t>>,
    declares: Vec<(&'t [u8], Role)>,
}

/// A name among the own tokens of a statement.
pub(super) struct Use<'t> {
    pub(super) name: &'t [u8],
    /// After a dot: the word before the dot, or nothing.
    pub(super) behind: Option<&'t [u8]>,
    /// Whether it is the name of a type, in a grammar that distinguishes types.
    pub(super) is_type: bool,
}

impl<'t> Statements<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        let view = View::new(tree, Views { group: true, ..Views::PLAIN });
        let root = view.root();
        let mut statements = Statements { view, all: Vec::new() };
        statements.push(root, 0);
        let mut open = vec![0];
        let mut broken = root;
        for node in statements.view.ids().skip(1) {
            while statements.view.next(statements.node(open[open.len() - 1])) <= node {
                let ended = open.pop().expect("the root ends last");
                statements.all[ended].end = statements.all.len();
            }
            let around = open[open.len() - 1];
            let place = statements.view.place(node);
            if place.is_some_and(|place| tree.is_error(place)) {
                broken = broken.max(statements.view.next(node));
            }
            // Nodes that did not parse belong together with those around them, in unknown ways.
            if node >= broken && statements.is_next(node, around) {
                if statements.view.is_removable(node) {
                    open.push(statements.all.len());
                    statements.push(node, around);
                } else {
                    statements.add_to(around, node);
                }
            }
            if let Some(name) = place.filter(|place| is_mention(tree, *place)) {
                let (behind, is_type) = (before_dot(tree, name), is_type(tree, name));
                let it = Use { name: tree.text_of(name), behind, is_type };
                statements.all[open[open.len() - 1]].uses.push(it);
            }
        }
        let length = statements.all.len();
        open.into_iter().for_each(|number| statements.all[number].end = length);
        statements
    }

    /// Adds to a statement the declarations of a part that cannot be removed alone, such as the only instruction of a
    /// branch.
    fn add_to(&mut self, around: Number, part: ViewId) {
        // In a function it is a variable, which is unknown outside.
        if around == 0 || self.sort(around) == Sort::Function {
            return;
        }
        let tree = self.view.tree();
        let mut names = Vec::new();
        let mut tell = |name, role| names.push((tree.text_of(name), role));
        let is_one_of_many = |part: &NodeId| tree.quantifier(*part).repeats();
        let parts = parts(&self.view, part).filter(is_one_of_many);
        parts.for_each(|part| declared(tree, part, &mut tell));
        names.retain(|(_, role)| *role != Role::Parameter);
        self.all[around].declares.extend(names);
    }

    /// Whether a node looks like a statement inside another one, and isn't the same.
    fn is_next(&self, node: ViewId, around: Number) -> bool {
        is_statement(&self.view, node)
            && self.view.range(node) != self.view.range(self.node(around))
    }

    fn push(&mut self, node: ViewId, around: Number) {
        let tree = self.view.tree();
        let sort = parts(&self.view, node).next().map_or(Sort::Other, |part| sort(tree, part));
        let (scope, function) = match self.all.get(around) {
            None => (0, None),
            Some(it) if it.sort == Sort::Function => (around, Some(around)),
            Some(it) if it.sort != Sort::Other => (around, it.function),
            Some(it) => (it.scope, it.function),
        };
        let mut declares = Vec::new();
        if !self.all.is_empty() {
            let mut tell = |name, role| declares.push((tree.text_of(name), role));
            parts(&self.view, node).for_each(|part| declared(tree, part, &mut tell));
        }
        let uses = Vec::new();
        self.all.push(Statement { node, sort, around, scope, function, end: 0, uses, declares });
    }

    pub(super) fn view(&self) -> &View<'t> {
        &self.view
    }

    pub(super) fn numbers(&self) -> Range<Number> {
        0..self.all.len()
    }

    pub(super) fn node(&self, number: Number) -> ViewId {
        self.all[number].node
    }

    pub(super) fn sort(&self, number: Number) -> Sort {
        self.all[number].sort
    }

    /// The statement around a statement.
    pub(super) fn around(&self, number: Number) -> Number {
        self.all[number].around
    }

    /// The innermost statement around a statement that has names of its own.
    pub(super) fn scope(&self, number: Number) -> Number {
        self.all[number].scope
    }

    /// The innermost function around a statement.
    pub(super) fn function(&self, number: Number) -> Option<Number> {
        self.all[number].function
    }

    /// The names among the own tokens of a statement.
    pub(super) fn uses(&self, number: Number) -> &[Use<'t>] {
        &self.all[number].uses
    }

    /// The names that a statement declares.
    pub(super) fn declares(&self, number: Number) -> impl Iterator<Item = (&'t [u8], Role)> + '_ {
        self.all[number].declares.iter().copied().filter(|(_, role)| *role != Role::Parameter)
    }

    /// Whether a name is that of a parameter of a statement.
    pub(super) fn has_parameter(&self, number: Number, name: &[u8]) -> bool {
        self.all[number].declares.contains(&(name, Role::Parameter))
    }

    /// Whether there is no statement inside a statement.
    pub(super) fn is_leaf(&self, number: Number) -> bool {
        self.all[number].end == number + 1
    }

    /// The length of some nodes in the text.
    pub(super) fn length(&self, nodes: &[ViewId]) -> usize {
        nodes.iter().map(|node| self.view.range(*node).len()).sum()
    }

    /// A statement with all statements inside it.
    pub(super) fn inside(&self, number: Number) -> Range<Number> {
        number..self.all[number].end
    }

    /// The outermost statements that are not kept; `kept` has those that are.
    pub(super) fn without(&self, kept: &[bool]) -> Vec<ViewId> {
        let mut removed = Vec::new();
        let mut number = 0;
        while number < kept.len() {
            number = match kept[number] {
                true => number + 1,
                false => {
                    removed.push(self.node(number));
                    self.inside(number).end
                }
            };
        }
        removed
    }

    /// The statements directly inside a statement.
    pub(super) fn children(&self, number: Number) -> impl Iterator<Item = Number> + '_ {
        let (first, end) = (number + 1, self.all[number].end);
        let next = move |number: &Number| Some(self.all[*number].end).filter(|next| *next < end);
        std::iter::successors(Some(first).filter(|first| *first < end), next)
    }

    /// A statement, and those around it except the whole text.
    pub(super) fn with_those_around(&self, number: Number) -> impl Iterator<Item = Number> + '_ {
        let around = std::iter::successors(Some(number), |number| Some(self.all[*number].around));
        around.take_while(|number| *number > 0)
    }

    /// The innermost statement at a place.
    pub(super) fn at(&self, place: usize) -> Number {
        let range = |number: Number| self.view.range(self.node(number));
        let after = self.all.partition_point(|it| self.view.range(it.node).start <= place);
        let mut around = self.with_those_around(after.saturating_sub(1));
        around.find(|number| range(*number).contains(&place)).unwrap_or(0)
    }

    /// Whether a statement is a definition of more than a value.
    pub(super) fn is_definition(&self, number: Number) -> bool {
        let is_loop = || LOOPS.iter().any(|start| self.label(number).starts_with(start));
        let has_inside = || !self.is_leaf(number) && !is_loop();
        let declares = self.declares(number).next().is_some();
        declares && (self.sort(number) != Sort::Other || has_inside())
    }

    /// Whether a statement is a function that is called without a mention: a constructor, an operator and the like.
    pub(super) fn is_implicit(&self, number: Number) -> bool {
        let is_implicit = |name: &[u8]| name.starts_with(b"__") || IMPLICIT.contains(&name);
        let mut names = self.declares(number).map(|(name, _)| name).peekable();
        self.sort(number) == Sort::Function && (names.peek().is_none() || names.any(is_implicit))
    }

    /// Whether a program begins with a statement.
    pub(super) fn is_entry(&self, number: Number) -> bool {
        let mut names = self.declares(number);
        self.sort(number) == Sort::Function && names.any(|(name, _)| ENTRIES.contains(&name))
    }

    /// Whether a statement only declares something about names, which no interpreter runs.
    pub(super) fn is_declarative(&self, number: Number) -> bool {
        number > 0 && has(self.label(number), DECLARATIVE)
    }

    /// The range in which a statement runs: the body of a function, since its head runs when it is defined; the whole
    /// of any other.
    pub(super) fn body(&self, number: Number) -> Range<usize> {
        let (tree, node) = (self.view.tree(), self.node(number));
        let body = || {
            let mut part = parts(&self.view, node).next()?;
            loop {
                let has_field = |child: &NodeId, fields: &[&str]| {
                    tree.field(*child).is_some_and(|field| fields.contains(&field))
                };
                if let Some(body) = tree.children(part).find(|child| has_field(child, &[BODY])) {
                    return Some(tree.range(body));
                }
                part = tree.children(part).find(|child| has_field(child, INNER))?;
            }
        };
        let is_function = number > 0 && self.sort(number) == Sort::Function;
        is_function.then(body).flatten().unwrap_or_else(|| self.view.range(node))
    }

    /// Whether a statement gets names from elsewhere.
    pub(super) fn is_import(&self, number: Number) -> bool {
        let is_any = |word: &[u8]| IMPORTS.iter().any(|it| it.as_bytes() == word);
        self.is_leaf(number) && self.first_word(number).is_some_and(is_any)
    }

    /// Whether a statement sets something for the whole text without a name; a preprocessor's line marker doesn't.
    pub(super) fn is_nameless(&self, number: Number) -> bool {
        let is_number = |word: &[u8]| word == b"line" || word.iter().all(u8::is_ascii_digit);
        let is_outermost = self.is_leaf(number) && self.around(number) == 0;
        is_outermost
            && self.uses(number).is_empty()
            && !self.first_word(number).is_some_and(is_number)
    }

    /// The statements before and after a statement that are parts of it.
    pub(super) fn attached(&self, number: Number) -> impl Iterator<Item = Number> {
        let is_a = |other: &Number, labels: &[&str]| {
            let is_beside = self.all.get(*other).is_some_and(|it| it.around == self.around(number));
            is_beside && has(self.label(*other), labels)
        };
        let before = number.checked_sub(1).filter(|before| is_a(before, ATTRIBUTES));
        let after = Some(self.all[number].end).filter(|after| is_a(after, REMAINDERS));
        before.into_iter().chain(after)
    }

    /// Whether there is a `yield` in a statement without others inside.
    pub(super) fn yields(&self, number: Number) -> bool {
        self.is_leaf(number) && self.words(number).any(|word| word == b"yield")
    }

    fn label(&self, number: Number) -> &'t str {
        let tree = self.view.tree();
        parts(&self.view, self.node(number)).next().map_or("", |part| tree.name(part))
    }

    fn first_word(&self, number: Number) -> Option<&'t [u8]> {
        self.words(number).next()
    }

    fn words(&self, number: Number) -> impl Iterator<Item = &'t [u8]> {
        let text = &self.view.tree().text()[self.view.range(self.node(number))];
        text.split(|byte| !lexer::is_word(*byte)).filter(|word| !word.is_empty())
    }
}

/// Whether a label contains one of some parts.
pub(super) fn has(label: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| label.contains(part))
}

fn sort(tree: &Tree, node: NodeId) -> Sort {
    // The thing that a statement only decorates or exports is inside it.
    let is_inner = |child: &NodeId| tree.field(*child).is_some_and(|field| INNER.contains(&field));
    let label = tree.name(tree.children(node).find(is_inner).unwrap_or(node));
    let all = [(Sort::Function, FUNCTIONS), (Sort::Type, TYPES), (Sort::Space, SPACES)];
    all.iter().find(|(_, parts)| has(label, parts)).map_or(Sort::Other, |(sort, _)| *sort)
}

/// The named nodes of the tree that make up a statement: one, or several with their separators, such as a class and its
/// semicolon.
fn parts<'v>(view: &'v View<'_>, node: ViewId) -> impl Iterator<Item = NodeId> + 'v {
    let children = view.place(node).is_none().then(|| view.children(node)).into_iter().flatten();
    let places = view.place(node).into_iter().chain(children.filter_map(|child| view.place(child)));
    places.filter(|place| view.tree().is_named(*place) && !view.tree().is_extra(*place))
}

fn is_statement(view: &View<'_>, node: ViewId) -> bool {
    let tree = view.tree();
    let Some(part) = parts(view, node).next() else { return false };
    let (text, range) = (tree.text(), view.range(node));
    let (before, after) = (&text[..range.start], text[range.end..].trim_ascii_start());
    let begins_line = || {
        let last = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(last, None | Some(b'\n'))
    };
    let is_in_list = || {
        let own = &text[range.clone()];
        let ends = [before.trim_ascii_end().last(), own.first(), own.last(), after.first()];
        ends.contains(&Some(&b','))
    };
    let has_several = view.next(node).index() > node.index() + 2;
    has_several
        && (begins_line() || tree.quantifier(part).repeats())
        && !is_in_list()
        && !has(tree.name(part), CLAUSES)
        && tree.name(part) != WHEN
        && !view.parent(node).is_some_and(|parent| has(view.name(parent), TEXTS))
}

/// Whether a node is a name, or that of a type that some grammars consider a part of the language, such as `size_t`.
pub(super) fn is_mention(tree: &Tree, node: NodeId) -> bool {
    is_name(tree, node) || tree.name(node) == "primitive_type"
}

/// The word before the dot before a name, or nothing if no word is before the dot; `None` if the name does not follow a
/// dot.
fn before_dot(tree: &Tree, name: NodeId) -> Option<&[u8]> {
    let before = &tree.text()[..tree.range(name).start];
    let dots = [&b"::"[..], b"?.", b".", b"->"];
    let dot = dots.iter().find_map(|dot| before.trim_ascii_end().strip_suffix(*dot));
    // Lua's colon; other colons have a blank or a line end after them.
    let object = dot.or_else(|| before.strip_suffix(b":"))?.trim_ascii_end();
    Some(lexer::word_before(object, object.len()))
}
