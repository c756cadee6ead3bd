//! The trees of small texts, node by node, and the texts after changes.

mod common;

use common::{check, find, parse};
use lop::tree::{Change, Format, NodeId, View, Views};
use lop_grammar::Quantifier;

#[test]
fn questions_about_c_are_answered_by_its_grammar() {
    let tree = parse("c", "int f(int a, int b) { if (a) { g(); h(); } else return b; }");
    let parameter = find(&tree, "parameter_declaration", "int a");
    let comma = tree.ids().find(|node| tree.name(*node) == ",").unwrap();
    assert!(!tree.is_removable(parameter) && tree.may_cut(parameter, comma));
    assert!(tree.groups(tree.parent(parameter).unwrap()).contains(&(parameter, comma)));
    let otherwise = find(&tree, "else_clause", "else return b;");
    assert!(tree.is_removable(otherwise));
    assert_eq!(tree.quantifier(otherwise), Quantifier::Optional);
    let call = find(&tree, "expression_statement", "g();");
    assert_eq!(tree.quantifier(call), Quantifier::Star);
    // Several statements may replace an element of a list of statements, but not the body of an `if`.
    let conditional = tree.parent(otherwise).unwrap();
    let statement = tree.kind(call);
    assert!(tree.fits_sequence(conditional, [statement, statement]));
    let block = find(&tree, "compound_statement", "{ g(); h(); }");
    assert!(tree.fits(block, statement) && !tree.fits_sequence(block, [statement, statement]));
    let children: Vec<NodeId> = tree.children(block).collect();
    assert!(tree.stands(block, [children[0], children[3]]) && !tree.stands(block, [children[0]]));
}

#[test]
fn neighbours_that_are_both_replaced_by_what_is_in_them_keep_the_line_end_between_them() {
    let check = |format: &str, text: &str, name: &str, expected: &str| {
        let tree = parse(format, text);
        let places = tree.ids().filter(|node| tree.name(*node) == name);
        let hoists = places.filter_map(|place| {
            let inner = tree.descendants(place).find(|node| tree.name(*node) == name)?;
            Some(Change::hoist(place, inner))
        });
        let changes: Vec<Change> = hoists.collect();
        assert_eq!(changes.len(), 2);
        let candidate = tree.candidate(&changes).bytes();
        assert_eq!(String::from_utf8(candidate).unwrap(), expected);
    };
    check(
        "python",
        "if a:\n    if b: c\n    d\nif e:\n    f\n    if g: h\n    i\n",
        "if_statement",
        "if b: c\nif g: h\n",
    );
    check(
        "javascript",
        "if (a) {\n  if (b) c()\n}\nif (e) {\n  if (g) h()\n}\n",
        "if_statement",
        "if (b) c()\nif (g) h()\n",
    );
}

#[test]
fn islands_are_parsed_in_their_own_language() {
    check(
        "html",
        "<script>f(1)</script><style>a {}</style>",
        "document(\
         script_element(start_tag('<' tag_name '>') \
         raw_text(program(expression_statement(call_expression(identifier arguments('(' number ')'))))) \
         end_tag('</' tag_name '>')) \
         style_element(start_tag('<' tag_name '>') \
         raw_text(stylesheet(rule_set(selectors(tag_name) block('{' '}')))) \
         end_tag('</' tag_name '>')))",
    );
    let tree = parse("html", "<p>\n<script>f(1, 2); g()</script>");
    let number = find(&tree, "number", "1");
    let comma = find(&tree, ",", ",");
    assert!(tree.may_cut(number, comma));
    let cut = tree.candidate(&[Change::Cut(number, comma)]).bytes();
    assert_eq!(cut, b"<p>\n<script>f(2); g()</script>");
}

#[test]
fn any_text_is_a_tree_of_brackets_indentation_and_lines() {
    check(
        "text",
        "if foo\n  bar (a\n  b)\n  baz\nend",
        "document(block(line(word word) line(word group('(' word word ')')) word) word)",
    );
    check("text", "a ] b (", "document(word stray word stray)");
    check("text", "", "document");
}

#[test]
fn s_expressions_are_trees() {
    check(
        "s-expressions",
        "(assert (= x \"a\"\"b\")) ; why\n'(|a b| #| c |# 1)",
        "document(list('(' atom list('(' atom atom string ')') ')') comment \
         quote list('(' atom comment atom ')'))",
    );
    check(
        "s-expressions",
        "(module (; no ;) (func $f))",
        "document(list('(' atom comment list('(' atom atom ')') ')'))",
    );
    check("s-expressions", "(a (b c) \"", "document(stray atom list('(' atom atom ')') atom)");
    let tree = parse("s-expressions", "(and (or a b) c)");
    let or = find(&tree, "list", "(or a b)");
    let hoistable: Vec<&[u8]> = tree.hoistable(or).map(|node| tree.text_of(node)).collect();
    assert_eq!(hoistable, [&b"or"[..], b"a", b"b"]);
}

#[test]
fn json_with_mistakes_is_a_tree_all_the_same() {
    check(
        "json",
        "[1, {\"a\": 2}]",
        "document(array('[' number ',' object('{' pair(string('\"' string_content '\"') ':' number) '}') ']'))",
    );
    check(
        "json",
        "{a: [1,, 2], // no\n'b': -3 }",
        "document(object('{' pair(word ':' array('[' word ',' ',' word ']')) ',' comment \
         pair(string ':' word) '}'))",
    );
    check("json", "{\"a\": [1", "document(stray string ':' stray word)");
    let tree = parse("json", "{\"a\": 1, \"b\": 2");
    let pair = find(&tree, "pair", "\"a\": 1");
    assert!(tree.is_removable(pair));
}

#[test]
fn xml_with_mistakes_is_a_tree_all_the_same() {
    check(
        "xml",
        "<a x='1' y><b>hi</b><c>text</a><d/>",
        "document(element(start('<' name attribute attribute '>') \
         element(start('<' name '>') text end('</' name '>')) stray text end('</' name '>')) \
         empty('<' name '/>'))",
    );
    check(
        "xml",
        "<a></a x='1'>",
        "document(element(start('<' name '>') end('</' name attribute '>')))",
    );
    let tree = parse("xml", "<a><b x=1>t</b><c></a>");
    let attribute = find(&tree, "attribute", "x=1");
    assert!(tree.is_removable(attribute));
    assert_eq!(tree.candidate(&[Change::cut(attribute)]).bytes(), b"<a><b>t</b><c></a>");
}

#[test]
fn around_an_error_brackets_and_lines_take_the_place_of_the_grammar() {
    let tree = parse("c", "int f() { int x = ; g(((; return 0; }\nint h;");
    assert!(tree.ids().any(|node| tree.is_error(node)));
    let errors: Vec<NodeId> = tree.ids().filter(|node| tree.is_error(*node)).collect();
    for error in errors {
        assert!(tree.is_removable(error), "what makes no sense may go");
        assert!(tree.children(error).all(|child| tree.is_removable(child)));
    }
    assert!(tree.is_removable(find(&tree, "declaration", "int h;")));
}

/// Applies a change to the one node with a label and text.
fn cut(format: &str, text: &str, name: &str, node: &str) -> String {
    let tree = parse(format, text);
    let node = find(&tree, name, node);
    String::from_utf8(tree.candidate(&[Change::cut(node)]).bytes()).unwrap()
}

#[test]
fn layout_follows_what_goes() {
    let two = "int f() {\n  a();\n  b();\n}\n";
    assert_eq!(cut("c", two, "expression_statement", "a();"), "int f() {\n  b();\n}\n");
    assert_eq!(cut("c", "a(); b();\n", "expression_statement", "b();"), "a();\n");
    assert_eq!(cut("c", "{ a(); b(); }", "expression_statement", "a();"), "{ b(); }");
    assert_eq!(cut("c", "\tx; y;", "expression_statement", "x;"), "\ty;");
    let branch = "if (x) {\r\n  y();\r\n} else {\r\n  z();\r\n}\r\n";
    assert_eq!(
        cut("c", branch, "else_clause", "else {\r\n  z();\r\n}"),
        "if (x) {\r\n  y();\r\n}\r\n"
    );
    assert_eq!(cut("python", "if x: a; b\n", "expression_statement", "a"), "if x:; b\n");
    assert_eq!(cut("c", "int x; // why\n", "comment", "// why"), "int x;\n");
}

#[test]
fn a_blank_is_put_in_only_where_two_tokens_would_glue() {
    let hoist = |text: &str, place: (&str, &str), node: (&str, &str)| {
        let tree = parse("javascript", text);
        let change = Change::hoist(find(&tree, place.0, place.1), find(&tree, node.0, node.1));
        String::from_utf8(tree.candidate(&[change]).bytes()).unwrap()
    };
    let parenthesised = ("parenthesized_expression", "(b)");
    assert_eq!(hoist("typeof(b)", parenthesised, ("identifier", "b")), "typeof b");
    assert_eq!(hoist("a+(b)", parenthesised, ("identifier", "b")), "a+b");
    assert_eq!(hoist("a in(b)in c", parenthesised, ("identifier", "b")), "a in b in c");
    assert_eq!(
        hoist("- (-b)", ("parenthesized_expression", "(-b)"), ("unary_expression", "-b")),
        "- -b"
    );
    assert_eq!(
        hoist("-(-b)", ("parenthesized_expression", "(-b)"), ("unary_expression", "-b")),
        "- -b"
    );
    let tree = parse("javascript", "return(b)");
    let replace =
        Change::Replace(find(&tree, "parenthesized_expression", "(b)"), b"0".as_slice().into());
    assert_eq!(tree.candidate(&[replace]).bytes(), b"return 0");
}

#[test]
fn changes_can_be_nested_and_come_in_any_order() {
    let tree = parse("c", "{ if (x) { a(); b(); } c(); }");
    let outer = find(&tree, "compound_statement", "{ if (x) { a(); b(); } c(); }");
    let inner = find(&tree, "compound_statement", "{ a(); b(); }");
    let statement = find(&tree, "expression_statement", "a();");
    let gone = find(&tree, "expression_statement", "c();");
    let changes = [Change::cut(statement), Change::cut(gone), Change::hoist(outer, inner)];
    assert_eq!(tree.candidate(&changes).bytes(), b"{ b(); }");
}

#[test]
fn where_indentation_makes_blocks_what_is_hoisted_moves_to_the_left() {
    let text = "def f():\n    if x:\n        a()\n        if y:\n            b()\n    c()\n";
    let tree = parse("python", text);
    let outer = tree.ids().find(|node| tree.name(*node) == "block").unwrap();
    let inner = tree.hoistable(outer).next().unwrap();
    let hoisted = tree.candidate(&[Change::hoist(outer, inner)]).bytes();
    assert_eq!(hoisted, b"def f():\n    a()\n    if y:\n        b()\n");
    // And a block keeps its last statement.
    let only = find(&tree, "expression_statement", "b()");
    assert!(!tree.is_removable(only));
}

#[test]
fn a_hundred_thousand_brackets_take_neither_the_stack_nor_quadratic_time() {
    let depth = 100_000;
    let nested = |open: &str, close: &str| format!("{}{}", open.repeat(depth), close.repeat(depth));
    for (format, text) in [
        ("json", nested("[", "]")),
        ("json", "[".repeat(depth)),
        ("javascript", nested("(", ")")),
        ("c", format!("int x = {}1{};", "(".repeat(depth), ")".repeat(depth))),
        ("c", nested("{", "}")),
        ("c", "(".repeat(depth)),
        ("text", nested("([{", "}])")),
        ("s-expressions", nested("(a ", ")")),
        ("xml", nested("<a>", "</a>")),
        ("xml", "<a>".repeat(depth)),
    ] {
        let tree = parse(format, &text);
        assert!(tree.len() > depth, "{format}");
        let view = View::new(&tree, Views { flatten: true, ..Views::PLAIN });
        assert!(view.ids().count() > depth, "{format}");
        let removable = tree.ids().filter(|node| tree.is_removable(*node)).count();
        assert!(removable > 0, "{format}");
    }
}

/// Hoists the one node with a label and text into the place of another.
fn hoist(format: &str, text: &str, place: (&str, &str), node: (&str, &str)) -> String {
    let tree = parse(format, text);
    let change = Change::hoist(find(&tree, place.0, place.1), find(&tree, node.0, node.1));
    String::from_utf8(tree.candidate(&[change]).bytes()).unwrap()
}

#[test]
fn operators_and_numbers_do_not_glue_either() {
    let out_of_brackets = |format: &str, text: &str, brackets: &str, node: (&str, &str)| {
        hoist(format, text, ("parenthesized_expression", brackets), node)
    };
    let unary = ("unary_expression", "-b");
    assert_eq!(out_of_brackets("c", "x = a-(-b);", "(-b)", unary), "x = a- -b;");
    let pointer = ("pointer_expression", "*p");
    assert_eq!(out_of_brackets("c", "x = a/(*p);", "(*p)", pointer), "x = a/ *p;");
    assert_eq!(out_of_brackets("javascript", "(1).x", "(1)", ("number", "1")), "1 .x");
    assert_eq!(out_of_brackets("javascript", "(a1).x", "(a1)", ("identifier", "a1")), "a1.x");
    assert_eq!(cut("s-expressions", "(+(f x)-)", "list", "(f x)"), "(+ -)");
    assert_eq!(cut("css", "a{b:-1px/**/-2px}", "comment", "/**/"), "a{b:-1px -2px}");
    assert_eq!(cut("bash", "echo 2 x>f\n", "word", "x"), "echo 2 >f\n");
    let tree = parse("text", "a b c");
    let b = find(&tree, "word", "b");
    let changes = [Change::Layout(1..2), Change::cut(b), Change::Layout(3..4)];
    assert_eq!(tree.candidate(&changes).bytes(), b"a c");
}

#[test]
fn a_line_that_goes_on_after_a_backslash_is_no_line_of_its_own() {
    assert_eq!(cut("bash", "echo a \\\n  b\necho c\n", "word", "b"), "echo a\necho c\n");
    let define = "#define A \\\n  1\nint x;\n";
    assert_eq!(cut("c", define, "preproc_arg", "1"), "#define A\nint x;\n");
}

#[test]
fn hoists_within_hoists_move_twice_and_strings_do_not_move() {
    let text = "def f():\n    if x:\n        a()\n        if y:\n            b()\n            d()\n    c()\n";
    let tree = parse("python", text);
    let blocks: Vec<NodeId> = tree.ids().filter(|node| tree.name(*node) == "block").collect();
    let conditional = tree.parent(blocks[2]).unwrap();
    let first = find(&tree, "expression_statement", "b()");
    let last = find(&tree, "expression_statement", "d()");
    let changes =
        [Change::hoist(blocks[0], blocks[1]), Change::Keep { place: conditional, first, last }];
    assert_eq!(tree.candidate(&changes).bytes(), b"def f():\n    a()\n    b()\n    d()\n");
    let string = "if x:\n    if y:\n        s = '''\n        keep'''\n        t()\n";
    let tree = parse("python", string);
    let blocks: Vec<NodeId> = tree.ids().filter(|node| tree.name(*node) == "block").collect();
    let hoisted = tree.candidate(&[Change::hoist(blocks[0], blocks[1])]).bytes();
    assert_eq!(hoisted, b"if x:\n    s = '''\n        keep'''\n    t()\n");
}

#[test]
fn a_comment_to_the_end_of_its_line_keeps_that_end() {
    let tree = parse("c", "if (x) { a(); // c\n } else b();");
    let place = find(&tree, "compound_statement", "{ a(); // c\n }");
    let first = find(&tree, "expression_statement", "a();");
    let last = find(&tree, "comment", "// c");
    let kept = tree.candidate(&[Change::Keep { place, first, last }]).bytes();
    assert_eq!(String::from_utf8(kept).unwrap(), "if (x) a(); // c\n else b();");
}

#[test]
fn what_the_parser_passes_over_is_in_a_leaf_all_the_same() {
    check(
        "c",
        "\u{feff}int x;",
        "translation_unit('\u{feff}' declaration(primitive_type identifier ';'))",
    );
    let tree = parse("c", "\u{feff}int x;");
    assert!(tree.is_removable(tree.children(tree.root()).next().unwrap()));
}

#[test]
fn an_automatic_semicolon_is_not_sure_to_be_seen_elsewhere() {
    let sure = |text: &str| {
        let tree = parse("javascript", text);
        let block = find(
            &tree,
            "statement_block",
            &text[text.find('{').unwrap()..=text.find('}').unwrap()],
        );
        let statement = tree.ids().find(|node| tree.name(*node) == "expression_statement").unwrap();
        tree.is_sure(&Change::hoist(block, statement))
    };
    assert!(sure("if(x){a;}else b"));
    assert!(!sure("if(x){a}else b"));
}

#[test]
fn the_guard_looks_into_islands() {
    let tree = parse("html", "<script>if(x){a}else b</script>");
    let (block, statement) =
        (find(&tree, "statement_block", "{a}"), find(&tree, "expression_statement", "a"));
    assert!(!tree.still_parses(&tree.candidate(&[Change::hoist(block, statement)])));
    let branch = find(&tree, "else_clause", "else b");
    assert!(tree.still_parses(&tree.candidate(&[Change::cut(branch)])));
}

#[test]
fn comments_do_not_keep_a_blocks_statements_from_standing_in_its_place() {
    let tree = parse("c", "{ { a(); /*c*/ b(); } }");
    let inner = find(&tree, "compound_statement", "{ a(); /*c*/ b(); }");
    let children: Vec<NodeId> = tree.children(inner).collect();
    let statements = &children[1..children.len() - 1];
    assert_eq!(statements.len(), 3);
    assert!(tree.fits_sequence(inner, statements.iter().map(|node| tree.kind(*node))));
}

#[test]
fn a_long_script_does_not_look_like_many_tags() {
    let script = "for(i=0;i<n;i++){if(a>b)c();}\n".repeat(300);
    let tree = parse("html", &format!("<p>hi</p><script>{script}</script>"));
    assert!(tree.ids().any(|node| tree.name(node) == "for_statement"));
    check(
        "xml-like",
        "<script>a<b>c</script>",
        "document(element(start('<' name '>') text end('</' name '>')))",
    );
}

#[test]
fn characters_and_nested_comments_of_lisp_are_understood() {
    check("s-expressions", "(eq #\\; #\\() b", "document(list('(' atom atom atom ')') atom)");
    check("s-expressions", "(; a (; b ;) c ;) (x)", "document(comment list('(' atom ')'))");
    check(
        "smt-lib",
        "(echo \"C:\\\") (x \"y\")",
        "document(list('(' atom string ')') list('(' symbol string ')'))",
    );
}

#[test]
fn an_ini_file_is_sections_with_their_entries() {
    check(
        "ini",
        "; x\n[a]\nb=1\n  two\n\n[c]\n\td\n\te\n",
        "document(line(sign word) \
         section(group('[' word ']') block(line(word sign word) word)) \
         section(group('[' word ']') word word))",
    );
    check("ini", "a\n[b]\n", "document(word group('[' word ']'))");
}

#[test]
fn lines_that_continue_others_belong_to_their_record() {
    check("properties", "a \\\n  b\nc\n", "document(block(line(word sign) word) word)");
    check(
        "log",
        "a b\n\tat\n\tin\nCaused by: c\n\td\ne\n",
        "document(line(block(line(word word) word word) block(line(word word sign word) word)) word)",
    );
    check(
        "dockerfile",
        "FROM a\nRUN b \\\n  c\nfrom d\nCMD\n",
        "document(section(line(word word) block(line(word word sign) word)) \
         section(line(word word) word))",
    );
}

#[test]
fn rows_of_a_table_have_fields() {
    check(
        "csv",
        "a,b\n\"c,\n\"\"d\",\n\ne\n",
        "document(row(field ',' field) row(field ',') field)",
    );
    check("csv", "a;5\" b\n", "document(row(field ';' field))");
    check("tsv", "a\tb, c\n\td\n", "document(row(field '\t' field) row('\t' field))");
    let tree = parse("csv", "a,b,c\n");
    let row = tree.children(tree.root()).next().unwrap();
    let series = &tree.series(row)[0];
    let without = |gone: &[usize]| tree.candidate(&tree.without_elements(series, gone)).bytes();
    assert_eq!(
        (series.len(), without(&[0]), without(&[1, 2])),
        (3, b"b,c\n".into(), b"a\n".into())
    );
}

#[test]
fn a_makefile_is_rules_with_their_recipes_and_conditionals() {
    check(
        "makefile",
        "A = b \\\n  c\nifdef X\nD=e\nelse\nf:\n\tg h\nendif\ni: j\n\tk\n",
        "document(block(line(word sign word sign) word) \
         section(line(word word) line(word sign word) word section(line(word sign) line(word word)) word) \
         section(line(word sign word) word))",
    );
}

#[test]
fn statements_of_protobuf_end_with_semicolons_and_braces() {
    check(
        "protobuf",
        "a = \"b\";\n// c\nmessage M {\n  d = 1;\n  enum E { F = 0; }\n}\n;",
        "document(statement(word sign sign sign) sign \
         statement(word word group('{' statement(word sign word sign) \
         statement(word word group('{' statement(word sign word sign) '}')) '}')) sign)",
    );
}

#[test]
fn assembly_is_sections_and_labels_with_their_instructions() {
    check(
        "assembly",
        "\t.text\nf:\n\tret\n.L1:\n\tnop\n\tnop\ng:\tret\n\t.data\nx:\n\t.long 1\n",
        "document(section(line(sign word) \
         section(line(word sign) word section(line(sign word sign) word word)) \
         line(word sign word)) \
         section(line(sign word) section(line(word sign) line(sign word word))))",
    );
}

#[test]
fn a_diff_is_files_with_their_hunks() {
    check(
        "diff",
        "diff --git a b\nindex 1\n--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d\n@@ -9 +9 @@\n e\n--- f\n+++ g\n@@ -1 +1 @@\nh\n",
        "document(section(line(word sign word word word) line(word word) line(sign word) \
         line(sign word) \
         section(line(sign sign sign word sign word sign sign) line(sign word) line(sign word)) \
         section(line(sign sign sign word sign word sign sign) word)) \
         section(line(sign word) line(sign word) \
         section(line(sign sign sign word sign word sign sign) word)))",
    );
}

#[test]
fn a_mailbox_is_messages_with_their_headers_and_paragraphs() {
    check(
        "mbox",
        "From a\nTo: b\n  c\n\nd\ne\n\nf\n\nFrom g\nTo: h\n",
        "document(section(line(word word) block(line(word sign word) word) section(word word) word) \
         section(line(word word) line(word sign word)))",
    );
}

#[test]
fn the_format_of_a_file_is_guessed_by_its_name_or_its_lines() {
    let check = |path: &str, content: &str, expected: &str| {
        let format = Format::guess(path.as_ref(), content.as_bytes());
        assert_eq!(format.name(), expected, "{path}");
    };
    check("a.ini", "", "ini");
    check("x/Makefile", "", "makefile");
    check("makefile.py", "", "python");
    check("Dockerfile.dev", "", "dockerfile");
    check("a.S", "", "assembly");
    check("app.conf", "# c\n[main]\nx=1\n", "ini");
    check("app.conf", "[1, 2]\n", "text");
    check("list", "[1]\n", "text");
    check("fix", "--- a\n+++ b\n@@ -1 +1 @@\n", "diff");
    check("inbox", "From a@b Mon\nSubject: x\n", "mbox");
    check("out", "2024-01-01 a\n\tb\n2024-01-01 c\n", "log");
    check("out", "12:00:01 a\n[2024-01-01] c\n", "log");
    check("notes", "From here on\nall is well\n", "text");
    check("notes.txt", "", "text");
}

#[test]
fn the_minimal_replacement_is_the_least_of_what_may_stand_in_the_place() {
    let cases = [
        ("c", "int x = f(a + b, c);", "call_expression", "f(a + b, c)"),
        ("c", "int x = f(a + b, c);", "binary_expression", "a + b"),
        ("javascript", "for (var a; b % c;) { f(); }", "binary_expression", "b % c"),
        ("python", "x = f(a, b)\n", "call", "f(a, b)"),
    ];
    for (language, source, label, text) in cases {
        let tree = parse(language, source);
        let minimal = tree.minimal(find(&tree, label, text)).unwrap();
        assert_eq!(minimal.len(), 1, "{text} in {language}: {}", String::from_utf8_lossy(&minimal));
    }
    // The body of a function must be a block, not any statement.
    let tree = parse("c", "int f(void) { g(); h(); }");
    let body = find(&tree, "compound_statement", "{ g(); h(); }");
    assert_eq!(*tree.minimal(body).unwrap(), *b"{}");
}
