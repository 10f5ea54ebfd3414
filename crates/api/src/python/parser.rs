//! The results of `PythonArgParser`: one expression per argument of a signature.
//!
//! Invariant: only methods of the parser's result are named. Rule: torchgen/api/python.py,
//! `arg_parser_unpack_method`.

use super::argument::PythonArgument;
use super::signature::PythonSignature;
use crate::error::{ApiError, Result};
use torchgen_model::codes::NO_PYTHON_TYPE;
use torchgen_model::model::{BaseTy, Type};

/// The value of the argument with that number: `_r.toBool(2)`.
pub fn output_expr(index: usize, argument: &PythonArgument<'_>) -> Result<String> {
    let init = argument.default_init.as_deref();
    let default = match (init, argument.default.as_deref()) {
        (Some(_), _) => ArgumentDefault::Computed,
        (None, default) => ArgumentDefault::Written(default),
    };
    let method = method(&argument.ty, default).map_err(|error| error.about(argument.name))?;
    Ok(match init {
        Some(init) => format!("_r.{method}({index}, {init})"),
        None => format!("_r.{method}({index})"),
    })
}

/// The values of all arguments, in order.
pub(crate) fn output_exprs(signature: &PythonSignature<'_>) -> Result<Vec<String>> {
    signature.arguments().enumerate().map(|(index, argument)| output_expr(index, argument)).collect()
}

/// Whether the argument with that number was not given.
pub(crate) fn is_none_expr(index: usize) -> String {
    format!("_r.isNone({index})")
}

/// The default of an argument.
#[derive(Clone, Copy)]
enum ArgumentDefault<'a> {
    /// That of the schema, if any.
    Written(Option<&'a str>),
    /// A value that the binding computes.
    Computed,
}

/// The method that takes a value of that type out of the parser's result.
fn method(ty: &Type, default: ArgumentDefault<'_>) -> Result<String> {
    let is_computed = matches!(default, ArgumentDefault::Computed);
    if is_computed && !takes_init(ty) {
        return Err(ApiError::new(&NO_PYTHON_TYPE, format!("Python bindings cannot give a `{ty}` a computed default")));
    }
    match ty {
        Type::Base(base) => {
            let name = of_base(*base).ok_or_else(|| unsupported(ty))?;
            Ok(if is_computed { format!("{name}WithDefault") } else { name.to_owned() })
        }
        Type::Optional(elem) => match &**elem {
            Type::Base(BaseTy::Tensor) => Ok("optionalTensor".to_owned()),
            Type::Base(BaseTy::Generator) => Ok("generator".to_owned()),
            Type::List(elem, _) if elem.is(BaseTy::Dimname) => Ok("toDimnameListOptional".to_owned()),
            elem if matches!(
                default,
                ArgumentDefault::Written(None | Some("None" | "::std::nullopt" | "std::nullopt"))
            ) =>
            {
                Ok(format!("{}Optional", method(elem, ArgumentDefault::Written(None))?))
            }
            // With a default there is always a value.
            elem => method(elem, default),
        },
        Type::List(elem, size) => match (&**elem, size) {
            (Type::Base(BaseTy::Tensor), Some(size)) => Ok(format!("tensorlist_n<{size}>")),
            (Type::Optional(inner), _) if inner.is(BaseTy::Tensor) => Ok("list_of_optional_tensors".to_owned()),
            (Type::Base(elem), _) => of_list(*elem).map(str::to_owned).ok_or_else(|| unsupported(ty)),
            _ => Err(unsupported(ty)),
        },
        Type::CustomClass(_) | Type::Dict(..) => Err(unsupported(ty)),
    }
}

fn takes_init(ty: &Type) -> bool {
    let elem = if let Type::Optional(elem) = ty { elem } else { ty };
    matches!(elem, Type::Base(BaseTy::ScalarType | BaseTy::Device | BaseTy::Layout | BaseTy::Bool))
}

fn of_base(base: BaseTy) -> Option<&'static str> {
    Some(match base {
        BaseTy::Tensor => "tensor",
        BaseTy::Stream => "stream",
        BaseTy::Storage => "storage",
        BaseTy::Scalar => "scalar",
        BaseTy::ScalarType => "scalartype",
        BaseTy::Device => "device",
        BaseTy::Int | BaseTy::DeviceIndex => "toInt64",
        BaseTy::SymInt => "toSymInt",
        BaseTy::Bool => "toBool",
        BaseTy::Float => "toDouble",
        BaseTy::Str => "stringView",
        BaseTy::Layout => "layout",
        BaseTy::MemoryFormat => "memoryformat",
        BaseTy::Dimname => "dimname",
        _ => return None,
    })
}

fn of_list(elem: BaseTy) -> Option<&'static str> {
    Some(match elem {
        BaseTy::Tensor => "tensorlist",
        BaseTy::Int => "intlist",
        BaseTy::Float => "doublelist",
        BaseTy::SymInt => "symintlist",
        BaseTy::Scalar => "scalarlist",
        BaseTy::Dimname => "dimnamelist",
        _ => return None,
    })
}

fn unsupported(ty: &Type) -> ApiError {
    ApiError::new(&NO_PYTHON_TYPE, format!("Python's argument parser does not support the type `{ty}`"))
}
