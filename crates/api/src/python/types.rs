//! Types in the signature strings of `PythonArgParser`.
//!
//! Invariant: the parser can read every type at run time. [`parser`](super::parser) takes the value
//! out of it; stubs' types are in [`pyi`](super::pyi). Rule: torchgen/api/python.py,
//! `argument_type_str`.

use crate::error::{ApiError, Result};
use torchgen_model::codes::NO_PYTHON_TYPE;
use torchgen_model::model::{Argument, BaseTy, Type};

/// The type in a signature string: lists show their size.
pub fn parser_type(ty: &Type) -> Result<String> {
    spell(ty, ListSizes::Shown)
}

/// The same without list sizes.
pub fn unsized_type(ty: &Type) -> Result<String> {
    spell(ty, ListSizes::Hidden)
}

/// The type of an argument without list sizes.
pub fn simple_type(argument: &Argument) -> Result<String> {
    unsized_type(&argument.ty).map_err(|error| error.about(&argument.name))
}

/// The size of the list in a type, except that of a list of booleans.
pub fn parser_size(ty: &Type) -> Option<u32> {
    ty.list_parts().filter(|(elem, _)| !elem.is(BaseTy::Bool)).and_then(|(_, size)| size)
}

/// Whether the types of lists contain their sizes.
#[derive(Clone, Copy, PartialEq)]
enum ListSizes {
    Shown,
    Hidden,
}

fn spell(ty: &Type, sizes: ListSizes) -> Result<String> {
    match ty {
        Type::Base(base) => base_type(*base).map(str::to_owned).ok_or_else(|| unsupported(ty)),
        Type::Optional(elem) => Ok(format!("{}?", spell(elem, sizes)?)),
        Type::List(elem, size) => list(elem, *size, sizes),
        Type::CustomClass(_) | Type::Dict(..) => Err(unsupported(ty)),
    }
}

fn base_type(base: BaseTy) -> Option<&'static str> {
    Some(match base {
        BaseTy::Int => "int64_t",
        BaseTy::Float => "double",
        BaseTy::Str => "c10::string_view",
        BaseTy::DimVector | BaseTy::SymBool | BaseTy::GraphModule | BaseTy::Complex => return None,
        _ => base.as_str(),
    })
}

fn list(elem: &Type, size: Option<u32>, sizes: ListSizes) -> Result<String> {
    let name = match elem {
        Type::Base(BaseTy::Bool) => {
            // Here the size is part of the type.
            let Some(size) = size else {
                let message = "a list of `bool` needs a size in Python bindings, as in `bool[3]`";
                return Err(ApiError::new(&NO_PYTHON_TYPE, message));
            };
            return Ok(format!("::std::array<bool,{size}>"));
        }
        Type::Base(BaseTy::Int) => "IntArrayRef",
        Type::Base(BaseTy::SymInt) => "SymIntArrayRef",
        Type::Base(BaseTy::Tensor) => "TensorList",
        Type::Base(BaseTy::Scalar) => "ScalarList",
        Type::Base(BaseTy::Dimname) => "DimnameList",
        Type::Optional(inner) if inner.is(BaseTy::Tensor) => return Ok("c10::List<::std::optional<Tensor>>".to_owned()),
        elem => return Ok(format!("ArrayRef<{}>", spell(elem, sizes)?)),
    };
    Ok(match size.filter(|_| sizes == ListSizes::Shown) {
        Some(size) => format!("{name}[{size}]"),
        None => name.to_owned(),
    })
}

fn unsupported(ty: &Type) -> ApiError {
    ApiError::new(&NO_PYTHON_TYPE, format!("Python bindings cannot take a `{ty}`"))
}
