//! Models: read for `--model`, and explained by `lop model`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::similar;
use lop::tree::{Format, LabelUse, ModelError, Usage};
use serde_json::{Value, json};

use crate::args::ModelArgs;
use crate::exit::{Code, Failure};
use crate::reading;
use crate::view::{files, number, print};

/// The most contexts of a label that are shown.
const CONTEXTS_SHOWN: usize = 30;
/// The width of a label in a table.
const LABEL: usize = 30;

/// Reads a model.
pub(crate) fn read(path: &Path) -> Result<Usage, Failure> {
    let shown = path.display();
    let bytes = read_model(path).map_err(|error| {
        let message = format!("cannot read the model `{shown}`: {error}");
        Failure::new(Code::Usage, message).help("check the path; `lop learn` writes models")
    })?;
    // A file of another kind was not read to its end.
    bytes.ok_or(ModelError::NotAModel).and_then(|bytes| Usage::from_bytes(&bytes)).map_err(
        |error| {
            let help = match error {
                ModelError::NotAModel => "give a file that `lop learn` wrote",
                ModelError::Newer { .. } => {
                    "use a newer lop, or learn the model again with `lop learn`"
                }
                _ => "learn the model again with `lop learn`",
            };
            Failure::new(Code::Usage, format!("cannot use `{shown}` as a model: {error}"))
                .help(help)
        },
    )
}

/// Whether a file claims to be a model.
pub(crate) fn is_model(path: &Path) -> bool {
    path.is_file() && matches!(read_start(path), Ok((_, start)) if Usage::is_model(&start))
}

/// The content of a file; `None` if it does not begin like a model.
fn read_model(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let (mut file, mut bytes) = read_start(path)?;
    if !Usage::is_model(&bytes) {
        return Ok(None);
    }
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

fn read_start(path: &Path) -> io::Result<(File, Vec<u8>)> {
    let file = reading::open(path)?;
    let mut start = Vec::new();
    (&file).take(16).read_to_end(&mut start)?;
    Ok((file, start))
}

/// A format with the models of these files, each of which must know one of these formats.
pub(crate) fn apply(
    paths: &[PathBuf],
    format: Format,
    formats: &[Format],
) -> Result<Format, Failure> {
    let mut all = Usage::default();
    for path in paths {
        let usage = read(path)?;
        let has = |format: &Format| {
            let name = &format.parser().grammar().name;
            usage.grammars().any(|(grammar, _)| grammar == name)
        };
        if !formats.iter().any(has) {
            let (shown, name) = (path.display(), format.name());
            let known = languages(&usage);
            let message =
                format!("the model `{shown}` knows {known}, but not the input's language, {name}");
            return Err(Failure::new(Code::Usage, message).help(format!(
                "learn one from {name} files: lop learn --language {name} PATH… -o MODEL"
            )));
        }
        all.merge(usage);
    }
    Ok(if paths.is_empty() { format } else { format.with_usage(Arc::new(all)) })
}

/// The languages that a model knows.
pub(crate) fn languages(usage: &Usage) -> String {
    let names: Vec<&str> = usage.grammars().map(|(grammar, _)| grammar).collect();
    if names.is_empty() { "no language".to_owned() } else { names.join(", ") }
}

/// Explains a model.
pub(crate) fn show(args: &ModelArgs) -> Result<Code, Failure> {
    let usage = read(&args.model)?;
    let text = match &args.label {
        None if args.json => as_json(&usage, None).to_string(),
        None => summary(&usage),
        Some(label) => {
            let has = |name: &str| name == label;
            if !usage.grammars().any(|(_, labels)| labels.keys().any(|name| has(name))) {
                return Err(unknown(&usage, args, label));
            }
            if args.json {
                as_json(&usage, Some(label)).to_string()
            } else {
                details(&usage, label)
            }
        }
    };
    print(text.trim_end());
    Ok(Code::Done)
}

fn unknown(usage: &Usage, args: &ModelArgs, label: &str) -> Failure {
    let names = usage.grammars().flat_map(|(_, labels)| labels.keys().map(String::as_str));
    let meant = similar(label, names);
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    let shown = args.model.display();
    Failure::new(Code::Usage, format!("the model `{shown}` has no label `{label}`{meant}")).help(
        format!("`lop model {shown}` lists its labels; `lop tree FILE` shows those of a file"),
    )
}

fn summary(usage: &Usage) -> String {
    let mut text = format!("learned from {}: {}\n", files(usage.files()), languages(usage));
    for (grammar, labels) in usage.grammars() {
        let nodes: u64 = labels.values().map(|uses| uses.nodes).sum();
        let contexts: usize = labels.values().map(|uses| uses.contexts.len()).sum();
        let _ = writeln!(
            text,
            "\n{grammar}: {} labels, {} contexts, {} nodes\n  {:LABEL$} {:>12} {:>8}  mandatory edges",
            number(labels.len() as u64),
            number(contexts as u64),
            number(nodes),
            "label",
            "nodes",
            "contexts",
        );
        let mut rows: Vec<(&String, &LabelUse)> = labels.iter().collect();
        rows.sort_by_key(|(_, uses)| std::cmp::Reverse(uses.nodes));
        for (label, uses) in rows {
            let mandatory = uses.edges.keys().filter(|edge| uses.is_mandatory(edge));
            let mandatory: Vec<String> = mandatory.map(|edge| shown_edge(edge)).collect();
            let line = format!(
                "  {label:LABEL$} {:>12} {:>8}  {}",
                number(uses.nodes),
                number(uses.contexts.len() as u64),
                mandatory.join(", "),
            );
            let _ = writeln!(text, "{}", console::truncate_str(line.trim_end(), 80, "…"));
        }
    }
    text
}

fn details(usage: &Usage, label: &str) -> String {
    let mut text = String::new();
    for (grammar, labels) in usage.grammars() {
        let Some(uses) = labels.get(label) else { continue };
        let _ = writeln!(text, "{label} ({grammar}): {} nodes", number(uses.nodes));
        if let Some(least) = &uses.least {
            let _ =
                writeln!(text, "  the least: {}", String::from_utf8_lossy(least).escape_debug());
        }
        text += "\nEdges, with the share of the nodes that have them:\n";
        let mut edges: Vec<_> = uses.edges.iter().collect();
        edges.sort_by_key(|(_, edge)| std::cmp::Reverse(edge.nodes));
        for (name, edge) in &edges {
            let remark = match (uses.is_mandatory(name), edge.most > 1) {
                (true, _) => "  mandatory",
                (_, true) => "  may be repeated",
                _ => "",
            };
            let share = share(edge.nodes, uses.nodes);
            let _ = writeln!(text, "  {:LABEL$} {share:>7}{remark}", shown_edge(name));
        }
        if edges.is_empty() {
            text += "  none\n";
        }
        text += "\nContexts, the most frequent first:\n";
        let mut contexts: Vec<_> = uses.contexts.iter().collect();
        contexts.sort_by_key(|(_, nodes)| std::cmp::Reverse(**nodes));
        for ((parent, edge), nodes) in contexts.iter().take(CONTEXTS_SHOWN) {
            let line = format!("  {parent:LABEL$} {:22} {:>12}", shown_edge(edge), number(**nodes));
            let _ = writeln!(text, "{line}");
        }
        match contexts.len().saturating_sub(CONTEXTS_SHOWN) {
            0 if contexts.is_empty() => text += "  none: it is only at the root\n",
            0 => {}
            more => {
                let _ = writeln!(text, "  and {} more; --json lists all", number(more as u64));
            }
        }
        text.push('\n');
    }
    text
}

/// The share of nodes; 100 % only if none is missing.
fn share(part: u64, whole: u64) -> String {
    let thousandths = u128::from(part) * 1000 / u128::from(whole.max(1));
    match thousandths {
        0 if part > 0 => "<0.1 %".to_owned(),
        _ => format!("{}.{} %", thousandths / 10, thousandths % 10),
    }
}

/// An edge in words: many nodes have no field.
fn shown_edge(edge: &str) -> String {
    match edge.strip_prefix(':') {
        Some(label) => format!("(no field) {label}"),
        None if edge.is_empty() => "(no field)".to_owned(),
        None => edge.to_owned(),
    }
}

fn as_json(usage: &Usage, only: Option<&str>) -> Value {
    let grammars = usage.grammars().map(|(grammar, labels)| {
        let labels = labels.iter().filter(|(label, _)| only.is_none_or(|only| only == *label));
        let labels = labels.map(|(label, uses)| (label.clone(), of_label(uses)));
        (grammar.to_owned(), Value::Object(labels.collect()))
    });
    json!({ "files": usage.files(), "languages": Value::Object(grammars.collect()) })
}

fn of_label(uses: &LabelUse) -> Value {
    let edges = uses.edges.iter().map(|(name, edge)| {
        let mandatory = uses.is_mandatory(name);
        let edge = json!({ "nodes": edge.nodes, "least": edge.least, "most": edge.most, "mandatory": mandatory });
        (name.clone(), edge)
    });
    let contexts = uses
        .contexts
        .iter()
        .map(|((parent, edge), nodes)| json!({ "parent": parent, "edge": edge, "nodes": nodes }));
    let least = uses.least.as_ref().map(|text| String::from_utf8_lossy(text));
    json!({
        "nodes": uses.nodes,
        "edges": Value::Object(edges.collect()),
        "contexts": contexts.collect::<Vec<_>>(),
        "least": least,
    })
}
