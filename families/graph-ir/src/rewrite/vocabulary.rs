//! What conditions and members of replacements can use beyond the language: functions on values of
//! a graph, enumerators and element kinds.
//!
//! Invariant: each function has a C++ function of the same name in
//! `templates/rules/functions.h`.

use super::bindings::tensor;
use crate::model::Family;
use crate::verify::ELEMENTS;
use torchgen_kit::expr::{Constant, Function, Type, Vocabulary, core_functions};

/// The words of one family.
pub(crate) struct RuleWords {
    functions: Vec<Function>,
    /// The names of functions of the user's.
    own: Vec<String>,
    /// Enumerators: their names, types and C++.
    constants: Vec<(String, Constant)>,
}

/// The type of element kinds.
pub(super) fn element() -> Type {
    Type::with_name("ElemKind")
}

/// The type of types of values.
pub(super) fn value_type() -> Type {
    Type::with_name("Type")
}

/// The functions of rules, in addition to those of the language.
pub(crate) fn rule_functions() -> Vec<Function> {
    let (ints, x) = (Type::Int.list(), || [("x", tensor())]);
    let two = || [("x", tensor()), ("y", tensor())];
    let ty = || ("type", value_type());
    vec![
        Function::new("users", &x(), Type::Int, "How many inputs use the value."),
        Function::new("rank", &x(), Type::Int, "How many dimensions it has."),
        Function::new("dims", &x(), ints.clone(), "Its dimensions."),
        Function::new("size", &x(), Type::Int, "How many elements it has."),
        Function::new("element", &x(), element(), "The kind of its elements."),
        Function::new("type", &x(), value_type(), "Its type."),
        Function::new("scale", &x(), Type::Float, "The scale of its quantization."),
        Function::new("offset", &x(), Type::Int, "The offset of its quantization."),
        Function::new("is_quantized", &x(), Type::Bool, "Whether its elements are quantized."),
        Function::new("is_float", &x(), Type::Bool, "Whether its elements are floating-point numbers."),
        Function::new("is_constant", &x(), Type::Bool, "Whether it is a constant."),
        Function::new("same_type", &two(), Type::Bool, "Whether both have the same type."),
        Function::new("same_shape", &two(), Type::Bool, "Whether both have the same dimensions."),
        Function::new("same_element", &two(), Type::Bool, "Whether both have elements of the same kind."),
        Function::new("is_uniform", &x(), Type::Bool, "Whether it is a constant with one element, repeated."),
        Function::new("uniform", &x(), Type::Float, "That element; 0 if it is none such."),
        Function::new("least", &[ty()], Type::Float, "The least number of a quantized type."),
        Function::new("greatest", &[ty()], Type::Float, "The greatest number of a quantized type."),
        Function::new(
            "quantized",
            &[ty(), ("kind", element()), ("scale", Type::Float), ("offset", Type::Int)],
            value_type(),
            "The type with quantized elements.",
        ),
        Function::new(
            "compose",
            &[("p", ints.clone()), ("q", ints.clone())],
            ints.clone(),
            "The permutation that does what `p` and then `q` do.",
        ),
        Function::new("inverse", &[("p", ints.clone())], ints.clone(), "The permutation that undoes `p`."),
        Function::new("is_identity", &[("p", ints.clone())], Type::Bool, "Whether a permutation moves nothing."),
        Function::new("with_dims", &[ty(), ("dims", ints)], value_type(), "The type with other dimensions."),
        Function::new(
            "with_element",
            &[ty(), ("kind", element())],
            value_type(),
            "The type with another element kind.",
        ),
    ]
}

impl RuleWords {
    /// The words of a family whose enumerations are known, and these functions.
    pub(crate) fn new(family: &Family, own: Vec<Function>) -> RuleWords {
        let constant = |ty: Type, cpp: String| Constant { ty, cpp };
        let mut constants: Vec<(String, Constant)> = ELEMENTS
            .into_iter()
            .map(|kind| (kind.to_owned(), constant(element(), format!("ElemKind::{kind}"))))
            .collect();
        for record in &family.enums {
            let (name, path) = (record.name.as_str(), family.enumeration(&record.name));
            constants.extend(
                record.values.iter().map(|value| {
                    (value.as_str().to_owned(), constant(Type::with_name(name), format!("{path}::{value}")))
                }),
            );
        }
        let own_names = own.iter().map(|function| function.name.to_string()).collect();
        let functions = rule_functions().into_iter().chain(core_functions()).chain(own).collect();
        RuleWords { functions, own: own_names, constants }
    }
}

impl RuleWords {
    /// Whether a function is the user's.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.iter().any(|own| own == name)
    }
}

impl Vocabulary for RuleWords {
    fn constant(&self, name: &str) -> Option<Constant> {
        self.constants.iter().find(|(own, _)| own == name).map(|(_, constant)| constant.clone())
    }

    fn constants(&self) -> Vec<&str> {
        self.constants.iter().map(|(name, _)| name.as_str()).collect()
    }

    fn functions(&self) -> &[Function] {
        &self.functions
    }
}
