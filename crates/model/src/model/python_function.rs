//! Functions in Python that an entry names: `.module:function`.
//!
//! Invariant: a module is a path of identifiers, and no part is a reserved word of Python.

use std::fmt;

use super::DispatchKey;
use torchgen_base::diag::Span;

/// A Python function that an entry names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonFunction {
    /// The module; with dots before it, relative to the library's package.
    pub module: String,
    /// The function's name in it.
    pub name: String,
}

impl fmt::Display for PythonFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.module, self.name)
    }
}

/// A kernel in Python, with its dispatch key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonKernel {
    /// The key.
    pub key: DispatchKey,
    /// The function.
    pub function: PythonFunction,
    /// Where it is named.
    pub span: Span,
}
