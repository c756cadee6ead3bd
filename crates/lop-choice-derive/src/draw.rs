//! `derive(Draw)`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Data, DeriveInput, Error, Expr, Field, Fields, LitInt, Result, parse_quote};

/// What the attributes `#[draw(…)]` of a field or a variant say.
#[derive(Default)]
struct Options {
    with: Option<Expr>,
    weight: Option<LitInt>,
    skip: bool,
}

impl Options {
    fn of(attributes: &[Attribute]) -> Result<Options> {
        let mut options = Options::default();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("draw")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("with") {
                    options.with = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("weight") {
                    options.weight = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("skip") {
                    options.skip = true;
                } else {
                    return Err(
                        meta.error("`draw` knows `with = GENERATOR`, `weight = NUMBER` and `skip`")
                    );
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}

/// Implements `Draw` for a type.
pub(crate) fn implement(input: &DeriveInput) -> Result<TokenStream> {
    let drawn = match &input.data {
        Data::Struct(data) => fields(&quote!(Self), &data.fields)?,
        Data::Enum(data) => variants(input, data)?,
        Data::Union(_) => {
            let why = "a union cannot be drawn: implement `Draw` for it by hand";
            return Err(Error::new(input.ident.span(), why));
        }
    };
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(::lop_choice::Draw));
    }
    let (with, of, condition) = generics.split_for_impl();
    let name = &input.ident;
    Ok(quote! {
        #[automatically_derived]
        impl #with ::lop_choice::Draw for #name #of #condition {
            fn draw(source: &mut ::lop_choice::Source) -> Self {
                #drawn
            }
        }
    })
}

/// An expression that draws all fields.
fn fields(of: &TokenStream, fields: &Fields) -> Result<TokenStream> {
    let values = fields.iter().map(value).collect::<Result<Vec<_>>>()?;
    let names = fields.iter().map(|field| &field.ident);
    Ok(match fields {
        Fields::Named(_) => quote!(#of { #(#names: #values),* }),
        Fields::Unnamed(_) => quote!(#of(#(#values),*)),
        Fields::Unit => quote!(#of),
    })
}

fn value(field: &Field) -> Result<TokenStream> {
    let options = Options::of(&field.attrs)?;
    if options.weight.is_some() {
        return Err(Error::new(field.span(), "only a variant has a weight"));
    }
    Ok(match options {
        Options { skip: true, .. } => quote!(::std::default::Default::default()),
        Options { with: Some(with), .. } => quote!(source.draw(#with)),
        _ => quote_spanned!(field.ty.span()=> source.any()),
    })
}

/// An expression that draws one of the variants.
fn variants(input: &DeriveInput, data: &syn::DataEnum) -> Result<TokenStream> {
    let mut alternatives = Vec::new();
    for variant in &data.variants {
        let options = Options::of(&variant.attrs)?;
        if options.with.is_some() {
            return Err(Error::new(variant.span(), "a field has a generator, a variant has none"));
        }
        if options.skip {
            continue;
        }
        let name = &variant.ident;
        let drawn = fields(&quote!(Self::#name), &variant.fields)?;
        let weight = options.weight.map_or(quote!(1), |weight| quote!(#weight));
        let types = variant.fields.iter().map(|field| field.ty.to_token_stream());
        let is_recursive = types.into_iter().any(|of| mentions(of, input));
        let generator = quote!(&|source: &mut ::lop_choice::Source| #drawn);
        alternatives.push(quote!((#weight, #is_recursive, #generator)));
    }
    if alternatives.is_empty() {
        let why = "it has no variant that could be drawn";
        return Err(Error::new(input.ident.span(), why));
    }
    Ok(quote!(source.variant(&[#(#alternatives),*])))
}

/// Whether the type of a field names the type that it is a field of.
fn mentions(of: TokenStream, input: &DeriveInput) -> bool {
    of.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == input.ident || name == "Self",
        TokenTree::Group(group) => mentions(group.stream(), input),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
