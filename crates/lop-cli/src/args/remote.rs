//! The options for tests that run on other machines.

use std::path::PathBuf;
use std::time::Duration;

use lop_remote::{Access, Address, Header, Source, Tls};

/// The options for a server of the Remote Execution API.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Other machines")]
pub(crate) struct RemoteArgs {
    /// Run tests on the workers of this server of the Remote Execution API: grpcs://HOST:PORT, or grpc://HOST:PORT without
    /// encryption. -j is the number of tests in flight. Workers get the test, the candidate and the files of --with, and no other file or
    /// variable of this machine.
    #[arg(
        long,
        value_name = "ADDRESS",
        conflicts_with_all = ["serve", "sandbox", "launcher", "memory", "more_memory_than", "slower_than"]
    )]
    pub(crate) remote: Option<Address>,

    /// Instance of the server, if it has several.
    #[arg(long, value_name = "NAME", requires = "remote")]
    pub(crate) remote_instance: Option<String>,

    /// What workers must have, in the words of the server, such as OSFamily=linux; may be given several times.
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair, requires = "remote")]
    pub(crate) remote_property: Vec<(String, String)>,

    /// Variable that is set for tests on workers; without a value, that of this machine. May be given several times.
    #[arg(long, value_name = "NAME[=VALUE]", value_parser = variable, requires = "remote")]
    pub(crate) remote_env: Vec<(String, Option<String>)>,

    /// Bearer token for the server: the first line of a file, or a variable of the environment.
    #[arg(long, value_name = "FILE|env:NAME", requires = "remote")]
    pub(crate) remote_token: Option<Source>,

    /// Header that is sent to the server, with its value in a file or a variable; may be given several times.
    #[arg(long, value_name = "NAME=FILE|env:NAME", value_parser = header, requires = "remote")]
    pub(crate) remote_header: Vec<Header>,

    /// Certificates (PEM) that sign the server's [default: those of the system].
    #[arg(long, value_name = "FILE", requires = "remote")]
    pub(crate) remote_ca: Option<PathBuf>,

    /// Client certificate (PEM).
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_key"])]
    pub(crate) remote_cert: Option<PathBuf>,

    /// Private key (PEM) of the client certificate.
    #[arg(long, value_name = "FILE", requires_all = ["remote", "remote_cert"])]
    pub(crate) remote_key: Option<PathBuf>,

    /// How long the server may be away before the run ends with the best so far, such as 10m [default: 3m].
    #[arg(long, value_name = "TIME", value_parser = super::duration, requires = "remote")]
    pub(crate) remote_patience: Option<Duration>,

    /// Run up to N more tests on this machine at the same time.
    #[arg(long, value_name = "N", requires = "remote", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) local_jobs: Option<u16>,

    /// Do not test the original and the result on this machine, too: for tests that only workers can run.
    #[arg(long, requires = "remote")]
    pub(crate) no_local_check: bool,
}

impl RemoteArgs {
    /// How the server is reached, if there is one.
    pub(crate) fn access(&self) -> Option<Access> {
        let mut access = Access::new(self.remote.clone()?);
        access.instance = self.remote_instance.clone().unwrap_or_default();
        access.patience = self.remote_patience.unwrap_or(access.patience);
        access.tls = Tls {
            authority: self.remote_ca.clone(),
            certificate: self.remote_cert.clone(),
            key: self.remote_key.clone(),
        };
        let token = self.remote_token.clone().map(Header::token);
        access.headers = token.into_iter().chain(self.remote_header.iter().cloned()).collect();
        Some(access)
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("write KEY=VALUE".into()),
    }
}

fn variable(text: &str) -> Result<(String, Option<String>), String> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    match name.is_empty() {
        false => Ok((name.into(), value)),
        true => Err("write NAME or NAME=VALUE".into()),
    }
}

fn header(text: &str) -> Result<Header, String> {
    let (name, source) = pair(text).map_err(|_| "write NAME=FILE or NAME=env:NAME".to_owned())?;
    Header::new(&name, source.parse()?)
}
