//! What a family declares, so that the driver and the command line can serve it.
//!
//! Invariant: plain constants. The driver and the command line learn of a family from these alone; they name none.

use std::fmt::Debug;

use super::args::{CommonArgs, FamilyArgs};
use super::output::GeneratedFiles;
use super::report::Summary;
use super::request::Request;
use super::{Counters, JobError, Session, Status};
use crate::diag::codes::CodeInfo;

/// A family: its commands, its generators, the kinds of YAML it reads and its diagnostics.
pub(crate) struct Family {
    /// The name of its folder and of its templates' folder, in the words of the command line.
    pub(crate) name: &'static str,
    /// What it is for, in a line.
    pub(crate) about: &'static str,
    /// The commands that only it has.
    pub(crate) commands: &'static [Command],
    /// Its generators, in the order in which files are listed.
    pub(crate) generators: &'static [GeneratorInfo],
    /// The kinds of YAML that it reads.
    pub(crate) yaml_kinds: &'static [YamlKind],
    /// The diagnostics that only it reports, in order of their ids.
    pub(crate) codes: &'static [&'static CodeInfo],
    /// The page that explains them.
    pub(crate) diagnostics: &'static str,
}

/// A generator, as `torchgen-rs list` prints it.
pub(crate) struct GeneratorInfo {
    /// The name of its folder.
    pub(crate) name: &'static str,
    /// The command that runs it.
    pub(crate) command: &'static str,
    /// What it writes, in a line.
    pub(crate) about: &'static str,
    /// The files that it writes; `<Key>` and the like vary.
    pub(crate) files: &'static [&'static str],
    /// The folder of its templates, below `templates/`.
    pub(crate) templates: &'static str,
}

/// A kind of YAML file that has a JSON Schema.
pub(crate) struct YamlKind {
    /// The name that people type; `schemas/<name>.json` is its schema.
    pub(crate) name: &'static str,
    /// What it is, in a line.
    pub(crate) about: &'static str,
    /// Its schema, as text that ends in a line break.
    pub(crate) schema: fn() -> String,
}

/// A command, as the registry lists it.
pub(crate) struct Command {
    /// The name. Of a command with [`Documents`] it is also the value of `family:`.
    pub(crate) name: &'static str,
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// Adds the flags to the definition of the command.
    pub(crate) flags: fn(clap::Command) -> clap::Command,
    /// Runs it with what was typed.
    pub(crate) run: fn(&Command, &clap::ArgMatches) -> (Status, Counters),
    /// What serves YAML with `family: NAME` at its head, for a command that reads such.
    pub(crate) documents: Option<Documents>,
}

/// How a command serves YAML with `family: NAME` at its head.
pub(crate) struct Documents {
    /// The outputs that `--emit` adds.
    pub(crate) emit: &'static [&'static str],
    /// The files of `torchgen-rs new --family NAME`: where each goes, and its template.
    pub(crate) scaffold: &'static [(&'static str, &'static str)],
    /// Checks sources and writes nothing.
    pub(crate) check: fn(CheckSources) -> (Status, Counters),
    /// The text that explains something that the sources declare.
    pub(crate) explain: fn(&str, &Request, &mut Session) -> Result<String, JobError>,
}

/// Sources to check.
pub(crate) struct CheckSources {
    /// Files and directories.
    pub(crate) sources: Vec<std::path::PathBuf>,
    /// How to report.
    pub(crate) common: CommonArgs,
}

/// A command of the common form, which [`Command::of`] makes a registry entry of.
pub(crate) trait GeneratingCommand {
    /// The flags that only it has. `()` has none.
    type Flags: clap::Args + Clone + Debug + Send + Sync;
    /// The name, which is also the value of `family:`.
    const NAME: &'static str;
    /// What it does, in a line.
    const ABOUT: &'static str;
    /// The diagnostics that only its family reports, in order of their ids.
    const CODES: &'static [&'static CodeInfo] = &[];
    /// The outputs that `--emit` adds.
    const EMIT: &'static [&'static str] = &[];
    /// The files of `torchgen-rs new --family NAME`: where each goes, and its template.
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[];

    /// Reads the sources and makes all files, not yet written.
    ///
    /// # Errors
    /// Errors in the input are in the session's diagnostics; what no file shows is in [`JobError::Failed`].
    fn make(request: &Request, flags: &Self::Flags, session: &mut Session) -> Result<GeneratedFiles, JobError>;

    /// The text that explains something that the sources declare.
    ///
    /// # Errors
    /// As for [`GeneratingCommand::make`], or nothing has that name.
    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError>;
}

impl Command {
    /// The registry entry of a command.
    pub(crate) const fn of<C: GeneratingCommand>() -> Command {
        Command {
            name: C::NAME,
            about: C::ABOUT,
            flags: <FamilyArgs<C::Flags> as clap::Args>::augment_args,
            run: run::<C>,
            documents: Some(Documents { emit: C::EMIT, scaffold: C::SCAFFOLD, check: check::<C>, explain: C::explain }),
        }
    }

    /// A command that reads no such documents.
    pub(crate) const fn plain<A: clap::Args>(
        name: &'static str,
        about: &'static str,
        run: fn(&Command, &clap::ArgMatches) -> (Status, Counters),
    ) -> Command {
        Command { name, about, flags: A::augment_args, run, documents: None }
    }

    /// Hands what was typed to a function as the struct that holds the flags.
    pub(crate) fn with_args<A: clap::FromArgMatches>(
        matches: &clap::ArgMatches,
        run: impl FnOnce(A) -> (Status, Counters),
    ) -> (Status, Counters) {
        match A::from_arg_matches(matches) {
            Ok(args) => run(args),
            // Help, or flags that contradict each other.
            Err(error) => error.exit(),
        }
    }
}

fn run<C: GeneratingCommand>(command: &Command, matches: &clap::ArgMatches) -> (Status, Counters) {
    Command::with_args(matches, |args: FamilyArgs<C::Flags>| {
        let invocation = super::memory::Invocation::of_family(command.name, &args, C::CODES);
        super::with_session(&args.shared.common, invocation, |session| {
            let request = Request::new(command.name, C::EMIT, &args.shared)?;
            let made = C::make(&request, &args.own, session)?;
            session.check(request.common.strict)?;
            request.write(made, session)
        })
    })
}

/// The flags as they are if none is typed.
fn default_flags<F: clap::Args>() -> Result<F, JobError> {
    let command = F::augment_args(clap::Command::new("check").no_binary_name(true));
    let failed = |error: clap::Error| {
        JobError::from(crate::diag::Diagnostic::new(&crate::diag::codes::USAGE, error.to_string()))
    };
    let matches = command.try_get_matches_from(std::iter::empty::<std::ffi::OsString>()).map_err(failed)?;
    F::from_arg_matches(&matches).map_err(failed)
}

fn check<C: GeneratingCommand>(what: CheckSources) -> (Status, Counters) {
    let common = what.common;
    super::with_session(&common, None, |session| {
        session.checks_only = true;
        let request = Request::to_check(what.sources, &common);
        C::make(&request, &default_flags::<C::Flags>()?, session)?;
        session.check(common.strict)?;
        Ok(Summary { checked: Some(session.yaml_files()), ..Summary::default() })
    })
}
