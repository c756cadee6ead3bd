//! The public API of a crate, one line for each item, sorted by path.
//!
//! A line is written like Rust, with these liberties: all names are paths in full; ` { .. }` after a struct stands for
//! private fields, and after a method of a trait for a body; the bounds of an `impl` are in the `where` of its methods.
//! Fields, variants and methods have lines of their own.

mod impls;
mod items;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Target;
use super::print::print;
use super::reach::{Public, Reach};
use super::rewrite::{Mention, Rewriter, identifier};
use super::sources::{Crate, What, conditions};

/// A public item.
pub(crate) struct Line {
    /// Its path, and whether it comes after what is declared there: an `impl` does.
    pub(crate) place: (Vec<String>, bool),
    pub(crate) text: String,
    /// What it names, without the traits that are implemented.
    pub(crate) mentions: Vec<Mention>,
    /// Whether all users must change if it gets one more field or variant.
    pub(crate) is_exhaustive: bool,
}

/// What can be seen of a crate.
pub(crate) struct Listing<'a> {
    krate: &'a Crate,
    reach: Reach,
    pub(crate) lines: Vec<Line>,
}

/// Lists the public API of a crate.
pub(crate) fn list(krate: &Crate) -> Listing<'_> {
    let mut listing = Listing { krate, reach: Reach::of(krate), lines: Vec::new() };
    for (module, public) in listing.reach.modules.clone() {
        if module != 0 {
            let path = tokens(&public.path);
            listing.add(&public, quote!(pub mod #path), Vec::new());
        }
    }
    for (id, public) in listing.reach.items.clone() {
        if let What::Item(item) = &krate.entry(id).what {
            listing.item(id.0, item, &public);
        }
    }
    for (target, public) in listing.reach.others.clone() {
        let (from, to) = (listing.reach.path(krate, &target).0, &public.path);
        let (from, to) = (tokens(&from), tokens(to));
        listing.add(&public, quote!(pub use #from as #to), Vec::new());
    }
    for index in 0..krate.modules.len() {
        listing.impls(index);
        listing.macros(index);
    }
    listing.lines.sort_by(|one, other| (&one.place, &one.text).cmp(&(&other.place, &other.text)));
    listing
}

impl Listing<'_> {
    /// All lines, as in the file.
    pub(crate) fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.clone() + "\n").collect()
    }

    /// What the crate re-exports of others.
    pub(crate) fn foreign(&self) -> Vec<&[String]> {
        let others = self.reach.others.iter();
        let foreign = others.filter_map(|(target, _)| match target {
            Target::Foreign(path) => Some(path.as_slice()),
            _ => None,
        });
        foreign.collect()
    }

    fn rewriter(&self, module: usize, generics: &[&syn::Generics]) -> Rewriter<'_> {
        Rewriter::new(self.krate, &self.reach, module, generics)
    }

    fn add(&mut self, public: &Public, tokens: TokenStream, mentions: Vec<Mention>) {
        let words = public.conditions.iter().cloned().chain([print(tokens)]);
        let text = words.collect::<Vec<String>>().join(" ");
        let place = (public.path.clone(), false);
        self.lines.push(Line { place, text, mentions, is_exhaustive: false });
    }

    /// The macros of a module that are exported, and the calls of the crate's own macros: what these make is not seen,
    /// but a change of it mostly changes the call.
    fn macros(&mut self, module: usize) {
        let krate = self.krate;
        let root = vec![krate.name.clone()];
        for item in &krate.modules[module].exported {
            let Some(name) = &item.ident else { continue };
            let path = [root.as_slice(), &[name.to_string()]].concat();
            let public = Public { path, conditions: conditions(&item.attrs) };
            let path = tokens(&public.path);
            self.add(&public, quote!(pub macro #path!), Vec::new());
        }
        for call in &krate.modules[module].calls {
            let (path, arguments) = (&call.mac.path, &call.mac.tokens);
            if krate.macros.iter().any(|name| path.is_ident(name)) {
                let at = Public {
                    path: krate.modules[module].path.clone(),
                    conditions: conditions(&call.attrs),
                };
                let module = tokens(&at.path);
                self.add(&at, quote!(in #module: #path!{#arguments}), Vec::new());
            }
        }
    }
}

/// A path as tokens.
fn tokens(path: &[String]) -> TokenStream {
    let names = path.iter().map(|name| match name.as_str() {
        "*" => quote!(*),
        name => {
            let name = identifier(name);
            quote!(#name)
        }
    });
    quote!(#(#names)::*)
}

/// What is below a public path.
fn below(public: &Public, name: &str, attributes: &[syn::Attribute]) -> Public {
    let mut below = public.clone();
    below.path.push(name.to_owned());
    below.conditions.extend(conditions(attributes));
    below
}
