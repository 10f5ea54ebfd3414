//! Completes a command line with what follows from where it runs: the sources of the project around
//! it, where their files go, and the section `run` of their settings.
//!
//! Invariant: what is added are flags that the command has, so that a completed command line means
//! the same as one with these flags. A flag of the command line is never changed.

use std::any::TypeId;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};

use super::place::{self, Place};
use super::{check, docs, explain, list, model};
use crate::families::{self, Fallback};
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::family::{Command, DefaultFamily};
use torchgen_kit::driver::head::ByFamily;
use torchgen_kit::driver::job::Job;
use torchgen_kit::driver::run_section::{FAMILY_KEYS, OUT_DIR, RunSection, Value};

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
/// The flag for that, where the reference names it.
const INSTALL_DIR: &str = "install-dir";
/// The key of what is compared, not generated.
const COMPARED: &str = "kernels";

/// Completes a command line.
///
/// # Errors
/// It names no sources, and none are found.
pub(super) fn complete(command: &Command, matches: &ArgMatches) -> Result<Completion, Box<Diagnostic>> {
    let mut line = Line::new(command, matches);
    // Whoever names what was built needs no project.
    if !reads_sources(command, matches) || line.names_products() {
        return Ok(Completion::default());
    }
    let mut sources = line.sources();
    let mut found = None;
    if sources.is_empty() {
        let Some(place) = Place::find() else {
            // A command without sources says what it lacks.
            let needed = line.flag("source-path").is_some();
            return if needed { Err(Box::new(place::nothing())) } else { Ok(Completion::default()) };
        };
        found = place.described();
        sources = vec![place.source.clone()];
        line.set_sections(&sections(command, &sources));
        // The command's own default is PyTorch's.
        if !place.is_checkout || line.flag("source-path").is_some_and(|arg| arg.get_default_values().is_empty()) {
            line.set("source-path", [place.source.clone()]);
            if !place.is_checkout {
                line.set("install-dir", [place.join(OUT)]);
            }
        }
    } else {
        line.set_sections(&sections(command, &sources));
    }
    if let Some(root) = root(&sources) {
        for (flag, values) in Fallback::defaults(command.name, &root) {
            line.set(flag, values);
        }
    }
    Ok(Completion { words: line.words, found })
}

/// Whether the command reads the sources of a project.
fn reads_sources(command: &Command, matches: &ArgMatches) -> bool {
    if command.name == explain::Explain::NAME {
        return explain::asks_about_sources(matches);
    }
    if command.name == list::List::NAME {
        return list::asks_about_sources(matches);
    }
    if [model::Model::NAME, docs::Docs::NAME].contains(&command.name) && model::needs_no_sources(matches) {
        return false;
    }
    let is_listed = [check::Check::NAME, model::Model::NAME, docs::Docs::NAME]
        .iter()
        .chain(Fallback::SEARCHING)
        .any(|name| *name == command.name);
    is_listed || families::names().any(|name| name == command.name)
}

/// The sections `run` of the files that the command reads.
fn sections(command: &Command, sources: &[PathBuf]) -> Vec<RunSection> {
    let ByFamily { unnamed, families } = ByFamily::sort_sources(sources, Fallback::SOURCES);
    let is_of = |family: &str| command.documents.is_none() || command.name == family;
    let mut sections = Vec::new();
    if command.documents.is_none() && !unnamed.is_empty() {
        let (name, keys) = Fallback::SETTINGS;
        sections.extend(root(&unnamed).and_then(|root| RunSection::of_file(&root.join(name), keys)));
    }
    let files = families.iter().filter(|(name, _)| is_of(name)).flat_map(|(_, files)| files);
    sections.extend(files.filter_map(|file| RunSection::of_file(&file.file, &FAMILY_KEYS)));
    sections
}

/// The directory with the settings of sources: the first one that is given, or that of the first
/// file.
fn root(sources: &[PathBuf]) -> Option<PathBuf> {
    let directory = sources.iter().find(|path| path.is_dir());
    directory.cloned().or_else(|| sources.first()?.parent().map(Path::to_owned))
}

/// A path of a section, from the current directory.
fn below(dir: &Path, path: &str) -> PathBuf {
    dir.strip_prefix(".").unwrap_or(dir).join(path)
}

/// A command line to complete.
struct Line<'a> {
    definition: clap::Command,
    matches: &'a ArgMatches,
    words: Vec<OsString>,
    /// The ids of what was added.
    added: BTreeSet<String>,
}

impl<'a> Line<'a> {
    fn new(command: &Command, matches: &'a ArgMatches) -> Line<'a> {
        let definition = (command.flags)(clap::Command::new(command.name));
        Line { definition, matches, words: Vec::new(), added: BTreeSet::new() }
    }

    /// The flag of a name.
    fn flag(&self, name: &str) -> Option<&Arg> {
        let has_name = |arg: &&Arg| {
            arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
        };
        self.definition.get_arguments().find(has_name)
    }

    /// Whether there is a value already.
    fn has(&self, arg: &Arg) -> bool {
        let id = arg.get_id().as_str();
        self.added.contains(id) || self.matches.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Whether the command line has arguments, and the command has no sources.
    fn names_products(&self) -> bool {
        self.flag("source-path").is_none() && self.definition.get_positionals().any(|arg| self.has(arg))
    }

    /// Whether nothing is generated, so that nothing is compared either.
    fn only_lists(&self) -> bool {
        matches!(self.matches.try_get_one::<bool>("dry_run"), Ok(Some(true)))
    }

    /// Adds the flags of sections. In several, the first value counts; whoever reads them reports
    /// that.
    fn set_sections(&mut self, sections: &[RunSection]) {
        for RunSection { dir, values } in sections {
            for (key, value) in
                values.iter().filter(|(key, _)| *key != COMPARED || !self.only_lists()).collect::<Vec<_>>()
            {
                self.set_key(key, value, dir);
            }
        }
    }

    /// Adds the flag that a key of a section in that directory means, if the command has it.
    fn set_key(&mut self, key: &str, value: &Value, dir: &Path) {
        let name = key.replace('_', "-");
        let other = (key == OUT_DIR.name).then_some(INSTALL_DIR);
        let Some(arg) = self.flag(&name).or_else(|| self.flag(other?)) else { return };
        let Some(long) = arg.get_long().map(str::to_owned) else { return };
        match value {
            Value::Switch(on) if !self.has(arg) => self.words.extend(on.then(|| format!("--{long}").into())),
            Value::Switch(_) => {}
            Value::Texts(texts) => match arg.get_value_parser().type_id() == TypeId::of::<PathBuf>() {
                true => self.set(&long, texts.iter().map(|text| below(dir, text))),
                false => self.set(&long, texts),
            },
        }
    }

    /// The sources that are given: the values of `--source-path`, and of `check`'s arguments.
    fn sources(&self) -> Vec<PathBuf> {
        let given = |arg: &&Arg| arg.get_long() == Some("source-path") || arg.get_id() == "paths";
        let given = self.definition.get_arguments().filter(given).filter(|arg| self.has(arg));
        given.filter_map(|arg| self.matches.get_raw(arg.get_id().as_str())).flatten().map(PathBuf::from).collect()
    }

    /// Adds a flag with values, unless the command does not have it or the command line has it.
    fn set<V: Into<OsString>>(&mut self, name: &str, values: impl IntoIterator<Item = V>) {
        if name.is_empty() {
            self.words.extend(values.into_iter().map(Into::into));
            return;
        }
        let Some(arg) = self.flag(name).filter(|arg| !self.has(arg)) else { return };
        let Some(long) = arg.get_long() else { return };
        let (long, id) = (format!("--{long}="), arg.get_id().to_string());
        self.added.insert(id);
        for value in values {
            let mut word = OsString::from(&long);
            word.push(value.into());
            self.words.push(word);
        }
    }
}
