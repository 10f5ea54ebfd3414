//! The flags of `torchgen-rs autograd` and `torchgen-rs generate-code`.
//! Rule: PyTorch's tools/autograd/gen_autograd.py and tools/setup_helpers/generate_code.py.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::ReleaseArgs;
use torchgen_kit::driver::args::{CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::job::{JobArgs, Remembered};

/// A part of autograd's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AutogradSubset {
    /// Backward nodes, VariableType, ADInplaceOrView, TraceType
    Libtorch,
    /// Python bindings
    Pybindings,
    /// annotated_fn_args.py
    Annotated,
}

/// The flags of `autograd`.
#[derive(Debug, Clone, Args)]
pub struct AutogradArgs {
    /// Path of native_functions.yaml
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub native_functions_path: PathBuf,
    /// Path of tags.yaml
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub tags_path: PathBuf,
    /// Directory with derivatives.yaml, deprecated.yaml and templates/
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub autograd_dir: PathBuf,
    /// Directory to write to
    #[arg(long = "out-dir", visible_alias = "install-dir", short = 'd', value_name = "DIR", help_heading = OUTPUT)]
    pub install_dir: PathBuf,
    /// Generate only this part
    #[arg(long, value_enum, help_heading = OUTPUT)]
    pub subset: Option<AutogradSubset>,
    /// Do not generate VariableType, ADInplaceOrViewType and TraceType
    #[arg(long, help_heading = OUTPUT)]
    pub disable_autograd: bool,
    /// Generate only for the operators in this YAML list
    #[arg(long, value_name = "FILE", conflicts_with = "operators_yaml_path", help_heading = "Selection")]
    pub selected_op_list_path: Option<PathBuf>,
    /// Generate only for the operators that this selective-build YAML selects
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub operators_yaml_path: Option<PathBuf>,
    /// Directory that contains torchgen/
    ///
    /// Comments with "@generated" name templates relative to it.
    #[arg(long, value_name = "DIR", help_heading = INPUT, hide_short_help = true)]
    pub torchgen_root: Option<PathBuf>,
    /// List the files that a run would write, and write none of them
    #[arg(long, help_heading = OUTPUT)]
    pub dry_run: bool,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl JobArgs for AutogradArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        Some(Remembered { dry_run: self.dry_run, ..Remembered::at(&self.install_dir) })
    }
}

/// A part of the files that generate_code.py writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GenerateCodeSubset {
    /// Backward nodes, VariableType, ADInplaceOrView, TraceType
    Libtorch,
    /// Python bindings
    Pybindings,
    /// annotated_fn_args.py
    Python,
}

/// The flags of `generate-code`.
#[derive(Debug, Clone, Args)]
pub struct GenerateCodeArgs {
    /// Path of native_functions.yaml
    #[arg(long, value_name = "FILE", default_value = "aten/src/ATen/native/native_functions.yaml", help_heading = INPUT)]
    pub native_functions_path: PathBuf,
    /// Path of tags.yaml
    #[arg(long, value_name = "FILE", default_value = "aten/src/ATen/native/tags.yaml", help_heading = INPUT)]
    pub tags_path: PathBuf,
    /// Directory with derivatives.yaml, deprecated.yaml and templates/
    #[arg(long, value_name = "DIR", default_value = "tools/autograd", help_heading = INPUT)]
    pub autograd_dir: PathBuf,
    /// Root of the tree to write to
    #[arg(long, value_name = "DIR", default_value = ".", help_heading = OUTPUT)]
    pub gen_dir: PathBuf,
    /// Directory to write to
    ///
    /// Without it, files go to GEN_DIR/torch/csrc. With it, annotated_fn_args.py goes there too.
    #[arg(long, visible_alias = "out-dir", short = 'd', value_name = "DIR", help_heading = OUTPUT)]
    pub install_dir: Option<PathBuf>,
    /// Generate only this part
    #[arg(long, value_enum, help_heading = OUTPUT)]
    pub subset: Option<GenerateCodeSubset>,
    /// Do not generate VariableType, ADInplaceOrViewType and TraceType
    #[arg(long, help_heading = OUTPUT)]
    pub disable_autograd: bool,
    /// Generate only for the operators in this YAML list
    #[arg(long, value_name = "FILE", conflicts_with = "operators_yaml_path", help_heading = "Selection")]
    pub selected_op_list_path: Option<PathBuf>,
    /// Generate only for the operators that this selective-build YAML selects
    #[arg(long, value_name = "FILE", help_heading = "Selection")]
    pub operators_yaml_path: Option<PathBuf>,
    /// Accepted for PyTorch's build; has no effect, as in the reference
    #[arg(long, help_heading = OUTPUT, hide_short_help = true)]
    pub force_schema_registration: bool,
    /// Also generate the lazy TorchScript backend
    ///
    /// Its YAML is native/ts_native_functions.yaml beside native_functions.yaml.
    #[arg(long, help_heading = OUTPUT)]
    pub gen_lazy_ts_backend: bool,
    /// Include per-operator headers; must match how ATen was built
    #[arg(long, help_heading = OUTPUT)]
    pub per_operator_headers: bool,
    /// Directory that contains torchgen/
    ///
    /// Comments with "@generated" name templates relative to it.
    #[arg(long, value_name = "DIR", help_heading = INPUT, hide_short_help = true)]
    pub torchgen_root: Option<PathBuf>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl JobArgs for GenerateCodeArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        // The files go to several directories; this one has most of them.
        let dir = self.install_dir.clone().unwrap_or_else(|| {
            let python = self.subset == Some(GenerateCodeSubset::Python);
            self.gen_dir.join(if python {
                "torch/testing/_internal/generated"
            } else {
                "torch/csrc/autograd/generated"
            })
        });
        Some(Remembered::at(dir))
    }
}
