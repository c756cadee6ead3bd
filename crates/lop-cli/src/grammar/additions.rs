//! A user's additions to an ANTLR grammar: the files of `--replacements` and `--islands`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lop::tree::{AntlrIsland, AntlrOptions, Format};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::args::AdditionArgs;
use crate::exit::{Code, Failure};
use crate::reading::{cure, read_text};

/// An island in the file. Paths are relative to the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Island {
    /// A language that lop knows; if there is none, grammars.
    language: Option<String>,
    #[serde(default)]
    grammar: Vec<PathBuf>,
    start: Option<String>,
    #[serde(default)]
    replacements: BTreeMap<String, String>,
    #[serde(default)]
    islands: BTreeMap<String, Island>,
    within: Option<String>,
}

/// Reads the files that options name.
pub(super) fn read(args: &AdditionArgs) -> Result<AntlrOptions, Failure> {
    let mut options = AntlrOptions::default();
    if let Some(path) = &args.replacements {
        options.replacements = json(path, "replacements")?;
    }
    if let Some(path) = &args.islands {
        let folder = path.parent().unwrap_or(Path::new(""));
        options.islands = islands(json(path, "islands")?, folder)?;
    }
    Ok(options)
}

fn json<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T, Failure> {
    let cannot = |error: &dyn std::fmt::Display, help: &str| {
        Failure::new(Code::Usage, format!("cannot read the {what} `{}`: {error}", path.display()))
            .help(help)
    };
    let text = read_text(path).map_err(|error| cannot(&error, cure(&error)))?;
    serde_json::from_str(&text).map_err(|error| {
        cannot(&error, "`lop help` shows how they are written under --replacements and --islands")
    })
}

fn islands(
    islands: BTreeMap<String, Island>,
    folder: &Path,
) -> Result<BTreeMap<String, AntlrIsland>, Failure> {
    let island = |(token, island): (String, Island)| {
        let wrong = |message: String| {
            Failure::new(Code::Usage, format!("the island `{token}` {message}"))
                .help("`lop languages` lists the languages; a grammar is a list of *.g4 files")
        };
        let format = match (&island.language, &island.grammar[..]) {
            (Some(language), []) => Format::named(language)
                .ok_or_else(|| wrong(format!("is in an unknown language, `{language}`")))?,
            (None, [_, ..]) => {
                let paths: Vec<PathBuf> =
                    island.grammar.iter().map(|path| folder.join(path)).collect();
                let mut options = AntlrOptions::default();
                options.replacements = island.replacements;
                options.islands = self::islands(island.islands, folder)?;
                super::format_of(&paths, island.start.as_deref(), &options)?
            }
            _ => return Err(wrong("needs either a `language` or a `grammar`".into())),
        };
        let mut found = AntlrIsland::new(format);
        found.within = island.within;
        Ok((token, found))
    };
    islands.into_iter().map(island).collect()
}
