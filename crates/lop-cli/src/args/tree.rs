//! The arguments of `lop tree`.

use std::path::PathBuf;

use super::FormatArgs;

/// The arguments of `lop tree`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TreeArgs {
    /// File to show.
    pub(crate) file: PathBuf,

    /// Views to apply to the tree, separated by commas.
    #[arg(long, value_name = "VIEW", value_delimiter = ',')]
    pub(crate) view: Vec<ViewArg>,

    /// Show at most N levels.
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,

    /// Print the tree as JSON.
    #[arg(long, conflicts_with = "dot")]
    pub(crate) json: bool,

    /// Print the tree for Graphviz: `lop tree --dot FILE | dot -Tsvg > tree.svg`.
    #[arg(long)]
    pub(crate) dot: bool,

    // Last, since its heading applies to all options after it.
    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// A view of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ViewArg {
    /// What a rule repeats or makes optional is removed as one unit.
    Group,
    /// A node and its only child are one node if they have the same replacement.
    Squeeze,
    /// Left and right recursion are lists.
    Flatten,
    /// What a rule repeats or makes optional gets a parent node (use with group).
    Quantify,
    /// Tokens that can be neither removed nor replaced are hidden.
    HideUnremovable,
    /// White space is shown as tokens.
    HiddenTokens,
    /// The trees of the papers' experiments: group, squeeze and flatten.
    Papers,
    /// Perses' normal form: group, flatten and quantify.
    NormalForm,
    /// The normal form in which `if (…)` is optional around its last part.
    WideNormalForm,
    /// The abstract tree of GTR: without punctuation, and with edges.
    Abstract,
}
