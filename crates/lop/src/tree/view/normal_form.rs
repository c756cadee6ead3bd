//! Perses' normal form, without a transformation of the grammar.
//!
//! C. Sun et al., "Perses: Syntax-Guided Program Reduction", ICSE 2018, rewrite a grammar until everything removable is
//! under a quantifier, and parse with that. A tree-sitter parser cannot be rewritten, and need not be: the content
//! model replaces the quantifiers of the normal form, since it knows which nodes are removable however the grammar is
//! written, and the view adds the nodes that the rewriting would add. Case by case (`x` is anything, `a` and `b` are
//! different):
//!
//! | the grammar has | the normal form | here |
//! |---|---|---|
//! | `x?`, `x \| ε` | `x?` | an optional node above a child, or a group of children, that is removable but not repeated |
//! | `x*`, `x+`, also with separators | the same | a list above neighbours that are removable and repeated: `Tree::series`; the list itself is removable if all of them are |
//! | `r: a \| r b`, recursion to the left | `a b*` | `a`, and a list of the turns `b` of each `r` in `r`: without a turn, the inner `r` replaces the outer one |
//! | `r: a \| b r`, recursion to the right | `b* a` | the same from the other end |
//! | `r: a \| a b` | `a b?` | `a`, and an optional node above `b`: without it, `a` replaces `r` |
//!
//! The last three are one case: a node's first or last child may replace it. That may hold in one place and not in
//! another, where the rewriting would see one rule. Deeper descendants are not covered: replacing a node by one of them
//! is hoisting.
//!
//! A tree-sitter grammar has a rule for each operator and each statement where the papers' grammars have one rule
//! `expression` or a chain of them, so the rows of recursion to the left and of `a b?` are treated as one: a first
//! child may replace a node of any rule. A last child may replace only a node of its own rule: in the papers' grammars,
//! `if (a) b` leads to `b` through two rules, and the rewriting does not change that. [`Views::WIDE_NORMAL_FORM`] makes
//! it optional as well, and so everything that comes before a last child that could replace its parent; the default
//! strategy uses that.
//!
//! Departures: prefixes such as `*` or `!`, some of which are optional in the papers' grammars, are treated like
//! `if (a)`; neighbouring lists with the same quantifier are one; comments, which no rule mentions, are optional.

use std::collections::VecDeque;

use lop_grammar::Quantifier;

use super::build::{Seed, ViewBuilder};
use super::{Origin, Role};
use crate::tree::{NodeId, Series};

impl ViewBuilder<'_> {
    /// Puts nodes above repeated and optional children.
    pub(super) fn quantified(&self, children: Vec<Seed>) -> Vec<Seed> {
        let mut quantified = Vec::new();
        let mut children = VecDeque::from(children);
        while let Some(first) = children.front() {
            let (role, count) = match self.repetition(first) {
                Some(repetition) => (Role::List, self.length(repetition, &children)),
                None if self.may_go(first) => (Role::Optional, 1),
                None => {
                    quantified.extend(children.pop_front());
                    continue;
                }
            };
            let inner: Vec<Seed> = children.drain(..count).collect();
            let (first, last) = (inner[0].siblings(), inner[count - 1].siblings());
            let range = inner[0].range.start..inner[count - 1].range.end;
            let origin = Origin::Group { first: first.0, last: last.1 };
            quantified.push(Seed { origin, role, range, element: None, inner });
        }
        quantified
    }

    /// The repetition that a child is an element of.
    fn repetition(&self, child: &Seed) -> Option<Repetition> {
        let (number, _) = child.element?;
        let series = &self.series[number];
        let quantifier = self.tree.quantifier(series.nodes()[0]);
        match series.is_separated() {
            false if quantifier.repeats() => Some(Repetition::Plain(quantifier)),
            // Each element has its own comma, even the last one.
            false if series.len() == 1 => None,
            _ => Some(Repetition::Series(number)),
        }
    }

    /// The number of children that belong to the repetition that begins with the first of them: up to
    /// its last element, with separators and comments.
    fn length(&self, repetition: Repetition, children: &VecDeque<Seed>) -> usize {
        let belongs = |child: &Seed| self.repetition(child) == Some(repetition);
        let is_between = |child: &Seed| match (repetition, child.origin) {
            (Repetition::Series(_), _) => child.element.is_none(),
            (_, Origin::Nodes { place, .. }) => self.tree.is_extra(place),
            _ => false,
        };
        let part = children.iter().take_while(|child| belongs(child) || is_between(child));
        part.enumerate().filter(|(_, child)| belongs(child)).last().map_or(1, |(last, _)| last + 1)
    }

    fn may_go(&self, child: &Seed) -> bool {
        child.element.is_some() || self.is_removable(child.origin)
    }

    /// The parts of a node that its first or last child may replace: that child, and the turns that
    /// are added to it.
    pub(super) fn recursion(&self, node: NodeId) -> Option<Vec<Seed>> {
        if !self.views.flatten {
            return None;
        }
        let side = self.side(node)?;
        let mut turns = Vec::new();
        let mut whole = node;
        let base = loop {
            let Some((kept, first, last)) = self.ends(whole, side) else { break whole };
            if !self.is_apart(whole, kept) {
                break whole;
            }
            let range = self.tree.range(first).start..self.tree.range(last).end;
            let origin = Origin::Turn { whole, kept };
            let (role, element, inner) = (Role::Regular, None, Vec::new());
            turns.push(Seed { origin, role, range, element, inner });
            whole = kept;
            if self.tree.kind(kept) != self.tree.kind(node) {
                break kept;
            }
        };
        if side == Side::Left {
            turns.reverse();
        }
        let turns = if self.views.quantify { vec![self.turns(node, base, turns)] } else { turns };
        let base = [self.seed(base)];
        Some(match side {
            Side::Left => base.into_iter().chain(turns).collect(),
            Side::Right => turns.into_iter().chain(base).collect(),
        })
    }

    /// Puts a node above the turns of a recursion.
    fn turns(&self, whole: NodeId, kept: NodeId, inner: Vec<Seed>) -> Seed {
        let role = if inner.len() > 1 { Role::List } else { Role::Optional };
        let range = inner[0].range.start..inner[inner.len() - 1].range.end;
        Seed { origin: Origin::Turn { whole, kept }, role, range, element: None, inner }
    }

    /// The side of a node's recursion, if it has one; else the side of a child that may replace
    /// it.
    fn side(&self, node: NodeId) -> Option<Side> {
        let tree = self.tree;
        let kept = |side: Side| self.ends(node, side).map(|(kept, ..)| kept);
        let recurs =
            |side: &Side| kept(*side).is_some_and(|kept| tree.kind(kept) == tree.kind(node));
        let may_stay = |side: &Side| {
            kept(*side).is_some_and(|kept| {
                tree.is_named(kept)
                    && !tree.is_extra(kept)
                    && !tree.is_error(kept)
                    && !tree.is_removable(kept)
                    && tree.fits(node, tree.kind(kept))
            })
        };
        let sides = [Side::Left, Side::Right];
        let recursion = sides.into_iter().find(recurs);
        let ends = if self.views.wide { &sides[..] } else { &sides[..1] };
        let end = || ends.iter().copied().find(may_stay).filter(|_| self.views.quantify);
        let side = recursion.or_else(end)?;
        self.is_apart(node, kept(side)?).then_some(side)
    }

    /// Whether a child of a node isn't part of a list there.
    fn is_apart(&self, node: NodeId, child: NodeId) -> bool {
        let is_in = |series: &Series| series.nodes().contains(&child);
        !self.views.group || !self.tree.series(node).iter().any(is_in)
    }

    /// The child at one end of a node, and the first and the last of the others.
    fn ends(&self, node: NodeId, side: Side) -> Option<(NodeId, NodeId, NodeId)> {
        let children: Vec<NodeId> = self.tree.children(node).collect();
        match (&children[..], side) {
            ([kept, first, .., last], Side::Left) | ([first, .., last, kept], Side::Right) => {
                Some((*kept, *first, *last))
            }
            ([left, right], Side::Left) => Some((*left, *right, *right)),
            ([left, right], Side::Right) => Some((*right, *left, *left)),
            _ => None,
        }
    }
}

/// The repetition that some neighbours are elements of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repetition {
    /// A series, by its number.
    Series(usize),
    /// A repetition without separators: neighbours in several series are one list, for example where some elements have more nodes than
    /// others.
    Plain(Quantifier),
}

/// One end of a node's children.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lop_grammar::{Grammar, Label};

    use crate::tree::{Builder, Format, Parser, Role, Tree, View, ViewId, Views};

    /// A parser of one text, whose tree was written down.
    struct Written {
        grammar: Grammar,
        steps: Vec<Step>,
    }

    enum Step {
        Open(Label, usize),
        Close(usize),
    }

    impl Parser for Written {
        fn name(&self) -> &str {
            "written"
        }

        fn grammar(&self) -> &Grammar {
            &self.grammar
        }

        fn is_strict(&self) -> bool {
            false
        }

        fn build(&self, _: &[u8], tree: &mut Builder<'_>) {
            for step in &self.steps {
                match step {
                    Step::Open(label, start) => drop(tree.open(*label, *start)),
                    Step::Close(end) => tree.close(*end),
                }
            }
        }
    }

    /// The tree that a parser of a small grammar would make. A tree is written as `r(x '+' x)`: rules
    /// with their children, rules that are tokens, and tokens in quotes.
    fn tree(grammar: &str, written: &str) -> Tree {
        let grammar = Grammar::parse("small", grammar).unwrap();
        let (mut steps, mut text) = (Vec::new(), String::new());
        let label = |name: &str| {
            let token = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
            let label = grammar.label(token.unwrap_or(name), token.is_none());
            label.unwrap_or_else(|| panic!("there is no {name}"))
        };
        let spaced = written.replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if word == ")" {
                steps.push(Step::Close(text.len()));
                continue;
            }
            if !text.is_empty() && !text.ends_with(' ') {
                text.push(' ');
            }
            steps.push(Step::Open(label(word), text.len()));
            if words.next_if_eq(&"(").is_none() {
                text.push_str(word.trim_matches('\''));
                steps.push(Step::Close(text.len()));
            }
        }
        let text = Arc::new(text.into_bytes());
        Tree::parse(&text, &Format::new(Arc::new(Written { grammar, steps })))
    }

    /// Draws a node of a view: lists in brackets with a star, optional nodes with a question mark; removable
    /// nodes have an exclamation mark.
    fn draw(view: &View<'_>, node: ViewId) -> String {
        let children: Vec<String> = view.children(node).map(|child| draw(view, child)).collect();
        let name = match view.role(node) {
            Role::List => "[*]",
            Role::Optional => "[?]",
            Role::Regular if view.node(node).is_none() => "[]",
            Role::Regular => view.name(node),
        };
        let may_go = if view.is_removable(node) { "!" } else { "" };
        match children.is_empty() {
            true => format!("{name}{may_go}"),
            false => format!("{name}{may_go}({})", children.join(" ")),
        }
    }

    /// Checks the normal form of a tree, and the text without the nodes whose texts are given.
    fn check(grammar: &str, written: &str, expected: &str, without: &[(&[&str], &str)]) {
        check_in(Views::NORMAL_FORM, grammar, written, expected, without);
    }

    fn check_in(
        views: Views,
        grammar: &str,
        written: &str,
        expected: &str,
        without: &[(&[&str], &str)],
    ) {
        let tree = tree(grammar, written);
        assert!(tree.ids().all(|node| tree.is_matched(node) != Some(false)), "{written}");
        let view = View::new(&tree, views);
        assert_eq!(draw(&view, view.root()), expected, "{grammar}");
        for (gone, left) in without {
            let is_gone = |node: &ViewId| {
                let text = String::from_utf8_lossy(&tree.text()[view.range(*node)]).into_owned();
                view.is_removable(*node) && gone.contains(&text.as_str())
            };
            let changes = view.prune(view.ids().filter(is_gone));
            let candidate = String::from_utf8(tree.candidate(&changes).bytes()).unwrap();
            assert_eq!(candidate, *left, "{written} without {gone:?}");
        }
    }

    const TOKENS: &str = "x = /x/; y = /y/; z = /z/;";

    #[test]
    fn what_is_optional_is_below_an_optional_node() {
        let grammar = format!("s = \"a\" x? ; {TOKENS}");
        check(&grammar, "s('a' x)", "s(a [?]!(x!))", &[(&["x"], "a")]);
        let grammar = format!("s = \"a\" | \"a\" x ; {TOKENS}");
        check(&grammar, "s('a' x)", "s(a [?]!(x!))", &[(&["x"], "a")]);
        // Several nodes that can be removed together are one node below it.
        let grammar = format!("s = \"a\" (\":\" x)? ; {TOKENS}");
        check(&grammar, "s('a' ':' x)", "s(a [?]!([]!(: x)))", &[(&[": x"], "a")]);
    }

    #[test]
    fn what_is_starred_is_below_a_list_that_may_go() {
        let grammar = format!("s = \"a\" x* ; {TOKENS}");
        check(&grammar, "s('a' x x)", "s(a [*]!(x! x!))", &[(&["x x"], "a"), (&["x"], "a")]);
        check(&grammar, "s('a' x)", "s(a [*]!(x!))", &[(&["x"], "a")]);
        let grammar = format!("s = \"a\" (x | y)* ; {TOKENS}");
        check(&grammar, "s('a' x y x)", "s(a [*]!(x! y! x!))", &[(&["x"], "a y")]);
    }

    #[test]
    fn of_a_list_with_a_plus_one_stays() {
        let grammar = format!("s = \"a\" (x | y)+ ; {TOKENS}");
        let without: &[(&[&str], &str)] = &[(&["x"], "a y"), (&["x", "y"], "a x")];
        check(&grammar, "s('a' x y)", "s(a [*](x! y!))", without);
        check(&grammar, "s('a' x)", "s(a x)", &[]);
    }

    #[test]
    fn elements_go_with_their_separators() {
        let grammar = format!("s = \"a\" (x | y) (\",\" (x | y))* \"b\" ; {TOKENS}");
        let without: &[(&[&str], &str)] = &[(&["y"], "a x , x b"), (&["x"], "a y b")];
        check(&grammar, "s('a' x ',' y ',' x 'b')", "s(a [*](x! , y! , x!) b)", without);
        let grammar = format!("s = \"a\" (x (\",\" x)*)? \"b\" ; {TOKENS}");
        let without: &[(&[&str], &str)] = &[(&["x , x"], "a b"), (&["x"], "a b")];
        check(&grammar, "s('a' x ',' x 'b')", "s(a [*]!(x! , x!) b)", without);
    }

    #[test]
    fn with_a_separator_behind_the_last_element_it_is_a_list_all_the_same() {
        let grammar = format!("s = \"a\" (x (\",\" x)* \",\"?)? \"b\" ; {TOKENS}");
        check(
            &grammar,
            "s('a' x ',' x ',' 'b')",
            "s(a [*]!([]!(x ,) []!(x [?]!(,!))) b)",
            &[(&["x ,"], "a b"), (&[","], "a x , x b"), (&["x , x ,"], "a b")],
        );
    }

    #[test]
    fn what_may_go_within_an_optional_part_is_below_a_node_of_its_own() {
        let grammar = format!("s = \"a\" (\":\" x y? z*)? ; {TOKENS}");
        check(
            &grammar,
            "s('a' ':' x y z z)",
            "s(a [?]!([]!(: x [?]!(y!) [*]!(z! z!))))",
            &[(&["y"], "a : x z z"), (&["z z"], "a : x y"), (&[": x y z z"], "a")],
        );
    }

    #[test]
    fn recursion_to_the_left_is_a_list_of_turns() {
        let grammar = format!("s = r \"!\" ; r = x | r \"+\" (y | z) ; {TOKENS}");
        check(
            &grammar,
            "s(r(r(r(x) '+' y) '+' z) '!')",
            "s(r(r(x) [*]!([]!(+ y) []!(+ z))) !)",
            &[(&["+ y"], "x + z !"), (&["+ z"], "x + y !"), (&["+ y + z"], "x !")],
        );
        // A single turn is optional.
        check(&grammar, "s(r(r(x) '+' y) '!')", "s(r(r(x) [?]!([]!(+ y))) !)", &[]);
    }

    #[test]
    fn recursion_to_the_right_is_a_list_of_turns() {
        let grammar = format!("s = r \"!\" ; r = x | (y | z) \"=\" r ; {TOKENS}");
        check(
            &grammar,
            "s(r(y '=' r(z '=' r(x))) '!')",
            "s(r([*]!([]!(y =) []!(z =)) r(x)) !)",
            &[(&["y ="], "z = x !"), (&["z ="], "y = x !"), (&["y = z ="], "x !")],
        );
    }

    #[test]
    fn what_another_rule_adds_to_its_first_child_is_optional() {
        // As in `int x = 1`, where another rule makes declarations with a value.
        let grammar = format!("s = (x | i) \"!\" ; i = x \"=\" y ; {TOKENS}");
        check(&grammar, "s(i(x '=' y) '!')", "s(i(x [?]!([]!(= y))) !)", &[(&["= y"], "x !")]);
        // If only the whole fits, nothing is optional.
        let grammar = format!("s = i \"!\" ; i = x \"=\" y ; {TOKENS}");
        check(&grammar, "s(i(x '=' y) '!')", "s(i(x = y) !)", &[]);
    }

    #[test]
    fn what_another_rule_adds_to_its_last_child_is_optional_in_the_wide_form_only() {
        let grammar = format!("s = (x | p) \"!\" ; p = \"*\" x ; {TOKENS}");
        check(&grammar, "s(p('*' x) '!')", "s(p(* x) !)", &[]);
        let (written, wide) = ("s(p('*' x) '!')", "s(p([?]!([]!(*)) x) !)");
        check_in(Views::WIDE_NORMAL_FORM, &grammar, written, wide, &[(&["*"], "x !")]);
    }

    #[test]
    fn an_end_that_is_an_element_of_a_list_is_not_kept_alone() {
        let grammar = format!("s = (x | l) \"!\" ; l = x (\",\" x)* ; {TOKENS}");
        check(&grammar, "s(l(x ',' x) '!')", "s(l([*](x! , x!)) !)", &[]);
    }
}
