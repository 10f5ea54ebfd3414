//! Calls of operators: the overload that C++ would call, and the arguments as its schema has them.
//!
//! Invariant: an overload is named only if it is the only one that takes the arguments. Otherwise
//! `torch.ops` selects it, and all of them have the same keywords.

use super::Problem;
use super::numbers::converted;
use super::operators::Operators;
use super::value::Value;
use torchgen_base::diag::plural;
use torchgen_base::lang::python::is_keyword;
use torchgen_formula::{Call, Callee, Kind, Outcome, Parameter, Selected, Signature, Ty};
use torchgen_model::model::{Argument, BaseTy, Type};

/// An argument: its expression and its type.
pub(super) type Passed = (Value, Ty);

/// The operators of a call, and its name without `_symint`.
struct Called<'c> {
    namespace: &'c str,
    base: &'c str,
    shown: String,
}

impl<'c> Called<'c> {
    fn of(call: &'c Call<'_, '_>) -> Called<'c> {
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
    object: Option<&Passed>,
    arguments: &[Passed],
) -> Result<Value, Problem> {
    let called = Called::of(call);
    let shown = &called.shown;
    let problem = |message: String| Err(Problem::new(call.place.clone(), message));
    let best = match &call.outcome {
        Outcome::Selected(_, Selected::Best(best) | Selected::Ambiguous(best, _)) => best,
        Outcome::Selected(_, Selected::Count) => {
            let count = arguments.len() + usize::from(object.is_some());
            return problem(format!("`{shown}` does not take {}", plural(count, "argument")));
        }
        Outcome::Selected(_, Selected::Types(_)) => {
            return problem(format!("`{shown}` does not take arguments of these types"));
        }
        Outcome::Missing(Some(reason)) => return problem(reason.clone()),
        Outcome::Missing(None) | Outcome::Returns(_) => {
            return problem(format!("there is no operator `{shown}`"));
        }
    };
    if best.iter().all(|signature| takes_integer_for_condition(signature, arguments)) {
        let message = format!("an integer is passed to `{shown}` for a condition");
        return Err(Problem::new(call.place.clone(), message).help(
            "C++ may have an overload for integers that no schema has: write `true` or `false`, or the whole list",
        ));
    }
    let mut texts: Vec<Vec<String>> = best.iter().map(|one| passed_to(operators, one, object, arguments)).collect();
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

/// Whether an integer, or one in braces, is passed for a bool. C++ prefers an overload for
/// integers, and has some that no schema has: `std(int64_t dim)`.
fn takes_integer_for_condition(signature: &Signature, arguments: &[Passed]) -> bool {
    let pairs = signature.parameters.iter().zip(arguments);
    pairs.filter_map(|(parameter, (_, ty))| Some((parameter.argument.as_ref()?, ty))).any(|(argument, ty)| {
        matches!(ty.kind, Kind::Int | Kind::Braces) && !ty.is_optional() && argument.ty.is(BaseTy::Bool)
    })
}

/// The arguments as Python has them.
fn passed_to(
    operators: &Operators,
    signature: &Signature,
    object: Option<&Passed>,
    arguments: &[Passed],
) -> Vec<String> {
    let schema = operators.schema(signature);
    let positional: Vec<&Argument> = schema.arguments.flat_positional().collect();
    let mut texts = Vec::new();
    let pairs = signature.parameters.iter().zip(arguments);
    texts.extend(pairs.filter_map(|(parameter, value)| {
        let is_keyword =
            parameter.argument.as_ref().is_none_or(|own| !positional.iter().any(|one| one.name == own.name));
        argument(parameter, is_keyword, value)
    }));
    if let Some((value, _)) = object {
        let place = positional.iter().position(|argument| argument.schema_name() == "self").unwrap_or_default();
        texts.insert(place.min(texts.len()), value.text.clone());
    }
    texts
}

fn argument(parameter: &Parameter, by_keyword: bool, value: &Passed) -> Option<String> {
    let (Value { text, .. }, ty) = value;
    let Some(argument) = &parameter.argument else {
        return match ty.kind {
            Kind::Options => Some(format!("**{text}")),
            Kind::Device | Kind::Text => Some(format!("device={text}")),
            Kind::Layout => Some(format!("layout={text}")),
            Kind::MemoryFormat => Some(format!("memory_format={text}")),
            Kind::Empty => None,
            _ => Some(format!("dtype={text}")),
        };
    };
    let text = passed(value, &argument.ty);
    let name = argument.schema_name();
    Some(match (by_keyword, is_keyword(name)) {
        (false, _) => text,
        (true, true) => format!("**_builtins.dict([(\"{name}\", {text})])"),
        (true, false) => format!("{name}={text}"),
    })
}

/// A value for a parameter of that type.
fn passed((value, ty): &Passed, parameter: &Type) -> String {
    let wanted = Kind::of(parameter);
    match ty.kind {
        Kind::Empty if matches!(parameter, Type::Optional(_)) || !wanted.is_list() && wanted != Kind::Unknown => {
            "None".to_owned()
        }
        kind if kind.is_number() && wanted.is_list() => {
            format!("[{}]", converted(value.clone(), kind, wanted.element()).text)
        }
        Kind::Tensor if wanted.is_list() => format!("[{}]", value.text),
        // A number in braces is one in brackets.
        Kind::Braces if !wanted.is_list() && wanted != Kind::Unknown => {
            let inside = value.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
            inside.unwrap_or(&value.text).to_owned()
        }
        // `torch.ops` takes an integer for a number.
        kind if kind.is_number() && (wanted.is_integer() || wanted == Kind::Bool) => {
            converted(value.clone(), kind, wanted).text
        }
        _ => value.text.clone(),
    }
}
