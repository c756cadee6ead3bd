//! Signals and their names.

const SIGNALS: &[(&str, i32)] = &[
    ("SIGHUP", libc::SIGHUP),
    ("SIGINT", libc::SIGINT),
    ("SIGQUIT", libc::SIGQUIT),
    ("SIGILL", libc::SIGILL),
    ("SIGTRAP", libc::SIGTRAP),
    ("SIGABRT", libc::SIGABRT),
    ("SIGBUS", libc::SIGBUS),
    ("SIGFPE", libc::SIGFPE),
    ("SIGKILL", libc::SIGKILL),
    ("SIGUSR1", libc::SIGUSR1),
    ("SIGSEGV", libc::SIGSEGV),
    ("SIGUSR2", libc::SIGUSR2),
    ("SIGPIPE", libc::SIGPIPE),
    ("SIGALRM", libc::SIGALRM),
    ("SIGTERM", libc::SIGTERM),
    ("SIGXCPU", libc::SIGXCPU),
    ("SIGXFSZ", libc::SIGXFSZ),
    ("SIGSYS", libc::SIGSYS),
];

/// A signal's name.
pub(super) fn signal_name(signal: i32) -> &'static str {
    SIGNALS
        .iter()
        .find(|(_, number)| *number == signal)
        .map_or("an unnamed signal", |(name, _)| name)
}

/// The error for a text that isn't the name or number of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such signal; say SEGV, ABRT, ILL, FPE, BUS, KILL … or its number")]
pub struct UnknownSignal;

/// A signal from `SEGV`, `sigsegv` or `11`.
pub fn parse_signal(text: &str) -> Result<i32, UnknownSignal> {
    let upper = text.to_ascii_uppercase();
    let by_name = |(name, _): &&(&str, i32)| *name == upper || name[3..] == upper;
    SIGNALS
        .iter()
        .find(by_name)
        .map(|(_, number)| *number)
        .or_else(|| text.parse().ok().filter(|number| (1..=64).contains(number)))
        .ok_or(UnknownSignal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_have_names_and_numbers() {
        assert_eq!(parse_signal("SEGV"), Ok(libc::SIGSEGV));
        assert_eq!(parse_signal("SIGABRT"), Ok(libc::SIGABRT));
        assert_eq!(parse_signal("sigbus"), Ok(libc::SIGBUS));
        assert_eq!(parse_signal("9"), Ok(libc::SIGKILL));
        assert!(parse_signal("SEGFAULT").is_err());
        assert!(parse_signal("0").is_err());
    }
}
