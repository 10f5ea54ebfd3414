//! The tangents of an operator's outputs, and what they need.
//!
//! Invariant: a tangent that is written keeps its identity, as autograd demands of operators that
//! mutate `self`. An undefined tangent beside a defined one counts as zeros.

use serde::Serialize;

use super::formulas::{Translated, is_tensor_list};
use super::outputs::Output;
use super::places::{Attribute, ORIGINAL, Places, PropertyOf, Saved, count, property_of, use_forward};
use super::variables;
use crate::library::python::signature::variable;
use torchgen_model::model::{Argument, NativeFunction};

/// The part of a class for tangents.
#[derive(Serialize)]
pub(super) struct Jvp {
    saved: Vec<Saved>,
    tangents: Vec<Tangent>,
    pairs: Vec<Pairs>,
    /// Variables of an operator that mutates `self`, which has a tangent that is mutated too.
    raw: Option<usize>,
    original: Option<usize>,
    formulas: Vec<TangentFormula>,
    /// Tangents that are zeros if no formula computes them: to autograd, an output either has a
    /// tangent or is not differentiable.
    zeros: Vec<Zeros>,
    /// What is returned for each output.
    results: Vec<String>,
}

/// The tangent of an input.
#[derive(Serialize)]
struct Tangent {
    variable: String,
    primal: String,
    /// An expression for it, which may be `None`.
    value: String,
    is_list: bool,
}

/// A list of tensors, each with its tangent.
#[derive(Serialize)]
struct Pairs {
    variable: String,
    primals: String,
    tangents: String,
}

/// The zeros of a tangent.
#[derive(Serialize)]
struct Zeros {
    target: String,
    output: String,
    variable: String,
}

#[derive(Serialize)]
struct TangentFormula {
    targets: Vec<String>,
    /// Expressions for the tangents, of which one has to be defined.
    gates: Vec<String>,
    /// Variables that are true if there is no result, if all results may be `None`.
    absent: Vec<String>,
    text: String,
}

/// Whether each differentiable output has a formula.
pub(super) fn covers(formulas: &[Translated], outputs: &[Output], inplace: bool) -> bool {
    let has = |output: &Output| inplace || formulas.iter().any(|one| is_for(one, output, outputs));
    outputs.iter().filter(|output| output.differentiable).all(has)
}

/// Whether a formula is for an output.
fn is_for(one: &Translated, output: &Output, outputs: &[Output]) -> bool {
    let place = outputs.iter().position(|other| other.name == output.name).unwrap_or_default();
    let names = [output.name.clone(), format!("result{place}")];
    let single = outputs.len() == 1;
    one.names.iter().any(|name| names.contains(name) || single && name == "result")
}

/// The tangents.
pub(super) fn jvp(
    f: &NativeFunction,
    formulas: &[Translated],
    outputs: &[Output],
    places: &Places,
    original: bool,
    attributes: &mut Vec<Attribute>,
) -> Jvp {
    let inplace = f.func.name.name.inplace;
    let mut saved: Vec<Saved> = Vec::new();
    let mut tangents: Vec<Tangent> = Vec::new();
    let mut pairs: Vec<Pairs> = Vec::new();
    let add = |saved: &mut Vec<Saved>, one: Saved| {
        if saved.iter().all(|other| other.variable != one.variable) {
            saved.push(one);
        }
    };
    for name in formulas.iter().flat_map(|one| &one.used.values) {
        let input = |name: &str| f.func.schema_order_arguments().find(|a| a.schema_name() == name);
        let of = |end: &str| name.strip_suffix(end).and_then(input).filter(|a| a.ty.is_tensor_like());
        let primal = |a: &Argument| {
            let is_list = is_tensor_list(&a.ty);
            let value = if is_list { format!("*{}", variable(a)) } else { variable(a) };
            Saved::new(variables::primal(a.schema_name()), value, is_list.then(|| count(a)))
        };
        if inplace && name == "self_p" {
            let result = variables::result("result");
            add(&mut saved, Saved::new(result.clone(), result, None));
        } else if inplace && ["original_self_p", "original_self_t"].contains(&name.as_str()) {
            add(&mut saved, Saved::new("_original_p".to_owned(), ORIGINAL.to_owned(), None));
        } else if let Some(a) = of("_t") {
            add(&mut saved, primal(a));
            let is_list = is_tensor_list(&a.ty);
            let variable = variables::tangent(a.schema_name());
            if tangents.iter().all(|other| other.variable != variable) {
                tangents.push(Tangent {
                    primal: variables::primal(a.schema_name()),
                    value: format!("_tangents[{}]", places.index(f, a.schema_name())),
                    variable,
                    is_list,
                });
            }
        } else if let Some(a) = of("_p") {
            add(&mut saved, primal(a));
        } else if let Some(output) = outputs.iter().find(|output| output.name == *name && output.is_tensor) {
            let (value, count) = match output.is_list {
                true => (format!("*{}", output.variable), Some(variables::result_count(&output.name))),
                false => (output.variable.clone(), None),
            };
            add(&mut saved, Saved::new(output.variable.clone(), value, count));
        } else if let Some(output) = outputs.iter().find(|output| output.name == *name) {
            use_forward(attributes, output.variable.clone(), output.variable.clone(), PropertyOf::Output);
        } else if let Some(a) = input(name) {
            if is_tensor_list(&a.ty) {
                add(&mut saved, primal(a));
                let variable = variables::pairs(a.schema_name());
                if pairs.iter().any(|other| other.variable == variable) {
                    continue;
                }
                pairs.push(Pairs {
                    variable,
                    primals: variables::primal(a.schema_name()),
                    tangents: format!("_tangents[{}]", places.index(f, a.schema_name())),
                });
            } else if a.ty.is_tensor_like() {
                add(&mut saved, Saved::new(variable(a), variable(a), None));
            } else {
                use_forward(attributes, variable(a), variable(a), PropertyOf::Input);
            }
        }
    }
    for one in &saved {
        if let Some(count) = &one.count {
            let list = one.value.trim_start_matches('*');
            let of = property_of(list, outputs);
            use_forward(attributes, count.clone(), format!("_builtins.len({list})"), of);
        }
    }
    for output in outputs.iter().filter(|output| !inplace && output.differentiable && output.is_optional) {
        let is_none = format!("{} is None", output.variable);
        use_forward(attributes, variables::none(&output.name), is_none, PropertyOf::Output);
    }
    let self_place = places.fixed.get("self").copied();
    let uses = |name: &str| formulas.iter().any(|one| one.used.values.contains(name));
    let result = |output: &Output| variables::result_tangent(&output.name);
    let formula = |one: &Translated| {
        let targets: Vec<String> = match inplace {
            true => vec![variables::result_tangent("result")],
            false => one
                .names
                .iter()
                .filter_map(|name| {
                    let place = name.strip_prefix("result").and_then(|digits| digits.parse::<usize>().ok());
                    let named = outputs.iter().find(|output| output.name == *name);
                    let found = named.or_else(|| place.and_then(|i| outputs.get(i)));
                    found.or_else(|| outputs.first().filter(|_| name == "result")).map(result)
                })
                .collect(),
        };
        let gate = |name: &String| {
            if inplace && (name == "self_t_raw" || name == "original_self_t") {
                return self_place.map(|place| format!("_tangents[{place}] is not None"));
            }
            let named = |stem: &str| f.func.schema_order_arguments().find(|a| a.schema_name() == stem);
            let list = named(name).filter(|a| is_tensor_list(&a.ty));
            let argument = list.or_else(|| named(name.strip_suffix("_t")?))?;
            let value = format!("_tangents[{}]", places.index(f, argument.schema_name()));
            Some(match is_tensor_list(&argument.ty) {
                true => format!("_any_defined({value})"),
                false => format!("{value} is not None"),
            })
        };
        let mut gates: Vec<String> = one.used.values.iter().filter_map(gate).collect();
        gates.sort();
        gates.dedup();
        let is_for = |output: &&Output| targets.contains(&result(output));
        let of = || outputs.iter().filter(is_for).filter(|_| !inplace);
        let absent = if of().all(|output| output.is_optional) {
            of().map(|one| variables::none(&one.name)).collect()
        } else {
            Vec::new()
        };
        TangentFormula { targets, gates, absent, text: one.text.clone() }
    };
    let formulas: Vec<TangentFormula> = formulas.iter().map(formula).collect();
    let zeros = match inplace {
        true => Vec::new(),
        false => {
            let tensors = f.func.schema_order_arguments().filter(|a| a.ty.is_tensor_like()).count();
            let is_sure = |target: &String| {
                formulas
                    .iter()
                    .any(|one| one.targets.contains(target) && (one.gates.is_empty() || one.gates.len() == tensors))
            };
            let plain = outputs.iter().filter(|output| output.differentiable && !output.is_list);
            plain
                .filter(|output| !is_sure(&result(output)))
                .map(|output| Zeros {
                    target: result(output),
                    output: output.variable.clone(),
                    variable: variables::like(&output.name),
                })
                .collect()
        }
    };
    Jvp {
        saved,
        tangents,
        pairs,
        raw: self_place.filter(|_| inplace && uses("self_t_raw")),
        original: places.fixed.get(ORIGINAL).copied().filter(|_| original && uses("original_self_t")),
        formulas,
        zeros,
        results: match inplace {
            true => vec![variables::result_tangent("result")],
            false => outputs
                .iter()
                .map(|output| match (output.differentiable, output.is_optional) {
                    (false, _) => "None".to_owned(),
                    (true, false) => result(output),
                    // A result that is not there has no tangent.
                    (true, true) => format!("None if {} else {}", variables::none(&output.name), result(output)),
                })
                .collect(),
        },
    }
}
