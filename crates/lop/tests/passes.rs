//! The proposals of the passes for small texts.

mod common;
#[path = "common/proposals.rs"]
mod proposals;
#[path = "common/snippets.rs"]
mod snippets;

use std::sync::Arc;

use common::parse;
use lop::passes::{Lore, PASSES};
use lop::tree::{Corpus, Format};
use lop::{Reduction, Strategy};
use proposals::{proposed, proposed_with, proposes};

#[test]
fn lift_puts_descendants_into_the_places_where_the_grammar_allows_them() {
    proposes("lift", "c", "int x = f(a + b);", "int x = a + b;");
    proposes("lift", "c", "void f() { if (1) g(); }", "void f() { g(); }");
    proposes("lift", "json", "[1, {\"a\": [2]}]", "{\"a\": [2]}");
}

#[test]
fn splice_puts_the_elements_of_a_list_into_a_list_above() {
    proposes("splice", "javascript", "(function () { a(); b(); })();", "a(); b();");
    proposes("splice", "c", "void f() { { a(); b(); } c(); }", "void f() { a(); b(); c(); }");
    proposes("splice", "python", "if x:\n    a\n    b\nc\n", "a\nb\nc\n");
    proposes("splice", "json", "[1, [2, 3], 4]", "[1, 2, 3, 4]");
}

#[test]
fn columns_takes_the_same_field_out_of_every_row() {
    proposes("columns", "csv", "a,b,c\n1,\"x,y\",3\n", "a,c\n1,3\n");
    proposes("columns", "csv", "a,b\n1,2,3\n", "a,b\n1,2\n");
    proposes("columns", "csv", ",name,,\n,bug,,\n", "name,,\nbug,,\n");
    proposes("columns", "csv", ",name,,\n,bug,7,\n", ",name,\n,bug,\n");
    proposes("columns", "json", "[[1, 2], [3, 4]]", "[[2], [4]]");
    proposes(
        "columns",
        "json",
        "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 4}]",
        "[{\"a\": 1}, {\"a\": 3}]",
    );
    let insert = "INSERT INTO t VALUES (1, 'a'), (2, 'b');";
    proposes("columns", "sql", insert, "INSERT INTO t VALUES (1), (2);");
    assert!(proposed("columns", "c", "int f(int a) { g(1); h(2); return 0; }").is_empty());
}

#[test]
fn columns_takes_a_field_out_of_all_lists_of_a_statement_and_of_a_table() {
    let insert = "INSERT INTO t (a, b) SELECT c, d FROM u;";
    proposes("columns", "sql", insert, "INSERT INTO t (b) SELECT d FROM u;");
    let table = "CREATE TABLE t (a int, b int, c int); SELECT 1; INSERT INTO t VALUES (4, 5, 6);";
    let fewer = "CREATE TABLE t (a int, c int); SELECT 1; INSERT INTO t VALUES (4, 6);";
    proposes("columns", "sql", table, fewer);
    let table = "CREATE TABLE t (a int, b int); INSERT INTO t VALUES (3, 4), (5, 6);";
    let fewer = "CREATE TABLE t (a int); INSERT INTO t VALUES (3), (5);";
    proposes("columns", "sql", table, fewer);
    // A query of the table may have as many results by chance.
    let table = "CREATE TABLE t (a int, b int); INSERT INTO t VALUES (3, 4); SELECT a, 5 FROM t;";
    let fewer = "CREATE TABLE t (a int); INSERT INTO t VALUES (3); SELECT a, 5 FROM t;";
    proposes("columns", "sql", table, fewer);
    let table = "CREATE TABLE t (a int, b int, c int); INSERT INTO t (c, b) VALUES (1, 2); INSERT INTO t VALUES (3, 4, 5);";
    let fewer =
        "CREATE TABLE t (a int, c int); INSERT INTO t (c) VALUES (1); INSERT INTO t VALUES (3, 5);";
    proposes("columns", "sql", table, fewer);
    let fewer = "CREATE TABLE t (b int, c int); INSERT INTO t (c, b) VALUES (1, 2); INSERT INTO t VALUES (4, 5);";
    proposes("columns", "sql", table, fewer);
}

#[test]
fn wrap_adds_the_tokens_that_a_descendant_needs() {
    proposes("wrap", "c", "void h() { if (f()) g; }", "void h() { f(); }");
    proposes("wrap", "c", "void h() { while (i < n) { } }", "void h() { i < n; }");
}

#[test]
fn substitute_puts_the_least_that_fits_into_a_place() {
    proposes("substitute", "c", "int y; int x = f(a + b) * 2;", "int y; int x = 2;");
    proposes("substitute", "c", "int y; int x = f(a + b);", "int y; int x = 0;");
    proposes("substitute", "c", "int y; int x = f(a + b);", "int y; int x = f(y);");
}

#[test]
fn substitute_puts_a_string_where_neither_a_number_nor_a_name_may_do() {
    for (format, text, expected) in [
        ("javascript", "x = f(g(1)).h(2) + 3;", "x = \"\" + 3;"),
        ("python", "x = f(g(1)).h(2) + 3\n", "x = '' + 3\n"),
        ("ruby", "x = f(g(1)).h(2) + 3\n", "x = '' + 3\n"),
        ("php", "<?php\n$x = f(g(1)) + 3;\n", "<?php\n$x = \"\" + 3;\n"),
        ("rust", "fn f() { let x: T = f(g(1)).h(2); }", "fn f() { let x: T = \"\"; }"),
        ("lua", "x = f(g(1)) .. y\n", "x = \"\" .. y\n"),
        ("cpp", "S x = f(g(1)).h(2);", "S x = \"\";"),
    ] {
        proposes("substitute", format, text, expected);
    }
}

#[test]
fn substitute_puts_nothing_where_a_part_of_a_value_is_asked_for() {
    for (format, text, expected) in [
        ("javascript", "f(a).b;", "undefined.b;"),
        ("javascript", "f(a).b;", "null.b;"),
        ("javascript", "f(a)(b);", "undefined(b);"),
        ("python", "f(a).b\n", "None.b\n"),
        ("python", "f(a)[b]\n", "{}[b]\n"),
        ("python", "f(a)[b]\n", "[][b]\n"),
        ("ruby", "f(a).b\n", "nil.b\n"),
        ("java", "class A { int b = f(a).b; }", "class A { int b = null.b; }"),
    ] {
        proposes("substitute", format, text, expected);
    }
    let others = proposed("substitute", "python", "x = f(a)\nf(a).b\n");
    assert!(!others.iter().any(|it| it.starts_with("x = None") || it.contains("{}")), "{others:?}");
    assert!(!proposed("substitute", "c", "int b = f(a).b;").iter().any(|it| it.contains("null")));
}

#[test]
fn substitute_puts_a_leaf_in_the_place_of_what_is_around_it() {
    let text = "{r[0]: None for r in [(1,)]}[c] * 0\n";
    proposes("substitute", "python", text, "None * 0\n");
}

#[test]
fn substitute_knows_what_was_seen_in_other_texts() {
    let (text, expected) = ("f(lambda: g(x))\n", "f(None)\n".to_string());
    assert!(!proposed("substitute", "python", text).contains(&expected));
    let mut corpus = Corpus::default();
    corpus.learn(&parse("python", "if a == None: pass\n"));
    let lore = Lore { corpus, ..Lore::default() };
    assert!(proposed_with(&lore, "substitute", "python", text).contains(&expected));
}

#[test]
fn unlink_takes_away_what_belongs_together() {
    // A declaration and its uses.
    let text = "int a; int b; void f() { a = 1; b = 2; }";
    proposes("unlink", "c", text, "int b; void f() { b = 2; }");
    // A parameter and the argument of every call.
    let text = "int f(int a, int b) { return 1; } int x = f(1, 2) + f(3, 4);";
    proposes("unlink", "c", text, "int f(int a) { return 1; } int x = f(1) + f(3);");
    proposes("unlink", "c", text, "int f(int b) { return 1; } int x = f(2) + f(4);");
    proposes("unlink", "python", "def f(a, b): pass\nf(1, 2)\n", "def f(b): pass\nf(2)\n");
    // A parameter of a method, whose calls do not name the object among the arguments; and the only parameter.
    let text = "class A:\n    def f(self, a, b): pass\nA().f(1, 2)\n";
    let without = "class A:\n    def f(self, a): pass\nA().f(1)\n";
    proposes("unlink", "python", text, without);
    proposes("unlink", "c", "int f(int a) { } int x = f(1);", "int f() { } int x = f();");
    // A field and its initialisers.
    let text = "struct s { int a; int b; }; struct s x = { 1, 2 };";
    proposes("unlink", "c", text, "struct s { int b; }; struct s x = { 2 };");
    // An import and its uses.
    proposes("unlink", "python", "import a, b\na.f()\nb.g()\n", "import b\nb.g()\n");
    // A declaration, with a smaller text for its uses.
    proposes("unlink", "c", "int abc = 1; int y = abc + 2;", "int y = 0 + 2;");
}

#[test]
fn expand_puts_the_body_of_a_function_in_the_place_of_its_only_call() {
    let text = "def f(a, b):\n    g(a)\n    h(b)\nf(1, x.y)\n";
    proposes("expand", "python", text, "g(1)\nh(x.y)\n");
    let text = "class A:\n    def f(self, a):\n        if a:\n            self.g(a)\n    def i(self): pass\nx = A()\nx.f(3)\n";
    let expanded = "class A:\n    def i(self): pass\nx = A()\nif 3:\n    x.g(3)\n";
    proposes("expand", "python", text, expanded);
    let text = "function f(a) { g({ b: a }); h(b ? c : a); } f(2);";
    proposes("expand", "javascript", text, "g({ b: 2 }); h(b ? c : 2);");
    let text = "function f(a) { g(a); return a + 1; } x = f(2);";
    proposes("expand", "javascript", text, "g(2);\nx = 2 + 1;");
    let text = "local function f(a)\n  g(a)\nend\nfor i = 1, 2 do\n  f(i)\nend\n";
    proposes("expand", "lua", text, "for i = 1, 2 do\n  g(i)\nend\n");
    let text = "function f(a)\n  g(1 .. a)\nend\nf\"b\"\n";
    proposes("expand", "lua", text, "g(1 .. \"b\")\n");
    let text = "def f *a\n  puts a[0]\nend\nf 1, 2\n";
    proposes("expand", "ruby", text, "puts [1, 2][0]\n");
    let text = "def f a\n  puts a[1]\nend\nf 1 => 2, 3 => 4\n";
    proposes("expand", "ruby", text, "puts {1 => 2, 3 => 4}[1]\n");
    proposes("expand", "python", "def f(a, b=c): g(a, b)\nf(1)\n", "g(1, c)\n");
    let text = "def f a\n  a[1].g\nend\nx = f y\n";
    proposes("expand", "ruby", text, "x = y[1].g\n");
    let text = "def f a\n  g a, 1\nend\nx = [f(2)]\n";
    proposes("expand", "ruby", text, "x = [(g 2, 1)]\n");
    let text = "def f a\n  g a, 1\n  h a\nend\nf 2\n";
    proposes("expand", "ruby", text, "g 2, 1\nh 2\n");
}

#[test]
fn expand_puts_the_body_of_a_function_in_the_place_of_a_few_calls_unless_the_text_grows() {
    let text = "class A:\n    def f(self, a):\n        self.b.append(a)\n    def i(self): pass\nx = A()\nx.f(1)\nx.f(2)\n";
    let expanded = "class A:\n    def i(self): pass\nx = A()\nx.b.append(1)\nx.b.append(2)\n";
    proposes("expand", "python", text, expanded);
    let text = "function f(a) { return a + 1; } x = f(2); y = f(3);";
    proposes("expand", "javascript", text, "x = 2 + 1; y = 3 + 1;");
    let text = "def f(a):\n    return a + 1\nprint(f(2), f(3))\n";
    proposes("expand", "python", text, "print(2 + 1, 3 + 1)\n");
    let text = "function f() { g(1, 2, 3, 4, 5, 6, 7, 8, 9); } f(); f();";
    assert!(proposed("expand", "javascript", text).is_empty());
}

#[test]
fn expand_assigns_a_value_that_is_used_several_times_to_a_variable() {
    let text = "function f(a) { c.set(a); return a; } f(new A).g();";
    proposes("expand", "javascript", text, "a = new A;\nc.set(a);\na.g();");
    let text = "def f(a):\n    c.append(a)\n    d.append(a)\nf([1])\n";
    proposes("expand", "python", text, "a = [1]\nc.append(a)\nd.append(a)\n");
    let text = "class A { f(b) { b.c = this; this.d = b; } i() {} } e(new A).f(x);";
    proposes("expand", "javascript", text, "class A { i() {} } f = e(new A);\nx.c = f; f.d = x;");
    let text = "void f(int *a) { g(a); h(a); }\nint main() { f(&x); }\n";
    proposes("expand", "c", text, "int main() { int *a = &x;\ng(a); h(a); }\n");
    // A name and a value that is used once need no variable.
    let text = "function f(a, b) { g(a); h(a, b); } f(x, [1]);";
    let all = proposed("expand", "javascript", text);
    assert!(all.iter().all(|it| !it.contains('=')), "{all:?}");
}

#[test]
fn constructors_are_called_by_the_names_of_their_classes() {
    let text = "class A:\n    def __init__(self, a, b): self.c = b\nA(1, 2)\nA(3, 2)\n";
    let without = "class A:\n    def __init__(self, b): self.c = b\nA(2)\nA(2)\n";
    proposes("unlink", "python", text, without);
    let inlined = "class A:\n    def __init__(self, a): self.c = 2\nA(1)\nA(3)\n";
    proposes("inline", "python", text, inlined);
    let text = "class A { constructor(a) { this.c = 1; } } new A(1);";
    proposes("unlink", "javascript", text, "class A { constructor() { this.c = 1; } } new A();");
    let text = "class A\n  def initialize a, b\n    @c = b\n  end\nend\nA.new 1, 2\n";
    let without = "class A\n  def initialize b\n    @c = b\n  end\nend\nA.new 2\n";
    proposes("unlink", "ruby", text, without);
    let text = "class A\n  def initialize a\n    @c = 1\n  end\nend\nA.new 1\n";
    let without = "class A\n  def initialize\n    @c = 1\n  end\nend\nA.new\n";
    proposes("unlink", "ruby", text, without);
}

#[test]
fn inline_replaces_a_parameter_by_its_default_and_a_field_by_its_value() {
    let text = "def f(a, b=[1]): g(b)\nf(2)\n";
    proposes("inline", "python", text, "def f(a): g([1])\nf(2)\n");
    let text = "class A:\n    def __init__(self):\n        self.b = \"c\"\n        self.d = 1\n    def f(a): return a.b + 1\n";
    let inlined =
        "class A:\n    def __init__(self):\n        self.d = 1\n    def f(a): return \"c\" + 1\n";
    proposes("inline", "python", text, inlined);
    let text = "class A\n  def initialize\n    @b = [1]\n    @d = 2\n  end\n  def f\n    puts @b\n  end\nend\n";
    let inlined =
        "class A\n  def initialize\n    @d = 2\n  end\n  def f\n    puts [1]\n  end\nend\n";
    proposes("inline", "ruby", text, inlined);
}

#[test]
fn expand_leaves_of_an_object_the_value_of_the_field_that_it_is_asked_for() {
    let text =
        "class A:\n    def __init__(self):\n        self.f = {}\na = A()\na.f[0] = 1\nprint(a.f)\n";
    proposes("expand", "python", text, "a = {}\na[0] = 1\nprint(a)\n");
    let text = "function A() { this.f = [1]; } var a = new A(); g(a.f);";
    proposes("expand", "javascript", text, "var a = [1]; g(a);");
    // What the constructor is given, in each call.
    let text = "class A:\n    def __init__(self, f, b):\n        self.f = B(f)\nfor a in [A(1, 2), A(3, 4)]: print(a.f)\n";
    proposes("expand", "python", text, "for a in [B(1), B(3)]: print(a)\n");
    let text = "class A\n  def initialize f\n    self.f = f\n  end\nend\nputs A.new(1).f\n";
    proposes("expand", "ruby", text, "puts 1\n");
}

#[test]
fn dissolve_takes_a_namespace_away_where_its_name_only_qualifies_others() {
    let text = "module A\n  class B\n    def f\n      A::B\n    end\n  end\n  C = 1\nend\nputs A::B.new.f, A::C\n";
    let dissolved = "class B\n  def f\n    B\n  end\nend\nC = 1\nputs B.new.f, C\n";
    proposes("dissolve", "ruby", text, dissolved);
    let text =
        "namespace a { int f(int); struct S {}; }\nint main() { a::S s; return a::f(a::f(1)); }\n";
    let dissolved = "int f(int); struct S {};\nint main() { S s; return f(f(1)); }\n";
    proposes("dissolve", "cpp", text, dissolved);
    let text = "class A:\n    x = 1\n    def f(): pass\nA.f()\nprint(A.x)\n";
    proposes("dissolve", "python", text, "x = 1\ndef f(): pass\nf()\nprint(x)\n");
    let text = "mod a { pub fn f() {} }\nfn main() { a::f(); }\n";
    proposes("dissolve", "rust", text, "pub fn f() {}\nfn main() { f(); }\n");
    // It is also used by itself.
    let text = "class A:\n    x = 1\nprint(A.x, A)\n";
    assert!(proposed("dissolve", "python", text).is_empty());
}

#[test]
fn dissolve_makes_functions_and_variables_of_the_members_of_a_class_with_one_object() {
    let text = "class A\n  def initialize b\n    @b = b\n  end\n  def f c\n    puts @b, c\n  end\nend\na = A.new 1\na.f 2\n";
    proposes("dissolve", "ruby", text, "def f c\n  puts @b, c\nend\n@b = 1\nf 2\n");
    let text = "class A\n  def f c\n    puts c\n  end\nend\na = A.new\na.f 2 if a\n";
    proposes("dissolve", "ruby", text, "def f c\n  puts c\nend\nf 2 if 1\n");
    let text = "class A:\n    def __init__(self):\n        self.b = []\n        self.c = 1\n    def f(self, d):\n        self.b.append(d)\n    def g(self): print(self.c)\na = A()\na.f(2)\nprint(a.b)\n";
    let dissolved =
        "def f(d):\n    b.append(d)\ndef g(): print(c)\nb = []\nc = 1\nf(2)\nprint(b)\n";
    proposes("dissolve", "python", text, dissolved);
    let text = "class A { constructor(b) { this.b = b; } f(c) { g(this.b, c); } } const a = new A([1]); a.f(2);";
    proposes("dissolve", "javascript", text, "function f(c) { g(b, c); } b = [1]; f(2);");
    let text = "class A { constructor() { this.b = 1; } f() { g(this.b); } } a = new A; a.f();";
    proposes("dissolve", "javascript", text, "function f() { g(b); } b = 1; f();");
    let text = "class A:\n    def __init__(self, b):\n        self.b = b\n    def f(self, d):\n        print(self.b, d)\nA(1).f(2)\n";
    proposes("dissolve", "python", text, "def f(d):\n    print(b, d)\nb = 1\nf(2)\n");
    // A class without a method, and one with two objects.
    let text = "class A:\n    def __init__(self):\n        self.b = []\na = A()\na.b.append(1)\n";
    proposes("dissolve", "python", text, "b = []\nb.append(1)\n");
    let text = "class A { f() { g(); } } const a = new A(); const b = new A(); a.f();";
    assert!(proposed("dissolve", "javascript", text).is_empty());
}

#[test]
fn expand_and_inline_tell_a_function_from_a_type_of_the_same_name() {
    let text =
        "struct f { int f; }; void f(int *a) { free(a); } void main() { struct f *b; f(b); }";
    let expanded = "struct f { int f; }; void main() { struct f *b; free(b); }";
    proposes("expand", "c", text, expanded);
    let text = "var f = 1; function f() { return [2]; } g(f);\nh(f());";
    proposes("inline", "javascript", text, "var f = 1; g(f);\nh([2]);");
}

#[test]
fn unbind_keeps_what_uses_a_name_with_a_value_for_it() {
    proposes("unbind", "ruby", "->s { puts s }.call x\n", "puts x\n");
    let text = "for a in f(b):\n    g(a)\n    h(a)\n";
    proposes("unbind", "python", text, "g(b)\nh(b)\n");
    proposes("unbind", "python", text, "g(f(b))\nh(f(b))\n");
    proposes("unbind", "python", "x = [f(a) for a in b]\n", "x = f(b)\n");
    proposes("unbind", "javascript", "b.map(a => f(a));", "f(b);");
    proposes("unbind", "lua", "for i, a in pairs(b) do\n  c[a]()\nend\n", "c[b]()\n");
    proposes("unbind", "c", "int f() { for (int i = 0; i < 9; i++) g(i); }", "int f() { g(9); }");
    // Nothing binds a name that is used everywhere.
    assert!(proposed("unbind", "python", "f(a)\ng(a)\n").is_empty());
}

#[test]
fn join_makes_two_neighbours_one() {
    let text =
        "class A:\n    def f(self):\n        g()\n    def h(self):\n        i()\n        j()\n";
    let joined = "class A:\n    def f(self):\n        g()\n        i()\n        j()\n";
    proposes("join", "python", text, joined);
    let text = "class A { f() {} }\nclass B { g() {} }\n";
    proposes("join", "javascript", text, "class A { f() {}\ng() {} }\n");
    // What fits in one of them need not fit in the other.
    assert!(proposed("join", "javascript", "class A { f() {} }\n{ g(); }\n").is_empty());
}

#[test]
fn inline_puts_what_a_name_stands_for_where_it_is_used() {
    proposes("inline", "javascript", "var a = [1]; f(a); g(a);", "f([1]); g([1]);");
    proposes("inline", "python", "a = x + y\nf(a)\n", "f(x + y)\n");
    proposes("inline", "c", "typedef int number; number x;", "int x;");
    // The value that a function returns.
    let text = "function f() { return { a: 1 }; } g(f(2));";
    proposes("inline", "javascript", text, "g({ a: 1 });");
    // An argument for a parameter.
    let text = "int f(int a, int b) { return a + b; } int x = f(1, 2);";
    proposes("inline", "c", text, "int f(int a) { return a + 2; } int x = f(1);");
    let text = "typedef int t; int f(t a) { return a; } int x = f(1);";
    proposes("inline", "c", text, "typedef int t; int f() { return 1; } int x = f();");
    let text = "class A:\n    def f(self, a): g(a)\nA().f(1)\n";
    proposes("inline", "python", text, "class A:\n    def f(self): g(1)\nA().f()\n");
}

#[test]
fn alike_does_the_same_to_what_is_the_same() {
    proposes("alike", "python", "a.b = {}\na.b[0] = a.b\n", "a = {}\na[0] = a\n");
    proposes("alike", "c", "int x = f(31) + g(31);", "int x = f(0) + g(0);");
}

#[test]
fn unify_makes_one_name_of_two_and_takes_the_declaration_of_one_away() {
    let text = "int a; int b; int c = a + b;";
    proposes("unify", "c", text, "int a; int c = a + a;");
    proposes("unify", "c", text, "int b; int c = b + b;");
    // While both declarations stay, so do both names.
    assert!(!proposed("unify", "c", text).contains(&"int a; int a; int c = a + a;".to_string()));
}

#[test]
fn unify_and_rename_never_make_a_text_longer() {
    // The class is the only one of the two that can be removed, and it is used often.
    let text = "from lib import annotated\nclass C: pass\nC.C = C\nC.C(C, C)\nannotated(C)\n";
    let shorter = "from lib import C\nC.C = C\nC.C(C, C)\nC(C)\n";
    proposes("unify", "python", text, shorter);
    for pass in ["unify", "rename"] {
        for proposed in proposed(pass, "python", text) {
            assert!(proposed.len() <= text.len(), "{pass} proposes {proposed:?}");
        }
    }
}

#[test]
fn includes_removes_what_brings_other_files_in() {
    let text = "#include <a.h>\n#include \"b.h\"\nint c;\n";
    proposes("includes", "c", text, "#include \"b.h\"\nint c;\n");
    proposes("includes", "c", text, "#include <a.h>\nint c;\n");
    assert_eq!(proposed("includes", "c", text).len(), 2, "nothing else is removed");
    proposes("includes", "python", "import a\nfrom b import c, d\ne()\n", "import a\ne()\n");
    proposes("includes", "java", "import a.B;\nclass C {}", "class C {}");
    proposes("includes", "go", "package a\nimport (\n\"b\"\n\"c\"\n)\n", "package a\n");
    proposes("includes", "typescript", "import { a } from \"b\";\nc();", "c();");
}

#[test]
fn types_literals_and_names_become_simpler() {
    proposes("types", "c", "int a; unsigned long b;", "int a; int b;");
    proposes("literals", "c", "int a = 17UL;", "int a = 0;");
    proposes("literals", "c", "int a = 17UL;", "int a = 17;");
    proposes("literals", "python", "x = 'abc'\n", "x = ''\n");
    let text = "int counter; int f() { return counter; }";
    proposes("rename", "c", text, "int a; int f() { return a; }");
    proposes("rename", "rust", "struct Long; fn f(x: Long) {}", "struct A; fn f(x: A) {}");
}

#[test]
fn comments_and_blank_lines_go() {
    proposes("comments", "c", "int a; /* x */\n// y\nint b;\n", "int a;\nint b;\n");
    proposes("tidy", "c", "\n\nint a;  \n\n\n  int b;\n", "int a;  \n\n\n  int b;\n");
    proposes("tidy", "c", "int a;  \n\n\n  int b;\n", "int a;\n  int b;\n");
    proposes("tidy", "c", "int a;\r\n\r\nint b;\r\n", "int a;\r\nint b;\r\n");
    let in_string = proposed("tidy", "python", "x = '''a\n\n\nb'''\n");
    assert!(in_string.is_empty(), "what is in a string is no layout");
}

#[test]
fn rules_of_the_language_are_proposed() {
    let text = "typedef long t; t x = a ? b : c;";
    proposes("rewrite", "c", text, "long x = a ? b : c;");
    proposes("rewrite", "c", text, "typedef long t; t x = b;");
    proposes("rewrite", "c", "int f(void) { return 7; } int x = f();", "int x = 7;");
    proposes("rewrite", "c", "void f() { g(); } void h() { f(); }", "void h() { { g(); } }");
    proposes("rewrite", "c", "void g() { int a, b; }", "void g() { int a; int b; }");
    proposes("rewrite", "c", "void g() { a += 1; }", "void g() { a = 1; }");
    proposes("rewrite", "c", "void g() { l: h(); }", "void g() { h(); }");
    proposes("rewrite", "bash", "if a; then b; fi\n", "a; b\n");
    proposes("rewrite", "bash", "for x in 1 2; do f $x; done\n", "x=1; f $x\n");
    proposes("rewrite", "bash", "a | b\n", "a; b\n");
    proposes("rewrite", "bash", "f() { g; }\nf 1\n", "g\n");
    proposes("rewrite", "bash", "a \"${x:-1}\"\n", "a \"$x\"\n");
    proposes("rewrite", "bash", "a \"$x\"\n", "a $x\n");
    proposes("rewrite", "xml", r#"<a><b k="v"></b></a>"#, r#"<a><b k="v"/></a>"#);
    proposes("rewrite", "c", "int g() { h(1, b); }", "int g() { return b; }");
    proposes("rewrite", "c", "struct { char c; } g() {}", "struct { char c; } g;");
    proposes("rewrite", "c", "void g() { for (;a;b) h(); }", "void g() { h(); }");
    proposes("rewrite", "c", "void g() { if (a) h(); else i(); }", "void g() { i(); }");
    proposes("rewrite", "c", "int *p; int a[3];", "int p; int a[3];");
    proposes("rewrite", "c", "int *p; int a[3];", "int *p; int a;");
    proposes("rewrite", "c", "int x = p->q;", "int x = p;");
    proposes("rewrite", "c", "int x = p[q];", "int x = q;");
    proposes("rewrite", "c", "const int x = f(1, y);", "int x = f(1, y);");
    proposes("rewrite", "c", "const int x = f(1, y);", "const int x = y;");
    proposes("rewrite", "c", "struct s { int a; } x;", "int x;");
    proposes("rewrite", "javascript", "var x = a ? b : c", "var x = b");
    proposes("rewrite", "typescript", "let x: number = 1", "let x = 1");
    proposes("rewrite", "python", "x = a if b else c\n", "x = a\n");
    proposes("rewrite", "rust", "fn f() { if a { b() } }", "fn f() { { b() } }");
    proposes(
        "rewrite",
        "java",
        "class A { int f() { return a ? b : c; } }",
        "class A { int f() { return b; } }",
    );
    proposes("rewrite", "sql", "SELECT a + b FROM t;", "SELECT a FROM t;");
}

#[test]
fn a_variable_of_php_is_one_name_with_its_sigil() {
    proposes("inline", "php", "<?php $a = [1]; f($a);", "<?php f([1]);");
    proposes("rename", "php", "<?php f($long, $long);", "<?php f($a, $a);");
}

#[test]
fn terms_of_smt_lib_become_constants_and_its_symbols_are_names() {
    let text = "(declare-const long Int) (assert (< long 0))";
    proposes("substitute", "smt-lib", text, "(declare-const long Int) (assert false)");
    proposes("rename", "smt-lib", text, "(declare-const a Int) (assert (< a 0))");
    proposes("unbind", "smt-lib", "(assert (let ((a b)) (f a)))", "(assert (f b))");
}

#[test]
fn rewrite_replaces_a_value_of_llvm_by_its_operand() {
    let function = |body: &str| format!("define i8 @f(i8 %a) {{\n{body}}}\n");
    let text = function("  %b = add i8 %a, 7\n  ret i8 %b\n");
    for left in ["%a", "7", "0"] {
        proposes("rewrite", "llvm", &text, &function(&format!("  ret i8 {left}\n")));
    }
    proposes("rewrite", "llvm", &function("  ret i8 7\n"), &function("  unreachable\n"));
}

#[test]
fn rewrite_makes_queries_of_sql_statements() {
    let becomes = |statement: &str, query: &str| proposes("rewrite", "sql", statement, query);
    becomes("INSERT INTO t SELECT a FROM u;", "SELECT a FROM u;");
    becomes("INSERT INTO t VALUES (f(1), 2);", "SELECT f(1);");
    becomes("CREATE VIEW v AS SELECT a FROM t;", "SELECT a FROM t;");
    becomes("CREATE TABLE v AS SELECT a FROM t;", "SELECT a FROM t;");
    becomes("DELETE FROM t WHERE f(a);", "SELECT f(a) FROM t;");
    becomes("UPDATE t SET a = f(b) WHERE c;", "SELECT f(b) FROM t;");
    becomes("DELETE FROM t WHERE f(1);", "SELECT f(1);");
    becomes("UPDATE t SET a = f(1) WHERE c;", "SELECT f(1);");
    becomes("UPDATE t SET a = f(b) WHERE g(1);", "SELECT g(1);");
    becomes("SELECT a FROM t WHERE f(1);", "SELECT f(1);");
    becomes("SELECT * FROM t UNION SELECT * FROM u;", "SELECT 0 UNION SELECT * FROM u;");
    becomes("UPDATE t SET a = f(b) WHERE c;", "SELECT c FROM t;");
    becomes("SELECT a FROM t WHERE f(b);", "SELECT f(b) FROM t;");
    becomes("SELECT a FROM t GROUP BY b HAVING f(c);", "SELECT f(c) FROM t;");
    becomes("SELECT a FROM t ORDER BY f(b);", "SELECT f(b) FROM t;");
    becomes("SELECT a FROM t JOIN u ON b WHERE c;", "SELECT a FROM u WHERE c;");
    becomes("SELECT a FROM t;", "SELECT NULL FROM t;");
    becomes("SELECT 0 UNION SELECT * FROM t;", "SELECT 0 UNION SELECT 0;");
    let insert = "INSERT INTO t VALUES (7);";
    becomes(&format!("{insert} SELECT f(a) FROM t;"), &format!("{insert} SELECT f(7);"));
    becomes("INSERT INTO t VALUES (7); INSERT INTO t VALUES (8)", "INSERT INTO t VALUES (7), (8);");
}

#[test]
fn expand_leaves_a_call_alone_that_goes_on_beyond_the_place_of_the_name() {
    proposes("expand", "c", "a a 0;\n0(0, a)", "0(0, 0)");
}

/// A text without some of its lines, and some of its words.
fn damaged(random: &mut fastrand::Rng, text: &str) -> String {
    let lines = text.split_inclusive('\n').filter(|_| random.u8(..10) > 0).collect::<Vec<_>>();
    let words = lines.into_iter().flat_map(|line| line.split_inclusive([' ', '(', ')', '.']));
    words.filter(|_| random.u8(..20) > 0).collect()
}

#[test]
fn every_pass_proposes_whole_texts_for_damaged_ones_of_every_language() {
    let seed = lop_testing::seed();
    let mut random = fastrand::Rng::with_seed(seed);
    for (language, text) in snippets::snippets() {
        let text = String::from_utf8(text.to_vec()).unwrap();
        for _ in 0..2 {
            let text = damaged(&mut random, &text);
            let tree = parse(language.name(), &text);
            for pass in PASSES {
                for changes in (pass.propose)(&tree, &Lore::default()).take(100) {
                    let candidate = String::from_utf8(tree.candidate(&changes).bytes());
                    assert!(candidate.is_ok(), "{} cuts a character", pass.name);
                }
            }
        }
    }
}

#[test]
fn with_every_pass_the_result_does_not_depend_on_the_number_of_workers() {
    let format = Format::named("c").expect("C is part of every build that is tested");
    let text = "typedef int t;\nstruct s { t a, b; };\n\
                t g(t p, t q) { if (p) { h(q + 17); } return q; }\n\
                int main(void) { struct s x = { 1, 2 }; return g(x.a, 3) + g(4, x.b); }\n";
    let words = PASSES.iter().map(|pass| format!("{}*", pass.name));
    for word in words.chain(["fast", "default", "thorough"].map(str::to_owned)) {
        let run = |workers: usize| {
            let oracle = |text: &[u8]| {
                let text = String::from_utf8_lossy(text).into_owned();
                text.contains("main") && text.matches('(').count() > 2 && text.len() % 7 != 3
            };
            let mut reduction = Reduction::new(Arc::new(text.into()), &oracle);
            reduction.format = format.clone();
            reduction.strategy = word.parse::<Strategy>().unwrap();
            reduction.workers = workers;
            let report = reduction.run().unwrap();
            (report.best.text, report.counts.tests, report.counts.hits)
        };
        let alone = run(1);
        for workers in [2, 8] {
            assert_eq!(run(workers), alone, "{word} with {workers} workers");
        }
    }
}
