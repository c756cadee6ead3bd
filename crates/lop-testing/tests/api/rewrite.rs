//! Types as everyone sees them: each path in full, and a note of what it names.

use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, ExprPath, GenericParam, Generics, Ident, Macro, Path, PathSegment, TypePath};

use super::names::{Space, Target};
use super::reach::Reach;
use super::sources::Crate;

/// What Rust knows without an import.
const KNOWN: &str = "\
    bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize \
    AsMut AsRef AsyncFn AsyncFnMut AsyncFnOnce Box Clone Copy Default DoubleEndedIterator Drop Eq ExactSizeIterator Extend Fn FnMut FnOnce From \
    FromIterator Future Into IntoIterator Iterator None Ok Err Option Ord PartialEq PartialOrd Result Self Send Sized Some \
    String Sync ToOwned ToString TryFrom TryInto Unpin Vec";

/// Something that a signature names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mention {
    /// An item of the crate, and whether it can be named from outside.
    Own(Vec<String>, bool),
    /// An item of another crate.
    Foreign(Vec<String>),
    /// A name that is neither imported nor always known.
    Unknown(String),
}

/// Writes paths in full, in what is visited.
pub(crate) struct Rewriter<'a> {
    krate: &'a Crate,
    reach: &'a Reach,
    module: usize,
    /// The parameters in scope, which hide items of the same name.
    parameters: Vec<String>,
    pub(crate) mentions: Vec<Mention>,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(
        krate: &'a Crate,
        reach: &'a Reach,
        module: usize,
        generics: &[&Generics],
    ) -> Self {
        let parameters = generics.iter().flat_map(|it| &it.params).filter_map(|it| match it {
            GenericParam::Type(it) => Some(it.ident.to_string()),
            GenericParam::Const(it) => Some(it.ident.to_string()),
            GenericParam::Lifetime(_) => None,
        });
        let parameters = parameters.collect();
        Rewriter { krate, reach, module, parameters, mentions: Vec::new() }
    }

    /// Writes the arguments of a path in full.
    pub(crate) fn rewrite_arguments(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
    }

    /// Writes a path in full, but not its arguments.
    pub(crate) fn rewrite_name(&mut self, path: &mut Path) {
        let length = path.segments.len();
        self.rewrite(path, length, Space::Types);
    }

    /// Writes the start of a path in full. Its arguments stay with their names: those are counted from the end, since only the
    /// start of a path changes.
    fn rewrite(&mut self, path: &mut Path, length: usize, space: Space) {
        let names: Vec<String> =
            path.segments.iter().take(length).map(|it| it.ident.to_string()).collect();
        let is_global = path.leading_colon.is_some();
        if !is_global && (names[0] == "Self" || self.parameters.contains(&names[0])) {
            return;
        }
        let target = match is_global {
            true => Some(Target::Foreign(names.clone())),
            false => self.krate.resolve(self.module, &names, space),
        };
        let Some(target) = target else {
            self.mentions.push(Mention::Unknown(names.join("::")));
            return;
        };
        let (new, is_public) = self.reach.path(self.krate, &target);
        match &target {
            Target::Foreign(foreign) if foreign.len() == 1 && !is_global => {
                if !KNOWN.split(' ').any(|known| known == foreign[0]) {
                    self.mentions.push(Mention::Unknown(foreign[0].clone()));
                }
            }
            Target::Foreign(foreign) => self.mentions.push(Mention::Foreign(foreign.clone())),
            _ => self.mentions.push(Mention::Own(new.clone(), is_public)),
        }
        let mut old: Vec<PathSegment> = std::mem::take(&mut path.segments).into_iter().collect();
        let after = old.split_off(length);
        let mut segments: Vec<PathSegment> =
            new.iter().map(|name| PathSegment::from(identifier(name))).collect();
        for (segment, old) in segments.iter_mut().rev().zip(old.into_iter().rev()) {
            segment.arguments = old.arguments;
        }
        path.leading_colon = None;
        path.segments = segments.into_iter().chain(after).collect();
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        self.rewrite_arguments(path);
        self.rewrite_name(path);
    }

    fn visit_expr_path_mut(&mut self, it: &mut ExprPath) {
        if it.qself.is_none() {
            visit_mut::visit_path_mut(self, &mut it.path);
            let length = it.path.segments.len();
            self.rewrite(&mut it.path, length, Space::Values);
        }
    }

    /// In `<T as a::Trait>::Item`, the first two names are a path of their own.
    fn visit_type_path_mut(&mut self, it: &mut TypePath) {
        let Some(within) = &mut it.qself else { return self.visit_path_mut(&mut it.path) };
        self.visit_type_mut(&mut within.ty);
        visit_mut::visit_path_mut(self, &mut it.path);
        let position = it.qself.as_ref().map_or(0, |it| it.position);
        if position > 0 {
            let after = it.path.segments.len() - position;
            self.rewrite(&mut it.path, position, Space::Types);
            let position = it.path.segments.len() - after;
            it.qself.iter_mut().for_each(|it| it.position = position);
        }
    }

    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}

    fn visit_macro_mut(&mut self, _: &mut Macro) {}
}

/// A name as an identifier, also if it is written `r#type`.
pub(crate) fn identifier(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(name) => format_ident!("r#{name}"),
        None => format_ident!("{name}"),
    }
}
