//! What is listed of small sources.

use super::listing::list;
use super::sources::Crate;

#[test]
fn each_kind_of_item_has_its_line() {
    check(
        "pub fn f(mut a: u8, (b, _): (u8, u8)) -> u8 { 0 }",
        &["pub fn it::f(a: u8, _: (u8, u8)) -> u8"],
    );
    check("pub const unsafe extern \"C\" fn f() {}", &["pub const unsafe extern \"C\" fn it::f()"]);
    check(
        "pub const A: &[u8] = &[1]; pub static B: u8 = 1;",
        &["pub const it::A: &[u8]", "pub static it::B: u8"],
    );
    check("pub type A<T> = Result<T, ()>;", &["pub type it::A<T> = Result<T, ()>"]);
    check("pub mod a {}", &["pub mod it::a"]);
    check("#[macro_export] macro_rules! m { () => {} }", &["pub macro it::m!"]);
    check("pub union U { pub a: u8, b: u8 }", &["pub union it::U", "pub it::U::a: u8"]);
    check("fn f() {} struct S; const A: u8 = 1; macro_rules! m { () => {} }", &[]);
}

#[test]
fn a_struct_shows_its_public_fields_and_that_it_has_others() {
    check("pub struct A;", &["pub struct it::A;"]);
    check("pub struct A(pub u8, u8);", &["pub struct it::A(pub u8, _)"]);
    check("pub struct A { pub b: u8 }", &["pub struct it::A", "pub it::A::b: u8"]);
    check(
        "pub struct A { pub b: u8, pub(crate) c: u8 }",
        &["pub struct it::A { .. }", "pub it::A::b: u8"],
    );
    check("#[non_exhaustive] pub struct A {}", &["#[non_exhaustive] pub struct it::A"]);
    check(
        "pub struct A<'a, T: Clone = u8, const N: usize>(&'a [T; N]) where T: Send;",
        &["pub struct it::A<'a, T: Clone = u8, const N: usize>(_) where T: Send"],
    );
}

#[test]
fn an_enum_shows_its_variants() {
    check(
        "pub enum A<T> { B, C(T, (T,)), D { e: T, }, F = 3 }",
        &[
            "pub enum it::A<T>",
            "it::A::B",
            "it::A::C(T, (T,))",
            "it::A::D { e: T }",
            "it::A::F = 3",
        ],
    );
    check("#[non_exhaustive] pub enum A {}", &["#[non_exhaustive] pub enum it::A"]);
}

#[test]
fn a_trait_shows_what_must_be_implemented_and_what_has_a_body() {
    check(
        "pub trait A<T>: Send + Sync where T: Copy { type B: Clone; const C: u8; const D: u8 = 1; fn e(&self); fn f(self: Box<Self>) {} }",
        &[
            "pub trait it::A<T>: Send + Sync where T: Copy",
            "type it::A::B: Clone",
            "const it::A::C: u8",
            "const it::A::D: u8 = ..",
            "fn it::A::e(&self)",
            "fn it::A::f(self: Box<Self>) { .. }",
        ],
    );
}

#[test]
fn what_a_private_module_has_is_seen_only_where_it_is_re_exported() {
    check("mod a { pub struct B; pub struct C; impl C { pub fn d(&self) {} } }", &[]);
    check("mod a { pub struct B; pub struct C; } pub use a::B;", &["pub struct it::B;"]);
    check(
        "mod a { pub mod b { pub fn c() {} } } pub use a::b;",
        &["pub mod it::b", "pub fn it::b::c()"],
    );
    check(
        "mod a { mod b { pub fn c() {} } pub use self::b::c; } pub use a::c as d;",
        &["pub fn it::d()"],
    );
    check("mod a { pub fn b() {} } pub(crate) use a::b; use a::b as c;", &[]);
    check(
        "pub mod a { pub use super::b::c; } mod b { pub fn c() {} }",
        &["pub mod it::a", "pub fn it::a::c()"],
    );
    check(
        "mod a { pub struct B; impl B { pub fn new() -> B { B } } } pub use a::B as C;",
        &["pub struct it::C;", "pub fn it::C::new() -> it::C"],
    );
}

#[test]
fn a_glob_brings_all_public_names_but_those_that_are_declared() {
    check(
        "mod a { pub fn b() {} fn c() {} pub(crate) fn d() {} } pub use a::*;",
        &["pub fn it::b()"],
    );
    check(
        "mod a { pub const B: u8 = 1; } pub use a::*; pub const B: i8 = 1;",
        &["pub const it::B: i8"],
    );
    check(
        "mod a { pub use super::b::*; } mod b { pub use super::a::*; pub fn c() {} } pub use a::*;",
        &["pub fn it::c()"],
    );
    check(
        "pub enum A { B } pub use A::*;",
        &["pub enum it::A", "it::A::B", "pub use it::A::B as it::B"],
    );
    check("pub use other::*;", &["pub use other::* as it::*"]);
    check("use a::*; mod a { pub struct B; } pub fn c(_: B) {}", &["pub fn it::c(_: it::a::B)"]);
}

#[test]
fn an_item_with_several_paths_is_listed_under_the_shortest() {
    check(
        "pub mod a { pub struct B; } pub use a::B;",
        &["pub struct it::B;", "pub mod it::a", "pub use it::B as it::a::B"],
    );
    check(
        "pub mod a { pub fn b() {} } pub mod c { pub use super::a::b; }",
        &["pub mod it::a", "pub fn it::a::b()", "pub mod it::c", "pub use it::a::b as it::c::b"],
    );
    check("pub mod a {} pub use a as b;", &["pub mod it::a", "pub use it::a as it::b"]);
}

#[test]
fn another_crate_is_one_line() {
    check("pub use other as mine;", &["pub use other as it::mine"]);
    check(
        "pub use other::{self, a::{B, C as D}};",
        &[
            "pub use other::a::B as it::B",
            "pub use other::a::C as it::D",
            "pub use other as it::other",
        ],
    );
}

#[test]
fn a_function_and_a_module_may_have_one_name() {
    check("mod a { pub fn a() {} } pub use a::a;", &["pub fn it::a()"]);
    check("mod t { mod a { pub fn a() {} } pub use a::a; } pub use t::a;", &["pub fn it::a()"]);
    check(
        "pub mod a { pub fn b() {} } pub fn a() {}",
        &["pub fn it::a()", "pub mod it::a", "pub fn it::a::b()"],
    );
}

#[test]
fn tests_and_hidden_items_are_left_out_and_conditions_shown() {
    check("#[cfg(test)] pub mod a {} #[cfg(test)] pub fn b() {} #[cfg(test)] pub use c::d;", &[]);
    check(
        "#[doc(hidden)] pub mod a { pub fn b() {} } #[doc(hidden)] pub fn c() {} #[doc(hidden)] pub use d::e;",
        &[],
    );
    check(
        "pub enum A { #[doc(hidden)] B } impl A { #[doc(hidden)] pub fn c() {} #[cfg(test)] pub fn d() {} }",
        &["pub enum it::A"],
    );
    check("#[cfg(unix)] pub fn a() {}", &["#[cfg(unix)] pub fn it::a()"]);
    check(
        "#[cfg(feature = \"f\")] pub use a::B; mod a { pub struct B; #[cfg(unix)] impl B { pub fn c() {} } }",
        &["#[cfg(feature = \"f\")] pub struct it::B;", "#[cfg(unix)] pub fn it::B::c()"],
    );
}

#[test]
fn impls_are_listed_if_both_the_trait_and_the_type_are_public() {
    check("struct A; impl Clone for A {} trait B {} impl B for u8 {}", &[]);
    check(
        "pub struct A; trait B {} impl B for A {} impl From<C> for A {} struct C;",
        &["pub struct it::A;"],
    );
    check(
        "pub struct A; impl A { pub const B: u8 = 1; pub fn c(&mut self) {} fn d() {} }",
        &["pub struct it::A;", "pub const it::A::B: u8", "pub fn it::A::c(&mut self)"],
    );
    check(
        "pub struct A; impl Iterator for A { type Item = A; fn next(&mut self) {} }",
        &["pub struct it::A;", "impl Iterator for it::A { type Item = it::A; }"],
    );
    check(
        "pub trait A {} impl<T: Fn(&u8) -> bool> A for &T {}",
        &["pub trait it::A", "impl<T: Fn(&u8) -> bool> it::A for &T"],
    );
    check(
        "pub struct A; mod b { use std::fmt; impl fmt::Display for super::A {} }",
        &["pub struct it::A;", "impl std::fmt::Display for it::A"],
    );
    check(
        "pub struct A<'a, T>(&'a T); impl<'a, T: Copy> A<'a, T> { pub fn b<U>(u: U) where U: Into<T>, {} }",
        &[
            "pub struct it::A<'a, T>(_)",
            "pub fn it::A<'a, T>::b<U>(u: U) where T: Copy, U: Into<T>",
        ],
    );
}

#[test]
fn what_is_derived_is_implemented() {
    check(
        "#[derive(Debug, Copy)] pub struct A;",
        &["pub struct it::A;", "impl Copy for it::A", "impl std::fmt::Debug for it::A"],
    );
    check(
        "#[derive(Hash)] pub struct A<'a, T: Send>(&'a T);",
        &[
            "pub struct it::A<'a, T: Send>(_)",
            "impl<'a, T: Send + std::hash::Hash> std::hash::Hash for it::A<'a, T>",
        ],
    );
    check(
        "#[derive(thiserror::Error)] pub enum A { B(#[from] std::io::Error) }",
        &[
            "pub enum it::A",
            "impl From<std::io::Error> for it::A",
            "impl std::error::Error for it::A",
            "impl std::fmt::Display for it::A",
            "it::A::B(std::io::Error)",
        ],
    );
}

#[test]
fn names_are_written_in_full() {
    check(
        "use std::{io, path::Path as P}; pub fn f(p: &P) -> io::Result<()> {}",
        &["pub fn it::f(p: &std::path::Path) -> std::io::Result<()>"],
    );
    check(
        "mod a { pub struct B<T>(T); } pub use a::B as C; pub type D = a::B<crate::C<self::a::B<u8>>>;",
        &["pub struct it::C<T>(_)", "pub type it::D = it::C<it::C<it::C<u8>>>"],
    );
    check(
        "pub struct T; pub fn f<T>(t: T) -> T::U {}",
        &["pub struct it::T;", "pub fn it::f<T>(t: T) -> T::U"],
    );
    check(
        "use other::Trait; pub fn f<T>(a: <T as Trait<u8>>::U) {}",
        &["pub fn it::f<T>(a: <T as other::Trait<u8>>::U)"],
    );
    check(
        "pub const N: usize = 1; pub fn f(a: [u8; N]) {}",
        &["pub const it::N: usize", "pub fn it::f(a: [u8; it::N])"],
    );
    check(
        "pub fn f(a: impl for<'a> Fn(&'a mut [u8]) -> Option<&'a dyn Send>) {}",
        &["pub fn it::f(a: impl for<'a> Fn(&'a mut [u8]) -> Option<&'a dyn Send>)"],
    );
    check(
        "pub fn f(r#type: fn(u8,) -> !, b: *const u8) {}",
        &["pub fn it::f(r#type: fn(u8) -> !, b: *const u8)"],
    );
}

#[test]
fn the_calls_of_the_crates_own_macros_are_shown() {
    check(
        "mod a { macro_rules! m { () => {} } m!{u8, i8} thread_local!{} }",
        &["in it::a: m! { u8, i8 }"],
    );
}

/// Checks the lines of a crate.
fn check(source: &str, expected: &[&str]) {
    let krate = Crate::parse("it", source);
    let listing = list(&krate);
    let lines: Vec<&str> = listing.lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(lines, expected, "{source}");
}
