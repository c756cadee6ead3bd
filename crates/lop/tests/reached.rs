//! What is kept of a program when it is known which of its lines ran.

mod common;
#[path = "common/proposals.rs"]
mod proposals;

use lop::passes::Lore;
use lop::{Clues, Text};
use proposals::proposed_with;

/// What `slice` proposes for a text of which the lines that end with `*` ran and those that end with `*<-` were named as well, without these marks.
fn slices(format: &str, marked: &str) -> Vec<String> {
    let mut text = String::new();
    let (mut places, mut reached) = (Vec::new(), Vec::new());
    for line in marked.lines() {
        let start = text.len();
        text.push_str(line.trim_end_matches("<-").trim_end_matches('*').trim_end());
        if line.ends_with("<-") {
            places.push(start..text.len());
        }
        if line.trim_end_matches("<-").ends_with('*') {
            reached.push(start..text.len());
        }
        text.push('\n');
    }
    let clues = Clues::new(&Text::new(text.clone().into()), places).with_reached(reached);
    proposed_with(&Lore { clues, ..Lore::default() }, "slice", format, &text)
}

/// Checks that a slice of a text is proposed, with blank lines and indentation left out of the comparison.
fn slices_to(format: &str, marked: &str, expected: &str) {
    let all = slices(format, marked);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_expected = all.iter().any(|slice| words(slice) == words(expected));
    assert!(is_expected, "{expected}\nis not among\n{}", all.join("\n----\n"));
}

const SHAPES: &str = "\
import math *
class Shape: *
    def __len__(self): *
        x = self.area()
        return x
    def area(self): *
        size = self.side *
        if size < 0: *
            size = -size
            log(size)
        return size *
    def name(self): *
        text = 'shape'
        return text
def log(size): *
    print(size)
    print('logged')
def draw(shape): *
    print(shape)
    print('drawn')
handlers = [draw] *
print(Shape().area()) *
";

#[test]
fn what_did_not_run_is_removed_with_the_functions_that_nobody_called() {
    slices_to(
        "python",
        SHAPES,
        "import math
class Shape:
    def area(self):
        size = self.side
        if size < 0:
            0
        return size
handlers = [draw]
print(Shape().area())",
    );
}

#[test]
fn functions_that_are_mentioned_or_called_without_a_mention_may_stay_with_nothing_in_them() {
    slices_to(
        "python",
        SHAPES,
        "import math
class Shape:
    def __len__(self):
        0
    def area(self):
        size = self.side
        if size < 0:
            0
        return size
def draw(shape):
    0
handlers = [draw]
print(Shape().area())",
    );
}

#[test]
fn all_functions_may_stay_with_nothing_in_them() {
    slices_to(
        "python",
        SHAPES,
        "import math
class Shape:
    def __len__(self):
        0
    def area(self):
        size = self.side
        if size < 0:
            0
        return size
    def name(self):
        0
def log(size):
    0
def draw(shape):
    0
handlers = [draw]
print(Shape().area())",
    );
}

#[test]
fn what_says_only_where_a_name_belongs_is_never_run_and_stays() {
    let program = "\
count = 0 *
def unused(): *
    print('a long text that nobody prints')
    print('another long text that nobody prints')
def add(): *
    global count
    count += 1 *
    return count *
add() *
";
    slices_to(
        "python",
        program,
        "count = 0\ndef add():\n    global count\n    count += 1\n    return count\nadd()",
    );
}

#[test]
fn of_named_statements_and_what_they_need_only_that_is_kept_which_ran() {
    let program = "\
function half(x) { *
  if (x > 2) { *
    warn(x);
    return 0;
  }
  return x.y; *<-
}
function warn(x) {
  console.log(x, 'is large');
}
console.log(1, 'is a number'); *
half(1); *<-
";
    slices_to(
        "javascript",
        program,
        "function half(x) {\n  if (x > 2) {\n  }\n  return x.y;\n}\nhalf(1);",
    );
}

#[test]
fn where_everything_ran_nothing_is_proposed() {
    let program = "def f(x): *\n    y = x * 2 *\n    return y *\nprint(f(1)) *\n";
    assert_eq!(slices("python", program), [""; 0]);
}

#[test]
fn a_generator_stays_one_though_it_yielded_nothing() {
    let program = "\
def parts(whole): *
    if whole: *
        print('some')
        yield from whole
        print('more')
    print('none') *
for part in parts([]): *
    print(part)
    print('is a part')
";
    slices_to(
        "python",
        program,
        "def parts(whole):\n    if whole:\n        yield from whole\n    print('none')\nfor part in parts([]):\n    0",
    );
}
