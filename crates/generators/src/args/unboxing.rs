//! The flags of `torchgen-rs gen-unboxing`. Rule: PyTorch's tools/jit/gen_unboxing.py.

use std::path::PathBuf;

use clap::Args;

use super::ReleaseArgs;
use super::SOURCES;
use torchgen_kit::driver::args::{CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::job::{JobArgs, Remembered};

/// The flags of `gen-unboxing`.
#[derive(Debug, Clone, Args)]
pub struct UnboxingArgs {
    /// YAML files, or directories of them
    ///
    /// The file is native/native_functions.yaml below a directory, with templates/ beside it.
    #[arg(long, short = 's', value_name = "PATH", default_value = SOURCES, help_heading = INPUT)]
    pub source_path: PathBuf,
    /// Directory to write to
    #[arg(long, visible_alias = "out-dir", short = 'd', value_name = "DIR", default_value = "build/aten/src/ATen", help_heading = OUTPUT)]
    pub install_dir: PathBuf,
    /// Also write CMake lists of the outputs, next to this file
    #[arg(long, short = 'o', aliases = ["ou", "out"], value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub output_dependencies: Option<PathBuf>,
    /// List the files that a run would write, and write none of them
    ///
    /// The lists of --output-dependencies are written.
    #[arg(long, help_heading = OUTPUT)]
    pub dry_run: bool,
    /// Generate only for the operators that this selective-build YAML selects
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub op_selection_yaml_path: Option<PathBuf>,
    /// Generate only for these operators, such as `aten::add`
    ///
    /// An empty list means all.
    #[arg(long, value_name = "NAME", num_args = 0.., conflicts_with = "op_selection_yaml_path", help_heading = "Selection")]
    pub op_registration_allowlist: Option<Vec<String>>,
    /// Generate only for the operators in this YAML list
    #[arg(long = "TEST-ONLY-op-registration-allowlist-yaml-path", value_name = "FILE", help_heading = "Selection")]
    pub test_only_allowlist: Option<PathBuf>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond.
    #[command(flatten)]
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
