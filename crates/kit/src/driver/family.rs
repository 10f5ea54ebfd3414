//! What a family declares, so that the driver and the command line can serve it.
//!
//! Invariant: plain constants. The driver and the command line know families only through these.

use std::ffi::OsString;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args};

use super::args::{CommonArgs, SharedArgs};
use super::head::Unnamed;
use super::job::{Example, Job, JobArgs, Remembered};
use super::memory::Invocation;
use super::output::GeneratedFiles;
pub use super::questions::{DocsFormat, DocsQuestion, Format, ModelQuestion, NewProject, Question};
use super::report::Summary;
use super::request::Request;
use super::{Host, JobError, Outcome, Session, with_session};
use crate::changes::family::Compared;
use crate::changes::{Rules, Thing};
use crate::facts::{Facts, Lines};
use crate::site::Site;
use torchgen_base::diag::Diagnostic;
use torchgen_base::diag::codes::{self, CodeInfo};
use torchgen_base::write::manifest::Seen;
use torchgen_base::yaml::format::Style;
use torchgen_base::yaml::keys::KeyTable;
use torchgen_templates::Files;

/// A family: its commands, its generators, the kinds of YAML it reads and its diagnostics.
pub struct Family {
    /// The name of the family.
    pub name: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// Its commands.
    pub commands: &'static [Command],
    /// Its generators, in the order in which files are listed.
    pub generators: fn() -> Vec<GeneratorInfo>,
    /// The kinds of YAML that it reads.
    pub yaml_kinds: &'static [YamlKind],
    /// How its files are formatted: which keys have schemas, and which have lists of names.
    pub style: Style<'static>,
    /// Its diagnostics, sorted by id. `docs/diagnostics` has a page for each.
    pub codes: &'static [&'static CodeInfo],
    /// The files of its crate: templates, and tables of facts.
    pub files: fn() -> Vec<&'static Files>,
}

impl Family {
    /// Runs the first of its commands with these arguments, alone in a program, for its tests.
    pub fn run_alone(&self, words: &[&str]) -> Outcome {
        torchgen_templates::serve((self.files)());
        let command = &self.commands[0];
        let definition = (command.flags)(clap::Command::new(command.name).no_binary_name(true));
        match definition.try_get_matches_from(words) {
            Ok(matches) => (command.run)(&matches, None, Host::keeping()),
            Err(answer) => Outcome::of_usage(&answer, Host::keeping()),
        }
    }
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
    /// What the names of its templates begin with.
    pub templates: &'static str,
}

/// A kind of YAML file that has a JSON Schema.
pub struct YamlKind {
    /// The name on the command line. Its schema is `schema.json` of the family of that name, or
    /// else `schemas/<name>.json`.
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
    /// The examples at the end of its help.
    pub examples: &'static [Example],
    /// Adds the flags to the definition of the command.
    pub flags: fn(clap::Command) -> clap::Command,
    /// The flags of every command, as parsed; an error if flags do not fit each other.
    pub common: fn(&ArgMatches) -> Result<CommonArgs, clap::Error>,
    /// Runs the command with the parsed arguments, and prints what was found for it.
    pub run: fn(&ArgMatches, Option<String>, Host) -> Outcome,
    /// The identity of such a run; `None` if it cannot replace another.
    pub invocation: fn(&ArgMatches) -> Option<Invocation>,
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
    /// The template of what to do next in such a project.
    pub next: &'static str,
    /// What of the model is compared with an older state.
    pub compared: &'static Compared,
    /// The model of the sources as data.
    pub facts: fn(&Request, &mut Session) -> Result<Facts, JobError>,
    /// Explains a declaration in the sources.
    pub explain: fn(&str, &Request, &mut Session) -> Result<String, JobError>,
    /// The site about the sources.
    pub site: fn(&Request, &mut Session) -> Result<Site, JobError>,
}

/// A command of the common form; [`Command::generating`] makes a registry entry from it.
pub trait GeneratingCommand {
    /// The command's own flags; `()` for none.
    type Flags: Args + Clone + Debug + Send + Sync;
    /// The name, which is also the value of `family:`.
    const NAME: &'static str;
    /// A one-line description.
    const ABOUT: &'static str;
    /// Its family's diagnostics, sorted by id.
    const CODES: &'static [&'static CodeInfo] = &[];
    /// The outputs that `--emit` adds.
    const EMIT: &'static [&'static str] = &[];
    /// The examples at the end of its help.
    const EXAMPLES: &'static [Example];
    /// The files of `torchgen-rs new --family NAME`: path and template of each.
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[];
    /// The template of what `new` prints: the next commands in such a project.
    const NEXT: &'static str = "";
    /// What of the model is compared with an older state.
    const COMPARED: &'static Compared;

    /// Reads the sources and creates all files, without writing them.
    ///
    /// # Errors
    /// Errors in the input are in the session's diagnostics; others are in [`JobError::Failed`].
    fn make(request: &Request, flags: &Self::Flags, session: &mut Session) -> Result<GeneratedFiles, JobError>;

    /// The model of the sources as data: all records, in their order.
    fn facts(request: &Request, session: &mut Session) -> Result<Facts, JobError>;

    /// Explains a declaration in the sources.
    ///
    /// # Errors
    /// As for [`GeneratingCommand::make`], or there is no such declaration.
    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError>;

    /// The site about the sources, which `docs` writes: that of their facts, unless the family has
    /// more to show. The files of `--emit docs` are its Markdown.
    ///
    /// # Errors
    /// As for [`GeneratingCommand::make`].
    fn site(request: &Request, session: &mut Session) -> Result<Site, JobError> {
        Ok(Site::of_plain_facts(Self::NAME, &Self::facts(request, session)?))
    }
}

/// The family of the sources that name none. It has flags of its own in the commands that serve
/// all families.
pub trait DefaultFamily {
    /// Its flags of `check`.
    type CheckFlags: Args + Clone + Debug + Send + Sync;
    /// Its flags of `explain`.
    type ExplainFlags: Args + Clone + Debug + Send + Sync;
    /// Its flags of `model`.
    type ModelFlags: Args + Clone + Debug + Send + Sync;
    /// Its flags of `new`.
    type NewFlags: Args + Clone + Debug + Send + Sync;
    /// The names that a head or `explain --family` may give it.
    const NAMES: &'static [&'static str];
    /// The name that `new --family` may give its projects.
    const PROJECT: &'static str;
    /// The command if none is given.
    const COMMAND: &'static str;
    /// The arguments of that command in the help.
    const EXAMPLE: &'static str;
    /// How its sources are recognized.
    const SOURCES: Unnamed;
    /// Its sources in a checkout, which are taken only from the current directory.
    const CHECKOUT: &'static str;
    /// Its commands whose sources may be found in a directory above.
    const SEARCHING: &'static [&'static str];

    /// The file of a source's settings, and the keys of its section `run`.
    const SETTINGS: (&'static str, &'static KeyTable);

    /// The values of flags that the files of a source suggest; without a name, of arguments.
    fn defaults(command: &str, root: &Path) -> Vec<(&'static str, Vec<OsString>)>;

    /// Whether a directory has sources that belong to a user's project.
    fn is_project(directory: &Path) -> bool;

    /// The kind of YAML that a text is, if its keys show it, and its file may have any name.
    fn kind_of(text: &str) -> Option<&'static str>;

    /// Checks sources and writes nothing.
    ///
    /// # Errors
    /// A file cannot be read, or the flags do not fit. Errors in the sources are in the session.
    fn check_sources(
        sources: &[PathBuf],
        flags: &Self::CheckFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<(), JobError>;

    /// What the flags ask about sources without errors, if anything.
    ///
    /// # Errors
    /// There is no answer.
    fn checked(
        sources: &[PathBuf],
        flags: &Self::CheckFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Option<String>, JobError>;

    /// What is beside sources, is checked with them, and belongs to the author too.
    fn beside(sources: &[PathBuf], flags: &Self::CheckFlags) -> Vec<PathBuf>;

    /// What sources declare, and what its changes break. Errors in the sources are in the session.
    fn state(sources: &[PathBuf], session: &mut Session) -> Result<(Vec<Thing>, Rules), JobError>;

    /// The first flag of `model` that is given and that other families do not have.
    fn own_flag(flags: &Self::ModelFlags) -> Option<&'static str>;

    /// Prints what is known about a declaration.
    ///
    /// # Errors
    /// The sources cannot be read, or there is no such declaration.
    fn explain(
        question: &Question<'_>,
        flags: &Self::ExplainFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Summary, JobError>;

    /// The text of `list operators`. Errors in the sources are in the session.
    ///
    /// # Errors
    /// The sources cannot be read.
    fn listed(source: Option<&Path>, session: &mut Session) -> Result<String, JobError>;

    /// The JSON Schema of a line of `model`.
    fn model_schema() -> String;

    /// The model as lines of JSON.
    ///
    /// # Errors
    /// The sources cannot be read, or do not have what was asked for.
    fn model(
        question: &ModelQuestion<'_>,
        flags: &Self::ModelFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Lines, JobError>;

    /// Writes a reference for people.
    ///
    /// # Errors
    /// The sources cannot be read, or a file cannot be written.
    fn docs(
        question: &DocsQuestion<'_>,
        flags: &Self::ExplainFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Summary, JobError>;

    /// Creates a project.
    ///
    /// # Errors
    /// The directory is not empty, or a file cannot be written.
    fn new_project(
        project: &NewProject<'_>,
        flags: &Self::NewFlags,
        common: &CommonArgs,
        session: &mut Session,
    ) -> Result<Summary, JobError>;
}

impl Command {
    /// The registry entry of a family's command.
    pub const fn generating<C: GeneratingCommand>() -> Command {
        let documents = Documents {
            emit: C::EMIT,
            scaffold: C::SCAFFOLD,
            next: C::NEXT,
            check: check_with_command::<C>,
            compared: C::COMPARED,
            facts: C::facts,
            explain: C::explain,
            site: C::site,
        };
        Command { documents: Some(documents), flags: flags::<C>, ..Command::job::<Generating<C>>() }
    }

    /// The registry entry of any command.
    pub const fn job<J: Job>() -> Command {
        Command {
            name: J::NAME,
            about: J::ABOUT,
            examples: J::EXAMPLES,
            flags: <J::Args as Args>::augment_args,
            common: common::<J>,
            run: run::<J>,
            invocation: invocation::<J>,
            documents: None,
        }
    }
}

/// Adds the flags of a family's command, with the values that its `--emit` has.
fn flags<C: GeneratingCommand>(command: clap::Command) -> clap::Command {
    let command = <FamilyArgs<C::Flags> as Args>::augment_args(command);
    command.mut_arg("emit", |emit| emit.value_parser(PossibleValuesParser::new(C::EMIT)))
}

/// The arguments that clap parsed.
///
/// # Errors
/// Flags do not fit each other.
fn args<J: Job>(matches: &ArgMatches) -> Result<J::Args, clap::Error> {
    clap::FromArgMatches::from_arg_matches(matches)
}

/// The identity of the run; `None` if it cannot replace another.
fn invocation<J: Job>(matches: &ArgMatches) -> Option<Invocation> {
    Invocation::from_arguments::<J>(&args::<J>(matches).ok()?, matches, &Host::default())
}

/// The flags of every command; those that a command lacks have their defaults.
fn common<J: Job>(matches: &ArgMatches) -> Result<CommonArgs, clap::Error> {
    Ok(args::<J>(matches)?.common())
}

/// Runs a command, unless an earlier run did the same, and prints the result.
fn run<J: Job>(matches: &ArgMatches, found: Option<String>, host: Host) -> Outcome {
    let args = match args::<J>(matches) {
        Ok(args) => args,
        Err(error) => return Outcome::of_usage(&error, host),
    };
    let invocation = Invocation::from_arguments::<J>(&args, matches, &host);
    let common = args.common();
    if let Some(error) = args.remembered().and_then(|remembered| list_is_a_directory(&remembered)) {
        return with_session(&common, host, None, None, |_| Err(error.into()));
    }
    with_session(&common, host, invocation, found, |session| J::run(&args, session))
}

/// The error if the lists of outputs are to go to a directory: `-o` names it in other commands.
fn list_is_a_directory(Remembered { lists, .. }: &Remembered) -> Option<Diagnostic> {
    let path = lists.as_deref()?;
    let shown = path.display();
    let ends_so = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let mut seen = Seen::default();
    (ends_so || seen.is_dir(path)).then(|| {
        let message = format!("`--output-dependencies` names the file of a CMake list, but `{shown}` is a directory");
        Diagnostic::new(&codes::USAGE, message).help(format!("`-d {shown}` names the directory to write to"))
    })
}

/// The flags of a family's command: the shared ones and the family's.
#[derive(Debug, Clone, Args)]
struct FamilyArgs<F: Args> {
    /// The shared ones.
    #[command(flatten)]
    shared: SharedArgs,
    /// The family's.
    #[command(flatten)]
    own: F,
}

impl<F: Args + Clone + Debug + Send + Sync> JobArgs for FamilyArgs<F> {
    const SETS: &'static [&'static str] = &["emit"];

    fn common(&self) -> CommonArgs {
        self.shared.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        let SharedArgs { install_dir, dry_run, output_dependencies, .. } = &self.shared;
        Some(Remembered { dir: install_dir.clone(), dry_run: *dry_run, lists: output_dependencies.clone() })
    }
}

/// A family's command as a job.
struct Generating<C>(PhantomData<C>);

impl<C: GeneratingCommand> Job for Generating<C> {
    type Args = FamilyArgs<C::Flags>;
    const NAME: &'static str = C::NAME;
    const ABOUT: &'static str = C::ABOUT;
    const EXAMPLES: &'static [Example] = C::EXAMPLES;
    const CODES: &'static [&'static CodeInfo] = C::CODES;

    fn run(args: &Self::Args, session: &mut Session) -> Result<Summary, JobError> {
        let request = Request::new(&args.shared);
        let made = C::make(&request, &args.own, session)?;
        session.report_unread();
        session.fail_on_errors(request.common.strict)?;
        request.write(made, session)
    }
}

/// The flags with their default values.
///
/// # Errors
/// One has none.
pub fn default_flags<F: Args>() -> Result<F, JobError> {
    flags_of(std::iter::empty())
}

/// The flags of the words of a command line.
///
/// # Errors
/// There is no such flag, or a value does not fit.
pub fn flags_of<'w, F: Args>(words: impl Iterator<Item = &'w str>) -> Result<F, JobError> {
    let command = F::augment_args(clap::Command::new("check").no_binary_name(true));
    let failed = |error: clap::Error| JobError::from(Diagnostic::new(&codes::USAGE, error.to_string()));
    let matches = command.try_get_matches_from(words.map(OsString::from)).map_err(failed)?;
    F::from_arg_matches(&matches).map_err(failed)
}

fn check_with_command<C: GeneratingCommand>(
    sources: Vec<PathBuf>,
    common: &CommonArgs,
    session: &mut Session,
) -> Result<(), JobError> {
    let request = Request::to_check(sources, common);
    C::make(&request, &default_flags::<C::Flags>()?, session).map(drop)
}
