//! What a kernel saves in its node: inputs before the call, outputs at the end.
//!
//! Invariant: in the order of the names. Values that no gradient can need are not saved, where a
//! single input decides that. Rule: tools/autograd/gen_variable_type.py, `save_variables` and
//! `guard_for`.

use std::borrow::Cow;

use serde::Serialize;

use super::operator::{DispatchedOperator, is_tensor_list_type};
use crate::ItemError;
use torchgen_api::autograd::{DifferentiabilityInfo, SavedAttribute, SavedFrom};
use torchgen_api::{BaseCppType, CType, CTypeKind};
use torchgen_base::diag::Diagnostic;
use torchgen_model::codes;
use torchgen_model::model::{Argument, Type, cpp_names};

/// One saved value.
#[derive(Debug, Serialize)]
pub(crate) struct Save {
    /// The node's member.
    member: String,
    /// Its value.
    value: String,
    /// The condition under which it is needed, if there is one.
    guard: Option<String>,
    /// The value to copy first, because it will be overwritten.
    original: Option<Original>,
}

/// The copy of a tensor that an inplace operator overwrites.
#[derive(Debug, Clone, Copy, Serialize)]
struct Original {
    copy: &'static str,
    of: &'static str,
}

/// The saved values of the inputs.
///
/// # Errors
/// Something cannot be saved.
pub(crate) fn inputs(op: &DispatchedOperator) -> Result<Vec<Save>, ItemError> {
    let Some(info) = op.backward() else { return Ok(Vec::new()) };
    saves(op, info, &info.all_saved_inputs, SavedFrom::Input)
}

/// The saved values of the outputs.
///
/// # Errors
/// Something cannot be saved.
pub(crate) fn outputs(op: &DispatchedOperator) -> Result<Vec<Save>, ItemError> {
    match op.backward() {
        Some(info) if !op.out => saves(op, info, &info.all_saved_outputs, SavedFrom::Output),
        _ => Ok(Vec::new()),
    }
}

fn saves(
    op: &DispatchedOperator,
    info: &DifferentiabilityInfo,
    saved: &[SavedAttribute],
    from: SavedFrom,
) -> Result<Vec<Save>, ItemError> {
    let mut saved: Vec<&SavedAttribute> = saved.iter().collect();
    saved.sort_by(|a, b| a.name.cmp(&b.name));
    saved.into_iter().map(|one| save(op, info, one, from)).collect()
}

fn save(
    op: &DispatchedOperator,
    info: &DifferentiabilityInfo,
    saved: &SavedAttribute,
    from: SavedFrom,
) -> Result<Save, ItemError> {
    let is_output = from == SavedFrom::Output;
    let SavedAttribute { name, ty, expr } = saved;
    let per_tensor = op.foreach_inplace();
    let list = Element::from_saved(op, name);
    let expr = match &list {
        Some(element) => Cow::Owned(element.in_place_of_list(expr)),
        None => Cow::Borrowed(expr.as_str()),
    };
    let mut original = None;
    let (member, value) = match SavedForm::from_type(ty, from) {
        SavedForm::Tensor if op.inplace && is_output => {
            if name != "result" {
                let name = cpp_names::written(name);
                let message = format!("the inplace operator `{}` has no output `{name}` to save", op.f.func.name);
                return Err(refused(op, info, message)
                    .help("give the inplace operator a derivative of its own that uses `result`")
                    .into());
            }
            let result = if per_tensor { "self[i]" } else { "self" };
            (format!("{name}_"), format!("SavedVariable({result}, true, {result}.is_view())"))
        }
        SavedForm::Tensor if op.inplace && name == "self" => {
            let kept = if per_tensor {
                Original { copy: "original_selfs[i]", of: "self[i]" }
            } else {
                Original { copy: "original_self", of: "self" }
            };
            original = Some(kept);
            ("self_".to_owned(), format!("SavedVariable({}.value(), {is_output})", kept.copy))
        }
        SavedForm::Tensor => {
            let value = format!("SavedVariable({name}, {is_output})");
            let value = list.map_or(value.clone(), |element| element.in_place_of_list(&value));
            (format!("{name}_"), value)
        }
        SavedForm::Tensors { owned } => {
            if owned && !(op.foreach && is_output) {
                let name = cpp_names::written(name);
                let message = format!("the list of tensors `{name}` that `{}` returns cannot be saved", op.f.func.name);
                return Err(refused(op, info, message).into());
            }
            (format!("{name}_"), format!("make_saved_variable_list({name}, {})", op.foreach && is_output))
        }
        SavedForm::View => (name.clone(), format!("{expr}.vec()")),
        SavedForm::String => (name.clone(), format!("std::string({expr})")),
        SavedForm::OptionalString => (
            name.clone(),
            format!("{expr}.has_value() ? ::std::optional<std::string>(std::string({expr}.value())) : ::std::nullopt"),
        ),
        SavedForm::Value => (name.clone(), expr.into_owned()),
    };
    let guard = if is_output { None } else { guard(op, info, saved) };
    Ok(Save { member, value, guard, original })
}

fn refused(op: &DispatchedOperator, info: &DifferentiabilityInfo, message: String) -> Diagnostic {
    Diagnostic::new(&codes::UNSUPPORTED_IN_FORMULA, message).at(info.span).also(op.f.spans.func, "the operator")
}

/// How a value is saved, by its type.
enum SavedForm {
    /// As a `SavedVariable`.
    Tensor,
    /// As a list of them, from an owning or a borrowed list.
    Tensors {
        owned: bool,
    },
    /// As a vector, since it only points to its elements.
    View,
    String,
    OptionalString,
    /// Unchanged.
    Value,
}

impl SavedForm {
    fn from_type(ty: &CType, from: SavedFrom) -> SavedForm {
        let tensor = CType::base(BaseCppType::Tensor);
        match ty.kind() {
            CTypeKind::Base(BaseCppType::Tensor) => SavedForm::Tensor,
            CTypeKind::Base(BaseCppType::Scalar) if from == SavedFrom::Output => SavedForm::Tensor,
            CTypeKind::Optional(elem) if *elem == tensor => SavedForm::Tensor,
            CTypeKind::Base(BaseCppType::TensorList | BaseCppType::ITensorListRef) => {
                SavedForm::Tensors { owned: false }
            }
            CTypeKind::List(elem) if *elem == tensor.optional() => SavedForm::Tensors { owned: false },
            CTypeKind::Vector(elem) if *elem == tensor => SavedForm::Tensors { owned: true },
            CTypeKind::Base(BaseCppType::IntArrayRef | BaseCppType::SymIntArrayRef) => SavedForm::View,
            CTypeKind::ArrayRef(elem) if elem.is(BaseCppType::Scalar) => SavedForm::View,
            CTypeKind::Base(BaseCppType::String) => SavedForm::String,
            CTypeKind::Optional(elem) if elem.is(BaseCppType::String) => SavedForm::OptionalString,
            _ => SavedForm::Value,
        }
    }
}

/// For an inplace foreach operator: the replacement of a name that is saved for one tensor.
struct Element<'n, 's> {
    name: &'n str,
    own: &'s Argument,
}

impl<'n, 's> Element<'n, 's> {
    fn from_saved(op: &DispatchedOperator<'s, '_>, saved: &'n str) -> Option<Self> {
        let name = saved.split("_scalar_type").next().unwrap_or(saved);
        op.followed_by(name).map(|own| Element { name, own })
    }

    /// The expression with the element of the list, or the argument itself, in place of the name.
    fn in_place_of_list(&self, expr: &str) -> String {
        expr.replace(self.name, &element(self.own))
    }
}

/// The argument, or the current element of a loop over its list.
pub(crate) fn element(argument: &Argument) -> String {
    match argument.ty {
        Type::List(..) => format!("{}[i]", argument.name),
        _ => argument.name.clone(),
    }
}

/// The condition under which an input is needed, if it is needed for the gradient of only one
/// input.
fn guard(op: &DispatchedOperator, info: &DifferentiabilityInfo, saved: &SavedAttribute) -> Option<String> {
    let arguments = &op.with_derivatives;
    let has_lists = arguments.iter().any(|argument| is_tensor_list_type(argument.ty));
    if (has_lists && !op.foreach_inplace())
        || info.name.contains("backward")
        || arguments.len() <= 1
        || !saved.ty.is(BaseCppType::Tensor)
    {
        return None;
    }
    let mut users = info.derivatives.iter().filter(|derivative| derivative.saved_inputs.contains(saved));
    let (Some(user), None) = (users.next(), users.next()) else { return None };
    match user.var_names.as_slice() {
        [only] => {
            let edge = arguments.iter().position(|argument| argument.name == only)?;
            Some(should_compute(&edge.to_string()))
        }
        _ => wrap_opt_if(&user.formula, &saved.name).map(in_terms_of_node),
    }
}

/// The condition in the formula itself: the second argument of `wrap_opt_if(name, condition)`.
fn wrap_opt_if<'f>(formula: &'f str, name: &str) -> Option<&'f str> {
    let start = format!("wrap_opt_if({name},");
    let condition = &formula[formula.find(&start)? + start.len()..];
    let mut depth = 0_usize;
    for (at, c) in condition.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(condition[..at].trim()),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The condition, with the mask of needed gradients in formulas replaced by calls of the node.
fn in_terms_of_node(condition: &str) -> String {
    const MASK: &str = "grad_input_mask[";
    let mut out = String::new();
    let mut rest = condition;
    while let Some(at) = rest.find(MASK) {
        let (before, inside) = (&rest[..at], &rest[at + MASK.len()..]);
        out.push_str(before);
        match inside.split_once(']') {
            Some((index, after)) if !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()) => {
                out.push_str(&should_compute(index));
                rest = after;
            }
            _ => {
                out.push_str(MASK);
                rest = inside;
            }
        }
    }
    out.push_str(rest);
    out
}

fn should_compute(edge: &str) -> String {
    format!("grad_fn->should_compute_output({edge})")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str, expected: Option<&str>) {
        assert_eq!(wrap_opt_if(formula, "self").map(in_terms_of_node).as_deref(), expected);
    }

    #[test]
    fn conditions_in_formulas() {
        check(
            "f(wrap_opt_if(self, grad_input_mask[1] || grad_input_mask[12]), x)",
            Some("grad_fn->should_compute_output(1) || grad_fn->should_compute_output(12)"),
        );
        check("f(wrap_opt_if(self,grad_input_mask[0]))", Some("grad_fn->should_compute_output(0)"));
        check(
            "wrap_opt_if(self, f(grad_input_mask[i]) && x[grad_input_mask[2]])",
            Some("f(grad_input_mask[i]) && x[grad_fn->should_compute_output(2)]"),
        );
        check("wrap_opt_if(other, grad_input_mask[0])", None);
        check("wrap_opt_if(self, open", None);
    }
}
