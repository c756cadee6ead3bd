//! Takes each language's `grammar.json` out of its package, so that this repository needs no copy of it
//! and grammar and parser are always of one version.
//!
//! The script writes `bundled.rs`: the parsers of the languages in this build, and their grammars, minified
//! and compressed.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

#[allow(dead_code, missing_docs, unreachable_pub)]
mod table {
    include!("src/table.rs");
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/table.rs");
    let out = PathBuf::from(variable("OUT_DIR"));
    let enabled: Vec<_> = table::TABLE.iter().filter(|entry| is_enabled(entry.feature)).collect();
    let packages = if enabled.is_empty() { Value::Null } else { packages() };

    let mut code = String::from(
        "/// The parser, the compressed grammar and the compressed highlight query of a language in this build.\n\
         pub(crate) fn bundled(name: &str) -> Option<(LanguageFn, &'static [u8], &'static [u8])> {\n\
         \x20   Some(match name {\n",
    );
    for entry in enabled {
        let package = directory(&packages, entry.package);
        let path = package.join(entry.grammar);
        println!("cargo::rerun-if-changed={}", path.display());
        let file = format!("{}.grammar", entry.name);
        fs::write(out.join(&file), compressed(&path)).expect("the build directory is writable");
        let query = format!("{}.highlights", entry.name);
        fs::write(out.join(&query), highlights(&package)).expect("the build directory is writable");
        writeln!(
            code,
            "        {:?} => ({}, include_bytes!({file:?}) as &[u8], include_bytes!({query:?}) as &[u8]),",
            entry.name, entry.parser
        )
        .expect("strings can be written to");
    }
    code.push_str("        _ => return None,\n    })\n}\n");
    fs::write(out.join("bundled.rs"), code).expect("the build directory is writable");
}

fn is_enabled(feature: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase().replace('-', "_"))).is_some()
}

/// The packages of this build, as cargo sees them.
fn packages() -> Value {
    let features = table::TABLE.iter().map(|entry| entry.feature).filter(|name| is_enabled(name));
    let features: Vec<&str> = features.collect();
    let output = Command::new(variable("CARGO"))
        .args(["metadata", "--offline", "--format-version=1", "--no-default-features"])
        .args(["--features", &features.join(",")])
        .args(["--filter-platform", &variable("TARGET")])
        .current_dir(variable("CARGO_MANIFEST_DIR"))
        .output();
    match output {
        Ok(output) if output.status.success() => {
            serde_json::from_slice(&output.stdout).unwrap_or_default()
        }
        _ => Value::Null,
    }
}

/// The directory of a package: the one that cargo reports, or one next to this package, as in a registry's cache.
fn directory(packages: &Value, package: &str) -> PathBuf {
    let listed = packages["packages"].as_array().into_iter().flatten();
    let manifest = listed
        .filter(|each| each["name"] == package)
        .find_map(|each| each["manifest_path"].as_str().map(PathBuf::from));
    if let Some(directory) = manifest.and_then(|path| path.parent().map(Path::to_owned)) {
        return directory;
    }
    // `cargo metadata` needs every package that any member of the workspace could need, which is more than a build fetches.
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let fetched = locked(&here, package).into_iter().flat_map(|version| {
        let home = env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
        let registries =
            home.map(|home| home.join("registry/src")).and_then(|it| fs::read_dir(it).ok());
        let registries = registries.into_iter().flatten().flatten();
        registries
            .map(move |each| each.path().join(format!("{package}-{version}")))
            .collect::<Vec<_>>()
    });
    let beside = fs::read_dir(here.join("..")).into_iter().flatten().flatten();
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let beside = beside.map(|each| each.path()).filter(|path| {
        let rest = name(path).strip_prefix(package).map(str::to_owned);
        rest.is_some_and(|rest| {
            rest.is_empty()
                || rest
                    .strip_prefix('-')
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    });
    let mut found = fetched.filter(|path| path.is_dir()).chain(beside);
    found.next().unwrap_or_else(|| {
        panic!(
            "the package {package} is not to be found: neither `cargo metadata --offline` nor what \
                cargo has fetched nor the directory beside this package has it; run `cargo fetch` and build again"
        )
    })
}

/// The version of a package that is built here.
fn locked(here: &Path, package: &str) -> Option<String> {
    let lock =
        here.ancestors().find_map(|each| fs::read_to_string(each.join("Cargo.lock")).ok())?;
    let entry =
        lock.split("[[package]]").find(|entry| entry.contains(&format!("name = \"{package}\"")))?;
    let version = entry.lines().find_map(|line| line.strip_prefix("version = "))?;
    Some(version.trim_matches('"').to_owned())
}

fn compressed(path: &Path) -> Vec<u8> {
    let text = fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("the grammar {} cannot be read: {error}", path.display()));
    let grammar: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("the grammar {} is not JSON: {error}", path.display()));
    miniz_oxide::deflate::compress_to_vec(grammar.to_string().as_bytes(), 9)
}

/// The highlight query of a package; empty if it has none.
fn highlights(package: &Path) -> Vec<u8> {
    let query = fs::read(package.join("queries/highlights.scm")).unwrap_or_default();
    miniz_oxide::deflate::compress_to_vec(&query, 9)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for build scripts"))
}
