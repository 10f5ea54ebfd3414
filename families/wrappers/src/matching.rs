//! Finds the argument for each parameter of the backend's function, by its name and its type.
//!
//! The order is: `extra` and `map`, then equal names, then types, in order; `pairing` compares the
//! names of the last. Invariant: a parameter that more arguments fit than there are parameters for
//! is an error. Keyword-only arguments, and those that `guard` or `drop` name, are never matched by
//! type alone.

use super::model::functions::{Class, Function, ParameterType};
use super::model::operators::Operator;
use torchgen_model::model::Argument;

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// An argument, by its position among the inputs.
    Argument(usize, Class),
    /// The value in `extra`, by its position there.
    Extra(usize),
}

/// A complete mapping: a source for each parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) sources: Vec<Source>,
    /// The parameters whose arguments were found by type.
    pub(super) by_type: Vec<usize>,
}

impl Mapping {
    /// The class of an input.
    pub(super) fn class(&self, input: usize) -> Class {
        let of = |source: &Source| match source {
            Source::Argument(at, class) if *at == input => Some(*class),
            _ => None,
        };
        self.sources.iter().find_map(of).unwrap_or(Class::Ignore)
    }
}

/// Why there is no mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoMapping {
    /// No argument is left for the parameter.
    Missing { parameter: String },
    /// These arguments fit the parameter.
    Ambiguous { parameter: String, candidates: Vec<String> },
    /// The argument that `map` names does not fit.
    Unfit { parameter: String, argument: String },
}

/// What an entry says about parameters.
pub(super) struct Hints<'e> {
    /// Parameters with values of their own, in the order of `extra`.
    pub(super) extra: Vec<&'e str>,
    /// Parameters and their arguments.
    pub(super) map: Vec<(&'e str, &'e str)>,
    /// Arguments that are not to be passed.
    pub(super) spared: Vec<&'e str>,
}

/// Maps the inputs of an operator to the parameters of a function.
///
/// # Errors
/// The first parameter without a source.
pub(super) fn map(operator: &Operator, function: &Function, hints: &Hints) -> Result<Mapping, NoMapping> {
    let inputs: Vec<&Argument> = operator.inputs().collect();
    let mut used = vec![false; inputs.len()];
    let mut sources: Vec<Option<Source>> = vec![None; function.parameters.len()];
    for (source, parameter) in sources.iter_mut().zip(&function.parameters) {
        if let Some(at) = hints.extra.iter().position(|name| *name == parameter.name) {
            *source = Some(Source::Extra(at));
            continue;
        }
        let Some((_, argument)) = hints.map.iter().find(|(name, _)| *name == parameter.name) else { continue };
        // Another overload has the argument.
        let Some(at) = inputs.iter().position(|input| input.name.as_str() == *argument) else { continue };
        let Some(class) = parameter.taken.class_of(&inputs[at].ty) else {
            return Err(NoMapping::Unfit { parameter: parameter.name.clone(), argument: (*argument).to_owned() });
        };
        used[at] = true;
        *source = Some(Source::Argument(at, class));
    }
    for (source, parameter) in sources.iter_mut().zip(&function.parameters) {
        let named = |input: &&Argument| input.name.as_str() == parameter.name;
        if source.is_none()
            && let Some(at) = inputs.iter().position(named)
            && !used[at]
            && let Some(class) = parameter.taken.class_of(&inputs[at].ty)
        {
            used[at] = true;
            *source = Some(Source::Argument(at, class));
        }
    }
    let open: Vec<usize> = (0..sources.len()).filter(|&at| sources[at].is_none()).collect();
    let positional = operator.schema.arguments.flat_positional().count();
    by_type(&inputs, positional, function, hints, &open, &mut used, &mut sources)?;
    let missing = |at: usize| NoMapping::Missing { parameter: function.parameters[at].name.clone() };
    let complete: Result<Vec<Source>, NoMapping> =
        sources.into_iter().enumerate().map(|(at, source)| source.ok_or_else(|| missing(at))).collect();
    Ok(Mapping { sources: complete?, by_type: open })
}

fn by_type(
    inputs: &[&Argument],
    positional: usize,
    function: &Function,
    hints: &Hints,
    open: &[usize],
    used: &mut [bool],
    sources: &mut [Option<Source>],
) -> Result<(), NoMapping> {
    let may = |at: usize| at < positional && !hints.spared.contains(&inputs[at].name.as_str());
    let fitting = |taken: ParameterType, used: &[bool]| -> Vec<usize> {
        let fits = |&at: &usize| !used[at] && may(at) && taken.class_of(&inputs[at].ty).is_some();
        let all: Vec<usize> = (0..inputs.len()).filter(fits).collect();
        // A number becomes a tensor only where no tensor is left.
        let tensors: Vec<usize> = all.iter().copied().filter(|&at| inputs[at].ty.is_tensor_like()).collect();
        if tensors.is_empty() { all } else { tensors }
    };
    for (place, &at) in open.iter().enumerate() {
        let parameter = &function.parameters[at];
        let candidates = fitting(parameter.taken, used);
        let Some(&first) = candidates.first() else {
            return Err(NoMapping::Missing { parameter: parameter.name.clone() });
        };
        // Parameters after this one that take the same arguments use up the others.
        let rivals = open[place..].iter().filter(|&&other| {
            candidates.iter().any(|&input| function.parameters[other].taken.class_of(&inputs[input].ty).is_some())
        });
        if candidates.len() > rivals.count() {
            let names = candidates.iter().map(|&input| inputs[input].name.clone()).collect();
            return Err(NoMapping::Ambiguous { parameter: parameter.name.clone(), candidates: names });
        }
        let Some(class) = parameter.taken.class_of(&inputs[first].ty) else { continue };
        used[first] = true;
        sources[at] = Some(Source::Argument(first, class));
    }
    Ok(())
}

/// The function among those of a name that an operator maps to: the only one, or the one that takes
/// the most arguments.
///
/// # Errors
/// No function of the name can be called; the reason is that of the first one.
pub(super) fn choose<'f>(
    operator: &Operator,
    functions: &[&'f Function],
    hints: &Hints,
) -> Result<(&'f Function, Mapping), NoMapping> {
    let mut best: Option<(&'f Function, Mapping)> = None;
    let mut tied: Vec<String> = Vec::new();
    let mut first_error = None;
    for function in functions {
        match map(operator, function, hints) {
            Ok(mapping) => {
                let count = |mapping: &Mapping| {
                    mapping.sources.iter().filter(|source| matches!(source, Source::Argument(..))).count()
                };
                let old = best.as_ref().map(|(_, old)| count(old));
                if old.is_none_or(|old| count(&mapping) > old) {
                    tied = vec![function.text.to_string()];
                    best = Some((*function, mapping));
                } else if old == Some(count(&mapping)) {
                    tied.push(function.text.to_string());
                }
            }
            Err(error) => {
                // An ambiguity is what the author has to resolve.
                let replaces = matches!(error, NoMapping::Ambiguous { .. })
                    && !matches!(first_error, Some(NoMapping::Ambiguous { .. }));
                if first_error.is_none() || replaces {
                    first_error = Some(error);
                }
            }
        }
    }
    if tied.len() > 1 {
        let parameter = functions.first().map_or(String::new(), |function| function.name.clone());
        return Err(NoMapping::Ambiguous { parameter, candidates: tied });
    }
    best.ok_or_else(|| first_error.unwrap_or(NoMapping::Missing { parameter: String::new() }))
}
