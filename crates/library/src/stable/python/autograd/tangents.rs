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
    let forward = Forward { f, outputs, places, inplace: f.func.name.name.inplace };
    let NeededValues { saved, tangents, pairs } = forward.needed_values(formulas, attributes);
    forward.use_counts_and_absences(&saved, attributes);
    let self_place = places.fixed.get("self").copied();
    let uses = |name: &str| formulas.iter().any(|one| one.used.values.contains(name));
    let raw = self_place.filter(|_| forward.inplace && uses("self_t_raw"));
    let original = places.fixed.get(ORIGINAL).copied().filter(|_| original && uses("original_self_t"));
    let formulas: Vec<TangentFormula> = formulas.iter().map(|one| forward.tangent_formula(one)).collect();
    let (zeros, results) = (forward.zeros(&formulas), forward.results());
    Jvp { saved, tangents, pairs, raw, original, formulas, zeros, results }
}

/// The values that formulas use, each once.
#[derive(Default)]
struct NeededValues {
    saved: Vec<Saved>,
    tangents: Vec<Tangent>,
    pairs: Vec<Pairs>,
}

impl NeededValues {
    fn save(&mut self, one: Saved) {
        if self.saved.iter().all(|other| other.variable != one.variable) {
            self.saved.push(one);
        }
    }

    fn add_tangent(&mut self, one: Tangent) {
        if self.tangents.iter().all(|other| other.variable != one.variable) {
            self.tangents.push(one);
        }
    }

    fn add_pairs(&mut self, one: Pairs) {
        if self.pairs.iter().all(|other| other.variable != one.variable) {
            self.pairs.push(one);
        }
    }
}

/// The variable for the primal of an argument.
fn saved_primal(argument: &Argument) -> Saved {
    let is_list = is_tensor_list(&argument.ty);
    let value = if is_list { format!("*{}", variable(argument)) } else { variable(argument) };
    Saved::new(variables::primal(argument.schema_name()), value, is_list.then(|| count(argument)))
}

/// An operator with forward formulas.
struct Forward<'a> {
    f: &'a NativeFunction,
    outputs: &'a [Output],
    places: &'a Places,
    /// Whether it mutates `self`.
    inplace: bool,
}

impl Forward<'_> {
    fn argument(&self, name: &str) -> Option<&Argument> {
        self.f.func.schema_order_arguments().find(|a| a.schema_name() == name)
    }

    /// The expression for the tangent of an argument.
    fn tangent_of(&self, argument: &Argument) -> String {
        format!("_tangents[{}]", self.places.index(self.f, argument.schema_name()))
    }

    /// What formulas use. What is no tensor goes to `attributes`.
    fn needed_values(&self, formulas: &[Translated], attributes: &mut Vec<Attribute>) -> NeededValues {
        let mut needed = NeededValues::default();
        for name in formulas.iter().flat_map(|one| &one.used.values) {
            let with_suffix = |end: &str| {
                name.strip_suffix(end).and_then(|stem| self.argument(stem)).filter(|a| a.ty.is_tensor_like())
            };
            if self.inplace && name == "self_p" {
                let result = variables::result("result");
                needed.save(Saved::new(result.clone(), result, None));
            } else if self.inplace && ["original_self_p", "original_self_t"].contains(&name.as_str()) {
                needed.save(Saved::new("_original_p".to_owned(), ORIGINAL.to_owned(), None));
            } else if let Some(argument) = with_suffix("_t") {
                needed.save(saved_primal(argument));
                needed.add_tangent(Tangent {
                    variable: variables::tangent(argument.schema_name()),
                    primal: variables::primal(argument.schema_name()),
                    value: self.tangent_of(argument),
                    is_list: is_tensor_list(&argument.ty),
                });
            } else if let Some(argument) = with_suffix("_p") {
                needed.save(saved_primal(argument));
            } else if let Some(output) = self.outputs.iter().find(|output| output.name == *name) {
                self.use_output(output, &mut needed, attributes);
            } else if let Some(argument) = self.argument(name) {
                self.use_argument(argument, &mut needed, attributes);
            }
        }
        needed
    }

    fn use_output(&self, output: &Output, needed: &mut NeededValues, attributes: &mut Vec<Attribute>) {
        if !output.is_tensor {
            use_forward(attributes, output.variable.clone(), output.variable.clone(), PropertyOf::Output);
            return;
        }
        let (value, count) = match output.is_list {
            true => (format!("*{}", output.variable), Some(variables::result_count(&output.name))),
            false => (output.variable.clone(), None),
        };
        needed.save(Saved::new(output.variable.clone(), value, count));
    }

    fn use_argument(&self, argument: &Argument, needed: &mut NeededValues, attributes: &mut Vec<Attribute>) {
        if is_tensor_list(&argument.ty) {
            needed.save(saved_primal(argument));
            needed.add_pairs(Pairs {
                variable: variables::pairs(argument.schema_name()),
                primals: variables::primal(argument.schema_name()),
                tangents: self.tangent_of(argument),
            });
        } else if argument.ty.is_tensor_like() {
            needed.save(Saved::new(variable(argument), variable(argument), None));
        } else {
            use_forward(attributes, variable(argument), variable(argument), PropertyOf::Input);
        }
    }

    /// The lengths of saved lists, and which outputs are not there.
    fn use_counts_and_absences(&self, saved: &[Saved], attributes: &mut Vec<Attribute>) {
        for one in saved {
            if let Some(count) = &one.count {
                let list = one.value.trim_start_matches('*');
                let property = property_of(list, self.outputs);
                use_forward(attributes, count.clone(), format!("_builtins.len({list})"), property);
            }
        }
        let may_be_absent = |output: &&Output| !self.inplace && output.differentiable && output.is_optional;
        for output in self.outputs.iter().filter(may_be_absent) {
            let is_none = format!("{} is None", output.variable);
            use_forward(attributes, variables::none(&output.name), is_none, PropertyOf::Output);
        }
    }

    fn tangent_formula(&self, one: &Translated) -> TangentFormula {
        let targets: Vec<String> = match self.inplace {
            true => vec![variables::result_tangent("result")],
            false => one.names.iter().filter_map(|name| self.target(name)).collect(),
        };
        let mut gates: Vec<String> = one.used.values.iter().filter_map(|name| self.gate(name)).collect();
        gates.sort();
        gates.dedup();
        let is_computed = |output: &&Output| !self.inplace && targets.contains(&result_tangent(output));
        let computed = || self.outputs.iter().filter(is_computed);
        let absent = match computed().all(|output| output.is_optional) {
            true => computed().map(|output| variables::none(&output.name)).collect(),
            false => Vec::new(),
        };
        TangentFormula { gates, absent, text: one.text.clone(), targets }
    }

    /// The tangent that the formula of a name computes: of an output by its name, its place, or of
    /// the only one.
    fn target(&self, name: &str) -> Option<String> {
        let place = name.strip_prefix("result").and_then(|digits| digits.parse::<usize>().ok());
        let named = self.outputs.iter().find(|output| output.name == name);
        let found = named.or_else(|| place.and_then(|i| self.outputs.get(i)));
        found.or_else(|| self.outputs.first().filter(|_| name == "result")).map(result_tangent)
    }

    /// The condition that a tangent which a formula uses is defined.
    fn gate(&self, name: &str) -> Option<String> {
        if self.inplace && (name == "self_t_raw" || name == "original_self_t") {
            return self.places.fixed.get("self").map(|place| format!("_tangents[{place}] is not None"));
        }
        let list = self.argument(name).filter(|a| is_tensor_list(&a.ty));
        let argument = list.or_else(|| self.argument(name.strip_suffix("_t")?))?;
        let value = self.tangent_of(argument);
        Some(match is_tensor_list(&argument.ty) {
            true => format!("_any_defined({value})"),
            false => format!("{value} is not None"),
        })
    }

    /// The tangents that no formula computes in all cases.
    fn zeros(&self, formulas: &[TangentFormula]) -> Vec<Zeros> {
        if self.inplace {
            return Vec::new();
        }
        let tensors = self.f.func.tensor_arguments().count();
        let is_always_computed = |target: &String| {
            let computing = |one: &&TangentFormula| one.targets.contains(target);
            formulas.iter().filter(computing).any(|one| one.gates.is_empty() || one.gates.len() == tensors)
        };
        let single = self.outputs.iter().filter(|output| output.differentiable && !output.is_list);
        single
            .filter(|output| !is_always_computed(&result_tangent(output)))
            .map(|output| Zeros {
                target: result_tangent(output),
                output: output.variable.clone(),
                variable: variables::like(&output.name),
            })
            .collect()
    }

    /// What is returned for each output.
    fn results(&self) -> Vec<String> {
        if self.inplace {
            return vec![variables::result_tangent("result")];
        }
        let returned = |output: &Output| match (output.differentiable, output.is_optional) {
            (false, _) => "None".to_owned(),
            (true, false) => result_tangent(output),
            // A result that is not there has no tangent.
            (true, true) => format!("None if {} else {}", variables::none(&output.name), result_tangent(output)),
        };
        self.outputs.iter().map(returned).collect()
    }
}

fn result_tangent(output: &Output) -> String {
    variables::result_tangent(&output.name)
}
