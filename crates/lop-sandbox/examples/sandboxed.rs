//! Runs a command in a sandbox: `sandboxed [--allow PATH]... -- COMMAND`.

use lop_sandbox::{Sandbox, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (sandbox, command) = Sandbox::parse(std::env::args_os().skip(1))?;
    run(&sandbox, &command)?.follow()
}
