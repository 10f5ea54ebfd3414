//! Who registers operators: generated code, or the library by itself.
//!
//! Invariant: what the library registers is never replaced.

/// Who registers an operator with the dispatcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Registration {
    /// Generated C++ registers the schema, and the kernels unless their author does.
    #[default]
    Generated,
    /// The library registers both by itself. Nothing is generated for it in C++.
    Own,
    /// Generated C++ registers the schema. What registers a kernel is a header, which the source of
    /// the kernel includes, so that other sources need not see the kernel.
    Included,
}
