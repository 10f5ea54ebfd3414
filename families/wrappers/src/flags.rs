//! The flags of `wrappers`.
//!
//! Invariant: a flag that the kind of inputs cannot honour is an error, never ignored.

use std::path::PathBuf;

use clap::Args;

use torchgen_base::diag::{Diagnostic, codes as shared};
use torchgen_kit::driver::args::{DIAGNOSTICS, INPUT, OUTPUT};

/// What becomes of operators without an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum OnMissing {
    /// Nothing
    #[default]
    Skip,
    /// They run on the CPU, if PyTorch has no kernel for every backend
    Fallback,
    /// The same, but with PyTorch's own function for the CPU, which works on memory that the CPU
    /// sees
    Native,
}

/// Which code is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Pack {
    /// Wrappers that build graphs
    #[default]
    Graph,
    /// Registrations that run every entry on the CPU
    Cpu,
}

/// The flags of `wrappers`.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Flags {
    /// PyTorch's native_functions.yaml, in place of that of the torch
    #[arg(long, value_name = "FILE", conflicts_with_all = ["declarations", "registration"], help_heading = INPUT)]
    pub(super) native_functions: Option<PathBuf>,
    /// Where torch is: a checkout, or a directory that it is installed in
    ///
    /// That is a checkout of PyTorch, site-packages, or the package torch or torchgen in it.
    /// Without it, the environment's torch is used.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["native_functions", "declarations"], help_heading = INPUT)]
    pub(super) torch_path: Option<PathBuf>,
    /// Declarations.yaml, in place of native_functions.yaml
    #[arg(long, value_name = "FILE", requires = "registration", help_heading = INPUT, hide_short_help = true)]
    pub(super) declarations: Option<PathBuf>,
    /// RegistrationDeclarations.h, which belongs to Declarations.yaml
    #[arg(long, value_name = "FILE", requires = "declarations", help_heading = INPUT, hide_short_help = true)]
    pub(super) registration: Option<PathBuf>,
    /// Metadata.yaml of torch_spyre's generator, in place of that under `legacy:`
    #[arg(long, value_name = "FILE", help_heading = INPUT, hide_short_help = true)]
    pub(super) metadata: Option<PathBuf>,
    /// The backend's functions, in place of those under `legacy:`
    #[arg(long, value_name = "FILE", help_heading = INPUT, hide_short_help = true)]
    pub(super) backend_functions: Option<PathBuf>,
    /// C++ file that code is inserted into [default: `body:` of the YAML]
    #[arg(long, value_name = "FILE", help_heading = INPUT, hide_short_help = true)]
    pub(super) body: Option<PathBuf>,
    /// What becomes of operators without an entry
    #[arg(long, value_enum, default_value_t, value_name = "WHAT", help_heading = OUTPUT, hide_short_help = true)]
    pub(super) on_missing: OnMissing,
    /// The code to generate
    #[arg(long, value_enum, default_value_t, value_name = "PACK", help_heading = OUTPUT)]
    pub(super) pack: Pack,
    /// Generate only for operators that PyTorch has no kernel for
    #[arg(long, help_heading = OUTPUT)]
    pub(super) required_only: bool,
    /// Fail if fewer operators have code
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = DIAGNOSTICS)]
    pub(super) coverage_min: usize,
    /// List every operator of PyTorch in the report
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub(super) all: bool,
    /// Write the report to this file as well, as JSON
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(super) report: Option<PathBuf>,
    /// Also write the backend's API on the CPU, and a test
    #[arg(long, help_heading = OUTPUT)]
    pub(super) mock: bool,
}

impl Flags {
    /// Errors for flags that a run cannot honour: `legacy` is set for inputs of the original
    /// generator.
    pub(super) fn refused(&self, legacy: bool) -> Vec<Diagnostic> {
        let given: &[(&str, bool)] = if legacy {
            &[
                ("--native-functions", self.native_functions.is_some()),
                ("--torch-path", self.torch_path.is_some()),
                ("--pack cpu", self.pack == Pack::Cpu),
                ("--mock", self.mock),
            ]
        } else {
            &[("--metadata", self.metadata.is_some()), ("--backend-functions", self.backend_functions.is_some())]
        };
        let error = |flag: &str| {
            if legacy {
                let message = format!("`{flag}` cannot be used with `legacy:`, whose templates write all code");
                Diagnostic::new(&shared::USAGE, message).help("write the entries under `ops:` to use it")
            } else {
                let message = format!("`{flag}` needs a file with `legacy:`");
                Diagnostic::new(&shared::USAGE, message)
                    .help("functions and operators are under `functions:` and `ops:`")
            }
        };
        given.iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| error(flag)).collect()
    }
}
