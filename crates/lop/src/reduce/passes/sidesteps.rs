//! Sidesteps: texts with the same tokens in another order, or with another name or a value in the place of a name, that
//! may lead to a smaller text.
//!
//! An element of a list is moved to another place, over the next tokens before or after it: a statement into the block
//! next to it or out of it, an argument after the next one. One occurrence of a name is replaced by another name of the
//! text, by a literal, or by the word for nothing where a part of it is accessed. None of this shrinks a text, so
//! sidesteps aren't a pass: a walk (see `run/strategy/walk.rs`) asks which of them are interesting and reduces those.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use crate::text::{Candidate, Edit};
use crate::tree::{NodeId, Series, Tree};

use super::names::{is_name, names};
use super::nothing::nothings;

/// How many tokens an element is moved over.
const FAR: usize = 8;

/// A kind of sidesteps from a text.
pub(crate) type Sidesteps = for<'t> fn(&'t Tree) -> Box<dyn Iterator<Item = Candidate> + 't>;

/// All kinds; those that lead further more often come first.
pub(crate) const SIDESTEPS: [Sidesteps; 2] = [values, places_and_names];

/// Names that become values.
fn values(tree: &Tree) -> Box<dyn Iterator<Item = Candidate> + '_> {
    different(tree, nameless(tree).chain(valued(tree)))
}

/// Elements in other places, the nearest first, and other names.
fn places_and_names(tree: &Tree) -> Box<dyn Iterator<Item = Candidate> + '_> {
    let inner = tree.ids().filter(|node| !tree.is_leaf(*node));
    let lists: Vec<Series> = inner.flat_map(|node| tree.series(node)).collect();
    let separated = lists.iter().filter(|list| list.is_separated());
    let exchanged: Vec<_> = separated.flat_map(|list| exchange(tree, list)).collect();
    let gaps = gaps(tree);
    let mut moved: Vec<(usize, Vec<Edit>)> = Vec::new();
    for list in lists.iter().filter(|list| !list.is_separated()) {
        for at in 0..list.len() {
            moved.extend(moves(tree, &gaps, list.element(at)));
        }
    }
    moved.sort_by_key(|(distance, _)| *distance);
    let moved = moved.into_iter().map(|(_, edits)| edits);
    different(tree, exchanged.into_iter().chain(moved).chain(renamings(tree)))
}

/// The candidates that some edits make, each once.
fn different<'t>(
    tree: &'t Tree,
    edits: impl Iterator<Item = Vec<Edit>> + 't,
) -> Box<dyn Iterator<Item = Candidate> + 't> {
    let mut seen = HashSet::from([tree.text().clone()]);
    let candidates = edits.map(|edits| Candidate::new(tree.text(), edits));
    Box::new(candidates.filter(move |candidate| seen.insert(candidate.text().clone())))
}

/// Each element of a list, exchanged with the next one.
fn exchange<'t>(tree: &'t Tree, list: &'t Series) -> impl Iterator<Item = Vec<Edit>> + 't {
    (1..list.len()).map(|at| {
        let (left, right) = (span(tree, list.element(at - 1)), span(tree, list.element(at)));
        let [first, second] = [&left, &right].map(|range| &tree.text()[range.clone()]);
        vec![edit(left.clone(), second), edit(right.clone(), first)]
    })
}

/// The gaps between tokens, including the one before the first and the one after the last. Gaps next to the frame of a
/// file don't count.
fn gaps(tree: &Tree) -> Vec<Range<usize>> {
    let leaves = tree.ids().filter(|node| tree.is_leaf(*node) && !tree.range(*node).is_empty());
    let leaves: Vec<NodeId> = leaves.collect();
    let is_framed =
        |leaf: Option<&NodeId>| leaf.is_some_and(|leaf| tree.parser_of(*leaf).is_frame());
    let gap = |next: usize| {
        let around = [next.checked_sub(1).map(|last| &leaves[last]), leaves.get(next)];
        let start = around[0].map_or(0, |last| tree.range(*last).end);
        let end = around[1].map_or(tree.text().len(), |next| tree.range(*next).start);
        (!around.into_iter().any(is_framed) && start <= end).then_some(start..end)
    };
    (0..=leaves.len()).filter_map(gap).collect()
}

/// Moves of an element into the gaps around it, with the number of tokens on the way. In the gaps next to it, it may have another
/// indentation.
fn moves(tree: &Tree, gaps: &[Range<usize>], element: &[NodeId]) -> Vec<(usize, Vec<Edit>)> {
    let own = span(tree, element);
    let before = gaps.iter().rev().filter(|gap| gap.end <= own.start).take(FAR).enumerate();
    let after = gaps.iter().filter(|gap| gap.start >= own.end).take(FAR).enumerate();
    let moved = |(way, gap): (usize, &Range<usize>)| {
        move_to(tree, gaps, &own, gap.clone()).map(move |edits| (way, edits))
    };
    after.chain(before).flat_map(moved).collect()
}

/// A part of the text in a gap between two tokens, on a separate line, indented as the line before the gap or as the
/// line after it.
fn move_to(
    tree: &Tree,
    gaps: &[Range<usize>],
    own: &Range<usize>,
    gap: Range<usize>,
) -> impl Iterator<Item = Vec<Edit>> {
    let text = tree.text();
    let part = &text[own.clone()];
    let begins = gaps.iter().find(|gap| gap.end == own.start).map_or(own.start, |gap| gap.start);
    let indent = |at: usize| {
        let line = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        text[line..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .copied()
            .collect::<Vec<u8>>()
    };
    let mut indents = vec![indent(gap.start), indent(gap.end)];
    indents.dedup();
    // A statement is unlikely to fit within an expression.
    let is_open = !gap.is_empty()
        || [gap.start.wrapping_sub(1), gap.end]
            .iter()
            .any(|at| matches!(text.get(*at), Some(b'{' | b'}' | b';')));
    let moved = |indent: Vec<u8>| {
        // The first line of the text has no line break before it.
        let (put, cut) = match (gap.start, begins) {
            (0, _) => ([part, b"\n"].concat(), begins..own.end),
            (_, 0) => (
                [b"\n", &indent[..], part].concat(),
                0..gaps.iter().find(|gap| gap.start == own.end).map_or(own.end, |gap| gap.end),
            ),
            _ => ([b"\n", &indent[..], part].concat(), begins..own.end),
        };
        // The gap after the first line is removed with it.
        let at = if cut.contains(&gap.start) && gap.start > begins { cut.end } else { gap.start };
        let mut edits = vec![edit(at..at, &put), Edit::cut(cut)];
        edits.sort_by_key(|edit| edit.range.start);
        edits
    };
    indents.into_iter().filter(move |_| is_open).map(moved).collect::<Vec<_>>().into_iter()
}

/// Each name of which a part is accessed, replaced by the word for nothing.
fn nameless(tree: &Tree) -> impl Iterator<Item = Vec<Edit>> {
    let names = tree.ids().filter(|node| is_name(tree, *node));
    names.flat_map(move |name| {
        let edit = move |word: &str| vec![edit(tree.range(name), word.as_bytes())];
        nothings(tree, name).map(edit)
    })
}

/// Each name, replaced by each number and string of the text: the code that led a value to a place is superfluous if
/// the place has the value.
fn valued(tree: &Tree) -> impl Iterator<Item = Vec<Edit>> {
    let is_literal = |node: &NodeId| {
        let first = tree.text_of(*node).first();
        tree.is_named(*node)
            && first.is_some_and(|byte| byte.is_ascii_digit() || b"\"'".contains(byte))
    };
    let literals: BTreeSet<&[u8]> =
        tree.ids().filter(is_literal).map(|node| tree.text_of(node)).collect();
    let names = tree.ids().filter(|node| is_name(tree, *node));
    names.flat_map(move |name| {
        let put = |literal: &&[u8]| vec![edit(tree.range(name), literal)];
        literals.iter().map(put).collect::<Vec<_>>()
    })
}

/// Each occurrence of a name, replaced by each other name.
fn renamings(tree: &Tree) -> impl Iterator<Item = Vec<Edit>> {
    let names = names(tree);
    let mut renamings = Vec::new();
    for (name, occurrences) in &names {
        for occurrence in occurrences {
            for other in names.keys().filter(|other| *other != name) {
                renamings.push(vec![edit(tree.range(*occurrence), other)]);
            }
        }
    }
    renamings.into_iter()
}

fn edit(range: Range<usize>, with: &[u8]) -> Edit {
    Edit { range, with: with.into() }
}

fn span(tree: &Tree, element: &[NodeId]) -> Range<usize> {
    let [first, last] = [element[0], element[element.len() - 1]].map(|node| tree.range(node));
    first.start..last.end
}

#[cfg(test)]
mod tests {
    use crate::text::Text;
    use crate::tree::Format;

    use super::*;

    fn sidesteps_of(format: &str, text: &str) -> Vec<String> {
        let text = Text::new(text.into());
        let tree = Tree::parse(&text, &Format::named(format).unwrap());
        let steps = SIDESTEPS.iter().flat_map(|sort| sort(&tree));
        let steps = steps.filter(|step| tree.still_parses(step));
        steps.map(|step| String::from_utf8(step.bytes()).unwrap()).collect()
    }

    #[test]
    fn neighbours_of_a_separated_list_are_exchanged() {
        let steps = sidesteps_of("json", "[1, 22, 3]");
        assert_eq!(steps, ["[22, 1, 3]", "[1, 3, 22]"]);
    }

    #[test]
    fn a_statement_is_moved_into_the_block_next_to_it() {
        let steps = sidesteps_of("python", "if 1:\n  f()\n  g()\nh()\n");
        assert!(steps.contains(&"if 1:\n  f()\n  g()\n  h()\n".into()), "{steps:?}");
        assert!(steps.contains(&"h()\nif 1:\n  f()\n  g()\n".into()), "{steps:?}");
        assert!(!steps.contains(&"if\nh() 1:\n  f()\n  g()\n".into()), "that does not parse");
    }

    #[test]
    fn a_name_is_replaced_by_another_one_where_it_stands() {
        let steps = sidesteps_of("javascript", "a(b)");
        let steps: Vec<&str> = steps.iter().map(|step| &step[..]).collect();
        assert_eq!(steps, ["undefined(b)", "null(b)", "b(b)", "a(a)"]);
    }

    #[test]
    fn a_name_is_replaced_by_each_literal() {
        let steps = sidesteps_of("python", "for a in [\"\"]:\n    a + 17\n");
        assert!(steps.contains(&"for a in [\"\"]:\n    \"\" + 17\n".into()), "{steps:?}");
        assert!(steps.contains(&"for a in [\"\"]:\n    17 + 17\n".into()), "{steps:?}");
        assert!(!steps.iter().any(|step| step.starts_with("for \"\"")), "that does not parse");
    }

    #[test]
    fn a_name_of_which_a_part_is_asked_for_becomes_nothing() {
        for (format, text, expected) in [
            ("javascript", "a.b", &["undefined.b", "null.b"][..]),
            ("python", "a[b]\n", &["None[b]\n"]),
            ("ruby", "a.b\n", &["nil.b\n"]),
            // `nil.b` isn't an expression of Lua.
            ("lua", "x = a.b\n", &[]),
            ("c", "int a = b;", &[]),
        ] {
            let nothing = |it: &String| {
                ["undefined", "null", "None", "nil"].iter().any(|word| it.contains(word))
            };
            let steps: Vec<String> =
                sidesteps_of(format, text).into_iter().filter(nothing).collect();
            assert_eq!(steps, expected, "{format}");
        }
    }
}
