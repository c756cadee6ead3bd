//! The sources of a crate as a tree of modules, without what is only there for tests.
//!
//! What a macro or a build script makes is not seen.

use std::fs;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Fields, Ident, Item, ItemImpl, ItemMacro, Meta, UseTree, Visibility};

use super::print::print;

/// A crate: its modules, the root first.
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) modules: Vec<Module>,
    /// The names of its macros.
    pub(crate) macros: Vec<String>,
}

#[derive(Default)]
pub(crate) struct Module {
    /// Where it is declared, from the name of the crate on.
    pub(crate) path: Vec<String>,
    pub(crate) parent: Option<usize>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) impls: Vec<ItemImpl>,
    /// The macros that are called where an item could be.
    pub(crate) calls: Vec<ItemMacro>,
    /// The macros that are exported, and so belong to the root.
    pub(crate) exported: Vec<ItemMacro>,
}

/// A name that a module declares or imports.
pub(crate) struct Entry {
    /// The name; of a glob, `*`.
    pub(crate) name: String,
    pub(crate) is_public: bool,
    /// Whether only its module, and those inside it, see it.
    pub(crate) is_private: bool,
    pub(crate) is_hidden: bool,
    /// The conditions under which it is there.
    pub(crate) conditions: Vec<String>,
    pub(crate) what: What,
}

pub(crate) enum What {
    Item(Box<Item>),
    Module(usize),
    /// An import of this path.
    Use(Vec<String>),
    /// An import of all that is in the module or the enum of this path.
    Glob(Vec<String>),
}

impl Crate {
    /// Reads a crate from its directory.
    pub(crate) fn read(name: &str, directory: &Path) -> Crate {
        let source = directory.join("src");
        Crate::new(name, &read(&source.join("lib.rs")), &source)
    }

    /// Takes a crate that is one file.
    pub(crate) fn parse(name: &str, source: &str) -> Crate {
        Crate::new(name, source, Path::new("."))
    }

    fn new(name: &str, source: &str, directory: &Path) -> Crate {
        let mut new = Crate { name: name.to_owned(), modules: Vec::new(), macros: Vec::new() };
        new.add(None, name, parse(source, directory), directory);
        new
    }

    /// Adds a module whose own modules are in this directory.
    fn add(
        &mut self,
        parent: Option<usize>,
        name: &str,
        items: Vec<Item>,
        directory: &Path,
    ) -> usize {
        let index = self.modules.len();
        let mut path = parent.map_or(Vec::new(), |parent| self.modules[parent].path.clone());
        path.push(name.to_owned());
        self.modules.push(Module { path, parent, ..Module::default() });
        for item in items {
            if !attributes(&item).iter().any(is_for_tests) {
                self.add_item(index, item, directory);
            }
        }
        index
    }

    fn add_item(&mut self, index: usize, item: Item, directory: &Path) {
        let attributes = attributes(&item).to_vec();
        let named = |name: String, visibility: &Visibility, what: What| Entry {
            name,
            is_public: is_public(visibility),
            is_private: matches!(visibility, Visibility::Inherited),
            is_hidden: is_hidden(&attributes),
            conditions: conditions(&attributes),
            what,
        };
        match item {
            Item::Mod(module) => {
                let name = module.ident.to_string();
                let below = directory.join(&name);
                let items = match module.content {
                    Some((_, items)) => items,
                    None => {
                        let path = file(directory, &name);
                        parse(&read(&path), &path)
                    }
                };
                let added = self.add(Some(index), &name, items, &below);
                self.modules[index].entries.push(named(name, &module.vis, What::Module(added)));
            }
            Item::Use(import) => {
                let mut found = Vec::new();
                flatten(&import.tree, &mut Vec::new(), &mut found);
                let imports = found.into_iter().map(|(name, path)| match name.as_str() {
                    "*" => named(name, &import.vis, What::Glob(path)),
                    _ => named(name, &import.vis, What::Use(path)),
                });
                self.modules[index].entries.extend(imports);
            }
            Item::Impl(item) => self.modules[index].impls.push(item),
            Item::Macro(item) => {
                let Some(name) = &item.ident else { return self.modules[index].calls.push(item) };
                self.macros.push(name.to_string());
                let is_exported = item.attrs.iter().any(|it| it.path().is_ident("macro_export"));
                if is_exported && !is_hidden(&item.attrs) {
                    self.modules[index].exported.push(item);
                }
            }
            item => {
                let Some((visibility, name)) = head(&item) else { return };
                let (name, visibility) = (name.to_string(), visibility.clone());
                let entry = named(name, &visibility, What::Item(Box::new(item)));
                self.modules[index].entries.push(entry);
            }
        }
    }
}

impl Entry {
    /// Whether this is a type, a trait or a module, and not a value. A tuple or unit struct counts as a type only.
    pub(crate) fn is_type(&self) -> bool {
        match &self.what {
            What::Item(item) => !matches!(**item, Item::Const(_) | Item::Fn(_) | Item::Static(_)),
            _ => true,
        }
    }
}

/// The visibility and the name of an item that declares one.
fn head(item: &Item) -> Option<(&Visibility, &Ident)> {
    Some(match item {
        Item::Const(it) => (&it.vis, &it.ident),
        Item::Enum(it) => (&it.vis, &it.ident),
        Item::Fn(it) => (&it.vis, &it.sig.ident),
        Item::Static(it) => (&it.vis, &it.ident),
        Item::Struct(it) => (&it.vis, &it.ident),
        Item::Trait(it) => (&it.vis, &it.ident),
        Item::Type(it) => (&it.vis, &it.ident),
        Item::Union(it) => (&it.vis, &it.ident),
        _ => return None,
    })
}

pub(crate) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Union(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => &[],
    }
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether all fields are public, and there are some.
pub(crate) fn are_public(fields: &Fields) -> bool {
    !fields.is_empty() && fields.iter().all(|field| is_public(&field.vis))
}

pub(crate) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|it| is_list(it, "doc", "hidden"))
}

pub(crate) fn is_for_tests(attribute: &Attribute) -> bool {
    is_list(attribute, "cfg", "test")
}

/// Whether an attribute is `name(argument)`.
fn is_list(attribute: &Attribute, name: &str, argument: &str) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident(name) && list.tokens.to_string() == argument)
}

/// The attributes that say under which conditions something is there.
pub(crate) fn conditions(attributes: &[Attribute]) -> Vec<String> {
    let conditions = attributes.iter().filter(|it| it.path().is_ident("cfg"));
    conditions.map(|it| print(it.to_token_stream())).collect()
}

/// The names that a tree of imports brings, each with its path.
fn flatten(tree: &UseTree, prefix: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    let mut add = |name: String, last: String| {
        // `use a::{self}` imports `a`.
        let path: Vec<String> = match last.as_str() {
            "self" if !prefix.is_empty() => prefix.clone(),
            _ => prefix.iter().cloned().chain([last.clone()]).collect(),
        };
        let name = if name == "self" { path[path.len() - 1].clone() } else { name };
        found.push((name, path));
    };
    match tree {
        UseTree::Name(it) => add(it.ident.to_string(), it.ident.to_string()),
        UseTree::Rename(it) => add(it.rename.to_string(), it.ident.to_string()),
        UseTree::Glob(_) => found.push(("*".into(), prefix.clone())),
        UseTree::Path(it) => {
            prefix.push(it.ident.to_string());
            flatten(&it.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Group(it) => it.items.iter().for_each(|tree| flatten(tree, prefix, found)),
    }
}

/// The file of a module that is declared beside this directory.
fn file(directory: &Path, name: &str) -> PathBuf {
    let path = directory.join(name).with_extension("rs");
    if path.exists() { path } else { directory.join(name).join("mod.rs") }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parse(source: &str, path: &Path) -> Vec<Item> {
    let parsed = syn::parse_file(source);
    parsed.unwrap_or_else(|error| panic!("{}: {error}", path.display())).items
}
