//! Arguments of Python signatures.
//!
//! Invariant: an argument has its Python default already. Deliberately absent: types of stubs (see `pyi`).
//! Rule: torchgen/api/python.py, `PythonArgument` and `PythonOutArgument`.

use std::borrow::Cow;

use super::default::{or_none, python_default};
use super::types::parser_type;
use crate::diag::codes::NO_PYTHON_TYPE;
use crate::families::torch::api::error::{ApiError, Result};
use crate::families::torch::model::{Argument, Type};

/// One argument that Python code may give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PythonArgument<'a> {
    /// Its name in the schema.
    pub name: &'a str,
    /// Its type.
    pub ty: Cow<'a, Type>,
    /// Its default in the signature string.
    pub default: Option<Cow<'a, str>>,
    /// The C++ expression that stands in when the caller gives nothing, where a constant won't do.
    pub default_init: Option<Cow<'a, str>>,
}

/// The argument `out`, behind which an out variant's out arguments stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PythonOut<'a> {
    /// The one argument that Python sees.
    pub argument: PythonArgument<'a>,
    /// The C++ arguments it is spread over.
    pub outputs: Vec<&'a str>,
}

impl<'a> PythonArgument<'a> {
    /// The argument for an argument of a schema. Errors: its default has no C++ form.
    pub(crate) fn of(argument: &'a Argument) -> Result<PythonArgument<'a>> {
        Ok(PythonArgument {
            name: &argument.name,
            ty: Cow::Borrowed(&argument.ty),
            default: python_default(argument)?,
            default_init: None,
        })
    }

    /// One of the arguments that stand for tensor options.
    pub(super) fn option(name: &'static str, elem: Type, default: &'static str, init: Option<Cow<'a, str>>) -> Self {
        PythonArgument {
            name,
            ty: Cow::Owned(elem.optional()),
            default: Some(Cow::Borrowed(default)),
            default_init: init,
        }
    }

    /// `type name=default`, as signature strings have it. Errors: the parser knows no such type.
    pub(crate) fn formal(&self, method: bool) -> Result<String> {
        let ty = parser_type(&self.ty).map_err(|error| error.about(self.name))?;
        // Python documents the tensor that a function works on as `input`.
        let name = if self.name == "self" && ty == "Tensor" && !method { "input" } else { self.name };
        Ok(match &self.default {
            Some(default) => format!("{ty} {name}={}", or_none(default)),
            None => format!("{ty} {name}"),
        })
    }
}

impl<'a> PythonOut<'a> {
    /// The argument for all out arguments of a schema. Errors: one of several is no tensor.
    pub(super) fn of(outputs: &'a [Argument]) -> Result<Option<PythonOut<'a>>> {
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
