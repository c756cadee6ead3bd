//! Which brackets belong together.

use std::collections::HashMap;

/// A bracket, or whatever else opens and closes, such as a tag; what belongs together has one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    Open(u64),
    Close(u64),
}

impl Bracket {
    /// The bracket that a token is.
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

/// The places of brackets that belong together, in the order in which they close. A closing one takes
/// the nearest open one of its kind; those in between have no partner.
pub(crate) fn partners(brackets: impl Iterator<Item = (usize, Bracket)>) -> Vec<(usize, usize)> {
    let mut partners = Vec::new();
    let mut open: Vec<(u64, usize)> = Vec::new();
    // How many of each kind are open, so that a partner is not looked for where there is none.
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
