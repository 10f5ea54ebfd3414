//! Suggestions for flags that a command does not have, where the names alone mislead.
//!
//! Invariant: only a flag that the command has is suggested.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What users of other programs write, and what is meant.
const MEANT: &[(&[&str], &str)] = &[
    (&["-i", "--in", "--input", "--src", "--yaml"], "source-path"),
    (&["-o", "--output", "--output-dir", "--dest", "--target-dir"], "out-dir"),
    (&["-o", "--write-to", "--output-file"], "out-file"),
];

/// The error, with the flag that is meant instead of the one that is spelled most alike.
pub(super) fn improve(mut error: clap::Error, command: Option<&clap::Command>) -> clap::Error {
    let Some(command) = command.filter(|_| error.kind() == ErrorKind::UnknownArgument) else { return error };
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return error };
    let has = |long: &str| {
        command.get_arguments().any(|arg| arg.get_long_and_visible_aliases().is_some_and(|all| all.contains(&long)))
    };
    let given = given.split('=').next().unwrap_or_default();
    let meant = MEANT.iter().find(|(words, meant)| words.contains(&given) && has(meant));
    if let Some((_, meant)) = meant {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{meant}")));
        // How to pass the flag as a value.
        error.remove(ContextKind::Suggested);
    }
    error
}
