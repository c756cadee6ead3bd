//! Perses and Pardis: the running example of the paper on Pardis, trial by trial.

mod common;

use common::{parse, trials};
use lop::reducers::Filter;
use lop::tree::{View, ViewId, Views};

/// Listing 1.1 and Figure 3, reconstructed from the paper's text: a function, a structure and a variable that
/// only one statement of `main` uses (node 11), as it does three local variables, two of them of the same
/// weight; then the statement with the property (12), and a return (13). Nodes are numbered level by level.
const LISTING: &str = r#"int foo(int x) { return x; }
struct S { int f0; int f1; };
int d[4] = { 1, 2, 3, 4 };
int main() {
  int a = 1;
  int b = 2 + 3;
  int c = 4 + 5;
  while (a < b + c) {
    struct S s = { a, b };
    s.f0 = foo(d[1]);
    if (s.f0 > c) {
      a = a + s.f1;
      b = foo(c);
    }
  }
  printf("Hello World!\n");
  return 0;
}
"#;

/// The expected result.
const SMALLEST: &str = "int main() {\n  printf(\"Hello World!\\n\");\n}\n";

/// The nodes of the figure that are whole declarations or statements, and the texts that they begin with.
const NODES: [(&str, &str); 10] = [
    ("2", "int foo"),
    ("3", "struct S {"),
    ("4", "int d"),
    ("5", "int main"),
    ("8", "int a"),
    ("9", "int b"),
    ("10", "int c"),
    ("11", "while"),
    ("12", "printf"),
    ("13", "return 0"),
];

/// Whether a program parses, declares all names that it uses, and has the property: it prints the right text.
fn prints_hello_world(text: &str) -> bool {
    let tree = parse("c", text);
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let is_declared =
        |name: &str, declaration: &str| !words.contains(&name) || text.contains(declaration);
    let main = text.find("int main() {");
    let print = text.find("printf(\"Hello World!\\n\");");
    tree.ids().all(|node| !tree.is_error(node))
        && main.is_some_and(|main| print.is_some_and(|print| main < print))
        && is_declared("foo", "int foo(int x)")
        && is_declared("x", "int x")
        && is_declared("S", "struct S {")
        && is_declared("f0", "int f0")
        && is_declared("f1", "int f1")
        && is_declared("s", "struct S s")
        && ["a", "b", "c", "d"].iter().all(|name| is_declared(name, &format!("int {name}")))
}

/// One run over a text: each trial as the nodes of the figure that it removes, with a check mark if
/// it succeeds, and the result. `.` is a trial of something smaller than these nodes.
fn run(reducer: &str, text: &str) -> (Vec<String>, String) {
    let mut best = text.to_owned();
    let mut shown = Vec::new();
    for trial in trials(reducer, "c", text, prints_hello_world) {
        let gone = |range: std::ops::Range<usize>| -> Vec<&str> {
            let is_gone = |begin: &str| best.contains(begin) && !trial.contains(begin);
            NODES[range].iter().filter(|(_, begin)| is_gone(begin)).map(|(id, _)| *id).collect()
        };
        let there = |range: std::ops::Range<usize>| {
            NODES[range].iter().filter(|(_, begin)| best.contains(begin)).count()
        };
        let (outer, inner) = (gone(0..4), gone(4..10));
        let mut trial_shown = match (&outer[..], &inner[..]) {
            (outer, _) if outer.len() == there(0..4) => "1".into(),
            (outer, _) if !outer.is_empty() => outer.join(" "),
            (_, inner) if inner.len() == there(4..10) => "7".into(),
            (_, []) => ".".into(),
            (_, inner) => inner.join(" "),
        };
        if prints_hello_world(&trial) {
            best = trial;
            trial_shown.push_str(" ✓");
        }
        shown.push(trial_shown);
    }
    (shown, best)
}

fn successes(trials: &[String]) -> Vec<&str> {
    trials.iter().filter(|trial| trial.ends_with('✓')).map(String::as_str).collect()
}

/// The number of runs until a further one finds nothing.
fn passes(reducer: &str) -> usize {
    let mut text = LISTING.to_owned();
    for pass in 0.. {
        let (_, left) = run(reducer, &text);
        if left == text {
            assert_eq!(text, SMALLEST, "{reducer}");
            return pass;
        }
        text = left;
    }
    unreachable!("every run that is not the last one leaves less")
}

#[test]
fn the_listing_is_interesting_and_so_is_its_smallest_part() {
    assert!(prints_hello_world(LISTING) && prints_hello_world(SMALLEST));
}

#[test]
fn perses_tries_sixteen_times_in_vain_before_the_statement_goes() {
    let (trials, left) = run("perses", LISTING);
    let expected = [
        // All children of 1, its halves, each of them, and all but each of them.
        "1", "2 3", "4 5", "2", "3", "4", "5", "3 4 5", "2 4 5", "2 3 5", "2 3 4",
        // The same for 7, which has six children: 11 is the third of four parts.
        "7", "8 9 10", "11 12 13", "8", "9 10", "11 ✓",
    ];
    assert_eq!(trials[..17], expected, "{trials:?}");
    // The declarations were tried before their use was removed, and are not tried again in this pass.
    assert!(["int foo", "struct", "int d"].iter().all(|begin| left.contains(begin)), "{left}");
    assert_eq!(passes("perses"), 2);
}

#[test]
fn pardis_succeeds_at_the_fourth_trial_and_needs_one_pass() {
    let (trials, left) = run("pardis", LISTING);
    assert_eq!(trials[..4], ["1", "5", "7", "11 ✓"], "{trials:?}");
    // The declarations are removed after their use, in the same pass.
    assert_eq!(successes(&trials), ["11 ✓", "4 ✓", "3 ✓", "2 ✓", "10 ✓", "9 ✓", "8 ✓", "13 ✓"]);
    assert_eq!(left, SMALLEST);
    assert_eq!(passes("pardis"), 1);
}

#[test]
fn pardis_hybrid_removes_what_is_alike_in_one_trial() {
    let (trials, left) = run("pardis-hybrid", LISTING);
    assert_eq!(trials[..4], ["1", "5", "7", "11 ✓"], "{trials:?}");
    assert_eq!(successes(&trials), ["11 ✓", "4 ✓", "2 3 ✓", "9 10 ✓", "8 ✓", "13 ✓"]);
    assert_eq!(left, SMALLEST);
}

#[test]
fn one_node_at_a_time_and_by_the_weight_of_its_parent_is_perses_n() {
    let (trials, left) = run("perses-n", LISTING);
    // All children of 1 before 7, though they are much smaller.
    let expected = ["1", "5", "4", "3", "2", "7", "13 ✓", "12", "11 ✓", "10 ✓"];
    assert_eq!(trials[..10], expected, "{trials:?}");
    assert!(["int foo", "struct", "int d"].iter().all(|begin| left.contains(begin)), "{left}");
    assert_eq!(passes("perses-n"), 2);
}

#[test]
fn without_pruning_some_nodes_are_tried_twice() {
    let (pruned, left) = run("pardis", LISTING);
    let (unpruned, same) = run("pardis-unpruned", LISTING);
    assert_eq!(left, same);
    assert!(pruned.len() < unpruned.len(), "{} and {}", pruned.len(), unpruned.len());
    assert_eq!(successes(&pruned), successes(&unpruned));
}

#[test]
fn of_a_chain_of_nullable_nodes_the_highest_stays_so() {
    let tree = parse("c", "int f(void) { g(1); }");
    let view = View::new(&tree, Views::NORMAL_FORM);
    let tagged = |filter: Filter| -> Vec<String> {
        let tags = filter.tags(&view);
        let nodes = view.ids().filter(|node| tags[node.index()]);
        let text = |node: ViewId| String::from_utf8_lossy(&tree.text()[view.range(node)]);
        nodes.map(|node| format!("{} {}", view.name(node), text(node))).collect()
    };
    let nullable = tagged(Filter::Nullable);
    let highest = tagged(Filter::HighestNullable);
    // A list with one element, and an optional node.
    for chain in [["* g(1);", "expression_statement g(1);"], ["? 1", "number_literal 1"]] {
        assert!(chain.iter().all(|node| nullable.iter().any(|each| each == node)), "{nullable:?}");
        assert!(highest.iter().any(|each| each == chain[0]), "{highest:?}");
        assert!(!highest.iter().any(|each| each == chain[1]), "{highest:?}");
    }
    // No two remaining nodes have the same text.
    let texts: Vec<&str> = highest.iter().map(|node| node.split_once(' ').unwrap().1).collect();
    assert!(texts.iter().all(|text| texts.iter().filter(|each| each == &text).count() == 1));
    // Perses tries to remove the children of lists and optional nodes.
    let elements = tagged(Filter::Elements);
    assert!(elements.iter().any(|node| node == "expression_statement g(1);"), "{elements:?}");
    assert!(!elements.iter().any(|node| node == "* g(1);"), "{elements:?}");
}

#[test]
fn the_heaviest_comes_first_and_of_the_same_weight_the_highest_and_then_the_last() {
    let text = "[[10, 20], [30, 40], [50, [60]], 7]";
    let tried = |name: &str| -> Vec<String> {
        let trials = trials(name, "json", text, |_| false);
        trials.iter().map(|trial| trial.replace(' ', "")).collect()
    };
    assert_eq!(
        tried("pardis"),
        [
            "",
            // The content of the outermost brackets, and the element of seven tokens.
            "[]",
            "[[10,20],[30,40],7]",
            // Five: the other two, and the list in the first, which is further down.
            "[[10,20],[50,[60]],7]",
            "[[30,40],[50,[60]],7]",
            "[[10,20],[30,40],[],7]",
            // Three.
            "[[10,20],[],[50,[60]],7]",
            "[[],[30,40],[50,[60]],7]",
            "[[10,20],[30,40],[50],7]",
            // Single tokens, the highest first, from right to left.
            "[[10,20],[30,40],[50,[60]]]",
            "[[10,20],[30,40],[[60]],7]",
            "[[10,20],[30],[50,[60]],7]",
            "[[10,20],[40],[50,[60]],7]",
            "[[10],[30,40],[50,[60]],7]",
            "[[20],[30,40],[50,[60]],7]",
            "[[10,20],[30,40],[50,[]],7]",
        ]
    );
    // The two lists of the same weight are tried together before each alone, and so are their elements.
    let hybrid = tried("pardis-hybrid");
    let place = |trial: &str| hybrid.iter().position(|each| each == trial);
    assert!(place("[[50,[60]],7]") < place("[[10,20],[50,[60]],7]"), "{hybrid:?}");
    assert!(place("[[10,20],[50,[60]],7]") < place("[[30,40],[50,[60]],7]"), "{hybrid:?}");
    // All elements of a list come before the nodes inside of any of them.
    let perses = tried("perses-n");
    let place = |trial: &str| perses.iter().position(|each| each == trial).unwrap();
    assert!(place("[[10,20],[30,40],[50,[60]]]") < place("[[10,20],[30,40],[],7]"), "{perses:?}");
}

#[test]
fn perses_replaces_a_node_by_the_only_element_of_a_list_in_it() {
    let tried = |language, text| trials("perses-replace", language, text, |_| false);
    let c = tried("c", "int f() { { g(); } }");
    assert!(c.contains(&"int f() { g(); }".into()), "{c:?}");
    let javascript = tried("javascript", "{ { p(); } }");
    assert!(javascript.contains(&"{ p(); }".into()), "{javascript:?}");
    let python = tried("python", "x = a(b(c(1)))\n");
    assert!(python.contains(&"x = b(c(1))\n".into()), "{python:?}");
}

#[test]
fn perses_looks_for_replacements_no_further_than_the_first_in_each_branch() {
    let tried = trials("perses-replace", "javascript", "x = a(b(c(1)), d);", |_| false);
    let tried: Vec<String> = tried.iter().map(|trial| trial.replace(' ', "")).collect();
    for replacement in ["x=b(c(1));", "x=a(c(1),d);", "x=d;"] {
        assert!(tried.contains(&replacement.into()), "{replacement} in {tried:?}");
    }
    assert!(!tried.contains(&"x=c(1);".into()), "{tried:?}");
}

#[test]
fn perses_and_pardis_remove_no_statement_from_around_its_body() {
    let text = "int main() { if (1) { f(); } for (;;) g(1 + 2); }";
    for reducer in
        ["perses", "perses-opdd", "perses-n", "pardis", "pardis-unpruned", "pardis-hybrid"]
    {
        let tried = trials(reducer, "c", text, |_| false);
        let has = |text: &str| tried.iter().any(|trial| trial == text);
        assert!(!has("int main() { { f(); } for (;;) g(1 + 2); }"), "{reducer}: {tried:?}");
        assert!(!has("int main() { if (1) { f(); } g(1 + 2); }"), "{reducer}: {tried:?}");
        // What follows a first child is a turn of a recursion to the left, or optional, in the papers' grammars, too.
        assert!(has("int main() { if (1) { f(); } for (;;) g(1); }"), "{reducer}: {tried:?}");
    }
    for reducer in ["perses-wide", "perses-opdd-wide", "pardis-wide", "pardis-hybrid-wide"] {
        let tried = trials(reducer, "c", text, |_| false);
        let has = |text: &str| tried.iter().any(|trial| trial == text);
        assert!(has("int main() { { f(); } for (;;) g(1 + 2); }"), "{reducer}: {tried:?}");
    }
}

#[test]
fn scythe_returns_to_a_declaration_after_its_last_use_is_gone() {
    // The largest comes first, and f is larger than its only use.
    let text = "int f(int a) { return a + 1 + 2 + 3 + 4 + 5 + 6; }\n\
                int g() { return f(7); }\nint main() { return 0; }\n";
    let is_good = |text: &str| {
        text.contains("int main() { return 0; }")
            && (!text.contains("f(7)") || text.contains("int f("))
    };
    let tried = trials("scythe", "c", text, is_good);
    // All is tried first.
    let place = |part: &str| tried[1..].iter().position(|trial| !trial.contains(part)).unwrap();
    assert!(place("int f(") < place("int g("), "{tried:#?}");
    let best = tried.iter().filter(|trial| is_good(trial)).min_by_key(|trial| trial.len()).unwrap();
    assert_eq!(best.trim(), "int main() { return 0; }", "{tried:#?}");
}

#[test]
fn scythe_does_not_return_to_the_parts_of_a_declaration_that_stays() {
    let text = "int f(int a) { return a + 1 + 2 + 3 + 4 + 5 + 6; }\n\
                int g() { return f(7); }\nint main() { return 0; }\n";
    let is_good = |text: &str| text.contains("int main() { return 0; }") && text.contains("a + 1");
    let tried = trials("scythe", "c", text, is_good);
    let gone = |part: &str| tried.iter().filter(|trial| trial.starts_with(part)).count();
    assert_eq!(gone("int main"), 1, "f is tried once more: {tried:#?}");
    assert_eq!(gone("int f(int a) { }"), 1, "but what is in it is not: {tried:#?}");
}
