//! The targets without libFuzzer: on each seed, on each finding, and on random mutations of these.

use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use lop_fuzz::{TARGETS, run};

/// Mutations of each target. A target that makes trees of them takes about a millisecond for each.
const MUTATIONS: usize = 100;
/// A mutation is no longer than this.
const LONGEST: usize = 3000;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(name)
}

/// The files of each target in a folder.
fn files(name: &str) -> BTreeMap<String, Vec<PathBuf>> {
    let entries = |place: &Path| {
        let entries = fs::read_dir(place).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let of = |place: &PathBuf| place.file_name().unwrap().to_string_lossy().into_owned();
    entries(&folder(name)).iter().map(|place| (of(place), entries(place))).collect()
}

/// Runs a target, and keeps the bytes if it panics.
fn check(target: &str, bytes: &[u8], what: &str) {
    if catch_unwind(AssertUnwindSafe(|| run(target, bytes))).is_err() {
        let kept = std::env::temp_dir().join(format!("lop-fuzz-{target}"));
        let _ = fs::write(&kept, bytes);
        panic!("{target} fails on {what}; its bytes are in {}", kept.display());
    }
}

#[test]
fn every_target_has_a_program_and_seeds() {
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let manifest = fs::read_to_string(folder("Cargo.toml")).unwrap();
    let seeds = files("seeds");
    for name in &names {
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name} in fuzz/Cargo.toml");
        let program = fs::read_to_string(folder(&format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(program.contains(&format!("run(\"{name}\"")), "{name}");
        assert!(seeds.contains_key(*name), "scripts/fuzz-seeds makes seeds for {name}");
    }
    let known = |target: &String| names.contains(&&target[..]);
    assert!(seeds.keys().all(known) && files("found").keys().all(known));
}

#[test]
fn every_seed_and_finding_passes_every_target() {
    for (of, paths) in files("seeds").into_iter().chain(files("found")) {
        for path in paths {
            let bytes = fs::read(&path).unwrap();
            // Whole runs take long; each has its own seeds.
            for (target, _) in
                TARGETS.iter().filter(|(name, _)| *name != "reduction" || of == *name)
            {
                check(target, &bytes, &path.display().to_string());
            }
        }
    }
}

#[test]
fn random_mutations_of_seeds_pass_their_targets() {
    let mut random = lop_testing::random();
    let mut all = files("seeds");
    for (target, found) in files("found") {
        all.entry(target).or_default().extend(found);
    }
    for (target, paths) in all {
        let texts: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
        let count = if target == "reduction" { MUTATIONS / 20 } else { MUTATIONS };
        for _ in 0..count {
            let bytes = mutated(&texts, &mut random);
            check(&target, &bytes, "a mutation");
        }
    }
}

/// A text with some of it removed, repeated, overwritten, or exchanged for a part of another.
fn mutated(texts: &[Vec<u8>], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = texts[random.usize(..texts.len())].clone();
    for _ in 0..random.usize(1..5) {
        let mut range = |of: &[u8]| {
            let start = random.usize(..=of.len());
            start..(start + random.usize(..=16)).min(of.len())
        };
        let place = range(&bytes);
        match random.u8(..5) {
            0 => drop(bytes.drain(place)),
            1 => {
                let part = bytes[place.clone()].repeat(random.usize(1..40));
                bytes.splice(place, part);
            }
            2 => bytes[place].iter_mut().for_each(|byte| *byte = random.u8(..)),
            3 => bytes[place].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.u8(..8)),
            _ => {
                let other = &texts[random.usize(..texts.len())];
                let start = random.usize(..=other.len());
                let part = &other[start..(start + random.usize(..=64)).min(other.len())];
                bytes.splice(place, part.iter().copied());
            }
        }
    }
    bytes.truncate(LONGEST);
    bytes
}
