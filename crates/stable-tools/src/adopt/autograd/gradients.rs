//! The entry of derivatives.yaml that a class computes the same as.
//!
//! Rule: what `forward` saves is an argument or a result of the operator, or follows from the sizes
//! and types of these at no cost; all else is a reason. A call with several results that are each a
//! gradient is one formula. Invariant: an entry is complete, or says what is missing.

use super::body::{Done, Library};
use super::operator::{Matched, Schema};
use super::values::{Name, Reason, Value, Values, short};
use torchgen_base::diag::plural;
use torchgen_formula::{Node, parse};

/// An entry.
#[derive(Debug, Default)]
pub(super) struct Gradients {
    /// The names of inputs, and their formula; `None` if it has no gradient.
    pub(super) formulas: Vec<(Vec<String>, Option<String>)>,
    /// The inputs without a known formula, and why.
    pub(super) missing: Vec<(String, Reason)>,
    /// Whether each result has a gradient, if not all have.
    pub(super) differentiable: Option<Vec<bool>>,
}

/// What tensors and numbers have without computing anything.
const PROPERTIES: &[&str] = &[
    "sym_sizes",
    "sym_size",
    "sizes",
    "size",
    "sym_numel",
    "numel",
    "dim",
    "ndimension",
    "scalar_type",
    "dtype",
    "device",
    "options",
    "layout",
    "sym_strides",
    "sym_stride",
    "defined",
    "has_value",
    "value_or",
];

/// What `forward` saves, as `backward` can use it.
pub(super) fn given(forward: &Done, parameters: &[String], values: &mut Values) -> Done {
    let mut known = |value: &Value| {
        let Value::Text(text) = value else { return value.clone() };
        if parameters.contains(text) && !forward.returned.contains(value) {
            return value.clone();
        }
        if let Some(at) = forward.returned.iter().position(|output| output == value) {
            return values.output(at);
        }
        match values.of_parameters(text) {
            Ok(whole) if parse(&whole).is_ok_and(|tree| is_free(&tree)) => value.clone(),
            Ok(whole) => {
                let message = format!("it saves `{}`, which is no argument or result of the operator", short(&whole));
                values.unknown(Reason { message, place: forward.place.clone() })
            }
            Err(reason) => values.unknown(reason.or_at(&forward.place)),
        }
    };
    Done {
        saved: forward.saved.iter().map(&mut known).collect(),
        saves_list: forward.saves_list,
        attributes: forward.attributes.iter().map(|(name, value)| (name.clone(), known(value))).collect(),
        ..Done::default()
    }
}

/// Whether an expression computes nothing.
fn is_free(tree: &torchgen_formula::Expr) -> bool {
    let mut is_free = true;
    tree.walk(&mut |part| {
        is_free &= match &part.node {
            Node::Method(method) => PROPERTIES.contains(&method.name.as_str()),
            Node::Call(path, _) => path.name().ends_with("_cast"),
            Node::Apply(..) | Node::Lambda(..) | Node::Statements(_) | Node::Throw(_) => false,
            _ => true,
        };
    });
    is_free
}

/// The gradients that `backward` returns for the parameters of `forward`.
pub(super) fn gradients(
    schema: &Schema,
    matched: &Matched,
    (forward, parameters): (&Done, &[String]),
    (backward, library): (&Done, &dyn Library),
    values: &Values,
) -> Result<Gradients, Reason> {
    let whole = |message: String| Reason { message, place: backward.place.clone() };
    if backward.returned.len() != parameters.len() {
        let (found, wanted) = (plural(backward.returned.len(), "gradient"), plural(parameters.len(), "parameter"));
        return Err(whole(format!("it returns {found} for {wanted}")));
    }
    let differentiable = differentiable(schema, matched, forward);
    let names = schema.names();
    let mut named = |name: Name<'_>| match name {
        Name::Gradient(at) => {
            let result = matched.result(at).filter(|result| differentiable[*result]);
            let result = result.ok_or_else(|| format!("it uses the gradient of output {at}, which has none"))?;
            let before = differentiable[..result].iter().filter(|one| **one).count();
            let is_only = differentiable.iter().filter(|one| **one).count() == 1;
            Ok(if is_only && !names.contains(&"grad") { "grad".to_owned() } else { format!("grads[{before}]") })
        }
        other => matched.named(schema, &other),
    };
    // Only arguments can have gradients.
    let argument_of = |place: usize| matched.parameters.get(&parameters[place]).and_then(|one| one.argument);
    let is_known = |place: &usize| argument_of(*place).is_some() || backward.returned[*place] == Value::Undefined;
    if let Some(place) = (0..parameters.len()).find(|place| !is_known(place)) {
        let name = &parameters[place];
        return Err(whole(format!("it returns a gradient for `{name}`, which is no argument of the operator")));
    }
    let mut result = Gradients::default();
    // The gradient of each argument that is a tensor.
    let mut found: Vec<(String, &String)> = Vec::new();
    for (at, a) in schema.function.schema_order_arguments().enumerate().filter(|(_, a)| a.ty.is_tensor_like()) {
        let name = a.schema_name().to_owned();
        let own: Vec<usize> = (0..parameters.len()).filter(|place| argument_of(*place) == Some(at)).collect();
        let gradient = match own.as_slice() {
            [] => Ok(None),
            [one] => match &backward.returned[*one] {
                Value::Undefined => Ok(None),
                _ if a.ty.is_list_like().is_some() => Err("is a list of tensors"),
                Value::Text(text) => Ok(Some(text)),
                _ => Err("has a gradient that is no tensor"),
            },
            _ => Err("is several parameters of `forward`"),
        };
        match gradient {
            Ok(Some(text)) => found.push((name, text)),
            Ok(None) => result.formulas.push((vec![name], None)),
            Err(problem) => {
                let reason = whole(format!("`{name}` {problem}"));
                result.missing.push((name, reason));
            }
        }
    }
    // What the kernel returns as it is keeps the gradient that it has.
    if result.formulas.len() < matched.results.iter().filter(|output| output.is_none()).count() {
        return Err(whole("its kernel returns an argument that has a gradient".to_owned()));
    }
    let shared: Vec<Vec<String>> = found.iter().map(|(_, text)| values.shared(text)).collect();
    let users = |of: &String| shared.iter().filter(|own| own.contains(of)).count();
    let mut taken: Vec<&String> = Vec::new();
    for ((name, text), own) in found.iter().zip(&shared) {
        let (names, formula) = match own.iter().find(|of| users(of) > 1) {
            Some(of) if taken.contains(&of) => continue,
            Some(of) => {
                taken.push(of);
                // All results of a call, each of which is the gradient of an input.
                let part = |(name, text): &(String, &String)| {
                    values.part(text).filter(|(own, _)| own == of).map(|(_, place)| (place, name.clone()))
                };
                let mut parts: Vec<(usize, String)> = found.iter().filter_map(part).collect();
                parts.sort_unstable();
                let count = library.results_of(values.called(of)).unwrap_or(parts.len());
                let is_whole = parts.len() == users(of) && parts.iter().map(|(place, _)| *place).eq(0..count);
                let all = found.iter().zip(&shared).filter(|(_, own)| own.contains(of));
                match is_whole {
                    true => (parts.into_iter().map(|(_, name)| name).collect(), values.written(of, &mut named)),
                    false => (
                        all.map(|((name, _), _)| name.clone()).collect(),
                        Err(whole("it uses the results of one call in several gradients".to_owned())),
                    ),
                }
            }
            None => (vec![name.clone()], values.written(text, &mut named)),
        };
        match formula.map_err(|reason| reason.or_at(&backward.place)) {
            Ok(formula) => result.formulas.push((names, Some(formula))),
            Err(reason) => result.missing.extend(names.into_iter().map(|name| (name, reason.clone()))),
        }
    }
    if differentiable.contains(&false) {
        result.differentiable = Some(differentiable);
    }
    Ok(result)
}

/// Whether each result has a gradient.
fn differentiable(schema: &Schema, matched: &Matched, forward: &Done) -> Vec<bool> {
    let has = |(at, ret): (usize, &torchgen_model::model::Return)| {
        let output = matched.results.get(at).copied().flatten();
        let has = |output: usize| {
            let value = forward.returned.get(output);
            value.is_none_or(|value| !forward.without_gradient.contains(value))
        };
        ret.ty.is_tensor_like() && output.is_some_and(has)
    };
    schema.function.returns.iter().enumerate().map(has).collect()
}
