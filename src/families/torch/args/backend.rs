//! The flags of `torchgen-rs backend-stubs` and `torchgen-rs lazy-tensor`.
//!
//! Rule: torchgen/gen_backend_stubs.py and torchgen/gen_lazy_tensor.py, `main`; the parameters of `run_gen_lazy_tensor` are flags here.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use crate::driver::args::CommonArgs;

/// The flags of both.
#[derive(Debug, Clone, Args)]
pub(crate) struct BackendArgs {
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
    pub(crate) fn is_dry_run(&self) -> bool {
        self.dry_run.as_deref().is_some_and(|value| !value.is_empty())
    }
}

/// The flags of `backend-stubs`.
#[derive(Debug, Clone, Args)]
pub(crate) struct BackendStubsArgs {
    /// What it shares with `lazy-tensor`.
    #[command(flatten)]
    pub backend: BackendArgs,
}

/// The flags of `lazy-tensor`.
#[derive(Debug, Clone, Args)]
pub(crate) struct LazyTensorArgs {
    /// What it shares with `backend-stubs`.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Generate what lowers nodes to TorchScript
    #[arg(long)]
    pub gen_ts_lowerings: bool,
    /// Include headers in angle brackets, as within PyTorch's own tree
    #[arg(long)]
    pub build_in_tree: bool,
    /// Include headers of single operators; must fit how ATen was built
    #[arg(long)]
    pub per_operator_headers: bool,
    /// Generate what falls back on eager kernels when asked to
    #[arg(long)]
    pub gen_forced_fallback_code: bool,
    /// Nodes take no shapes when they are made
    #[arg(long)]
    pub no_lazy_shape: bool,
    /// Do not look for functions that compute shapes in the header of --shape-inference-hdr
    #[arg(long)]
    pub skip_shape_inference_check: bool,
    /// Names in the generated code.
    #[command(flatten, next_help_heading = "Names in the generated code")]
    pub names: LazyNames,
}

/// What the code of a lazy backend calls things.
#[derive(Debug, Clone, Args, Serialize)]
#[allow(missing_docs)]
pub(crate) struct LazyNames {
    /// Name of the base class of nodes
    #[arg(long, value_name = "NAME", default_value = "Node")]
    pub node_base: String,
    /// Name of the class of lazy tensors
    #[arg(long, value_name = "NAME", default_value = "torch::lazy::LazyTensor")]
    pub tensor_class: String,
    /// Header that defines the class of lazy tensors
    #[arg(long, value_name = "NAME", default_value = "torch/csrc/lazy/core/tensor.h")]
    pub tensor_class_hdr: String,
    /// Header that declares the functions that compute shapes, one to a line
    #[arg(long, value_name = "NAME", default_value = "torch/csrc/lazy/core/shape_inference.h")]
    pub shape_inference_hdr: String,
    /// Name of the backend
    #[arg(long, value_name = "NAME", default_value = "TorchScript")]
    pub backend_name: String,
    /// Namespace of the functions below that have none
    #[arg(long, value_name = "NAME", default_value = "torch::lazy")]
    pub backend_namespace: String,
    /// Function that makes a value of a list of tensors
    #[arg(long, value_name = "NAME", default_value = "GetTensorList")]
    pub get_tensorlist: String,
    /// Function that makes a lazy tensor of a tensor
    #[arg(long, value_name = "NAME", default_value = "GetLtcTensorOrCreateForWrappedNumber")]
    pub get_tensor_or_wrap_number: String,
    /// Function that makes a lazy tensor of a tensor that may be undefined
    #[arg(long, value_name = "NAME", default_value = "TryGetLtcTensor")]
    pub try_get_tensor: String,
    /// Expression that counts calls of a kernel
    #[arg(long, value_name = "NAME", default_value = "TORCH_LAZY_FN_COUNTER(\"lazy::\")")]
    pub metrics_counter: String,
    /// Function that makes a lazy tensor of a node
    #[arg(long, value_name = "NAME", default_value = "LazyTensor::Create")]
    pub create_tensor: String,
    /// Function that makes a tensor of a lazy one
    #[arg(long, value_name = "NAME", default_value = "torch::lazy::CreateAtenFromLtcTensor")]
    pub create_aten_from_ltc_tensor: String,
    /// Function that makes a tuple of tensors of lazy ones
    #[arg(long, value_name = "NAME", default_value = "torch::lazy::TupleAtenFromLtcTensors")]
    pub tuple_aten_from_ltc_tensors: String,
    /// Type of values in the graph
    #[arg(long, value_name = "NAME", default_value = "torch::lazy::Value")]
    pub lazy_value_class: String,
    /// Type of pointers to lazy tensors
    #[arg(long, value_name = "NAME", default_value = "LazyTensorPtr")]
    pub lazy_tensor_ptr: String,
    /// Function that tells the device of some tensors
    #[arg(long, value_name = "NAME", default_value = "torch::lazy::GetBackendDevice")]
    pub get_device_fn: String,
    /// Header that defines the base class of nodes
    #[arg(long, value_name = "FILE")]
    pub node_base_hdr: Option<String>,
    /// Make lazy tensors by a member function of the first tensor
    #[arg(long)]
    pub create_from_first_tensor: bool,
}

impl Default for LazyNames {
    /// The names in PyTorch's own lazy backend, but for its nodes.
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
