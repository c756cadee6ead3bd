//! A parser and its grammar.

use lop_grammar::{Grammar, Label, RuleId};

use crate::table::{Entry, Island, Layout};

/// A parser and the grammar that it was made from.
pub struct Language {
    name: String,
    parser: tree_sitter::Language,
    grammar: Grammar,
    /// The label of each of the parser's symbols.
    labels: Vec<Label>,
    /// The rule of each of the parser's symbols, if a rule has its name.
    rules: Vec<Option<RuleId>>,
    islands: &'static [Island],
    layout: Layout,
    joins: &'static str,
    approximate: Vec<Label>,
    minimal: &'static [(&'static str, &'static str)],
}

impl Language {
    /// A bundled language, from the grammar that the build script stored.
    pub(crate) fn bundled(entry: &Entry, parser: tree_sitter::Language, stored: &[u8]) -> Self {
        let json = inflated(stored);
        let grammar = Grammar::from_tree_sitter(&json).unwrap_or_else(|error| {
            panic!("the grammar of {} cannot be used: {error}", entry.name)
        });
        let mut language = Language::new(parser, grammar);
        language.name = entry.name.to_owned();
        language.islands = entry.islands;
        language.layout = entry.layout;
        language.joins = entry.joins;
        language.minimal = entry.minimal;
        let grammar = &language.grammar;
        language.approximate =
            entry.approximate.iter().filter_map(|label| grammar.label(label, true)).collect();
        if let Layout::Indented(rules) = entry.layout {
            rules.iter().for_each(|rule| language.grammar.require_one(rule));
        }
        language
    }

    pub(crate) fn new(parser: tree_sitter::Language, grammar: Grammar) -> Self {
        let labels = symbols(&parser)
            .map(|id| {
                let name = parser.node_kind_for_id(id).unwrap_or_default();
                // Symbols without nodes aren't labels of the grammar; they are never looked up.
                grammar.label(name, parser.node_kind_is_named(id)).unwrap_or(Label::ERROR)
            })
            .collect();
        let rules = symbols(&parser)
            .map(|id| {
                let named = parser.node_kind_is_named(id) || !parser.node_kind_is_visible(id);
                parser.node_kind_for_id(id).filter(|_| named).and_then(|name| grammar.rule(name))
            })
            .collect();
        Language {
            name: grammar.name.clone(),
            parser,
            grammar,
            labels,
            rules,
            islands: &[],
            layout: Layout::Free,
            joins: "",
            approximate: Vec::new(),
            minimal: &[],
        }
    }

    /// The name of the language.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A new parser.
    pub fn parser(&self) -> tree_sitter::Parser {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&self.parser).expect("the version was checked when it was loaded");
        parser
    }

    /// The number of errors that the parser finds in a text.
    pub fn errors_in(&self, text: &[u8]) -> usize {
        // Only a parser with a time limit gives up.
        self.parser().parse(text, None).map_or(usize::MAX, |parsed| errors(&parsed))
    }

    /// A query over its nodes.
    pub fn query(&self, text: &str) -> Result<tree_sitter::Query, tree_sitter::QueryError> {
        tree_sitter::Query::new(&self.parser, text)
    }

    /// The grammar that the parser was made from.
    pub fn grammar(&self) -> &Grammar {
        &self.grammar
    }

    /// The label of a symbol of the parser, as returned by [`tree_sitter::Node::kind_id`].
    pub fn label(&self, symbol: u16) -> Label {
        self.labels.get(symbol as usize).copied().unwrap_or(Label::ERROR)
    }

    /// The rule of a symbol of the parser, as returned by [`tree_sitter::Node::grammar_id`].
    /// Only a hint: a symbol that always has an alias has the alias's name.
    pub fn rule(&self, symbol: u16) -> Option<RuleId> {
        self.rules.get(symbol as usize).copied().flatten()
    }

    /// The nodes whose text is in another language.
    pub fn islands(&self) -> &'static [Island] {
        self.islands
    }

    /// The meaning of white space in it.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The characters of words besides letters and digits.
    pub fn joins(&self) -> &'static str {
        self.joins
    }

    /// Whether the grammar accepts children of nodes with this label that the parser rejects, for reasons that a
    /// content model cannot express.
    pub fn is_approximate(&self, label: Label) -> bool {
        self.approximate.contains(&label)
    }

    /// The least text of a label, if the grammar's own is worse.
    pub fn minimal(&self, label: Label) -> Option<&'static str> {
        let name = self.grammar.label_name(label);
        self.minimal.iter().find(|(each, _)| *each == name).map(|(_, text)| *text)
    }

    /// The symbols and fields that nodes of the parser may have and that the grammar does not know: none, if both are
    /// of one version. Conversely, a grammar may have rules that no node shows: unused ones, or those that always have
    /// an alias.
    pub fn disagreements(&self) -> Vec<String> {
        let (parser, grammar) = (&self.parser, &self.grammar);
        let symbols = symbols(parser)
            .filter(|id| parser.node_kind_is_visible(*id))
            .filter_map(|id| Some((parser.node_kind_for_id(id)?, parser.node_kind_is_named(id))))
            .filter(|(name, named)| *name != "end" && grammar.label(name, *named).is_none())
            .map(|(name, _)| name);
        let fields = (1..=parser.field_count())
            .filter_map(|id| parser.field_name_for_id(u16::try_from(id).ok()?))
            .filter(|name| !grammar.has_field(name));
        symbols.chain(fields).map(str::to_owned).collect()
    }
}

/// The number of errors in a tree: nodes that the parser did not understand, or invented.
pub fn errors(tree: &tree_sitter::Tree) -> usize {
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        errors += usize::from(node.is_error() || node.is_missing());
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return errors;
            }
        }
    }
}

/// The symbols of a parser.
fn symbols(parser: &tree_sitter::Language) -> impl Iterator<Item = u16> + use<> {
    (0..parser.node_kind_count()).map_while(|symbol| u16::try_from(symbol).ok())
}

/// The text of a grammar that the build script stored.
pub(crate) fn inflated(stored: &[u8]) -> String {
    let text = miniz_oxide::inflate::decompress_to_vec(stored);
    let text = text.expect("the build script has compressed it");
    String::from_utf8(text).expect("grammars and queries are UTF-8")
}

#[cfg(test)]
mod tests {
    use crate::{TABLE, find, is_bundled};

    use super::*;

    #[test]
    fn a_parser_and_the_grammar_of_another_language_disagree() {
        let bundled = || TABLE.iter().filter(|entry| is_bundled(entry.name));
        for (entry, other) in bundled().zip(bundled().skip(1)) {
            let (Some(language), Some(other)) = (find(entry.name), find(other.name)) else {
                continue;
            };
            let (parser, _, _) = crate::bundled(entry.name).unwrap();
            let (_, stored, _) = crate::bundled(other.name()).unwrap();
            let json = inflated(stored);
            let mixed = Language::new(parser.into(), Grammar::from_tree_sitter(&json).unwrap());
            assert_eq!(language.disagreements(), Vec::<String>::new());
            // The two languages of OCaml have the same grammar except for its start.
            let are_kin = entry.feature == "ocaml" && other.name() == "ocaml-interface"
                || entry.name == "tsx";
            assert!(
                are_kin || !mixed.disagreements().is_empty(),
                "{} {}",
                entry.name,
                other.name()
            );
        }
    }
}
