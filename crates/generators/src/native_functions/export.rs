//! Macros that export kernels from their shared library. Rule: torchgen/dest/native_functions.py.

use serde::Deserialize;

use crate::Context;
use torchgen_kit::driver::data::Table;
use torchgen_model::model::rules::Rules;
use torchgen_model::model::{BackendIndex, DispatchKey};

#[derive(Deserialize)]
struct Exported {
    cuda_kernels_in_cpu_library: Vec<String>,
}

impl Table for Exported {
    const PATH: &'static str = "torch/native_functions.yaml";
}

/// The macro of a key's functions; empty for a backend outside ATen.
///
/// Rule: torchgen/dest/native_functions.py, `torch_api_key_word_prefix`.
pub(crate) fn of_key<'a>(ctx: &Context<'a>, index: &BackendIndex) -> &'a str {
    match index.dispatch_key {
        _ if index.external => "",
        // An operator library is one shared library, whatever devices it has kernels for.
        _ if !ctx.target.libraries_by_device || !Rules::of_tables(ctx.target.tables).exports_by_device => {
            &ctx.namespaces.export
        }
        key if key.is_cuda() => CUDA,
        key if key.is_xpu() => XPU,
        _ => &ctx.namespaces.export,
    }
}

/// The macro of a kernel. Rule: torchgen/dest/native_functions.py, `dll_export_macro_for_kernel`.
pub(crate) fn of_kernel<'a>(ctx: &Context<'a>, index: &BackendIndex, kernel: &str) -> &'a str {
    let export = of_key(ctx, index);
    let table = || ctx.target.tables.get::<Exported>();
    let in_cpu_library = || table().cuda_kernels_in_cpu_library.iter().any(|name| name == kernel);
    if export == CUDA && in_cpu_library() { &ctx.namespaces.export } else { export }
}

/// The macro of a structured kernel.
pub(crate) fn of_structured<'a>(ctx: &Context<'a>, index: &BackendIndex, kernel: &str) -> &'a str {
    let of_xpu = index.dispatch_key == DispatchKey::XPU && !index.external;
    match of_xpu && ctx.target.libraries_by_device && Rules::of_tables(ctx.target.tables).structured_exports_of_xpu {
        true => XPU,
        false => of_kernel(ctx, index, kernel),
    }
}

/// The kernels that an XPU library exports.
const XPU: &str = "TORCH_XPU_API";

/// The kernels that a CUDA library exports.
const CUDA: &str = "TORCH_CUDA_CPP_API";

#[cfg(test)]
mod tests {
    use super::Exported;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn embedded_table() {
        assert_eq!(Tables::embedded().get::<Exported>().cuda_kernels_in_cpu_library.len(), 7);
    }
}
