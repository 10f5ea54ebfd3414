//! Function schemas: `name.overload(arguments) -> returns`, as data.
//!
//! Invariant: `Display` gives back the very text a schema was parsed from. Deliberately absent: files, spans, C++.
//! Rule: torchgen/model.py, `FunctionSchema` and below.

use super::name::OperatorName;
use super::types::{Annotation, Type};

/// One argument of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its type, without the annotation.
    pub ty: Type,
    /// The default as written.
    pub default: Option<String>,
    /// The alias annotation of its tensor.
    pub annotation: Option<Annotation>,
}

/// One return of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Return {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type, without the annotation.
    pub ty: Type,
    /// The alias annotation of its tensor.
    pub annotation: Option<Annotation>,
}

/// The four arguments that make up a `TensorOptions` in C++.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorOptionsArguments {
    /// `ScalarType? dtype`
    pub dtype: Argument,
    /// `Layout? layout`
    pub layout: Argument,
    /// `Device? device`
    pub device: Argument,
    /// `bool? pin_memory`
    pub pin_memory: Argument,
}

/// The arguments of a schema, sorted by role.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Arguments {
    /// Positional arguments before `self` (as in `where.self`).
    pub pre_self_positional: Vec<Argument>,
    /// The argument named `self`.
    pub self_arg: Option<Argument>,
    /// Positional arguments after `self`, or all of them when there is no `self`.
    pub post_self_positional: Vec<Argument>,
    /// Keyword-only arguments before the tensor options.
    pub pre_tensor_options_kwarg_only: Vec<Argument>,
    /// The tensor options.
    pub tensor_options: Option<TensorOptionsArguments>,
    /// Keyword-only arguments after the tensor options.
    pub post_tensor_options_kwarg_only: Vec<Argument>,
    /// Keyword-only arguments that are written.
    pub out: Vec<Argument>,
}

/// An argument as C++ APIs see it: tensor options may be gathered into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentRef<'a> {
    /// A plain argument.
    Arg(&'a Argument),
    /// The argument named `self`.
    SelfArg(&'a Argument),
    /// The tensor options, gathered.
    TensorOptions(&'a TensorOptionsArguments),
}

/// A whole schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionSchema {
    /// Name and overload.
    pub name: OperatorName,
    /// Arguments by role.
    pub arguments: Arguments,
    /// Returns in order.
    pub returns: Vec<Return>,
}

/// What kind of variant a schema is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SchemaKind {
    /// Returns fresh outputs.
    Functional,
    /// Writes `self`.
    Inplace,
    /// Writes keyword-only out arguments.
    Out,
    /// Writes positional arguments other than `self`.
    Mutable,
    /// An out variant with `_scratch_` arguments.
    Scratch,
}
