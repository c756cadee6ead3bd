//! The lines of what is implemented for public types, and of public traits for other types.

use quote::quote;
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Field, GenericParam, Generics, ImplItem, ItemImpl, Path, Token, WhereClause};

use super::items::{is_seen, is_source};
use super::{Line, Listing, below, tokens};
use crate::print::print;
use crate::reach::Public;
use crate::rewrite::Mention;
use crate::sources::{conditions, is_public};

impl Listing<'_> {
    /// The lines of all that a module implements.
    pub(super) fn impls(&mut self, module: usize) {
        let krate = self.krate;
        for it in krate.modules[module].impls.iter().filter(|it| is_seen(&it.attrs)) {
            match &it.trait_ {
                Some((name, _)) => self.trait_impl(module, it, name),
                None => self.inherent(module, it),
            }
        }
    }

    /// The lines of what a public type has of its own.
    fn inherent(&mut self, module: usize, it: &ItemImpl) {
        let (mut ty, mut generics) = (it.self_ty.clone(), it.generics.clone());
        let mut names = Vec::new();
        let bounds = self.rewritten(module, &[&it.generics], |to| {
            to.visit_type_mut(&mut ty);
            names = std::mem::take(&mut to.mentions);
            to.visit_generics_mut(&mut generics);
        });
        let Some(path) = own(&names).filter(|_| are_public(&names)) else { return };
        let public = Public { path, conditions: conditions(&it.attrs) };
        for item in &it.items {
            match item {
                ImplItem::Fn(item) if is_public(&item.vis) && is_seen(&item.attrs) => {
                    let name = &item.sig.ident;
                    let public = below(&public, &name.to_string(), &item.attrs);
                    let mut signature = item.sig.clone();
                    let all = where_clause(&it.generics, signature.generics.where_clause.take());
                    signature.generics.where_clause = all;
                    let (line, mentions) =
                        self.function(module, &signature, &[&it.generics], &quote!(#ty::#name));
                    self.add(&public, quote!(pub #line), [mentions, bounds.clone()].concat());
                }
                ImplItem::Const(item) if is_public(&item.vis) && is_seen(&item.attrs) => {
                    let name = &item.ident;
                    let public = below(&public, &name.to_string(), &item.attrs);
                    let mut of = item.ty.clone();
                    let mentions =
                        self.rewritten(module, &[&it.generics], |to| to.visit_type_mut(&mut of));
                    self.add(&public, quote!(pub const #ty::#name: #of), mentions);
                }
                _ => {}
            }
        }
    }

    /// The line of a trait that is implemented, if both it and the type are public.
    fn trait_impl(&mut self, module: usize, it: &ItemImpl, name: &Path) {
        let (mut name, mut ty, mut generics) =
            (name.clone(), it.self_ty.clone(), it.generics.clone());
        let [mut of_trait, mut of_type, mut of_arguments] = [const { Vec::new() }; 3];
        let mut associated = Vec::new();
        let mut mentions = self.rewritten(module, &[&it.generics], |to| {
            to.rewrite_name(&mut name);
            of_trait = std::mem::take(&mut to.mentions);
            to.visit_type_mut(&mut ty);
            of_type = std::mem::take(&mut to.mentions);
            to.rewrite_arguments(&mut name);
            of_arguments = std::mem::take(&mut to.mentions);
            to.visit_generics_mut(&mut generics);
            for item in &it.items {
                if let ImplItem::Type(item) = item {
                    let (name, mut ty) = (&item.ident, item.ty.clone());
                    to.visit_type_mut(&mut ty);
                    associated.push(quote!(type #name = #ty;));
                }
            }
        });
        if ![&of_trait, &of_type, &of_arguments].into_iter().all(|it| are_public(it)) {
            return;
        }
        let path = [&of_type, &of_trait, &of_arguments].into_iter().find_map(|it| own(it));
        let path = path.unwrap_or_else(|| vec![self.krate.name.clone()]);
        mentions.extend(of_arguments.into_iter().chain(of_type));
        let (unsafety, polarity) = (&it.unsafety, &it.modifiers.polarity);
        let bounds = generics.where_clause.take();
        let body = (!associated.is_empty()).then(|| quote!({ #(#associated)* }));
        let line = quote!(#unsafety impl #generics #polarity #name for #ty #bounds #body);
        self.add_impl(Public { path, conditions: conditions(&it.attrs) }, print(line), mentions);
    }

    /// The lines of the traits that are derived, which are as if they were written out.
    pub(super) fn derives<'f>(
        &mut self,
        module: usize,
        attributes: &[Attribute],
        generics: &Generics,
        fields: impl Iterator<Item = &'f Field> + Clone,
        public: &Public,
    ) {
        let lists = attributes.iter().filter(|it| it.path().is_ident("derive"));
        let names: Vec<Path> = lists
            .flat_map(|it| {
                it.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).unwrap()
            })
            .collect();
        let ty = tokens(&public.path);
        for mut name in names {
            self.rewritten(module, &[], |to| to.visit_path_mut(&mut name));
            let name = print(quote!(#name));
            let traits: &[&str] = match name.as_str() {
                "Debug" => &["std::fmt::Debug"],
                "Hash" => &["std::hash::Hash"],
                "thiserror::Error" => &["std::error::Error", "std::fmt::Display"],
                name => &[name],
            };
            for derived in traits {
                let derived: Path = syn::parse_str(derived).unwrap();
                let mut bounded = generics.clone();
                self.rewritten(module, &[generics], |to| to.visit_generics_mut(&mut bounded));
                for parameter in bounded.type_params_mut() {
                    parameter.bounds.push(syn::parse_quote!(#derived));
                    parameter.default = None;
                }
                let (parameters, arguments, bounds) = bounded.split_for_impl();
                let line = quote!(impl #parameters #derived for #ty #arguments #bounds);
                self.add_impl(public.clone(), print(line), Vec::new());
            }
            if name == "thiserror::Error" {
                for field in fields.clone().filter(|it| is_source(it)) {
                    let mut from = field.ty.clone();
                    let mentions =
                        self.rewritten(module, &[generics], |to| to.visit_type_mut(&mut from));
                    let line = quote!(impl From<#from> for #ty);
                    self.add_impl(public.clone(), print(line), mentions);
                }
            }
        }
    }

    fn add_impl(&mut self, public: Public, line: String, mentions: Vec<Mention>) {
        let words: Vec<String> = public.conditions.into_iter().chain([line]).collect();
        let (place, text) = ((public.path, true), words.join(" "));
        self.lines.push(Line { place, text, mentions, is_exhaustive: false });
    }
}

/// The outermost item of the crate that is named: a path is noted after its arguments.
fn own(mentions: &[Mention]) -> Option<Vec<String>> {
    mentions.iter().rev().find_map(|it| match it {
        Mention::Own(path, _) => Some(path.clone()),
        _ => None,
    })
}

/// Whether everything of the crate that is named can be named from outside.
fn are_public(mentions: &[Mention]) -> bool {
    mentions.iter().all(|it| !matches!(it, Mention::Own(_, false)))
}

/// The bounds of an `impl` and of its method together.
fn where_clause(generics: &Generics, own: Option<WhereClause>) -> Option<WhereClause> {
    let mut all = generics.where_clause.clone().unwrap_or(syn::parse_quote!(where));
    for parameter in &generics.params {
        match parameter {
            GenericParam::Type(it) if !it.bounds.is_empty() => {
                let (name, bounds) = (&it.ident, &it.bounds);
                all.predicates.push(syn::parse_quote!(#name: #bounds));
            }
            GenericParam::Lifetime(it) if !it.bounds.is_empty() => {
                let (name, bounds) = (&it.lifetime, &it.bounds);
                all.predicates.push(syn::parse_quote!(#name: #bounds));
            }
            _ => {}
        }
    }
    all.predicates.extend(own.into_iter().flat_map(|it| it.predicates));
    (!all.predicates.is_empty()).then_some(all)
}
