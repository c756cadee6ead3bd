//! The lines of what a module declares.

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Field, Fields, FnArg, Generics, Item, ItemEnum, ItemStruct, ItemTrait, Pat,
    Signature, TraitItem, Variant,
};

use super::{Listing, below, tokens};
use crate::reach::Public;
use crate::rewrite::{Mention, Rewriter};
use crate::sources::{are_public, is_for_tests, is_hidden, is_public};

impl Listing<'_> {
    /// The lines of an item with a name.
    pub(super) fn item(&mut self, module: usize, item: &Item, public: &Public) {
        let path = tokens(&public.path);
        match item {
            Item::Const(it) => {
                let mut ty = it.ty.clone();
                let mentions = self.rewritten(module, &[], |to| to.visit_type_mut(&mut ty));
                self.add(public, quote!(pub const #path: #ty), mentions);
            }
            Item::Static(it) => {
                let (mut ty, mutability) = (it.ty.clone(), &it.mutability);
                let mentions = self.rewritten(module, &[], |to| to.visit_type_mut(&mut ty));
                self.add(public, quote!(pub static #mutability #path: #ty), mentions);
            }
            Item::Type(it) => {
                let (mut ty, mut generics) = (it.ty.clone(), it.generics.clone());
                let mentions = self.rewritten(module, &[&it.generics], |to| {
                    to.visit_type_mut(&mut ty);
                    to.visit_generics_mut(&mut generics);
                });
                self.add(public, quote!(pub type #path #generics = #ty), mentions);
            }
            Item::Fn(it) => {
                let (line, mentions) = self.function(module, &it.sig, &[], &path);
                self.add(public, quote!(pub #line), mentions);
            }
            Item::Struct(it) => self.structure(module, it, public),
            Item::Enum(it) => self.enumeration(module, it, public),
            Item::Trait(it) => self.interface(module, it, public),
            Item::Union(it) => {
                let mut generics = it.generics.clone();
                let mentions = self
                    .rewritten(module, &[&it.generics], |to| to.visit_generics_mut(&mut generics));
                self.add(public, quote!(pub union #path #generics), mentions);
                self.fields(module, &Fields::Named(it.fields.clone()), &it.generics, public);
            }
            _ => {}
        }
        match item {
            Item::Struct(it) => {
                self.derives(module, &it.attrs, &it.generics, it.fields.iter(), public)
            }
            Item::Enum(it) => {
                let fields = it.variants.iter().flat_map(|it| &it.fields);
                self.derives(module, &it.attrs, &it.generics, fields, public);
            }
            Item::Union(it) => {
                self.derives(module, &it.attrs, &it.generics, it.fields.named.iter(), public)
            }
            _ => {}
        }
    }

    fn structure(&mut self, module: usize, it: &ItemStruct, public: &Public) {
        let (path, open) = (tokens(&public.path), non_exhaustive(&it.attrs));
        let mut generics = it.generics.clone();
        let mut fields = it.fields.clone();
        let mut mentions =
            self.rewritten(module, &[&it.generics], |to| to.visit_generics_mut(&mut generics));
        let bounds = generics.where_clause.take();
        let body = match &mut fields {
            Fields::Unnamed(fields) => {
                fields.unnamed =
                    fields.unnamed.iter().filter(|it| is_seen(&it.attrs)).cloned().collect();
                let each = fields.unnamed.iter_mut().map(|field| {
                    let ty = &mut field.ty;
                    if !is_public(&field.vis) {
                        return quote!(_);
                    }
                    mentions.extend(
                        self.rewritten(module, &[&it.generics], |to| to.visit_type_mut(ty)),
                    );
                    quote!(pub #ty)
                });
                let each: Vec<TokenStream> = each.collect();
                quote!((#(#each),*))
            }
            Fields::Named(fields) => match fields.named.iter().all(|it| is_public(&it.vis)) {
                true => quote!(),
                false => quote!({ .. }),
            },
            Fields::Unit => quote!(;),
        };
        self.add(public, quote!(#open pub struct #path #generics #body #bounds), mentions);
        self.set_exhaustive(open.is_empty() && are_public(&it.fields));
        if matches!(it.fields, Fields::Named(_)) {
            self.fields(module, &it.fields, &it.generics, public);
        }
    }

    /// The lines of public fields.
    fn fields(&mut self, module: usize, fields: &Fields, generics: &Generics, public: &Public) {
        for field in fields.iter().filter(|it| is_public(&it.vis) && is_seen(&it.attrs)) {
            let Some(name) = &field.ident else { continue };
            let public = below(public, &name.to_string(), &field.attrs);
            let (path, mut ty) = (tokens(&public.path), field.ty.clone());
            let mentions = self.rewritten(module, &[generics], |to| to.visit_type_mut(&mut ty));
            self.add(&public, quote!(pub #path: #ty), mentions);
        }
    }

    fn enumeration(&mut self, module: usize, it: &ItemEnum, public: &Public) {
        let (path, open) = (tokens(&public.path), non_exhaustive(&it.attrs));
        let mut generics = it.generics.clone();
        let mentions =
            self.rewritten(module, &[&it.generics], |to| to.visit_generics_mut(&mut generics));
        self.add(public, quote!(#open pub enum #path #generics), mentions);
        self.set_exhaustive(open.is_empty());
        for variant in it.variants.iter().filter(|it| is_seen(&it.attrs)) {
            let public = below(public, &variant.ident.to_string(), &variant.attrs);
            let (path, open) = (tokens(&public.path), non_exhaustive(&variant.attrs));
            let Variant { mut fields, discriminant, .. } = variant.clone();
            fields.iter_mut().for_each(|field| field.attrs.clear());
            let mentions =
                self.rewritten(module, &[&it.generics], |to| to.visit_fields_mut(&mut fields));
            let value = discriminant.map(|(sign, value)| quote!(#sign #value));
            self.add(&public, quote!(#open #path #fields #value), mentions);
        }
    }

    fn interface(&mut self, module: usize, it: &ItemTrait, public: &Public) {
        let (path, unsafety) = (tokens(&public.path), &it.unsafety);
        let (mut generics, mut above) = (it.generics.clone(), it.supertraits.clone());
        let mentions = self.rewritten(module, &[&it.generics], |to| {
            to.visit_generics_mut(&mut generics);
            above.iter_mut().for_each(|it| to.visit_type_param_bound_mut(it));
        });
        let bounds = generics.where_clause.take();
        let above = (!above.is_empty()).then(|| quote!(: #above));
        self.add(public, quote!(pub #unsafety trait #path #generics #above #bounds), mentions);
        for item in &it.items {
            self.part_of_trait(module, item, &it.generics, public);
        }
    }

    fn part_of_trait(
        &mut self,
        module: usize,
        item: &TraitItem,
        outer: &Generics,
        public: &Public,
    ) {
        match item {
            TraitItem::Fn(it) if is_seen(&it.attrs) => {
                let public = below(public, &it.sig.ident.to_string(), &it.attrs);
                let (line, mentions) =
                    self.function(module, &it.sig, &[outer], &tokens(&public.path));
                let body = it.default.as_ref().map(|_| quote!({ .. }));
                self.add(&public, quote!(#line #body), mentions);
            }
            TraitItem::Type(it) if is_seen(&it.attrs) => {
                let public = below(public, &it.ident.to_string(), &it.attrs);
                let path = tokens(&public.path);
                let (mut generics, mut bounds) = (it.generics.clone(), it.bounds.clone());
                let mentions = self.rewritten(module, &[outer, &it.generics], |to| {
                    to.visit_generics_mut(&mut generics);
                    bounds.iter_mut().for_each(|it| to.visit_type_param_bound_mut(it));
                });
                let bounds = (!bounds.is_empty()).then(|| quote!(: #bounds));
                self.add(&public, quote!(type #path #generics #bounds), mentions);
            }
            TraitItem::Const(it) if is_seen(&it.attrs) => {
                let public = below(public, &it.ident.to_string(), &it.attrs);
                let (path, mut ty) = (tokens(&public.path), it.ty.clone());
                let mentions = self.rewritten(module, &[outer], |to| to.visit_type_mut(&mut ty));
                let value = it.default.as_ref().map(|_| quote!(= ..));
                self.add(&public, quote!(const #path: #ty #value), mentions);
            }
            _ => {}
        }
    }

    /// The signature of a function under a path, and what it names. The bounds of what it is in are added to its own.
    pub(super) fn function(
        &self,
        module: usize,
        signature: &Signature,
        outer: &[&Generics],
        path: &TokenStream,
    ) -> (TokenStream, Vec<Mention>) {
        let mut it = signature.clone();
        for argument in &mut it.inputs {
            match argument {
                FnArg::Receiver(it) => {
                    it.attrs.clear();
                    it.mutability = None;
                }
                FnArg::Typed(it) => {
                    it.attrs.clear();
                    *it.pat = match &*it.pat {
                        Pat::Ident(pattern) => {
                            let name = &pattern.ident;
                            syn::parse_quote!(#name)
                        }
                        _ => syn::parse_quote!(_),
                    };
                }
            }
        }
        let mut scope = outer.to_vec();
        scope.push(&signature.generics);
        let mentions = self.rewritten(module, &scope, |to| {
            to.visit_generics_mut(&mut it.generics);
            it.inputs.iter_mut().for_each(|it| match it {
                FnArg::Receiver(it) => to.visit_receiver_mut(it),
                FnArg::Typed(it) => to.visit_type_mut(&mut it.ty),
            });
            to.visit_return_type_mut(&mut it.output);
        });
        let (constness, asyncness, safety, abi) =
            (&it.constness, &it.asyncness, &it.safety, &it.abi);
        let (generics, inputs, output, bounds) =
            (&it.generics, &it.inputs, &it.output, &it.generics.where_clause);
        let line =
            quote!(#constness #asyncness #safety #abi fn #path #generics (#inputs) #output #bounds);
        (line, mentions)
    }

    /// Writes paths in full, and says what they name.
    pub(super) fn rewritten(
        &self,
        module: usize,
        generics: &[&Generics],
        visit: impl FnOnce(&mut Rewriter<'_>),
    ) -> Vec<Mention> {
        let mut rewriter = self.rewriter(module, generics);
        visit(&mut rewriter);
        rewriter.mentions
    }

    fn set_exhaustive(&mut self, is_exhaustive: bool) {
        self.lines.last_mut().unwrap().is_exhaustive = is_exhaustive;
    }
}

/// Whether something that is declared is there outside of tests, and for everyone.
pub(super) fn is_seen(attributes: &[Attribute]) -> bool {
    !is_hidden(attributes) && !attributes.iter().any(is_for_tests)
}

fn non_exhaustive(attributes: &[Attribute]) -> TokenStream {
    let is_open = attributes.iter().any(|it| it.path().is_ident("non_exhaustive"));
    if is_open { quote!(#[non_exhaustive]) } else { quote!() }
}

/// Whether the value of a field is converted into the error that has it.
pub(super) fn is_source(field: &Field) -> bool {
    field.attrs.iter().any(|it| it.path().is_ident("from"))
}
