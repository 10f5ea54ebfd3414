//! From a stack of `IValue`s to the arguments of a C++ function, one conversion per argument.
//!
//! Invariant: every conversion ends in a variable named after the argument. SymInts are integers: this convention is for mobile builds.
//! Deliberately absent: the call itself. Rule: torchgen/api/unboxing.py.

use super::Locals;
use super::binding::Binding;
use super::cpp::{self, Style, TypeStyle, has_faithful_signature};
use super::ctype::CType;
use super::error::{ApiError, Result, UNSUPPORTED_TYPE};
use super::text::text;
use crate::families::torch::model::{BaseTy, FunctionSchema, NativeFunction, Type};

/// What the wrapper of an operator is called.
pub fn name(func: &FunctionSchema) -> String {
    func.name.unambiguous_name()
}

/// The parameters of the most faithful C++ function under the names of the converted variables, and the lines that convert.
///
/// Errors: an argument has no C++ form or can't be unboxed.
pub fn convert_arguments(f: &NativeFunction, locals: Locals) -> Result<(Vec<Binding<'_>>, Vec<String>)> {
    let style = Style {
        faithful: has_faithful_signature(&f.func),
        symint: false,
        method: false,
        cpp_no_default_args: &f.cpp_no_default_args,
        locals,
    };
    let arguments = cpp::arguments(&f.func.arguments, &style)?;
    let count = arguments.len().to_string();
    let mut lines: Vec<String> =
        arguments.iter().enumerate().map(|(i, a)| unbox_peek(&a.name, &i.to_string(), &count)).collect();
    lines.push(String::new());
    let mut bindings = Vec::with_capacity(arguments.len());
    for binding in arguments {
        // Faithful signatures have no gathered options.
        let Some(a) = binding.argument.argument() else { continue };
        let conversion = convert(&a.ty, &a.name, a.is_write(), locals).map_err(|error| error.about(&a.name))?;
        lines.extend(conversion.declarations);
        lines.extend(conversion.code);
        bindings.push(binding.with_name(conversion.out_name));
    }
    Ok((bindings, lines))
}

/// How one value is converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversion {
    /// The variable that holds the converted value.
    pub out_name: String,
    /// Its type.
    pub ty: CType,
    /// Lines that declare what must outlive the conversion.
    pub declarations: Vec<String>,
    /// Lines that convert.
    pub code: Vec<String>,
}

/// The conversion of a value of type `ty` in a variable called `name`. Errors: it has no C++ type or can't be unboxed.
pub fn convert(ty: &Type, name: &str, mutable: bool, locals: Locals) -> Result<Conversion> {
    let ctype = cpp::argumenttype_type(ty, TypeStyle { mutable, locals, ..TypeStyle::default() })?;
    let out_type = ctype.cpp_type_strip_ref();
    match ty {
        Type::Base(_) => {
            let out_name = format!("{name}_base");
            let code = vec![unbox_base(out_type, &out_name, name)];
            Ok(Conversion { out_name, ty: ctype, declarations: Vec::new(), code })
        }
        Type::Optional(elem) => {
            let (in_name, out_name) = (format!("{name}_opt_in"), format!("{name}_opt_out"));
            let elem = convert(elem, &in_name, false, locals)?;
            let code = unbox_optional(name, out_type, &out_name, &in_name, &nested(&elem.code), &elem.out_name);
            Ok(Conversion { out_name, ty: ctype, declarations: elem.declarations, code: lines(&code) })
        }
        Type::List(elem_type, size) => {
            let (in_name, out_name) = (format!("{name}_list_in"), format!("{name}_list_out"));
            let elem_name = format!("{name}_elem");
            let elem = convert(elem_type, &elem_name, false, locals)?;
            let elem_code = nested(&elem.code);
            let elem_out_type = elem.ty.cpp_type_strip_ref();
            let mut code = vec![unbox_list(&in_name, name)];
            let mut declarations = elem.declarations;
            match (&**elem_type, size) {
                (Type::Base(BaseTy::Bool), Some(size)) => {
                    code.extend(lines(&unbox_array(out_type, &out_name, elem_out_type, &size.to_string(), &in_name)));
                }
                // Only this container can hold optional elements.
                (Type::Optional(_), _) => {
                    code.extend(lines(&unbox_list_elements(
                        out_type,
                        &out_name,
                        &elem_name,
                        &in_name,
                        &elem_code,
                        &elem.out_name,
                    )));
                }
                _ => {
                    // What the reference refers to must outlive the conversion.
                    let vec_name = format!("{name}_vec");
                    declarations.push(unbox_vector(elem_out_type, &vec_name));
                    code.extend(lines(&unbox_vector_elements(
                        &elem_name,
                        &in_name,
                        &elem_code,
                        &vec_name,
                        &elem.out_name,
                        out_type,
                        &out_name,
                    )));
                }
            }
            Ok(Conversion { out_name, ty: ctype, declarations, code })
        }
        Type::CustomClass(_) | Type::Dict(..) => {
            Err(ApiError::new(&UNSUPPORTED_TYPE, format!("a value of type `{ty}` can't be unboxed")))
        }
    }
}

fn lines(code: &str) -> Vec<String> {
    code.split('\n').map(str::to_owned).collect()
}

/// Lines within the block of another conversion.
fn nested(code: &[String]) -> String {
    let mut block = String::new();
    for (i, line) in code.iter().enumerate() {
        if i > 0 {
            block.extend(['\n', '\t']);
        }
        block.push_str(line);
    }
    block
}

text! {
    /// Takes an argument off the stack.
    fn unbox_peek(name, index, count)
}

text! {
    /// Converts a value that has no structure.
    fn unbox_base(ty, out_name, name)
}

text! {
    /// Converts what an optional holds, if it holds anything.
    fn unbox_optional(name, ty, out_name, in_name, elem_code, elem_out_name)
}

text! {
    /// Opens a list.
    fn unbox_list(in_name, name)
}

text! {
    /// Converts a list of known size.
    fn unbox_array(ty, out_name, elem_type, size, in_name)
}

text! {
    /// Converts a list's elements into another list.
    fn unbox_list_elements(ty, out_name, elem_name, in_name, elem_code, elem_out_name)
}

text! {
    /// Declares the vector that owns a list's elements.
    fn unbox_vector(elem_type, vec_name)
}

text! {
    /// Converts a list's elements into a vector and refers to that.
    fn unbox_vector_elements(elem_name, in_name, elem_code, vec_name, elem_out_name, ty, out_name)
}
