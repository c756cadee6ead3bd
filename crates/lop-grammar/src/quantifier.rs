//! Quantifiers: how often a child may occur in a rule.

/// The quantifier of a child in a rule: whether it is optional or repeated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quantifier {
    /// None: it occurs exactly once.
    #[default]
    One,
    /// `?`: at most once.
    Optional,
    /// `+`: at least once.
    Plus,
    /// `*`: any number of times.
    Star,
}

impl Quantifier {
    /// Whether there may be several in a row.
    pub fn repeats(self) -> bool {
        matches!(self, Quantifier::Plus | Quantifier::Star)
    }

    /// Its sign in regular expressions; empty for [`Quantifier::One`].
    pub fn sign(self) -> &'static str {
        match self {
            Quantifier::One => "",
            Quantifier::Optional => "?",
            Quantifier::Plus => "+",
            Quantifier::Star => "*",
        }
    }
}
