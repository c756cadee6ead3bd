//! How a generator is driven: by itself, or by a client that speaks lop's protocol for it. The clients are files that
//! come with lop.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::oracle::command::{Argument, CommandLine};

/// How a generator is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drive {
    /// The program speaks lop's protocol itself.
    Protocol,
    /// The program knows nothing of lop: a preloaded library replaces the C library's random numbers.
    Preload,
    /// The program knows nothing of lop: a hook replaces Python's random numbers.
    Python,
    /// The program knows nothing of lop: a hook replaces Node's random numbers.
    Node,
}

/// The files for authors of generators.
const FILES: &[(&str, &str)] = &[
    ("lop_choice.h", include_str!("clients/lop_choice.h")),
    ("lop_choice.py", include_str!("clients/lop_choice.py")),
];
/// The modules that a hooked Python program imports without knowing it.
const PYTHON: &[(&str, &str)] = &[
    ("sitecustomize.py", include_str!("clients/sitecustomize.py")),
    ("lop_numpy.py", include_str!("clients/lop_numpy.py")),
];
const NODE: &str = include_str!("clients/lop_hook.js");
/// The library to preload, made by the build script; empty where it isn't supported.
const PRELOAD: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preload.so"));

impl Drive {
    /// Guesses how to drive a program: one that mentions the protocol speaks it.
    pub(super) fn guess(program: &Path, arguments: &[OsString]) -> Drive {
        let mentions = |path: &Path| {
            let names = [&b"LOP_CHOICES"[..], b"lop_choice"];
            fs::read(path).is_ok_and(|text| {
                names.iter().any(|name| text.windows(name.len()).any(|it| it == *name))
            })
        };
        let files = || std::iter::once(program).chain(arguments.iter().map(Path::new));
        let is_for = |path: &Path, interpreter: &str, extensions: &[&str]| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let starts = |text: &[u8]| {
                let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
                line.starts_with(b"#!") && String::from_utf8_lossy(line).contains(interpreter)
            };
            name.starts_with(interpreter)
                || extensions.iter().any(|extension| name.ends_with(extension))
                || fs::read(path).is_ok_and(|text| starts(&text))
        };
        if files().any(|path| path.is_file() && mentions(path)) {
            Drive::Protocol
        } else if files().any(|path| is_for(path, "python", &[".py"])) {
            Drive::Python
        } else if files().any(|path| is_for(path, "node", &[".js", ".mjs", ".cjs"])) {
            Drive::Node
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
                write_all(PYTHON, &modules)?;
                // Without it, the order of sets differs from process to process.
                command.env.push(("PYTHONHASHSEED".into(), Argument::plain("0")));
            }
            Drive::Node => {
                let hook = modules.join("lop_hook.js");
                fs::write(&hook, NODE)?;
                let mut options = OsString::from("--require ");
                options.push(&hook);
                if let Some(others) = std::env::var_os("NODE_OPTIONS") {
                    options.push(" ");
                    options.push(others);
                }
                command.env.push(("NODE_OPTIONS".into(), Argument::plain(options)));
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

/// Why a program that was driven in some way drew nothing, and what would work instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mute {
    /// The cause.
    pub why: &'static str,
    /// The cure.
    pub cure: &'static str,
}

/// What works for every program whose source can be changed.
macro_rules! draw_through_lop {
    () => {
        "make it draw its numbers from lop: `lop gen --clients DIR` writes a C header and a Python module for that, and \
         docs/src/reference/protocol.md says how other languages do it"
    };
}

impl Drive {
    /// Why a program drew nothing when it was driven this way.
    pub(super) fn mute(self, program: &Path) -> Mute {
        let (why, cure) = match self {
            Drive::Protocol => (
                "it read no choices, though it was taken for a program that speaks lop's protocol",
                "if it knows nothing of lop, name the way that fits: --drive preload for a program of machine code, --drive python \
                 or --drive node; otherwise let it read LOP_CHOICES (docs/src/reference/protocol.md)",
            ),
            // The interpreter itself is machine code, too, but its name gives it away.
            Drive::Python | Drive::Node
                if Linkage::of(program) != Linkage::Script
                    && Drive::guess(program, &[]) == Drive::Preload =>
            {
                (
                    "it is machine code and not in the language of --drive",
                    "leave out --drive, or use --drive preload, by which the random functions of the C library are driven",
                )
            }
            Drive::Python => (
                "it is in Python and drew nothing through `random`, `secrets`, `os.urandom` or `numpy.random`",
                concat!("use one of these in it, or ", draw_through_lop!()),
            ),
            Drive::Node => (
                "it is in JavaScript and drew nothing through `Math.random` or `crypto`",
                "use one of these in it, or make it draw its numbers from lop, as docs/src/reference/protocol.md says",
            ),
            Drive::Preload => match Linkage::of(program) {
                Linkage::Go => (
                    "it is a Go program, and those take random numbers from their own runtime, where no library can stand in for it",
                    concat!("no --drive helps; ", draw_through_lop!()),
                ),
                Linkage::Static => (
                    "it is linked statically, so that no library can be loaded into it",
                    concat!("link it dynamically (without -static), or ", draw_through_lop!()),
                ),
                Linkage::Dynamic => (
                    "it called none of the random functions that lop stands in for, so it computes its random numbers itself, or \
                     has none",
                    concat!(
                        "use rand(), random(), lrand48() or /dev/urandom in it, or std::mt19937 in an executable that is neither \
                         stripped nor compiled with -O3; or ",
                        draw_through_lop!()
                    ),
                ),
                Linkage::Script => (
                    "neither it nor a program that it starts called one of the random functions that lop stands in for; \
                     `$RANDOM` of a shell is none of them",
                    concat!(
                        "use a program that does, such as shuf or od /dev/urandom, or ",
                        draw_through_lop!()
                    ),
                ),
            },
        };
        Mute { why, cure }
    }
}

/// How a program calls the functions of libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linkage {
    /// The program was made by Go's compiler, which needs no library.
    Go,
    Static,
    Dynamic,
    /// The program isn't machine code.
    Script,
}

impl Linkage {
    fn of(program: &Path) -> Linkage {
        // The type of the program header that names the loader.
        const INTERPRETER: u32 = 3;
        let Ok(file) = fs::read(program) else { return Linkage::Script };
        if file.get(..4) != Some(b"\x7fELF") {
            return Linkage::Script;
        }
        let contains = |words: &[u8]| file.windows(words.len()).any(|it| it == words);
        if contains(b"\xff Go buildinf:") {
            return Linkage::Go;
        }
        // The headers of 64 bits, least byte first; programs for other machines count as the usual case.
        let number = |at: usize, bytes: usize| -> Option<u64> {
            let digits = file.get(at..at.checked_add(bytes)?)?;
            Some(digits.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
        };
        if file.get(4..6) != Some(&[2, 1]) {
            return Linkage::Dynamic;
        }
        let (Some(headers), Some(size), Some(count)) =
            (number(32, 8), number(54, 2), number(56, 2))
        else {
            return Linkage::Dynamic;
        };
        let kind = |header: u64| number(headers.checked_add(header * size)? as usize, 4);
        match (0..count).any(|header| kind(header) == Some(u64::from(INTERPRETER))) {
            true => Linkage::Dynamic,
            false => Linkage::Static,
        }
    }
}

/// A path in front of those that a variable already has.
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
    write_all(FILES, directory)
}

fn write_all(files: &[(&str, &str)], directory: &Path) -> io::Result<Vec<PathBuf>> {
    let write = |(name, text): &(&str, &str)| {
        let path = directory.join(name);
        fs::write(&path, text).map(|()| path)
    };
    files.iter().map(write).collect()
}
