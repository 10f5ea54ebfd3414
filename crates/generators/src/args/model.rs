//! PyTorch's flags of `torchgen-rs model`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{LayoutChoice, ReleaseArgs};
use torchgen_kit::driver::args::{INPUT, OUTPUT};

/// The flags.
#[derive(Debug, Clone, Default, Args)]
#[command(mut_arg("source_path", |arg| arg.long_help("YAML files, or directories of them\n\nA directory with native/native_functions.yaml (ATen) or native_functions.yaml (operator library), or the source of another family. Without it, that is aten/src/ATen if it exists, or this directory; with --torch, the operators that the program knows of that version.")))]
pub struct ModelFlags {
    /// Layout of the source path, if its files do not show it
    #[arg(long, value_enum, help_heading = INPUT, hide_short_help = true)]
    pub layout: Option<LayoutChoice>,
    /// Directory with derivatives.yaml, deprecated.yaml and templates/
    ///
    /// In the ATen layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub autograd_dir: Option<PathBuf>,
    /// Add the kernels of this YAML of an external backend
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub backend_yaml: Option<PathBuf>,
    /// Add the shape functions that a lazy backend must declare
    ///
    /// Those of the operators under `full_codegen` of --backend-yaml; without it, those of all
    /// operators.
    #[arg(long, help_heading = INPUT)]
    pub lazy: bool,
    /// Read the schemas of any YAML file, whatever else is in it
    ///
    /// Each mapping with the key `func` declares an operator; no rule of libraries or of PyTorch
    /// applies. For the lists of other projects.
    #[arg(long, help_heading = INPUT, conflicts_with_all = ["layout", "autograd_dir", "backend_yaml", "lazy", "also"])]
    pub foreign: bool,
    /// Also print these: kernels, formulas
    ///
    /// As things of their own, separated by commas: kernels, with the operators and keys that each
    /// serves, or formulas of derivatives, with what each differentiates and calls.
    #[arg(long, value_enum, hide_possible_values = true, value_name = "KINDS", value_delimiter = ',', action = clap::ArgAction::Append, help_heading = OUTPUT)]
    pub also: Vec<AlsoKind>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
}

/// What operators have, and what is printed as things of their own if asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlsoKind {
    /// The kernels
    Kernels,
    /// The formulas of derivatives
    Formulas,
}

impl ModelFlags {
    /// The first flag that is given.
    pub fn given(&self) -> Option<&'static str> {
        let ModelFlags { layout, autograd_dir, backend_yaml, lazy, foreign, also, release } = self;
        let flags = [
            ("--layout", layout.is_some()),
            ("--autograd-dir", autograd_dir.is_some()),
            ("--backend-yaml", backend_yaml.is_some()),
            ("--lazy", *lazy),
            ("--foreign", *foreign),
            ("--also", !also.is_empty()),
            ("--torch", release.torch.is_some()),
        ];
        flags.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}
