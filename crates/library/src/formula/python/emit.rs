//! Expressions of C++ as expressions of Python.
//!
//! Invariant: what has no form in Python is an error at its place.

use std::ops::Range;

use super::calls::{Passed, call};
use super::emitter::{Emitter, Tree};
use super::numbers::{signed, wrapped};
use super::plain::{in_single_precision, number};
use super::scalars::ordered_optionals;
use super::value::{Value, strength};
use super::{Problem, Property, has_no_form};
use torchgen_base::diag::Help;
use torchgen_base::lang::python::string_literal;
use torchgen_formula::vocabulary::{MATH, TypeName, cast_to, type_of};
use torchgen_formula::{Call, Expr, Helper, Node, Outcome, Path, Python, Ty, ValueKind, constant_in_python, is_single};

/// How to do without a function of C++.
const OWN_FUNCTION: &str = "list a Python function of that name in `python:` of the entry, or make it an operator of the \
    library";

impl Emitter<'_, '_> {
    pub(super) fn value(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
        Ok(wrapped(self.computed(tree)?, tree))
    }

    /// What Python computes: the value, or for an integer without a sign, one that has the same 64
    /// bits.
    pub(super) fn computed(&mut self, tree: &Tree<'_>) -> Result<Value, Problem> {
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
            Node::Braces(Some(path), _) => self.construct(path, tree.ty, parts, place),
            Node::Cast(path, _) => self.construct(path, tree.ty, parts, place),
            Node::Dereferenced { .. } => self.value(&parts[0]),
            Node::Unary(operator, _) => self.unary(*operator, &parts[0]),
            Node::Binary { operator, place, .. } => self.binary(*operator, place, tree),
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

    pub(super) fn passed(&mut self, trees: &[Tree<'_>]) -> Result<Vec<Passed>, Problem> {
        let passed = |tree: &Tree<'_>| {
            let elements = match &tree.expr.node {
                Node::Braces(None, _) => Some(self.passed(&tree.parts)?),
                _ => None,
            };
            let computed = self.computed(tree)?;
            let signed = signed(computed.clone(), tree);
            Ok(Passed { value: wrapped(computed, tree), signed, ty: tree.ty, elements })
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

    /// A value of a type, which `path` names and `made` is.
    fn construct(&mut self, path: &Path, made: Ty, items: &[Tree<'_>], range: &Range<usize>) -> Result<Value, Problem> {
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
                let (size, value) = (self.value(size)?, self.as_kind(value, made.kind.element())?);
                let text = format!("[{}] * {}", value.text, size.within(strength::UNARY));
                Ok(Value::with_strength(text, strength::MULTIPLY))
            }
            (TypeName::List(_), items) => self.braces(items),
            (TypeName::Number(_) | TypeName::Tensor, [one]) if matches!(one.expr.node, Node::Braces(None, _)) => {
                match one.parts.as_slice() {
                    [inner] => self.construct(path, made, std::slice::from_ref(inner), range),
                    _ => Err(has_no_form(&one.expr.range, "this")),
                }
            }
            (TypeName::Number(_), [one]) if one.ty.kind.is_tensor() => {
                Err(has_no_form(&one.expr.range, &format!("`{}` of a tensor", path.text())))
            }
            (TypeName::Number(ValueKind::SymInt), [one]) if one.ty.kind.is_plain_number() => {
                self.as_kind(one, ValueKind::Int)
            }
            // The value of another type of numbers is converted.
            (TypeName::Optional, [one]) if one.ty.certain().is_number() => self.as_kind(one, made.kind),
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
            return self.construct(path, tree.ty, arguments, &path.range);
        }
        let (place, name) = (path.range.clone(), path.name());
        let of_std = matches!(path.parts.as_slice(), [namespace, _] if namespace == "std");
        if path.template.is_some() && !(of_std && matches!(name, "min" | "max")) {
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
        } else if of_std {
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
                Some(TypeName::Number(ValueKind::SymInt)) => self.as_kind(operand, ValueKind::SymInt)?,
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
        let all = |test: fn(ValueKind) -> bool| arguments.iter().all(|argument| test(argument.ty.kind));
        let number = |kind: ValueKind| kind.is_number() && kind != ValueKind::Bool || kind == ValueKind::Scalar;
        let numbers = !arguments.is_empty() && all(number);
        match name {
            "min" | "max" if numbers && arguments.iter().any(|argument| argument.ty.is_optional()) => {
                Err(ordered_optionals(&path.range))
            }
            "min" | "max" if numbers => {
                // The type that is named, or that of all.
                let wanted = match cast_to(path.template.as_deref()) {
                    Some(TypeName::Integer) => Some(ValueKind::Int),
                    Some(TypeName::Double) => Some(ValueKind::Float),
                    Some(TypeName::Number(kind)) => Some(kind),
                    _ if path.template.is_some() => {
                        return Err(has_no_form(&path.range, &format!("`{}`", path.text())));
                    }
                    _ => None,
                };
                let values = match wanted {
                    Some(kind) => arguments.iter().map(|one| self.as_kind(one, kind)).collect::<Result<_, _>>()?,
                    None => self.values(arguments)?,
                };
                let integers = wanted.map_or(all(ValueKind::is_integer), ValueKind::is_integer);
                let module = if integers { "_torch.sym_" } else { "_builtins." };
                Ok(Value::atom(format!("{module}{name}({})", joined(&values))))
            }
            "abs" if numbers => Ok(Value::atom(format!("_builtins.abs({})", joined(&self.values(arguments)?)))),
            "move" | "forward" => match arguments {
                [one] => self.value(one),
                _ => Err(has_no_form(&path.range, "this")),
            },
            _ if numbers && MATH.contains(&name) && arguments.iter().any(is_single) => {
                Err(in_single_precision(&path.range))
            }
            _ if numbers && MATH.contains(&name) => {
                Ok(Value::atom(format!("_formulas.computed(_math.{name}, {})", joined(&self.values(arguments)?))))
            }
            _ => Err(has_no_form(&path.range, &format!("`{}`", path.text()))),
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
