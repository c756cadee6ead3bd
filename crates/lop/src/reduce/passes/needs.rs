//! Which statements need which: a statement needs those that declare the names its own tokens use.
//!
//! The declarations in the innermost scope around a use count, as in lexical scoping. After a dot, the declarations
//! inside the thing before the dot count, or if there are none, all except variables of functions. If there are more
//! than a few, the nearest ones in the text count.

use std::collections::HashMap;
use std::ops::Range;

use super::declared::Role;
use super::statements::{Number, Sort, Statements, Use};

/// The most declarations of a name that a use of it needs.
const MOST: usize = 8;
/// The most scopes around a use in which its name is looked for, besides the whole text.
const SCOPES: usize = 64;

/// Which statements need which.
pub(super) struct Needs<'s, 't> {
    statements: &'s Statements<'t>,
    declarations: HashMap<&'t [u8], Vec<Declaration>>,
    /// By name and scope.
    scopes: HashMap<(&'t [u8], Number), Vec<Declaration>>,
    /// By declaration: the statements that do something to the variable.
    effects: HashMap<Number, Vec<Number>>,
    /// By name, if the grammar identifies no declarations: its first occurrence.
    first: HashMap<&'t [u8], Number>,
}

#[derive(Clone, Copy)]
struct Declaration {
    at: Number,
    role: Role,
}

impl<'s, 't> Needs<'s, 't> {
    pub(super) fn new(statements: &'s Statements<'t>) -> Self {
        let (declarations, scopes, effects) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut needs = Needs { statements, declarations, scopes, effects, first: HashMap::new() };
        for number in statements.numbers().skip(1) {
            statements.declares(number).for_each(|(name, role)| needs.declare(name, number, role));
        }
        needs.find_imports();
        statements.numbers().skip(1).for_each(|number| needs.find_effect(number));
        if needs.declarations.is_empty() {
            for number in statements.numbers() {
                for it in statements.uses(number) {
                    needs.first.entry(it.name).or_insert(number);
                }
            }
        }
        needs
    }

    fn declare(&mut self, name: &'t [u8], at: Number, role: Role) {
        let all = self.declarations.entry(name).or_default();
        let declaration = Declaration { at, role };
        let place = all.partition_point(|it| it.at <= at);
        if all[..place].iter().rev().take_while(|it| it.at == at).any(|it| it.role == role) {
            return;
        }
        all.insert(place, declaration);
        let visible = self.scopes.entry((name, self.statements.scope(at))).or_default();
        visible.insert(visible.partition_point(|it| it.at <= at), declaration);
    }

    /// An import of a name that the text itself declares is a declaration, and may be removed if nothing uses it.
    fn find_imports(&mut self) {
        let statements = self.statements;
        let imports = statements.numbers().skip(1).filter(|number| statements.is_import(*number));
        let is_declared = |number: &Number| {
            let last = statements.uses(*number).last();
            last.is_some_and(|last| self.declarations.contains_key(last.name))
        };
        let imports: Vec<Number> = imports.filter(is_declared).collect();
        for number in imports {
            let names = statements.uses(number).iter().map(|it| it.name);
            names.for_each(|name| self.declare(name, number, Role::Import));
        }
    }

    /// A statement that declares nothing affects the variable that it mentions first: `list.push(1)`,
    /// `INSERT INTO list VALUES (1)`.
    fn find_effect(&mut self, number: Number) {
        let statements = self.statements;
        let declares_nothing = statements.declares(number).next().is_none();
        let first =
            statements.uses(number).first().filter(|it| declares_nothing && it.behind.is_none());
        let visible =
            first.and_then(|first| self.scopes.get(&(first.name, statements.scope(number))));
        let Some(visible) = visible else { return };
        let is_variable =
            |at: &Number| statements.sort(*at) != Sort::Function && !statements.is_import(*at);
        let variables: Vec<Number> =
            nearest(visible, number).iter().map(|it| it.at).filter(is_variable).collect();
        variables.into_iter().for_each(|at| self.effects.entry(at).or_default().push(number));
    }

    /// The statements that declare the names that a statement's own tokens use, and those that are parts of it.
    pub(super) fn of(&self, number: Number) -> Vec<Number> {
        let mut needs: Vec<Number> = self.statements.attached(number).collect();
        for it in self.statements.uses(number) {
            match it.behind {
                None => needs.extend(self.visible(it, number)),
                Some(before) => needs.extend(self.members(it, before, number)),
            }
            needs.extend(self.first.get(it.name));
        }
        needs
    }

    /// The statements that affect the variable that a statement declares.
    pub(super) fn effects(&self, number: Number) -> &[Number] {
        self.effects.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Whether a statement needs another one only when the function around it runs.
    pub(super) fn is_late(&self, number: Number, needed: Number) -> bool {
        let function = self.statements.function(number);
        function.is_some_and(|function| !self.statements.inside(function).contains(&needed))
    }

    /// Whether the surroundings of a statement need it, though nothing there mentions a name that it declares.
    pub(super) fn is_setting(&self, number: Number) -> bool {
        let statements = self.statements;
        let is_hidden = || statements.declares(number).any(|(name, _)| name.starts_with(b"__"));
        let is_declared = || {
            let last = statements.uses(number).last();
            last.is_some_and(|last| self.declarations.contains_key(last.name))
        };
        let is_import = || statements.is_import(number) && !is_declared();
        statements.is_nameless(number) || statements.is_leaf(number) && (is_hidden() || is_import())
    }

    /// The declarations of a name that are visible in a statement. Variables do not hide a type where only a type can
    /// be meant.
    fn visible(&self, it: &Use<'t>, number: Number) -> Vec<Number> {
        let statements = self.statements;
        let Some(all) = self.declarations.get(it.name) else { return Vec::new() };
        let is_type = it.is_type && all.iter().any(|it| it.role == Role::Type);
        let is_meant = |it: &&Declaration| !is_type || it.role == Role::Type;
        let own = Some(number).filter(|number| statements.sort(*number) != Sort::Other);
        let outer = std::iter::successors(Some(statements.scope(number)), |scope| {
            Some(statements.scope(*scope)).filter(|_| *scope > 0)
        });
        for scope in own.into_iter().chain(outer.take(SCOPES)).chain([0]) {
            if !is_type && statements.has_parameter(scope, it.name) {
                return Vec::new();
            }
            let declared =
                self.scopes.get(&(it.name, scope)).map_or(&[][..], |all| nearest(all, number));
            // An imported thing is declared outside.
            let is_outside = |at: &Number| *at != number || !statements.is_import(number);
            let visible: Vec<Number> =
                declared.iter().filter(is_meant).map(|it| it.at).filter(is_outside).collect();
            if !visible.is_empty() {
                return visible;
            }
        }
        nearest(all, number).iter().filter(is_meant).map(|it| it.at).collect()
    }

    /// The declarations of a name after a dot: those inside the thing before the dot; if there are none, all that may
    /// come after any dot.
    fn members(&self, it: &Use<'t>, before: &[u8], number: Number) -> Vec<Number> {
        let Some(all) = self.declarations.get(it.name) else { return Vec::new() };
        let objects = self.declarations.get(before).map_or(&[][..], |all| nearest(all, number));
        let objects = objects.iter().filter(|it| self.statements.sort(it.at) != Sort::Other);
        let inside = objects.flat_map(|object| within(all, self.statements.inside(object.at)));
        let inside: Vec<Number> = inside.map(|it| it.at).collect();
        if !inside.is_empty() {
            return inside;
        }
        let is_member = |it: &&Declaration| match it.role {
            Role::Name | Role::Type => self.statements.function(it.at).is_none(),
            Role::Part => true,
            Role::Import | Role::Parameter => false,
        };
        let members: Vec<&Declaration> = nearest(all, number).iter().filter(is_member).collect();
        let is_declared = members.iter().any(|it| it.role != Role::Part);
        let counts = |it: &&&Declaration| !is_declared || it.role != Role::Part;
        members.iter().filter(counts).map(|it| it.at).collect()
    }
}

/// The declarations inside some statements.
fn within(all: &[Declaration], statements: Range<Number>) -> &[Declaration] {
    let first = all.partition_point(|it| it.at < statements.start);
    let number = all[first..].partition_point(|it| it.at < statements.end);
    &all[first..first + number.min(MOST)]
}

/// The nearest of some declarations in the order of the text: some before a statement, and some after it.
fn nearest(all: &[Declaration], number: Number) -> &[Declaration] {
    let place = all.partition_point(|it| it.at < number);
    &all[place.saturating_sub(MOST / 2)..all.len().min(place + MOST / 2)]
}
