//! What packages are made of: the Debian package, the wheel and the GitHub Action agree with the sources.
//! `scripts/try-packages` tries the packages themselves.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::Place;
use yaml_rust2::{Yaml, YamlLoader};

#[test]
fn all_packages_have_one_version() {
    let workspace = toml("Cargo.toml");
    let version = workspace["workspace"]["package"]["version"].as_str().unwrap();
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    for (name, dependency) in workspace["workspace"]["dependencies"].as_table().unwrap() {
        let is_published = |name: &str| {
            toml(&format!("crates/{name}/Cargo.toml"))["package"].get("publish").is_none()
        };
        if name.starts_with("lop") && name != "lopdf" && is_published(name) {
            assert_eq!(dependency["version"].as_str(), Some(version), "{name}");
        }
    }
    // maturin takes it from the crate.
    let wheel = toml("crates/lop-python/pyproject.toml");
    assert!(wheel["project"].get("version").is_none());
    assert_eq!(wheel["project"]["dynamic"][0].as_str(), Some("version"));
    let crate_ = toml("crates/lop-python/Cargo.toml");
    assert_eq!(crate_["package"]["version"]["workspace"].as_bool(), Some(true));
}

#[test]
fn the_files_of_the_debian_package_are_there() {
    let place = Place::new();
    let share = place.path("share");
    let run = Command::new(root("scripts/share")).args([lop(), share.clone()]).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    let deb = &toml("crates/lop-cli/Cargo.toml")["package"]["metadata"]["deb"];
    for asset in deb["assets"].as_array().unwrap() {
        let source = asset[0].as_str().unwrap();
        if source == "target/release/lop" {
            continue;
        }
        let path = match source.strip_prefix("../../dist/share/") {
            Some(made) => share.join(made),
            None => root("crates/lop-cli").join(source),
        };
        let name = path.file_name().unwrap().to_str().unwrap();
        let names = fs::read_dir(path.parent().unwrap()).map(|entries| {
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
        });
        let names: Vec<String> = names.unwrap_or_default();
        let ending = name.strip_prefix('*');
        let is_it = |it: &&String| ending.map_or(*it == name, |ending| it.ends_with(ending));
        assert!(names.iter().any(|it| is_it(&it)), "{source} in {names:?}");
    }
}

#[test]
fn the_action_installs_a_release_and_reduces_a_file() {
    let job = Job::new();
    job.release("0.0.7");
    let run = job.run(&[
        ("version", "v0.0.7"),
        ("file", "in.txt"),
        ("test", "./test.sh"),
        ("options", "--seed 3 --quiet"),
    ]);
    assert_eq!(run, Ok(()));
    let output = job.text("output");
    let result = output.trim().strip_prefix("result=").unwrap();
    assert_eq!(fs::read_to_string(result).unwrap().trim(), "needle");
    assert!(job.text("summary").contains("needle"));
}

#[test]
fn a_test_of_the_action_may_be_a_command_and_options_may_be_quoted() {
    let job = Job::new();
    job.release(env!("CARGO_PKG_VERSION"));
    let run = job.run(&[
        ("file", "in.txt"),
        ("test", "grep -o 'needle.*' {}; echo $(touch ran)"),
        ("options", "--stdout 'needle is' '$(touch never)'"),
    ]);
    // The last option is a file that isn't there.
    assert!(run.is_err());
    assert!(!job.place.path("never").exists());
    let run = job.run(&[
        ("file", "in.txt"),
        ("test", "grep -o 'needle.*' {}"),
        ("options", "--stdout 'needle is'"),
    ]);
    assert_eq!(run, Ok(()));
    assert_eq!(job.text("temp/lop-result/in.txt").trim(), "needle is");
}

#[test]
fn the_action_refuses_a_binary_with_a_wrong_check_sum() {
    let job = Job::new();
    job.release("0.0.7");
    let sums = "releases/v0.0.7/SHA256SUMS";
    let name = job.text(sums).split_off(64);
    job.place.write(sums, "0".repeat(64) + &name);
    let run = job.run(&[("version", "0.0.7"), ("file", "in.txt"), ("test", "./test.sh")]);
    assert!(run.unwrap_err().contains("checksum did NOT match"));
    assert!(!job.place.path("output").exists());
}

#[test]
fn the_action_says_that_there_is_no_such_release() {
    let run = Job::new().run(&[("version", "9.9.9"), ("file", "in.txt"), ("test", "./test.sh")]);
    assert!(run.unwrap_err().contains("::error::there is no binary of lop 9.9.9"));
}

/// A job of a workflow: what a runner does with action.yml, as far as it runs scripts.
struct Job {
    place: Place,
    action: Yaml,
}

impl Job {
    fn new() -> Job {
        let place = Place::new();
        place.write("in.txt", "one\nthe needle is here\nthree\n");
        place.script("test.sh", "grep -q needle in.txt");
        let text = fs::read_to_string(root("action.yml")).unwrap();
        Job { place, action: YamlLoader::load_from_str(&text).unwrap().remove(0) }
    }

    /// Makes a release: an archive whose binary is this lop, and its check sum.
    fn release(&self, version: &str) {
        let name = format!("lop-{version}-{}-unknown-linux-musl", std::env::consts::ARCH);
        let script = format!("exec '{}' \"$@\"", lop().display());
        fs::create_dir_all(self.place.path(format!("made/{name}/bin"))).unwrap();
        self.place.script(&format!("made/{name}/bin/lop"), &script);
        let pack = format!(
            "mkdir -p releases/v{version} && cd releases/v{version} && tar -czf {name}.tar.gz -C ../../made {name} &&
             sha256sum *.gz >SHA256SUMS"
        );
        let pack =
            Command::new("sh").args(["-ec", &pack]).current_dir(self.place.path("")).status();
        assert!(pack.unwrap().success());
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.place.read(name)).unwrap()
    }

    /// Runs the steps, or returns the output of the first that fails.
    fn run(&self, with: &[(&str, &str)]) -> Result<(), String> {
        let path = |name: &str| self.place.path(name);
        for step in self.action["runs"]["steps"].as_vec().unwrap() {
            let Some(script) = step["run"].as_str() else { continue };
            assert_eq!(step["shell"].as_str(), Some("bash"));
            let mut bash = Command::new("bash");
            bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]);
            for (name, value) in step["env"].as_hash().unwrap() {
                bash.env(name.as_str().unwrap(), self.evaluate(value.as_str().unwrap(), with));
            }
            let found = fs::read_to_string(path("path")).unwrap_or_default();
            let found = found.lines().last().unwrap_or("/nowhere");
            let output = bash
                .current_dir(path(""))
                .env("PATH", format!("{found}:{}", std::env::var("PATH").unwrap()))
                .env("GITHUB_ACTION_PATH", root(""))
                .env("GITHUB_PATH", path("path"))
                .env("GITHUB_OUTPUT", path("output"))
                .env("GITHUB_STEP_SUMMARY", path("summary"))
                .env("RUNNER_TEMP", path("temp"))
                .env("LOP_RELEASES", format!("file://{}", path("releases").display()))
                .output()
                .unwrap();
            if !output.status.success() {
                let said = [output.stdout, output.stderr].concat();
                return Err(String::from_utf8_lossy(&said).into_owned());
            }
        }
        Ok(())
    }

    /// The value of an expression: an input of the action, or nothing for what only GitHub knows.
    fn evaluate(&self, text: &str, with: &[(&str, &str)]) -> String {
        let expression = text.strip_prefix("${{ ").and_then(|it| it.strip_suffix(" }}")).unwrap();
        let Some(name) = expression.strip_prefix("inputs.") else { return String::new() };
        let input = &self.action["inputs"][name];
        assert!(!input.is_badvalue(), "{name} is not an input");
        let given = with.iter().find(|(it, _)| *it == name).map(|(_, value)| *value);
        given.or(input["default"].as_str()).expect("it is required").to_owned()
    }
}

fn toml(path: &str) -> toml::Table {
    fs::read_to_string(root(path)).unwrap().parse().unwrap()
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path).canonicalize().unwrap()
}

fn lop() -> PathBuf {
    env!("CARGO_BIN_EXE_lop").into()
}
