//! Completes a command line with what follows from where it runs: the sources of the project around
//! it, and where their files go.
//!
//! Invariant: what is added are flags that the command has, so that a completed command line means
//! the same as one with these flags. A flag of the command line is never changed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};

use super::place::{self, Place};
use super::{check, explain};
use crate::families::{self, Fallback};
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::family::{Command, DefaultFamily};
use torchgen_kit::driver::job::Job;

/// What a command line lacks.
#[derive(Default)]
pub(super) struct Completion {
    /// The words to insert after the command.
    pub(super) words: Vec<OsString>,
    /// What was found, for the summary.
    pub(super) found: Option<String>,
}

/// Where the files of a project go.
const OUT: &str = "generated";

/// Completes a command line.
///
/// # Errors
/// It names no sources, and none are found.
pub(super) fn complete(command: &Command, matches: &ArgMatches) -> Result<Completion, Box<Diagnostic>> {
    let mut line = Line::new(command, matches);
    if !reads_sources(command, matches) {
        return Ok(Completion::default());
    }
    let mut sources = line.sources();
    let mut found = None;
    if sources.is_empty() {
        let Some(place) = Place::find() else { return Err(Box::new(place::nothing())) };
        // The command's own default is PyTorch's.
        if !place.is_checkout || line.flag("source-path").is_some_and(|arg| arg.get_default_values().is_empty()) {
            line.set("source-path", [place.source.clone()]);
            if !place.is_checkout {
                line.set("install-dir", [place.join(OUT)]);
            }
        }
        found = place.described();
        sources = vec![place.source];
    }
    for (flag, values) in Fallback::defaults(command.name, &sources) {
        line.set(flag, values);
    }
    Ok(Completion { words: line.words, found })
}

/// Whether the command reads the sources of a project.
fn reads_sources(command: &Command, matches: &ArgMatches) -> bool {
    if command.name == explain::Explain::NAME {
        return explain::asks_about_sources(matches);
    }
    let is_listed = [check::Check::NAME].iter().chain(Fallback::SEARCHING).any(|name| *name == command.name);
    is_listed || families::names().any(|name| name == command.name)
}

/// A command line to complete.
struct Line<'a> {
    definition: clap::Command,
    matches: &'a ArgMatches,
    words: Vec<OsString>,
}

impl<'a> Line<'a> {
    fn new(command: &Command, matches: &'a ArgMatches) -> Line<'a> {
        let definition = (command.flags)(clap::Command::new(command.name));
        Line { definition, matches, words: Vec::new() }
    }

    /// The flag of a name.
    fn flag(&self, name: &str) -> Option<&Arg> {
        let has_name = |arg: &&Arg| {
            arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
        };
        self.definition.get_arguments().find(has_name)
    }

    /// Whether the command line gives a value.
    fn has(&self, arg: &Arg) -> bool {
        self.matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine)
    }

    /// The sources that are given: the values of `--source-path`, and of `check`'s arguments.
    fn sources(&self) -> Vec<PathBuf> {
        let given = |arg: &&Arg| arg.get_long() == Some("source-path") || arg.get_id() == "paths";
        let given = self.definition.get_arguments().filter(given).filter(|arg| self.has(arg));
        given.filter_map(|arg| self.matches.get_raw(arg.get_id().as_str())).flatten().map(PathBuf::from).collect()
    }

    /// Adds a flag with values, unless the command does not have it or the command line has it.
    fn set<V: Into<OsString>>(&mut self, name: &str, values: impl IntoIterator<Item = V>) {
        let Some(arg) = self.flag(name).filter(|arg| !self.has(arg)) else { return };
        let Some(long) = arg.get_long() else { return };
        let long = format!("--{long}=");
        for value in values {
            let mut word = OsString::from(&long);
            word.push(value.into());
            self.words.push(word);
        }
    }
}
