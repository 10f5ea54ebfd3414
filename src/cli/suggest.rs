//! Suggestions for flags that a command does not have, and for unknown commands, where the names
//! alone mislead.
//!
//! Invariant: only a flag that the command has is suggested.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// What users of other programs write, and what is meant.
const MEANT: &[(&[&str], &str)] = &[
    (&["-i", "--in", "--input", "--src", "--yaml"], "source-path"),
    (&["-o", "--output", "--output-dir", "--dest", "--target-dir"], "out-dir"),
    (&["-o", "--write-to", "--output-file"], "out-file"),
];

/// The commands of other programs, and those that are meant.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["build", "compile", "make", "gen", "codegen", "run"], "generate"),
    (&["lint", "verify", "validate", "test"], "check"),
    (&["init", "create", "scaffold"], "new"),
    (&["fmt"], "format"),
    (&["why", "show", "info"], "explain"),
    (&["compare"], "breaking"),
    (&["migrate", "import", "convert"], "from-cpp"),
    (&["stubs", "backend"], "backend-stubs"),
];

/// The error, with the flag or the command that is meant instead of the one that is spelled most
/// alike.
pub(super) fn improve(mut error: clap::Error, command: Option<&clap::Command>) -> clap::Error {
    if error.kind() == ErrorKind::InvalidSubcommand {
        let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidSubcommand) else { return error };
        if let Some((_, meant)) = COMMANDS.iter().find(|(words, _)| words.contains(&given.as_str())) {
            error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![(*meant).to_owned()]));
        }
        return error;
    }
    let Some(command) = command.filter(|_| error.kind() == ErrorKind::UnknownArgument) else { return error };
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return error };
    let has = |long: &str| {
        command.get_arguments().any(|arg| arg.get_long_and_visible_aliases().is_some_and(|all| all.contains(&long)))
    };
    let given = given.split('=').next().unwrap_or_default();
    let meant = MEANT.iter().find(|(words, meant)| words.contains(&given) && has(meant));
    let meant = meant.map(|(_, meant)| *meant);
    // A path without its flag.
    if let Some(meant) = meant.or_else(|| (!given.starts_with('-') && has("source-path")).then_some("source-path")) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(format!("--{meant}")));
        // How to pass the flag as a value.
        error.remove(ContextKind::Suggested);
    }
    error
}
