//! The definitions in a source.

use std::collections::BTreeSet;
use std::ops::Range;

/// The contents of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// The functions that it defines outside classes.
    pub definitions: Vec<Definition>,
    /// The functions that it only declares.
    pub declared: Vec<Definition>,
    /// The type aliases and the macros without parameters that it defines, with their meanings.
    pub aliases: Vec<(String, String)>,
    /// The words that it passes to macros outside functions, which may define functions of these
    /// names.
    pub mentioned: BTreeSet<String>,
    /// The names that it takes from other namespaces, and `namespace a` for all of one.
    pub usings: Vec<String>,
    /// The files that it includes by relative path.
    pub includes: Vec<String>,
}

/// A function that is defined outside classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its qualified name, such as `ns::native::foo`. For a structured kernel or meta function, the
    /// macro's argument.
    pub name: String,
    /// The form of its definition.
    pub form: DefinitionForm,
    /// Its return type, as written; empty for a macro.
    pub returns: String,
    /// Its parameters, as written.
    pub parameters: Vec<String>,
    /// The place of each parameter.
    pub parameter_ranges: Vec<Range<usize>>,
    /// The place of its name and parameters.
    pub range: Range<usize>,
    /// The place of its body with the braces; empty if it is only declared.
    pub body: Range<usize>,
    /// Whether it is a template, or invisible to other sources.
    pub is_private: bool,
    /// Whether it is in an unnamed namespace.
    pub is_unnamed: bool,
    /// Whether it is a template.
    pub is_template: bool,
}

/// How a function is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefinitionForm {
    /// Under its own name.
    Function,
    /// A structured kernel: `TORCH_IMPL_FUNC`, or its expansion.
    Impl,
    /// A meta function: `TORCH_META_FUNC`, its variants for overloads or precomputed values, or an
    /// expansion.
    Meta,
}
