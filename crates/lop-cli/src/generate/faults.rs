//! Faults of a generator that does make test cases: it draws nothing, or only a seed, or depends on more than its
//! choices.

use lop::Cancel;
use lop::generator::{Choices, Drive, Generator, Kind, Record};

use crate::args::LimitArgs;
use crate::exit::{Code, Failure};

/// A test case with more bytes than this for each drawn byte is computed from a seed.
const BYTES_PER_BYTE: usize = 2;
/// The number of other seeds that are tried, to see whether the generator makes longer cases of as few choices.
const SEEDS: u64 = 16;
/// The most characters of a line in a message.
const SHOWN: usize = 60;

/// The failure of a generator that made a case without a single choice.
pub(super) fn draws_nothing(words: &str, generator: &Generator) -> Failure {
    let mute = generator.mute();
    let message = format!(
        "the generator `{words}` made a case but drew nothing, so there is nothing to reduce: {}",
        mute.why
    );
    Failure::new(Code::Input, message).help(mute.cure)
}

/// The failure of a generator that did not make its first case within the time of the whole run.
pub(super) fn out_of_time(words: &str, limits: &LimitArgs) -> Failure {
    let time = limits.max_time.unwrap_or_default();
    let message = format!("the generator `{words}` made no case in the {time:?} of --max-time");
    Failure::new(Code::Input, message)
        .help("run it by hand to see whether it ends, or allow more with --max-time")
}

/// The failure of a generator that made two different cases of the same choices.
pub(super) fn not_a_function(words: &str, one: &[u8], other: &[u8]) -> Failure {
    let message = format!(
        "the generator `{words}` made two different test cases of the same choices: {}",
        difference(one, other)
    );
    Failure::new(Code::Flaky, message).help(
        "something besides its choices decides what it makes: a clock, the number of its process, addresses, the order of a hash \
         table, or random numbers that lop does not drive (docs/src/guides/generators.md lists those that it does). Take that out or fix its \
         seed; or drive it in another way with --drive",
    )
}

/// Runs the generator once more with the choices of a case, and compares.
pub(super) fn check_it_is_a_function(
    generator: &Generator,
    words: &str,
    record: &Record,
    case: &[u8],
    stop: &Cancel,
) -> Result<(), Failure> {
    let choices = Choices { values: record.values(), ..Choices::default() };
    let made = generator.make(0, &choices, stop)?;
    crate::signals::interrupted(stop)?;
    match made.result {
        Ok(again) if again == case => Ok(()),
        Ok(again) => Err(not_a_function(words, case, &again)),
        // It drew more than the first time, or other values.
        Err(_) => Err(not_a_function(words, case, b"")),
    }
}

/// The note about a generator that draws only a seed.
pub(super) fn seed_only(
    generator: &Generator,
    words: &str,
    record: &Record,
    case: &[u8],
    stop: &Cancel,
) -> Option<String> {
    let bytes = record.choices.iter().map(|choice| seed_bytes(&choice.kind)).sum::<Option<usize>>();
    let bytes = bytes.filter(|_| generator.drive() == Drive::Preload)?;
    // This case may be a short one by chance.
    let other = |seed: u64| {
        let most = Some(record.choices.len());
        let choices = Choices { fresh: Some((seed, 1.0)), most, ..Choices::default() };
        Some(generator.make(0, &choices, stop).ok()?.result.ok()?.len())
    };
    let is_seed = std::iter::once(case.len())
        .chain((0..SEEDS).take_while(|_| !stop.is_cancelled()).filter_map(other))
        .any(|length| length > BYTES_PER_BYTE * bytes);
    let count = match record.choices.len() {
        1 => "one number".to_owned(),
        many => format!("{many} numbers"),
    };
    is_seed.then(|| {
        format!(
            "the generator `{words}` draws only a seed ({count}) and computes all else from it, so only the seed is under control: \
             another seed makes another test case, not a simpler one. If it is in C++ with std::mt19937, compile it with -O1 and \
             do not strip it; if it starts Python or Node, use --drive python or --drive node; otherwise let it draw with rand() \
             or through lop (lop gen --clients DIR)"
        )
    })
}

/// The number of bytes of a choice, if it is as wide as usually only seeds are.
fn seed_bytes(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Integer { low: 0, high, .. } if *high >= i128::from(u32::MAX) => {
            Some((128 - high.leading_zeros() as usize).div_ceil(8))
        }
        _ => None,
    }
}

/// The first line in which two texts differ.
fn difference(one: &[u8], other: &[u8]) -> String {
    let lines = |text: &[u8]| -> Vec<String> {
        String::from_utf8_lossy(text).lines().map(str::to_owned).collect()
    };
    let (one, other) = (lines(one), lines(other));
    let at = (0..).find(|at| one.get(*at) != other.get(*at) || *at >= one.len()).unwrap_or(0);
    let shown = |text: &[String]| match text.get(at) {
        Some(line) if line.chars().count() > SHOWN => {
            format!("`{}…`", line.chars().take(SHOWN).collect::<String>())
        }
        Some(line) => format!("`{line}`"),
        None => "missing".to_owned(),
    };
    format!("line {} was {} and then {}", at + 1, shown(&one), shown(&other))
}
