//! Calls of operators: the overload that C++ would call, and the arguments as its schema has them.
//!
//! Invariant: an overload is named only if it is the only one that takes the arguments. Otherwise
//! `torch.ops` selects it, and all of them have the same keywords.

use std::ops::Range;

use super::value::{Kind, Value, is_list};
use super::{Found, Problem, Scope};
use torchgen_base::diag::plural;
use torchgen_base::lang::python::is_keyword;
use torchgen_model::model::{Argument, FunctionSchema, Type};

/// An operator that is called.
pub(super) struct Callee<'c> {
    /// The C++ namespace.
    pub(super) namespace: &'c str,
    /// The C++ name.
    pub(super) name: &'c str,
    /// The place of the name.
    pub(super) place: Range<usize>,
}

/// A parameter of the C++ function.
enum Parameter<'s> {
    /// An argument of the schema that Python takes by position.
    Positional(&'s Argument),
    /// One that Python takes by name.
    Keyword(&'s Argument),
    /// Dtype, layout, device and pinning, as one value.
    Options,
}

const OPTIONS: [&str; 4] = ["dtype", "layout", "device", "pin_memory"];

/// How a C++ function takes dtype, layout, device and pinning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OptionsForm {
    /// As one value.
    Gathered,
    /// As a value each.
    Separate,
}

/// The parameters in order.
fn parameters(schema: &FunctionSchema, form: OptionsForm) -> Vec<Parameter<'_>> {
    let positional = schema.arguments.flat_positional().count();
    let non_out: Vec<&Argument> = schema.arguments.flat_non_out().collect();
    let mut found = Vec::new();
    for (i, argument) in non_out.iter().enumerate() {
        let is_keyword = i >= positional;
        let is_option = form == OptionsForm::Gathered && is_keyword && OPTIONS.contains(&argument.schema_name());
        match is_option {
            true if argument.schema_name() == OPTIONS[0] && has_options(&non_out[i..]) => {
                found.push(Parameter::Options);
            }
            true if found.iter().any(|one| matches!(one, Parameter::Options)) => {}
            _ if is_keyword => found.push(Parameter::Keyword(argument)),
            _ => found.push(Parameter::Positional(argument)),
        }
    }
    found
}

fn has_options(arguments: &[&Argument]) -> bool {
    arguments.len() >= OPTIONS.len() && arguments.iter().zip(OPTIONS).all(|(a, name)| a.schema_name() == name)
}

/// A way to call an overload.
struct Candidate<'s> {
    schema: &'s FunctionSchema,
    parameters: Vec<Parameter<'s>>,
    /// C++ has no defaults in this form.
    all_given: bool,
    /// How many conversions it needs.
    distance: u8,
}

impl Candidate<'_> {
    fn takes(&self, count: usize) -> bool {
        let needed = |parameter: &Parameter<'_>| match parameter {
            Parameter::Positional(argument) | Parameter::Keyword(argument) => argument.default.is_none(),
            Parameter::Options => false,
        };
        if self.all_given {
            return count == self.parameters.len();
        }
        count <= self.parameters.len() && !self.parameters[count..].iter().any(needed)
    }

    fn fit(mut self, arguments: &[Value]) -> Option<Self> {
        let mut distance = 0_u8;
        for (parameter, argument) in self.parameters.iter().zip(arguments) {
            distance = distance.saturating_add(match parameter {
                Parameter::Positional(wanted) | Parameter::Keyword(wanted) => argument.kind.distance(&wanted.ty)?,
                Parameter::Options => match argument.kind {
                    Kind::Options => 0,
                    Kind::Dtype | Kind::Device | Kind::Layout | Kind::Empty => 2,
                    _ => return None,
                },
            });
        }
        self.distance = distance;
        Some(self)
    }

    /// The arguments as Python has them.
    fn arguments(&self, arguments: &[Value]) -> Vec<String> {
        let pairs = self.parameters.iter().zip(arguments);
        pairs.filter_map(|(parameter, argument)| parameter.argument(argument)).collect()
    }
}

impl Parameter<'_> {
    fn argument(&self, value: &Value) -> Option<String> {
        match self {
            Parameter::Positional(argument) => Some(passed(value, &argument.ty)),
            Parameter::Keyword(argument) => {
                let text = passed(value, &argument.ty);
                let name = argument.schema_name();
                Some(match is_keyword(name) {
                    true => format!("**_builtins.dict([(\"{name}\", {text})])"),
                    false => format!("{name}={text}"),
                })
            }
            Parameter::Options => match value.kind {
                Kind::Options => Some(format!("**{}", value.text)),
                Kind::Device => Some(format!("device={}", value.text)),
                Kind::Layout => Some(format!("layout={}", value.text)),
                Kind::Empty => None,
                _ => Some(format!("dtype={}", value.text)),
            },
        }
    }
}

/// A value for a parameter of that type.
pub(super) fn passed(value: &Value, ty: &Type) -> String {
    let wanted = Kind::of(ty);
    match value.kind {
        Kind::Empty if matches!(ty, Type::Optional(_)) || !is_list(wanted) && wanted != Kind::Unknown => {
            "None".to_owned()
        }
        Kind::Int | Kind::Tensor if is_list(wanted) => format!("[{}]", value.text),
        _ => value.text.clone(),
    }
}

/// The call of an operator.
pub(super) fn call(scope: &dyn Scope, callee: &Callee<'_>, arguments: &[Value]) -> Result<Value, Problem> {
    let Callee { namespace, name, place } = callee;
    let shown = format!("{namespace}::{name}");
    let base = name.strip_suffix("_symint").unwrap_or(name);
    let overloads = match scope.overloads(namespace, base) {
        Found::Overloads(overloads) => overloads,
        Found::None(reason) => {
            let message = reason.unwrap_or_else(|| format!("there is no operator `{shown}`"));
            return Err(Problem::new(place.clone(), message));
        }
    };
    // Out variants are other functions in C++.
    let all = overloads.iter().filter(|schema| !schema.is_out_fn()).flat_map(|schema| {
        [OptionsForm::Gathered, OptionsForm::Separate].map(|form| {
            let parameters = parameters(schema, form);
            let all_given = parameters.len() > self::parameters(schema, OptionsForm::Gathered).len();
            Candidate { schema, parameters, all_given, distance: 0 }
        })
    });
    let counted: Vec<Candidate<'_>> = all.filter(|one| one.takes(arguments.len())).collect();
    if counted.is_empty() {
        let message = format!("`{shown}` does not take {}", plural(arguments.len(), "argument"));
        return Err(Problem::new(place.clone(), message));
    }
    let fitting: Vec<Candidate<'_>> = counted.into_iter().filter_map(|one| one.fit(arguments)).collect();
    let nearest = fitting.iter().map(|one| one.distance).min();
    let Some(nearest) = nearest else {
        let message = format!("`{shown}` does not take arguments of these types");
        return Err(Problem::new(place.clone(), message));
    };
    let best: Vec<&Candidate<'_>> = fitting.iter().filter(|one| one.distance == nearest).collect();
    let mut texts: Vec<Vec<String>> = best.iter().map(|one| one.arguments(arguments)).collect();
    texts.sort();
    texts.dedup();
    let (Some(first), [own]) = (best.first(), texts.as_slice()) else {
        let message = format!("this could be a call of several overloads of `{shown}`");
        return Err(Problem::new(place.clone(), message));
    };
    let one = best.iter().all(|other| other.schema.name == first.schema.name);
    let kind = Kind::returned(&first.schema.returns);
    let same = best.iter().all(|other| Kind::returned(&other.schema.returns) == kind);
    let operators = match *namespace {
        "at" => "_aten".to_owned(),
        other => format!("_torch.ops.{}", other.replace("::", ".")),
    };
    let mut function = match is_keyword(base) {
        true => format!("_builtins.getattr({operators}, \"{base}\")"),
        false => format!("{operators}.{base}"),
    };
    if one {
        let overload = first.schema.name.overload_name.as_str();
        function = format!("{function}.{}", if overload.is_empty() { "default" } else { overload });
    }
    Ok(Value::atom(format!("{function}({})", own.join(", ")), if same { kind } else { Kind::Unknown }))
}
