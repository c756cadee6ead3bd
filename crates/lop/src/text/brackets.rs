//! Which brackets belong together.

use std::collections::HashMap;

/// A bracket, or anything else that opens and closes, such as a tag; the two halves of a pair have the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    Open(u64),
    Close(u64),
}

impl Bracket {
    /// The bracket in a token, if it is one.
    pub(crate) fn of(token: &[u8]) -> Option<Bracket> {
        Some(match token {
            b"(" => Bracket::Open(0),
            b"[" => Bracket::Open(1),
            b"{" => Bracket::Open(2),
            b")" => Bracket::Close(0),
            b"]" => Bracket::Close(1),
            b"}" => Bracket::Close(2),
            _ => return None,
        })
    }
}

/// The places of matching brackets, in the order in which they close. A closing bracket matches
/// the nearest open one of its kind; those in between have no partner.
pub(crate) fn partners(brackets: impl Iterator<Item = (usize, Bracket)>) -> Vec<(usize, usize)> {
    let mut partners = Vec::new();
    let mut open: Vec<(u64, usize)> = Vec::new();
    // The number of open brackets of each kind, to avoid searching for a partner that doesn't exist.
    let mut count: HashMap<u64, usize> = HashMap::new();
    for (place, bracket) in brackets {
        match bracket {
            Bracket::Open(kind) => {
                open.push((kind, place));
                *count.entry(kind).or_default() += 1;
            }
            Bracket::Close(kind) if count.get(&kind).is_some_and(|count| *count > 0) => {
                while let Some((other, partner)) = open.pop() {
                    *count.entry(other).or_default() -= 1;
                    if other == kind {
                        partners.push((partner, place));
                        break;
                    }
                }
            }
            Bracket::Close(_) => {}
        }
    }
    partners
}
