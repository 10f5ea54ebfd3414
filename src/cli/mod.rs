//! The command line: parses it and calls a command.
//!
//! Invariant: families' commands come from the registry; those that serve all families are declared
//! here. Before a command runs, only the head of a YAML file is read, and only if there is no
//! subcommand. Rule for the flags shared with the reference: torchgen/gen.py, `main`.

mod check;
mod explain;
mod json_schema;
mod key_reference;
mod list;
mod new;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::driver::family::Command;
use crate::driver::{Counters, Status, head};
use crate::families;

/// The commands that serve all families.
const GENERAL: &[Command] =
    &[check::COMMAND, explain::COMMAND, new::COMMAND, new::CMAKE_MODULE, json_schema::COMMAND, list::COMMAND];

/// The command if none is given and the sources belong to PyTorch or to a library.
const DEFAULT: &str = "generate";

/// Runs a command line, and returns how it ended and what it cost.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> (Status, Counters) {
    let matches = match definition().try_get_matches_from(normalise(arguments)) {
        Ok(matches) => matches,
        // Help and version go to standard output, with status 0; usage errors to standard error,
        // with status 2.
        Err(error) => error.exit(),
    };
    let Some((name, matches)) = matches.subcommand() else { return (Status::Failed, Counters::default()) };
    match commands().find(|command| command.name == name) {
        Some(command) => (command.run)(command, matches),
        None => (Status::Failed, Counters::default()),
    }
}

/// Every command, in the order of the help.
fn commands() -> impl Iterator<Item = &'static Command> {
    families::commands().chain(GENERAL)
}

/// The definition of the command line.
fn definition() -> clap::Command {
    let base = clap::Command::new("torchgen-rs")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Generates C++ and Python code from YAML: PyTorch's operators, exactly as torchgen does, operator libraries, backends and compiler IRs")
        .after_help("The default command is `generate`: torchgen-rs -s aten/src/ATen -d build/aten/src/ATen")
        .infer_long_args(true)
        .args_override_self(true)
        .max_term_width(100)
        .override_usage("torchgen-rs [COMMAND] [OPTIONS]")
        .subcommand_required(true)
        .arg_required_else_help(true);
    commands().fold(base, |base, command| {
        let definition = clap::Command::new(command.name).infer_long_args(true).args_override_self(true);
        base.subcommand((command.flags)(definition).about(command.about))
    })
}

/// Adapts the reference's conventions to clap: `generate` is the default subcommand, and
/// underscores in long flags become dashes.
///
/// Only the first word can be a subcommand, so that a flag with many values cannot swallow it.
fn normalise(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter();
    let mut words: Vec<OsString> = arguments.next().into_iter().collect();
    let rest: Vec<OsString> = arguments.collect();
    // Without a subcommand, values follow flags. So a first word that is not a flag is a misspelt
    // command.
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let answers = |word: &OsString| ["-h", "--help", "-V", "--version"].iter().any(|flag| word == flag);
    if rest.first().is_none_or(|word| is_flag(word) && !answers(word)) {
        words.push(default_command(&rest).into());
    }
    let command = words.get(1).or(rest.first()).and_then(|word| word.to_str());
    let reads_operators = matches!(command, Some(DEFAULT | "check"));
    let goes_to = command == Some(DEFAULT) && value_of(&rest, "-d", "--install-dir").is_none();
    let here = reads_operators && source_path(&rest).is_none() && head::sources_here() == Some(head::LIBRARY);
    let mut flags_end = false;
    words.extend(rest.into_iter().map(|word| {
        flags_end |= word == "--";
        match word.to_str() {
            Some(text) if !flags_end && text.starts_with("--") => dashes(text).into(),
            _ => word,
        }
    }));
    if here && !flags_end {
        // A library's folder, whose files go to a folder in it.
        let at = 2.min(words.len());
        let flags = ["-s", head::LIBRARY].iter().chain(if goes_to { &["-d", "generated"][..] } else { &[] });
        words.splice(at..at, flags.map(OsString::from));
    }
    words
}

/// The command that the sources' head names, or the default.
fn default_command(words: &[OsString]) -> &'static str {
    let family = source_path(words).and_then(|path| head::family_of(Path::new(path)));
    let named = family
        .and_then(|family| families::commands().find(|command| command.name == family && command.documents.is_some()));
    named.map_or(DEFAULT, |command| command.name)
}

/// The value of the first `-s` or `--source-path`.
fn source_path(words: &[OsString]) -> Option<&OsStr> {
    value_of(words, "-s", "--source-path")
}

/// The value of the first flag of these names. The long one may have underscores, and may be cut.
fn value_of<'w>(words: &'w [OsString], short: &str, long: &str) -> Option<&'w OsStr> {
    for (index, word) in words.iter().enumerate() {
        let text = word.to_str().unwrap_or_default();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        if name.len() > 3 && name.starts_with("--") && long.starts_with(&name.replace('_', "-")) {
            return value.map(OsStr::new).or_else(|| words.get(index + 1).map(OsString::as_os_str));
        }
        match text.strip_prefix(short) {
            Some("") => return words.get(index + 1).map(OsString::as_os_str),
            Some(joined) if !text.starts_with("--") => return Some(OsStr::new(joined)),
            _ => {}
        }
    }
    None
}

/// `--install_dir=a_b` becomes `--install-dir=a_b`.
fn dashes(flag: &str) -> String {
    match flag.split_once('=') {
        Some((name, value)) => format!("{}={value}", name.replace('_', "-")),
        None => flag.replace('_', "-"),
    }
}
