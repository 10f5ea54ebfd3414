//! Methods of tensors, numbers, lists and others, and the properties of tensors.
//!
//! Invariant: a property of a tensor that may be undefined is that of C++, which has one without
//! elements.

use std::ops::Range;

use super::builtins::{self, ATTRIBUTES, METHODS};
use super::calls::call;
use super::emitter::{Emitter, Tree};
use super::plain::{list_method, scalar_method};
use super::value::{Value, strength};
use super::{Problem, Property, has_no_form};
use torchgen_formula::{Callee, Method, Node, Outcome, ValueKind};

impl Emitter<'_, '_> {
    pub(super) fn method(&mut self, method: &Method, tree: &Tree<'_>) -> Result<Value, Problem> {
        let Method { name, place, .. } = method;
        let (object, arguments) = (&tree.parts[0], tree.arguments());
        if let Some(value) = self.property(object, name, arguments)? {
            return Ok(value);
        }
        let value = self.value(object)?;
        match (name.as_str(), arguments) {
            ("defined" | "has_value", []) => {
                let text = format!("{} is not None", value.within(strength::BIT_OR));
                return Ok(Value::with_strength(text, strength::COMPARE));
            }
            ("value", []) if object.ty.is_optional() => {
                return Ok(Value::atom(format!("_formulas.value({})", value.text)));
            }
            ("value", []) => return Ok(value),
            ("value_or", [other]) => {
                let kind = if object.ty.kind.is_number() { object.ty.kind } else { other.ty.kind };
                let other = self.as_kind(other, kind)?;
                return Ok(Value::atom(format!("_formulas.value_or({}, {})", value.text, other.text)));
            }
            _ => {}
        }
        match object.ty.kind {
            ValueKind::Tensor | ValueKind::Unknown | ValueKind::Undefined => self.tensor_method(value, method, tree),
            ValueKind::Options => self.options_method(&value, name, place, arguments),
            ValueKind::Scalar
            | ValueKind::Float
            | ValueKind::SymFloat
            | ValueKind::Int
            | ValueKind::SymInt
            | ValueKind::Bool => scalar_method(&value, name, place, arguments.len()),
            kind if kind.is_list() => list_method(&value, name, place, arguments.len()),
            _ => Err(has_no_form(place, &format!("the method `{name}`"))),
        }
    }

    /// A property of a tensor, which may be saved without the tensor.
    fn property(&mut self, object: &Tree<'_>, name: &str, arguments: &[Tree<'_>]) -> Result<Option<Value>, Problem> {
        let property = match (name, arguments) {
            ("sym_sizes" | "sizes", []) | ("sym_size" | "size", [_]) => Property::Shape,
            ("sym_strides" | "strides", []) | ("sym_stride" | "stride", [_]) => Property::Strides,
            ("sym_numel" | "numel", []) => Property::Numel,
            ("dim" | "ndimension", []) => Property::Dim,
            ("scalar_type" | "dtype", []) => Property::Dtype,
            ("layout", []) => Property::Layout,
            ("device", []) => Property::Device,
            ("options", []) => Property::Options,
            _ => return Ok(None),
        };
        let name = object.expr.single();
        let saved = name.and_then(|name| self.names.property(name, property, &mut self.used));
        let value = match saved {
            Some(variable) => Value::atom(variable),
            None => {
                let value = self.value(object)?;
                if !object.ty.kind.is_tensor() && object.ty.kind != ValueKind::Unknown {
                    return Ok(None);
                }
                let defined = property.expression_of(&value.object());
                match property.of_undefined().filter(|_| self.may_be_undefined(object)) {
                    Some(other) => {
                        let text = format!("{other} if {} is None else {defined}", value.within(strength::BIT_OR));
                        Value::with_strength(text, strength::TERNARY)
                    }
                    None => Value::atom(defined),
                }
            }
        };
        let [index] = arguments else { return Ok(Some(value)) };
        Ok(Some(Value::atom(format!("{}[{}]", value.object(), self.with_sign(index)?.text))))
    }

    /// Whether a tensor may be undefined: an optional input, a gradient that the formula tests, or
    /// a choice of one.
    fn may_be_undefined(&self, tensor: &Tree<'_>) -> bool {
        let parts = &tensor.parts;
        match &tensor.expr.node {
            Node::Path(path) => {
                let name = path.single().unwrap_or_default();
                let gradient = if name == "grad" { Some(0) } else { self.names.gradient_index(name) };
                gradient.map_or(tensor.ty.optional, |index| self.names.may_be_undefined(index))
            }
            Node::Index(list, at) => match &at.node {
                Node::Number(number) if list.single() == Some("grads") => {
                    number.parse().is_ok_and(|index| self.names.may_be_undefined(index))
                }
                _ => false,
            },
            Node::Ternary { .. } => parts[1..].iter().any(|part| self.may_be_undefined(part)),
            Node::Dereferenced { .. } => self.may_be_undefined(&parts[0]),
            Node::Call(path, _) | Node::Braces(Some(path), _) => match path.name() {
                "wrap_opt_if" => true,
                "Tensor" => parts.first().is_none_or(|part| self.may_be_undefined(part)),
                "move" | "forward" => parts.iter().any(|part| self.may_be_undefined(part)),
                _ => tensor.ty.optional,
            },
            _ => tensor.ty.optional,
        }
    }

    fn tensor_method(&mut self, object: Value, method: &Method, tree: &Tree<'_>) -> Result<Value, Problem> {
        let (name, arguments) = (method.name.as_str(), tree.arguments());
        if arguments.is_empty() && (ATTRIBUTES.contains(&name) || METHODS.contains(&name)) {
            let object = object.object();
            let text = format!("{object}.{name}{}", if ATTRIBUTES.contains(&name) { "" } else { "()" });
            return Ok(match builtins::of_undefined(name).filter(|_| self.may_be_undefined(&tree.parts[0])) {
                Some(true) => Value::with_strength(format!("{object} is None or {text}"), strength::OR),
                Some(false) => Value::with_strength(format!("{object} is not None and {text}"), strength::AND),
                None => Value::atom(text),
            });
        }
        let values = self.passed(arguments)?;
        match &tree.call {
            Some(own) if !matches!(own.outcome, Outcome::Missing(None) | Outcome::Returns(_)) => {
                call(self.names.operators(), own, Some(&object), &values)
            }
            _ => {
                let problem = has_no_form(&method.place, &format!("the method `{name}`"));
                Err(Problem { help: self.names.operators().near(&Callee::Method, name), ..problem })
            }
        }
    }

    fn options_method(
        &mut self,
        object: &Value,
        name: &str,
        place: &Range<usize>,
        arguments: &[Tree<'_>],
    ) -> Result<Value, Problem> {
        match arguments {
            [one] if ["dtype", "layout", "device"].contains(&name) => {
                let value = self.value(one)?;
                Ok(Value::atom(format!("_builtins.dict({}, {name}={})", object.text, value.text)))
            }
            _ => Err(has_no_form(place, &format!("the method `{name}`"))),
        }
    }
}
