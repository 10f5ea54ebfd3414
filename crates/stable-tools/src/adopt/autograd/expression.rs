//! The value of an expression in a method.
//!
//! Rule: what a method takes from its context is replaced: saved values, attributes and gradients.
//! A function is one of PyTorch's, or an operator. Invariant: whether a formula may contain what is
//! left, the checks of formulas decide.

use super::body::{Called, Reader};
use super::values::{Reason, UNREAD, Value};
use torchgen_formula::{Binary, Expr, Method, Node, Path, Unary};

/// The namespaces of what formulas can call without being operators of the library.
const KNOWN: &[&str] = &["at", "torch", "std", "c10"];

/// Properties of tensors whose symbolic variants formulas have.
const SYMBOLIC: &[&str] = &["sizes", "size", "strides", "stride", "numel"];

/// What they write for an argument that is named, around its name and its value.
const NAMED: &str = "torchgen_named";

impl Reader<'_> {
    /// The value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Value, Reason> {
        let at = expr.range.start;
        match &expr.node {
            Node::Path(path) => self.named(path, at),
            Node::Index(object, index) => self.indexed(expr, object, index),
            Node::Method(method) => self.method(method, at),
            Node::Call(path, arguments) => self.call(path, arguments, at),
            Node::Braces(path, items) => {
                if matches!(path.as_ref().map(Path::name), Some("Tensor" | "Variable")) && items.is_empty() {
                    return Ok(Value::Undefined);
                }
                Ok(Value::List(items.iter().map(|item| self.value(item)).collect::<Result<_, _>>()?))
            }
            Node::Dereferenced { value, .. } => {
                let (name, steps) = match &value.node {
                    Node::Unary(Unary::Step, of) => (of.single(), 1),
                    _ => (value.single(), 0),
                };
                match name.and_then(|name| self.names.get_mut(name)) {
                    Some(Value::Iterator(next)) => {
                        let at = *next;
                        *next += steps;
                        self.saved(at)
                    }
                    // Formulas have an optional tensor as one that may be undefined.
                    _ => self.value(value),
                }
            }
            Node::Ternary { condition, yes, no } => match self.value(condition) {
                Ok(Value::Needed) if matches!(self.value(no), Ok(Value::Undefined)) => self.inner(yes),
                _ => self.spliced(expr).map(Value::Text),
            },
            Node::Binary { operator: Binary::And | Binary::Or, left, right, .. } => {
                match (self.value(left), self.value(right)) {
                    (Ok(Value::Needed), Ok(Value::Needed)) => Ok(Value::Needed),
                    _ => self.spliced(expr).map(Value::Text),
                }
            }
            Node::Binary { operator: Binary::Assign, .. } | Node::Unary(Unary::Step, _) => {
                Err(self.reason(at, format!("it changes a value inside an expression, `{}`", self.shown(expr))))
            }
            Node::Lambda(..) | Node::Statements(_) => Err(self.reason(at, "it has a lambda".to_owned())),
            Node::Throw(_) | Node::OnType | Node::Apply(..) => {
                Err(self.reason(at, format!("`{}` is no part of a formula", self.shown(expr))))
            }
            _ => self.spliced(expr).map(Value::Text),
        }
    }

    /// The text of a value in an expression.
    fn text(&mut self, expr: &Expr) -> Result<String, Reason> {
        let value = self.value(expr)?;
        self.text_of(value, expr)
    }

    fn text_of(&mut self, value: Value, expr: &Expr) -> Result<String, Reason> {
        let message = match value {
            Value::Text(text) => return Ok(text),
            Value::Undefined => return Ok("at::Tensor()".to_owned()),
            Value::Saved if self.given.is_some_and(|given| given.saves_list) => {
                let value = self.saved(0)?;
                return self.text_of(value, expr);
            }
            // A list in braces.
            Value::List(items) if items == [Value::Saved] => return self.text_of(Value::Saved, expr),
            Value::List(items) => {
                let items = items.into_iter().map(|item| self.text_of(item, expr)).collect::<Result<Vec<_>, _>>()?;
                let mut list = String::from('{');
                list.push_str(&items.join(", "));
                list.push('}');
                return Ok(list);
            }
            Value::Needed => format!("whether a gradient is needed decides about a value, `{}`", self.shown(expr)),
            Value::Gradients => "it passes the list of gradients on".to_owned(),
            Value::Saved | Value::Iterator(_) => "it passes the list of saved values on".to_owned(),
            Value::Applied(_) | Value::Output(_) => "it computes more with what the class returns".to_owned(),
            Value::Operator(_) | Value::Nothing => {
                format!("`{}` is no value", self.shown(expr))
            }
        };
        Err(self.reason(expr.range.start, message))
    }

    /// The value of an expression in the place of another one around it, which has parentheses.
    fn inner(&mut self, expr: &Expr) -> Result<Value, Reason> {
        let value = self.value(expr)?;
        Ok(self.values.kept(value))
    }

    /// The text of an expression with those of its parts put in.
    fn spliced(&mut self, expr: &Expr) -> Result<String, Reason> {
        let mut parts = expr.parts();
        parts.sort_by_key(|part| part.range.start);
        let (mut result, mut at) = (String::new(), expr.range.start);
        for part in parts {
            let own = self.text(part)?;
            result.push_str(&self.text[at..part.range.start]);
            // A variable is a name; what else takes the place of one may bind less.
            result.push_str(&own);
            at = part.range.end;
        }
        result.push_str(&self.text[at..expr.range.end]);
        Ok(result)
    }

    fn texts(&mut self, arguments: &[Expr]) -> Result<Vec<String>, Reason> {
        arguments.iter().map(|argument| self.text(argument)).collect()
    }

    fn named(&self, path: &Path, at: usize) -> Result<Value, Reason> {
        let Some(name) = path.single() else {
            return match KNOWN.contains(&path.parts[0].as_str()) {
                true => Ok(Value::Text(self.text[path.range.clone()].replacen("torch::", "at::", 1))),
                false => Err(self.reason(at, format!("it names `{}`, which formulas do not know", path.text()))),
            };
        };
        match self.names.get(name) {
            Some(value) => Ok(value.clone()),
            None if matches!(name, "true" | "false") => Ok(Value::Text(name.to_owned())),
            // A word of PyTorch, such as `kFloat`.
            None if name.starts_with('k') && name[1..].starts_with(|c: char| c.is_ascii_uppercase()) => {
                Ok(Value::Text(format!("at::{name}")))
            }
            None => Err(self.reason(at, format!("it names `{name}`, which is nothing of the class"))),
        }
    }

    fn indexed(&mut self, expr: &Expr, object: &Expr, index: &Expr) -> Result<Value, Reason> {
        let at = expr.range.start;
        if let Some(name) = self.attribute(expr) {
            let value = self.given.and_then(|given| given.attributes.get(&name));
            return match value.or_else(|| self.done.attributes.get(&name)) {
                Some(value) => Ok(value.clone()),
                None => Err(self.reason(at, format!("it uses the attribute `{name}`, which nothing sets"))),
            };
        }
        let Node::Number(number) = &index.node else { return self.spliced(expr).map(Value::Text) };
        let place: Option<usize> = number.parse().ok();
        match (self.value(object)?, place) {
            (Value::Text(text), _) if !self.returns_several(&text) => Ok(Value::Text(format!("{text}[{number}]"))),
            (value, Some(place)) => self.part(&value, place, at),
            _ => Err(self.reason(at, format!("`{}` is no value", self.shown(expr)))),
        }
    }

    /// Whether a variable is the result of an operator of the library, which may return several.
    fn returns_several(&self, text: &str) -> bool {
        let name = self.values.called(text);
        self.values.text(text).ends_with(')')
            && name.contains("::")
            && !KNOWN.contains(&name.split("::").next().unwrap_or_default())
    }

    fn method(&mut self, method: &Method, at: usize) -> Result<Value, Reason> {
        let Method { object, name, arguments, .. } = method;
        if object.single().is_some() && object.single() == self.method.context.as_deref() {
            return self.of_context(name, arguments, at);
        }
        if name == "findSchemaOrThrow" {
            let literal = |at: usize| match arguments.get(at).map(|argument| &argument.node) {
                Some(Node::Literal(parts)) => Some(parts.concat().replace('"', "")),
                _ => None,
            };
            return match literal(0) {
                Some(name) => Ok(Value::Operator(name)),
                None => Err(self.reason(at, "it finds an operator by a name that is not in the source".to_owned())),
            };
        }
        let value = self.value(object)?;
        match (&value, name.as_str()) {
            (Value::Operator(_), "typed") => return Ok(value),
            (Value::Operator(operator), "call") => {
                let operator = operator.strip_prefix("aten::").map_or(operator.clone(), |name| format!("at::{name}"));
                return Ok(Value::Text(format!("{operator}({})", self.texts(arguments)?.join(", "))));
            }
            (Value::Saved, "begin" | "cbegin") => return Ok(Value::Iterator(0)),
            (Value::Text(_), "value") if arguments.is_empty() => return Ok(value),
            (Value::Text(_), "value_or") if matches!(&arguments[..], [one] if matches!(self.value(one), Ok(Value::Undefined))) =>
            {
                return Ok(value);
            }
            (_, "requires_grad") if arguments.is_empty() => return Ok(Value::Needed),
            // Autograd makes zeros of what is not given.
            (Value::Text(text), "defined") if text.starts_with("__gradient") => return Ok(Value::Needed),
            _ => {}
        }
        // The value of an attribute has all types in C++, such as `toInt()`.
        let is_typed = name.starts_with("to") && arguments.is_empty() && !self.method.is_python;
        if is_typed && self.attribute(object).is_some() {
            return Ok(value);
        }
        if name.ends_with('_') && !name.ends_with("__") {
            return Err(self.reason(at, format!("it mutates a value by `{name}`")));
        }
        let object = self.text_of(value, object)?;
        let symbolic = SYMBOLIC.contains(&name.as_str()) && (name != "size" || arguments.len() == 1);
        let name = if symbolic { format!("sym_{name}") } else { name.clone() };
        let template = method.template.as_ref().map(|template| format!("<{template}>")).unwrap_or_default();
        let arrow = if method.arrow { "->" } else { "." };
        Ok(Value::Text(format!("{object}{arrow}{name}{template}({})", self.texts(arguments)?.join(", "))))
    }

    /// A method of what `forward` and `backward` share.
    fn of_context(&mut self, name: &str, arguments: &[Expr], at: usize) -> Result<Value, Reason> {
        match name {
            "get_saved_variables" => Ok(Value::Saved),
            "needs_input_grad" => Ok(Value::Needed),
            "save_for_backward" | "mark_non_differentiable" => {
                let mut all = Vec::new();
                self.done.saves_list |= name == "save_for_backward"
                    && matches!(arguments, [one] if one.single().is_some_and(|name| self.method.parameters.iter().any(|own| own == name)));
                for argument in arguments {
                    match &argument.node {
                        Node::Braces(_, items) => all.extend(items.iter().map(|item| self.assigned(item))),
                        _ => all.push(self.assigned(argument)),
                    }
                }
                if let [Value::List(items)] = all.as_slice() {
                    all = items.clone();
                }
                let of =
                    if name == "save_for_backward" { &mut self.done.saved } else { &mut self.done.without_gradient };
                of.extend(all);
                Ok(Value::Nothing)
            }
            "set_materialize_grads" if matches!(arguments, [one] if self.text[one.range.clone()] == *"true") => {
                Ok(Value::Nothing)
            }
            "set_materialize_grads" => Err(self.reason(at, "it gets undefined gradients".to_owned())),
            "mark_dirty" => Err(self.reason(at, "it mutates an input, `mark_dirty`".to_owned())),
            _ => Err(self.reason(at, format!("it calls `{name}` of the context"))),
        }
    }

    fn call(&mut self, path: &Path, arguments: &[Expr], at: usize) -> Result<Value, Reason> {
        let name = path.name();
        match (name, arguments) {
            (UNREAD, [one]) => {
                let message = match &one.node {
                    Node::Literal(parts) => {
                        parts.concat().trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\")
                    }
                    _ => String::new(),
                };
                return Err(self.reason(at, message));
            }
            ("get", [of]) if path.template.is_some() => {
                let value = self.value(of)?;
                return match path.template.as_ref().and_then(|text| text.trim().parse().ok()) {
                    Some(place) => self.part(&value, place, at),
                    None => Err(self.reason(at, "it calls `std::get` with a type".to_owned())),
                };
            }
            ("move" | "forward" | "unwrap", [one]) => return self.inner(one),
            ("Tensor" | "Variable", []) => return Ok(Value::Undefined),
            ("begin" | "cbegin", [one]) if matches!(self.value(one), Ok(Value::Saved)) => {
                return Ok(Value::Iterator(0));
            }
            ("make_tuple" | "tuple" | "variable_list" | "tensor_list", [_, ..]) => {
                let items = match arguments {
                    [Expr { node: Node::Braces(None, items), .. }] => items.as_slice(),
                    items => items,
                };
                return Ok(Value::List(items.iter().map(|item| self.value(item)).collect::<Result<_, _>>()?));
            }
            ("apply", _) if path.parts.len() > 1 => {
                let class = path.parts[path.parts.len() - 2].split('<').next().unwrap_or_default().trim();
                if class == self.class {
                    let values: Vec<Value> = arguments.iter().map(|argument| self.assigned(argument)).collect();
                    if self.done.applied.replace(values.clone()).is_some() {
                        return Err(self.reason(at, "it applies the class twice".to_owned()));
                    }
                    return Ok(Value::Applied(values));
                }
            }
            _ if name.contains("requires_grad") || name == "task_should_compute_output" => return Ok(Value::Needed),
            ("vector", _) => return Err(self.reason(at, "it makes a `std::vector`".to_owned())),
            _ => {}
        }
        let Called { operator, contiguous } = self.function(path, arguments.len(), at)?;
        let is_named = |one: &Expr| matches!(&one.node, Node::Call(path, _) if path.name() == NAMED);
        let mut texts = match arguments.iter().position(is_named) {
            Some(first) => self.by_name(&operator, arguments, first, at)?,
            None => self.texts(arguments)?,
        };
        for place in contiguous {
            // A variable, since it may be an expression.
            if let Value::Text(name) = self.values.kept(Value::Text(std::mem::take(&mut texts[place]))) {
                texts[place] = format!("{name}.contiguous()");
            }
        }
        Ok(Value::Text(format!("{operator}({})", texts.join(", "))))
    }

    /// The arguments of an operator in order, of which those from a place on are named.
    fn by_name(&mut self, operator: &str, arguments: &[Expr], first: usize, at: usize) -> Result<Vec<String>, Reason> {
        let names = self.library.arguments_of(operator);
        let names = names.ok_or_else(|| self.reason(at, format!("it names arguments of `{operator}`")))?;
        let mut texts: Vec<Option<String>> = Vec::new();
        for argument in &arguments[..first] {
            texts.push(Some(self.text(argument)?));
        }
        texts.resize(names.len(), None);
        for argument in &arguments[first..] {
            let Node::Call(_, parts) = &argument.node else { continue };
            let [name, value] = parts.as_slice() else { continue };
            let name = self.text[name.range.clone()].trim_matches('"');
            let place = names.iter().position(|own| own == name);
            let place = place.ok_or_else(|| self.reason(at, format!("`{operator}` has no argument `{name}`")))?;
            texts[place] = Some(self.text(value)?);
        }
        let given = texts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let whole: Option<Vec<String>> = texts.into_iter().take(given).collect();
        whole
            .ok_or_else(|| self.reason(at, format!("it leaves out arguments of `{operator}` before one that it names")))
    }

    /// A function as a formula calls it.
    fn function(&self, path: &Path, count: usize, at: usize) -> Result<Called, Reason> {
        let written = path.text();
        let template = path.template.as_ref().map(|template| format!("<{template}>")).unwrap_or_default();
        let is_cast = path.single().is_some_and(|name| name.ends_with("_cast"));
        if is_cast || path.parts.len() > 1 && KNOWN.contains(&path.parts[0].as_str()) {
            let inner = ["autograd", "nn", "jit", "cuda"];
            if path.parts.get(1).is_some_and(|part| inner.contains(&part.as_str())) {
                return Err(self.reason(at, format!("it calls `{written}`, which formulas do not know")));
            }
            let own = written.strip_prefix("torch::").map(|rest| format!("at::{rest}"));
            return Ok(Called { operator: format!("{}{template}", own.unwrap_or(written)), ..Called::default() });
        }
        let called = self.library.operator_of(&written, count);
        called.ok_or_else(|| self.reason(at, format!("it calls `{written}`, which is no operator")))
    }
}
