//! One formula for gradients: what it saves, and the gradients that it uses.
//!
//! Invariant: the names in a formula are not checked here, so that it can be read without its
//! entry; [`entry`](super::entry) checks them. Rule:
//! torchgen/packaged/autograd/load_derivatives.py, `create_derivative`.

use std::collections::BTreeSet;

use super::saved::{check_sizes, saved_variables};
use super::{Derivative, formula};
use crate::cpp::BindingKind;
use crate::{ApiError, Binding, CppSignatureGroup, Locals, NamedCType, cpp};
use torchgen_base::diag::{Diagnostic, TextError};
use torchgen_base::yaml::Text;
use torchgen_model::codes;
use torchgen_model::model::{NativeFunction, Target};

/// The parameters of an operator's C++ function, with SymInts where it takes any.
///
/// Rule: load_derivatives.py, `cpp_arguments`.
pub(super) fn cpp_arguments(f: &NativeFunction) -> Result<Vec<Binding<'_>>, ApiError> {
    let group = CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION, Locals::for_operator(f))?;
    Ok(group.symint_signature.unwrap_or(group.signature).arguments)
}

/// What formulas of an operator can save of inputs and outputs, by value.
pub(super) struct Values<'a> {
    pub(super) arguments: Vec<NamedCType<'a>>,
    pub(super) returns: Vec<NamedCType<'a>>,
}

impl<'a> Values<'a> {
    /// The values of an operator with these parameters.
    pub(super) fn of_operator(f: &'a NativeFunction, parameters: &[Binding<'a>]) -> Result<Values<'a>, ApiError> {
        let arguments = parameters.iter().map(|binding| binding.nctype.remove_const_ref()).collect();
        Ok(Values { arguments, returns: named_returns(f)? })
    }
}

/// The outputs by the names that formulas know them by.
fn named_returns(f: &NativeFunction) -> Result<Vec<NamedCType<'_>>, ApiError> {
    let names = cpp::return_names(f, "result")?;
    let named = names.into_iter().zip(&f.func.returns).map(|(name, ret)| {
        let name = if name == "self" { "result".to_owned() } else { name.into_owned() };
        Ok(NamedCType::new(name, cpp::return_type(ret, Locals::for_operator(f))?.remove_const_ref()))
    });
    named.collect()
}

/// The formula for the gradients of some inputs, which can use gradients by these names.
///
/// # Errors
/// It asks for something that cannot be saved, or for the gradient of an output that does not
/// exist; or the operator has no C++ form.
pub fn create_derivative(
    f: &NativeFunction,
    formula: &Text,
    var_names: Vec<String>,
    available_named_gradients: &[String],
    target: Target,
) -> Result<Derivative, Box<Diagnostic>> {
    let values = cpp_arguments(f).and_then(|parameters| Values::of_operator(f, &parameters));
    let values = values.map_err(|error| Box::new(error.into_diagnostic(&f.spans.schema)))?;
    derivative(f, &values, formula, var_names, available_named_gradients, target).map_err(Box::new)
}

/// The same with the operator's values.
pub(super) fn derivative(
    f: &NativeFunction,
    values: &Values<'_>,
    text: &Text,
    var_names: Vec<String>,
    available_named_gradients: &[String],
    target: Target,
) -> Result<Derivative, Diagnostic> {
    let original = text.as_str();
    let at_text = |error: TextError| error.at_text(text);
    check_sizes(original).map_err(at_text)?;
    let (formula, saved_inputs) =
        saved_variables(original, original.to_owned(), &values.arguments, &var_names, target).map_err(at_text)?;
    let (formula, saved_outputs) =
        saved_variables(original, formula, &values.returns, &var_names, target).map_err(at_text)?;
    let named_gradients: BTreeSet<String> =
        available_named_gradients.iter().filter(|name| formula::uses(&formula, name)).cloned().collect();
    let outputs = f.func.returns.len();
    let beyond = formula::gradient_indices(original).into_iter().find(|(index, _)| *index >= outputs);
    if let Some((_, range)) = beyond {
        let message = match outputs {
            1 => format!("`{}` has 1 output, whose gradient is `grads[0]`", f.func.name),
            _ => format!("`{}` has {outputs} outputs, numbered from 0", f.func.name),
        };
        return Err(Diagnostic::new(&codes::NO_SUCH_GRADIENT, message).at(text.sub_span(range)));
    }
    Ok(Derivative {
        formula,
        original_formula: original.to_owned(),
        var_names,
        saved_inputs,
        saved_outputs,
        named_gradients,
        span: text.span(),
    })
}
