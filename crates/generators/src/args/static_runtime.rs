//! The flags of `torchgen-rs gen-static-runtime-ops`. Rule:
//! torchgen/static_runtime/gen_static_runtime_ops.py.

use std::path::PathBuf;

use clap::Args;

use torchgen_kit::driver::args::CommonArgs;

/// The flags of `gen-static-runtime-ops`.
#[derive(Debug, Clone, Args)]
pub struct StaticRuntimeArgs {
    /// Directory with native/native_functions.yaml and native/tags.yaml
    #[arg(long, short = 's', value_name = "DIR", default_value = "caffe2/aten/src/ATen")]
    pub source_path: PathBuf,
    /// File to write the operators to
    #[arg(
        long,
        short = 'p',
        value_name = "FILE",
        default_value = "caffe2/torch/csrc/jit/runtime/static/generated_ops.cpp"
    )]
    pub generated_ops_cpp_path: PathBuf,
    /// File to write their tests to
    #[arg(
        long,
        short = 't',
        value_name = "FILE",
        default_value = "caffe2/benchmarks/static_runtime/test_generated_ops.cc"
    )]
    pub generated_ops_test_cpp_path: PathBuf,
    /// Flags of every subcommand.
    #[command(flatten, next_help_heading = "Tool")]
    pub common: CommonArgs,
}
