//! Calls of operators: the overload that C++ would call, and the arguments as its schema has them.
//!
//! Invariant: an overload is named only if it is the only one that takes the arguments. Otherwise
//! `torch.ops` selects it, and all of them have the same keywords.

use super::Problem;
use super::numbers::converted;
use super::operators::Operators;
use super::value::{Value, strength};
use crate::formula::check::ambiguous;
use torchgen_base::diag::plural;
use torchgen_base::lang::python::is_keyword;
use torchgen_formula::{Call, Callee, Outcome, Selected, Signature, Ty, ValueKind};
use torchgen_model::model::{Argument, Type};

/// An argument.
pub(super) struct Passed {
    /// Its expression.
    pub(super) value: Value,
    /// The same as a number with a sign.
    pub(super) signed: Value,
    /// Its type.
    pub(super) ty: Ty,
    /// The values in braces.
    pub(super) elements: Option<Vec<Passed>>,
}

/// The operators of a call, and its name without `_symint`.
struct Called<'c> {
    namespace: &'c str,
    base: &'c str,
    shown: String,
}

impl<'c> Called<'c> {
    fn from_call(call: &'c Call<'_, '_>) -> Called<'c> {
        let namespace = match &call.callee {
            Callee::Function(namespace) if namespace != "torch" => namespace.as_str(),
            _ => "at",
        };
        let base = call.name.strip_suffix("_symint").unwrap_or(call.name);
        Called { namespace, base, shown: format!("{namespace}::{}", call.name) }
    }

    /// The operators of `torch.ops` with that name.
    fn packet(&self) -> String {
        let operators = match self.namespace {
            "at" => "_aten".to_owned(),
            other => format!("_torch.ops.{}", other.replace("::", ".")),
        };
        match is_keyword(self.base) {
            true => format!("_builtins.getattr({operators}, \"{}\")", self.base),
            false => format!("{operators}.{}", self.base),
        }
    }
}

/// The call of an operator. `object` is the value of a method, which is the argument `self`.
pub(super) fn call(
    operators: &Operators,
    call: &Call<'_, '_>,
    object: Option<&Value>,
    arguments: &[Passed],
) -> Result<Value, Problem> {
    let called = Called::from_call(call);
    let shown = &called.shown;
    let problem = |message: String| Err(Problem::new(call.place.clone(), message));
    let best = match &call.outcome {
        Outcome::Selected(_, Selected::Best(best)) => best,
        Outcome::Selected(_, Selected::Ambiguous(_, at)) => return problem(ambiguous(shown, *at)),
        Outcome::Selected(_, Selected::Count) => {
            let count = arguments.len() + usize::from(object.is_some());
            return problem(format!("`{shown}` does not take {}", plural(count, "argument")));
        }
        Outcome::Selected(_, Selected::Types(_)) => {
            return problem(format!("`{shown}` does not take arguments of these types"));
        }
        Outcome::Missing(Some(reason)) => return problem(reason.clone()),
        Outcome::Missing(None) | Outcome::Returns(_) => {
            let problem = Problem::new(call.place.clone(), format!("there is no operator `{shown}`"));
            return Err(Problem { help: operators.near(&call.callee, call.name), ..problem });
        }
    };
    let texts: Option<Vec<Vec<String>>> = best.iter().map(|one| passed_to(operators, one, object, arguments)).collect();
    let Some(mut texts) = texts else {
        return problem(format!("what these braces are for `{shown}` has no form in Python"));
    };
    texts.sort();
    texts.dedup();
    let (Some(first), [own]) = (best.first(), texts.as_slice()) else {
        return problem(format!("this could be a call of several overloads of `{shown}`"));
    };
    let name = |signature: &Signature| operators.schema(signature).name.clone();
    let mut function = called.packet();
    if best.iter().all(|other| name(other) == name(first)) {
        let overload = name(first).overload_name.clone();
        function = format!("{function}.{}", if overload.is_empty() { "default" } else { &overload });
    }
    Ok(Value::atom(format!("{function}({})", own.join(", "))))
}

/// The arguments as Python has them; `None` if one has no form there.
fn passed_to(
    operators: &Operators,
    signature: &Signature,
    object: Option<&Value>,
    arguments: &[Passed],
) -> Option<Vec<String>> {
    let schema = operators.schema(signature);
    let positional: Vec<&Argument> = schema.arguments.flat_positional().collect();
    let mut texts = Vec::new();
    for (parameter, value) in signature.parameters.iter().zip(arguments) {
        let Some(own) = &parameter.argument else {
            texts.extend(options(value));
            continue;
        };
        let text = passed(value, &own.ty)?;
        let name = own.schema_name();
        texts.push(match (positional.iter().any(|one| one.name == own.name), is_keyword(name)) {
            (true, _) => text,
            (false, true) => format!("**_builtins.dict([(\"{name}\", {text})])"),
            (false, false) => format!("{name}={text}"),
        });
    }
    if let Some(object) = object {
        let place = positional.iter().position(|argument| argument.schema_name() == "self").unwrap_or_default();
        texts.insert(place.min(texts.len()), object.text.clone());
    }
    Some(texts)
}

/// A value for dtype, layout, device and pinning as one; `None` for the defaults.
fn options(Passed { value: Value { text, .. }, ty, .. }: &Passed) -> Option<String> {
    match ty.kind {
        ValueKind::Options => Some(format!("**{text}")),
        ValueKind::Device | ValueKind::Text => Some(format!("device={text}")),
        ValueKind::Layout => Some(format!("layout={text}")),
        ValueKind::MemoryFormat => Some(format!("memory_format={text}")),
        ValueKind::Empty => None,
        _ => Some(format!("dtype={text}")),
    }
}

/// A value for a parameter of that type; `None` if it has no form in Python.
fn passed(argument: &Passed, parameter: &Type) -> Option<String> {
    let Passed { value, signed, ty, elements } = argument;
    let wanted = ValueKind::from_schema_type(parameter);
    let converted = |to: ValueKind| converted(if to.is_integer() { signed } else { value }.clone(), ty.kind, to);
    if let Some(elements) = elements {
        return in_braces(elements, parameter);
    }
    Some(match ty.kind {
        kind if kind.is_number() && wanted.is_list() => {
            format!("[{}]", converted(wanted.element()).text)
        }
        // A literal is a pointer.
        ValueKind::Text if wanted == ValueKind::Bool => "True".to_owned(),
        ValueKind::Tensor if wanted.is_list() => format!("[{}]", value.text),
        // `torch.ops` takes an integer for a number.
        kind if kind.is_number() && (wanted.is_integer() || wanted == ValueKind::Bool) => {
            let own = converted(wanted).text;
            match ty.is_optional() && own != value.text {
                true => format!("None if {} is None else {own}", value.within(strength::BIT_OR)),
                false => own,
            }
        }
        _ => value.text.clone(),
    })
}

/// Values in braces for a parameter of that type: the elements of a list, or the value of another
/// type, whose default is that of no values.
fn in_braces(elements: &[Passed], parameter: &Type) -> Option<String> {
    let is_open = |one: &Passed| one.elements.as_ref().is_some_and(Vec::is_empty);
    let element = match parameter {
        Type::Optional(_) if elements.is_empty() => return Some("None".to_owned()),
        Type::Optional(inner) => return in_braces(elements, inner),
        Type::List(element, _) => element,
        _ => {
            return match elements {
                [] => default(parameter).map(str::to_owned),
                [one] => passed(one, parameter),
                _ => None,
            };
        }
    };
    match elements {
        // Whether that is an empty list, or one with a default, depends on the class of the list.
        [one] if is_open(one) => None,
        [one] if one.elements.is_some() || one.ty.kind.is_list() => passed(one, parameter),
        elements => {
            let texts: Option<Vec<String>> = elements.iter().map(|one| passed(one, element)).collect();
            Some(format!("[{}]", texts?.join(", ")))
        }
    }
}

/// What C++ makes of no values for a parameter of that type.
fn default(parameter: &Type) -> Option<&'static str> {
    match ValueKind::from_schema_type(parameter) {
        ValueKind::Tensor | ValueKind::Generator => Some("None"),
        ValueKind::Int | ValueKind::SymInt | ValueKind::Scalar => Some("0"),
        ValueKind::Float => Some("0.0"),
        ValueKind::Bool => Some("False"),
        ValueKind::Text => Some("\"\""),
        _ => None,
    }
}
