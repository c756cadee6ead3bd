//! The default strategies.
//!
//! The big cuts come first, as they remove most for few tests: all comments, deep nesting, and removable nodes, large
//! ones alone and small ones together (`scythe`), with headers (`includes`) and the passes that replace nodes by less
//! and take classes apart. Then all other reductions, the most productive first (see `race.rs`); meanwhile candidates
//! that do not parse are not tested, unless the oracle accepts such candidates. Then brackets and single tokens,
//! whether the rest parses or not, and last, pruning and hoisting by the grammar, and characters, but not those of
//! names and keywords: in 49 inputs, 3,183 tests for single characters of all tokens removed only 15 characters. All of
//! it is repeated while any of it finds something, and again from interesting texts of the same size (see `walk.rs`).
//! If the input is two versions of a program, all races begin with the pass that changes both together.

use std::sync::Arc;

use crate::reduce::passes::{PPR, is_similar_pair};
use crate::text::Text;
use crate::tree::{Format, Tree};

use super::Strategy;

/// Effort of the default strategy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Effort {
    /// Stops after the big cuts.
    Fast,
    /// Runs all reductions that usually pay.
    #[default]
    Usual,
    /// Also runs the reductions that rarely pay.
    Thorough,
}

impl Effort {
    /// All efforts, the least first.
    pub const ALL: [Effort; 3] = [Effort::Fast, Effort::Usual, Effort::Thorough];

    /// Its word in a strategy.
    pub fn name(self) -> &'static str {
        match self {
            Effort::Fast => "fast",
            Effort::Usual => "default",
            Effort::Thorough => "thorough",
        }
    }
}

/// The default strategies for a kind of input.
#[non_exhaustive]
pub struct Defaults {
    /// The kind of input, in words.
    pub of: &'static str,
    /// The strategy of [`Effort::Fast`].
    pub fast: &'static str,
    /// The strategy of [`Effort::Usual`].
    pub usual: &'static str,
    /// The strategy of [`Effort::Thorough`].
    pub thorough: &'static str,
    /// The phases that [`Effort::Usual`] repeats, with refused changes, when it finds nothing more: removals, to
    /// guarantee that no further one is possible. Other changes that were refused once are hardly ever accepted later.
    pub again: &'static str,
}

/// The default strategies for all kinds of inputs.
pub const DEFAULTS: &[Defaults] = &[TREE, BRACKETS, BROKEN, TEXT, CONTAINER, BINARY];

/// For a text whose parser is strict.
const TREE: Defaults = Defaults {
    of: "text in a known language",
    fast: "slice+comments+leap*+[scythe|includes|lift|splice]",
    usual: "slice+comments+leap*+[scythe|includes|lift|rewrite|expand|dissolve]+{(guard+[files|scythe|includes|lift|rewrite|unlink|inline|expand|dissolve|unbind|join|splice|opdd:pairs|columns\
            |unify|wrap|types|alike|literals|rename|substitute|windows:tokens|tidy]+no-guard+opdd:pairs+merge:tokens\
            +guard+hddhr:model+trim)*}",
    thorough: "slice+comments+leap*+[scythe|includes|lift|rewrite|expand|dissolve]+{(guard+[files|scythe|includes|lift|rewrite|unlink|inline|expand|dissolve|unbind|join|splice|opdd:pairs|columns\
               |unify|wrap|types|alike|literals|rename|substitute|windows:tokens|exhaustive:tokens|hddhr:model|tidy]\
               +no-guard+[windows:tokens|exhaustive:tokens|opdd:pairs|opdd:joints\
               |ddmin:characters])*}",
    again: "guard+[files|scythe|lift|splice|columns]+no-guard+opdd:pairs+merge:tokens+guard+hddhr:model+trim",
};

/// For a text whose structure is brackets alone, such as SMT-LIB: without one of them, the rest is unreadable.
const BRACKETS: Defaults = Defaults {
    of: "text of brackets, such as SMT-LIB",
    fast: TREE.fast,
    usual: "slice+comments+leap*+[scythe|lift]+{guard+([files|scythe|lift|substitute|unlink|unbind|splice|unify|alike|literals|rename\
            |windows:tokens|tidy]+opdd:pairs+merge:tokens+hddhr:model+trim)*}",
    thorough: "slice+comments+leap*+[scythe|lift]+{guard+([files|scythe|lift|substitute|unlink|unbind|join|splice|unify|alike|literals|rename\
               |windows:tokens|exhaustive:tokens|hddhr:model|tidy]+opdd:pairs+ddmin:characters)*}",
    again: "guard+[files|scythe|lift|splice]+opdd:pairs+merge:tokens+hddhr:model+trim",
};

/// For a text much of which its parser does not understand, such as one in another dialect: the tree is of little use,
/// so lines and brackets race with its nodes.
const BROKEN: Defaults = Defaults {
    of: "text in a known language, with many errors",
    fast: "slice+comments+leap*+[scythe|includes|lift|splice|opdd:lines|opdd:items|opdd:indents|opdd:brackets]",
    usual: "slice+comments+leap*+[scythe|includes|lift|opdd:lines|opdd:items|opdd:indents|opdd:brackets]+{(guard+[files|scythe|includes|lift|opdd:lines|opdd:items\
            |opdd:brackets|rewrite|unlink|inline|expand|dissolve|unbind|join|splice|opdd:pairs|columns|unify|wrap|types|alike|literals|rename\
            |substitute|windows:tokens|tidy]+no-guard+opdd:pairs+opdd:tokens+guard+hddhr:model+opdd:characters)*}",
    thorough: "slice+comments+leap*+[scythe|includes|lift|opdd:lines|opdd:items|opdd:indents|opdd:brackets]+{(guard+[files|scythe|includes|lift|opdd:lines|opdd:items\
               |opdd:brackets|rewrite|unlink|inline|expand|dissolve|unbind|join|splice|opdd:pairs|columns|unify|wrap|types|alike|literals|rename\
               |substitute|windows:tokens|exhaustive:tokens|hddhr:model|tidy]+no-guard+[windows:tokens|exhaustive:tokens|opdd:pairs\
               |opdd:joints|ddmin:characters])*}",
    again: "guard+[files|scythe|lift|opdd:lines|opdd:items|opdd:brackets|splice|columns]+no-guard+opdd:pairs+opdd:tokens\
            +guard+hddhr:model+opdd:characters",
};

/// For a text with no known language: blocks, lines and brackets race, then tokens, and again from the start while this
/// removes anything. The layout stays, except that words are joined where possible. The searches are one-pass, since
/// the fixed point repeats them anyway, at a fraction of ddmin's tests. Lines that open and close something can only be
/// removed together: `ddmin` at the end also tries what is between them alone.
const TEXT: Defaults = Defaults {
    of: "any other text",
    fast: "leap*+[scythe|opdd:lines|opdd:items|opdd:brackets|opdd:indents]",
    usual: "leap*+([scythe|opdd:lines|opdd:items|opdd:brackets|opdd:indents]\
            +[files|opdd:tokens|opdd:pairs|lift|splice|columns|literals|rename|tidy]+ddmin:lines+opdd:joints+opdd:characters)*",
    thorough: "leap*+([scythe|opdd:lines|opdd:items|opdd:brackets|opdd:indents]\
               +[files|opdd:tokens|opdd:pairs|lift|splice|columns|substitute|unify|literals|rename|windows:tokens\
               |exhaustive:tokens|tidy]+opdd:joints+ddmin:characters)*",
    again: "[scythe|opdd:lines|opdd:items|opdd:brackets|opdd:indents]\
            +[files|opdd:tokens|opdd:pairs|lift|splice|columns]+opdd:joints+opdd:characters",
};

/// For a text that is too long for a tree: no phase may use one.
const LONG: &str = "(opdd:items+opdd:brackets+opdd:lines+opdd:indents)*";

/// For binary files of frames, such as chunks or entries: whole frames and parts of their content by the tree, the
/// large ones first; then the rest of the content, by lines and bytes.
const CONTAINER: Defaults = Defaults {
    of: "binary format of frames",
    fast: "scythe+[scythe|lift|splice]",
    usual: "scythe+([scythe|lift|splice|columns|literals|opdd:lines]+opdd:bytes)*",
    thorough: "scythe+([scythe|lift|splice|columns|alike|literals|opdd:lines|hddhr:model]+ddmin:bytes\
               +windows:bytes)*",
    again: "[scythe|lift|splice|columns|opdd:lines]+opdd:bytes",
};

/// For bytes that aren't text: there is no layout, and lines and words occur by chance.
const BINARY: Defaults = Defaults {
    of: "other bytes",
    fast: "opdd:lines+opdd:bytes",
    usual: "(opdd:lines+opdd:bytes)*",
    thorough: "(ddmin:lines+ddmin:bytes+windows:bytes)*",
    again: "opdd:lines+opdd:bytes",
};

/// From this size on, lines come first: finding them is fast, all other units need a lexer or a parser.
const LARGE: usize = 1 << 20;

/// A text has many errors if more than one of this many parts of it are in errors.
const MANY_ERRORS: usize = 32;

/// The strategy for an input. Several files have the format [of files](Format::of_files).
pub fn default_for(input: &[u8], format: &Format, effort: Effort) -> Strategy {
    let [default, _] = default_and_again(input, format, effort);
    if is_pair(&Arc::new(input.into()), format) { with_pairs(default) } else { default }
}

/// The strategy for an input, and the phases that it repeats with refused changes at its end.
pub(super) fn default_and_again(text: &[u8], format: &Format, effort: Effort) -> [Strategy; 2] {
    let input = &text[format.parser().sample(text)];
    let is_text = !input.iter().take(LARGE).any(|byte| *byte == 0);
    let has_tree = format.parser().is_strict() && input.len() <= Tree::LONGEST;
    let is_container = !format.parser().has_layout() && input.len() <= Tree::LONGEST;
    let default = match is_text {
        _ if is_container => CONTAINER,
        false => BINARY,
        true if has_tree && has_many_errors(input, format) => BROKEN,
        true if has_tree && format.parser().is_bracketed() => BRACKETS,
        true if has_tree => TREE,
        true => TEXT,
    };
    let words = match effort {
        _ if is_text && input.len() > Tree::LONGEST => [LONG; 2],
        Effort::Fast => [default.fast; 2],
        Effort::Usual => [default.usual, default.again],
        Effort::Thorough => [default.thorough; 2],
    };
    let lines = if is_text && !has_tree && !is_container && input.len() >= LARGE {
        "opdd:lines+"
    } else {
        ""
    };
    let parsed = |words: String| words.parse().expect("the default strategies are well-formed");
    [parsed(format!("{lines}{}", words[0])), parsed(words[1].into())]
}

/// Whether a text is two versions of a program.
pub(super) fn is_pair(text: &Text, format: &Format) -> bool {
    let has_tree = format.parser().is_frame() && text.len() <= Tree::LONGEST;
    has_tree && is_similar_pair(&Tree::parse(text, format))
}

/// A default strategy for two versions of a program: in each race, the pass that changes both versions together comes
/// first. If the versions must stay alike, no other pass removes anything.
pub(super) fn with_pairs(strategy: Strategy) -> Strategy {
    let all = |steps: Vec<Strategy>| steps.into_iter().map(with_pairs).collect::<Vec<_>>();
    match strategy {
        Strategy::Race(steps) => Strategy::Race([vec![Strategy::Pass(&PPR)], all(steps)].concat()),
        Strategy::Then(steps) => Strategy::Then(all(steps)),
        Strategy::Star(step) => Strategy::Star(Box::new(with_pairs(*step))),
        Strategy::Walk(step) => Strategy::Walk(Box::new(with_pairs(*step))),
        phase => phase,
    }
}

/// Whether more than 1/32 of a text is in errors.
fn has_many_errors(input: &[u8], format: &Format) -> bool {
    let tree = Tree::parse(&Arc::new(input.into()), format);
    let mut end = 0;
    let mut wrong = 0;
    for node in tree.ids().filter(|node| tree.is_error(*node)) {
        let range = tree.range(node);
        wrong += range.end.saturating_sub(end.max(range.start));
        end = end.max(range.end);
    }
    wrong * MANY_ERRORS > input.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_without_one_of_its_phases_has_all_the_others() {
        let default: Strategy = TREE.usual.parse().unwrap();
        let phases = default.phases();
        for phase in &phases {
            let others: Vec<_> = phases.iter().filter(|each| *each != phase).cloned().collect();
            assert_eq!(default.without(phase).unwrap().phases(), others);
        }
    }

    #[test]
    fn for_two_versions_of_a_program_every_race_has_the_pass_for_them() {
        let strategy = "comments+[lift|splice]+{(guard+[files|lift]*+trim)*}".parse().unwrap();
        let expected = "comments+[ppr|lift|splice]+{(guard+[ppr|files|lift]*+trim)*}";
        assert_eq!(with_pairs(strategy).to_string(), expected);
    }

    #[test]
    fn the_defaults_are_printed_as_they_are_written() {
        for Defaults { fast, usual, thorough, again, .. } in DEFAULTS {
            for words in [fast, usual, thorough, again] {
                assert_eq!(words.parse::<Strategy>().unwrap().to_string(), **words);
            }
        }
    }
}
