//! What the tests of all crates share: the seed of randomised tests, and what sources import.
//!
//! A randomised test takes its random numbers from [`random`]. If it fails, its output says how to run it again with the
//! same numbers.

mod imports;

use std::env;
use std::thread;

pub use imports::{check_order, paths, sources};

/// The environment variable that gives the seed.
const VARIABLE: &str = "LOP_TEST_SEED";

/// Random numbers from [`seed`].
pub fn random() -> fastrand::Rng {
    fastrand::Rng::with_seed(seed())
}

/// The seed of the test that runs: the value of `LOP_TEST_SEED`, or another one each time. Prints the command that
/// runs the test again with this seed.
///
/// # Panics
///
/// If `LOP_TEST_SEED` is not a number.
pub fn seed() -> u64 {
    let seed = choose(env::var(VARIABLE).ok().as_deref());
    // Cargo names the package, and the test harness calls the thread by the test.
    let package = env::var("CARGO_PKG_NAME").ok();
    let command = command(seed, package.as_deref(), thread::current().name());
    println!("to run this again, with the same --features: {command}");
    seed
}

fn choose(given: Option<&str>) -> u64 {
    match given {
        None | Some("") => fastrand::u64(..),
        Some(given) => given.parse().unwrap_or_else(|_| {
            panic!("{VARIABLE} is `{given}`: set it to the number that a test printed")
        }),
    }
}

/// How a test is run again.
fn command(seed: u64, package: Option<&str>, test: Option<&str>) -> String {
    let package = package.map_or("--workspace".to_owned(), |name| format!("-p {name}"));
    let test = test.filter(|name| *name != "main").unwrap_or_default();
    format!("{VARIABLE}={seed} cargo test {package} {test}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_that_is_given_is_taken_and_without_one_each_is_another() {
        assert_eq!(choose(Some("18446744073709551615")), u64::MAX);
        assert_ne!(choose(None), choose(None));
        assert_ne!(choose(Some("")), choose(Some("")));
        assert!(std::panic::catch_unwind(|| choose(Some("x"))).is_err());
    }

    #[test]
    fn the_command_runs_one_test_again_if_it_is_known() {
        assert_eq!(
            command(5, Some("lop"), Some("units::tests::it")),
            "LOP_TEST_SEED=5 cargo test -p lop units::tests::it"
        );
        assert_eq!(command(5, None, Some("main")), "LOP_TEST_SEED=5 cargo test --workspace");
    }
}
