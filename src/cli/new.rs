//! `torchgen-rs new`: creates a project for an operator library or another family.
//! `torchgen-rs cmake-module`: writes the functions that its CMake file calls.

use std::path::PathBuf;

use clap::Args;

use torchgen_generators::args::NewLibraryArgs;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::family::Command;
use torchgen_kit::driver::{Counters, Status, scaffold, with_session};
use torchgen_library::library::new::new_library;

const MODULE: &str = include_str!("../../cmake/TorchgenRsConfig.cmake");
const MODULE_VERSION: &str = include_str!("../../cmake/TorchgenRsConfigVersion.cmake");

/// The command.
pub(super) const COMMAND: Command = Command::plain::<NewFlags>(
    "new",
    "Create a project: an operator library, or with --family another family's",
    |_, matches| Command::with_args(matches, new),
);

/// The command that writes the CMake module.
pub(super) const CMAKE_MODULE: Command = Command::plain::<CmakeModuleArgs>(
    "cmake-module",
    "Write the CMake module, for find_package(TorchgenRs)",
    |_, matches| Command::with_args(matches, cmake_module),
);

/// The arguments of `new`.
#[derive(Debug, Clone, Args)]
struct NewFlags {
    /// Family of the project [default: an operator library]
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
    #[command(flatten)]
    library: NewLibraryArgs,
}

/// The arguments of `cmake-module`.
#[derive(Debug, Clone, Args)]
struct CmakeModuleArgs {
    /// Directory to write to; find_package(TorchgenRs) searches PREFIX/share/cmake/TorchgenRs
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    common: CommonArgs,
}

fn new(flags: NewFlags) -> (Status, Counters) {
    let NewFlags { family, library: args } = flags;
    let family = family.filter(|family| family != "library");
    with_session(&args.common, None, |session| match &family {
        None => new_library(&args, session),
        Some(family) => {
            let documents = super::explain::documents_of(family)?;
            let project = scaffold::Project { family, dir: &args.dir, name: args.namespace.as_deref() };
            scaffold::new_project(&project, documents.scaffold, &args.common, session)
        }
    })
}

fn cmake_module(args: CmakeModuleArgs) -> (Status, Counters) {
    let version = MODULE_VERSION.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    let files = [("TorchgenRsConfig.cmake", MODULE.to_owned()), ("TorchgenRsConfigVersion.cmake", version)];
    with_session(&args.common, None, |session| scaffold::cmake_module(&args.dir, files, &args.common, session))
}
