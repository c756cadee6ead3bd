//! The paths under which a crate's items can be named from outside.
//!
//! Modules are entered level by level, so each item has the shortest of its paths; where two are as short, that of its
//! declaration, then the first in the alphabet. All other paths are re-exports.

use std::collections::HashMap;

use super::names::{Id, Space, Target};
use super::sources::{Crate, What};

/// What can be reached from the root.
#[derive(Default)]
pub(crate) struct Reach {
    pub(crate) modules: HashMap<usize, Public>,
    pub(crate) items: HashMap<Id, Public>,
    /// All re-exports that give something another path, each with what it names.
    pub(crate) others: Vec<(Target, Public)>,
}

/// A path from outside.
#[derive(Clone)]
pub(crate) struct Public {
    pub(crate) path: Vec<String>,
    /// The conditions of all that is on the path.
    pub(crate) conditions: Vec<String>,
}

/// A name in a public module.
struct Name {
    target: Target,
    is_import: bool,
    public: Public,
}

impl Reach {
    pub(crate) fn of(krate: &Crate) -> Reach {
        let mut reach = Reach::default();
        let root = Public { path: vec![krate.name.clone()], conditions: Vec::new() };
        reach.modules.insert(0, root.clone());
        let mut level = vec![(0, root)];
        while !level.is_empty() {
            let mut names: Vec<Name> = Vec::new();
            for (module, public) in &level {
                names.extend(names_of(krate, *module, public, &mut Vec::new()));
            }
            names.sort_by_key(|name| (name.is_import, name.public.path.clone()));
            level.clear();
            for Name { target, public, .. } in names {
                match target {
                    Target::Module(module) if !reach.modules.contains_key(&module) => {
                        reach.modules.insert(module, public.clone());
                        level.push((module, public));
                    }
                    Target::Item(id, within)
                        if within.is_empty() && !reach.items.contains_key(&id) =>
                    {
                        reach.items.insert(id, public);
                    }
                    target => reach.others.push((target, public)),
                }
            }
        }
        reach
    }

    /// How a target is written: under its public path, or where it is declared if it has none. Also whether it can be
    /// named from outside.
    pub(crate) fn path(&self, krate: &Crate, target: &Target) -> (Vec<String>, bool) {
        match target {
            Target::Foreign(path) => (path.clone(), true),
            Target::Module(module) => match self.modules.get(module) {
                Some(public) => (public.path.clone(), true),
                None => (krate.modules[*module].path.clone(), false),
            },
            Target::Item(id, within) => {
                let (mut path, is_public) = match self.items.get(id) {
                    Some(public) => (public.path.clone(), true),
                    None => {
                        let declared = &krate.modules[id.0].path;
                        ([declared.as_slice(), &[krate.entry(*id).name.clone()]].concat(), false)
                    }
                };
                path.extend(within.iter().cloned());
                (path, is_public)
            }
        }
    }
}

/// The public names of a module, under the path at which it is found. A glob that is being expanded is not entered again.
fn names_of(krate: &Crate, module: usize, at: &Public, inside: &mut Vec<usize>) -> Vec<Name> {
    let entries = &krate.modules[module].entries;
    let below = |name: &str, conditions: &[String]| {
        let mut public = at.clone();
        public.path.push(name.to_owned());
        let new = conditions.iter().filter(|it| !at.conditions.contains(it));
        public.conditions.extend(new.cloned());
        public
    };
    let mut names: Vec<Name> = Vec::new();
    for (place, entry) in entries.iter().enumerate().filter(|(_, it)| it.is_public && !it.is_hidden)
    {
        let public = below(&entry.name, &entry.conditions);
        let mut add = |target: Target, is_import: bool| {
            names.push(Name { target, is_import, public: public.clone() })
        };
        match &entry.what {
            What::Item(_) => add(Target::Item((module, place), Vec::new()), false),
            What::Module(index) => add(Target::Module(*index), false),
            What::Use(path) => {
                let types = krate.resolve(module, path, Space::Types);
                let values = krate
                    .resolve(module, path, Space::Values)
                    .filter(|it| Some(it) != types.as_ref());
                types.into_iter().chain(values).for_each(|target| add(target, true));
            }
            What::Glob(_) => {}
        }
    }
    inside.push(module);
    for entry in entries.iter().filter(|it| it.is_public && !it.is_hidden) {
        let What::Glob(path) = &entry.what else { continue };
        let brought = match krate.resolve(module, path, Space::Types) {
            Some(Target::Module(index)) if !inside.contains(&index) => {
                let at =
                    Public { conditions: below("*", &entry.conditions).conditions, ..at.clone() };
                names_of(krate, index, &at, inside)
            }
            Some(Target::Item(id, _)) => {
                let variant = |name: String| Name {
                    public: below(&name, &entry.conditions),
                    target: Target::Item(id, vec![name]),
                    is_import: true,
                };
                krate.variants(id).into_iter().map(variant).collect()
            }
            Some(Target::Foreign(mut path)) => {
                path.push("*".into());
                vec![Name {
                    target: Target::Foreign(path),
                    is_import: true,
                    public: below("*", &entry.conditions),
                }]
            }
            _ => Vec::new(),
        };
        for name in brought {
            let is_new = name.public.path.ends_with(&["*".into()])
                || names.iter().all(|it| {
                    it.public.path != name.public.path || it.is_type(krate) != name.is_type(krate)
                });
            if is_new {
                names.push(Name { is_import: true, ..name });
            }
        }
    }
    inside.pop();
    names
}

impl Name {
    fn is_type(&self, krate: &Crate) -> bool {
        match &self.target {
            Target::Item(id, _) => krate.entry(*id).is_type(),
            _ => true,
        }
    }
}
