//! PyTorch's flags of `torchgen-rs check` and `torchgen-rs explain`.
//!
//! Invariant: those that serve other families too are the program's; here they only get the help
//! that names PyTorch's files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches};

use super::generate::{GenerateArgs, LayoutChoice};
use super::stable::Abi;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_model::codes;
use torchgen_model::model::version::{Version, torch_min};

/// The flags of `check`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("paths", |arg| arg.help("Files and directories to check, of any family; those of one family are checked as one run would read them [default: aten/src/ATen if it exists, or this directory]")))]
#[command(mut_arg("source_paths", |arg| arg.help("The same: a directory with native/native_functions.yaml (ATen), with native_functions.yaml (operator library), or with files that begin with `family:`; or such a file")))]
pub struct CheckFlags {
    /// Layout of the source path [default: detected from its files]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml and deprecated.yaml, in the ATen layout [default:
    /// SOURCE_PATH/../../../tools/autograd, if it exists]
    #[arg(long, value_name = "DIR")]
    pub autograd_dir: Option<PathBuf>,
    /// Also check this selective-build YAML; can be repeated
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub op_selection_yaml_path: Vec<PathBuf>,
    /// Also check this YAML of an external backend, in the ATen layout; can be repeated
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub backend_yaml: Vec<PathBuf>,
    /// Also check whether an operator library can be on this ABI
    #[arg(long, value_enum, value_name = "ABI")]
    pub(crate) abi: Option<Abi>,
    /// The oldest torch that a library on the stable ABI must work with [default: that of
    /// library.yaml, or 2.10]
    #[arg(long, value_name = "VERSION", value_parser = torch_min)]
    pub(crate) torch_min: Option<Version>,
    /// Directory of the torch that a library is built for: a checkout of PyTorch, site-packages, or
    /// the package torch or torchgen in it [default: found in the environment]
    #[arg(long, value_name = "DIR")]
    pub(crate) torch_path: Option<PathBuf>,
}

impl CheckFlags {
    /// The flags of `generate` for everything in libraries.
    ///
    /// # Errors
    /// As for [`everything_of`].
    pub fn generate(&self, sources: &[PathBuf], common: &CommonArgs) -> Result<GenerateArgs, Diagnostic> {
        let args = everything_of(sources, common.clone())?;
        let (abi, torch_min) = (self.abi, self.torch_min);
        Ok(GenerateArgs { torch_path: self.torch_path.clone(), abi, torch_min, ..args })
    }
}

/// The flags of `generate` for everything in source paths, with defaults.
///
/// # Errors
/// There are none, or the first one looks like a flag.
pub fn everything_of<P: AsRef<Path>>(source_paths: &[P], common: CommonArgs) -> Result<GenerateArgs, Diagnostic> {
    let paths: Vec<&Path> = source_paths.iter().map(AsRef::as_ref).collect();
    let words = [OsStr::new("generate"), OsStr::new("-s")].into_iter().chain(paths.iter().map(|path| path.as_os_str()));
    let command = GenerateArgs::augment_args(clap::Command::new("generate"));
    let matches = command.try_get_matches_from(words);
    match matches.and_then(|matches| GenerateArgs::from_arg_matches(&matches)) {
        Ok(args) => Ok(GenerateArgs { common, ..args }),
        Err(_) => {
            let first = paths.first().unwrap_or(&Path::new("")).display();
            Err(Diagnostic::new(&codes::USAGE, format!("`{first}` is not a source path")))
        }
    }
}

/// The flags of `explain`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("what", |arg| arg.help("An operator (aten::add.Tensor, or add for all overloads), a node or builder of another family, or the id or name of a diagnostic code (TG0101). Without it, list all codes")))]
#[command(mut_arg("source_path", |arg| arg.help("Directory with native/native_functions.yaml (ATen) or native_functions.yaml (operator library) [default: aten/src/ATen if it exists, else this directory]")))]
pub struct ExplainFlags {
    /// Layout of the source path [default: detected from its files]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml, in the ATen layout [default:
    /// SOURCE_PATH/../../../tools/autograd, if it exists]
    #[arg(long, value_name = "DIR")]
    pub autograd_dir: Option<PathBuf>,
}
