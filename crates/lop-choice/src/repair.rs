//! Repairs: how an attempt that failed is changed, given what was drawn.
//!
//! Numbers mean something only where they are drawn. When an attempt removes or lowers one, those after it may be drawn elsewhere, or from other
//! ranges. The repair puts them where they belong: each repair is a guess of what the attempt meant, by a principle that holds for every generator.

use std::mem::discriminant;
use std::ops::Range;

use crate::choice::{Choice, Kind};
use crate::loops::loops;
use crate::record::{Record, Values};
use crate::trials::{Attempt, Drawn, Repair, SIMPLEST};

impl Attempt {
    /// The repaired attempts.
    pub(crate) fn repaired(&self, drawn: Drawn<&Record>, best: &Record) -> Vec<Values> {
        let mut all = Vec::new();
        match drawn {
            Drawn::Unknown => {}
            Drawn::Begun(begun) => {
                all.extend(self.padded());
                if self.repair == Repair::Fitted {
                    all.extend(self.fitted(begun, best));
                }
            }
            Drawn::Whole(drawn) => {
                all.extend(self.redrawn(drawn));
                all.extend(self.lost(drawn));
                all.extend(self.first(drawn, best));
                all.extend(self.fewer(drawn, best));
                all.extend(self.parallel(drawn));
                all.extend(self.fitted(drawn, best));
            }
        }
        all
    }

    /// With simplest choices at the end, if there were too few.
    fn padded(&self) -> Option<Values> {
        let Repair::Padded { to } = self.repair else { return None };
        let missing = to.checked_sub(self.values.len()).filter(|missing| *missing > 0)?;
        Some([&self.values[..], &vec![SIMPLEST; missing]].concat())
    }

    /// With the choices that a span or a round drew, if these are fewer than it was given.
    fn redrawn(&self, drawn: &Record) -> Option<Values> {
        let (redrawn, end) = match self.repair {
            Repair::Redrawn { span, end } => (drawn.spans.get(span)?.range(), end),
            Repair::Round { start, end } => {
                let mut rounds = loops(drawn).into_iter().flatten();
                (rounds.find(|round| round.start == start)?, end)
            }
            _ => return None,
        };
        if redrawn.end >= end {
            return None;
        }
        let before = self.values[..redrawn.start].iter().copied();
        let after = self.values[end..].iter().copied();
        Some(before.chain(drawn.values_of(redrawn)).chain(after).collect())
    }

    /// Without as many choices after a place as were not drawn: the last of what a number counts stay.
    fn lost(&self, drawn: &Record) -> Option<Values> {
        let Repair::Lost { after } = self.repair else { return None };
        let lost = self.values.len().checked_sub(drawn.choices.len()).filter(|lost| *lost > 0)?;
        let rest = self.values.get(after + lost..)?;
        Some([&self.values[..after], rest].concat())
    }

    /// What a number counts may differ in length. If it is lowered to 1, what is drawn for it is the first of these: so it can go, and the others stay.
    fn first(&self, drawn: &Record, best: &Record) -> Option<Values> {
        let Repair::First { at } = self.repair else { return None };
        let after = at + 1;
        let (was, is) = (best.choices.get(at)?, drawn.choices.get(at)?);
        let left = was.value.checked_sub(1).filter(|left| *left > 0 && is.value == 1)?;
        if drawn.choices.len() >= best.choices.len() || !was.kind.allows(left) {
            return None;
        }
        // What is counted goes up to the end of the span of the number.
        let end = drawn.owners()[at].map_or(drawn.choices.len(), |span| drawn.spans[span].end);
        let mut values = best.values();
        values[at] = left;
        values.drain(after..end.min(values.len()));
        Some(values)
    }

    /// If a number is lowered by one, what is not drawn is as long as each that it counts, if all are alike: so each can be removed, the last one first. Numbers after it
    /// may be places in the row, such as a parent of each node but the first; they are as they were, or those behind the removed place are lowered by one.
    fn fewer(&self, drawn: &Record, best: &Record) -> Vec<Values> {
        let Repair::Fewer { at } = self.repair else { return Vec::new() };
        let width = best.choices.len().saturating_sub(drawn.choices.len());
        let (first, count) = (at + 1, best.choices[at].value as usize);
        if width == 0 {
            return Vec::new();
        }
        let same =
            |(one, other): (&Choice, &Choice)| discriminant(&one.kind) == discriminant(&other.kind);
        let counted = &best.choices[first..];
        let is_alike = |unit: &&[Choice]| unit.iter().zip(counted).all(same);
        let units = counted.chunks_exact(width).take(count).take_while(is_alike).count();
        if units + 1 < count {
            return Vec::new();
        }
        let mut values = best.values();
        values[at] -= 1;
        let end = first + units * width;
        let picks = Kind::integer(0, count as i128 - 1, 0);
        let is_place = |at: usize| at < end || best.choices[at].kind == picks;
        let without = |unit: usize| {
            let start = first + unit * width;
            let left = [&values[..start], &values[start + width..]].concat();
            // The first of the row is the first, or comes after one that is not drawn.
            let renumbered = [unit, unit + 1].map(|place| {
                let places = (start..left.len()).filter(|at| is_place(at + width));
                let mut renumbered = left.clone();
                places.for_each(|at| renumbered[at] -= i128::from(left[at] > place as i128));
                renumbered
            });
            let mut all = vec![left];
            all.extend(renumbered);
            all.dedup();
            all
        };
        (0..units).rev().flat_map(without).collect()
    }

    /// Without what belongs to what was removed, if that is as long as what was not drawn: of a list and a row with a choice for each of its items, the item and
    /// its choice.
    fn parallel(&self, drawn: &Record) -> Vec<Values> {
        let Repair::Parallel { units } = &self.repair else { return Vec::new() };
        let lost = self.values.len().saturating_sub(drawn.choices.len());
        let fits = |unit: &&Range<usize>| lost > 0 && unit.len() == lost;
        let without =
            |unit: &Range<usize>| [&self.values[..unit.start], &self.values[unit.end..]].concat();
        units.iter().filter(fits).map(without).collect()
    }

    /// Numbers whose range begins elsewhere are as far from its beginning as they were. Those whose range has another end are as far from that: what they pick is
    /// still the same if it came after what has gone.
    fn fitted(&self, drawn: &Record, best: &Record) -> Option<Values> {
        let shift = best.choices.len().checked_sub(self.values.len())?;
        let differs =
            |at: &usize| best.choices.get(*at).is_none_or(|it| it.value != self.values[*at]);
        let first = (0..self.values.len()).find(differs).unwrap_or(self.values.len());
        let mut shifted = self.values.clone();
        for (at, choice) in drawn.choices.iter().enumerate().take(self.values.len()) {
            let from = if at < first { at } else { at + shift };
            let (Kind::Integer { low, high, .. }, Kind::Integer { low: before, high: end, .. }) =
                (choice.kind, best.choices[from].kind)
            else {
                continue;
            };
            if low != before && high == end && self.values[at] == before {
                shifted[at] = low;
            } else if low == before && high != end && self.values[at] > low {
                shifted[at] = (self.values[at] - end + high).clamp(low, high);
            }
        }
        (shifted != self.values).then_some(shifted)
    }
}
