//! `lop-fuzz TARGET FILE…` runs a target on files: it fails where the target does. `scripts/fuzz` has lop reduce findings with it.

fn main() {
    let mut words = std::env::args_os().skip(1);
    let target = words.next().unwrap_or_default().into_string().unwrap_or_default();
    if !lop_fuzz::TARGETS.iter().any(|(name, _)| *name == target) {
        eprintln!("usage: lop-fuzz TARGET FILE…\ntargets:");
        lop_fuzz::TARGETS.iter().for_each(|(name, _)| eprintln!("  {name}"));
        std::process::exit(2);
    }
    for file in words {
        match std::fs::read(&file) {
            Ok(bytes) => lop_fuzz::run(&target, &bytes),
            Err(error) => {
                eprintln!("lop-fuzz: {}: {error}", file.display());
                std::process::exit(2);
            }
        }
    }
}
