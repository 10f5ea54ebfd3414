//! The names in the formulas of an operator, and what formulas use of them.
//!
//! Invariant: everything that a translated formula names is recorded as used, and nothing else.

use std::collections::{BTreeSet, HashMap};

use indexmap::{IndexMap, IndexSet};

use super::Property;
use super::operators::Operators;
use super::value::Value;
use torchgen_api::python::annotation;
use torchgen_formula::{Callee, FoundName, Rules, Scope, Ty, ValueKind};
use torchgen_model::model::{FunctionSchema, Type};

/// What a name means.
#[derive(Debug, Clone)]
struct Named {
    /// Its expression in Python.
    value: Value,
    /// Its type.
    ty: Ty,
    /// It is an input or an output, of which a property can be saved.
    savable: bool,
    /// It is a gradient.
    gradient: Option<usize>,
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
    /// Other names, each with that of the schema.
    aliases: HashMap<String, String>,
    /// How many outputs have gradients.
    gradients: usize,
    /// The gradients that are zeros where they are undefined.
    zeros: BTreeSet<usize>,
}

impl<'o> Names<'o> {
    /// Without any names.
    pub(crate) fn new(operators: &'o Operators, functions: &'o HashMap<String, String>, gradients: usize) -> Self {
        let (names, aliases, zeros) = (IndexMap::new(), HashMap::new(), BTreeSet::new());
        Names { operators, functions, names, aliases, gradients, zeros }
    }

    /// Adds an input or an output, whose properties can be saved.
    pub(crate) fn saved(&mut self, name: &str, kind: ValueKind) {
        let value = Value::atom(annotation::variable(name));
        let savable = kind == ValueKind::Tensor;
        self.names.insert(name.to_owned(), Named { value, ty: kind.into(), savable, gradient: None });
    }

    /// Marks a name of an optional type.
    pub(crate) fn optional(&mut self, name: &str) {
        if let Some(named) = self.names.get_mut(name) {
            named.ty.optional = true;
        }
    }

    /// Gives a name another expression.
    pub(crate) fn rename(&mut self, name: &str, text: &str) {
        if let Some(named) = self.names.get_mut(name) {
            named.value = Value::atom(text);
        }
    }

    /// Adds a name for an expression.
    pub(crate) fn add(&mut self, name: &str, text: &str, kind: ValueKind) {
        let value = Value::atom(text);
        self.names.insert(name.to_owned(), Named { value, ty: kind.into(), savable: false, gradient: None });
    }

    /// Adds the arguments of a kernel.
    pub(crate) fn add_arguments(&mut self, schema: &FunctionSchema) {
        for a in schema.schema_order_arguments() {
            let name = a.schema_name();
            self.add(name, &annotation::variable(name), ValueKind::from_schema_type(&a.ty));
            if matches!(a.ty, Type::Optional(_)) {
                self.optional(name);
            }
        }
    }

    /// Gives what the schema calls `name` another name.
    pub(crate) fn alias(&mut self, other: String, name: String) {
        self.aliases.insert(other, name);
    }

    /// What the schema calls so.
    fn of_schema<'n>(&'n self, name: &'n str) -> &'n str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// Adds a gradient.
    pub(crate) fn add_gradient(&mut self, name: &str, index: usize) {
        let (value, ty) = (Value::atom(self.gradient_text(index)), ValueKind::Tensor.into());
        self.names.insert(name.to_owned(), Named { value, ty, savable: false, gradient: Some(index) });
    }

    /// Marks gradients that are zeros where they are undefined.
    pub(crate) fn zeros(&mut self, gradients: &[usize]) {
        self.zeros.extend(gradients);
    }

    /// Whether the gradient with that index may be undefined. The only one never is.
    pub(super) fn may_be_undefined(&self, gradient: usize) -> bool {
        self.gradients > 1 && !self.zeros.contains(&gradient)
    }

    /// The index of the gradient of that name.
    pub(super) fn gradient_index(&self, name: &str) -> Option<usize> {
        self.names.get(self.of_schema(name)).and_then(|named| named.gradient)
    }

    fn gradient_text(&self, index: usize) -> String {
        if self.gradients == 1 { "_grad".to_owned() } else { format!("_grads[{index}]") }
    }

    /// The operators that formulas can call.
    pub(super) fn operators(&self) -> &'o Operators {
        self.operators
    }

    /// An input, an output, a gradient, or something else with a name of its own.
    pub(super) fn value(&self, name: &str, used: &mut Used) -> Option<Value> {
        let name = self.of_schema(name);
        let named = self.names.get(name)?;
        match named.gradient {
            Some(index) => {
                used.gradients.insert(index);
            }
            None => {
                used.values.insert(name.to_owned());
            }
        }
        Some(named.value.clone())
    }

    /// A variable that has a property of a named tensor; `None` if the property is that of the
    /// value.
    pub(super) fn property(&self, name: &str, property: Property, used: &mut Used) -> Option<String> {
        let name = self.of_schema(name);
        self.names.get(name).filter(|named| named.savable)?;
        used.properties.insert((name.to_owned(), property));
        Some(property_variable(name, property))
    }

    /// The gradient with that index, or all of them.
    pub(super) fn gradient(&self, index: Option<usize>, used: &mut Used) -> Option<Value> {
        match index {
            None if self.gradients > 0 => {
                used.all_gradients = true;
                Some(Value::atom("_grads"))
            }
            Some(index) if index < self.gradients => {
                used.gradients.insert(index);
                Some(Value::atom(self.gradient_text(index)))
            }
            _ => None,
        }
    }

    /// A function of the author, as an expression.
    pub(super) fn function(&self, name: &str, used: &mut Used) -> Option<String> {
        let expression = self.functions.get(name)?;
        used.functions.insert(name.to_owned());
        Some(expression.clone())
    }
}

/// The variable of a saved property.
pub(crate) fn property_variable(name: &str, property: Property) -> String {
    annotation::derived(property.suffix(), name)
}

impl Scope for Names<'_> {
    fn rules(&self) -> Rules {
        Rules::Python
    }

    fn name(&self, name: &str) -> Option<Ty> {
        match name {
            "grad" => Some(ValueKind::Tensor.into()),
            "grads" => Some(ValueKind::Tensors.into()),
            // Saved values are never freed early.
            "retain_variables" | "any_grad_defined" if !self.names.contains_key(name) => Some(ValueKind::Bool.into()),
            _ => self.names.get(self.of_schema(name)).map(|named| named.ty),
        }
    }

    fn is_optional(&self, _: &str) -> bool {
        false
    }

    fn is_saved(&self, _: &str) -> bool {
        false
    }

    fn declares(&self, function: &str) -> bool {
        self.functions.contains_key(function)
    }

    fn find(&self, callee: &Callee, name: &str) -> FoundName<'_> {
        if *callee == Callee::Open && self.declares(name) {
            return FoundName::Returns(Ty::UNKNOWN);
        }
        if *callee == Callee::Method
            && let Some(kind) = super::builtins::member(name)
        {
            return FoundName::Returns(kind.into());
        }
        self.operators.find(callee, name)
    }
}
