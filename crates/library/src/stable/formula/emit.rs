//! Expressions of C++ as expressions of Python.
//!
//! Invariant: operators keep their meaning. Python's `and`, `or` and `not` are for conditions only,
//! comparisons do not chain, and integers are not divided.

use std::ops::Range;

use super::builtins::{self, ATTRIBUTES, HELPERS, MATH, METHODS, Type};
use super::calls::{Callee, call};
use super::plain::{list_method, number, scalar_method};
use super::value::{Kind, Value, is_list, strength};
use super::{Found, Problem, Property, Scope, has_no_form};
use torchgen_model::parse::formula::{Binary, Expr, Node, Path, Unary, not_a_pointer};

/// How to do without a function of C++.
const OWN_FUNCTION: &str = "list a Python function of that name in `python:` of the entry, or make it an operator of the \
    library";

pub(super) struct Emitter<'s> {
    pub(super) scope: &'s mut dyn Scope,
}

impl Emitter<'_> {
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Value, Problem> {
        match &expr.node {
            Node::Number(text) => number(text, &expr.range),
            Node::Text(text) => Ok(Value::atom(format!("\"{text}\""), Kind::Text)),
            Node::Path(path) => self.path(path),
            Node::Call(path, arguments) => self.call(path, arguments),
            Node::Method { object, name, place, arguments } => self.method(object, name, place, arguments),
            Node::Index(object, index) => self.index(object, index),
            Node::Braces(None, items) => self.braces(items),
            Node::Braces(Some(path), items) => self.construct(path, items, &expr.range),
            Node::Dereferenced { value, place } => {
                let scope = &*self.scope;
                match not_a_pointer(value, place, |name| !scope.is_optional(name)) {
                    Some(problem) => Err(problem),
                    None => self.value(value),
                }
            }
            Node::Unary(operator, operand) => self.unary(*operator, operand),
            Node::Binary { operator, place, left, right } => self.binary(*operator, place, left, right),
            Node::Ternary { condition, yes, no } => self.ternary(condition, yes, no),
        }
    }

    fn values(&mut self, exprs: &[Expr]) -> Result<Vec<Value>, Problem> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn path(&mut self, path: &Path) -> Result<Value, Problem> {
        if let Some(name) = path.single() {
            match name {
                "grad" => return self.gradient(Some(0), &path.range),
                "grads" => return self.gradient(None, &path.range),
                _ => {}
            }
            if let Some(value) = self.scope.value(name) {
                return Ok(value);
            }
            // Saved values are never freed early.
            if matches!(name, "retain_variables" | "any_grad_defined") {
                return Ok(Value::atom("True", Kind::Bool));
            }
        }
        builtins::constant(&path.parts).ok_or_else(|| has_no_form(&path.range, &format!("`{}`", path.text())))
    }

    fn gradient(&mut self, index: Option<usize>, place: &Range<usize>) -> Result<Value, Problem> {
        self.scope.gradient(index).ok_or_else(|| Problem::new(place.clone(), "there is no such gradient".to_owned()))
    }

    fn index(&mut self, object: &Expr, index: &Expr) -> Result<Value, Problem> {
        if let (Node::Path(path), Node::Number(number)) = (&object.node, &index.node)
            && path.single() == Some("grads")
            && let Ok(number) = number.parse()
        {
            return self.gradient(Some(number), &object.range);
        }
        let (object, index) = (self.value(object)?, self.value(index)?);
        Ok(Value::atom(format!("{}[{}]", object.object(), index.text), object.kind.element()))
    }

    fn braces(&mut self, items: &[Expr]) -> Result<Value, Problem> {
        // The braces of an array in those of its elements.
        if let [Expr { node: Node::Braces(None, inner), .. }] = items {
            return self.braces(inner);
        }
        if items.is_empty() {
            return Ok(Value::atom("[]", Kind::Empty));
        }
        let values = self.values(items)?;
        let kind = match values.as_slice() {
            all if all.iter().all(|value| value.kind == Kind::Int) => Kind::Ints,
            all if all.iter().all(|value| matches!(value.kind, Kind::Tensor | Kind::Nothing)) => Kind::Tensors,
            all if all.iter().all(|value| value.kind == Kind::Bool) => Kind::Bools,
            _ => Kind::Unknown,
        };
        Ok(Value::atom(format!("[{}]", joined(&values)), kind))
    }

    /// A value of a type.
    fn construct(&mut self, path: &Path, items: &[Expr], range: &Range<usize>) -> Result<Value, Problem> {
        let ty = builtins::type_of(&path.parts, path.template.as_deref());
        let ty = ty.ok_or_else(|| has_no_form(&path.range, &format!("`{}`", path.text())))?;
        match (ty, items) {
            (Type::Tensor | Type::Optional, []) => Ok(Value::atom("None", Kind::Nothing)),
            (Type::Tuple, []) => {
                let count = path.template.as_deref().map_or(0, |template| template.split(',').count());
                let nothing = vec!["None"; count].join(", ");
                Ok(Value::atom(format!("({nothing}{})", if count == 1 { "," } else { "" }), Kind::Tuple))
            }
            (Type::Tuple, items) => {
                let values = self.values(items)?;
                Ok(Value::atom(
                    format!("({}{})", joined(&values), if values.len() == 1 { "," } else { "" }),
                    Kind::Tuple,
                ))
            }
            (Type::List, [one]) if matches!(one.node, Node::Braces(..)) => self.list(one, path),
            (Type::List, [one]) => {
                let value = self.value(one)?;
                if is_list(value.kind) {
                    Ok(value)
                } else {
                    Ok(Value::atom(format!("[{}]", value.text), Kind::Unknown))
                }
            }
            (Type::List, [size, value]) if path.template.is_some() && path.name() == "vector" => {
                let (size, value) = (self.value(size)?, self.value(value)?);
                let kind = if value.kind == Kind::Int { Kind::Ints } else { Kind::Unknown };
                let text = format!("[{}] * {}", value.text, size.within(strength::UNARY));
                Ok(Value { text, kind, strength: strength::MULTIPLY })
            }
            (Type::List, items) => self.braces(items),
            (Type::Optional | Type::Same | Type::Tensor, [one]) => self.value(one),
            (Type::Integer | Type::Double | Type::Bool, [one]) => self.cast(ty, one),
            _ => Err(has_no_form(range, "this")),
        }
    }

    fn list(&mut self, braces: &Expr, path: &Path) -> Result<Value, Problem> {
        let value = self.value(braces)?;
        let kind = match (value.kind, path.name()) {
            (Kind::Empty, "TensorList") => Kind::Tensors,
            (Kind::Empty, "IntArrayRef" | "SymIntArrayRef") => Kind::Ints,
            (kind, _) => kind,
        };
        Ok(Value { kind, ..value })
    }

    fn cast(&mut self, ty: Type, operand: &Expr) -> Result<Value, Problem> {
        let value = self.value(operand)?;
        Ok(match (ty, value.kind) {
            (Type::Integer, Kind::Int) | (Type::Double, Kind::Float) | (Type::Bool, Kind::Bool) => value,
            (Type::Integer, Kind::Float | Kind::Bool) => {
                Value::atom(format!("_builtins.int({})", value.text), Kind::Int)
            }
            (Type::Double, Kind::Int) => Value::atom(format!("_torch.sym_float({})", value.text), Kind::Float),
            (Type::Bool, Kind::Int) => Value {
                text: format!("{} != 0", value.within(strength::BIT_OR)),
                kind: Kind::Bool,
                strength: strength::COMPARE,
            },
            _ => return Err(has_no_form(&operand.range, "a cast of this")),
        })
    }

    fn call(&mut self, path: &Path, arguments: &[Expr]) -> Result<Value, Problem> {
        let text = path.text();
        let name = path.name();
        if let Some(value) = self.special(path, arguments)? {
            return Ok(value);
        }
        if builtins::type_of(&path.parts, path.template.as_deref()).is_some() {
            return self.construct(path, arguments, &path.range);
        }
        let place = path.range.clone();
        match path.parts.as_slice() {
            _ if path.template.is_some() => Err(has_no_form(&place, &format!("`{text}`"))),
            [single] => {
                if let Some(function) = self.scope.function(single) {
                    let values = self.values(arguments)?;
                    return Ok(Value::atom(format!("{function}({})", joined(&values)), Kind::Unknown));
                }
                if let Some((name, least, most, kind)) = HELPERS.iter().find(|(known, ..)| *known == name)
                    && (*least..=*most).contains(&arguments.len())
                {
                    let values = self.values(arguments)?;
                    return Ok(Value::atom(format!("_formulas.{name}({})", joined(&values)), *kind));
                }
                let base = name.strip_suffix("_symint").unwrap_or(name);
                if matches!(self.scope.overloads("at", base), Found::None(_)) {
                    let message = format!("`{name}` is a function of C++, which Python cannot call");
                    return Err(Problem::new(place, message).help(OWN_FUNCTION));
                }
                let values = self.values(arguments)?;
                call(self.scope, &Callee { namespace: "at", name, place }, &values)
            }
            [namespace, _] if namespace == "std" => self.math(path, arguments),
            [namespace @ .., _] => {
                let namespace = namespace.join("::");
                let values = self.values(arguments)?;
                let namespace = if namespace == "torch" { "at".to_owned() } else { namespace };
                call(self.scope, &Callee { namespace: &namespace, name, place }, &values)
            }
            [] => Err(has_no_form(&place, "this")),
        }
    }

    /// Functions with a translation of their own.
    fn special(&mut self, path: &Path, arguments: &[Expr]) -> Result<Option<Value>, Problem> {
        let words: Vec<&str> = path.parts.iter().map(String::as_str).collect();
        let words = match words.as_slice() {
            ["at" | "c10" | "torch" | "std" | "autograd", rest @ ..] => rest,
            all => all,
        };
        Ok(Some(match (words, arguments) {
            (["GradMode", "is_enabled"], []) => Value::atom("_torch.is_grad_enabled()", Kind::Bool),
            // Only the shape and the options of a saved value are needed.
            (["zeros_like"], [Expr { node: Node::Path(of), .. }]) if path.parts.len() == 1 => {
                let saved = of.single().and_then(|name| {
                    let shape = self.scope.property(name, Property::Shape)?;
                    Some((shape, self.scope.property(name, Property::Options)?))
                });
                let Some((shape, options)) = saved else { return Ok(None) };
                Value::atom(format!("_aten.zeros.default({shape}, **{options})"), Kind::Tensor)
            }
            (["wrap_opt_if"], [tensor, condition]) => {
                let (tensor, condition) = (self.value(tensor)?, self.condition(condition)?);
                let text = format!("{} if {} else None", tensor.within(strength::OR), condition.within(strength::OR));
                Value { text, kind: Kind::Tensor, strength: strength::TERNARY }
            }
            (["make_tuple" | "tie"], items) => {
                let values = self.values(items)?;
                Value::atom(format!("({},)", joined(&values)), Kind::Tuple)
            }
            (["get"], [tuple]) => {
                let index = path.template.as_deref().and_then(|text| text.trim().parse::<usize>().ok());
                let Some(index) = index else { return Ok(None) };
                let tuple = self.value(tuple)?;
                // Formulas take tensors from tuples.
                Value::atom(format!("{}[{index}]", tuple.object()), Kind::Unknown)
            }
            (["static_cast"], [operand]) => {
                let target = path.template.as_deref().unwrap_or_default().trim().to_owned();
                let target = target.strip_prefix("const ").unwrap_or(&target);
                let parts: Vec<String> = target.split("::").map(|part| part.trim().to_owned()).collect();
                match builtins::type_of(&parts, None) {
                    Some(ty @ (Type::Integer | Type::Double | Type::Bool)) => self.cast(ty, operand)?,
                    Some(Type::Same) => self.value(operand)?,
                    _ => return Err(has_no_form(&path.range, &format!("a cast to `{target}`"))),
                }
            }
            _ => return Ok(None),
        }))
    }

    /// Functions of `std` on numbers.
    fn math(&mut self, path: &Path, arguments: &[Expr]) -> Result<Value, Problem> {
        let name = path.name();
        let values = self.values(arguments)?;
        let all = |kinds: &[Kind]| values.iter().all(|value| kinds.contains(&value.kind));
        let numbers = !values.is_empty() && all(&[Kind::Int, Kind::Float, Kind::Scalar]);
        match name {
            "min" | "max" | "abs" if numbers => {
                let kind = if all(&[Kind::Int]) { Kind::Int } else { Kind::Float };
                let function = match name {
                    "abs" => "_builtins.abs".to_owned(),
                    other if all(&[Kind::Int]) => format!("_torch.sym_{other}"),
                    other => format!("_builtins.{other}"),
                };
                Ok(Value::atom(format!("{function}({})", joined(&values)), kind))
            }
            "move" | "forward" => match values.as_slice() {
                [one] => Ok(one.clone()),
                _ => Err(has_no_form(&path.range, "this")),
            },
            _ if numbers && MATH.contains(&name) => {
                Ok(Value::atom(format!("_math.{name}({})", joined(&values)), Kind::Float))
            }
            _ => Err(has_no_form(&path.range, &format!("`{}`", path.text()))),
        }
    }

    fn method(
        &mut self,
        object: &Expr,
        name: &str,
        place: &Range<usize>,
        arguments: &[Expr],
    ) -> Result<Value, Problem> {
        if let Some(value) = self.property(object, name, arguments)? {
            return Ok(value);
        }
        let value = self.value(object)?;
        let text = value.object();
        match (name, arguments) {
            ("defined" | "has_value", []) => {
                let strength = strength::COMPARE;
                let text = format!("{} is not None", value.within(strength::BIT_OR));
                return Ok(Value { text, kind: Kind::Bool, strength });
            }
            ("value", []) => return Ok(value),
            ("value_or", [other]) => {
                let other = self.value(other)?;
                let kind = if value.kind == Kind::Unknown { other.kind } else { value.kind };
                let text = format!("{text} if {text} is not None else {}", other.within(strength::OR));
                return Ok(Value { text, kind, strength: strength::TERNARY });
            }
            _ => {}
        }
        match value.kind {
            Kind::Tensor | Kind::Unknown => self.tensor_method(value, name, place, arguments),
            Kind::Options => self.options_method(&value, name, place, arguments),
            Kind::Scalar | Kind::Float | Kind::Int | Kind::Bool => scalar_method(&value, name, place, arguments),
            kind if is_list(kind) => list_method(&value, name, place, arguments),
            _ => Err(has_no_form(place, &format!("the method `{name}`"))),
        }
    }

    /// A property of a tensor, which may be saved without the tensor.
    fn property(&mut self, object: &Expr, name: &str, arguments: &[Expr]) -> Result<Option<Value>, Problem> {
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
        let saved = match &object.node {
            Node::Path(path) => path.single().and_then(|name| self.scope.property(name, property)),
            _ => None,
        };
        let text = match saved {
            Some(variable) => variable,
            None => {
                let value = self.value(object)?;
                if !matches!(value.kind, Kind::Tensor | Kind::Unknown) {
                    return Ok(None);
                }
                property.of(&value.object())
            }
        };
        let [index] = arguments else { return Ok(Some(Value::atom(text, property.kind()))) };
        let index = self.value(index)?;
        Ok(Some(Value::atom(format!("{text}[{}]", index.text), Kind::Int)))
    }

    fn tensor_method(
        &mut self,
        object: Value,
        name: &str,
        place: &Range<usize>,
        arguments: &[Expr],
    ) -> Result<Value, Problem> {
        if arguments.is_empty() {
            if ATTRIBUTES.contains(&name) {
                return Ok(Value::atom(format!("{}.{name}", object.object()), Kind::Bool));
            }
            if let Some((_, kind)) = METHODS.iter().find(|(known, _)| *known == name) {
                return Ok(Value::atom(format!("{}.{name}()", object.object()), *kind));
            }
        }
        let mut values = vec![object];
        values.extend(self.values(arguments)?);
        let callee = Callee { namespace: "at", name, place: place.clone() };
        let base = name.strip_suffix("_symint").unwrap_or(name);
        if matches!(self.scope.overloads("at", base), Found::None(None)) {
            return Err(has_no_form(place, &format!("the method `{name}`")));
        }
        call(self.scope, &callee, &values)
    }

    fn options_method(
        &mut self,
        object: &Value,
        name: &str,
        place: &Range<usize>,
        arguments: &[Expr],
    ) -> Result<Value, Problem> {
        let [one] = arguments else { return Err(has_no_form(place, &format!("the method `{name}`"))) };
        if !["dtype", "layout", "device"].contains(&name) {
            return Err(has_no_form(place, &format!("the method `{name}`")));
        }
        let value = self.value(one)?;
        Ok(Value::atom(format!("_builtins.dict({}, {name}={})", object.text, value.text), Kind::Options))
    }

    fn condition(&mut self, expr: &Expr) -> Result<Value, Problem> {
        let value = self.value(expr)?;
        if matches!(value.kind, Kind::Tensor | Kind::Tensors) {
            return Err(Problem::new(expr.range.clone(), "a tensor is not a condition".to_owned())
                .help("write `x.defined()`, or compare elements with `at::where`"));
        }
        Ok(value)
    }

    fn unary(&mut self, operator: Unary, operand: &Expr) -> Result<Value, Problem> {
        let value = match operator {
            Unary::Not => self.condition(operand)?,
            _ => self.value(operand)?,
        };
        Ok(match operator {
            Unary::Plus => value,
            Unary::Minus => Value {
                text: format!("-{}", value.within(strength::UNARY)),
                kind: value.kind,
                strength: strength::UNARY,
            },
            Unary::Invert => Value {
                text: format!("~{}", value.within(strength::UNARY)),
                kind: value.kind,
                strength: strength::UNARY,
            },
            Unary::Not => Value {
                text: format!("not {}", value.within(strength::NOT)),
                kind: Kind::Bool,
                strength: strength::NOT,
            },
        })
    }

    fn binary(&mut self, operator: Binary, place: &Range<usize>, left: &Expr, right: &Expr) -> Result<Value, Problem> {
        use Binary::*;
        let logical = matches!(operator, And | Or);
        let (left, right) = match logical {
            true => (self.condition(left)?, self.condition(right)?),
            false => (self.value(left)?, self.value(right)?),
        };
        let kinds = [left.kind, right.kind];
        if kinds.contains(&Kind::Nothing) || kinds.contains(&Kind::Empty) {
            return Err(has_no_form(place, "an operation on nothing"));
        }
        if matches!(operator, Divide | Remainder) && kinds == [Kind::Int, Kind::Int] {
            let message = "C++ rounds the quotient of integers to zero, which Python does not";
            return Err(Problem::new(place.clone(), message.to_owned())
                .help("divide a `double`: `1.0 / n`, or `static_cast<double>(n) / m`"));
        }
        let own = match operator {
            Or => strength::OR,
            And => strength::AND,
            BitOr => strength::BIT_OR,
            BitXor => strength::BIT_XOR,
            BitAnd => strength::BIT_AND,
            ShiftLeft | ShiftRight => strength::SHIFT,
            Add | Subtract => strength::ADD,
            Multiply | Divide | Remainder => strength::MULTIPLY,
            Compare(_) => strength::COMPARE,
        };
        let kind = match operator {
            Or | And => Kind::Bool,
            _ if kinds.contains(&Kind::Tensor) => Kind::Tensor,
            _ if kinds.contains(&Kind::Unknown) => Kind::Unknown,
            _ if operator.compares() => Kind::Bool,
            _ if kinds.contains(&Kind::Scalar) => Kind::Scalar,
            _ if kinds.contains(&Kind::Float) => Kind::Float,
            _ => Kind::Int,
        };
        let first = left.within(if operator.compares() { own + 1 } else { own });
        let text = format!("{first} {} {}", operator.python(), right.within(own + 1));
        Ok(Value { text, kind, strength: own })
    }

    fn ternary(&mut self, condition: &Expr, yes: &Expr, no: &Expr) -> Result<Value, Problem> {
        let condition = self.condition(condition)?;
        let (yes, no) = (self.value(yes)?, self.value(no)?);
        let kind = match [yes.kind, no.kind] {
            [one, other] if one == other => one,
            [Kind::Tensor, Kind::Nothing] | [Kind::Nothing, Kind::Tensor] => Kind::Tensor,
            [Kind::Int, Kind::Float] | [Kind::Float, Kind::Int] => Kind::Float,
            _ => Kind::Unknown,
        };
        let text = format!(
            "{} if {} else {}",
            yes.within(strength::OR),
            condition.within(strength::OR),
            no.within(strength::TERNARY)
        );
        Ok(Value { text, kind, strength: strength::TERNARY })
    }
}

fn joined(values: &[Value]) -> String {
    values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(", ")
}
