//! AOTInductor's C shims: plain C functions that take handles, numbers and pointers, and write
//! their results through pointers.
//!
//! Invariant: a parameter of the schema becomes one C parameter, or two: a device is a type and an
//! index, a list a pointer and a length. An optional adds one pointer. Rule:
//! torchgen/gen_aoti_c_shim.py.

use super::error::{ApiError, BAD_SHAPE, Result, UNSUPPORTED_RETURN, UNSUPPORTED_TYPE};
use torchgen_model::model::{Argument, BaseTy, Return, Type};

/// A parameter of a C function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its C type.
    pub ty: String,
    /// Its name.
    pub name: String,
}

impl std::fmt::Display for Parameter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.ty, self.name)
    }
}

/// An argument of the schema in C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShimArgument {
    /// Its parameters in the C function's signature.
    pub parameters: Vec<Parameter>,
    /// The expression that makes the C++ argument from them.
    pub expr: String,
}

/// A result of the schema in C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShimReturn {
    /// The type of the output pointer.
    pub parameter: Parameter,
    /// The expression that makes the C value from the C++ one.
    pub expr: String,
}

/// The C form of an argument.
///
/// # Errors
/// [`UNSUPPORTED_TYPE`] for a type without a C form, so the operator gets no shim; another code for
/// a type that C cannot express.
pub fn argument(a: &Argument) -> Result<ShimArgument> {
    let access = if a.is_write() { Access::Writes } else { Access::Reads };
    argument_of_type(&a.ty, &a.name, access).map_err(|error| error.about(&a.name))
}

/// What the operator does with an argument.
#[derive(Clone, Copy, PartialEq)]
enum Access {
    Reads,
    Writes,
}

fn argument_of_type(ty: &Type, name: &str, access: Access) -> Result<ShimArgument> {
    match ty {
        Type::Base(base) => base_argument(*base, name, access),
        Type::Optional(elem) => {
            let mut argument = argument_of_type(elem, name, Access::Reads)?;
            // Only the first can be absent; an index or a length beside it then has no meaning.
            if let Some(first) = argument.parameters.first_mut() {
                first.ty.push('*');
            }
            let names = names(&argument);
            argument.expr = match &**elem {
                Type::List(inner, _) => format!("pointer_to_optional_list<{}>({names})", cpp_type(inner)?),
                Type::Base(BaseTy::Device) => format!("pointer_to_optional_device({names})"),
                Type::Base(BaseTy::Tensor) => format!("resolve_tensor_dispatch_flags({names})"),
                elem => format!("pointer_to_optional<{}>({name})", cpp_type(elem)?),
            };
            Ok(argument)
        }
        Type::List(elem, size) => {
            let mut argument = argument_of_type(elem, name, Access::Reads)?;
            let [parameter] = argument.parameters.as_mut_slice() else {
                return Err(ApiError::new(
                    &BAD_SHAPE,
                    format!("a C shim cannot take a `{ty}`, whose elements are pairs in C"),
                ));
            };
            parameter.ty = format!("const {}*", parameter.ty);
            argument.parameters.push(Parameter { ty: "int64_t".to_owned(), name: format!("{name}_len_") });
            let names = names(&argument);
            argument.expr = match (&**elem, size) {
                (Type::Base(BaseTy::Bool), Some(size)) => format!("pointer_to_list<{size}>({name})"),
                (Type::Base(BaseTy::Bool), None) => {
                    return Err(ApiError::new(&BAD_SHAPE, "a list of `bool` needs a size, as in `bool[3]`"));
                }
                (Type::Base(BaseTy::Tensor), _) if access == Access::Reads => {
                    format!("resolve_tensor_list_dispatch_flags({names})")
                }
                (Type::Optional(tensor), _) if tensor.is(BaseTy::Tensor) => {
                    let elem = cpp_type(elem)?;
                    format!("c10::List<{elem}>(c10::ArrayRef<{elem}>(resolve_tensor_list_dispatch_flags({names})))")
                }
                (elem, _) => format!("pointer_to_list<{}>({names})", cpp_type(elem)?),
            };
            Ok(argument)
        }
        Type::CustomClass(_) | Type::Dict(..) => Err(unsupported(ty)),
    }
}

/// The names of all parameters, as arguments.
fn names(argument: &ShimArgument) -> String {
    argument.parameters.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn base_argument(base: BaseTy, name: &str, access: Access) -> Result<ShimArgument> {
    let parameter = |ty: &str, name: String| Parameter { ty: ty.to_owned(), name };
    if base == BaseTy::Device {
        let index = format!("{name}_index_");
        let kind = format!("static_cast<c10::DeviceType>({name})");
        let expr = format!("{}({kind}, static_cast<c10::DeviceIndex>({index}))", cpp_type(&Type::DEVICE)?);
        return Ok(ShimArgument {
            parameters: vec![parameter("int32_t", name.to_owned()), parameter("int32_t", index)],
            expr,
        });
    }
    let ty = Type::Base(base);
    let parameters = vec![parameter(c_type(base).ok_or_else(|| unsupported(&ty))?, name.to_owned())];
    let expr = match base {
        // A mutable argument must not be a copy.
        BaseTy::Tensor if access == Access::Writes => format!("*tensor_handle_to_tensor_pointer({name})"),
        BaseTy::Tensor => format!("resolve_tensor_dispatch_flags({name})"),
        BaseTy::Generator => format!("*generator_handle_to_generator_pointer({name})"),
        BaseTy::DeviceIndex | BaseTy::Layout | BaseTy::MemoryFormat | BaseTy::ScalarType => {
            format!("static_cast<{}>({name})", cpp_type(&ty)?)
        }
        _ => name.to_owned(),
    };
    Ok(ShimArgument { parameters, expr })
}

/// The C form of the results of a call, of which `call` is the value.
///
/// # Errors
/// As for [`argument`], with [`UNSUPPORTED_RETURN`] in the first case.
pub fn returns(returns: &[Return], call: &str) -> Result<Vec<ShimReturn>> {
    let result = |(index, ret): (usize, &Return)| {
        let (base, ty) = match ret.ty {
            Type::Base(base) => c_type(base).map(|ty| (base, ty)),
            _ => None,
        }
        .ok_or_else(|| {
            ApiError::new(&UNSUPPORTED_RETURN, format!("a C shim cannot have a result of type `{}`", ret.ty))
        })?;
        let value = if returns.len() == 1 { call.to_owned() } else { format!("std::get<{index}>({call})") };
        let expr = match base {
            BaseTy::Tensor => format!("new_tensor_handle(std::move({value}))"),
            BaseTy::SymInt => format!("{value}.expect_int()"),
            BaseTy::Scalar => format!("{value}.toDouble()"),
            _ => value,
        };
        Ok(ShimReturn { parameter: Parameter { ty: format!("{ty}*"), name: format!("ret{index}") }, expr })
    };
    returns.iter().enumerate().map(result).collect()
}

fn unsupported(ty: &Type) -> ApiError {
    ApiError::new(&UNSUPPORTED_TYPE, format!("a C shim cannot take a `{ty}`"))
}

/// The C type of a single C value.
fn c_type(base: BaseTy) -> Option<&'static str> {
    Some(match base {
        BaseTy::Tensor => "AtenTensorHandle",
        BaseTy::Generator => "AtenGeneratorHandle",
        BaseTy::Bool | BaseTy::DeviceIndex | BaseTy::Layout | BaseTy::MemoryFormat | BaseTy::ScalarType => "int32_t",
        BaseTy::Int | BaseTy::SymInt => "int64_t",
        BaseTy::Float | BaseTy::Scalar => "double",
        BaseTy::Str => "const char*",
        _ => return None,
    })
}

/// The C++ type that the pointer of an optional or a list is converted to.
fn cpp_type(ty: &Type) -> Result<String> {
    let base = match ty {
        Type::Base(base) => base,
        Type::Optional(elem) => return Ok(format!("::std::optional<{}>", cpp_type(elem)?)),
        Type::List(elem, _) => return Ok(format!("c10::ArrayRef<{}>", cpp_type(elem)?)),
        Type::CustomClass(_) | Type::Dict(..) => return Err(unsupported(ty)),
    };
    Ok(match base {
        BaseTy::Tensor => "at::Tensor",
        BaseTy::Generator => "at::Generator",
        BaseTy::Bool => "bool",
        BaseTy::Int => "int64_t",
        BaseTy::SymInt => "c10::SymInt",
        BaseTy::Float => "double",
        BaseTy::Scalar => "c10::Scalar",
        BaseTy::Str => "::std::string_view",
        BaseTy::Device => "c10::Device",
        BaseTy::DeviceIndex => "c10::DeviceIndex",
        BaseTy::Layout => "c10::Layout",
        BaseTy::MemoryFormat => "c10::MemoryFormat",
        BaseTy::ScalarType => "c10::ScalarType",
        _ => return Err(unsupported(ty)),
    }
    .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_model::model::Language;
    use torchgen_model::parse;

    fn check(schema: &str, expected: &str) {
        let parsed = parse::schema::argument(schema, Language::Torchgen).unwrap();
        let shown = match argument(&parsed) {
            Ok(ShimArgument { parameters, expr }) => {
                let parameters: Vec<String> = parameters.iter().map(Parameter::to_string).collect();
                format!("{} -> {expr}", parameters.join(", "))
            }
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn arguments() {
        check("Tensor x", "AtenTensorHandle x -> resolve_tensor_dispatch_flags(x)");
        check("Tensor(a!) x", "AtenTensorHandle x -> *tensor_handle_to_tensor_pointer(x)");
        check("Tensor? x", "AtenTensorHandle* x -> resolve_tensor_dispatch_flags(x)");
        check(
            "Tensor[] x",
            "const AtenTensorHandle* x, int64_t x_len_ -> resolve_tensor_list_dispatch_flags(x, x_len_)",
        );
        check("Tensor(a!)[] x", "const AtenTensorHandle* x, int64_t x_len_ -> pointer_to_list<at::Tensor>(x, x_len_)");
        check(
            "Tensor?[] x",
            "const AtenTensorHandle** x, int64_t x_len_ -> c10::List<::std::optional<at::Tensor>>(\
             c10::ArrayRef<::std::optional<at::Tensor>>(resolve_tensor_list_dispatch_flags(x, x_len_)))",
        );
        check("bool x", "int32_t x -> x");
        check("bool[3] x", "const int32_t* x, int64_t x_len_ -> pointer_to_list<3>(x)");
        check("SymInt x", "int64_t x -> x");
        check("SymInt[]? x", "const int64_t** x, int64_t x_len_ -> pointer_to_optional_list<c10::SymInt>(x, x_len_)");
        check("Scalar? x", "double* x -> pointer_to_optional<c10::Scalar>(x)");
        check("str? x", "const char** x -> pointer_to_optional<::std::string_view>(x)");
        check("ScalarType x", "int32_t x -> static_cast<c10::ScalarType>(x)");
        check("Generator? x", "AtenGeneratorHandle* x -> pointer_to_optional<at::Generator>(x)");
        check(
            "Device x",
            "int32_t x, int32_t x_index_ -> c10::Device(static_cast<c10::DeviceType>(x), static_cast<c10::DeviceIndex>(x_index_))",
        );
        check("Device? x", "int32_t* x, int32_t x_index_ -> pointer_to_optional_device(x, x_index_)");
        check("Storage x", "TG0511: argument `x`: a C shim cannot take a `Storage`");
        check("Stream? x", "TG0511: argument `x`: a C shim cannot take a `Stream`");
        check("Device[] x", "TG0515: argument `x`: a C shim cannot take a `Device[]`, whose elements are pairs in C");
        check("bool[] x", "TG0515: argument `x`: a list of `bool` needs a size, as in `bool[3]`");
    }
}
