//! The macros of lop-choice, which are used through that crate: `derive(Draw)` and `#[property]`.

mod draw;
mod property;

use proc_macro::TokenStream;

/// Draws each field of a struct, or one variant of an enum, of which the first is the simplest.
///
/// `#[draw(with = …)]` on a field names its generator, `#[draw(weight = 3)]` on a variant makes it three times as likely, and `#[draw(skip)]` leaves a variant
/// out, or a field to its `Default`.
#[proc_macro_derive(Draw, attributes(draw))]
pub fn derive_draw(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    draw::implement(&input).unwrap_or_else(|error| error.into_compile_error()).into()
}

/// Makes a test of a function: its arguments are drawn, and named in the report.
///
/// `#[draw(…)]` on an argument names its generator. `#[example(…)]` gives arguments that are tried first, as they are. `#[property(…)]` takes settings of
/// `Check`, such as `cases = 1000`.
#[proc_macro_attribute]
pub fn property(settings: TokenStream, function: TokenStream) -> TokenStream {
    let settings = syn::parse_macro_input!(settings with property::Settings::parse);
    let function = syn::parse_macro_input!(function as syn::ItemFn);
    property::test(&settings, function).unwrap_or_else(|error| error.into_compile_error()).into()
}
