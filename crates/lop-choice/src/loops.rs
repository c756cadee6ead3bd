//! Loops of generators that mark no spans, told from the kinds of their choices.
//!
//! Each round of a loop begins with a choice of the same kind. If that is a yes or no, it says whether there is another round: all are yes but for the last. Otherwise a
//! number before the loop says how many rounds there are. Rounds of a single choice are left out, since passes know what to do with rows of choices.

use std::ops::Range;

use crate::choice::{Choice, Kind};
use crate::record::{Label, Record};

/// The longest row of choices in which loops are looked for.
const LONGEST: usize = 512;

/// How many kinds of choices are tried as the first of a round.
const KINDS: usize = 4;

/// The rounds of a loop.
pub(crate) type Rounds = Vec<Range<usize>>;

/// The rounds of all loops without spans.
pub(crate) fn loops(record: &Record) -> Vec<Rounds> {
    let rows = loose(record).into_iter().filter(|row| row.len() <= LONGEST);
    rows.flat_map(|row| {
        let flagged = flagged(record, row.clone());
        let counted = || {
            // Among others, a round of one choice is most likely none.
            let is_even = |rounds: &Rounds| rounds.iter().all(|round| round.len() > 1);
            let counted = counted(record, row.clone());
            counted.clone().filter(is_even).or_else(|| growing(record, row.clone())).or(counted)
        };
        let other = || unended(record, row.clone()).or_else(counted);
        let other = if flagged.is_empty() { other() } else { None };
        flagged.into_iter().chain(other)
    })
    .collect()
}

/// Rounds that each begin with a yes.
fn flagged(record: &Record, row: Range<usize>) -> Vec<Rounds> {
    let is_flag = |at: &usize| matches!(record.choices[*at].kind, Kind::Boolean { .. });
    let Some(first) = row.clone().find(is_flag) else { return Vec::new() };
    let kind = record.choices[first].kind;
    let flags: Vec<usize> = row.filter(|at| record.choices[*at].kind == kind).collect();
    let is_end = |at: &usize| record.choices[*at].value == 0;
    let mut loops = Vec::new();
    for flags in flags.split_inclusive(is_end) {
        let rounds: Rounds = flags.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let has_end = flags.last().is_some_and(is_end);
        // Two flags in a row are more likely the rounds of another loop inside a round.
        if !has_end || rounds.iter().any(|round| round.len() < 2) {
            return Vec::new();
        }
        if rounds.len() > 1 {
            loops.push(rounds);
        }
    }
    loops
}

/// Rounds that each begin with a yes, up to where nothing is drawn any more: a property may fail within a round.
fn unended(record: &Record, row: Range<usize>) -> Option<Rounds> {
    let first = record.choices.get(row.start)?;
    let starts: Vec<usize> =
        row.clone().filter(|at| record.choices[*at].kind == first.kind).collect();
    let is_yes = |at: &usize| record.choices[*at].value == 1;
    let ends = starts[1..].iter().copied().chain([row.end]);
    let rounds: Rounds = starts.iter().zip(ends).map(|(start, end)| *start..end).collect();
    let is_loop = matches!(first.kind, Kind::Boolean { .. })
        && row.end == record.choices.len()
        && starts.iter().all(is_yes)
        && rounds.iter().all(|round| round.len() > 1);
    (is_loop && rounds.len() > 1).then_some(rounds)
}

/// Rounds of which a number before them says how many there are.
fn counted(record: &Record, row: Range<usize>) -> Option<Rounds> {
    let kind = |at: usize| record.choices[at].kind;
    let rounds = |at: usize| {
        let after = at + 1..row.end;
        let count = usize::try_from(record.choices[at].value).ok();
        // At least one round has two choices.
        let count = count.filter(|count| (2..after.len()).contains(count))?;
        // Where only one thing is possible at first, the first round may begin with another choice than the others.
        let mut kinds: Vec<usize> = Vec::new();
        for at in after.clone() {
            if kinds.len() < KINDS && !kinds.iter().any(|other| kind(*other) == kind(at)) {
                kinds.push(at);
            }
        }
        // What is drawn in a round may have the kind with which rounds begin by chance; then those of the same length are told by that.
        let even = || {
            let width = after.len() / count;
            let rounds: Rounds = after.clone().step_by(width).map(|at| at..at + width).collect();
            let is_even = after.len() == count * width && width > 1;
            let begins = |round: &Range<usize>| kind(round.start) == kind(after.start);
            (is_even && rounds.iter().all(begins)).then_some(rounds)
        };
        let told = kinds.into_iter().find_map(|other| {
            let starts = after.clone().filter(|start| kind(*start) == kind(other));
            let first = Some(after.start).filter(|first| kind(*first) != kind(other));
            let starts: Vec<usize> = first.into_iter().chain(starts).collect();
            let ends = starts[1..].iter().copied().chain([row.end]);
            let rounds: Rounds = starts.iter().zip(ends).map(|(start, end)| *start..end).collect();
            let is_long = rounds.iter().any(|round| round.len() > 1);
            (rounds.len() == count && is_long).then_some(rounds)
        });
        told.or_else(even)
    };
    row.clone().take(row.len() - 1).find_map(rounds)
}

/// Rounds of which a number before them says how many there are, and that each pick among more than the round before: they begin with a choice
/// of one possible value more, up to some number of these.
fn growing(record: &Record, row: Range<usize>) -> Option<Rounds> {
    let most = |at: usize| match record.choices[at].kind {
        kind @ Kind::Integer { .. } if kind.ends().0 == 0 => Some(kind.ends().1),
        _ => None,
    };
    let rounds = |at: usize| {
        let after = at + 1..row.end;
        let count = usize::try_from(record.choices[at].value).ok();
        let count = count.filter(|count| (2..=after.len()).contains(count))?;
        let mut starts = vec![after.start];
        // The first round may have nothing to pick from, and begin with another choice.
        let mut limit = most(after.start).filter(|it| *it <= 1);
        while starts.len() < count {
            let from = starts[starts.len() - 1] + 1;
            let next = |limit: i128| (from..row.end).find(|at| most(*at) == Some(limit));
            let more = match limit {
                Some(limit) => [limit + 1, limit],
                None => [0, 1],
            };
            let (start, found) = more.into_iter().find_map(|limit| Some((next(limit)?, limit)))?;
            starts.push(start);
            limit = Some(found);
        }
        let ends = starts[1..].iter().copied().chain([row.end]);
        let rounds: Rounds = starts.iter().zip(ends).map(|(start, end)| *start..end).collect();
        // Once may be by chance.
        let grows = limit.is_some_and(|limit| limit > 1);
        (grows && rounds.iter().any(|round| round.len() > 1)).then_some(rounds)
    };
    row.clone().take(row.len() - 1).find_map(rounds)
}

/// The parts of a row of choices that are of one kind.
pub(crate) fn of_one_kind(record: &Record, row: Range<usize>) -> Vec<Range<usize>> {
    let mut end = row.start;
    let parts = record.choices[row].chunk_by(|one, two| one.kind == two.kind);
    let place = |part: &[Choice]| {
        end += part.len();
        end - part.len()..end
    };
    parts.map(place).collect()
}

/// Rows of choices that belong to the same span and to no span inside it. Choices that belong to a list or an item
/// directly are left out, since the structure of lists is known.
pub(crate) fn loose(record: &Record) -> Vec<Range<usize>> {
    let owners = record.owners();
    let mut rows: Vec<Range<usize>> = Vec::new();
    for (at, owner) in owners.iter().enumerate() {
        if matches!(owner.map(|span| record.spans[span].label), Some(Label::LIST | Label::ITEM)) {
            continue;
        }
        match rows.last_mut().filter(|row| row.end == at && owners[row.start] == *owner) {
            Some(row) => row.end = at + 1,
            None => rows.push(at..at + 1),
        }
    }
    // The single choice of an item is removed with the item.
    let is_item = |row: &Range<usize>| {
        row.len() == 1 && owners[row.start].is_some_and(|span| record.is_body(&record.spans[span]))
    };
    rows.retain(|row| !is_item(row));
    rows
}
