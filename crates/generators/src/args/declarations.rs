//! The flags of `torchgen-rs declarations`.

use std::path::PathBuf;

use clap::Args;

use super::ReleaseArgs;
use super::{LayoutChoice, SOURCES};
use torchgen_kit::driver::args::{CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::job::{JobArgs, Remembered};

/// The flags of `declarations`.
#[derive(Debug, Clone, Args)]
pub struct DeclarationsArgs {
    /// YAML files, or directories of them
    ///
    /// A native_functions.yaml, or a directory with one.
    #[arg(long, short = 's', alias = "native-functions", value_name = "PATH", default_value = SOURCES, help_heading = INPUT)]
    pub source_path: PathBuf,
    /// The tags.yaml
    ///
    /// The default is the one beside native_functions.yaml; without one, PyTorch's tags.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub tags: Option<PathBuf>,
    /// Directory to write to
    #[arg(long = "out-dir", aliases = ["install-dir", "output-dir", "output"], short = 'd', value_name = "DIR", default_value = "generated", help_heading = OUTPUT)]
    pub install_dir: PathBuf,
    /// Also write CMake lists of the outputs, next to this file
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub output_dependencies: Option<PathBuf>,
    /// List the files that a run would write, and write none of them
    ///
    /// The lists of --output-dependencies are written.
    #[arg(long, help_heading = OUTPUT)]
    pub dry_run: bool,
    /// Layout of the source path, if its files do not show it
    ///
    /// That of a file is `aten`.
    #[arg(long, value_enum, help_heading = INPUT, hide_short_help = true)]
    pub layout: Option<LayoutChoice>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl JobArgs for DeclarationsArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        let lists = self.output_dependencies.clone();
        Some(Remembered { dir: self.install_dir.clone(), dry_run: self.dry_run, lists })
    }
}
