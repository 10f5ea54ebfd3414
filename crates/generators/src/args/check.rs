//! PyTorch's flags of `torchgen-rs check` and `torchgen-rs explain`.
//!
//! Invariant: those that serve other families too are the program's; here they only get the help
//! that names PyTorch's files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches};

use super::ReleaseArgs;
use super::generate::{GenerateArgs, LayoutChoice};
use super::stable::Abi;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::args::{CommonArgs, INPUT};
use torchgen_model::codes;
use torchgen_model::model::rules::torch_min;
use torchgen_model::model::version::Version;

/// The flags of `check`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("paths", |arg| arg.help("Files and directories to check, of any family").long_help("Files and directories to check, of any family\n\nThose of one family are checked as one run would read them. Without any, that is aten/src/ATen if it exists, or this directory.")))]
#[command(mut_arg("source_paths", |arg| arg.long_help("YAML files, or directories of them\n\nThe same as [PATH]. A directory with native/native_functions.yaml (ATen), with native_functions.yaml (operator library), or with files that begin with `family:`; or such a file.")))]
pub struct CheckFlags {
    /// Layout of the source path, if its files do not show it
    #[arg(long, value_enum, help_heading = INPUT, hide_short_help = true)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml, deprecated.yaml and templates/
    ///
    /// In the ATen layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub autograd_dir: Option<PathBuf>,
    /// Also check this selective-build YAML; can be repeated
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append, help_heading = "Selection")]
    pub op_selection_yaml_path: Vec<PathBuf>,
    /// Also check this YAML of an external backend; can be repeated
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append, help_heading = INPUT)]
    pub backend_yaml: Vec<PathBuf>,
    /// What the library needs of libtorch
    ///
    /// Also check whether an operator library can be on this ABI.
    #[arg(long, value_enum, value_name = "ABI", help_heading = INPUT, hide_short_help = true)]
    pub(crate) abi: Option<Abi>,
    /// The oldest torch to work with, on the stable ABI
    ///
    /// The default is that of library.yaml, or 2.10.
    #[arg(long, value_name = "VERSION", value_parser = torch_min, help_heading = INPUT)]
    pub(crate) torch_min: Option<Version>,
    /// The sources of the library's kernels
    ///
    /// What kernels do is compared with their schemas. The default is what library.yaml names, or
    /// SOURCE_PATH/kernels.
    #[arg(long, value_name = "PATH", action = clap::ArgAction::Append, help_heading = INPUT, hide_short_help = true)]
    pub(crate) kernels: Vec<PathBuf>,
    /// Where torch is: a checkout, or a directory that it is installed in
    ///
    /// That is a checkout of PyTorch, site-packages, or the package torch or torchgen in it.
    /// Without it, the environment's torch is used.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub(crate) torch_path: Option<PathBuf>,
    /// Print words that hold and that `dims:` lacks, with this Python
    ///
    /// The Python has the built package of the library, and is `python3` by default. Calls are cut
    /// along all named dimensions. What holds for the inputs that are tried is a hint, and no
    /// proof.
    #[arg(long, value_name = "PYTHON", num_args = 0..=1, default_missing_value = "python3", help_heading = INPUT, hide_short_help = true)]
    pub probe: Option<std::ffi::OsString>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
}

impl CheckFlags {
    /// The flags of `generate` for everything in libraries.
    pub fn generate(&self, sources: &[PathBuf], common: &CommonArgs) -> Result<GenerateArgs, Diagnostic> {
        let args = everything_of(sources, common.clone())?;
        let (abi, torch_min) = (self.abi, self.torch_min);
        let (torch_path, kernels) = (self.torch_path.clone(), self.kernels.clone());
        Ok(GenerateArgs { torch_path, abi, torch_min, kernels, reads_effects_only: true, ..args })
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
#[command(mut_arg("what", |arg| arg.help("An operator, a node, a builder, or a diagnostic code").long_help("An operator (aten::add.Tensor, or add for all overloads), a node or builder of another family, or the id or name of a diagnostic code (TG0101)\n\nWithout it, all codes are listed.")))]
#[command(mut_arg("source_path", |arg| arg.long_help("YAML files, or directories of them\n\nA directory with native/native_functions.yaml (ATen) or native_functions.yaml (operator library), or the source of another family. Without it, that is aten/src/ATen if it exists, or this directory.")))]
pub struct ExplainFlags {
    /// Layout of the source path, if its files do not show it
    #[arg(long, value_enum, help_heading = INPUT, hide_short_help = true)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml, deprecated.yaml and templates/
    ///
    /// In the ATen layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub autograd_dir: Option<PathBuf>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
}
