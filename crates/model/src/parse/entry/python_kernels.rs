//! Kernels in Python: values of `dispatch:` such as `.triton_kernels:swiglu`.
//!
//! Invariant: a kernel in Python is for a device, or for all of them, of an operator that the
//! library defines and that has no other source of kernels than `dispatch:`. Whether the function
//! exists is checked where the package's modules are known.

use super::python::{Misspelt, from_text};
use crate::codes;
use crate::model::python_function::PythonFunction;
use crate::model::{BackendMetadata, DispatchKey, Language, NativeFunction, Target};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help};
use torchgen_base::lang::is_word;
use torchgen_base::yaml::Text;

/// Whether a kernel is meant to be a Python function. C++ has no single colons in names.
pub(super) fn is_one(kernel: &Text) -> bool {
    let text = kernel.as_str();
    let is_relative = text.starts_with('.') && text.chars().all(|c| is_word(c) || c == '.');
    is_relative || (text.contains(':') && !text.contains("::"))
}

/// The function of a kernel. Errors go to `diagnostics`.
pub(super) fn function(kernel: &Text, target: Target, diagnostics: &mut Diagnostics) -> Option<PythonFunction> {
    let text = kernel.as_str();
    let mut refuse = |message: String, help: Help| {
        diagnostics.push(Diagnostic::new(&codes::BAD_PYTHON_KERNEL, message).at(kernel.span()).help(help));
        None
    };
    if target.language == Language::Torchgen {
        let message = format!("`{text}` cannot be a kernel of PyTorch: its own files name C++ functions");
        return refuse(
            message,
            "write the name of a C++ function; operator libraries can have kernels in Python".into(),
        );
    }
    match from_text(text) {
        Ok(function) if DispatchKey::parse(&function.module).is_some() => {
            let right = format!("{}: {}", function.module, function.name);
            refuse(format!("`{text}` lacks a space after its colon"), format!("write `{right}`").into())
        }
        Ok(function) => Some(function),
        Err(Misspelt::Reserved(word)) => {
            let message = format!("`{word}` is a reserved word of Python, so nothing can be called that");
            refuse(message, "give the module or the function another name".into())
        }
        Err(Misspelt::Form) => {
            let with_colon = text.rsplit_once('.').map(|(module, name)| format!("{module}:{name}"));
            let help = match with_colon.filter(|text| from_text(text).is_ok()) {
                Some(right) => Help::write(right),
                None => "write `.module:function` for a module of the library's own package, \
                         or `package.module:function`"
                    .into(),
            };
            refuse(format!("`{text}` is not the name of a Python function"), help)
        }
    }
}

/// Reports kernels that the package cannot register, or that would not be called.
pub(super) fn check_python_kernels(
    f: &NativeFunction,
    kernels: &[(DispatchKey, BackendMetadata)],
    target: Target,
    diagnostics: &mut Diagnostics,
) {
    for kernel in &f.python_kernels {
        let Some((reason, help)) = reason_against(f, kernel.key, kernels, target) else { continue };
        let message = format!("the {} kernel of `{}` cannot be in Python: {reason}", kernel.key, f.func.name);
        diagnostics.push(Diagnostic::new(&codes::BAD_PYTHON_KERNEL, message).at(kernel.span).help(help));
    }
}

/// Why an operator cannot have a kernel in Python for a key, and what to write.
fn reason_against(
    f: &NativeFunction,
    key: DispatchKey,
    kernels: &[(DispatchKey, BackendMetadata)],
    target: Target,
) -> Option<(String, Help)> {
    let composites = kernels.iter().map(|(key, _)| *key).filter(|key| key.is_generic());
    let composite = composites.into_iter().find(|other| *other != DispatchKey::CompositeExplicitAutograd);
    let of_device = key.is_of_backend() && key.is_strided() && !key.as_str().starts_with("Autograd");
    let (reason, help): (String, Help) = if target.is_stock(f) {
        ("it is an operator of PyTorch".into(), "write the kernel in C++, or declare an operator of your own".into())
    } else if f.part_of_structured_group() {
        ("structured kernels are C++ classes".into(), "write a kernel for each variant, without a delegate".into())
    } else if key == DispatchKey::Meta {
        ("what it returns without data is the operator's fake".into(), "delete it, and write `fake:`".into())
    } else if key.is_generic() && key != DispatchKey::CompositeExplicitAutograd {
        let help = "write `CompositeExplicitAutograd`: a kernel for all devices, with a derivative of its own";
        ("autograd does not see through it".into(), help.into())
    } else if !of_device && !key.is_generic() {
        ("only kernels for a device can be".into(), "write the kernel in C++".into())
    } else if let Some(composite) = composite {
        (format!("{composite} serves all devices, and compilers see through it"), "delete one of the two".into())
    } else if f.is_view_op() {
        ("it returns a view".into(), "return a copy, or write the kernel in C++".into())
    } else {
        return None;
    };
    Some((reason, help))
}
