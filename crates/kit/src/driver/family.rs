//! What a family declares, so that the driver and the command line can serve it.
//!
//! Invariant: plain constants. The driver and the command line know families only through these.

use std::fmt::Debug;
use std::path::PathBuf;

use super::args::{CommonArgs, FamilyArgs};
use super::output::GeneratedFiles;
use super::request::Request;
use super::{Counters, JobError, Session, Status};
use torchgen_base::diag::codes::CodeInfo;

/// A family: its commands, its generators, the kinds of YAML it reads and its diagnostics.
pub struct Family {
    /// The name of its folder, of its templates' folder, and on the command line.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Its commands.
    pub commands: &'static [Command],
    /// Its generators, in the order in which files are listed.
    pub generators: fn() -> Vec<GeneratorInfo>,
    /// The kinds of YAML that it reads.
    pub yaml_kinds: &'static [YamlKind],
    /// Its diagnostics, sorted by id.
    pub codes: &'static [&'static CodeInfo],
    /// The page that explains them.
    pub diagnostics: &'static str,
}

/// A generator, as `torchgen-rs list` prints it.
#[derive(Debug, Clone, Copy)]
pub struct GeneratorInfo {
    /// The name of its folder.
    pub name: &'static str,
    /// The command that runs it.
    pub command: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The files that it writes; parts such as `<Key>` vary.
    pub files: &'static [&'static str],
    /// The folder of its templates, below `templates/`.
    pub templates: &'static str,
}

/// A kind of YAML file that has a JSON Schema.
pub struct YamlKind {
    /// The name on the command line; `schemas/<name>.json` is its schema.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Its schema; the text ends in a line break.
    pub schema: fn() -> String,
}

/// A command in the registry.
pub struct Command {
    /// The name. For a command with [`Documents`] it is also the value of `family:`.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Adds the flags to the definition of the command.
    pub flags: fn(clap::Command) -> clap::Command,
    /// Runs the command with the parsed arguments.
    pub run: fn(&Command, &clap::ArgMatches) -> (Status, Counters),
    /// How the command serves YAML that starts with `family: NAME`, if it reads such files.
    pub documents: Option<Documents>,
}

/// How a command serves YAML that starts with `family: NAME`.
pub struct Documents {
    /// The outputs that `--emit` adds.
    pub emit: &'static [&'static str],
    /// The files of `torchgen-rs new --family NAME`: path and template of each.
    pub scaffold: &'static [(&'static str, &'static str)],
    /// Checks sources and writes nothing. Errors are as those of [`GeneratingCommand::make`].
    pub check: fn(Vec<PathBuf>, &CommonArgs, &mut Session) -> Result<(), JobError>,
    /// Explains a declaration in the sources.
    pub explain: fn(&str, &Request, &mut Session) -> Result<String, JobError>,
}

/// A command of the common form; [`Command::of`] makes a registry entry from it.
pub trait GeneratingCommand {
    /// The command's own flags; `()` for none.
    type Flags: clap::Args + Clone + Debug + Send + Sync;
    /// The name, which is also the value of `family:`.
    const NAME: &'static str;
    /// A one-line description.
    const ABOUT: &'static str;
    /// Its family's diagnostics, sorted by id.
    const CODES: &'static [&'static CodeInfo] = &[];
    /// The outputs that `--emit` adds.
    const EMIT: &'static [&'static str] = &[];
    /// The files of `torchgen-rs new --family NAME`: path and template of each.
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[];

    /// Reads the sources and creates all files, without writing them.
    ///
    /// # Errors
    /// Errors in the input are in the session's diagnostics; others are in [`JobError::Failed`].
    fn make(request: &Request, flags: &Self::Flags, session: &mut Session) -> Result<GeneratedFiles, JobError>;

    /// Explains a declaration in the sources.
    ///
    /// # Errors
    /// As for [`GeneratingCommand::make`], or there is no such declaration.
    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError>;
}

impl Command {
    /// The registry entry of a command.
    pub const fn of<C: GeneratingCommand>() -> Command {
        Command {
            name: C::NAME,
            about: C::ABOUT,
            flags: <FamilyArgs<C::Flags> as clap::Args>::augment_args,
            run: run::<C>,
            documents: Some(Documents { emit: C::EMIT, scaffold: C::SCAFFOLD, check: check::<C>, explain: C::explain }),
        }
    }

    /// A command that does not read such documents.
    pub const fn plain<A: clap::Args>(
        name: &'static str,
        about: &'static str,
        run: fn(&Command, &clap::ArgMatches) -> (Status, Counters),
    ) -> Command {
        Command { name, about, flags: A::augment_args, run, documents: None }
    }

    /// Passes the parsed arguments to a function as the struct that holds the flags.
    pub fn with_args<A: clap::FromArgMatches>(
        matches: &clap::ArgMatches,
        run: impl FnOnce(A) -> (Status, Counters),
    ) -> (Status, Counters) {
        match A::from_arg_matches(matches) {
            Ok(args) => run(args),
            // Help, or conflicting flags.
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
            session.report_unread();
            session.check(request.common.strict)?;
            request.write(made, session)
        })
    })
}

/// The flags with their default values.
fn default_flags<F: clap::Args>() -> Result<F, JobError> {
    let command = F::augment_args(clap::Command::new("check").no_binary_name(true));
    let failed = |error: clap::Error| {
        JobError::from(torchgen_base::diag::Diagnostic::new(&torchgen_base::diag::codes::USAGE, error.to_string()))
    };
    let matches = command.try_get_matches_from(std::iter::empty::<std::ffi::OsString>()).map_err(failed)?;
    F::from_arg_matches(&matches).map_err(failed)
}

fn check<C: GeneratingCommand>(
    sources: Vec<PathBuf>,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<(), JobError> {
    let request = Request::to_check(sources, common);
    C::make(&request, &default_flags::<C::Flags>()?, session).map(drop)
}
