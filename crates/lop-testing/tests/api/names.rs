//! What a path names, seen from a module: the rules of Rust for imports, renames and globs, without macros.

use super::sources::{Crate, Entry, What};

/// The names of types, traits and modules, and those of values, do not disturb each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Types,
    Values,
}

/// An item: its module, and its place there.
pub(crate) type Id = (usize, usize);

/// What a path names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Module(usize),
    /// An item, or what is inside it, such as a variant.
    Item(Id, Vec<String>),
    /// Something outside of the crate, or a name that is always known, such as `Vec`.
    Foreign(Vec<String>),
}

/// The questions that are being answered. A name may be looked up while it is looked up: `use a::a`.
type Asked = Vec<(usize, String, Space, usize)>;

impl Crate {
    pub(crate) fn entry(&self, (module, place): Id) -> &Entry {
        &self.modules[module].entries[place]
    }

    /// What a path names in a module; `None` if the crate has no such thing.
    pub(crate) fn resolve(&self, module: usize, path: &[String], space: Space) -> Option<Target> {
        self.follow(module, path, space, &mut Vec::new())
    }

    fn follow(
        &self,
        module: usize,
        path: &[String],
        space: Space,
        asked: &mut Asked,
    ) -> Option<Target> {
        let (mut target, mut rest) = self.start(module, path, space, asked)?;
        while let Some(name) = rest.first() {
            target = match target {
                Target::Module(inside) => {
                    let space = if rest.len() == 1 { space } else { Space::Types };
                    self.look_up(inside, name, space, module, asked)?
                }
                Target::Item(id, mut within) => {
                    within.push(name.clone());
                    Target::Item(id, within)
                }
                Target::Foreign(mut path) => {
                    path.push(name.clone());
                    Target::Foreign(path)
                }
            };
            rest = &rest[1..];
        }
        Some(target)
    }

    /// The first name of a path, and the names after it.
    fn start<'p>(
        &self,
        module: usize,
        path: &'p [String],
        space: Space,
        asked: &mut Asked,
    ) -> Option<(Target, &'p [String])> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        Some(match path[0].as_str() {
            "crate" => (Target::Module(0), &path[1..]),
            "self" => (Target::Module(module), &path[1..]),
            "super" => {
                let mut above = module;
                (0..supers).for_each(|_| above = self.modules[above].parent.unwrap_or(0));
                (Target::Module(above), &path[supers..])
            }
            first => {
                let spaces = match (path.len(), space) {
                    (1, Space::Values) => [Space::Values, Space::Types],
                    (1, Space::Types) => [Space::Types, Space::Values],
                    _ => [Space::Types; 2],
                };
                let mut find = |space| self.look_up(module, first, space, module, asked);
                let target = match find(spaces[0]) {
                    Some(target) => target,
                    // It is something of this crate, but not this.
                    None if find(spaces[1]).is_some() => return None,
                    None => Target::Foreign(vec![first.to_owned()]),
                };
                (target, &path[1..])
            }
        })
    }

    /// What a name is in a module for another one. What is declared wins over what is imported by a glob.
    fn look_up(
        &self,
        module: usize,
        name: &str,
        space: Space,
        reader: usize,
        asked: &mut Asked,
    ) -> Option<Target> {
        let question = (module, name.to_owned(), space, reader);
        if asked.contains(&question) {
            return None;
        }
        asked.push(question);
        let entries = &self.modules[module].entries;
        let is_seen = |entry: &Entry| !entry.is_private || self.is_inside(reader, module);
        let seen = || entries.iter().enumerate().filter(|(_, entry)| is_seen(entry));
        let named = || seen().filter(|(_, entry)| entry.name == name);
        let declared = named().find_map(|(place, entry)| match &entry.what {
            What::Item(_) if entry.is_type() == (space == Space::Types) => {
                Some(Target::Item((module, place), Vec::new()))
            }
            What::Module(index) if space == Space::Types => Some(Target::Module(*index)),
            _ => None,
        });
        let mut imported = || {
            named().find_map(|(_, entry)| match &entry.what {
                What::Use(path) => self.follow(module, path, space, asked),
                _ => None,
            })
        };
        let found = declared.or_else(&mut imported).or_else(|| {
            seen().find_map(|(_, entry)| match &entry.what {
                What::Glob(path) => self.look_up_in_glob(module, path, name, space, asked),
                _ => None,
            })
        });
        asked.pop();
        found
    }

    /// Whether a module is another one, or somewhere in it.
    fn is_inside(&self, module: usize, outer: usize) -> bool {
        std::iter::successors(Some(module), |it| self.modules[*it].parent).any(|it| it == outer)
    }

    fn look_up_in_glob(
        &self,
        module: usize,
        path: &[String],
        name: &str,
        space: Space,
        asked: &mut Asked,
    ) -> Option<Target> {
        match self.follow(module, path, Space::Types, asked)? {
            Target::Module(inside) => self.look_up(inside, name, space, module, asked),
            Target::Item(id, _) => self
                .variants(id)
                .into_iter()
                .find(|it| it == name)
                .map(|it| Target::Item(id, vec![it])),
            // Nobody knows what is in there.
            Target::Foreign(_) => None,
        }
    }

    /// The names of an enum's variants.
    pub(crate) fn variants(&self, id: Id) -> Vec<String> {
        match &self.entry(id).what {
            What::Item(item) => match &**item {
                syn::Item::Enum(it) => it.variants.iter().map(|it| it.ident.to_string()).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}
