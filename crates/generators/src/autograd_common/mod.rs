//! What the generators of autograd's kernels share.
//!
//! Invariant: this does not depend on what any of them emits. Rule: tools/autograd.

mod kernels;

pub use self::kernels::{is_manual, viewed_output};
pub(crate) use self::kernels::{
    is_manual_backend, is_tracked_view, is_view_with_metadata_change, modifies_arguments, of_all_operators,
    shared_kernel, storage_view_info, use_derived, view_info, viewed, written_arguments,
};
