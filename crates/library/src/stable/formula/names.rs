//! The names in the formulas of an operator, and what formulas use of them.
//!
//! Invariant: everything that a translated formula names is recorded as used, and nothing else.

use std::collections::{BTreeSet, HashMap};

use indexmap::{IndexMap, IndexSet};

use super::operators::Operators;
use super::{Found, Kind, Property, Scope, Value};
use torchgen_api::python::annotation;

/// What a name means.
#[derive(Debug, Clone)]
struct Named {
    /// Its expression in Python.
    value: Value,
    /// It is an input or an output, of which a property can be saved.
    savable: bool,
    /// It is a gradient.
    gradient: Option<usize>,
    /// Its type is an optional.
    optional: bool,
}

/// What formulas use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Used {
    /// Names.
    pub(crate) values: IndexSet<String>,
    /// Properties of names, without the values.
    pub(crate) properties: IndexSet<(String, Property)>,
    /// Gradients by index.
    pub(crate) gradients: BTreeSet<usize>,
    /// The list of all gradients.
    pub(crate) all_gradients: bool,
    /// Functions of the author.
    pub functions: IndexSet<String>,
}

/// The names in formulas.
pub(crate) struct Names<'o> {
    operators: &'o Operators,
    /// Functions of the author by name, as expressions.
    functions: &'o HashMap<String, String>,
    names: IndexMap<String, Named>,
    /// How many outputs have gradients.
    gradients: usize,
    pub(crate) used: Used,
}

impl<'o> Names<'o> {
    /// Without any names.
    pub(crate) fn new(operators: &'o Operators, functions: &'o HashMap<String, String>, gradients: usize) -> Self {
        Names { operators, functions, names: IndexMap::new(), gradients, used: Used::default() }
    }

    /// Adds an input or an output, whose properties can be saved.
    pub(crate) fn saved(&mut self, name: &str, kind: Kind) {
        let value = Value::atom(annotation::variable(name), kind);
        self.names
            .insert(name.to_owned(), Named { value, savable: kind == Kind::Tensor, gradient: None, optional: false });
    }

    /// Marks a name of an optional type.
    pub(crate) fn optional(&mut self, name: &str) {
        if let Some(named) = self.names.get_mut(name) {
            named.optional = true;
        }
    }

    /// Gives a name another expression.
    pub(crate) fn rename(&mut self, name: &str, text: &str) {
        if let Some(named) = self.names.get_mut(name) {
            named.value = Value::atom(text, named.value.kind);
        }
    }

    /// Adds a name for an expression.
    pub(crate) fn add(&mut self, name: &str, text: &str, kind: Kind) {
        let value = Value::atom(text, kind);
        self.names.insert(name.to_owned(), Named { value, savable: false, gradient: None, optional: false });
    }

    /// Adds a gradient.
    pub(crate) fn add_gradient(&mut self, name: &str, index: usize) {
        let text = if self.gradients == 1 { "_grad".to_owned() } else { format!("_grads[{index}]") };
        let value = Value::atom(text, Kind::Tensor);
        self.names.insert(name.to_owned(), Named { value, savable: false, gradient: Some(index), optional: false });
    }
}

/// The variable of a saved property.
pub(crate) fn property_variable(name: &str, property: Property) -> String {
    annotation::derived(property.suffix(), name)
}

impl Scope for Names<'_> {
    fn value(&mut self, name: &str) -> Option<Value> {
        let named = self.names.get(name)?;
        match named.gradient {
            Some(index) => {
                self.used.gradients.insert(index);
            }
            None => {
                self.used.values.insert(name.to_owned());
            }
        }
        Some(named.value.clone())
    }

    fn is_optional(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(|named| named.optional)
    }

    fn property(&mut self, name: &str, property: Property) -> Option<String> {
        self.names.get(name).filter(|named| named.savable)?;
        self.used.properties.insert((name.to_owned(), property));
        Some(property_variable(name, property))
    }

    fn gradient(&mut self, index: Option<usize>) -> Option<Value> {
        match index {
            None if self.gradients > 0 => {
                self.used.all_gradients = true;
                Some(Value::atom("_grads", Kind::Tensors))
            }
            Some(index) if index < self.gradients => {
                self.used.gradients.insert(index);
                let text = if self.gradients == 1 { "_grad".to_owned() } else { format!("_grads[{index}]") };
                Some(Value::atom(text, Kind::Tensor))
            }
            _ => None,
        }
    }

    fn function(&mut self, name: &str) -> Option<String> {
        let expression = self.functions.get(name)?;
        self.used.functions.insert(name.to_owned());
        Some(expression.clone())
    }

    fn overloads(&self, namespace: &str, name: &str) -> Found<'_> {
        self.operators.find(namespace, name)
    }
}
