//! Token reduction: tokens become shorter and simpler tokens of the same kind.
//!
//! Z. Xu, Y. Tian, M. Zhang, J. Zhang, P. Liu, Y. Jiang, C. Sun, "T-Rec: Fine-Grained Language-Agnostic Program
//! Reduction Guided by Lexical Syntax", TOSEM 2024. Reducers of trees keep tokens whole; T-Rec reduces inside them, in
//! this order:
//!
//! ```text
//! for each token that is not a name
//!     replace it by a canonical token of its kind    the shortest ones that its lexical rule allows
//!     parse it by its lexical rule
//!     remove parts of it                             repetitions, optional parts, alternatives; large ones first
//!     replace its characters by canonical ones       digits by 0, letters by a
//! ```
//!
//! Each is tried for all tokens of the same text together, then for one token.
//!
//! Guarantee: each proposal is a token of the same lexical rule. There is none for the result of a single run. At the
//! fixed point no iteration and no optional part of a token of up to 64 bytes can be removed, nor a part replaced by
//! the least text of its rule. Cost: at most about 2·m tests for a token of m characters, if the rule has one
//! repetition, and twice as many if its text occurs several times.
//!
//! Departures: T-Rec replaces names by a, b, …; here `rename` and `unify` do that, so this pass skips names. In many of
//! tree-sitter's grammars, a string is a node with tokens; if its rule is regular, the pass reduces it as one token.
//! T-Rec takes the best candidate of all; here the first interesting one is taken, and the next run continues from
//! there. Some tokens have no known rule: those of plain formats, and those that a scanner recognises. The pass removes
//! runs of their characters. Whether a text is still of the same kind is decided by its shape before the test (see
//! `shapes.rs`), and by the parser, whose guard skips candidates with new errors.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use lop_grammar::{Derivation, LexicalRule};

use crate::text::lexer;
use crate::tree::{Kind, NodeId, Tree};

use super::names::is_name;
use super::shapes::{PARTS, Shape, canonical, characters, simpler_characters, without_parts};
use super::{Proposal, put};

pub(super) fn propose(tree: &Tree) -> impl Iterator<Item = Proposal> {
    let lexemes = lexemes(tree);
    let simplest = simplest(&lexemes);
    let count = lexemes.len();
    (0..3 * count).flat_map(move |number| {
        let (step, lexeme) = (STEPS[number / count], &lexemes[number % count]);
        let mut seen = HashSet::new();
        let mut texts = texts(tree, &simplest, lexeme, step);
        texts.retain(|new| is_simpler(new, lexeme.text) && seen.insert(new.clone()));
        let together = Some(&lexeme.at[..]).filter(|all| all.len() > 1);
        let places = together.into_iter().chain(lexeme.at.chunks(1));
        let put_all = |at| texts.iter().map(move |new| put(at, new.as_bytes()));
        places.flat_map(put_all).collect::<Vec<_>>()
    })
}

/// A step of the reduction of a token.
#[derive(Clone, Copy)]
enum Step {
    Replace,
    Remove,
    Simplify,
}

const STEPS: [Step; 3] = [Step::Replace, Step::Remove, Step::Simplify];

fn texts(tree: &Tree, simplest: &Simplest<'_>, lexeme: &Lexeme<'_>, step: Step) -> Vec<String> {
    let derived = lexeme.rules.iter().find_map(|rule| Some((rule, rule.derive(lexeme.text)?)));
    let Some((rule, derivation)) = derived else { return guesses(tree, simplest, lexeme, step) };
    match step {
        Step::Replace => {
            let simplest = Some(simplest[&(lexeme.kind, lexeme.shape)]);
            let simplest = simplest.filter(|simplest| rule.matches(simplest));
            [rule.least()].into_iter().chain(simplest).map(str::to_owned).collect()
        }
        Step::Remove => {
            let mut texts = shorter(&derivation, lexeme.text);
            // It was the first of all.
            texts.retain(|new| new != rule.least());
            texts
        }
        Step::Simplify => simpler(&derivation, lexeme.text),
    }
}

/// A token without some of its parts, or with shorter ones in their places.
fn shorter(derivation: &Derivation<'_>, text: &str) -> Vec<String> {
    let all = derivation.shorter();
    let most = if text.len() > PARTS { 2 * PARTS } else { all.len() };
    all.iter().take(most).map(|replacement| replacement.apply(text)).collect()
}

/// A token with canonical characters wherever its rule allows them, then with one of them.
fn simpler(derivation: &Derivation<'_>, text: &str) -> Vec<String> {
    let each = derivation.simpler(canonical);
    let mut all = String::new();
    let mut at = 0;
    for replacement in &each {
        all.push_str(&text[at..replacement.range.start]);
        all.push_str(&replacement.with);
        at = replacement.range.end;
    }
    all.push_str(&text[at..]);
    let one = each.iter().take(PARTS).map(|replacement| replacement.apply(text));
    std::iter::once(all).chain(one).collect()
}

/// The attempts if no rule is known.
fn guesses(tree: &Tree, simplest: &Simplest<'_>, lexeme: &Lexeme<'_>, step: Step) -> Vec<String> {
    // Words that are not names are keywords: no part of a keyword is of its kind, and the least text of its place may
    // be a name.
    let is_word = lexeme.shape == Shape::Word;
    let mut texts = match step {
        Step::Replace => {
            let least = match tree.is_leaf(lexeme.at[0]) {
                true => tree.minimal(lexeme.at[0]).filter(|_| !is_word),
                // The content of a string may be empty, whatever the grammar needs to make a node.
                false => Some(Arc::default()),
            };
            let least = least.and_then(|least| String::from_utf8(least.to_vec()).ok());
            let simplest = simplest[&(lexeme.kind, lexeme.shape)].to_owned();
            least.into_iter().chain([simplest]).collect()
        }
        _ if is_word => Vec::new(),
        Step::Remove => without_parts(&pieces(tree, lexeme)),
        Step::Simplify => simpler_characters(&pieces(tree, lexeme)),
    };
    texts.retain(|new| lexeme.shape.has(new));
    texts
}

/// The pieces that are removed whole: characters, and tokens inside a token, such as escape sequences.
fn pieces<'t>(tree: &'t Tree, lexeme: &Lexeme<'t>) -> Vec<&'t str> {
    let token = tree.range(lexeme.at[0]);
    let leaves = tree.descendants(lexeme.at[0]).filter(|below| tree.is_leaf(*below));
    let mut pieces = Vec::new();
    let mut at = 0;
    for leaf in leaves.filter(|leaf| tree.is_named(*leaf)) {
        let range = tree.range(leaf);
        let (start, end) = (range.start - token.start, range.end - token.start);
        pieces.extend(characters(&lexeme.text[at..start]));
        pieces.push(&lexeme.text[start..end]);
        at = end;
    }
    pieces.extend(characters(&lexeme.text[at..]));
    pieces
}

/// All tokens of one kind, shape and text.
struct Lexeme<'t> {
    kind: Kind,
    shape: Shape,
    text: &'t str,
    /// The lexical rules that may have made it.
    rules: Vec<&'t LexicalRule>,
    at: Vec<NodeId>,
}

/// The tokens that may have other texts: those that the grammar names, but not names, since these have passes of their own.
fn lexemes(tree: &Tree) -> Vec<Lexeme<'_>> {
    let tokens: HashSet<Range<usize>> = lexer::tokens(tree.text()).collect();
    let mut lexemes: BTreeMap<(Kind, Shape, &str), Vec<NodeId>> = BTreeMap::new();
    let mut end = 0;
    for node in tree.ids() {
        let is_ours = tree.is_named(node)
            && !tree.is_extra(node)
            && !tree.is_error(node)
            && !is_name(tree, node)
            // These are parts of a token that was already taken whole.
            && tree.range(node).start >= end;
        let is_one = is_ours && is_one_token(tree, node);
        let is_token = is_one || is_ours && (tree.is_leaf(node) || is_scanned(tree, node));
        if let (true, Ok(text)) = (is_token, std::str::from_utf8(tree.text_of(node))) {
            end = if is_one { tree.range(node).end } else { end };
            let is_whole = tokens.contains(&tree.range(node));
            let shape = if is_whole { Shape::of(text) } else { Shape::Free };
            lexemes.entry((tree.kind(node), shape, text)).or_default().push(node);
        }
    }
    let lexeme = |((kind, shape, text), at): ((Kind, Shape, _), Vec<NodeId>)| {
        let rules = tree.lexical_rules(at[0]);
        Lexeme { kind, shape, text, rules, at }
    };
    lexemes.into_iter().map(lexeme).collect()
}

/// Whether a node with children is in effect a token: it has a lexical rule, and nothing is between its leaves.
fn is_one_token(tree: &Tree, node: NodeId) -> bool {
    let leaves = || tree.descendants(node).filter(|below| tree.is_leaf(*below));
    !tree.is_leaf(node)
        && !tree.lexical_rules(node).is_empty()
        && leaves().map(|leaf| tree.range(leaf).len()).sum::<usize>() == tree.range(node).len()
        && leaves().all(|leaf| is_part(tree, node, leaf))
}

/// Whether a node consists of characters that only a scanner recognises, with tokens in between: the content of a
/// string with escape sequences. White space between them is in no leaf.
fn is_scanned(tree: &Tree, node: NodeId) -> bool {
    let is_nameless = |leaf: NodeId| tree.name(leaf).is_empty();
    let is_known = |leaf: NodeId| is_nameless(leaf) || !tree.lexical_rules(leaf).is_empty();
    tree.children(node).any(is_nameless)
        && tree
            .children(node)
            .all(|child| tree.is_leaf(child) && is_known(child) && is_part(tree, node, child))
}

/// Whether a leaf can be a part of a token: it is neither a name nor in another language.
fn is_part(tree: &Tree, node: NodeId, leaf: NodeId) -> bool {
    let grammar = |node| tree.parser_of(node).grammar();
    !tree.is_error(leaf) && !is_name(tree, leaf) && std::ptr::eq(grammar(leaf), grammar(node))
}

/// The simplest text of each kind and shape.
type Simplest<'t> = HashMap<(Kind, Shape), &'t str>;

fn simplest<'t>(lexemes: &[Lexeme<'t>]) -> Simplest<'t> {
    let mut simplest = Simplest::new();
    for Lexeme { kind, shape, text, .. } in lexemes {
        let known = simplest.entry((*kind, *shape)).or_insert(text);
        if is_simpler(text, known) {
            *known = text;
        }
    }
    simplest
}

/// Whether a text is shorter, or as long and earlier in the alphabet: the order of results.
fn is_simpler(new: &str, old: &str) -> bool {
    (new.chars().count(), new) < (old.chars().count(), old)
}
