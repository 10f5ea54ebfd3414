//! The flags of `torchgen-rs gen-static-runtime-ops`. Rule:
//! torchgen/static_runtime/gen_static_runtime_ops.py.

use std::path::PathBuf;

use clap::Args;

use super::ReleaseArgs;
use torchgen_kit::driver::args::{Common, DATA, DEPFILE, INPUT, LONG, OUTPUT, STRICT, TEMPLATES, VERIFY};

/// The flags of `gen-static-runtime-ops`.
#[derive(Debug, Clone, Args)]
pub struct StaticRuntimeArgs {
    /// YAML files, or directories of them
    ///
    /// The file is native/native_functions.yaml below a directory, with native/tags.yaml beside it.
    #[arg(long, short = 's', value_name = "PATH", default_value = "caffe2/aten/src/ATen", help_heading = INPUT)]
    pub source_path: PathBuf,
    /// File to write the operators to
    #[arg(
        long,
        short = 'p',
        value_name = "FILE",
        default_value = "caffe2/torch/csrc/jit/runtime/static/generated_ops.cpp", help_heading = OUTPUT
    )]
    pub generated_ops_cpp_path: PathBuf,
    /// File to write their tests to
    #[arg(
        long,
        short = 't',
        value_name = "FILE",
        default_value = "caffe2/benchmarks/static_runtime/test_generated_ops.cc", help_heading = OUTPUT
    )]
    pub generated_ops_test_cpp_path: PathBuf,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond.
    #[command(flatten)]
    pub common: Common<{ TEMPLATES | DATA | STRICT | LONG | DEPFILE | VERIFY }>,
}
