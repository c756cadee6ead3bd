//! Clients speak to lop for a generator: the files that come with lop, and how they get into a program.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::oracle::command::{Argument, CommandLine};

/// How a generator is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drive {
    /// It speaks lop's protocol by itself.
    Protocol,
    /// It knows nothing of lop: a library is loaded into it that stands in for the C library's random numbers.
    Preload,
    /// It knows nothing of lop: a hook stands in for Python's random numbers.
    Python,
}

/// The files for those who write generators.
const FILES: &[(&str, &str)] = &[
    ("lop_choice.h", include_str!("clients/lop_choice.h")),
    ("lop_choice.py", include_str!("clients/lop_choice.py")),
];
const HOOK: &str = include_str!("clients/sitecustomize.py");
/// Made by the build script; empty where there is no such thing.
const PRELOAD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

impl Drive {
    /// How a program seems to want to be driven: one that mentions the protocol speaks it.
    pub(super) fn guess(program: &Path, arguments: &[OsString]) -> Drive {
        let mentions = |path: &Path| {
            let names = [&b"LOP_CHOICES"[..], b"lop_choice"];
            fs::read(path).is_ok_and(|text| {
                names.iter().any(|name| text.windows(name.len()).any(|it| it == *name))
            })
        };
        let files = || std::iter::once(program).chain(arguments.iter().map(Path::new));
        let is_python = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let starts = |text: &[u8]| {
                let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
                line.starts_with(b"#!") && String::from_utf8_lossy(line).contains("python")
            };
            name.starts_with("python")
                || name.ends_with(".py")
                || fs::read(path).is_ok_and(|text| starts(&text))
        };
        if files().any(|path| path.is_file() && mentions(path)) {
            Drive::Protocol
        } else if files().any(is_python) {
            Drive::Python
        } else {
            Drive::Preload
        }
    }

    /// Sets up a command to be driven this way, with the files it needs in a directory.
    pub(super) fn equip(self, command: &mut CommandLine, directory: &Path) -> io::Result<()> {
        let modules = directory.join("modules");
        fs::create_dir_all(&modules)?;
        write_clients(&modules)?;
        match self {
            Drive::Protocol => {}
            Drive::Python => {
                fs::write(modules.join("sitecustomize.py"), HOOK)?;
                // Otherwise sets have another order in each process.
                command.env.push(("PYTHONHASHSEED".into(), Argument::plain("0")));
            }
            Drive::Preload if PRELOAD.is_empty() => {
                let message = "this build of lop has no library to load into programs; there is one on Linux only";
                return Err(io::Error::new(io::ErrorKind::Unsupported, message));
            }
            Drive::Preload => {
                let library = directory.join("preload.so");
                fs::write(&library, PRELOAD)?;
                command.env.push((
                    "LD_PRELOAD".into(),
                    Argument::plain(before("LD_PRELOAD", library.as_os_str())),
                ));
            }
        }
        command.env.push((
            "PYTHONPATH".into(),
            Argument::plain(before("PYTHONPATH", modules.as_os_str())),
        ));
        Ok(())
    }
}

/// A path in front of those that a variable holds.
fn before(name: &str, path: &OsStr) -> OsString {
    let mut paths = path.to_owned();
    if let Some(others) = std::env::var_os(name).filter(|others| !others.is_empty()) {
        paths.push(":");
        paths.push(others);
    }
    paths
}

/// Writes the C header and the Python module for generators to a directory; returns their paths.
pub fn write_clients(directory: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(directory)?;
    let write = |(name, text): &(&str, &str)| {
        let path = directory.join(name);
        fs::write(&path, text).map(|()| path)
    };
    FILES.iter().map(write).collect()
}
