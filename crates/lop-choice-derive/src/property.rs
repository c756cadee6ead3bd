//! `#[property]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, FnArg, Ident, ItemFn, Meta, MetaNameValue, Pat, Result, Token};

/// The settings of the check: `cases = 1000, seed = Some(1)`.
pub(crate) struct Settings(Vec<(Ident, Expr)>);

impl Settings {
    pub(crate) fn parse(input: ParseStream<'_>) -> Result<Settings> {
        let all = Punctuated::<MetaNameValue, Token![,]>::parse_terminated(input)?;
        let setting = |it: MetaNameValue| Ok((it.path.require_ident()?.clone(), it.value));
        Ok(Settings(all.into_iter().map(setting).collect::<Result<_>>()?))
    }
}

/// The test of a function.
pub(crate) fn test(settings: &Settings, mut function: ItemFn) -> Result<TokenStream> {
    let signature = &mut function.sig;
    if signature.asyncness.is_some() || !signature.generics.params.is_empty() {
        let why =
            "a property is a function without generics; for an asynchronous one call `check_async`";
        return Err(Error::new(signature.ident.span(), why));
    }
    let mut names = Vec::new();
    let mut draws = Vec::new();
    for argument in &mut signature.inputs {
        let FnArg::Typed(argument) = argument else {
            return Err(Error::new(signature.ident.span(), "a property has no `self`"));
        };
        let place = names.len();
        let name = match &*argument.pat {
            Pat::Ident(name) => name.ident.to_string(),
            _ => format!("argument {}", place + 1),
        };
        let generators = taken(&mut argument.attrs, "draw");
        let of = &argument.ty;
        let generator = match &generators[..] {
            [] => quote!(<#of as ::lop_choice::Draw>::draw),
            [one] => one.meta.require_list()?.tokens.clone(),
            _ => return Err(Error::new_spanned(of, "an argument has one generator")),
        };
        let value = format_ident!("value{place}");
        draws.push(quote!(let #value: #of = source.named(#name, #generator);));
        names.push(value);
    }
    let count = names.len();
    let examples = taken(&mut function.attrs, "example").into_iter().map(|example| {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        let values = match &example.meta {
            Meta::List(list) => parser.parse2(list.tokens.clone())?,
            other => return Err(Error::new_spanned(other, "write `#[example(VALUE, …)]`")),
        };
        if values.len() != count {
            let why = format!("the property has {count} arguments, the example {}", values.len());
            return Err(Error::new_spanned(&example, why));
        }
        Ok(values.into_iter().collect())
    });
    let examples = examples.collect::<Result<Vec<Vec<Expr>>>>()?;
    let shown = examples.iter().map(|values| quote!(stringify!(#(#values),*)));
    let examples = examples.iter().enumerate().map(
        |(at, values)| quote!(if source.example() == Some(#at) { return property(#(#values),*); }),
    );
    let (attributes, visibility) = (&function.attrs, &function.vis);
    let (name, inputs, output) = (&function.sig.ident, &function.sig.inputs, &function.sig.output);
    let body = &function.block;
    let (keys, values): (Vec<_>, Vec<_>) =
        settings.0.iter().map(|(key, value)| (key, value)).unzip();
    Ok(quote! {
        #(#attributes)*
        #[test]
        #visibility fn #name() {
            fn property(#inputs) #output #body
            let check = ::lop_choice::Check { #(#keys: #values,)* ..::lop_choice::Check::default() };
            check.check_examples(&[#(#shown),*], |source: &mut ::lop_choice::Source| {
                #(#examples)*
                #(#draws)*
                property(#(#names),*)
            });
        }
    })
}

/// Takes the attributes of a name out of a list.
fn taken(attributes: &mut Vec<Attribute>, name: &str) -> Vec<Attribute> {
    let is_it = |attribute: &mut Attribute| attribute.path().is_ident(name);
    attributes.extract_if(.., is_it).collect()
}
