//! What is found in a source.

use std::ops::Range;

/// What a source says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Source {
    /// The functions that it defines, outside of classes.
    pub definitions: Vec<Definition>,
    /// The names, with all namespaces, of functions that it only declares.
    pub declared: Vec<String>,
}

/// A function that is defined outside of classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    /// Its name with all namespaces: `ns::native::foo`. For a structured kernel or meta function, what the macro is given.
    pub name: String,
    /// What it is.
    pub form: Form,
    /// The type of what it returns, as written; empty behind a macro.
    pub returns: String,
    /// Its parameters, as written.
    pub parameters: Vec<String>,
    /// Where its name and parameters stand.
    pub range: Range<usize>,
    /// It is a template, or cannot be seen from other sources.
    pub is_private: bool,
}

/// How a function is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Form {
    /// As it is called.
    Function,
    /// `TORCH_IMPL_FUNC`, or what it stands for: a structured kernel.
    Impl,
    /// `TORCH_META_FUNC`, those with an overload or precomputed values, or what they stand for: a meta function.
    Meta,
}
