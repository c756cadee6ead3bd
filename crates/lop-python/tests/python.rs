//! The module as Python sees it: `test_reduce.py` has the tests.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

#[test]
fn the_module_keeps_what_it_promises_in_python() {
    let Ok(version) = Command::new("python3").arg("--version").output() else {
        assert!(env::var_os("LOP_TEST_ALL").is_none(), "python3 is missing");
        return eprintln!("skipped: there is no python3");
    };
    assert!(version.status.success());
    // Cargo builds the library beside the tests; Python wants another name.
    let here = env::current_exe().unwrap();
    let library = here.with_file_name("liblop_python.so");
    let directory = tempfile::tempdir().unwrap();
    fs::copy(&library, directory.path().join("lop.abi3.so")).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/test_reduce.py");
    let run = Command::new("python3")
        .args(["-B".as_ref(), tests.as_os_str()])
        .env("PYTHONPATH", directory.path())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}
