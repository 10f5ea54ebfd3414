//! The flags of `torchgen-rs declarations`.

use std::path::PathBuf;

use clap::Args;

use super::{LayoutChoice, SOURCES};
use torchgen_kit::driver::args::CommonArgs;
use torchgen_kit::driver::job::{JobArgs, Remembered};

/// The flags of `declarations`.
#[derive(Debug, Clone, Args)]
pub struct DeclarationsArgs {
    /// A native_functions.yaml, or a directory with one
    #[arg(long, short = 's', visible_alias = "native-functions", value_name = "PATH", default_value = SOURCES)]
    pub source_path: PathBuf,
    /// The tags.yaml [default: the one beside native_functions.yaml; without one, PyTorch's tags]
    #[arg(long, value_name = "FILE")]
    pub tags: Option<PathBuf>,
    /// Directory to write to
    #[arg(long, short = 'd', value_name = "DIR", default_value = "generated")]
    pub install_dir: PathBuf,
    /// Also write lists of the outputs for CMake, next to this file
    #[arg(long, short = 'o', value_name = "FILE")]
    pub output_dependencies: Option<PathBuf>,
    /// Write only the lists of --output-dependencies
    #[arg(long)]
    pub dry_run: bool,
    /// Layout of the source path [default: detected from the files of a directory; `aten` for a
    /// file]
    #[arg(long, value_enum)]
    pub layout: Option<LayoutChoice>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
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
