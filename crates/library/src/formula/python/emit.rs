//! Expressions of C++ as expressions of Python.
//!
//! Invariant: what has no form in Python is an error at its place.

use std::ops::Range;

use super::builtins::{self, ATTRIBUTES, METHODS};
use super::calls::{Passed, call};
use super::names::{Names, Used};
use super::numbers::converted;
use super::plain::{in_single_precision, list_method, number, scalar_method};
use super::value::{Value, strength};
use super::{Problem, Property, has_no_form};
use torchgen_base::diag::Help;
use torchgen_base::lang::python::string_literal;
use torchgen_formula::vocabulary::{MATH, TypeName, cast_to, type_of};
use torchgen_formula::{
    Call, Callee, Expr, Helper, Method, Node, Outcome, Path, Python, Typed, ValueKind, constant_in_python, is_single,
};

/// How to do without a function of C++.
const OWN_FUNCTION: &str = "list a Python function of that name in `python:` of the entry, or make it an operator of the \
    library";

/// A part of a formula with its types.
pub(super) type Tree<'t> = Typed<'t, 't>;

pub(super) struct Emitter<'n, 'o> {
    pub(super) names: &'n Names<'o>,
    pub(super) used: Used,
}

impl Emitter<'_, '_> {
    pub(super) fn value(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
        let parts = &tree.parts;
        let place = &tree.expr.range;
        match &tree.expr.node {
            Node::Number(text) => number(text, place),
            Node::Literal(parts) => literal(parts, place),
            Node::Path(path) => self.path(path),
            Node::Call(path, _) => self.call(path, tree),
            Node::Method(method) => self.method(method, tree),
            Node::Index(object, index) => self.index(object, index, tree),
            Node::Braces(None, _) => self.braces(parts),
            // Two values in braces are elements, not a size and a value.
            Node::Braces(Some(path), items) if items.len() > 1 && matches!(type_of(path), Some(TypeName::List(_))) => {
                self.braces(parts)
            }
            Node::Braces(Some(path), _) => self.construct(path, parts, place),
            Node::Cast(path, _) => self.construct(path, parts, place),
            Node::Dereferenced { .. } => self.value(&parts[0]),
            Node::Unary(operator, _) => self.unary(*operator, &parts[0]),
            Node::Binary { operator, place, .. } => self.binary(*operator, place, parts),
            Node::Ternary { .. } => self.ternary(tree),
            Node::Member { name, place, .. } => Err(has_no_form(place, &format!("the member `{name}`"))),
            Node::Lambda(..) => Err(has_no_form(place, "a lambda")),
            Node::Statements(_) => Err(has_no_form(place, "statements")),
            Node::Throw(_) => Err(has_no_form(place, "`throw`")),
            Node::Apply(..) | Node::OnType => Err(has_no_form(place, "this")),
        }
    }

    pub(super) fn values(&mut self, trees: &[Tree<'_>]) -> Result<Vec<Value>, Problem> {
        trees.iter().map(|tree| self.value(tree)).collect()
    }

    fn passed(&mut self, trees: &[Tree<'_>]) -> Result<Vec<Passed>, Problem> {
        let passed = |tree: &Tree<'_>| {
            let elements = match &tree.expr.node {
                Node::Braces(None, _) => Some(self.passed(&tree.parts)?),
                _ => None,
            };
            Ok(Passed { value: self.value(tree)?, ty: tree.ty, elements })
        };
        trees.iter().map(passed).collect()
    }

    fn path(&mut self, path: &Path) -> Result<Value, Problem> {
        if let Some(name) = path.single() {
            match name {
                "grad" => return self.gradient(Some(0), &path.range),
                "grads" => return self.gradient(None, &path.range),
                _ => {}
            }
            if let Some(value) = self.names.value(name, &mut self.used) {
                return Ok(value);
            }
            // Saved values are never freed early.
            if matches!(name, "retain_variables" | "any_grad_defined") {
                return Ok(Value::atom("True"));
            }
        }
        constant_in_python(&path.parts)
            .map(Value::atom)
            .ok_or_else(|| has_no_form(&path.range, &format!("`{}`", path.text())))
    }

    fn gradient(&mut self, index: Option<usize>, place: &Range<usize>) -> Result<Value, Problem> {
        let found = self.names.gradient(index, &mut self.used);
        found.ok_or_else(|| Problem::new(place.clone(), "the operator does not have this gradient"))
    }

    fn index(&mut self, object: &Expr, index: &Expr, tree: &Tree<'_>) -> Result<Value, Problem> {
        if let (Some("grads"), Node::Number(number)) = (object.single(), &index.node)
            && let Ok(number) = number.parse()
        {
            return self.gradient(Some(number), &object.range);
        }
        let (object, index) = (self.value(&tree.parts[0])?, self.value(&tree.parts[1])?);
        Ok(Value::atom(format!("{}[{}]", object.object(), index.text)))
    }

    fn braces(&mut self, items: &[Tree<'_>]) -> Result<Value, Problem> {
        // The braces of an array in those of its elements.
        if let [one] = items
            && let Node::Braces(None, _) = &one.expr.node
        {
            return self.braces(&one.parts);
        }
        Ok(Value::atom(format!("[{}]", joined(&self.values(items)?))))
    }

    /// A value of a type.
    fn construct(&mut self, path: &Path, items: &[Tree<'_>], range: &Range<usize>) -> Result<Value, Problem> {
        let ty = type_of(path).ok_or_else(|| has_no_form(&path.range, &format!("`{}`", path.text())))?;
        match (ty, items) {
            (TypeName::Tensor | TypeName::Optional, []) => Ok(Value::atom("None")),
            (TypeName::Tuple, []) => {
                let count = path.template.as_deref().map_or(0, |template| template.split(',').count());
                let nothing = vec!["None"; count].join(", ");
                Ok(Value::atom(format!("({nothing}{})", if count == 1 { "," } else { "" })))
            }
            (TypeName::Tuple, items) => {
                let values = self.values(items)?;
                Ok(Value::atom(format!("({}{})", joined(&values), if values.len() == 1 { "," } else { "" })))
            }
            (TypeName::List(_), [one]) if matches!(one.expr.node, Node::Braces(..)) => self.value(one),
            (TypeName::List(_), [one]) => {
                let value = self.value(one)?;
                Ok(if one.ty.kind.is_list() { value } else { Value::atom(format!("[{}]", value.text)) })
            }
            (TypeName::List(_), [size, value]) if path.template.is_some() && path.name() == "vector" => {
                let (size, value) = (self.value(size)?, self.value(value)?);
                let text = format!("[{}] * {}", value.text, size.within(strength::UNARY));
                Ok(Value::with_strength(text, strength::MULTIPLY))
            }
            (TypeName::List(_), items) => self.braces(items),
            (TypeName::Number(_) | TypeName::Tensor, [one]) if matches!(one.expr.node, Node::Braces(None, _)) => {
                match one.parts.as_slice() {
                    [inner] => self.construct(path, std::slice::from_ref(inner), range),
                    _ => Err(has_no_form(&one.expr.range, "this")),
                }
            }
            (TypeName::Number(_), [one]) if one.ty.kind.is_tensor() => {
                Err(has_no_form(&one.expr.range, &format!("`{}` of a tensor", path.text())))
            }
            (TypeName::Number(ValueKind::SymInt), [one]) if one.ty.kind.is_plain_number() => {
                Ok(converted(self.value(one)?, one.ty.kind, ValueKind::Int))
            }
            (TypeName::Optional | TypeName::Number(_) | TypeName::Tensor, [one]) => self.value(one),
            (TypeName::Integer | TypeName::Double | TypeName::Bool, [one]) => self.cast(ty, one),
            _ => Err(has_no_form(range, "this")),
        }
    }

    fn call(&mut self, path: &Path, tree: &Tree<'_>) -> Result<Value, Problem> {
        let arguments = &tree.parts;
        if let Some(value) = self.special(path, arguments)? {
            return Ok(value);
        }
        if type_of(path).is_some() {
            return self.construct(path, arguments, &path.range);
        }
        let (place, name) = (path.range.clone(), path.name());
        if path.template.is_some() {
            return Err(has_no_form(&place, &format!("`{}`", path.text())));
        }
        if let Some(helper) = Helper::of_dtypes(path).filter(|helper| helper.takes(arguments.len())) {
            return self.helper(helper, &place, arguments);
        }
        if let Some(single) = path.single() {
            if let Some(function) = self.names.function(single, &mut self.used) {
                return Ok(Value::atom(format!("{function}({})", joined(&self.values(arguments)?))));
            }
            if let Some(helper) = Helper::find(name).filter(|helper| helper.takes(arguments.len())) {
                return self.helper(helper, &place, arguments);
            }
            if matches!(&tree.call, Some(Call { outcome: Outcome::Missing(_), .. })) {
                if let Some(namespace) = self.names.operators().own_namespace(name) {
                    let message = format!("`{name}` is an operator of the library, which has a namespace");
                    return Err(Problem::new(place, message).help(Help::write(format!("{namespace}::{name}"))));
                }
                let message = format!("`{name}` is a function of C++, which Python cannot call");
                return Err(Problem::new(place, message).help(OWN_FUNCTION));
            }
        } else if let [namespace, _] = path.parts.as_slice()
            && namespace == "std"
        {
            return self.math(path, arguments);
        }
        let Some(own) = &tree.call else { return Err(has_no_form(&place, "this")) };
        let values = self.passed(arguments)?;
        call(self.names.operators(), own, None, &values)
    }

    /// A helper of PyTorch for formulas.
    fn helper(&mut self, helper: &Helper, place: &Range<usize>, arguments: &[Tree<'_>]) -> Result<Value, Problem> {
        let values = self.values(arguments)?;
        match (helper.python, values.as_slice()) {
            (Some(Python::Function), values) => {
                Ok(Value::atom(format!("_formulas.{}({})", helper.name, joined(values))))
            }
            (Some(Python::Attribute(name)), [one]) => Ok(Value::atom(format!("{}.{name}", one.object()))),
            _ => Err(has_no_form(place, &format!("`{}`", helper.name))),
        }
    }

    /// Functions with a translation of their own.
    fn special(&mut self, path: &Path, arguments: &[Tree<'_>]) -> Result<Option<Value>, Problem> {
        let words: Vec<&str> = path.parts.iter().map(String::as_str).collect();
        let words = match words.as_slice() {
            ["at" | "c10" | "torch" | "std" | "autograd", rest @ ..] => rest,
            all => all,
        };
        Ok(Some(match (words, arguments) {
            (["GradMode", "is_enabled"], []) => Value::atom("_torch.is_grad_enabled()"),
            // Only the shape and the options of a saved value are needed.
            (["zeros_like"], [of]) if path.parts.len() == 1 => {
                let saved = of.expr.single().and_then(|name| {
                    let shape = self.names.property(name, Property::Shape, &mut self.used)?;
                    Some((shape, self.names.property(name, Property::Options, &mut self.used)?))
                });
                let Some((shape, options)) = saved else { return Ok(None) };
                Value::atom(format!("_aten.zeros.default({shape}, **{options})"))
            }
            (["wrap_opt_if"], [wrong, _]) if wrong.ty.kind.is_number_or_scalar() => {
                let message = format!("argument 1 of `wrap_opt_if` cannot be {}", wrong.ty.name());
                return Err(Problem::new(wrong.expr.range.clone(), message));
            }
            (["wrap_opt_if"], [tensor, condition]) => {
                let (tensor, condition) = (self.value(tensor)?, self.value(condition)?);
                let text = format!("{} if {} else None", tensor.within(strength::OR), condition.within(strength::OR));
                Value::with_strength(text, strength::TERNARY)
            }
            (["make_tuple" | "tie"], items) => Value::atom(format!("({},)", joined(&self.values(items)?))),
            (["get"], [tuple]) => {
                let index = path.template.as_deref().and_then(|text| text.trim().parse::<usize>().ok());
                let Some(index) = index else { return Ok(None) };
                Value::atom(format!("{}[{index}]", self.value(tuple)?.object()))
            }
            (["static_cast"], [operand]) => match cast_to(path.template.as_deref()) {
                Some(ty @ (TypeName::Integer | TypeName::Double | TypeName::Bool)) => self.cast(ty, operand)?,
                Some(TypeName::Number(_)) => self.value(operand)?,
                _ => {
                    let target = path.template.as_deref().unwrap_or_default().trim();
                    let target = target.strip_prefix("const ").unwrap_or(target);
                    return Err(has_no_form(&path.range, &format!("a cast to `{target}`")));
                }
            },
            _ => return Ok(None),
        }))
    }

    /// Functions of `std` on numbers.
    fn math(&mut self, path: &Path, arguments: &[Tree<'_>]) -> Result<Value, Problem> {
        let name = path.name();
        let values = self.values(arguments)?;
        let all = |test: fn(ValueKind) -> bool| arguments.iter().all(|argument| test(argument.ty.kind));
        let number = |kind: ValueKind| kind.is_number() && kind != ValueKind::Bool || kind == ValueKind::Scalar;
        let numbers = !values.is_empty() && all(number);
        match name {
            "min" | "max" | "abs" if numbers => {
                let function = match name {
                    "abs" => "_builtins.abs".to_owned(),
                    other if all(ValueKind::is_integer) => format!("_torch.sym_{other}"),
                    other => format!("_builtins.{other}"),
                };
                Ok(Value::atom(format!("{function}({})", joined(&values))))
            }
            "move" | "forward" => match values.as_slice() {
                [one] => Ok(one.clone()),
                _ => Err(has_no_form(&path.range, "this")),
            },
            _ if numbers && MATH.contains(&name) && arguments.iter().any(is_single) => {
                Err(in_single_precision(&path.range))
            }
            _ if numbers && MATH.contains(&name) => {
                Ok(Value::atom(format!("_formulas.computed(_math.{name}, {})", joined(&values))))
            }
            _ => Err(has_no_form(&path.range, &format!("`{}`", path.text()))),
        }
    }

    fn method(&mut self, method: &Method, tree: &Tree<'_>) -> Result<Value, Problem> {
        let Method { name, place, .. } = method;
        let (object, arguments) = (&tree.parts[0], tree.arguments());
        if let Some(value) = self.property(object, name, arguments)? {
            return Ok(value);
        }
        let value = self.value(object)?;
        let text = value.object();
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
                let other = converted(self.value(other)?, other.ty.kind, kind);
                let text = format!("{text} if {text} is not None else {}", other.within(strength::OR));
                return Ok(Value::with_strength(text, strength::TERNARY));
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
        let text = match saved {
            Some(variable) => variable,
            None => {
                let value = self.value(object)?;
                if !object.ty.kind.is_tensor() && object.ty.kind != ValueKind::Unknown {
                    return Ok(None);
                }
                property.expression_of(&value.object())
            }
        };
        let [index] = arguments else { return Ok(Some(Value::atom(text))) };
        Ok(Some(Value::atom(format!("{text}[{}]", self.value(index)?.text))))
    }

    fn tensor_method(&mut self, object: Value, method: &Method, tree: &Tree<'_>) -> Result<Value, Problem> {
        let (name, arguments) = (method.name.as_str(), tree.arguments());
        if arguments.is_empty() && (ATTRIBUTES.contains(&name) || METHODS.contains(&name)) {
            let object = object.object();
            let text = format!("{object}.{name}{}", if ATTRIBUTES.contains(&name) { "" } else { "()" });
            return Ok(match builtins::of_undefined(name).filter(|_| tree.parts[0].ty.optional) {
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

/// Strings that follow each other.
fn literal(parts: &[String], place: &Range<usize>) -> Result<Value, Problem> {
    let plain = |part: &String| {
        let inside = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        inside.filter(|inside| !inside.contains(['\\', '"'])).map(str::to_owned)
    };
    match parts.iter().map(plain).collect::<Option<String>>() {
        Some(text) => Ok(Value::atom(string_literal(&text))),
        None => Err(Problem::new(place.clone(), "only strings without escapes can be translated")),
    }
}

fn joined(values: &[Value]) -> String {
    values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(", ")
}
