//! The C++ types and defaults of functions and kernels on the stable ABI.
//!
//! Invariant: a parameter's type converts from what callers have (braced lists, vectors, literals),
//! and holds nothing after the call. Kernels have the same shape as those of
//! [`native`](super::native), with the classes of torch/csrc/stable.

use crate::{braced, cpp_string};
use torchgen_model::model::{Argument, BaseTy, FunctionSchema, NativeFunction, Return, Type};

/// The type of a parameter.
pub fn parameter(ty: &Type) -> String {
    match ty {
        Type::Base(BaseTy::Tensor) => "const Tensor&".to_owned(),
        Type::Base(BaseTy::Generator) => "const Generator&".to_owned(),
        Type::Optional(elem) => match &**elem {
            Type::Base(BaseTy::Tensor | BaseTy::Generator) => ["const ", &value(ty), "&"].concat(),
            Type::List(elem, _) => format!("OptionalArrayRef<{}>", value(elem)),
            elem => format!("::std::optional<{}>", parameter(elem)),
        },
        Type::List(elem, _) => format!("ArrayRef<{}>", value(elem)),
        ty => value(ty),
    }
}

/// The type of a result, or of an element of a list.
pub fn value(ty: &Type) -> String {
    match ty {
        Type::Base(base) => base_type(*base).to_owned(),
        Type::Optional(elem) => format!("::std::optional<{}>", value(elem)),
        Type::List(elem, _) => format!("::std::vector<{}>", value(elem)),
        // Never selected.
        Type::CustomClass(class) => class.clone(),
        Type::Dict(..) => "Dict".to_owned(),
    }
}

fn base_type(base: BaseTy) -> &'static str {
    match base {
        BaseTy::Int | BaseTy::SymInt | BaseTy::DeviceIndex => "int64_t",
        BaseTy::Float => "double",
        BaseTy::Bool => "bool",
        BaseTy::Str => "::std::string_view",
        // The others are classes with the name of the schema's type.
        other => other.as_str(),
    }
}

/// The type of a result. Strings are owned.
pub fn result(ty: &Type) -> String {
    value(ty).replace("::std::string_view", "::std::string")
}

/// Whether libtorch returns the results of an operator as they are, when C++ calls it.
///
/// `torch_call_dispatcher` takes results from the end of the stack, and their types from the start
/// of the schema (torch/csrc/shim_common.cpp, in all versions up to 2.15). So the types must be the
/// same in both directions.
pub fn has_readable_results(schema: &FunctionSchema) -> bool {
    let types: Vec<String> = schema.returns.iter().map(|ret| result(&ret.ty)).collect();
    types.iter().eq(types.iter().rev())
}

/// The type of a kernel's parameter.
fn kernel_parameter(argument: &Argument) -> String {
    if !argument.is_mutable_reference() {
        return parameter(&argument.ty);
    }
    match &argument.ty {
        Type::Base(BaseTy::Tensor) => "Tensor&".to_owned(),
        Type::Optional(elem) if **elem == Type::Base(BaseTy::Tensor) => "::std::optional<Tensor>&".to_owned(),
        ty => parameter(ty),
    }
}

/// The parameters of a kernel, with their names.
pub fn kernel_parameters(schema: &FunctionSchema) -> Vec<String> {
    let parameter = |argument| format!("{} {}", kernel_parameter(argument), argument.name);
    schema.schema_order_arguments().map(parameter).collect()
}

/// The parameters of a structured kernel, which writes outputs that exist.
fn structured_parameters(schema: &FunctionSchema) -> Vec<String> {
    let parameter = |argument: &Argument| format!("{} {}", parameter(&argument.ty), argument.name);
    schema.schema_order_arguments().map(parameter).collect()
}

/// What the author's kernel for an operator returns, and its parameters.
pub fn kernel_signature(f: &NativeFunction) -> (String, Vec<String>) {
    match f.structured {
        true => ("void".to_owned(), structured_parameters(&f.func)),
        false => (kernel_returns(&f.func), kernel_parameters(&f.func)),
    }
}

/// What a kernel's parameter is without reference.
pub fn held(ty: &Type) -> String {
    let parameter = parameter(ty);
    let bare = parameter.strip_prefix("const ").and_then(|rest| rest.strip_suffix('&'));
    bare.unwrap_or(&parameter).to_owned()
}

/// The type that a kernel returns.
pub fn kernel_returns(schema: &FunctionSchema) -> String {
    let types: Vec<String> = schema.returns.iter().map(kernel_return).collect();
    match types.as_slice() {
        [] => "void".to_owned(),
        [one] => one.clone(),
        several => format!("::std::tuple<{}>", several.join(", ")),
    }
}

fn kernel_return(ret: &Return) -> String {
    let writes_tensor = ret.is_write() && ret.ty == Type::Base(BaseTy::Tensor);
    if writes_tensor { "Tensor&".to_owned() } else { result(&ret.ty) }
}

/// The default of a parameter as an expression, if it has one.
pub fn default(argument: &Argument) -> Option<String> {
    Some(expression(argument.default.as_deref()?, &argument.ty))
}

fn expression(default: &str, ty: &Type) -> String {
    match ty {
        Type::Optional(_) if default == "None" => "::std::nullopt".to_owned(),
        Type::Optional(elem) => expression(default, elem),
        Type::List(elem, size) => {
            let inside = default.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            let items: Vec<String> = match (inside, size) {
                (Some(""), _) => Vec::new(),
                (Some(inside), _) => inside.split(',').map(|item| expression(item.trim(), elem)).collect(),
                // A single value is every element of a list with a size.
                (None, size) => vec![expression(default, elem); size.unwrap_or(1) as usize],
            };
            braced(&items.join(", "))
        }
        Type::Base(base) => word(default, *base),
        Type::CustomClass(_) | Type::Dict(..) => default.to_owned(),
    }
}

fn word(default: &str, base: BaseTy) -> String {
    match (base, default) {
        (BaseTy::Bool, "True") => "true".to_owned(),
        (BaseTy::Bool, "False") => "false".to_owned(),
        // The values of at::Reduction.
        (_, "Mean") => "1".to_owned(),
        (_, "Sum") => "2".to_owned(),
        (BaseTy::ScalarType, "long") => "ScalarType::Long".to_owned(),
        (BaseTy::MemoryFormat, "contiguous_format") => "MemoryFormat::Contiguous".to_owned(),
        (BaseTy::Str, quoted) => cpp_string(&unquoted(quoted)),
        _ => default.to_owned(),
    }
}

/// The text of a string in a schema.
fn unquoted(quoted: &str) -> String {
    let inside = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    let mut text = String::new();
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    text
}
