//! An operator of PyTorch, as its declarations describe it.
//!
//! Invariant: plain data; `operators` and `declared` read it.

use crate::types::{parameter, result};
use torchgen_model::model::{Argument, FunctionSchema, SchemaKind};

/// A declaration.
#[derive(Debug, Clone)]
pub(crate) struct Operator {
    /// Its name without the overload.
    pub(crate) name: String,
    pub(crate) schema: FunctionSchema,
    /// PyTorch has no kernel that other backends can use.
    pub(crate) required: bool,
    /// PyTorch's only kernel calls other operators and has their derivatives.
    pub(crate) composite_implicit: bool,
    /// Lists of tensors have the type of structured kernels.
    pub(crate) structured: bool,
    /// Tensors that are written to are passed as constants.
    pub(crate) constant: bool,
    /// The operator without a kernel for tensors without data that PyTorch would call to find the
    /// sizes of its result in C++. Only native_functions.yaml shows it.
    pub(crate) meta_missing: Option<String>,
    /// The function in `at::native`, if there is one with the operator's own signature.
    pub(crate) native: Option<String>,
}

impl Operator {
    /// An operator with a kernel for every backend that only the dispatcher calls, as a generated
    /// variant.
    pub(crate) fn new(schema: FunctionSchema) -> Operator {
        Operator {
            name: schema.name.name.to_string(),
            schema,
            required: false,
            composite_implicit: false,
            structured: false,
            constant: false,
            meta_missing: None,
            native: None,
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn overload(&self) -> &str {
        &self.schema.name.overload_name
    }

    /// `add.Tensor`, or `relu` if the overload has no name.
    pub(crate) fn full_name(&self) -> String {
        self.schema.name.to_string()
    }

    /// `add_Tensor`, or `relu_default`: part of a C++ name.
    pub(crate) fn label(&self) -> String {
        let overload = if self.overload().is_empty() { "default" } else { self.overload() };
        format!("{}_{overload}", self.name())
    }

    /// What it does with its arguments. PyTorch calls an operator functional that mutates `self`
    /// and lacks the underscore, such as `set_data`.
    pub(crate) fn kind(&self) -> SchemaKind {
        match self.schema.kind() {
            SchemaKind::Functional if !self.schema.arguments.mutable_arg_names().is_empty() => SchemaKind::Mutable,
            SchemaKind::Scratch => SchemaKind::Out,
            kind => kind,
        }
    }

    /// The arguments that it reads, in order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Argument> {
        self.schema.arguments.flat_non_out()
    }

    /// The arguments after `*` that it writes to.
    pub(crate) fn outs(&self) -> impl Iterator<Item = &Argument> {
        self.schema.arguments.out.iter()
    }

    /// The C++ type of a parameter of its kernel.
    pub(crate) fn cpp_type(&self, argument: &Argument) -> String {
        parameter(argument, self.structured, self.constant)
    }

    /// The C++ type of its kernel's result.
    pub(crate) fn cpp_result(&self) -> String {
        let ty = result(&self.schema);
        if self.constant { ty.replace("at::Tensor &", "const at::Tensor &") } else { ty }
    }
}
