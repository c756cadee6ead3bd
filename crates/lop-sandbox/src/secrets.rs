//! The secrets that no test needs and no candidate may see: keys, passwords, and the sockets of programs that act for
//! the user.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Paths below the home directory.
const AT_HOME: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".password-store",
    ".local/share/keyrings",
    ".config/gcloud",
    ".config/gh",
    ".config/op",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".mozilla",
    ".config/chromium",
    ".config/google-chrome",
    ".bash_history",
    ".zsh_history",
];

/// Paths anywhere else.
const ELSEWHERE: &[&str] = &[
    "/run/user",
    "/run/dbus",
    "/run/docker.sock",
    "/run/containerd",
    "/run/podman",
    "/run/secrets",
    "/run/systemd/private",
    "/run/snapd.socket",
    "/run/libvirt",
    "/tmp/.X11-unix",
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/ssl/private",
];

/// Parts of the names of variables with secrets.
const IN_NAMES: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "CREDENTIAL",
    "API_KEY",
    "ACCESS_KEY",
    "PRIVATE_KEY",
];

/// Variables that name sockets.
const SOCKETS: &[&str] =
    &["SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "GPG_AGENT_INFO", "DOCKER_HOST"];

/// The hidden paths that exist.
pub(crate) fn paths() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let at_home = home.iter().flat_map(|home| AT_HOME.iter().map(|path| home.join(path)));
    let agent = std::env::var_os("SSH_AUTH_SOCK").map(PathBuf::from);
    let all = at_home.chain(ELSEWHERE.iter().map(PathBuf::from)).chain(agent);
    all.filter(|path| path.is_absolute() && Path::exists(path)).collect()
}

/// The environment without secrets.
pub(crate) fn environment() -> impl Iterator<Item = (OsString, OsString)> {
    std::env::vars_os().filter(|(name, _)| !is_secret(name))
}

fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    SOCKETS.contains(&name.as_str()) || IN_NAMES.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_secret_by_their_names() {
        for name in ["GITHUB_TOKEN", "aws_secret_access_key", "SSH_AUTH_SOCK", "DB_PASSWORD"] {
            assert!(is_secret(name.as_ref()), "{name}");
        }
        for name in ["PATH", "HOME", "TMPDIR", "KEYBOARD", "LOP_FILE"] {
            assert!(!is_secret(name.as_ref()), "{name}");
        }
    }
}
