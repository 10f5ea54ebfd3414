//! The command line: parses it and calls a command.
//!
//! Invariant: families' commands come from the registry; those that serve all families are declared
//! here. Before a command runs, `place` looks for sources that are not named, only the heads of
//! YAML files are read, and `complete` adds the flags that follow.

mod breaking;
mod changed;
mod check;
mod complete;
mod docs;
mod explain;
pub(crate) mod format;
mod heads;
#[cfg(test)]
mod help_tests;
mod json_schema;
mod key_reference;
mod list;
mod lsp;
mod model;
mod new;
mod place;
mod shell;
mod suggest;
#[cfg(test)]
pub(crate) mod tests;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args};

use self::complete::{Completion, complete};
use self::heads::Refusal;
use self::place::Place;
use crate::families::{self, Fallback};
use torchgen_kit::driver::args::{Common, CommonArgs, DIAGNOSTICS, MessageFormat};
use torchgen_kit::driver::family::{Command, DefaultFamily};
use torchgen_kit::driver::head::ByFamily;
use torchgen_kit::driver::job::Example;
use torchgen_kit::driver::{Host, Outcome, with_session};

/// The commands that serve all families.
const GENERAL: &[Command] = &[
    Command::job::<check::Check>(),
    Command::job::<format::Format>(),
    Command::job::<breaking::Breaking>(),
    Command::job::<explain::Explain>(),
    Command::job::<model::Model>(),
    Command::job::<docs::Docs>(),
    Command::job::<new::New>(),
    Command::job::<new::CmakeModule>(),
    Command::job::<json_schema::JsonSchema>(),
    Command::job::<list::List>(),
    Command::job::<lsp::Lsp>(),
    Command::job::<shell::Completions>(),
    Command::job::<shell::ManualPages>(),
];

/// Runs a command line for a host.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>, mut host: Host) -> Outcome {
    families::serve_files();
    let Normal { mut words, implied, refusal } = normalise(arguments);
    let mut definition = definition();
    let mut parse = |words: &[OsString]| {
        definition.try_get_matches_from_mut(words).map_err(|error| {
            let name = words.get(1).and_then(|word| word.to_str());
            suggest::improve(error, name.and_then(|name| definition.find_subcommand(name)))
        })
    };
    let mut matches = match parse(&words) {
        Ok(matches) => matches,
        Err(answer) => return Outcome::of_usage(&answer, host),
    };
    let named = matches.subcommand().and_then(|(name, _)| commands().find(|command| command.name == name));
    let command = named.expect("a command line without one of the subcommands does not parse");
    let completion = match (refusal, complete(command, of_command(&matches))) {
        (None, Ok(completion)) => completion,
        (refusal, completion) => {
            let refusal = match (refusal, completion) {
                (Some(refusal), _) => refusal,
                (None, Err(nothing)) => {
                    let is_for_people = matches!(
                        (command.common)(of_command(&matches)),
                        Ok(CommonArgs { message_format: MessageFormat::Human, .. })
                    );
                    if implied && is_for_people {
                        host.say(&format!("{}\n", definition.render_help()));
                    }
                    Refusal::Said(*nothing)
                }
                (None, Ok(_)) => unreachable!("the case before"),
            };
            let common = match (command.common)(of_command(&matches)) {
                Ok(common) => common,
                Err(answer) => return Outcome::of_usage(&answer, host),
            };
            return with_session(&common, host, None, None, |session| Err(refusal.report(session)));
        }
    };
    let Completion { words: more, found } = completion;
    if !more.is_empty() {
        words.splice(2..2, more);
        matches = match parse(&words) {
            Ok(matches) => matches,
            Err(answer) => return Outcome::of_usage(&answer, host),
        };
    }
    (command.run)(of_command(&matches), found, host)
}

/// What belongs to the command.
fn of_command(matches: &ArgMatches) -> &ArgMatches {
    matches.subcommand().map_or(matches, |(_, own)| own)
}

/// Every command, in the order of the help.
fn commands() -> impl Iterator<Item = &'static Command> {
    families::commands().chain(GENERAL)
}

/// The definition of the command line.
pub(crate) fn definition() -> clap::Command {
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .global(true)
        .help_heading(DIAGNOSTICS)
        .display_order(999);
    let base = Common::<0>::augment_args(clap::Command::new("torchgen-rs"))
        .disable_help_flag(true)
        .arg(help.help("Print help; `-h` prints less"))
        .version(env!("CARGO_PKG_VERSION"))
        .about("Generates C++ and Python code from YAML: PyTorch's operators, exactly as torchgen does, operator libraries, backends and compiler IRs")
        .after_help(format!("The default command is `{}`: torchgen-rs {}", Fallback::COMMAND, Fallback::EXAMPLE))
        .infer_long_args(true)
        .args_override_self(true)
        .max_term_width(100)
        .override_usage("torchgen-rs [COMMAND] [OPTIONS]")
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true);
    commands().fold(base, |base, command| {
        let definition = clap::Command::new(command.name).infer_long_args(true).args_override_self(true);
        let definition = (command.flags)(definition).about(command.about);
        base.subcommand(definition.after_long_help(examples(command.examples)))
    })
}

/// The end of a command's help. Long command lines are continued, as in a shell.
fn examples(examples: &[Example]) -> String {
    let mut text = "Examples:".to_owned();
    for Example { does, line } in examples {
        text.push_str(&format!("\n  {does}:\n    torchgen-rs"));
        let mut width = text.len() - text.rfind('\n').unwrap_or_default();
        for word in line.split(' ') {
            if width + word.len() > 95 {
                text.push_str(" \\\n       ");
                width = 8;
            }
            text.push_str(&format!(" {word}"));
            width += 1 + word.len();
        }
    }
    text
}

/// A command line as clap reads it.
struct Normal {
    words: Vec<OsString>,
    /// Whether no command is given.
    implied: bool,
    /// Why the default command cannot run.
    refusal: Option<Refusal>,
}

/// Adapts the conventions of earlier generators to clap: there is a default subcommand, and
/// underscores in long flags become dashes.
///
/// Only the first word that is not one of every command's flags can be a subcommand, so that a flag
/// with many values cannot swallow it.
fn normalise(arguments: impl IntoIterator<Item = OsString>) -> Normal {
    let mut arguments = arguments.into_iter();
    let mut words: Vec<OsString> = arguments.next().into_iter().collect();
    let mut rest: Vec<OsString> = arguments.collect();
    // Without a subcommand, values follow flags. So a first word that is not a flag is a misspelt
    // command.
    let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let answers = |word: &OsString| ["-h", "--help", "-V", "--version"].iter().any(|flag| word == flag);
    // The flags of all commands can precede it.
    let first = before_command(&rest);
    if rest.get(first).is_some_and(|word| !is_flag(word) || answers(word)) {
        rest[..=first].rotate_right(1);
    }
    // `help COMMAND`, as Cargo and git have it.
    if rest.first().is_some_and(|word| word == "help") {
        let command = rest.iter().skip(1).find(|word| !is_flag(word)).cloned();
        rest = command.into_iter().chain(["--help".into()]).collect();
    }
    // A path where `check` takes one.
    if rest.get(1).is_some_and(|word| !is_flag(word)) && rest.first().is_some_and(takes_sources_by_flag) {
        rest.insert(1, "-s".into());
    }
    let implied = rest.first().is_none_or(|word| is_flag(word) && !answers(word));
    let named = rest.first().is_some_and(|word| word == Fallback::COMMAND);
    let asks = rest.iter().any(answers);
    let mut refusal = None;
    if implied || named {
        if named {
            rest.remove(0);
        }
        let mut sources = source_paths(&rest);
        if sources.is_empty() && !asks {
            sources.extend(Place::find().map(|place| place.source));
        }
        let command = default_command(&sources);
        // Whoever names the default command has chosen among families.
        if implied || command != Fallback::COMMAND || !ByFamily::sort_sources(&sources, Fallback::SOURCES).has_unnamed()
        {
            refusal = Refusal::of_sources(&sources);
        }
        words.push(command.into());
    }
    let mut flags_end = false;
    words.extend(rest.into_iter().map(|word| {
        flags_end |= word == "--";
        match word.to_str() {
            Some(text) if !flags_end && text.starts_with("--") => dashes(text).into(),
            _ => word,
        }
    }));
    Normal { words, implied, refusal }
}

/// Whether a command has the flag `-s`, and takes no words without a flag.
fn takes_sources_by_flag(name: &OsString) -> bool {
    commands().find(|command| name == command.name).is_some_and(|command| {
        let definition = (command.flags)(clap::Command::new(command.name));
        definition.get_positionals().next().is_none()
            && definition.get_arguments().any(|arg| arg.get_short() == Some('s'))
    })
}

/// How many words are before the command: flags that all commands have, and their values.
fn before_command(words: &[OsString]) -> usize {
    let definition = Common::<0>::augment_args(clap::Command::new(""));
    let mut at = 0;
    while let Some(text) = words.get(at).and_then(|word| word.to_str()) {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let name = dashes(name);
        let short = |c: char| definition.get_arguments().any(|arg| arg.get_short() == Some(c));
        let long = name.strip_prefix("--").filter(|long| !long.is_empty()).and_then(|long| {
            definition.get_arguments().find(|arg| arg.get_long().is_some_and(|known| known.starts_with(long)))
        });
        at += match (long, text.strip_prefix('-')) {
            (Some(arg), _) => 1 + usize::from(arg.get_action().takes_values() && value.is_none()),
            (None, Some(letters)) if !letters.is_empty() && letters.chars().all(short) => 1,
            _ => break,
        };
    }
    at.min(words.len())
}

/// The command that the sources' heads name, or the default.
fn default_command(sources: &[PathBuf]) -> &'static str {
    let ByFamily { unnamed, families } = ByFamily::sort_sources(sources, Fallback::SOURCES);
    let family = families.keys().next().filter(|_| unnamed.is_empty());
    let named = family
        .and_then(|family| families::commands().find(|command| command.name == family && command.documents.is_some()));
    named.map_or(Fallback::COMMAND, |command| command.name)
}

/// The values of `-s` and `--source-path`.
fn source_paths(words: &[OsString]) -> Vec<PathBuf> {
    values_of(words, "-s", "--source-path").into_iter().map(PathBuf::from).collect()
}

/// The values of all flags of these names, each of which takes words until the next flag. The long
/// one may have underscores, and may be cut.
fn values_of<'w>(words: &'w [OsString], short: &str, long: &str) -> Vec<&'w OsStr> {
    let mut values = Vec::new();
    let mut takes = false;
    for word in words {
        let text = word.to_str().unwrap_or_default();
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        if name.starts_with("--") {
            takes = name.len() > 3 && long.starts_with(&name.replace('_', "-"));
            values.extend(value.filter(|_| takes).map(OsStr::new));
        } else if let Some(joined) = text.strip_prefix(short) {
            takes = true;
            values.extend(Some(joined).filter(|joined| !joined.is_empty()).map(OsStr::new));
        } else if text.starts_with('-') && text.len() > 1 {
            takes = false;
        } else if takes {
            values.push(word);
        }
    }
    values
}

/// `--install_dir=a_b` becomes `--install-dir=a_b`.
fn dashes(flag: &str) -> String {
    match flag.split_once('=') {
        Some((name, value)) => format!("{}={value}", name.replace('_', "-")),
        None => flag.replace('_', "-"),
    }
}
