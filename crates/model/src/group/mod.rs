//! Groups: the functional, inplace, out and mutable variants of one operator; and a view with its
//! copy and inplace forms.
//!
//! Invariant: the members of a group have the same signature, and each has the kind of its place.
//! Rule: torchgen/model.py, `NativeFunctionsGroup` and `NativeFunctionsViewGroup`.

mod check;
pub mod deprecated;
mod form;
mod index;
mod pre_group;
mod schema_variants;
pub mod variants;
mod view;

pub use check::check_operators;
pub use form::{group, group_any};
pub use index::Variants;
pub use schema_variants::{functional_schema, out_schema};
pub use view::{by_view, gets_generated_view_copy, view_copy_name, view_groups};

use crate::model::NativeFunction;
use crate::model::native_function::{BackendIndex, BackendMetadata};

/// Functional and out variant, and the inplace and mutable variants if they exist.
///
/// A group may not be structured; see `structured`.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct NativeFunctionsGroup<'a> {
    pub functional: &'a NativeFunction,
    pub inplace: Option<&'a NativeFunction>,
    pub mutable: Option<&'a NativeFunction>,
    pub out: &'a NativeFunction,
}

impl<'a> NativeFunctionsGroup<'a> {
    /// The group has a meta function and one implementation per key.
    pub fn structured(&self) -> bool {
        self.out.structured
    }

    /// The members: functional, out, inplace, mutable.
    pub fn functions(&self) -> impl Iterator<Item = &'a NativeFunction> + use<'a> {
        [Some(self.functional), Some(self.out), self.inplace, self.mutable].into_iter().flatten()
    }

    /// The base name of its files.
    pub fn root_name(&self) -> &'a str {
        self.functional.root_name()
    }

    /// The member that a backend implements; the others are made from it.
    pub(crate) fn primary(&self, backend: &BackendIndex) -> &'a NativeFunction {
        if backend.use_out_as_primary { self.out } else { self.functional }
    }

    /// The kernel of the primary member.
    pub fn get_kernel<'b>(&self, backend: &'b BackendIndex) -> Option<&'b BackendMetadata> {
        backend.get_kernel(self.primary(backend))
    }

    /// A backend with a functional kernel but none for this variant gets a wrapper around the
    /// functional one.
    ///
    /// Rule: torchgen/model.py, `gets_generated_out_inplace_wrapper`.
    pub fn gets_generated_out_inplace_wrapper(&self, f: &NativeFunction, backend: &BackendIndex) -> bool {
        f.func.kind() != crate::model::SchemaKind::Functional
            && !backend.has_kernel(f)
            && backend.has_kernel(self.functional)
    }
}

/// A single operator or a group.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Grouped<'a> {
    Function(&'a NativeFunction),
    Group(NativeFunctionsGroup<'a>),
}

impl<'a> Grouped<'a> {
    /// The base name of its files.
    pub fn root_name(&self) -> &'a str {
        match self {
            Grouped::Function(f) => f.root_name(),
            Grouped::Group(g) => g.root_name(),
        }
    }

    /// The operator namespace.
    pub fn namespace(&self) -> &'a str {
        match self {
            Grouped::Function(f) => &f.namespace,
            Grouped::Group(g) => &g.functional.namespace,
        }
    }

    /// The kernel of the operator, or of the group's primary member.
    pub fn get_kernel<'b>(&self, backend: &'b BackendIndex) -> Option<&'b BackendMetadata> {
        match self {
            Grouped::Function(f) => backend.get_kernel(f),
            Grouped::Group(g) => g.get_kernel(backend),
        }
    }

    /// All operators in it.
    pub fn functions(&self) -> Vec<&'a NativeFunction> {
        match self {
            Grouped::Function(f) => vec![f],
            Grouped::Group(g) => g.functions().collect(),
        }
    }
}

/// The groups among them, in order.
pub fn groups<'a>(grouped: &[Grouped<'a>]) -> Vec<NativeFunctionsGroup<'a>> {
    let group = |g: &Grouped<'a>| match g {
        Grouped::Group(group) => Some(*group),
        Grouped::Function(_) => None,
    };
    grouped.iter().filter_map(group).collect()
}

/// A view operator with its copy and its inplace form.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct NativeFunctionsViewGroup<'a> {
    pub view: &'a NativeFunction,
    pub view_copy: Option<&'a NativeFunction>,
    pub view_inplace: Option<&'a NativeFunction>,
}

impl<'a> NativeFunctionsViewGroup<'a> {
    /// The members: view, inplace, copy.
    pub fn functions(&self) -> impl Iterator<Item = &'a NativeFunction> + use<'a> {
        self.without_copy().chain(self.view_copy)
    }

    /// The members except the copy.
    pub fn without_copy(&self) -> impl Iterator<Item = &'a NativeFunction> + use<'a> {
        std::iter::once(self.view).chain(self.view_inplace)
    }

    /// The base name of its files.
    pub fn root_name(&self) -> &'a str {
        self.view.root_name()
    }

    /// The view decomposes into other operators.
    pub fn composite(&self) -> bool {
        self.view.has_composite_implicit_autograd_kernel
    }
}
