//! Forward-mode differentiation: the possible tangents, and the formulas for those of the outputs.
//!
//! Invariant: a formula sees the tangent and the primal of every input it needs, by names that end
//! in `_t` and `_p`. Rule: tools/autograd/gen_variable_type.py, `emit_any_has_forward_grad` and
//! `emit_fw_derivatives`.

use std::borrow::Cow;

use serde::Serialize;

use super::operator::{DispatchedOperator, Input, is_tensor_list_type, is_tensor_type};
use super::saved::element;
use crate::ItemError;
use torchgen_api::autograd::{ForwardDerivative, formula_uses};
use torchgen_api::{BaseCppType, CType};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::{Argument, Type, cpp_names};

/// The variable that shows whether a formula has tangents to work with.
#[derive(Debug, Serialize)]
pub(crate) struct Flagged<'s> {
    /// Its name.
    flag: String,
    /// The formula works without tangents.
    always: bool,
    /// The condition that one of the tangents exists.
    any_of: Vec<String>,
    /// Lists that must be as long as `self`.
    same_size: Vec<&'s str>,
}

/// The variables of all formulas.
///
/// # Errors
/// A formula uses no tangent, and is not known to be valid without one.
pub(crate) fn flagged<'s>(op: &DispatchedOperator<'s, '_>) -> Result<Vec<Flagged<'s>>, ItemError> {
    let make = |derivative: &ForwardDerivative| {
        let required = &derivative.required_inputs_fw_grad;
        let needed = || op.inputs.iter().filter(|input| required.iter().any(|name| name == input.name));
        let flag = flag(derivative);
        if op.foreach {
            let check = |input: &Input| format!("isFwGradDefined({})", tensor(input));
            let lists = needed().filter(|input| input.own_is_list()).map(|input| input.own.name.as_str());
            return Ok(Flagged {
                flag,
                always: false,
                any_of: needed().map(check).collect(),
                same_size: lists.filter(|name| *name != "self").collect(),
            });
        }
        // Only lists of optional tensors come here by these names: they are one value in C++.
        let of_list = |input: &&Input| {
            let uses = |end: &str| formula_uses(&derivative.formula, &format!("{}{end}", input.name));
            input.own_is_list() && (uses("_t") || uses("_p"))
        };
        if let Some(input) = op.inputs.iter().find(of_list) {
            let (name, ty) = (cpp_names::written(input.name), &input.own.ty);
            let message = format!("`{name}` is a `{ty}`, which has no tangent in formulas on libtorch's C++ API");
            return Err(unsupported(op, derivative, message)
                .help("delete this formula: forward mode then raises an error that names the operator")
                .into());
        }
        let mut any_of: Vec<String> = needed().map(|input| has_tangent(input.own)).collect();
        if op.target.lists_have_tangents {
            // Functions on a list look up its tangents themselves.
            let lists = op.inputs.iter().filter(|input| input.own_is_list());
            any_of.extend(lists.filter(|i| formula_uses(&derivative.formula, i.name)).map(|i| has_tangent(i.own)));
        }
        if any_of.is_empty() && !matches!(op.inputs.as_slice(), [only] if only.own_is_list()) {
            let names: Vec<&str> = derivative.var_names.iter().map(|name| cpp_names::written(name)).collect();
            let message = format!("the forward formula for `{}` uses no tangent", names.join("`, `"));
            return Err(unsupported(op, derivative, message)
                .help("only the formula of an operator on one list of tensors may do so")
                .into());
        }
        Ok(Flagged { flag, always: any_of.is_empty(), any_of, same_size: Vec::new() })
    };
    op.forward.iter().map(make).collect()
}

/// The condition that an argument has a tangent; for a list, that any element has one.
pub(crate) fn has_tangent(argument: &Argument) -> String {
    let list = if is_tensor_list_type(&argument.ty) { "TensorList" } else { "" };
    format!("isFwGradDefined{list}({})", argument.name)
}

/// The variables of formulas that need the original `self`.
pub(crate) fn original_needed(op: &DispatchedOperator) -> Vec<String> {
    op.forward.iter().filter(|derivative| derivative.required_original_self_value).map(flag).collect()
}

fn flag(derivative: &ForwardDerivative) -> String {
    let names = derivative.var_names.join("_");
    // A library's names come first, so that no output has the name of the flag.
    if cpp_names::written(&names) == names {
        format!("_any_has_forward_grad_{names}")
    } else {
        format!("{names}_has_forward_grad")
    }
}

/// All formulas of a kernel.
#[derive(Debug, Serialize)]
pub(crate) struct Forward<'s> {
    /// The operator, for comments that lead a compiler's error back to its formula; `None` for
    /// PyTorch's own.
    source: Option<String>,
    tangents: Vec<Tangent<'s>>,
    /// The variables of all formulas.
    flags: Vec<String>,
    /// What happens to the tangents at the end, since a formula may still need an old one.
    setters: Vec<Setter<'s>>,
}

/// The tangents that one formula computes.
#[derive(Debug, Serialize)]
struct Tangent<'s> {
    /// The outputs' names, joined.
    name: String,
    ty: CType,
    flag: String,
    /// The output that must be defined.
    defined: Option<&'s str>,
    inputs: Vec<TangentInput<'s>>,
    /// An existing tangent that a formula written for the functional variant must not overwrite.
    keeps_graph: bool,
    formula: Cow<'s, str>,
}

/// A formula's view of an input.
#[derive(Debug, Serialize)]
struct TangentInput<'s> {
    /// The name in the formula.
    name: &'s str,
    /// The tensor.
    value: String,
    /// The function that makes a tangent if there is none and the formula needs it.
    zeros: Option<&'static str>,
    /// The tensor may wrap a number, and the tangent must be marked accordingly.
    may_wrap_number: bool,
    /// The formula needs the primal.
    primal: bool,
    /// The tensor may be `None`.
    is_optional: bool,
}

/// How the tangent of an output is set.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Setter<'s> {
    /// It is the only result of the formula.
    Tensor { output: &'s str },
    /// It is an element of the tuple that the formula computes.
    Element { output: &'s str, all: String, index: usize },
    /// It is a list.
    List { output: &'s str },
}

/// The formulas.
///
/// # Errors
/// An output has a type without tangents.
pub(crate) fn view<'s>(op: &DispatchedOperator<'s, '_>) -> Result<Forward<'s>, ItemError> {
    let mut forward = Forward {
        source: op.target.outside_at.then(|| op.f.full_name()),
        tangents: Vec::with_capacity(op.forward.len()),
        flags: op.forward.iter().map(flag).collect(),
        setters: Vec::new(),
    };
    for derivative in op.forward {
        add(op, derivative, &mut forward)?;
    }
    Ok(forward)
}

fn add<'s>(
    op: &DispatchedOperator<'s, '_>,
    derivative: &'s ForwardDerivative,
    forward: &mut Forward<'s>,
) -> Result<(), ItemError> {
    let outputs: Vec<&'s str> = match (op.inplace, derivative.var_names.as_slice()) {
        (true, [_]) => vec!["self"],
        (true, _) => {
            let message = format!("the inplace operator `{}` has one output", op.f.func.name);
            return Err(unsupported(op, derivative, message).into());
        }
        (false, names) => names.iter().map(String::as_str).collect(),
    };
    let name = outputs.join("_");
    let tensor: CType = BaseCppType::Tensor.into();
    let is_tensor = |ty: &Type| matches!(ty, Type::Base(_)) && is_tensor_type(ty);
    let mut defined = None;
    let ty = match (derivative.var_types.as_slice(), outputs.as_slice()) {
        ([ty], [output]) if is_tensor(ty) => {
            if op.foreach && !op.inplace && *output != "result" {
                let output = cpp_names::written(output);
                let message = format!("the output of a foreach operator is `result`, not `{output}`");
                return Err(unsupported(op, derivative, message).into());
            }
            forward.setters.push(Setter::Tensor { output });
            defined = derivative.var_names.first().map(String::as_str);
            tensor
        }
        ([Type::List(elem, _)], [output]) if elem.is_tensor_like() && op.foreach => {
            forward.setters.push(Setter::Tensor { output });
            tensor
        }
        ([Type::List(elem, _)], [output]) if elem.is_tensor_like() => {
            forward.setters.push(Setter::List { output });
            tensor.vector()
        }
        (types, _) if types.iter().all(is_tensor) => {
            let element = |(index, output): (usize, &&'s str)| Setter::Element { output, all: name.clone(), index };
            forward.setters.extend(outputs.iter().enumerate().map(element));
            CType::tuple(vec![tensor; types.len()])
        }
        _ => {
            let message = format!("`{}` has outputs that can have no tangents", op.f.func.name);
            return Err(unsupported(op, derivative, message).into());
        }
    };
    let inputs = inputs(op, derivative);
    forward.tangents.push(Tangent {
        name,
        ty: ty.optional(),
        flag: flag(derivative),
        defined,
        inputs,
        keeps_graph: !derivative.required_original_self_value && op.inplace && derivative.is_reusing_outplace_formula,
        formula: formula(op, derivative),
    });
    Ok(())
}

fn inputs<'s>(op: &DispatchedOperator<'s, '_>, derivative: &'s ForwardDerivative) -> Vec<TangentInput<'s>> {
    let is_in = |names: &[String], name: &str| names.iter().any(|other| other == name);
    // The tangent of an overwritten argument of an inplace operator is written as well, so it must
    // have memory.
    let zeros = |input: &Input| match op.inplace && input.name == "self" {
        true => "zeros_symint",
        false => "_efficientzerotensor_symint",
    };
    let mut inputs: Vec<TangentInput> = op
        .inputs
        .iter()
        .map(|input| {
            let zeros = is_in(&derivative.required_inputs_fw_grad, input.name).then(|| zeros(input));
            TangentInput {
                name: input.name,
                value: if op.foreach { tensor(input) } else { input.name.to_owned() },
                zeros,
                may_wrap_number: zeros == Some("_efficientzerotensor_symint"),
                primal: is_in(&derivative.required_inputs_primal, input.name),
                is_optional: *input.ty == Type::optional_tensor(),
            }
        })
        .filter(|input| input.zeros.is_some() || input.primal)
        .collect();
    if derivative.required_original_self_value {
        inputs.push(TangentInput {
            name: "original_self",
            value: if op.foreach_inplace() { "original_selfs[i]" } else { "original_self" }.to_owned(),
            // As in the reference, the kind of zeros is that of the last input.
            zeros: op.inputs.last().map(zeros),
            may_wrap_number: false,
            primal: true,
            is_optional: false,
        });
    }
    inputs
}

/// The argument, or the current tensor of the loop over its list.
fn tensor(input: &Input) -> String {
    let own = input.own;
    if input.own_is_list() { format!("{}[i]", own.name) } else { own.name.clone() }
}

/// The formula; in a loop over lists it uses their elements. Texts are replaced wherever they
/// occur, as in the reference.
fn formula<'s>(op: &DispatchedOperator<'s, '_>, derivative: &'s ForwardDerivative) -> Cow<'s, str> {
    let formula = &derivative.formula;
    if op.foreach_inplace() {
        let mut formula = formula.clone();
        for (own, other) in op.followed.iter().filter(|(own, _)| !own.ty.is_tensor_like()) {
            formula = formula.replace(&other.name, &element(own));
        }
        return Cow::Owned(formula);
    }
    if op.foreach && formula.contains("result") && !formula.contains("result[i]") {
        return Cow::Owned(formula.replace("result", "result[i]"));
    }
    Cow::Borrowed(formula)
}

fn unsupported(op: &DispatchedOperator, derivative: &ForwardDerivative, message: String) -> Diagnostic {
    Diagnostic::new(&codes::UNSUPPORTED_FORWARD, message).at(derivative.span).also(op.f.spans.func, "the operator")
}
