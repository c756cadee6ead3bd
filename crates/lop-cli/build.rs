//! Compiles the library that is loaded into generators that know nothing of lop; see docs/protocol.md.

use std::path::PathBuf;
use std::{env, fs};

const SOURCE: &str = "src/generate/clients/preload.c";

fn main() {
    println!("cargo:rerun-if-changed={SOURCE}");
    println!("cargo:rerun-if-changed=build.rs");
    let library = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("preload.so");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        fs::write(&library, b"").expect("the directory is there to be written to");
        return;
    }
    let compiler = cc::Build::new().opt_level(2).warnings(false).pic(true).get_compiler();
    let made =
        compiler.to_command().args(["-shared", SOURCE, "-o"]).arg(&library).arg("-ldl").status();
    assert!(
        made.is_ok_and(|status| status.success()),
        "{SOURCE} could not be compiled; is there a C compiler?"
    );
}
