//! `--launcher`: each test is launched by another program, which may run it elsewhere.
//!
//! The launcher isn't the test. If its own failure can be recognised, the run is lost and repeated; it never counts as
//! a boring candidate.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lop::oracle::Outcome;
use lop::oracle::execute::{Error, Execute, Launch, Request};
use lop::{Cancel, Status};

use crate::args::TestArgs;
use crate::command::on_path;
use crate::exit::{Code, Failure};
use crate::template::{Filling, Template};

/// The exit codes of launchers for their own failures, where these are known. Others, such as srun and kubectl, use
/// codes that tests also use.
const OWN_CODES: &[(&str, u8)] = &[("ssh", 255), ("docker", 125), ("podman", 125)];

/// Launches tests.
#[derive(Clone)]
pub(crate) struct Launcher {
    template: Template,
    program: PathBuf,
    fails: Vec<u8>,
}

impl Launcher {
    /// The user's launcher, if there is one.
    pub(crate) fn new(args: &TestArgs) -> Result<Option<Self>, Failure> {
        let Some(template) = args.launcher.clone() else { return Ok(None) };
        let name = template.program();
        let path = Path::new(name);
        let found = match name.contains('/') {
            true => path.exists().then(|| std::path::absolute(path).ok()).flatten(),
            false => on_path(OsStr::new(name)),
        };
        let program = found.ok_or_else(|| {
            let where_ = if name.contains('/') { "does not exist" } else { "is not on the PATH" };
            Failure::new(Code::Test, format!("the launcher `{name}` {where_}"))
                .help("check its name, or install it")
        })?;
        if fs::metadata(&program)
            .is_ok_and(|it| it.is_dir() || it.permissions().mode() & 0o111 == 0)
        {
            return Err(Failure::new(
                Code::Test,
                format!("the launcher `{name}` is not executable"),
            )
            .help(format!("chmod +x {name}, or name its interpreter first")));
        }
        let usual = || {
            let own =
                OWN_CODES.iter().filter(|(name, _)| path.file_name() == Some(OsStr::new(name)));
            own.map(|(_, code)| *code).collect()
        };
        let fails = match &args.launcher_fails[..] {
            [] => usual(),
            given => given.iter().filter_map(|it| it.0).collect(),
        };
        Ok(Some(Launcher { template, program, fails }))
    }

    /// A launch of the launcher, which launches the program. `name` is the candidate's.
    pub(crate) fn around(&self, mut launch: Launch, name: &OsStr) -> Launch {
        let command = std::iter::once(launch.program.into()).chain(launch.args).collect();
        let (directory, file) = (launch.dir.as_os_str(), launch.dir.join(name));
        launch.args = self.template.fill(&Filling { command, directory, file: file.as_os_str() });
        launch.program = self.program.clone();
        launch
    }

    /// An executor that recognises a launcher's own failures.
    pub(crate) fn watch(self, executor: Arc<dyn Execute>) -> Arc<dyn Execute> {
        match self.fails.is_empty() {
            true => executor,
            false => Arc::new(Watched { launcher: self, executor }),
        }
    }
}

/// Reports runs as lost if the exit code shows that the launcher itself failed.
struct Watched {
    launcher: Launcher,
    executor: Arc<dyn Execute>,
}

impl Execute for Watched {
    fn execute(
        &self,
        slot: usize,
        request: &Request<'_>,
        cancel: &Cancel,
    ) -> Result<Outcome, Error> {
        // The launcher's message is worth the cost of reading it.
        let mut asked = *request;
        asked.wants_output = true;
        let mut outcome = self.executor.execute(slot, &asked, cancel)?;
        if let Status::Exit(code) = outcome.status
            && self.launcher.fails.iter().any(|own| i32::from(*own) == code)
        {
            return Err(Error::Lost(self.failed(code, &outcome)));
        }
        if !request.wants_output {
            (outcome.stdout, outcome.stderr, outcome.is_cut) = (Vec::new(), Vec::new(), false);
        }
        Ok(outcome)
    }

    fn take_notes(&self) -> Vec<String> {
        self.executor.take_notes()
    }
}

impl Watched {
    fn failed(&self, code: i32, outcome: &Outcome) -> String {
        let mut lines = outcome.stderr.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let last = lines.rfind(|line| !line.is_empty());
        let said: String =
            String::from_utf8_lossy(last.unwrap_or_default()).chars().take(200).collect();
        let said = if said.is_empty() { said } else { format!(", “{said}”") };
        format!("the launcher `{}` failed: exit {code}{said}", self.launcher.template.text())
    }
}
