//! Groups of siblings with the same label: the items of a list, and the rounds of a loop without spans.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::choice::Kind;
use crate::loops::loops;
use crate::record::{Label, Record, Span, Values};

/// With more choices than these there are many groups, and a pass that copies all choices for each of their siblings takes long.
pub(super) const MANY: usize = 512;

/// Siblings with the same label.
pub(super) struct Group {
    pub(super) label: Label,
    /// The span around them.
    parent: Option<usize>,
    /// Their choices.
    pub(super) spans: Vec<Range<usize>>,
    /// The end of the list, if it is full: a full list has no choice that ends it, and needs one when an item is removed.
    full: Option<usize>,
}

impl Group {
    /// The numbers of all choices outside of some siblings in a row.
    pub(super) fn without(&self, best: &Record, gone: Range<usize>) -> Values {
        let gone = self.spans[gone.start].start..self.spans[gone.end - 1].end;
        let values = best.without(gone.clone());
        self.ended(values, gone.len())
    }

    /// The numbers of all choices outside of two siblings.
    pub(super) fn without_both(&self, best: &Record, one: usize, two: usize) -> Values {
        let gone = [one, two].map(|at| self.spans[at].clone());
        self.ended(best.without_all(&gone), gone[0].len() + gone[1].len())
    }

    /// The numbers without some choices of a full list, with one that ends it.
    fn ended(&self, mut values: Values, gone: usize) -> Values {
        if let Some(end) = self.full {
            values.insert(end - gone, 0);
        }
        values
    }
}

/// The choices of some siblings that select what follows, if the siblings are of different kinds: the first of each, after the choice that there is one.
pub(super) fn selectors(best: &Record, siblings: &[Range<usize>]) -> Vec<usize> {
    let has_flag = |sibling: &Range<usize>| {
        let first = &best.choices[sibling.start];
        matches!(first.kind, Kind::Boolean { .. }) && first.value == 1
    };
    let has_flags = siblings.iter().all(has_flag);
    let starts = siblings.iter().map(|sibling| sibling.start + usize::from(has_flags));
    let bodies: Vec<Range<usize>> =
        starts.zip(siblings).map(|(start, sibling)| start..sibling.end).collect();
    let shape = |body: &Range<usize>| -> Vec<Kind> {
        best.choices[body.clone()].iter().map(|choice| choice.kind).collect()
    };
    let is_alike = bodies.windows(2).all(|pair| shape(&pair[0]) == shape(&pair[1]));
    let bodies = bodies.into_iter().filter(|body| !is_alike && !body.is_empty());
    bodies.map(|body| body.start).collect()
}

/// The choices of all siblings with the same label, in the order of the first of each group.
pub(super) fn siblings(best: &Record) -> Vec<Vec<Range<usize>>> {
    groups(best).into_iter().map(|group| group.spans).collect()
}

/// The label of the rounds of a loop without spans.
const UNMARKED: Label = Label::of("unmarked");

/// All groups of siblings with the same label, in the order of the first of each, and the rounds of loops without spans.
pub(super) fn groups(best: &Record) -> Vec<Group> {
    let mut places: BTreeMap<(Option<usize>, Label), usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    let is_cut =
        |span: &&Span| !span.is_empty() && span.len() < best.choices.len() && !best.is_body(span);
    let owners = best.owners();
    for span in best.spans.iter().filter(is_cut) {
        let place = *places.entry((span.parent, span.label)).or_insert_with(|| {
            groups.push(Group {
                label: span.label,
                parent: span.parent,
                spans: Vec::new(),
                full: None,
            });
            groups.len() - 1
        });
        let list =
            span.parent.map(|parent| &best.spans[parent]).filter(|_| span.label == Label::ITEM);
        groups[place].full = list.map(|list| list.end).filter(|end| *end == span.end);
        groups[place].spans.push(span.range());
    }
    let others = groups.iter_mut().filter(|group| group.label != Label::ITEM);
    others.for_each(|group| with_flags(best, group, &owners));
    let unmarked = |rounds: Vec<Range<usize>>| Group {
        label: UNMARKED,
        parent: owners[rounds[0].start],
        spans: rounds,
        full: None,
    };
    groups.extend(loops(best).into_iter().map(unmarked));
    groups
}

/// If a yes or no that belongs to what is around them comes before each of some siblings, it says that there is one, as in a list: it goes with the
/// sibling. If no such choice comes after them, either, there could be no more of them.
fn with_flags(best: &Record, group: &mut Group, owners: &[Option<usize>]) {
    let is_flag = |at: usize| {
        let choice = &best.choices[at];
        choice.kind.ends() == (0, 1) && choice.value == 1 && owners[at] == group.parent
    };
    if group.spans.iter().all(|span| span.start.checked_sub(1).is_some_and(is_flag)) {
        group.spans.iter_mut().for_each(|span| span.start -= 1);
        let kind = |at: usize| best.choices.get(at).map(|choice| choice.kind);
        let (first, end) = (group.spans[0].start, group.spans[group.spans.len() - 1].end);
        let has_end = kind(end) == kind(first) && owners[end] == group.parent;
        group.full = (!has_end).then_some(end);
    }
}
