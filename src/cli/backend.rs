//! The flags of `torchgen-rs backend-stubs` and `torchgen-rs lazy-tensor`.
//!
//! Rule: torchgen/gen_backend_stubs.py and torchgen/gen_lazy_tensor.py, `main`; the parameters of `run_gen_lazy_tensor` are flags here.

use std::path::PathBuf;

use clap::Args;

use super::common::CommonArgs;

/// What both are told.
#[derive(Debug, Clone, Args)]
pub struct BackendArgs {
    /// YAML of the backend: its dispatch key and the operators that it has kernels for
    #[arg(long, short = 's', value_name = "FILE")]
    pub source_yaml: PathBuf,
    /// Directory to write to; the sources include the header by this path as it is written here
    #[arg(long, short = 'o', value_name = "DIR")]
    pub output_dir: PathBuf,
    /// Write nothing. Without a value or with any but an empty one, as for the reference, where even `False` switches it on
    #[arg(long, value_name = "ANY", num_args = 0..=1, default_missing_value = "True")]
    pub dry_run: Option<String>,
    /// C++ source with the kernels: check that it defines them all
    #[arg(long, value_name = "FILE")]
    pub impl_path: Option<PathBuf>,
    /// Where PyTorch is: a checkout, or a directory that it is installed in [default: the working directory,
    /// the active environment, then each python3 in PATH]
    #[arg(long, value_name = "DIR")]
    pub torch_path: Option<PathBuf>,
    /// The program that "@generated" comments name, for those who called the reference from a script of their own
    #[arg(long, value_name = "NAME")]
    pub generated_by: Option<String>,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}

impl BackendArgs {
    /// Nothing is to be written.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.as_deref().is_some_and(|value| !value.is_empty())
    }
}

/// What `backend-stubs` is told.
#[derive(Debug, Clone, Args)]
pub struct BackendStubsArgs {
    /// What it shares with `lazy-tensor`.
    #[command(flatten)]
    pub backend: BackendArgs,
}
