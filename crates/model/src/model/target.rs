//! Properties of what is generated for. Code checks the property that it depends on, never which
//! program or layout this is.
//!
//! Invariant: the properties are decided only here. `generators::Namespaces` has names in C++.

use super::native_function::DEFAULT_KERNEL_NAMESPACE;
use super::{DispatchKey, NativeFunction, aten_keys};
use torchgen_base::diag::Severity;
use torchgen_kit::driver::data::Tables;

/// The namespace of PyTorch's own operators.
pub const ATEN: &str = "aten";

/// The language of entries and schema strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// What the reference accepts in `native_functions.yaml`, down to every space.
    ///
    /// The reference accidentally accepts some things that cannot work later; of these, only the
    /// harmless ones are accepted here. A default can be any word (it may name a C++ constant), and
    /// an overload can begin with a digit. Names that are not identifiers (`zz-zz`, `zz zz`,
    /// `1zz`), duplicate argument names, a return with a default and unbalanced quotes are errors:
    /// each would end in C++ that does not compile.
    Torchgen,
    /// What c10 accepts in `m.def("...")`, and the keys that only libraries have.
    C10,
}

/// The properties of what is generated for, and the facts about PyTorch.
#[derive(Debug, Clone, Copy)]
pub struct Target<'r> {
    /// The tables of the run.
    pub tables: &'r Tables,
    /// The language of entries and schema strings.
    pub language: Language,
    /// Keys that have kernels besides those of ATen.
    pub more_keys: &'r [DispatchKey],
    /// Keys that have structured kernels besides those of ATen.
    pub more_structured_keys: &'r [DispatchKey],
    /// Schemas may be those of another PyTorch than 2.15, with types that it has no longer.
    pub of_any_torch: bool,
    /// The namespace is part of an operator's identity.
    pub namespaces_distinguish: bool,
    /// The tables of names in `data/torch` decide what an operator does to its arguments and
    /// whether it is a view. Otherwise its schema and its entry decide, and names have no meaning.
    pub known_by_name: bool,
    /// A name of something that does not exist, or a key without effect, is an error. Otherwise it
    /// is a warning or accepted, as in the reference.
    pub refuses_what_has_no_effect: bool,
    /// A group of variants without a functional one or an out variant is an error.
    pub groups_are_complete: bool,
    /// Every view needs a copy variant.
    pub views_need_copies: bool,
    /// Every out= and inplace operator has the tag for it, whether or not its schema has the form
    /// that the tag promises.
    pub every_variant_is_tagged: bool,
    /// Arguments cannot have the names of Python's keywords.
    pub refuses_keywords: bool,
    /// Schemas that could not compile in C++ are errors, such as types that nodes cannot save.
    /// Otherwise the author's build finds them.
    pub refuses_what_cannot_compile: bool,
    /// The code is linked with libtorch, so formulas can use only what it exports.
    pub sees_exports_only: bool,
    /// Outside the namespace `at`, the names of its types must be qualified.
    pub outside_at: bool,
    /// The operators are defined here. Otherwise PyTorch defines them, and they only get kernels.
    pub defines_operators: bool,
    /// Meta functions take symbolic sizes. PyTorch's own do not.
    pub symbolic_meta_functions: bool,
    /// A view may have several outputs and any arguments. Otherwise it has the form of ATen's: one
    /// output, no optional lists.
    pub views_of_any_form: bool,
    /// Views are reversed by functional inverses, not by the strides of their base.
    pub has_view_inverses: bool,
    /// Kernels of mutable operators compute in the type of their out argument if `data/torch` says
    /// so.
    pub keeps_type_of_out: bool,
    /// The kernel of a structured inplace variant gets a tensor with the strides that its meta
    /// function requires, as that of an out variant does. PyTorch's gets `self`, whatever its
    /// strides, and then `self` gets the contents of the tensor that no kernel wrote.
    pub inplace_has_required_strides: bool,
    /// The other mutable arguments of an out= variant follow its out arguments and are copied back
    /// like them.
    pub writes_besides_out: bool,
    /// Each device's kernels are in a library of their own, with a macro of its own for export.
    pub libraries_by_device: bool,
    /// An operator's kernels may be in several namespaces.
    pub several_kernel_namespaces: bool,
    /// Forward formulas also look up the tangents of lists.
    pub lists_have_tangents: bool,
    /// Formulas for forward mode are used. Otherwise they are not even checked.
    pub forward_mode: bool,
    /// Python bindings are generated.
    pub has_bindings: bool,
    /// Messages in the generated code ask users to report issues to PyTorch.
    pub issues_go_to_pytorch: bool,
    /// Authors read and debug the generated code, so it reads like code that they write. Otherwise
    /// it has the reference's text.
    pub authors_read: bool,
}

impl<'r> Target<'r> {
    /// PyTorch itself.
    pub const fn pytorch(tables: &'r Tables) -> Target<'r> {
        Target {
            tables,
            language: Language::Torchgen,
            more_keys: &[],
            more_structured_keys: &[],
            of_any_torch: false,
            namespaces_distinguish: false,
            known_by_name: true,
            refuses_what_has_no_effect: false,
            groups_are_complete: true,
            views_need_copies: true,
            every_variant_is_tagged: true,
            refuses_keywords: true,
            refuses_what_cannot_compile: false,
            sees_exports_only: false,
            outside_at: false,
            defines_operators: true,
            symbolic_meta_functions: false,
            views_of_any_form: false,
            has_view_inverses: true,
            keeps_type_of_out: true,
            inplace_has_required_strides: false,
            writes_besides_out: false,
            libraries_by_device: true,
            several_kernel_namespaces: false,
            lists_have_tangents: false,
            forward_mode: true,
            has_bindings: true,
            issues_go_to_pytorch: true,
            authors_read: false,
        }
    }

    /// The operators of any PyTorch, to read and not to generate them.
    pub const fn any_torch(tables: &'r Tables) -> Target<'r> {
        Target { of_any_torch: true, groups_are_complete: false, ..Target::pytorch(tables) }
    }

    /// A library of operators outside PyTorch.
    pub const fn library(tables: &'r Tables) -> Target<'r> {
        Target {
            tables,
            language: Language::C10,
            more_keys: &[],
            more_structured_keys: &[],
            of_any_torch: false,
            namespaces_distinguish: true,
            known_by_name: false,
            refuses_what_has_no_effect: true,
            groups_are_complete: false,
            views_need_copies: false,
            every_variant_is_tagged: false,
            refuses_keywords: false,
            refuses_what_cannot_compile: true,
            sees_exports_only: true,
            outside_at: true,
            defines_operators: true,
            symbolic_meta_functions: true,
            views_of_any_form: true,
            has_view_inverses: false,
            keeps_type_of_out: false,
            inplace_has_required_strides: true,
            writes_besides_out: true,
            libraries_by_device: false,
            several_kernel_namespaces: true,
            lists_have_tangents: true,
            forward_mode: true,
            has_bindings: false,
            issues_go_to_pytorch: false,
            authors_read: true,
        }
    }

    /// Kernels for PyTorch's own operators in a library.
    pub const fn kernels(tables: &'r Tables) -> Target<'r> {
        Target { defines_operators: false, symbolic_meta_functions: false, ..Target::library(tables) }
    }

    /// Derivatives for PyTorch's own operators in a backend outside PyTorch.
    pub const fn backend(tables: &'r Tables) -> Target<'r> {
        Target {
            refuses_what_has_no_effect: true,
            refuses_what_cannot_compile: true,
            sees_exports_only: true,
            outside_at: true,
            has_bindings: false,
            issues_go_to_pytorch: false,
            ..Target::pytorch(tables)
        }
    }

    /// The target for a library's operators in a namespace.
    pub fn of_namespace(namespace: &str, tables: &'r Tables) -> Target<'r> {
        if namespace == ATEN { Target::kernels(tables) } else { Target::library(tables) }
    }

    /// The template of a fragment: the reference's text, or one that reads well.
    pub fn template(self, reference: &'static str, readable: &'static str) -> &'static str {
        if self.authors_read { readable } else { reference }
    }

    /// Whether ATen has kernels for a key.
    pub(crate) fn has_kernels_for(self, key: DispatchKey) -> bool {
        aten_keys::aten_key(key, self.tables).is_some() || self.more_keys.contains(&key)
    }

    /// Whether ATen has structured kernels for a key.
    pub(crate) fn has_structured_kernels_for(self, key: DispatchKey) -> bool {
        aten_keys::has_structured_kernels(key, self.tables) || self.more_structured_keys.contains(&key)
    }

    /// The namespace of an operator, if it is part of its identity.
    pub fn identity(self, f: &NativeFunction) -> Option<&str> {
        self.namespaces_distinguish.then_some(f.namespace.as_str())
    }

    /// PyTorch already has the operator, with its derivative.
    pub fn is_stock(self, f: &NativeFunction) -> bool {
        self.namespaces_distinguish && f.namespace == ATEN
    }

    /// The default namespace of a kernel, given the namespace of its operator.
    pub(crate) fn kernel_namespace(self, namespace: &str) -> String {
        if self.outside_at { format!("{namespace}::native") } else { DEFAULT_KERNEL_NAMESPACE.to_owned() }
    }

    /// The C++ namespace of an operator's functions.
    pub fn api_namespace(self, f: &NativeFunction) -> &str {
        if self.outside_at && f.namespace != ATEN { &f.namespace } else { "at" }
    }

    /// The severity of something without effect.
    pub fn severity_of_no_effect(self) -> Severity {
        if self.refuses_what_has_no_effect { Severity::Error } else { Severity::Warning }
    }
}
