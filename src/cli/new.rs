//! `torchgen-rs new`: creates a project for an operator library or another family.
//! `torchgen-rs cmake-module`: writes the functions that its CMake file calls.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::families::{self, Fallback};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::{Command, DefaultFamily, Documents, NewProject};
use torchgen_kit::driver::job::{Job, JobArgs};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session, scaffold};

const MODULE: &str = include_str!("../../cmake/TorchgenRsConfig.cmake");
const MODULE_VERSION: &str = include_str!("../../cmake/TorchgenRsConfigVersion.cmake");

/// The command.
pub(super) struct New;

/// The command that writes the CMake module.
pub(super) struct CmakeModule;

/// The arguments of `new`.
#[derive(Debug, Clone, Args)]
pub(super) struct NewArgs {
    /// Family of the project
    #[arg(long, value_name = "FAMILY", default_value = Fallback::PROJECT, value_parser = families())]
    family: String,
    /// Directory of the new project; must be empty or not exist
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Name of the project [default: the directory's name]
    #[arg(long, value_name = "NS")]
    namespace: Option<String>,
    /// Those for a project without a family's name.
    #[command(flatten)]
    own: <Fallback as DefaultFamily>::NewFlags,

    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    common: CommonArgs,
}

/// The arguments of `cmake-module`.
#[derive(Debug, Clone, Args)]
pub(super) struct CmakeModuleArgs {
    /// Directory to write to; find_package(TorchgenRs) searches PREFIX/share/cmake/TorchgenRs
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    common: CommonArgs,
}

/// The families that have projects.
fn families() -> PossibleValuesParser {
    let own = PossibleValue::new(Fallback::PROJECT).help("Operators for PyTorch").aliases(Fallback::NAMES);
    let projects = |command: &&Command| command.documents.as_ref().is_some_and(|documents| !documents.next.is_empty());
    let value = |command: &Command| PossibleValue::new(command.name).help(command.about);
    let others = families::commands().filter(projects).map(value);
    PossibleValuesParser::new(std::iter::once(own).chain(others))
}

impl JobArgs for NewArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone()
    }
}

impl JobArgs for CmakeModuleArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone()
    }
}

impl Job for New {
    type Args = NewArgs;
    const NAME: &'static str = "new";
    const ABOUT: &'static str = "Create a project: an operator library, or with --family another family's";

    fn run(args: &NewArgs, session: &mut Session) -> Result<Summary, JobError> {
        let NewArgs { family, dir, namespace, own, common } = args;
        let name = namespace.as_deref();
        if Fallback::NAMES.contains(&family.as_str()) {
            return Fallback::new_project(&NewProject { dir, name }, own, common, session);
        }
        let Documents { scaffold: files, next, .. } = *super::explain::documents_of(family)?;
        scaffold::new_project(&scaffold::Project { family, dir, name, files, next }, common, session)
    }
}

impl Job for CmakeModule {
    type Args = CmakeModuleArgs;
    const NAME: &'static str = "cmake-module";
    const ABOUT: &'static str = "Write the CMake module, for find_package(TorchgenRs)";

    fn run(args: &CmakeModuleArgs, session: &mut Session) -> Result<Summary, JobError> {
        let version = MODULE_VERSION.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
        let files = [("TorchgenRsConfig.cmake", MODULE.to_owned()), ("TorchgenRsConfigVersion.cmake", version)];
        scaffold::cmake_module(&args.dir, files, &args.common, session)
    }
}
