//! Converts a stack of `IValue`s to the arguments of a C++ function, with one conversion for each
//! argument.
//!
//! Invariant: every conversion ends with a variable named after the argument. SymInts are integers:
//! this convention is for mobile builds. Rule: torchgen/api/unboxing.py.

use serde::Serialize;

use torchgen_api::CallingConvention;
use torchgen_api::cpp::{self, Cpp, TypeStyle, has_faithful_signature};
use torchgen_api::error::{ApiError, Result};
use torchgen_api::{Binding, CType, Locals, SymInts};
use torchgen_model::codes::UNSUPPORTED_TYPE;
use torchgen_model::model::{BaseTy, NativeFunction, Type};

/// The conversion of one value.
#[derive(Debug, Serialize)]
pub(super) struct Conversion {
    /// The variable with the `IValue`.
    name: String,
    /// The variable with the converted value.
    pub(super) out_name: String,
    /// Its type, without a reference.
    ty: String,
    kind: &'static str,
    /// The variable with the inner value, and its conversion.
    in_name: String,
    elem: Option<Box<Conversion>>,
    /// The variable with an element, for lists.
    elem_name: String,
    /// The number of elements, if it is fixed.
    size: Option<u32>,
}

/// A variable that must outlive a conversion.
#[derive(Debug, Serialize)]
pub(super) struct Vector {
    elem_type: String,
    name: String,
}

/// The parameters of the faithful C++ function with the names of the converted variables, their
/// conversions, and the variables that must outlive each of these.
pub(super) type Converted<'a> = (Vec<Binding<'a>>, Vec<(Vec<Vector>, Conversion)>);

/// The conversions of an operator's arguments.
///
/// # Errors
/// An argument has no C++ form or cannot be unboxed.
pub(super) fn arguments(f: &NativeFunction, locals: Locals) -> Result<Converted<'_>> {
    let convention = Cpp {
        faithful: has_faithful_signature(&f.func),
        sym_ints: SymInts::Numbers,
        fallback_binding: false,
        method: false,
        cpp_no_default_args: &f.cpp_no_default_args,
        locals,
    };
    let (mut bindings, mut conversions) = (Vec::new(), Vec::new());
    for binding in convention.arguments(&f.func)? {
        // Faithful signatures have no gathered options.
        let Some(a) = binding.argument.argument() else { continue };
        let mut vectors = Vec::new();
        let conversion = {
            let style = TypeStyle { mutable: a.is_write(), locals, ..TypeStyle::default() };
            convert(&a.ty, &a.name, style, &mut vectors)
        };
        let (_, conversion) = conversion.map_err(|error| error.about(&a.name))?;
        bindings.push(binding.with_name(conversion.out_name.clone()));
        conversions.push((vectors, conversion));
    }
    Ok((bindings, conversions))
}

fn convert(ty: &Type, name: &str, style: TypeStyle, vectors: &mut Vec<Vector>) -> Result<(CType, Conversion)> {
    let ctype = cpp::argumenttype_type(ty, style)?;
    let inner = TypeStyle { mutable: false, ..style };
    let made = |kind, out: &str, inside: &str, elem: Option<Conversion>, size| Conversion {
        name: name.to_owned(),
        out_name: format!("{name}_{out}"),
        ty: ctype.cpp_type_strip_ref().to_owned(),
        kind,
        in_name: format!("{name}_{inside}"),
        elem: elem.map(Box::new),
        elem_name: format!("{name}_elem"),
        size,
    };
    let conversion = match ty {
        Type::Base(_) => made("base", "base", "", None, None),
        Type::Optional(elem) => {
            let (_, elem) = convert(elem, &format!("{name}_opt_in"), inner, vectors)?;
            made("optional", "opt_out", "opt_in", Some(elem), None)
        }
        Type::List(elem_type, size) => {
            let (elem_ctype, elem) = convert(elem_type, &format!("{name}_elem"), inner, vectors)?;
            let kind = match (&**elem_type, size) {
                (Type::Base(BaseTy::Bool), Some(_)) => "array",
                // Only this container can contain optional elements.
                (Type::Optional(_), _) => "list",
                _ => {
                    // The referenced value must outlive the conversion.
                    let elem_type = elem_ctype.cpp_type_strip_ref().to_owned();
                    vectors.push(Vector { elem_type, name: format!("{name}_vec") });
                    "vector"
                }
            };
            made(kind, "list_out", "list_in", Some(elem), *size)
        }
        Type::CustomClass(_) | Type::Dict(..) => {
            return Err(ApiError::new(&UNSUPPORTED_TYPE, format!("a value of type `{ty}` cannot be unboxed")));
        }
    };
    Ok((ctype, conversion))
}
