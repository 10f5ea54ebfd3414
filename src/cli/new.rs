//! `torchgen-rs new`: creates a project for an operator library or another family.
//! `torchgen-rs cmake-module`: writes the functions that its CMake file calls.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::families::{self, Fallback};
use torchgen_kit::driver::args::{Common, CommonArgs, OUTPUT, TEMPLATES};
use torchgen_kit::driver::family::{Command, DefaultFamily, Documents, NewProject};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
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
    /// A family, such as `graph-ir`
    ///
    /// That of the project.
    #[arg(long, value_name = "FAMILY", default_value = Fallback::PROJECT, value_parser = families(), help_heading = OUTPUT)]
    family: String,
    /// Directory of the new project; must be empty or not exist
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Name of the project [default: the directory's name]
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    namespace: Option<String>,
    /// Those for a project without a family's name.
    #[command(flatten)]
    own: <Fallback as DefaultFamily>::NewFlags,

    /// The flags beyond.
    #[command(flatten)]
    common: Common<TEMPLATES>,
}

/// The arguments of `cmake-module`.
#[derive(Debug, Clone, Args)]
pub(super) struct CmakeModuleArgs {
    /// Directory to write to; find_package(TorchgenRs) searches PREFIX/share/cmake/TorchgenRs
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
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
        self.common.clone().into()
    }
}

impl JobArgs for CmakeModuleArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for New {
    type Args = NewArgs;
    const NAME: &'static str = "new";
    const ABOUT: &'static str = "Create a project: an operator library, or with --family another family's";
    const EXAMPLES: &'static [Example] = &[
        example("Create a library of operators", "new my-ops --namespace my_ops"),
        example("Create a project for a graph IR", "new --family graph-ir my-ir"),
    ];

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
    const EXAMPLES: &'static [Example] = &[
        example("Install the module where CMake finds it", "cmake-module $HOME/.local/share/cmake/TorchgenRs"),
        example("Put it into a project", "cmake-module cmake"),
    ];

    fn run(args: &CmakeModuleArgs, session: &mut Session) -> Result<Summary, JobError> {
        let version = MODULE_VERSION.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
        let files = [("TorchgenRsConfig.cmake", MODULE.to_owned()), ("TorchgenRsConfigVersion.cmake", version)];
        scaffold::cmake_module(&args.dir, files, &args.common, session)
    }
}
