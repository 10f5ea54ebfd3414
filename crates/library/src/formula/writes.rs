//! Formulas that change what they are given: a gradient belongs to the caller, and a saved value to
//! whoever passed it.
//!
//! Invariant: what is reported writes the tensor itself or a view of it, by a method or function
//! whose name ends in an underscore, as those of all operators do that mutate, or by an out
//! variant.

use std::collections::HashMap;

use torchgen_base::diag::{Diagnostic, Help};
use torchgen_base::yaml::Text;
use torchgen_formula::{Binary, Expr, Method, Node, parse};
use torchgen_model::codes;
use torchgen_model::model::NativeFunction;
use torchgen_model::records::DerivativeRecord;
use torchgen_model::versions::shares_memory;

/// The lints on the formulas of all entries of these operators.
pub(crate) fn lints(records: &[DerivativeRecord], functions: &[NativeFunction]) -> Vec<Diagnostic> {
    let by_name: HashMap<String, &NativeFunction> =
        functions.iter().map(|f| (format!("{}::{}", f.namespace, f.func.name), f)).collect();
    let mut found = Vec::new();
    for record in records {
        let name = record.name.as_str().split('(').next().unwrap_or_default().trim();
        let Some(f) = by_name.get(name) else { continue };
        for formula in record.formulas.iter().flat_map(|keyed| &keyed.formulas).map(|one| &one.formula) {
            found.extend(parse(formula.as_str()).ok().and_then(|expr| lint(&expr, formula, f)));
        }
    }
    found
}

fn lint(expr: &Expr, formula: &Text, f: &NativeFunction) -> Option<Diagnostic> {
    let mut first = None;
    expr.walk(&mut |part| {
        let found = || written(part).and_then(|(tensor, place)| Some((whose(name_of_tensor(tensor)?, f)?, place)));
        first = first.take().or_else(found);
    });
    let (whose, place) = first?;
    let text = formula.as_str().get(place.clone())?;
    let plain = text.trim_end_matches('_');
    let lint = Diagnostic::new(&codes::WRITES_INPUT, format!("the formula changes {whose}"));
    let lint = lint.at(formula.sub_span(place)).also(f.spans.name, "the operator");
    Some(match text.ends_with('_') {
        true => lint.help(Help::new(format!("write `{plain}`, which returns a new tensor")).word(text, plain)),
        false => lint.help("write an expression for the new value, or change a clone of the tensor"),
    })
}

/// Whose tensor has the name; `None` for a name of the formula's own, and for a tangent, which the
/// formula of an inplace operator has to change.
fn whose(name: &str, f: &NativeFunction) -> Option<String> {
    let is_input = f.func.schema_order_arguments().any(|a| a.schema_name() == name);
    let mut returns = f.func.returns.iter().enumerate();
    let is_output =
        name == "result" || returns.any(|(i, ret)| ret.name.as_deref() == Some(name) || format!("result{i}") == name);
    match name {
        _ if is_input || is_output => Some(format!("`{name}`, which is saved and not its own")),
        _ if name == "grad" || name == "grads" || name.starts_with("grad_") => {
            Some("a gradient, which belongs to the caller".to_owned())
        }
        _ => None,
    }
}

/// The tensor that an expression writes, and the place of what writes it.
fn written(part: &Expr) -> Option<(&Expr, std::ops::Range<usize>)> {
    let mutates = |name: &str| name.ends_with('_') && !name.ends_with("__") && name != "requires_grad_";
    match &part.node {
        Node::Method(Method { object, name, place, .. }) if mutates(name) => Some((object, place.clone())),
        Node::Call(path, arguments) if path.parts.len() == 2 && path.parts[0] == "at" => {
            let start = path.range.end - path.name().len();
            let place = start..path.range.end;
            match path.name() {
                name if mutates(name) => Some((arguments.first()?, place)),
                name if name.ends_with("_outf") => Some((arguments.last()?, place)),
                name if name.ends_with("_out") => Some((arguments.first()?, place)),
                _ => None,
            }
        }
        Node::Binary { operator: Binary::Assign, place, left, .. } => Some((left, place.clone())),
        _ => None,
    }
}

/// The name of the tensor, or of the one that it is a view of.
fn name_of_tensor(tensor: &Expr) -> Option<&str> {
    match &tensor.node {
        Node::Index(list, _) => name_of_tensor(list),
        Node::Method(method) if shares_memory(method.name.trim_end_matches("_symint")).is_some() => {
            name_of_tensor(&method.object)
        }
        Node::Dereferenced { value, .. } => name_of_tensor(value),
        _ => tensor.single(),
    }
}
