//! The gauge of a text: which forms of tokens its language has, according to the tree.
//!
//! At the beginning of each leaf, every form is tried on the text. A form is right if the tree has a token there that
//! ends where the form does, and wrong otherwise; a form that is right more often than wrong belongs to the language.
//! So a gauge counts tokens as the parser sees them, with a string as one, even if a candidate does not parse, and the
//! text is parsed for it only once in a run.
//!
//! The tempting alternative is to count the leaves of every candidate. But if a text does not parse, the tree depends
//! on how the parser recovers: on the whole text, and on the tree that it starts from. So a cut in one place would
//! change the count in another, and a text would not have one size.

use std::ops::Range;

use crate::text::{FORMS, Form, FormFinder, Forms, Gauge, Role, Text};

use super::{Format, Tree};

/// A longer text is read by the gauge of its beginning.
const LONGEST: usize = 1 << 24;

impl Gauge {
    /// The gauge for a text in a format, and for its candidates. If the format has no grammar, it is the default one;
    /// in a binary format, every byte is a token. If the text parses, a text that does not is larger than one that does
    /// and has as many tokens.
    pub fn of(text: &Text, format: &Format) -> Gauge {
        if !format.parser().has_layout() {
            return Gauge::new(Forms::BYTES);
        }
        if !format.parser().is_strict() {
            return Gauge::default();
        }
        let tree = match text.len() <= LONGEST {
            true => Tree::parse(text, format),
            false => Tree::parse(&Text::new(text[..LONGEST].to_vec()), format),
        };
        let format = format.clone();
        match tree.parser().is_strict() {
            false => Gauge::default(),
            true if tree.has_errors() => Gauge::new(forms_of(&tree)),
            true => Gauge::new(forms_of(&tree)).preferring(move |text| format.accepts(text)),
        }
    }
}

/// How often a form was right and wrong.
#[derive(Clone, Copy, Default)]
struct Score {
    right: usize,
    wrong: usize,
}

impl Score {
    /// A form that was wrong this much more often than right is dropped: some take a search through the text.
    const HOPELESS: usize = 64;

    fn is_hopeless(self) -> bool {
        self.wrong > self.right + Score::HOPELESS
    }
}

/// The forms of the tokens of a tree.
fn forms_of(tree: &Tree) -> Forms {
    let text = tree.text();
    let mut finder = FormFinder::new(text);
    let mut scores = [Score::default(); FORMS.len()];
    let mut covered = 0;
    for leaf in tree.ids().filter(|node| tree.is_leaf(*node)) {
        let Range { start, end } = tree.range(leaf);
        // The parts of a string don't count.
        if start < covered || start == end {
            continue;
        }
        let plain = finder.length(Forms::PLAIN, start);
        for form in Forms::ALL.beginning_with(text[start]).indices() {
            if scores[form].is_hopeless() {
                continue;
            }
            let Some(length) = finder.length_of(form, start) else { continue };
            // A variant counts only where it differs from the plain form, a comment only if it is longer than its sign.
            let Form { is_variant, open, role, .. } = &FORMS[form];
            if *is_variant && plain == Some(length) || length == open.len() {
                continue;
            }
            match is_token(tree, start..start + length, *role) {
                true => {
                    scores[form].right += 1;
                    covered = covered.max(start + length);
                }
                false => scores[form].wrong += 1,
            }
        }
    }
    Forms::filter(|form| {
        let Score { right, wrong } = scores[form];
        // A text without strings may get some.
        let is_usual = Forms::PLAIN.has(form) && FORMS[form].role == Role::Quotes;
        right > wrong || is_usual && right == wrong
    })
}

/// Whether the parser treats a part of the text as a token.
fn is_token(tree: &Tree, range: Range<usize>, role: Role) -> bool {
    let text = tree.text();
    let trimmed = |end: usize| text[..end].trim_ascii_end().len();
    let end = trimmed(range.end);
    let mut nodes = tree.starting_at(range.start);
    nodes.any(|node| {
        trimmed(tree.range(node).end) == end
            && match role {
                Role::Quotes => true,
                Role::Comment => tree.is_extra(node) || tree.is_leaf(node),
                Role::Other => tree.children(node).all(|child| tree.is_leaf(child)),
            }
    })
}
