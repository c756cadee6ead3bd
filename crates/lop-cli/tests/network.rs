//! lop opens no connection, except with `--remote`.
#![cfg(target_os = "linux")]

mod common;

use std::process::Command;

use common::{Place, finished, start};

/// Stands before the function of the C library by which programs get a socket, and notes which one asked.
const SHIM: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int socket(int domain, int type, int protocol) {
    FILE *note = fopen(getenv("SOCKETS"), "a");
    fprintf(note, "%s\n", program_invocation_short_name);
    fclose(note);
    return -1;
}
"#;

const ASKS: &str =
    "#include <sys/socket.h>\nint main() { return socket(AF_INET, SOCK_STREAM, 0) < 0; }";

fn compile(place: &Place, options: &[&str], source: &str) {
    let mut command = place.command("cc");
    assert!(command.args(options).arg(source).status().expect("cc runs").success());
}

fn watched(place: &Place, program: &str) -> Command {
    let mut command = place.command(program);
    command.env("LD_PRELOAD", place.path("shim.so")).env("SOCKETS", place.path("sockets"));
    command
}

#[test]
fn no_command_of_lop_asks_for_a_socket() {
    let place = Place::new();
    place.write("shim.c", SHIM);
    compile(&place, &["-shared", "-fPIC", "-o", "shim.so"], "shim.c");
    place.write("in.c", "int a;\nint main() { return 0; }\nint b;\n");
    place.script("test.sh", "grep -q main in.c");
    for args in [
        &["./test.sh", "in.c", "-j", "2", "--report", "report.html"][..],
        &["compare", "./test.sh", "in.c", "--strategies", "ddmin:lines,perses"],
        &["history", "in.c"],
        &["tree", "in.c"],
        &["self-test"],
    ] {
        let output = finished(start(watched(&place, env!("CARGO_BIN_EXE_lop")).args(args)));
        assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
        assert!(!place.path("sockets").exists(), "{args:?}");
    }

    // What does ask is caught.
    #[cfg(feature = "remote")]
    {
        let args = ["--remote", "grpc://127.0.0.1:1", "./test.sh", "in.c"];
        let output = finished(start(watched(&place, env!("CARGO_BIN_EXE_lop")).args(args)));
        output.expect(5, &["cannot reach the server"]);
        assert_eq!(place.read("sockets"), b"lop\n");
        std::fs::remove_file(place.path("sockets")).unwrap();
    }
    place.write("asks.c", ASKS);
    compile(&place, &["-o", "asks"], "asks.c");
    let asks = place.path("asks");
    assert!(!watched(&place, asks.to_str().unwrap()).status().unwrap().success());
    assert_eq!(place.read("sockets"), b"asks\n");
}
