//! Finds out which step removed which part of the original.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::history::{Edit, Sink, Step};

/// The state of the original, step by step. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Timeline(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The pieces of the current text, in order: a range of the original, or the length of a new text.
    pieces: Vec<Piece>,
    removed: Vec<(Range<usize>, usize)>,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Piece {
    Old(Range<usize>),
    New(usize),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Piece::Old(range) => range.len(),
            Piece::New(length) => *length,
        }
    }

    /// Its two parts.
    fn split(self, at: usize) -> (Piece, Piece) {
        match self {
            Piece::Old(Range { start, end }) => {
                (Piece::Old(start..start + at), Piece::Old(start + at..end))
            }
            Piece::New(length) => (Piece::New(at), Piece::New(length - at)),
        }
    }
}

impl Timeline {
    /// The timeline of an original of this length.
    pub(crate) fn new(length: usize) -> Timeline {
        let state = State { pieces: vec![Piece::Old(0..length)], ..State::default() };
        Timeline(Arc::new(Mutex::new(state)))
    }

    /// The steps, and the parts of the original that were removed, each with the number of its step, from 1.
    pub(crate) fn seen(&self) -> (Vec<Step>, Vec<(Range<usize>, usize)>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.removed.sort_by_key(|(range, _)| range.start);
        (state.steps.clone(), state.removed.clone())
    }
}

impl Sink for Timeline {
    fn step(&mut self, step: &Step, edits: &[Edit]) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.steps.push(step.clone());
        let number = state.steps.len();
        let mut left = std::mem::take(&mut state.pieces).into_iter();
        let mut next = left.next();
        let mut at = 0;
        // Takes pieces up to a place.
        let mut take = |until: usize| {
            let mut taken = Vec::new();
            while let Some(piece) = next.take() {
                let room = until.saturating_sub(at);
                if piece.len() <= room {
                    at += piece.len();
                    taken.push(piece);
                    next = left.next();
                } else {
                    let (inside, behind) = piece.split(room);
                    at += room;
                    if room > 0 {
                        taken.push(inside);
                    }
                    next = Some(behind);
                    break;
                }
            }
            taken
        };
        let mut pieces = Vec::new();
        let mut removed = Vec::new();
        for edit in edits {
            pieces.extend(take(edit.start));
            removed.extend(take(edit.end).into_iter().filter_map(|piece| match piece {
                Piece::Old(range) if !range.is_empty() => Some((range, number)),
                _ => None,
            }));
            if !edit.with.is_empty() {
                pieces.push(Piece::New(edit.with.len()));
            }
        }
        pieces.extend(take(usize::MAX));
        state.pieces = pieces;
        state.removed.extend(removed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::between;

    #[test]
    fn each_part_of_the_original_has_the_step_that_removed_it() {
        let texts = ["a b c d e", "a c d e", "a x d e", "a x e", "a"];
        let mut timeline = Timeline::new(texts[0].len());
        let step: Step = serde_json::from_str(
            r#"{"tests":1,"seconds":0,"phase":"p","tokens":1,"bytes":1,"length":0}"#,
        )
        .unwrap();
        for pair in texts.windows(2) {
            timeline.step(&step, &between(pair[0].as_bytes(), pair[1].as_bytes()));
        }
        let (steps, removed) = timeline.seen();
        assert_eq!(steps.len(), 4);
        let of = |sign: char| {
            let at = texts[0].find(sign).unwrap();
            removed.iter().find(|(range, _)| range.contains(&at)).map(|(_, step)| *step)
        };
        let all: Vec<_> = "abcde".chars().map(of).collect();
        assert_eq!(all, [None, Some(1), Some(2), Some(3), Some(4)]);
    }
}
