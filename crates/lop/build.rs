//! Compiles the library that is loaded into generators that know nothing of lop; see docs/src/reference/protocol.md.

use std::path::PathBuf;
use std::{env, fs};

const SOURCES: &str = "src/generator/clients/preload";

fn main() {
    println!("cargo:rerun-if-changed={SOURCES}");
    println!("cargo:rerun-if-changed=build.rs");
    let library = PathBuf::from(variable("OUT_DIR")).join("preload.so");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        fs::write(&library, b"").expect("the directory is there to be written to");
        return;
    }
    let mut parts: Vec<PathBuf> = fs::read_dir(SOURCES)
        .expect("the directory is there to be read")
        .map(|entry| entry.expect("the directory is there to be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    // The order of a directory is any, and the library should be the same wherever it is made.
    parts.sort();
    let mut build = cc::Build::new();
    if env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("musl") && is_for_this_processor() {
        // A lop that is linked to musl runs anywhere; the generators that load the library are linked to what the
        // system has, and that is where the compiler is from.
        build.target(&variable("HOST"));
    }
    let made = build
        .opt_level(2)
        .warnings(false)
        .pic(true)
        .get_compiler()
        .to_command()
        .args(["-shared", "-fvisibility=hidden"])
        .args(&parts)
        .arg("-o")
        .arg(&library)
        .arg("-ldl")
        .status();
    assert!(
        made.is_ok_and(|status| status.success()),
        "{SOURCES} could not be compiled; is there a C compiler?"
    );
}

fn is_for_this_processor() -> bool {
    variable("HOST").split('-').next() == variable("TARGET").split('-').next()
}

fn variable(name: &str) -> String {
    env::var(name).expect("cargo sets it")
}
