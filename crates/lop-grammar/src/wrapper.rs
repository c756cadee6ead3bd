//! Wrappers: the least text around a node that turns it into a node with another label.
//!
//! An expression isn't a statement, but with a `;` after it, it is one. Of all words of the statement's content model
//! in which the expression occurs, Dijkstra's algorithm finds the one with the least other text: over the states of the
//! automaton, before and after the node.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::automaton::Automaton;
use crate::grammar::Grammar;
use crate::label::Label;
use crate::minimal::would_glue;

/// The cost of an invisible token, such as an assumed line end: a few visible tokens are better than one
/// of these.
const UNSEEN: usize = 8;

/// The text before and after a node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wrapper {
    /// The text before it.
    pub before: String,
    /// The text after it.
    pub after: String,
}

impl Grammar {
    /// The least text around a node with the label `inner` that turns it into a node with the label `outer`.
    pub fn wrapper(&self, outer: Label, inner: Label) -> Option<Wrapper> {
        let of_rule =
            |rule| shortest(self.model(rule).automaton(), inner, |label| self.minimal(label));
        let all = self.producers(outer).iter().filter_map(|rule| of_rule(*rule));
        all.min_by_key(|(cost, _)| *cost).map(|(_, wrapper)| wrapper)
    }
}

/// A state, and whether the node was read on the way to it.
type Point = (u32, bool);

/// The point from which another was reached, and the token between them.
type Arrival = (Point, Option<Label>);

/// The cheapest word with a label in it.
fn shortest<'g>(
    automaton: &Automaton,
    inner: Label,
    text: impl Fn(Label) -> Option<&'g str>,
) -> Option<(usize, Wrapper)> {
    // Few rules contain a given label.
    if !automaton.edges.iter().flatten().any(|edge| edge.label == inner) {
        return None;
    }
    let mut reached: HashMap<Point, (usize, Option<Arrival>)> = HashMap::new();
    let mut queue = BinaryHeap::from([Reverse((0, (automaton.start, false)))]);
    reached.insert((automaton.start, false), (0, None));
    while let Some(Reverse((cost, point))) = queue.pop() {
        if reached[&point].0 < cost {
            continue;
        }
        if point == (automaton.end, true) {
            break;
        }
        let (state, seen) = (point.0 as usize, point.1);
        let silent = automaton.silent[state].iter().map(|to| (0, (*to, seen), None));
        let unseen = automaton.unseen[state].iter().map(|to| (UNSEEN, (*to, seen), None));
        let edges = &automaton.edges[state];
        let node = edges.iter().filter(|edge| !seen && edge.label == inner);
        let node = node.map(|edge| (0, (edge.to, true), None));
        let tokens = edges.iter().filter_map(|edge| {
            // A token costs more than its letters.
            let cost = text(edge.label).filter(|_| edge.label != Label::TEXT)?.len() + 1;
            Some((cost, (edge.to, seen), Some(edge.label)))
        });
        for (step, to, label) in silent.chain(unseen).chain(node).chain(tokens) {
            if reached.get(&to).is_none_or(|(known, _)| cost + step < *known) {
                reached.insert(to, (cost + step, Some((point, label))));
                queue.push(Reverse((cost + step, to)));
            }
        }
    }
    let mut wrapper = [Vec::new(), Vec::new()];
    let mut at = (automaton.end, true);
    let cost = reached.get(&at)?.0;
    while let Some((from, label)) = reached[&at].1 {
        wrapper[usize::from(from.1)].extend(label.and_then(&text));
        at = from;
    }
    let [before, after] = wrapper.map(|mut parts| {
        parts.reverse();
        joined(&parts)
    });
    Some((cost, Wrapper { before, after }))
}

fn joined(parts: &[&str]) -> String {
    parts.iter().fold(String::new(), |mut whole, part| {
        if would_glue(&whole, part) {
            whole.push(' ');
        }
        whole + part
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapper(rules: &str, outer: &str, inner: &str) -> Option<(String, String)> {
        let grammar = Grammar::parse("test", rules).unwrap();
        let label = |name| grammar.label(name, true).unwrap();
        let Wrapper { before, after } = grammar.wrapper(label(outer), label(inner))?;
        Some((before, after))
    }

    const RULES: &str = r#"
        block = "{" statement* "}" ;
        statement = "do" expression "end" "now" | "if" expression block | expression ";" ;
        expression = number ;
        number = "zero" ;
        lonely = "x" ;
    "#;

    #[test]
    fn of_all_the_ways_to_wrap_a_node_the_shortest_is_named() {
        let found = |before: &str, after: &str| Some((before.to_owned(), after.to_owned()));
        assert_eq!(wrapper(RULES, "statement", "expression"), found("", ";"));
        assert_eq!(wrapper(RULES, "statement", "block"), found("if zero", ""));
        assert_eq!(wrapper(RULES, "block", "statement"), found("{", "}"));
        assert_eq!(wrapper(RULES, "block", "lonely"), None);
    }
}
