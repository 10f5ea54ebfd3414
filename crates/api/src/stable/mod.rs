//! Functions and kernels on libtorch's stable ABI: their types and defaults.
//!
//! Invariant: a parameter's type converts from what callers have (braced lists, vectors, literals),
//! and holds nothing after the call. Kernels have the same shape as those of
//! [`native`](super::native), with the classes of torch/csrc/stable. The reference has no such
//! convention. Values are not translated to those of others, so a parameter is not a
//! [`Binding`](super::Binding).

mod default;
mod types;

use std::fmt;

pub use default::default;
pub use types::StableType;

use torchgen_model::model::{Argument, BaseTy, FunctionSchema, NativeFunction, Return, Type};

/// The type of a function's parameter.
pub fn argument_type(ty: &Type) -> StableType {
    match ty {
        Type::Base(BaseTy::Tensor | BaseTy::Generator) => value_type(ty).const_ref(),
        Type::Optional(elem) => match &**elem {
            Type::Base(BaseTy::Tensor | BaseTy::Generator) => value_type(ty).const_ref(),
            Type::List(elem, _) => value_type(elem).optional_array_ref(),
            elem => argument_type(elem).optional(),
        },
        Type::List(elem, _) => value_type(elem).array_ref(),
        ty => value_type(ty),
    }
}

/// The type of a value that is passed on, or of an element of a list.
fn value_type(ty: &Type) -> StableType {
    match ty {
        Type::Base(base) => match base {
            BaseTy::Int | BaseTy::SymInt | BaseTy::DeviceIndex => StableType::Int,
            BaseTy::Float => StableType::Double,
            BaseTy::Bool => StableType::Bool,
            BaseTy::Str => StableType::StringView,
            class => StableType::Class(*class),
        },
        Type::Optional(elem) => value_type(elem).optional(),
        Type::List(elem, _) => value_type(elem).vector(),
        Type::CustomClass(class) => StableType::Refused(class.clone()),
        Type::Dict(..) => StableType::Refused("Dict".to_owned()),
    }
}

/// What a kernel's parameter is without reference.
pub fn held_type(ty: &Type) -> StableType {
    argument_type(ty).without_const_ref()
}

/// The type of a result. Its strings own their text.
fn result_type(ty: &Type) -> StableType {
    value_type(ty).owning_strings()
}

/// The types of an operator's results.
pub fn result_types(schema: &FunctionSchema) -> Vec<StableType> {
    schema.returns.iter().map(|ret| result_type(&ret.ty)).collect()
}

/// The type that a function returns.
pub fn returns_type(schema: &FunctionSchema) -> StableType {
    StableType::of_results(result_types(schema))
}

/// Whether libtorch returns the results of an operator as they are, when C++ calls it.
///
/// `torch_call_dispatcher` takes results from the end of the stack, and their types from the start
/// of the schema (torch/csrc/shim_common.cpp, in all versions up to 2.15). So the types must be the
/// same in both directions.
pub fn has_readable_results(schema: &FunctionSchema) -> bool {
    let types = result_types(schema);
    types.iter().eq(types.iter().rev())
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Parameter {
    ty: StableType,
    name: String,
}

impl Parameter {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.ty, self.name)
    }
}

impl serde::Serialize for Parameter {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The parameters and the result of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct KernelSignature {
    /// What it returns.
    pub returns: StableType,
    /// Its parameters, in the order of the schema.
    pub parameters: Vec<Parameter>,
}

impl KernelSignature {
    /// That of a kernel which is registered for an operator.
    pub fn registered(schema: &FunctionSchema) -> KernelSignature {
        KernelSignature {
            returns: StableType::of_results(schema.returns.iter().map(kernel_result_type).collect()),
            parameters: parameters(schema, kernel_argument_type),
        }
    }

    /// That of the author's kernel for an operator. A structured one writes outputs that exist.
    pub fn written(f: &NativeFunction) -> KernelSignature {
        match f.structured {
            true => KernelSignature {
                returns: StableType::Void,
                parameters: parameters(&f.func, |argument| argument_type(&argument.ty)),
            },
            false => KernelSignature::registered(&f.func),
        }
    }

    /// The declaration under a name.
    pub fn decl_as(&self, name: &str) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(Parameter::to_string).collect();
        format!("{} {name}({})", self.returns, parameters.join(", "))
    }
}

fn parameters(schema: &FunctionSchema, of: impl Fn(&Argument) -> StableType) -> Vec<Parameter> {
    schema.schema_order_arguments().map(|a| Parameter { ty: of(a), name: a.name.clone() }).collect()
}

/// The type of a kernel's parameter.
fn kernel_argument_type(argument: &Argument) -> StableType {
    let tensor = Type::Base(BaseTy::Tensor);
    let is_tensor = match &argument.ty {
        Type::Optional(elem) => **elem == tensor,
        ty => *ty == tensor,
    };
    match argument.is_mutable_reference() && is_tensor {
        true => value_type(&argument.ty).mut_ref(),
        false => argument_type(&argument.ty),
    }
}

/// The type of a kernel's result.
fn kernel_result_type(ret: &Return) -> StableType {
    match ret.is_write() && ret.ty == Type::Base(BaseTy::Tensor) {
        true => result_type(&ret.ty).mut_ref(),
        false => result_type(&ret.ty),
    }
}
