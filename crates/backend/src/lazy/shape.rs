//! Functions that compute the shapes of a node if PyTorch has no meta function: their names, and
//! whether a header declares them.
//!
//! Rule: torchgen/dest/lazy_ir.py, `ComputeShapeSignature`; torchgen/gen_lazy_tensor.py,
//! `validate_shape_inference_header`.

use std::collections::HashSet;

use super::schema::LazySchema;
use torchgen_api::CallingConvention;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::error::Result;
use torchgen_api::{Binding, Locals, SymInts};
use torchgen_model::model::{BackendMetadata, NativeFunction};

/// PyTorch computes the outputs of the operator on the meta device.
pub(super) fn has_meta_function(f: &NativeFunction) -> bool {
    f.part_of_structured_group() || is_view_copy(f)
}

/// The operator is a copy of a view.
pub(super) fn is_view_copy(f: &NativeFunction) -> bool {
    f.has_tag("view_copy")
}

/// The declaration of the function that computes an operator's shapes.
pub(super) fn declaration(f: &NativeFunction, kernel: &BackendMetadata) -> Result<String> {
    let parameters =
        Dispatcher { sym_ints: SymInts::kept_if(kernel.supports_symint()), locals: Locals::for_operator(f) }
            .arguments(&f.func)?;
    let parameters: Vec<String> = parameters.iter().map(Binding::decl).collect();
    Ok(format!("TORCH_API std::vector<torch::lazy::Shape> compute_shape_{}({})", kernel.kernel, parameters.join(", ")))
}

/// The declaration of the function that computes an operator's shapes, if PyTorch has no meta
/// function for it; with the kernel of a lazy backend.
pub fn required(f: &NativeFunction, kernel: &BackendMetadata) -> Result<Option<String>> {
    (!has_meta_function(f)).then(|| declaration(f, kernel)).transpose()
}

/// The call of that function.
pub(super) fn call(kernel: &BackendMetadata, schema: &LazySchema) -> String {
    let names: Vec<&str> = schema.arguments().map(|a| a.name()).collect();
    format!("torch::lazy::compute_shape_{}({})", kernel.kernel, names.join(", "))
}

/// The declarations of a header, each on a line of its own.
pub(super) fn declared(header: &str) -> HashSet<&str> {
    header.split('\n').filter_map(|line| line.strip_suffix(';')).collect()
}
