//! The flags of `wrappers`.
//!
//! Invariant: a flag that the kind of inputs cannot honour is an error, never ignored.

use std::path::PathBuf;

use clap::Args;

use torchgen_base::diag::{Diagnostic, codes as shared};

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
    /// PyTorch's native_functions.yaml [default: that of the PyTorch that is found]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["declarations", "registration"])]
    pub(super) native_functions: Option<PathBuf>,
    /// Directory to find PyTorch in: a checkout, site-packages, torch or torchgen
    #[arg(long, value_name = "DIR", conflicts_with_all = ["native_functions", "declarations"])]
    pub(super) torch_path: Option<PathBuf>,
    /// Declarations.yaml, in place of native_functions.yaml
    #[arg(long, value_name = "FILE", requires = "registration")]
    pub(super) declarations: Option<PathBuf>,
    /// RegistrationDeclarations.h, which belongs to Declarations.yaml
    #[arg(long, value_name = "FILE", requires = "declarations")]
    pub(super) registration: Option<PathBuf>,
    /// Metadata.yaml of torch_spyre's generator, in place of that under `legacy:`
    #[arg(long, value_name = "FILE")]
    pub(super) metadata: Option<PathBuf>,
    /// The backend's functions, in place of those under `legacy:`
    #[arg(long, value_name = "FILE")]
    pub(super) backend_functions: Option<PathBuf>,
    /// C++ file that code is inserted into [default: `body:` of the YAML]
    #[arg(long, value_name = "FILE")]
    pub(super) body: Option<PathBuf>,
    /// What becomes of operators without an entry
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub(super) on_missing: OnMissing,
    /// Which code is generated
    #[arg(long, value_enum, default_value_t, value_name = "PACK")]
    pub(super) pack: Pack,
    /// Generate only for operators that PyTorch has no kernel for
    #[arg(long)]
    pub(super) required_only: bool,
    /// Fail if fewer operators have code
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) coverage_min: usize,
    /// List every operator of PyTorch in the report
    #[arg(long)]
    pub(super) all: bool,
    /// Write the report to this file as well, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Also write the backend's API on the CPU, and a test
    #[arg(long)]
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
