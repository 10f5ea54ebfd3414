//! Reads `aoti:`: whether models that Inductor compiled to C++ call the operator by a C function of
//! the library.
//!
//! Invariant: an operator with a C function has types that Inductor passes to one, and a kernel in
//! C++. What `defaults:` asks for is given to the operators that can have it.

use crate::codes;
use crate::model::{BaseTy, DispatchKey, NativeFunction, Target, Type};
use crate::records::NativeFunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};

/// Where the entry itself asks for a C function. `defaults:` may serve other entries.
pub(super) fn asked_for(record: &NativeFunctionRecord) -> Option<Span> {
    let flag = record.aoti.as_ref().filter(|flag| flag.value)?;
    (flag.span.file == record.func.span().file).then_some(flag.span)
}

/// Whether the operator gets a C function. Reports why it gets none although its entry asks for
/// one.
pub(super) fn is_wanted(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    target: Target<'_>,
    diagnostics: &mut Diagnostics,
) -> bool {
    if record.aoti.as_ref().is_none_or(|flag| !flag.value) {
        return false;
    }
    let Some(error) = obstacle(f, target) else { return true };
    if let Some(span) = f.spans.aoti {
        diagnostics.push(error.at(span));
    }
    false
}

/// The error for an operator that cannot have a C function.
pub fn impossible(f: &NativeFunction, reason: &str) -> Diagnostic {
    let message = format!("`{}` cannot have a C function for compiled models: {reason}", f.func.name);
    Diagnostic::new(&codes::BAD_C_FUNCTION, message)
}

/// Why an operator cannot have a C function.
fn obstacle(f: &NativeFunction, target: Target<'_>) -> Option<Diagnostic> {
    let without = |reason: &str| Some(impossible(f, reason).help("delete `aoti:`"));
    if target.is_stock(f) {
        return without("PyTorch has those of its own operators");
    }
    if f.registers_itself() || f.manual_kernel_registration {
        return without("nothing is generated that calls kernels which the library registers by itself");
    }
    if f.has_composite_implicit_autograd_kernel {
        return without("they call the operators that a composite kernel calls");
    }
    let in_python = |key: DispatchKey| f.python_kernels.iter().any(|kernel| kernel.key == key);
    if !f.python_kernels.is_empty() && f.spans.kernels.iter().all(|(key, _)| in_python(*key)) {
        return without("its kernels are in Python, without which such a model runs");
    }
    for argument in f.func.schema_order_arguments() {
        if let Some((reason, help)) = not_passed(&argument.ty) {
            let error = impossible(f, &format!("the type of `{}` is {reason}", argument.schema_name()));
            let error = error.also(f.spans.schema.argument(&argument.name), "this argument");
            return Some(error.help(help));
        }
    }
    for ret in &f.func.returns {
        if !matches!(ret.ty, Type::Base(BaseTy::Tensor | BaseTy::Int | BaseTy::SymInt)) {
            let reason = format!("Inductor takes no result of type `{}` from one", ret.ty);
            return without(&reason);
        }
    }
    None
}

/// Why Inductor does not pass values of a type to a C function, and what to do.
fn not_passed(ty: &Type) -> Option<(String, &'static str)> {
    let is_passed = match ty {
        Type::Base(base) => is_single(*base),
        Type::Optional(elem) => match &**elem {
            Type::List(elem, _) => is_element(elem),
            elem => matches!(elem, Type::Base(base) if is_single(*base)),
        },
        Type::List(elem, size) => match &**elem {
            Type::Base(BaseTy::Bool) => size.is_some(),
            Type::Optional(elem) => **elem == Type::TENSOR,
            elem => is_element(elem),
        },
        Type::CustomClass(_) | Type::Dict(..) => false,
    };
    if is_passed {
        return None;
    }
    if ty.is_base_ty_like(BaseTy::Scalar) {
        let reason = format!("`{ty}`, and Inductor passes it as a `double`: 2 and 2.0 would be the same");
        return Some((reason, "write `float` or `int`, or delete `aoti:`"));
    }
    Some((format!("`{ty}`, which Inductor does not pass to one"), "delete `aoti:`"))
}

/// Whether Inductor passes a value of that type.
fn is_single(base: BaseTy) -> bool {
    use BaseTy::*;
    matches!(base, Tensor | Int | SymInt | Float | Bool | Str | ScalarType | Layout | MemoryFormat | Device)
}

/// Whether it passes a list of such elements.
fn is_element(elem: &Type) -> bool {
    matches!(elem, Type::Base(BaseTy::Tensor | BaseTy::Int | BaseTy::SymInt | BaseTy::Float))
}
