//! What is kept of a program when the output of its test names some of its lines.

mod common;
#[path = "common/proposals.rs"]
mod proposals;

use lop::passes::Lore;
use lop::{Clues, Text};
use proposals::proposed_with;

/// What `slice` proposes for a text of which the test has named the lines that end with `<-`, without these marks.
fn slices(format: &str, marked: &str) -> Vec<String> {
    let mut text = String::new();
    let mut places = Vec::new();
    for line in marked.lines() {
        let start = text.len();
        text.push_str(line.trim_end_matches("<-").trim_end());
        if line.ends_with("<-") {
            places.push(start..text.len());
        }
        text.push('\n');
    }
    let lore =
        Lore { clues: Clues::new(&Text::new(text.clone().into()), places), ..Lore::default() };
    proposed_with(&lore, "slice", format, &text)
}

/// Checks that a slice of a text is proposed, with blank lines and indentation left out of the comparison.
fn slices_to(format: &str, marked: &str, expected: &str) {
    let all = slices(format, marked);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_expected = all.iter().any(|slice| words(slice) == words(expected));
    assert!(is_expected, "{expected}\nis not among\n{}", all.join("\n----\n"));
}

#[test]
fn a_slice_has_the_named_statements_alone_or_with_the_definitions_that_they_use() {
    let program = "\
limit = 3
names = ['a', 'b']
def unused(x):
    return names[x]
def half(x):
    print(limit)
    return x / 2
for name in names:
    print(unused(0))
print(half('c')) <-
";
    slices_to("python", program, "print(half('c'))");
    slices_to(
        "python",
        program,
        "limit = 3\ndef half(x):\n    print(limit)\n    return x / 2\nprint(half('c'))",
    );
}

#[test]
fn slices_grow_by_the_functions_that_are_called() {
    let functions: Vec<String> =
        (1..60).map(|n| format!("function f{n}() {{ return f{}(); }}", n - 1)).collect();
    let program = format!("function f0() {{ return 0; }}\n{}\nf59(); <-\n", functions.join("\n"));
    let lengths: Vec<usize> = slices("javascript", &program).iter().map(String::len).collect();
    assert!(lengths.is_sorted(), "{lengths:?}");
    assert_eq!(lengths[0], "f59();\n".len());
    assert!(lengths.contains(&"function f59() { return f58(); }\nf59();\n".len()), "{lengths:?}");
    assert!((4..10).contains(&lengths.len()), "{lengths:?}");
}

#[test]
fn of_a_large_text_a_slice_removes_half_or_more() {
    let slice_and_text = |number: usize| {
        let functions: Vec<String> =
            (1..number).map(|n| format!("function f{n}() {{ return f{}(); }}", n - 1)).collect();
        // Of a tenth nobody asks.
        let asked = number * 9 / 10;
        let program = format!("{}\nf{asked}(); <-\n", functions.join("\n"));
        let longest = slices("javascript", &program).iter().map(String::len).max().unwrap();
        (longest, program.len())
    };
    let (longest, text) = slice_and_text(100);
    assert!(longest * 10 > text * 8, "{longest} of {text}");
    let (longest, text) = slice_and_text(5000);
    assert!(longest * 2 <= text, "{longest} of {text}");
}

#[test]
fn of_classes_on_the_way_only_what_is_used_and_what_makes_objects_is_kept() {
    let program = "\
class Shape:
    def __init__(self, r):
        self.r = r
    def area(self):
        return 3 * self.r
    def grow(self):
        self.r += None <-
    def shrink(self):
        self.r -= 1
class Other:
    def area(self):
        return 4
s = Shape(3)
s.grow() <-
";
    slices_to(
        "python",
        program,
        "class Shape:\n def __init__(self, r):\n self.r = r\n def grow(self):\n self.r += None\ns = Shape(3)\ns.grow()",
    );
}

#[test]
fn a_slice_may_have_what_is_done_to_its_variables() {
    let program = "\
const seen = [];
const other = [];
seen.push(1);
other.push(2);
console.log(other.length);
console.log(seen[0].x.y); <-
";
    slices_to("javascript", program, "const seen = []; seen.push(1); console.log(seen[0].x.y);");
    let script = "\
CREATE TABLE t (a int);
CREATE TABLE u (b int);
INSERT INTO u VALUES (1);
INSERT INTO t VALUES (2);
SELECT b FROM u;
SELECT f(a) FROM t; <-
";
    slices_to(
        "sql",
        script,
        "CREATE TABLE t (a int); INSERT INTO t VALUES (2); SELECT f(a) FROM t;",
    );
}

#[test]
fn a_slice_may_have_the_function_in_which_the_program_begins() {
    let program = "\
struct point { int x, y; };
static int used(struct point *p) {
  return p->x / p->y; <-
}
static int unused(void) { return 1; }
static int other(void) { return 2; }
int main(void) {
  struct point p = {1, 0};
  return used(&p);
}
";
    slices_to(
        "c",
        program,
        &program.replace(" <-", "").replace(
            "static int unused(void) { return 1; }\nstatic int other(void) { return 2; }\n",
            "",
        ),
    );
}

#[test]
fn a_slice_may_have_what_ran_before() {
    let program = "\
require 'set'
def unused
  1
end
puts 1
puts 2
raise 'x' <-
puts 3
";
    slices_to("ruby", program, "require 'set'\nputs 1\nputs 2\nraise 'x'");
}

#[test]
fn names_are_those_of_the_scope_of_their_use() {
    let program = "\
mod one {
    pub struct Node { pub x: u32 }
    pub fn f(node: &Node) -> u32 { node.x }
}
mod two {
    use super::Label;
    pub struct Node { pub label: Label }
    pub fn f(node: &Node) -> u32 {
        node.label <-
    }
}
#[derive(Clone)]
pub struct Label;
pub struct Unused;
";
    slices_to(
        "rust",
        program,
        "mod two {
    use super::Label;
    pub struct Node { pub label: Label }
    pub fn f(node: &Node) -> u32 {
        node.label
    }
}
#[derive(Clone)]
pub struct Label;",
    );
}

#[test]
fn a_variable_hides_no_type_and_an_enumeration_declares_its_values() {
    let program = "\
struct list { struct list *next; };
enum mode {
  FIRST,
  LAST = 4
};
enum { SMALL, LARGE };
enum unused { NEVER };
enum none { BEFORE };
int mode(int first) { return first; }
int pick(struct list *list, enum mode mode) {
  int unused = BEFORE;
  return mode == LARGE; <-
}
";
    slices_to(
        "c",
        program,
        "struct list { struct list *next; };
enum mode {
  FIRST,
  LAST = 4
};
enum { SMALL, LARGE };
int pick(struct list *list, enum mode mode) {
  return mode == LARGE;
}",
    );
}

#[test]
fn what_is_decorated_or_cannot_be_removed_alone_is_declared_all_the_same() {
    let program = "\
@decorated
class Box:
    @property
    def size(self):
        return 1
    @property
    def unused(self):
        return 2
def unused():
    pass
def run(box):
    other = 1
    try:
        value = box.size
    except KeyError:
        raise
    other += 1
    if True:
        value.missing <-
run(Box()) <-
";
    slices_to(
        "python",
        program,
        "@decorated
class Box:
    @property
    def size(self):
        return 1
def run(box):
    try:
        value = box.size
    except KeyError:
        raise
    if True:
        value.missing
run(Box())",
    );
}

#[test]
fn without_clues_about_this_text_nothing_is_proposed() {
    assert!(slices("python", "a = 1\nprint(2)\n").is_empty());
    let clues = Clues::new(&Text::new("another text\n".into()), vec![0..7, 8..12]);
    let lore = Lore { clues, ..Lore::default() };
    assert!(proposed_with(&lore, "slice", "python", "a = 1\nprint(2)\n").is_empty());
}
