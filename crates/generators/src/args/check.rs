//! The flags of `torchgen-rs check` and `torchgen-rs explain`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches};

use super::generate::{GenerateArgs, LayoutChoice};
use super::stable::Abi;
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::args::{ColorChoice, CommonArgs, MAX_ERRORS, MessageFormat};
use torchgen_kit::driver::head;
use torchgen_model::codes;
use torchgen_model::model::version::{Version, torch_min};

/// The flags of `check`.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// Files and directories to check, of any family; those of one family are checked as one run
    /// would read them [default: aten/src/ATen if it exists, or this directory]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The same: a directory with native/native_functions.yaml (ATen), with native_functions.yaml
    /// (operator library), or with files that begin with `family:`; or such a file
    #[arg(long = "source-path", short = 's', value_name = "PATH", num_args = 1.., action = clap::ArgAction::Append)]
    pub source_paths: Vec<PathBuf>,
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
    pub torch_min: Option<Version>,
    /// Directory of the torch that a library is built for: a checkout of PyTorch, site-packages, or
    /// the package torch or torchgen in it [default: found in the environment]
    #[arg(long, value_name = "DIR")]
    pub(crate) torch_path: Option<PathBuf>,
    /// Extend the tool's tables of facts with those of the same name in this directory; can be
    /// repeated
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub data_dir: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// Maximum number of errors to show; 0 means no limit
    #[arg(long, value_name = "N", default_value_t = MAX_ERRORS)]
    pub max_errors: usize,
    /// How to print diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to color diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Number of threads [default: one per core]
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = torchgen_kit::driver::args::threads)]
    pub threads: Option<usize>,
    /// Print the time that each stage took
    #[arg(long)]
    pub timings: bool,
}

impl CheckArgs {
    /// The source path for `generate`, with everything in it to check.
    ///
    /// # Errors
    /// None for a valid command line.
    pub fn generate(&self) -> Result<GenerateArgs, Diagnostic> {
        let args = everything_of(&self.source_paths, self.common())?;
        let (abi, torch_min) = (self.abi, self.torch_min);
        Ok(GenerateArgs { torch_path: self.torch_path.clone(), abi, torch_min, ..args })
    }

    /// All sources.
    pub fn sources(&self) -> Vec<PathBuf> {
        let given: Vec<PathBuf> = self.source_paths.iter().chain(&self.paths).cloned().collect();
        if given.is_empty() { vec![head::sources_here().unwrap_or(head::LIBRARY).into()] } else { given }
    }

    /// The same flags for some of the sources.
    pub fn of(&self, sources: Vec<PathBuf>) -> CheckArgs {
        CheckArgs { paths: Vec::new(), source_paths: sources, ..self.clone() }
    }

    /// The flags that it shares with the generating subcommands.
    pub fn common(&self) -> CommonArgs {
        CommonArgs {
            data_dir: self.data_dir.clone(),
            strict: self.strict,
            max_errors: self.max_errors,
            message_format: self.message_format,
            color: self.color,
            threads: self.threads,
            timings: self.timings,
            ..CommonArgs::default()
        }
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
pub struct ExplainArgs {
    /// An operator (aten::add.Tensor, or add for all overloads), a node or builder of another
    /// family, or the id or name of a diagnostic code (TG0101). Without it, list all codes
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
    /// Directory with native/native_functions.yaml (ATen) or native_functions.yaml (operator
    /// library) [default: aten/src/ATen if it exists, else this directory]
    #[arg(long, short = 's', value_name = "DIR")]
    pub source_path: Option<PathBuf>,
    /// Layout of the source path [default: detected from its files]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml, in the ATen layout [default:
    /// SOURCE_PATH/../../../tools/autograd, if it exists]
    #[arg(long, value_name = "DIR")]
    pub autograd_dir: Option<PathBuf>,
    /// Replace templates with those of the same name in this directory; can be repeated
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub template_dir: Vec<PathBuf>,
    /// Print one JSON object per operator or diagnostic
    #[arg(long)]
    pub json: bool,
    /// Maximum number of errors to show; 0 means no limit
    #[arg(long, value_name = "N", default_value_t = MAX_ERRORS)]
    pub max_errors: usize,
    /// How to print diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to color diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
}

impl ExplainArgs {
    /// The flags that it shares with the generating subcommands.
    pub fn common(&self) -> CommonArgs {
        CommonArgs {
            template_dir: self.template_dir.clone(),
            max_errors: self.max_errors,
            message_format: self.message_format,
            color: self.color,
            ..CommonArgs::default()
        }
    }
}
