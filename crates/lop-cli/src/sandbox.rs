//! Tests in a sandbox, and `lop sandbox`.

use std::ffi::OsString;
use std::path::PathBuf;

use lop::oracle::execute::Launch;
use lop_sandbox::{Error, Gap, Sandbox};

use crate::args::{SandboxArgs, SandboxMode, TestArgs};
use crate::exit::{Code, Failure};
use crate::view::View;

/// The word that makes this program the helper of a sandbox.
const WORD: &str = "sandbox";

/// A wrapper that puts a launch into the sandbox that the user wants.
pub(crate) fn wrapper(args: &TestArgs) -> Result<impl Fn(Launch) -> Launch + use<>, Failure> {
    let helper = std::env::current_exe().map_err(|error| {
        Failure::new(
            Code::Test,
            format!("lop does not find itself, which the sandbox needs: {error}"),
        )
        .help("start lop by its full path")
    })?;
    let sandbox = args.sandbox.map(|mode| Sandbox {
        allowed: args.allow.clone(),
        is_partial: mode == SandboxMode::Partial,
    });
    Ok(move |launch: Launch| match &sandbox {
        Some(sandbox) => inside(sandbox, helper.clone(), launch),
        None => launch,
    })
}

/// A launch of the helper, which launches the program in the sandbox.
fn inside(sandbox: &Sandbox, helper: PathBuf, mut launch: Launch) -> Launch {
    let mut sandbox = sandbox.clone();
    sandbox.allowed.push(launch.dir.clone());
    let tmp = launch.env.iter().find(|(name, _)| name == "TMPDIR");
    sandbox.allowed.extend(tmp.map(|(_, path)| path.into()));
    let command = std::iter::once(launch.program.into()).chain(launch.args);
    launch.args = std::iter::once(WORD.into()).chain(sandbox.arguments(command)).collect();
    launch.program = helper;
    launch
}

/// Refuses a sandbox that this machine cannot make, and reports its gaps.
pub(crate) fn check(args: &TestArgs, view: &mut View) -> Result<(), Failure> {
    let Some(mode) = args.sandbox else { return Ok(()) };
    exist(&args.allow)?;
    let sandbox = Sandbox { allowed: args.allow.clone(), is_partial: mode == SandboxMode::Partial };
    for gap in sandbox.check().map_err(|error| refused(&error))? {
        view.note(&format!("in the sandbox, {gap}"));
    }
    Ok(())
}

fn exist(allowed: &[PathBuf]) -> Result<(), Failure> {
    match allowed.iter().find(|path| !path.exists()) {
        None => Ok(()),
        Some(path) => {
            let message = format!("--allow: there is no `{}`", path.display());
            Err(Failure::new(Code::Usage, message).help("create it, or check the path"))
        }
    }
}

fn refused(error: &Error) -> Failure {
    let failure = Failure::new(Code::Test, format!("there is no sandbox here: {error}"));
    match error {
        Error::Gap(Gap::Namespaces) => failure.help(
            "allow them (sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0 on \
             Ubuntu), or use --sandbox=partial",
        ),
        _ => failure.help("use --sandbox=partial, or run tests without a sandbox"),
    }
}

/// Runs a command in the sandbox, and ends in the same way.
pub(crate) fn run(args: &SandboxArgs) -> Result<Code, Failure> {
    exist(&args.allow)?;
    let mut allowed = args.allow.clone();
    allowed.push(".".into());
    become_helper(&Sandbox { allowed, is_partial: args.partial }, &args.command)
}

/// If this process was started as the helper of a sandbox, does only that: before it has any thread, and without
/// parsing all the options of lop, which would take longer than many tests.
pub(crate) fn serve() -> Option<Failure> {
    let mut words = std::env::args_os().skip(1);
    words.next().filter(|word| word == WORD)?;
    // A command line of a user is parsed with the other options.
    let (sandbox, command): (Sandbox, Vec<OsString>) = Sandbox::parse(words).ok()?;
    if sandbox.allowed.is_empty() || exist(&sandbox.allowed).is_err() {
        return None;
    }
    become_helper(&sandbox, &command).err()
}

fn become_helper(sandbox: &Sandbox, command: &[OsString]) -> Result<Code, Failure> {
    match lop_sandbox::run(sandbox, command) {
        Ok(ended) => ended.follow(),
        Err(error) => Err(refused(&error)),
    }
}
