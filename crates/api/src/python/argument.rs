//! Arguments of Python signatures.
//!
//! Invariant: an argument has its Python default already. Types of stubs are in `pyi`. Rule:
//! torchgen/api/python.py, `PythonArgument` and `PythonOutArgument`.

use std::borrow::Cow;

use super::default::{or_none, python_default};
use super::types::parser_type;
use crate::error::{ApiError, Result};
use torchgen_model::codes::NO_PYTHON_TYPE;
use torchgen_model::model::{Argument, Type};

/// How Python calls an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PythonCallable {
    /// As a function, `self` included.
    Function,
    /// As a method of `Tensor`.
    Method,
}

/// An argument of a Python call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonArgument<'a> {
    /// Its name in the schema.
    pub name: &'a str,
    /// Its type.
    pub ty: Cow<'a, Type>,
    /// Its default in the signature string.
    pub default: Option<Cow<'a, str>>,
    /// The C++ expression for an argument that the caller omits, where a constant is not enough.
    pub default_init: Option<Cow<'a, str>>,
}

/// The argument `out`, which contains the out arguments of an out variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonOut<'a> {
    /// The single argument in Python.
    pub argument: PythonArgument<'a>,
    /// The C++ arguments that it is split into.
    pub outputs: Vec<&'a str>,
}

impl<'a> PythonArgument<'a> {
    /// The argument for an argument of a schema.
    pub fn from_schema_argument(argument: &'a Argument) -> Result<PythonArgument<'a>> {
        Ok(PythonArgument {
            name: &argument.name,
            ty: Cow::Borrowed(&argument.ty),
            default: python_default(argument)?,
            default_init: None,
        })
    }

    /// One of the arguments for tensor options.
    pub(super) fn option(name: &'static str, elem: Type, default: &'static str, init: Option<Cow<'a, str>>) -> Self {
        PythonArgument {
            name,
            ty: Cow::Owned(elem.optional()),
            default: Some(Cow::Borrowed(default)),
            default_init: init,
        }
    }

    /// `type name=default`, as in signature strings.
    pub fn formal(&self, callable: PythonCallable) -> Result<String> {
        Ok(match self.parts(callable)? {
            (ty, name, Some(default)) => format!("{ty} {name}={default}"),
            (ty, name, None) => format!("{ty} {name}"),
        })
    }

    /// Its type, its name and its default, as in signature strings.
    pub(super) fn parts(&self, callable: PythonCallable) -> Result<(String, &str, Option<&str>)> {
        let ty = parser_type(&self.ty).map_err(|error| error.about(self.name))?;
        // Python documents the tensor that a function operates on as `input`.
        let is_input = self.name == "self" && ty == "Tensor" && callable == PythonCallable::Function;
        let name = if is_input { "input" } else { self.name };
        Ok((ty, name, self.default.as_deref().map(or_none)))
    }
}

impl<'a> PythonOut<'a> {
    /// The argument for all out arguments of a schema.
    ///
    /// # Errors
    /// One of several is not a tensor.
    pub(super) fn from_out_arguments(outputs: &'a [Argument]) -> Result<Option<PythonOut<'a>>> {
        let (name, ty) = match outputs {
            [] => return Ok(None),
            [single] => (single.name.as_str(), Cow::Borrowed(&single.ty)),
            several => {
                if let Some(odd) = several.iter().find(|a| !a.ty.is_tensor_like()) {
                    let message = format!("Python bindings cannot pass a `{}` as one of several outputs", odd.ty);
                    return Err(ApiError::new(&NO_PYTHON_TYPE, message).about(&odd.name));
                }
                ("out", Cow::Owned(Type::TENSOR.list(u32::try_from(several.len()).ok())))
            }
        };
        let argument = PythonArgument { name, ty, default: Some(Cow::Borrowed("None")), default_init: None };
        Ok(Some(PythonOut { argument, outputs: outputs.iter().map(|a| a.name.as_str()).collect() }))
    }
}
