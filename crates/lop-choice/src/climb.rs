//! Hill climbing: cases that are changes of the one with the greatest score.
//!
//! One number is changed at a time, by powers of two. A change that raises the score is repeated with twice the step; one that does not is tried in the
//! other direction, and then with half the step. Now and then a case keeps only a beginning of the best one, or has one of its items twice.

use std::collections::HashMap;

use fastrand::Rng;

use crate::choice::Kind;
use crate::choices::Choices;
use crate::record::{Label, Record};

/// The case with the greatest score so far, and how it was changed.
pub(crate) struct Climb {
    random: Rng,
    best: Option<(f64, Record)>,
    /// The next step of each number, by its index.
    steps: HashMap<usize, i128>,
    /// The change that is being tried: the index of a number, and the step.
    tried: Option<(usize, i128)>,
}

impl Climb {
    pub(crate) fn new(seed: u64) -> Climb {
        Climb { random: Rng::with_seed(seed), best: None, steps: HashMap::new(), tried: None }
    }

    /// Takes note of a case that did not fail.
    pub(crate) fn note(&mut self, record: &Record, score: Option<f64>) {
        let best = self.best.as_ref().map(|(best, _)| *best);
        let is_better = score.is_some_and(|score| best.is_none_or(|best| score > best));
        // A case of the same score is as good: plateaus are crossed.
        let is_equal = score.is_some() && score == best;
        if let Some((index, step)) = self.tried.take() {
            let next = match is_better {
                true => step.saturating_mul(2),
                false if step > 0 => -step,
                false => -step / 2,
            };
            self.steps.insert(index, next);
        }
        if let Some(score) = score.filter(|_| is_better || is_equal) {
            let is_alike = |(_, best): &(f64, Record)| best.choices.len() == record.choices.len();
            if !self.best.as_ref().is_some_and(is_alike) {
                self.steps.clear();
            }
            self.best = Some((score, record.clone()));
        }
    }

    /// A change of the best case; `None` if no case has a score.
    pub(crate) fn next(&mut self, size: f64, most: usize) -> Option<Choices> {
        let (_, best) = self.best.as_ref()?;
        let mut values = best.values();
        let items: Vec<_> = best.spans.iter().filter(|span| span.label == Label::ITEM).collect();
        match self.random.u8(..16) {
            0 => values.truncate(self.random.usize(..=values.len())),
            1 | 2 if !items.is_empty() => {
                let item = items[self.random.usize(..items.len())].range();
                let copy = values[item.clone()].to_vec();
                values.splice(item.start..item.start, copy);
            }
            _ if !values.is_empty() => {
                let index = self.random.usize(..values.len());
                let choice = &best.choices[index];
                if let Kind::Boolean { .. } = choice.kind {
                    values[index] = 1 - choice.value;
                } else {
                    let (low, high) = choice.kind.ends();
                    let widest = 1 << (high.abs_diff(low).min(1 << 40) / 2).max(1).ilog2();
                    let step = self.steps.get(&index).copied().filter(|step| *step != 0);
                    let step = step.unwrap_or(widest);
                    values[index] = choice.value.saturating_add(step).clamp(low, high);
                    self.tried = Some((index, step));
                }
            }
            _ => {}
        }
        Some(Choices {
            values,
            fresh: Some((self.random.u64(..), size)),
            most: Some(most),
            ..Choices::default()
        })
    }
}
