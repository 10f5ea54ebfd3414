//! The arguments of `apply`, and what a class keeps for its formulas.
//!
//! The arguments are the dispatch keys, the arguments of the operator except lists of tensors, the
//! original value of a mutated `self`, the lengths of the lists, and their elements, because
//! autograd sees only tensors that are arguments themselves.
//!
//! Invariants: a kept value has one name, whatever uses it. A mutated `self` is the first tensor:
//! if it is a view, autograd takes the gradient of the first tensor for that of the view.

use indexmap::IndexMap;
use serde::Serialize;

use super::formulas::is_tensor_list;
use super::outputs::Output;
use super::variables;
use crate::library::python::signature::variable;
use torchgen_model::model::{Argument, NativeFunction};

/// The variable of the value of `self` before it is written.
pub(super) const ORIGINAL: &str = "_original";

/// A list of tensors.
#[derive(Serialize)]
pub(super) struct List {
    pub(super) name: String,
    count: String,
    /// Where its elements start, in `apply` and after the other parameters.
    start: String,
    offset: String,
}

/// What is kept and not a tensor.
#[derive(Serialize)]
pub(super) struct Attribute {
    variable: String,
    value: String,
    /// It is a property of an output.
    after: bool,
    backward: bool,
    forward: bool,
}

/// A tensor that is kept.
#[derive(Serialize)]
pub(super) struct Saved {
    pub(super) variable: String,
    pub(super) value: String,
    /// The number of its elements, if it is a list.
    pub(super) count: Option<String>,
    /// Whether a gradient is needed that depends on it, an expression; `None` if that is sure.
    pub(super) needed: Option<String>,
    /// It is an input that may share memory with one that the operator mutates.
    pub(super) watched: bool,
}

impl Saved {
    /// A tensor that is kept in all cases, or a list with the variable of its length.
    pub(super) fn new(variable: String, value: String, count: Option<String>) -> Saved {
        Saved { variable, value, count, needed: None, watched: false }
    }
}

/// The places of an operator's arguments in `apply`.
pub(super) struct Places {
    /// By variable.
    pub(super) fixed: IndexMap<String, usize>,
    pub(super) lists: Vec<List>,
}

impl Places {
    /// Those of an operator.
    pub(super) fn new(f: &NativeFunction, original: bool) -> Places {
        let lists: Vec<&Argument> = f.func.schema_order_arguments().filter(|a| is_tensor_list(&a.ty)).collect();
        let fixed: IndexMap<String, usize> =
            fixed(f, original).into_iter().enumerate().map(|(i, variable)| (variable, i + 1)).collect();
        let start = 1 + fixed.len() + lists.len();
        let counts: Vec<String> = lists.iter().map(|a| count(a)).collect();
        let sum = |first: Option<usize>, counts: &[String]| {
            let terms: Vec<String> = first.iter().map(usize::to_string).chain(counts.iter().cloned()).collect();
            if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
        };
        let list = |(i, a): (usize, &&Argument)| List {
            name: variable(a),
            count: count(a),
            start: sum(Some(start), &counts[..i]),
            offset: sum(None, &counts[..i]),
        };
        let lists = lists.iter().enumerate().map(list).collect();
        Places { fixed, lists }
    }

    /// What `backward` returns for each argument of `apply`, where `None` is without a gradient;
    /// nothing if lists make their number unknown.
    pub(super) fn returned(&self, targets: &[String]) -> Option<Vec<String>> {
        let value = |place: usize| Some(result(place)).filter(|name| targets.contains(name));
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "None".to_owned());
        self.lists.is_empty().then(|| (0..=self.fixed.len()).map(value).map(or_none).collect())
    }

    /// The variable or the item that the gradient of an argument is assigned to.
    pub(super) fn target(&self, f: &NativeFunction, name: &str) -> String {
        let index = self.index(f, name);
        match index.parse() {
            Ok(place) if self.lists.is_empty() => result(place),
            _ => format!("_results[{index}]"),
        }
    }

    /// The place of an argument, as an index or a slice.
    pub(super) fn index(&self, f: &NativeFunction, name: &str) -> String {
        let argument = f.func.schema_order_arguments().find(|a| a.schema_name() == name);
        match argument {
            Some(a) if is_tensor_list(&a.ty) => format!("_ctx._slice_{}", variable(a)),
            Some(a) => self.fixed.get(&variable(a)).map_or_else(String::new, usize::to_string),
            None => self.fixed.get(name).map_or_else(String::new, usize::to_string),
        }
    }
}

/// The variable of a gradient.
fn result(place: usize) -> String {
    format!("_input_{place}")
}

/// The arguments after the keys, without what lists become.
pub(super) fn fixed(f: &NativeFunction, original: bool) -> Vec<String> {
    let is_mutated_self = |a: &&Argument| f.func.name.name.inplace && a.schema_name() == "self";
    let single = f.func.schema_order_arguments().filter(|a| !is_tensor_list(&a.ty));
    let (first, others): (Vec<&Argument>, Vec<&Argument>) = single.partition(is_mutated_self);
    let original = original.then(|| ORIGINAL.to_owned());
    first.into_iter().chain(others).map(variable).chain(original).collect()
}

/// The variable of a list's length.
pub(super) fn count(argument: &Argument) -> String {
    variables::count(argument.schema_name())
}

/// What an attribute is a property of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PropertyOf {
    Input,
    Output,
}

/// Whether a variable is an input or an output.
pub(super) fn property_of(variable: &str, outputs: &[Output]) -> PropertyOf {
    match outputs.iter().any(|output| output.variable == variable) {
        true => PropertyOf::Output,
        false => PropertyOf::Input,
    }
}

/// The attribute of that name, or a new one.
fn attribute(attributes: &mut Vec<Attribute>, variable: String, value: String, of: PropertyOf) -> &mut Attribute {
    let known = attributes.iter().position(|other| other.variable == variable);
    let index = known.unwrap_or_else(|| {
        let after = of == PropertyOf::Output;
        attributes.push(Attribute { variable, value, after, backward: false, forward: false });
        attributes.len() - 1
    });
    &mut attributes[index]
}

/// Adds an attribute that the backward pass uses, or a use of one.
pub(super) fn use_backward(attributes: &mut Vec<Attribute>, variable: String, value: String, of: PropertyOf) {
    attribute(attributes, variable, value, of).backward = true;
}

/// The same for forward mode.
pub(super) fn use_forward(attributes: &mut Vec<Attribute>, variable: String, value: String, of: PropertyOf) {
    attribute(attributes, variable, value, of).forward = true;
}
