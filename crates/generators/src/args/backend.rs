//! The flags of `torchgen-rs backend-stubs` and `torchgen-rs lazy-tensor`.
//!
//! Rule: torchgen/gen_backend_stubs.py and torchgen/gen_lazy_tensor.py, `main`; parameters of
//! `run_gen_lazy_tensor` are flags here.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::ReleaseArgs;
use torchgen_kit::driver::args::{CommonArgs, DIAGNOSTICS, INPUT, OUTPUT};
use torchgen_kit::driver::job::{JobArgs, Remembered};

/// The flags of both.
#[derive(Debug, Clone, Args)]
pub struct BackendArgs {
    /// YAML of the backend: its dispatch key and its operators
    #[arg(long, short = 's', value_name = "FILE", help_heading = INPUT)]
    pub source_yaml: PathBuf,
    /// Directory to write to
    ///
    /// Sources include the header by this path, exactly as given.
    #[arg(long, short = 'o', visible_alias = "out-dir", visible_short_alias = 'd', aliases = ["output", "output-"], value_name = "DIR", help_heading = OUTPUT)]
    pub output_dir: PathBuf,
    /// Also write CMake lists of the outputs, next to this file
    #[arg(long, value_name = "FILE", help_heading = OUTPUT, hide_short_help = true)]
    pub output_dependencies: Option<PathBuf>,
    /// List the files that a run would write, and write none of them
    ///
    /// Takes an optional value; any value but an empty one enables it, even `False`, as in the
    /// reference.
    #[arg(long, value_name = "ANY", num_args = 0..=1, default_missing_value = "True", help_heading = OUTPUT)]
    pub dry_run: Option<String>,
    /// C++ source or directory that must define all kernels; can be repeated
    #[arg(long, value_name = "PATH", action = clap::ArgAction::Append, help_heading = INPUT)]
    pub impl_path: Vec<PathBuf>,
    /// Where torch is: a checkout, or a directory that it is installed in
    ///
    /// Without it, torch is searched for in the working directory, in the active environment, and
    /// in that of each python3 in PATH.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub torch_path: Option<PathBuf>,
    /// Name of the generating program in "@generated" comments
    ///
    /// For projects that called the reference from a script of their own.
    #[arg(long, value_name = "NAME", help_heading = OUTPUT, hide_short_help = true)]
    pub generated_by: Option<String>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl BackendArgs {
    /// Whether to write nothing.
    pub fn is_dry_run(&self) -> bool {
        self.dry_run.as_deref().is_some_and(|value| !value.is_empty())
    }

    /// What both leave for the next run.
    fn remembered(&self) -> Remembered {
        let lists = self.output_dependencies.clone();
        Remembered { dry_run: self.is_dry_run(), lists, ..Remembered::at(&self.output_dir) }
    }
}

/// The flags of `backend-stubs`.
#[derive(Debug, Clone, Args)]
pub struct BackendStubsArgs {
    /// Flags shared with `lazy-tensor`.
    #[command(flatten)]
    pub backend: BackendArgs,
}

impl JobArgs for BackendStubsArgs {
    fn common(&self) -> CommonArgs {
        self.backend.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        Some(self.backend.remembered())
    }
}

/// The flags of `lazy-tensor`.
#[derive(Debug, Clone, Args)]
pub struct LazyTensorArgs {
    /// Flags shared with `backend-stubs`.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Generate the lowering of nodes to TorchScript
    #[arg(long, help_heading = OUTPUT)]
    pub gen_ts_lowerings: bool,
    /// Include headers in angle brackets, as in PyTorch's own tree
    #[arg(long, help_heading = OUTPUT)]
    pub build_in_tree: bool,
    /// Include per-operator headers; must match how ATen was built
    #[arg(long, help_heading = OUTPUT)]
    pub per_operator_headers: bool,
    /// Generate code that falls back to eager kernels on request
    #[arg(long, help_heading = OUTPUT)]
    pub gen_forced_fallback_code: bool,
    /// Create nodes without shapes
    #[arg(long, help_heading = OUTPUT)]
    pub no_lazy_shape: bool,
    /// Do not check that the header of --shape-inference-hdr declares the shape functions
    #[arg(long, help_heading = DIAGNOSTICS, hide_short_help = true)]
    pub skip_shape_inference_check: bool,
    /// Names in the generated code.
    #[command(flatten, next_help_heading = "Names in the generated code")]
    pub names: LazyNames,
}

impl JobArgs for LazyTensorArgs {
    fn common(&self) -> CommonArgs {
        self.backend.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        Some(self.backend.remembered())
    }
}

/// Names in the code of a lazy backend.
#[derive(Debug, Clone, Args, Serialize)]
#[allow(missing_docs)]
pub struct LazyNames {
    /// Name of the base class of nodes
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "Node")]
    pub node_base: String,
    /// Name of the class of lazy tensors
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch::lazy::LazyTensor")]
    pub tensor_class: String,
    /// Header that defines the class of lazy tensors
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch/csrc/lazy/core/tensor.h")]
    pub tensor_class_hdr: String,
    /// Header that declares the shape functions, one per line
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch/csrc/lazy/core/shape_inference.h")]
    pub shape_inference_hdr: String,
    /// Name of the backend
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "TorchScript")]
    pub backend_name: String,
    /// Namespace of the functions below whose names have no namespace
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch::lazy")]
    pub backend_namespace: String,
    /// Function that makes a value from a list of tensors
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "GetTensorList")]
    pub get_tensorlist: String,
    /// Function that makes a lazy tensor from a tensor
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "GetLtcTensorOrCreateForWrappedNumber")]
    pub get_tensor_or_wrap_number: String,
    /// Function that makes a lazy tensor from a tensor that may be undefined
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "TryGetLtcTensor")]
    pub try_get_tensor: String,
    /// Expression that counts calls of a kernel
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "TORCH_LAZY_FN_COUNTER(\"lazy::\")")]
    pub metrics_counter: String,
    /// Function that makes a lazy tensor from a node
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "LazyTensor::Create")]
    pub create_tensor: String,
    /// Function that makes a tensor from a lazy one
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch::lazy::CreateAtenFromLtcTensor")]
    pub create_aten_from_ltc_tensor: String,
    /// Function that makes a tuple of tensors from lazy ones
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch::lazy::TupleAtenFromLtcTensors")]
    pub tuple_aten_from_ltc_tensors: String,
    /// Type of values in the graph
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch::lazy::Value")]
    pub lazy_value_class: String,
    /// Type of pointers to lazy tensors
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "LazyTensorPtr")]
    pub lazy_tensor_ptr: String,
    /// Function that returns the device of some tensors
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "torch::lazy::GetBackendDevice")]
    pub get_device_fn: String,
    /// Header that defines the base class of nodes
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub node_base_hdr: Option<String>,
    /// Make lazy tensors with a member function of the first tensor
    #[arg(long, hide_short_help = true)]
    pub create_from_first_tensor: bool,
}

impl Default for LazyNames {
    /// The names in PyTorch's own lazy backend, except for its nodes.
    fn default() -> Self {
        LazyNames {
            node_base: "Node".to_owned(),
            tensor_class: "torch::lazy::LazyTensor".to_owned(),
            tensor_class_hdr: "torch/csrc/lazy/core/tensor.h".to_owned(),
            shape_inference_hdr: "torch/csrc/lazy/core/shape_inference.h".to_owned(),
            backend_name: "TorchScript".to_owned(),
            backend_namespace: "torch::lazy".to_owned(),
            get_tensorlist: "GetTensorList".to_owned(),
            get_tensor_or_wrap_number: "GetLtcTensorOrCreateForWrappedNumber".to_owned(),
            try_get_tensor: "TryGetLtcTensor".to_owned(),
            metrics_counter: "TORCH_LAZY_FN_COUNTER(\"lazy::\")".to_owned(),
            create_tensor: "LazyTensor::Create".to_owned(),
            create_aten_from_ltc_tensor: "torch::lazy::CreateAtenFromLtcTensor".to_owned(),
            tuple_aten_from_ltc_tensors: "torch::lazy::TupleAtenFromLtcTensors".to_owned(),
            lazy_value_class: "torch::lazy::Value".to_owned(),
            lazy_tensor_ptr: "LazyTensorPtr".to_owned(),
            get_device_fn: "torch::lazy::GetBackendDevice".to_owned(),
            node_base_hdr: None,
            create_from_first_tensor: false,
        }
    }
}
