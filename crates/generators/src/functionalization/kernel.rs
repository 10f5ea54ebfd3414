//! The common parts of kernels for views and for mutations: unwrapped arguments, and results.
//!
//! Invariant: exactly those of an operator's arguments that contain tensors are unwrapped or
//! converted to meta tensors; all others are passed on.

use std::borrow::Cow;

use serde::Serialize;

use torchgen_api::{Binding, CType, Signature, functionalization};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::{RenderError, Renderer};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;

/// An argument that is unwrapped before the operator below is called.
#[derive(Serialize)]
pub struct Tensor<'a> {
    /// Its name in the schema.
    pub name: Cow<'a, str>,
    /// The type that owns it.
    ty: CType,
    /// How it is copied if there is nothing to unwrap.
    owned: String,
    /// It is a list that may be `None`, which libtorch has no functions for.
    optional_list: bool,
}

/// The arguments that contain tensors.
pub fn tensors<'a>(signature: &Signature<'a>) -> Vec<Tensor<'a>> {
    let bindings = signature.arguments.iter().filter(|binding| holds_tensors(binding));
    bindings
        .map(|binding| {
            let (ty, owned) = functionalization::owned(&binding.name, binding.nctype.ty.remove_const_ref());
            let optional_list = binding.argument.argument().is_some_and(|a| a.ty.is_optional_list());
            Tensor { name: binding.name.clone(), ty, owned, optional_list }
        })
        .collect()
}

/// The statements about arguments that contain tensors, by themselves.
#[derive(Serialize)]
struct Statements<'a> {
    tensors: Vec<Tensor<'a>>,
    /// Mutations of the tensors are applied first.
    sync: bool,
    /// What precedes the first statement.
    indent: &'a str,
}

/// The statements that unwrap the arguments of a signature.
///
/// # Errors
/// The template fails.
pub fn unwrap_text(renderer: &Renderer, signature: &Signature, sync: bool) -> Result<String, RenderError> {
    let statements = Statements { tensors: tensors(signature), sync, indent: "" };
    renderer.fragment("torch/functionalization/unwrap.j2", &statements)
}

/// The statements that make meta tensors of the arguments of a signature.
///
/// # Errors
/// The template fails.
pub fn meta_text(renderer: &Renderer, signature: &Signature) -> Result<String, RenderError> {
    let statements = Statements { tensors: tensors(signature), sync: false, indent: "" };
    renderer.fragment("torch/functionalization/meta_tensors.j2", &statements)
}

/// The arguments in scope after unwrapping.
pub fn unwrapped<'a>(signature: &Signature<'a>) -> Vec<Binding<'a>> {
    renamed(signature, "_")
}

/// The arguments, with meta tensors in place of tensors.
pub(crate) fn meta<'a>(signature: &Signature<'a>) -> Vec<Binding<'a>> {
    renamed(signature, "_meta")
}

fn renamed<'a>(signature: &Signature<'a>, suffix: &str) -> Vec<Binding<'a>> {
    let rename = |binding: &Binding<'a>| match holds_tensors(binding) {
        true => binding.with_name(format!("{}{suffix}", binding.name)),
        false => binding.clone(),
    };
    signature.arguments.iter().map(rename).collect()
}

fn holds_tensors(binding: &Binding) -> bool {
    binding.argument.argument().is_some_and(|a| a.ty.is_tensor_like())
}

/// For each return, the name of the argument that it is.
///
/// Rule: torchgen/model.py, `FunctionSchema.aliased_return_names`.
///
/// # Errors
/// A return may be one of several arguments.
pub(crate) fn returned_arguments(f: &NativeFunction) -> Result<Vec<Option<&str>>, Diagnostic> {
    for ret in &f.func.returns {
        let names: Vec<String> = f.func.aliased_arguments(ret).map(|a| format!("`{}`", a.schema_name())).collect();
        if names.len() > 1 {
            let names = names.join(" and ");
            let message = format!("the result of `{}` may be any of {names}", f.func.name);
            return Err(Diagnostic::new(&codes::AMBIGUOUS_RETURN, message)
                .at(f.spans.func)
                .help("give each argument its own alias set"));
        }
    }
    Ok(f.func.aliased_return_names())
}

/// The element of a call's result for the return of that index, given the number of returns.
pub fn part(result: &str, index: usize, returns: usize) -> String {
    if returns == 1 { result.to_owned() } else { format!("std::get<{index}>({result})") }
}

/// The names as one result of type `ty`; `None` if there is nothing to return.
pub fn result(names: &[impl AsRef<str>], ty: &CType) -> Option<String> {
    match names {
        [] => None,
        [one] => Some(one.as_ref().to_owned()),
        several => {
            let several: Vec<&str> = several.iter().map(AsRef::as_ref).collect();
            Some(format!("{ty}({})", several.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::returned_arguments;
    use torchgen_base::diag::{Color, human};
    use torchgen_model::parse::entry::testing::functions;

    /// No accepted schema does this, so the second argument is changed afterwards.
    #[test]
    fn a_return_that_may_be_one_of_two() {
        let text = "- func: mix_(Tensor(a!) self, Tensor(b!) other) -> Tensor(a!)\n";
        let (mut functions, sources, _) = functions(text);
        let arguments = &mut functions[0].func.arguments;
        let annotation = arguments.self_arg.as_ref().unwrap().annotation.clone();
        arguments.post_self_positional[0].annotation = annotation;
        let error = returned_arguments(&functions[0]).unwrap_err();
        let expected = "\
error[TG0545]: the result of `mix_` may be any of `self` and `other`
 --> native_functions.yaml:1:9
  |
1 | - func: mix_(Tensor(a!) self, Tensor(b!) other) -> Tensor(a!)
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: give each argument its own alias set
";
        assert_eq!(human(&error, &sources, Color::Never), expected);
    }
}
