//! Makes actions of candidates.
//!
//! The directory of an action has the script in `lop/`, the files of the test in `test/`, an empty directory for
//! temporary files in `tmp/`, and the candidate with its accompanying files in `here/`, where the test runs.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2::command::EnvironmentVariable;
use bazel_remote_apis::build::bazel::remote::execution::v2::platform::Property;
use bazel_remote_apis::build::bazel::remote::execution::v2::{Action, Command, Digest, Platform};
use bazel_remote_apis::google::protobuf;
use lop::oracle::command::{Argument, CommandLine};
use lop::oracle::execute::{Beside, Request, Setup};
use lop::{Bundle, FileKind};
use prost::Message;

use crate::blobs::{Blob, Function};
use crate::error::{Error, Kind};
use crate::options::Options;
use crate::tree::Tree;
use crate::wrapper::{Run, rooted};

/// A test, with everything that is the same for each candidate.
#[derive(Clone)]
pub(crate) struct Job {
    function: Function,
    /// The input tree without the candidate and the script.
    base: Tree,
    /// The contents of that tree.
    stock: Arc<Vec<Blob>>,
    /// The script.
    script: Blob,
    /// The script's test.
    pub(crate) run: Run,
    /// The text of the test, where it has any.
    pub(crate) text: Vec<u8>,
    name: PathBuf,
    is_executable: bool,
    bundle: Option<Bundle>,
    platform: Option<Platform>,
    variables: Vec<EnvironmentVariable>,
    has_exact_time: bool,
    is_flaky: bool,
    /// Identifies the programs that the test uses.
    pub(crate) salt: Vec<u8>,
}

/// An action, with the contents that the server needs for it.
pub(crate) struct Task {
    pub(crate) digest: Digest,
    /// Those of this candidate.
    pub(crate) fresh: Vec<Blob>,
    /// Those of all candidates.
    pub(crate) stock: Arc<Vec<Blob>>,
}

/// The settings of an action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) wants_output: bool,
    pub(crate) time: Duration,
    pub(crate) file_size: u64,
    /// Whether the server neither remembers the result nor shares it between requests.
    pub(crate) is_alone: bool,
}

impl Manner {
    pub(crate) fn of(request: &Request<'_>) -> Self {
        let (time, file_size) = (request.limits.time, request.limits.file_size);
        Manner { wants_output: request.wants_output, time, file_size, is_alone: false }
    }
}

impl Job {
    /// Reads all files that the test needs.
    pub(crate) fn new(options: &Options, function: Function) -> Result<Job, Error> {
        let Setup { name, executable, bundle, beside, .. } = &options.setup;
        let mut files =
            Files { function, base: Tree::default(), stock: Vec::new(), text: Vec::new() };
        for directory in ["lop", "here", "tmp"] {
            files.base.add_directory(Path::new(directory)).map_err(wrong)?;
        }
        beside.iter().try_for_each(|file| files.add_beside(file))?;
        let name = PathBuf::from(name);
        let run = files.run(&options.command, &name, bundle.is_none())?;
        let Files { base, mut stock, text, .. } = files;
        base.seal(function, &mut stock);
        let mut properties: Vec<Property> = options
            .properties
            .iter()
            .map(|(name, value)| Property { name: name.clone(), value: value.clone() })
            .collect();
        properties.sort_by(|a, b| (&a.name, &a.value).cmp(&(&b.name, &b.value)));
        let variable = |(name, value): &(String, String)| EnvironmentVariable {
            name: name.clone(),
            value: value.clone(),
        };
        let mut variables: Vec<_> = options.variables.iter().map(variable).collect();
        variables.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Job {
            function,
            base,
            stock: Arc::new(stock),
            script: function.blob(run.script()),
            run,
            text,
            name,
            is_executable: *executable,
            bundle: bundle.clone(),
            platform: (!properties.is_empty()).then_some(Platform { properties }),
            variables,
            has_exact_time: options.has_exact_time,
            is_flaky: options.is_flaky,
            salt: Vec::new(),
        })
    }

    /// This job with another program, in the same directory.
    pub(crate) fn running(&self, words: &[&[u8]]) -> Job {
        let words = words.iter().map(|word| word.to_vec()).collect();
        let run = Run { words, has_script: false, ..self.run.clone() };
        let mut job = Job { script: self.function.blob(run.script()), run, ..self.clone() };
        // The canary's candidate is a single file.
        job.bundle = None;
        job.name = "candidate".into();
        job.run.input = rooted(Path::new("here/candidate")).into_os_string().as_bytes().into();
        job.run.changes = Some(b"candidate".into());
        job.script = job.function.blob(job.run.script());
        job
    }

    /// The action for a candidate.
    pub(crate) fn task(&self, text: &[u8], manner: Manner) -> Result<Task, io::Error> {
        let invalid = |why: String| io::Error::new(io::ErrorKind::InvalidInput, why);
        let function = self.function;
        let mut tree = self.base.clone();
        let mut fresh = vec![self.script.clone()];
        tree.add_file(Path::new("lop/run"), self.script.digest.clone(), false).map_err(invalid)?;
        let here = Path::new("here");
        match &self.bundle {
            None => {
                let blob = function.blob(text.to_vec());
                tree.add_file(&here.join(&self.name), blob.digest.clone(), self.is_executable)
                    .map_err(invalid)?;
                fresh.push(blob);
            }
            Some(bundle) => {
                add_bundle(bundle, text, function, &mut tree, &mut fresh).map_err(invalid)?
            }
        }
        let root = tree.seal(function, &mut fresh);
        let wants = if manner.wants_output { "output" } else { "silent" };
        // Rounded, so that inputs of similar sizes have the same limit.
        let blocks = (manner.file_size / 512).max(1).checked_next_power_of_two().unwrap_or(1 << 40);
        // Servers of older versions expect the platform here.
        #[allow(deprecated)]
        let command = Command {
            arguments: ["/bin/sh", "lop/run", wants, &blocks.to_string()].map(String::from).into(),
            environment_variables: self.variables.clone(),
            platform: self.platform.clone(),
            ..Command::default()
        };
        let command = function.blob(command.encode_to_vec());
        let action = Action {
            command_digest: Some(command.digest.clone()),
            input_root_digest: Some(root),
            timeout: self.time_limit(manner.time),
            do_not_cache: manner.is_alone || self.is_flaky,
            salt: self.salt.clone(),
            platform: self.platform.clone(),
        };
        let action = function.blob(action.encode_to_vec());
        let digest = action.digest.clone();
        fresh.extend([command, action]);
        Ok(Task { digest, fresh, stock: self.stock.clone() })
    }

    /// The time limit of an action. One that lop has measured differs between runs; rounding it up leads to the same
    /// actions, whose results the server knows.
    fn time_limit(&self, time: Duration) -> Option<protobuf::Duration> {
        const STEPS: [u64; 9] = [1, 2, 5, 10, 20, 50, 100, 200, 300];
        if time.as_secs() > i32::MAX as u64 {
            return None;
        }
        let rounded = STEPS.map(Duration::from_secs).into_iter().find(|step| *step >= time);
        let time = rounded.filter(|_| !self.has_exact_time).unwrap_or(time);
        Some(protobuf::Duration {
            seconds: time.as_secs() as i64,
            nanos: time.subsec_nanos() as i32,
        })
    }
}

fn add_bundle(
    bundle: &Bundle,
    text: &[u8],
    function: Function,
    tree: &mut Tree,
    blobs: &mut Vec<Blob>,
) -> Result<(), String> {
    let here = Path::new("here");
    if let Some(root) = &bundle.root {
        tree.add_directory(&here.join(root))?;
    }
    for member in bundle.members(text) {
        let path = here.join(&member.path);
        let content = &text[member.content];
        match member.kind {
            FileKind::Link => tree.add_link(&path, OsStr::from_bytes(content))?,
            FileKind::Directory => tree.add_directory(&path)?,
            FileKind::Regular(mode) => {
                let blob = function.blob(content.to_vec());
                tree.add_file(&path, blob.digest.clone(), mode & 0o111 != 0)?;
                blobs.push(blob);
            }
            _ => return Err(format!("`{}` is of an unknown kind", member.path.display())),
        }
    }
    Ok(())
}

/// The common files of all candidates.
struct Files {
    function: Function,
    base: Tree,
    stock: Vec<Blob>,
    text: Vec<u8>,
}

impl Files {
    fn add(&mut self, source: &Path, path: &Path) -> Result<Vec<u8>, Error> {
        let unreadable = |error: io::Error| {
            let message = format!("cannot read `{}`: {error}", source.display());
            Error::new(Kind::Option, message, "check whether you may read it")
        };
        let mode = fs::metadata(source).map_err(unreadable)?.permissions().mode();
        let content = fs::read(source).map_err(unreadable)?;
        let blob = self.function.blob(content.clone());
        self.base.add_file(path, blob.digest.clone(), mode & 0o111 != 0).map_err(wrong)?;
        self.stock.push(blob);
        Ok(content)
    }

    fn add_beside(&mut self, file: &Beside) -> Result<(), Error> {
        let path = Path::new("here").join(file.path());
        if !file.source().is_dir() {
            return self.add(file.source(), &path).map(|_| ());
        }
        // A link to a directory of this machine would be broken on another.
        self.base.add_directory(&path).map_err(wrong)?;
        let unreadable = |error: io::Error| {
            let message = format!("cannot read `{}`: {error}", file.source().display());
            Error::new(Kind::Option, message, "check whether you may read it")
        };
        for entry in fs::read_dir(file.source()).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = file.path().join(entry.file_name());
            self.add_beside(&Beside::copy(entry.path(), name))?;
        }
        Ok(())
    }

    /// The test that the script runs: files of this machine that the command names are put into the directory, except
    /// those of the system, which the worker has itself.
    fn run(&mut self, command: &CommandLine, name: &Path, is_single: bool) -> Result<Run, Error> {
        let candidate = rooted(&Path::new("here").join(name));
        let mut run = Run { input: b"/dev/null".to_vec(), ..Run::default() };
        let words = std::iter::once(Argument::plain(&command.program)).chain(command.args.clone());
        for (number, argument) in words.enumerate() {
            let word = match argument.as_plain().map(Path::new) {
                Some(path) if is_own(path) => self.add_test(number, path, &mut run)?,
                Some(path) if number == 0 => {
                    run.needs.push(path.as_os_str().as_bytes().into());
                    path.as_os_str().to_owned()
                }
                _ => argument.with(&candidate),
            };
            run.has_script |= argument.is_script();
            self.text.extend(word.as_bytes());
            self.text.push(b'\n');
            run.words.push(word.as_bytes().into());
        }
        for (name, value) in &command.env {
            let name = name.to_str().filter(|name| is_name(name)).ok_or_else(|| {
                let message = format!("no shell can set a variable `{}`", name.display());
                Error::new(Kind::Option, message, "rename it")
            })?;
            run.variables.push((name.to_owned(), value.with(&candidate).as_bytes().into()));
        }
        if is_single {
            run.input = candidate.as_os_str().as_bytes().into();
            run.changes = Some(name.as_os_str().as_bytes().into());
        }
        Ok(run)
    }

    /// Puts a file of the test into the directory; returns its path there.
    fn add_test(&mut self, number: usize, path: &Path, run: &mut Run) -> Result<OsString, Error> {
        let name = path.file_name().unwrap_or(OsStr::new("test"));
        let place = Path::new("test").join(number.to_string()).join(name);
        let content = self.add(path, &place)?;
        if number == 0 {
            run.needs.extend(interpreters(&content));
        }
        if !content.contains(&0) {
            self.text.extend(content);
            self.text.push(b'\n');
        }
        Ok(rooted(&place).into_os_string())
    }
}

fn wrong(why: String) -> Error {
    Error::new(Kind::Option, format!("cannot send files to the server: {why}"), "rename it")
}

/// Directories whose files belong to the system; a worker has its own.
const SYSTEM: [&str; 9] =
    ["/bin", "/sbin", "/usr", "/lib", "/lib64", "/opt", "/nix", "/dev", "/proc"];

/// Whether a word is a file that a worker does not have.
fn is_own(path: &Path) -> bool {
    path.is_absolute() && path.is_file() && !SYSTEM.iter().any(|each| path.starts_with(each))
}

/// Whether a shell can set a variable of that name.
fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// The programs that the first line of a script names.
fn interpreters(script: &[u8]) -> Vec<Vec<u8>> {
    let Some(line) = script.strip_prefix(b"#!") else { return Vec::new() };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut words = line.split(|byte| *byte == b' ' || *byte == b'\t').filter(|it| !it.is_empty());
    let Some(program) = words.next() else { return Vec::new() };
    let named = words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='));
    let is_env = program.ends_with(b"/env");
    std::iter::once(program).chain(named.filter(|_| is_env)).map(<[u8]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use bazel_remote_apis::build::bazel::remote::execution::v2::Directory;
    use lop::{Candidate, InputFile};

    use super::*;
    use crate::access::Access;

    fn options(program: &Path) -> Options {
        let (name, beside) = ("in.c".into(), Vec::new());
        let setup = Setup { name, executable: false, bundle: None, beside, workers: 1 };
        let args = vec![Argument::candidate()];
        let command =
            CommandLine { program: program.into(), args, env: Vec::new(), reads_candidate: true };
        Options::new(Access::new("grpc://localhost:1".parse().unwrap()), command, setup)
    }

    const MANNER: Manner = Manner {
        wants_output: true,
        time: Duration::from_millis(1500),
        file_size: 1 << 30,
        is_alone: false,
    };

    /// A place with a test.
    fn script() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("check.sh");
        fs::write(&file, "#!/usr/bin/env -S python3 -u\nimport gcc").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        (place, file)
    }

    fn job(options: &Options) -> Job {
        Job::new(options, Function::Sha256).unwrap()
    }

    /// All paths of a task's input tree, with a mark for executable files, links and directories.
    fn paths(task: &Task) -> Vec<String> {
        let blobs: HashMap<_, _> =
            task.fresh.iter().chain(&*task.stock).map(|it| (it.digest.clone(), it)).collect();
        let action = action(task);
        let mut paths = Vec::new();
        let mut open = vec![(String::new(), action.input_root_digest.unwrap())];
        while let Some((path, digest)) = open.pop() {
            let directory = Directory::decode(&**blobs[&digest].bytes).unwrap();
            for file in directory.files {
                assert!(blobs.contains_key(&file.digest.unwrap()), "{}", file.name);
                let mark = if file.is_executable { "*" } else { "" };
                paths.push(format!("{path}{}{mark}", file.name));
            }
            paths.extend(
                directory.symlinks.iter().map(|it| format!("{path}{}@{}", it.name, it.target)),
            );
            for below in directory.directories {
                paths.push(format!("{path}{}/", below.name));
                open.push((format!("{path}{}/", below.name), below.digest.unwrap()));
            }
        }
        paths.sort();
        paths
    }

    fn action(task: &Task) -> Action {
        let blob = task.fresh.iter().find(|blob| blob.digest == task.digest).unwrap();
        Action::decode(&**blob.bytes).unwrap()
    }

    #[test]
    fn the_tree_has_the_candidate_the_test_and_what_is_beside_it() {
        let (place, file) = script();
        fs::create_dir(place.path().join("inc")).unwrap();
        fs::write(place.path().join("inc/a.h"), "int a;").unwrap();
        let mut options = options(&file);
        options.setup.beside = vec![
            Beside::copy(place.path().join("inc/a.h"), "sub/a.h"),
            Beside::link(place.path().join("inc"), "all"),
        ];
        let task = job(&options).task(b"int x;", MANNER).unwrap();
        assert_eq!(
            paths(&task),
            [
                "here/",
                "here/all/",
                "here/all/a.h",
                "here/in.c",
                "here/sub/",
                "here/sub/a.h",
                "lop/",
                "lop/run",
                "test/",
                "test/0/",
                "test/0/check.sh*",
                "tmp/",
            ]
        );
    }

    #[test]
    fn a_bundle_has_its_files_links_and_directories() {
        let (_place, file) = script();
        let mut files =
            ["p/a.c", "p/run", "p/link", "p/empty"].map(|path| InputFile::new(path, "x"));
        files[1].kind = FileKind::Regular(0o755);
        files[2].kind = FileKind::Link;
        files[3].kind = FileKind::Directory;
        let (bundle, text) = Bundle::pack(Some(Path::new("p")), &files);
        let mut options = options(&file);
        options.setup.bundle = Some(bundle);
        let job = job(&options);
        let paths = paths(&job.task(&text, MANNER).unwrap());
        let here: Vec<_> = paths.iter().filter(|it| it.starts_with("here/p/")).collect();
        assert_eq!(
            here,
            ["here/p/", "here/p/a.c", "here/p/empty/", "here/p/link@x", "here/p/run*"]
        );
        assert_eq!(job.run.input, b"/dev/null");
    }

    #[test]
    fn programs_of_the_system_are_needed_and_others_are_sent() {
        let (_place, file) = script();
        let own = job(&options(&file));
        assert_eq!(
            own.run.words,
            [b"/@lop-root@/test/0/check.sh".to_vec(), b"/@lop-root@/here/in.c".to_vec()]
        );
        assert_eq!(own.run.needs, [b"/usr/bin/env".to_vec(), b"python3".to_vec()]);
        assert!(own.text.windows(10).any(|part| part == b"import gcc"));
        let system = job(&options(Path::new("/bin/sh")));
        assert_eq!(system.run.needs, [b"/bin/sh".to_vec()]);
        assert_eq!(system.run.words[0], b"/bin/sh");
    }

    #[test]
    fn equal_candidates_have_equal_actions_and_similar_time_limits_make_no_difference() {
        let (_place, file) = script();
        let job = job(&options(&file));
        let digest = |text: &[u8], manner| job.task(text, manner).unwrap().digest;
        let slower = Manner { time: Duration::from_millis(1900), ..MANNER };
        assert_eq!(digest(b"x", MANNER), digest(b"x", slower));
        assert_ne!(digest(b"x", MANNER), digest(b"y", MANNER));
        assert_ne!(digest(b"x", MANNER), digest(b"x", Manner { is_alone: true, ..MANNER }));
        let salted = Job { salt: b"gcc 14".to_vec(), ..job.clone() };
        assert_ne!(salted.task(b"x", MANNER).unwrap().digest, digest(b"x", MANNER));
    }

    #[test]
    fn an_action_has_the_users_time_limit_properties_and_variables() {
        let (_place, file) = script();
        let mut options = options(&file);
        options.has_exact_time = true;
        options.is_flaky = true;
        options.properties = vec![("os".into(), "linux".into()), ("arch".into(), "arm".into())];
        options.variables = vec![("LANG".into(), "C".into())];
        let task = job(&options).task(b"x", MANNER).unwrap();
        let action = action(&task);
        let timeout = action.timeout.unwrap();
        assert_eq!((timeout.seconds, timeout.nanos), (1, 500_000_000));
        assert!(action.do_not_cache);
        let names: Vec<_> =
            action.platform.unwrap().properties.into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["arch", "os"]);
        let command = action.command_digest.unwrap();
        let command = task.fresh.iter().find(|blob| blob.digest == command).unwrap();
        let command = Command::decode(&**command.bytes).unwrap();
        assert_eq!(command.arguments, ["/bin/sh", "lop/run", "output", "2097152"]);
        assert_eq!(command.environment_variables[0].value, "C");
    }

    #[test]
    fn a_request_without_limits_has_none() {
        let (_place, file) = script();
        let candidate = Candidate::whole(&std::sync::Arc::new(b"x".to_vec()));
        let manner = Manner::of(&Request::new(&candidate, lop::Limits::default()));
        let task = job(&options(&file)).task(candidate.text(), manner).unwrap();
        assert_eq!(action(&task).timeout, None);
    }
}
