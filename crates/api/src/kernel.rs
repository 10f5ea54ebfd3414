//! The convention of a backend's kernel, which depends on where the kernel is.
//!
//! Invariant: kernels in the tree follow [`native`](super::native), others
//! [`dispatcher`](super::dispatcher). Rule:
//! torchgen/api/types/signatures.py, `kernel_signature`.

use super::Locals;
use super::dispatcher::Dispatcher;
use super::error::{ApiError, BAD_SHAPE, Result};
use super::native::Native;
use super::signature::{CallingConvention, Signature, SymInts};
use torchgen_model::model::{BackendIndex, NativeFunction};

/// The signature that a backend's kernel must have: out-of-tree kernels follow the dispatcher's
/// convention, in-tree kernels the native one.
///
/// # Errors
/// The kernel takes SymInts, but the schema has none; or an argument has no C++ form.
pub fn kernel_signature<'a>(
    f: &'a NativeFunction,
    backend_index: &BackendIndex,
    locals: Locals,
) -> Result<Signature<'a>> {
    let symint = backend_index.get_kernel(f).is_some_and(|kernel| kernel.supports_symint());
    if symint && !f.func.has_symint() {
        let key = backend_index.dispatch_key;
        return Err(ApiError::new(
            &BAD_SHAPE,
            format!("the {key} kernel of `{}` takes SymInts, but its schema has none", f.func.name),
        ));
    }
    let sym_ints = SymInts::kept_if(symint);
    if backend_index.external {
        Dispatcher { sym_ints, locals }.signature(&f.func)
    } else {
        Native { sym_ints, locals }.signature(&f.func)
    }
}
