//! Derivatives of foreach operators, made from those of the operator for single tensors.
//!
//! Invariant: in a finished formula, `i` is the index of the node's loop over tensors. Rule:
//! torchgen/api/autograd.py, `is_reference_for_foreach` and `gen_foreach_derivativeinfo`.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;

use super::{Derivative, DifferentiabilityInfo, ForwardDerivative, SavedAttribute};
use crate::{ApiError, BaseCppType, Binding, Locals, SymInts, cpp};
use torchgen_base::diag::Diagnostic;
use torchgen_kit::driver::data::Table;
use torchgen_model::codes;
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, FunctionSchema, NativeFunction, SchemaKind, Type};

/// The operators that `data/torch/foreach.yaml` treats specially.
#[derive(Deserialize)]
pub(super) struct Exceptions {
    with_inplace_ref: Vec<String>,
    with_tensor_overload: Vec<String>,
    skip_argument_len_check: Vec<String>,
}

impl Table for Exceptions {
    const PATH: &'static str = "torch/foreach.yaml";
}

const PREFIX: &str = "_foreach_";

/// Whether the operator works on lists of tensors, one by one.
pub(crate) fn is_foreach_func(f: &NativeFunction) -> bool {
    f.func.name.name.base.starts_with(PREFIX)
}

/// The base name of the same operator for single tensors.
pub(super) fn reference_name(f: &NativeFunction) -> &str {
    let base = &f.func.name.name.base;
    base.rsplit(PREFIX).next().unwrap_or(base)
}

/// Whether the operator may use the derivative of an inplace operator.
pub(super) fn follows_inplace(f: &NativeFunction, table: &Exceptions) -> bool {
    f.func.kind() == SchemaKind::Inplace && is_in(&table.with_inplace_ref, f)
}

fn is_in(list: &[String], f: &NativeFunction) -> bool {
    let name = f.func.name.to_string();
    list.contains(&name)
}

/// Whether the operator with that signature is the single-tensor form of the foreach operator.
pub(super) fn is_reference_for_foreach(f: &NativeFunction, schema: &FunctionSchema, table: &Exceptions) -> bool {
    let own: Vec<&Argument> = f.func.arguments.flat_non_out().collect();
    let others: Vec<&Argument> = schema.arguments.flat_non_out().collect();
    let elem = |ty: &'_ Type| match ty {
        Type::List(elem, _) | Type::Optional(elem) => Some((**elem).clone()),
        _ => None,
    };
    let fits = |(own, other): (&&Argument, &&Argument)| other.ty == own.ty || elem(&own.ty).as_ref() == Some(&other.ty);
    reference_name(f) == schema.name.name.base
        && (!schema.name.name.inplace || is_in(&table.with_inplace_ref, f))
        && (own.len() == others.len() || is_in(&table.skip_argument_len_check, f))
        && own.iter().zip(&others).all(fits)
}

/// Makes the derivatives of a foreach operator from those of the operator with that signature.
///
/// # Errors
/// The rules for lists do not cover a formula.
pub(super) fn derive<'a>(
    f: &'a NativeFunction,
    schema: &FunctionSchema,
    reference: &DifferentiabilityInfo<'a>,
    table: &Exceptions,
) -> Result<DifferentiabilityInfo<'a>, Box<Diagnostic>> {
    let own: Vec<&'a Argument> = f.func.arguments.flat_non_out().collect();
    let by_reference: HashMap<&str, &Argument> =
        schema.arguments.flat_non_out().map(|a| a.name.as_str()).zip(own.iter().copied()).collect();
    let error = |message: String| {
        let diagnostic = Diagnostic::new(&codes::FOREACH_DERIVATIVE, message);
        Box::new(diagnostic.at(reference.span).also(f.spans.func, "the foreach operator"))
    };
    let mut derivatives = Vec::with_capacity(reference.derivatives.len());
    for derivative in &reference.derivatives {
        let made = backward(f, derivative, &by_reference);
        derivatives
            .push(made.map_err(|what| error(format!("no derivative of `{}` can be made: {what}", f.func.name)))?);
    }
    let in_any = |name: &str| derivatives.iter().any(|d: &Derivative| d.var_names.iter().any(|n| n == name));
    let mut args_with_derivatives = Vec::new();
    for argument in own.iter().filter(|a| in_any(&a.name)) {
        let ty = cpp::argument_type(argument, SymInts::Numbers, Locals::for_operator(f))
            .map_err(|api| error(api.message().to_owned()))?;
        args_with_derivatives.push(Binding::new(&argument.name, ty, ArgumentRef::Arg(argument)));
    }
    let forward_derivatives: Result<Vec<_>, _> =
        reference.forward_derivatives.iter().map(|written| forward(f, written, reference.func, table)).collect();
    let forward_derivatives = forward_derivatives
        .map_err(|what| error(format!("no forward formula of `{}` can be made: {what}", f.func.name)))?;
    let op = reference.op.as_ref().map(|op| format!("Foreach{op}{}", f.func.name.overload_name));
    Ok(DifferentiabilityInfo {
        name: f.func.name.name.base.clone(),
        func: f,
        op,
        all_saved_inputs: distinct(derivatives.iter().flat_map(|d| &d.saved_inputs)),
        all_saved_outputs: distinct(derivatives.iter().flat_map(|d| &d.saved_outputs)),
        derivatives,
        forward_derivatives: forward_derivatives.into(),
        available_named_gradients: Vec::new(),
        used_named_gradients: BTreeSet::new(),
        args_with_derivatives,
        non_differentiable_arg_names: Vec::new(),
        output_differentiability: None,
        output_differentiability_conditions: None,
        complex_gradients: reference.complex_gradients,
        span: reference.span,
    })
}

fn distinct<'s>(saved: impl Iterator<Item = &'s SavedAttribute>) -> Vec<SavedAttribute> {
    let mut once: Vec<SavedAttribute> = Vec::new();
    for one in saved {
        if !once.contains(one) {
            once.push(one.clone());
        }
    }
    once
}

/// The formula for one tensor of the lists. Texts are replaced wherever they occur, as in the
/// reference.
///
/// # Errors
/// The rules do not cover the formula.
fn backward(
    f: &NativeFunction,
    derivative: &Derivative,
    by_reference: &HashMap<&str, &Argument>,
) -> Result<Derivative, String> {
    let mut formula = derivative.formula.replace("grad", "grads[i]").replace("result", "result[i]");
    let mut saved_inputs = Vec::with_capacity(derivative.saved_inputs.len());
    for saved in &derivative.saved_inputs {
        let of = saved.expr.split('.').next().unwrap_or("");
        let argument = by_reference.get(of).ok_or_else(|| format!("it saves `{}`", saved.expr))?;
        let element =
            if matches!(argument.ty, Type::List(..)) { format!("{}[i]", argument.name) } else { argument.name.clone() };
        formula = formula.replace(&saved.name, &saved.expr.replace(of, &element));
        let ty = cpp::argument_type(argument, SymInts::Numbers, Locals::for_operator(f))
            .map_err(|error: ApiError| error.message().to_owned())?;
        saved_inputs.push(SavedAttribute {
            name: argument.name.clone(),
            ty: ty.remove_const_ref(),
            expr: argument.name.clone(),
        });
    }
    let mut saved_outputs = Vec::with_capacity(derivative.saved_outputs.len());
    for saved in &derivative.saved_outputs {
        if saved.name != "result" {
            return Err(format!("it saves `{}`", saved.expr));
        }
        let result = || "result".to_owned();
        saved_outputs.push(SavedAttribute { name: result(), ty: BaseCppType::TensorList.into(), expr: result() });
    }
    let var_names = derivative.var_names.iter().map(|name| match by_reference.get(name.as_str()) {
        Some(argument) => Ok(argument.name.clone()),
        None => Err(format!("it has no input for `{name}`")),
    });
    Ok(Derivative {
        formula,
        original_formula: derivative.formula.clone(),
        var_names: var_names.collect::<Result<_, _>>()?,
        saved_inputs,
        saved_outputs,
        named_gradients: BTreeSet::new(),
        span: derivative.span,
    })
}

/// The forward formula for one tensor of the lists.
///
/// # Errors
/// There is a tensor where a list is expected.
fn forward(
    f: &NativeFunction,
    written: &ForwardDerivative,
    reference: &NativeFunction,
    table: &Exceptions,
) -> Result<ForwardDerivative, String> {
    let mut made = written.clone();
    made.formula = written.formula.replace("result", "result[i]");
    for (own, other) in f.func.arguments.flat_non_out().zip(reference.func.arguments.flat_non_out()) {
        let is_list = matches!(own.ty, Type::List(..));
        if is_list && !own.ty.is_tensor_like() {
            made.formula = made.formula.replace(&other.name, &format!("{}[i]", own.name));
        } else if own.ty.is_tensor_like() {
            let single = own.ty == Type::TENSOR && is_in(&table.with_tensor_overload, f);
            if !is_list && !single {
                return Err(format!("`{}` is of type `{}`", own.name, own.ty));
            }
            for ending in ["_p", "_t"] {
                made.formula =
                    made.formula.replace(&format!("{}{ending}", other.name), &format!("{}{ending}", own.name));
            }
        } else if own.name != other.name {
            made.formula = made.formula.replace(&other.name, &own.name);
        }
        for (name, ty) in made.var_names.iter_mut().zip(&mut made.var_types) {
            if *name == other.name {
                name.clone_from(&own.name);
                ty.clone_from(&own.ty);
            }
        }
        for name in made.required_inputs_fw_grad.iter_mut().chain(&mut made.required_inputs_primal) {
            if *name == other.name {
                name.clone_from(&own.name);
            }
        }
    }
    Ok(made)
}
