//! The flags of `torchgen-rs gen-unboxing`. Rule: PyTorch's tools/jit/gen_unboxing.py.

use std::path::PathBuf;

use clap::Args;

use super::SOURCES;
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::job::{JobArgs, Remembered};

/// The flags of `gen-unboxing`.
#[derive(Debug, Clone, Args)]
pub struct UnboxingArgs {
    /// Directory with native/native_functions.yaml and templates/
    #[arg(long, short = 's', value_name = "DIR", default_value = SOURCES)]
    pub source_path: PathBuf,
    /// Directory to write to
    #[arg(long, short = 'd', value_name = "DIR", default_value = "build/aten/src/ATen")]
    pub install_dir: PathBuf,
    /// Write a CMake list of the outputs to this file
    #[arg(long, short = 'o', value_name = "FILE")]
    pub output_dependencies: Option<PathBuf>,
    /// Write only the list of outputs
    #[arg(long)]
    pub dry_run: bool,
    /// Generate only for the operators that this selective-build YAML selects
    #[arg(long, value_name = "FILE")]
    pub op_selection_yaml_path: Option<PathBuf>,
    /// Generate only for these operators, such as `aten::add`; an empty list means all
    #[arg(long, value_name = "NAME", num_args = 0.., conflicts_with = "op_selection_yaml_path")]
    pub op_registration_allowlist: Option<Vec<String>>,
    /// Generate only for the operators in this YAML list
    #[arg(long = "TEST-ONLY-op-registration-allowlist-yaml-path", value_name = "FILE")]
    pub test_only_allowlist: Option<PathBuf>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}

impl JobArgs for UnboxingArgs {
    const SETS: &'static [&'static str] = &["op_registration_allowlist"];

    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        let lists = self.output_dependencies.clone();
        Some(Remembered { dir: self.install_dir.clone(), dry_run: self.dry_run, lists })
    }
}
