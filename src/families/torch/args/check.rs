//! The flags of `torchgen-rs check` and `torchgen-rs explain`.

use std::path::{Path, PathBuf};

use clap::{Args, FromArgMatches};

use super::generate::{GenerateArgs, LayoutChoice};
use crate::diag::{Diagnostic, codes};
use crate::driver::args::{ColorChoice, CommonArgs, MessageFormat};

/// What `check` is told.
#[derive(Debug, Clone, Args)]
pub(crate) struct CheckArgs {
    /// Directory with native/native_functions.yaml (ATen) or native_functions.yaml (operator library)
    #[arg(long, short = 's', value_name = "DIR", default_value = "aten/src/ATen")]
    pub source_path: PathBuf,
    /// Layout of the source path [default: told from the files in it]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml and deprecated.yaml, in the ATen layout
    /// [default: SOURCE_PATH/../../../tools/autograd, if it is there]
    #[arg(long, value_name = "DIR")]
    pub autograd_dir: Option<PathBuf>,
    /// Check this selective-build YAML too; may be given more than once
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub op_selection_yaml_path: Vec<PathBuf>,
    /// Check this YAML of an external backend too, in the ATen layout; may be given more than once
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    pub backend_yaml: Vec<PathBuf>,
    /// Add to the tool's tables of facts those of the same name in this directory; may be given more than once
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub data_dir: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,
    /// How to print diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to colour diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Threads to use [default: one per core]
    #[arg(long, short = 'j', visible_alias = "jobs", value_name = "N", value_parser = crate::driver::args::threads)]
    pub threads: Option<usize>,
    /// Say how long each stage took
    #[arg(long)]
    pub timings: bool,
}

impl CheckArgs {
    /// The same source path as `generate` takes it, all of which is to be checked.
    ///
    /// # Errors
    /// None that a valid command line leads to.
    pub(crate) fn generate(&self) -> Result<GenerateArgs, Diagnostic> {
        everything_of(&self.source_path, self.common())
    }

    /// The flags that it shares with the generating subcommands.
    pub(crate) fn common(&self) -> CommonArgs {
        CommonArgs {
            data_dir: self.data_dir.clone(),
            strict: self.strict,
            message_format: self.message_format,
            color: self.color,
            threads: self.threads,
            timings: self.timings,
            ..CommonArgs::default()
        }
    }
}

/// What `generate` would be told to make everything of a source path, with default flags.
///
/// # Errors
/// None that a path leads to.
pub(crate) fn everything_of(source_path: &Path, common: CommonArgs) -> Result<GenerateArgs, Diagnostic> {
    let words = ["generate".into(), "-s".into(), source_path.as_os_str().to_owned()];
    let command = GenerateArgs::augment_args(clap::Command::new("generate"));
    let matches = command.try_get_matches_from(words);
    match matches.and_then(|matches| GenerateArgs::from_arg_matches(&matches)) {
        Ok(args) => Ok(GenerateArgs { common, ..args }),
        Err(_) => Err(Diagnostic::new(&codes::USAGE, format!("`{}` is not a source path", source_path.display()))),
    }
}

/// What `explain` is told.
#[derive(Debug, Clone, Args)]
pub(crate) struct ExplainArgs {
    /// An operator such as aten::add.Tensor, add (all overloads) or add_; or a code such as TG0101 or its name. Without it, all codes are listed
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
    /// Directory with native/native_functions.yaml (ATen) or native_functions.yaml (operator library)
    /// [default: aten/src/ATen if it is there, else this directory]
    #[arg(long, short = 's', value_name = "DIR")]
    pub source_path: Option<PathBuf>,
    /// Layout of the source path [default: told from the files in it]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml, in the ATen layout [default: SOURCE_PATH/../../../tools/autograd, if it is there]
    #[arg(long, value_name = "DIR")]
    pub autograd_dir: Option<PathBuf>,
    /// Replace templates by those of the same name in this directory; may be given more than once
    #[arg(long, value_name = "DIR", action = clap::ArgAction::Append)]
    pub(crate) template_dir: Vec<PathBuf>,
    /// Print one JSON object per operator
    #[arg(long)]
    pub json: bool,
    /// How to print diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub message_format: MessageFormat,
    /// When to colour diagnostics
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
}

impl ExplainArgs {
    /// The flags that it shares with the generating subcommands.
    pub(crate) fn common(&self) -> CommonArgs {
        CommonArgs {
            template_dir: self.template_dir.clone(),
            message_format: self.message_format,
            color: self.color,
            ..CommonArgs::default()
        }
    }
}
