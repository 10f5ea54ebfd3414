//! An operator of PyTorch, as its declarations describe it.
//!
//! Invariant: plain data; `operators` reads it, `autogen` derives variants.

use super::types::{Kind, TorchSchema, parameter, result};
use torchgen_kit::schema::Parameter;

/// What an operator does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It returns new tensors or views.
    Functional,
    /// It writes to `self`.
    Inplace,
    /// It writes to `out`.
    Out,
    /// It writes to other arguments.
    Mutable,
}

/// A declaration.
#[derive(Debug, Clone)]
pub(super) struct Operator {
    pub(super) schema: TorchSchema,
    /// PyTorch has no kernel that other backends can use.
    pub(super) required: bool,
    /// PyTorch's only kernel calls other operators and has their derivatives.
    pub(super) composite_implicit: bool,
    /// Lists of tensors have the type of structured kernels.
    pub(super) structured: bool,
    /// Tensors that are written to are passed as constants.
    pub(super) constant: bool,
    /// PyTorch computes the sizes of its result in C++, from tensors without data. Only
    /// native_functions.yaml shows if it does not.
    pub(super) meta: bool,
    /// The function in `at::native`, if there is one with the operator's own signature.
    pub(super) native: Option<String>,
}

impl Operator {
    pub(super) fn name(&self) -> &str {
        &self.schema.name
    }

    pub(super) fn overload(&self) -> &str {
        self.schema.overload.as_ref().map_or("", |overload| overload.as_str())
    }

    /// `add.Tensor`, or `relu` if the overload has no name.
    pub(super) fn full_name(&self) -> String {
        match self.overload() {
            "" => self.name().to_owned(),
            overload => format!("{}.{overload}", self.name()),
        }
    }

    /// `add_Tensor`, or `relu_default`: part of a C++ name.
    pub(super) fn label(&self) -> String {
        let overload = if self.overload().is_empty() { "default" } else { self.overload() };
        format!("{}_{overload}", self.name())
    }

    pub(super) fn role(&self) -> Role {
        let is_written = |parameter: &Parameter<Kind>| parameter.ty.is_write();
        if self.schema.keyword_only().any(|parameter| is_written(parameter)) {
            return Role::Out;
        }
        let mut written = self.schema.parameters.iter().filter(|parameter| is_written(parameter)).peekable();
        let ends = self.name().ends_with('_') && !self.name().ends_with("__") || is_dunder_inplace(self.name());
        match written.peek() {
            None => Role::Functional,
            Some(first) if ends && first.name.as_str() == "self" => Role::Inplace,
            Some(_) => Role::Mutable,
        }
    }

    /// The arguments that it reads, in order.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Parameter<Kind>> {
        let arguments = self.schema.parameters.iter().map(|parameter| &parameter.value);
        arguments.filter(|parameter| !(parameter.keyword_only && parameter.ty.is_write()))
    }

    /// The arguments after `*` that it writes to.
    pub(super) fn outs(&self) -> impl Iterator<Item = &Parameter<Kind>> {
        self.schema.keyword_only().map(|parameter| &parameter.value).filter(|parameter| parameter.ty.is_write())
    }

    /// The C++ type of a parameter of its kernel.
    pub(super) fn cpp_type(&self, argument: &Parameter<Kind>) -> String {
        parameter(&argument.ty, self.structured, self.constant)
    }

    /// The C++ type of its kernel's result.
    pub(super) fn cpp_result(&self) -> String {
        let ty = result(&self.schema);
        if self.constant { ty.replace("at::Tensor &", "const at::Tensor &") } else { ty }
    }
}

fn is_dunder_inplace(name: &str) -> bool {
    name.starts_with("__i") && name.ends_with("__")
}
