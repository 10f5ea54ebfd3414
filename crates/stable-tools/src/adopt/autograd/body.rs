//! The body of a method as statements: what it saves, and what it returns.
//!
//! Rule: a name is the value that it has where it is used, so that a variable which is set
//! again is two values. What decides only whether a gradient is needed is left out, since generated
//! code asks that. Invariant: a statement that is not understood is a reason, never passed over.

use std::collections::HashMap;

use super::class::Method;
use super::values::{Reason, UNREAD, Value, Values, short};
use torchgen_formula::{Binary, Expr, Node, Statement, Unary};

/// What a method does.
#[derive(Default)]
pub(super) struct Done {
    /// What it saves for the other method; a list that is saved whole is one value.
    pub(super) saved: Vec<Value>,
    pub(super) saves_list: bool,
    pub(super) attributes: HashMap<String, Value>,
    pub(super) returned: Vec<Value>,
    /// The outputs that have no gradient.
    pub(super) without_gradient: Vec<Value>,
    /// What the class was applied to.
    pub(super) applied: Option<Vec<Value>>,
    /// Where the method begins.
    pub(super) place: String,
}

/// An operator that a function calls with its parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Called {
    pub(super) operator: String,
    /// The places of those that it makes contiguous.
    pub(super) contiguous: Vec<usize>,
}

/// What a method can call.
pub(super) trait Library {
    /// The operator that a function with this number of arguments is.
    fn operator_of(&self, _name: &str, _count: usize) -> Option<Called> {
        None
    }

    /// The names of an operator's arguments.
    fn arguments_of(&self, _operator: &str) -> Option<Vec<String>> {
        None
    }

    /// How many results an operator has.
    fn results_of(&self, _operator: &str) -> Option<usize> {
        None
    }
}

/// A method while it is read.
pub(super) struct Reader<'r> {
    pub(super) method: &'r Method,
    /// What the body is read as: it is in parentheses.
    pub(super) text: String,
    pub(super) values: &'r mut Values,
    pub(super) names: HashMap<String, Value>,
    /// What another method saved.
    pub(super) given: Option<&'r Done>,
    pub(super) done: Done,
    pub(super) library: &'r dyn Library,
    /// The class whose `apply` is looked for.
    pub(super) class: &'r str,
    /// What is not understood matters only where a value depends on it.
    is_lenient: bool,
    /// What is declared in open blocks, with what the names were before.
    declared: Vec<(String, Option<Value>)>,
    /// Whether a condition decides about the statement.
    is_decided: bool,
    has_returned: bool,
}

/// How many elements a list can have.
const LONGEST: usize = 100;

/// Checks of arguments, which change nothing.
const CHECKS: &[&str] = &["CHECK", "ASSERT", "WARN", "LOG", "TENSOR"];

impl<'r> Reader<'r> {
    pub(super) fn new(
        method: &'r Method,
        values: &'r mut Values,
        library: &'r dyn Library,
        class: &'r str,
        is_lenient: bool,
    ) -> Reader<'r> {
        let names = method.parameters.iter().map(|name| (name.clone(), Value::Text(name.clone()))).collect();
        Reader {
            method,
            text: format!("({})", method.body),
            values,
            names,
            given: None,
            done: Done::default(),
            library,
            class,
            is_lenient,
            declared: Vec::new(),
            is_decided: false,
            has_returned: false,
        }
    }

    /// Reads the body.
    pub(super) fn read(mut self) -> Result<Done, Reason> {
        self.done.place = self.method.place(0);
        let tree = torchgen_formula::parse(&self.text).map_err(|problem| {
            let word = self.text.get(problem.range.clone()).unwrap_or_default();
            let shown = if word.is_empty() { "the end".to_owned() } else { format!("`{word}`") };
            self.reason(problem.range.start, format!("it is not understood at {shown}"))
        })?;
        self.statements(tree.statements())?;
        match self.has_returned {
            true => Ok(self.done),
            false => Err(self.reason(0, "it returns nothing".to_owned())),
        }
    }

    /// The reason that something at a byte is not understood.
    pub(super) fn reason(&self, at: usize, message: String) -> Reason {
        Reason { message, place: self.method.place(at.saturating_sub(1)) }
    }

    /// The text of an expression for messages.
    pub(super) fn shown(&self, expr: &Expr) -> String {
        let mut text = self.text[expr.range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        if self.method.is_python {
            for (own, other) in [("->saved_data[\"", "."), ("\"]", ""), ("->get_saved_variables()", ".saved_tensors")] {
                text = text.replace(own, other);
            }
        }
        short(&text)
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), Reason> {
        for statement in statements {
            if let Err(reason) = self.statement(statement) {
                if !self.is_lenient || keeps(statement) {
                    return Err(reason);
                }
                let mut changed = Vec::new();
                assigned(statement, &mut changed);
                for name in changed {
                    let value = self.values.unknown(reason.clone());
                    self.names.insert(name.to_owned(), value);
                }
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), Reason> {
        let at = first_byte(statement);
        match statement {
            Statement::Declare(_, names, values) => match (names.as_slice(), values.as_slice()) {
                (names, []) => names.iter().for_each(|name| self.declare(name, Value::Undefined)),
                (names, values) if names.len() == values.len() => {
                    for (name, value) in names.iter().zip(values) {
                        let value = self.assigned(value);
                        self.declare(name, value);
                    }
                }
                (names, _) => {
                    let why = self.reason(at, format!("`{}` is made of several values", names.join("`, `")));
                    for name in names {
                        let value = self.values.unknown(why.clone());
                        self.declare(name, value);
                    }
                }
            },
            Statement::Unpack(names, value) => {
                let value = self.assigned(value);
                let parts = self.parts(&value, names.len(), at);
                names.iter().zip(parts).for_each(|(name, part)| self.declare(name, part));
            }
            Statement::Evaluate(expr) => self.evaluate(expr)?,
            Statement::Return(expr) => {
                if self.has_returned || self.is_decided {
                    return Err(self.reason(expr.range.start, "it returns at several places".to_owned()));
                }
                self.has_returned = true;
                self.done.returned = match &expr.node {
                    Node::Braces(_, items) => items.iter().map(|item| self.assigned(item)).collect(),
                    _ => match self.value(expr) {
                        Ok(Value::List(items)) => items,
                        Err(reason) if !self.is_lenient => return Err(reason),
                        Err(reason) => vec![self.values.unknown(reason)],
                        Ok(one) => vec![self.values.kept(one)],
                    },
                };
            }
            Statement::Block(body) => {
                let known = self.declared.len();
                let done = self.statements(body);
                for (name, before) in self.declared.drain(known..).rev() {
                    match before {
                        Some(value) => self.names.insert(name, value),
                        None => self.names.remove(&name),
                    };
                }
                done?;
            }
            Statement::If(parts) => {
                let decided = self.is_decided;
                let done = self.condition(parts);
                self.is_decided = decided;
                done?;
            }
            Statement::Loop(_) => return Err(self.reason(at, "it has a loop".to_owned())),
            Statement::Other(range) => {
                let text = &self.text[range.clone()];
                if !["using", "typedef", "static_assert"].iter().any(|word| text.starts_with(word)) {
                    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                    return Err(self.reason(at, format!("it has a statement that is not understood, `{word}`")));
                }
            }
        }
        Ok(())
    }

    /// `if (needs) { … }`: a condition about who needs a gradient is dropped, and one about values
    /// is a reason.
    fn condition(&mut self, parts: &[Statement]) -> Result<(), Reason> {
        let [Statement::Evaluate(condition), branches @ ..] = parts else {
            let at = parts.first().map_or(0, first_byte);
            return Err(self.reason(at, "it has a condition on values".to_owned()));
        };
        if branches.iter().all(|branch| self.only_checks(branch)) {
            return Ok(());
        }
        let value = self.value(condition);
        if let (Node::Call(path, _), Err(reason)) = (&condition.node, &value)
            && path.name() == UNREAD
        {
            return Err(reason.clone());
        }
        if value != Ok(Value::Needed) {
            let message = format!("it has a condition on values, `{}`", self.shown(condition));
            return Err(self.reason(condition.range.start, message));
        }
        let before = self.names.clone();
        self.is_decided = true;
        self.statement(&branches[0])?;
        if let Some(other) = branches.get(1) {
            // The other branch leaves what is not needed undefined.
            let taken = self.names.clone();
            self.names.clone_from(&before);
            self.statement(other)?;
            if self.names.iter().any(|(name, value)| before.get(name) != Some(value) && *value != Value::Undefined) {
                let message = format!("it computes something else without `{}`", self.shown(condition));
                return Err(self.reason(condition.range.start, message));
            }
            self.names = taken;
        }
        let is_changed = |(name, value): (&String, &Value)| {
            *value != Value::Undefined && !matches!(value, Value::Iterator(_)) && self.names.get(name) != Some(value)
        };
        if let Some((name, _)) = before.iter().find(|(name, value)| is_changed((name, value))) {
            let message = format!("`{name}` depends on `{}`", self.shown(condition));
            return Err(self.reason(condition.range.start, message));
        }
        Ok(())
    }

    /// Whether a statement only checks something.
    fn only_checks(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Block(body) => body.iter().all(|one| self.only_checks(one)),
            Statement::Evaluate(expr) => is_check(expr) || matches!(expr.node, Node::Throw(_)),
            _ => false,
        }
    }

    fn declare(&mut self, name: &str, value: Value) {
        self.declared.push((name.to_owned(), self.names.get(name).cloned()));
        self.names.insert(name.to_owned(), value);
    }

    /// The value of a variable. Why it has none matters only if it is used.
    pub(super) fn assigned(&mut self, expr: &Expr) -> Value {
        match self.value(expr) {
            Ok(value) => self.values.kept(value),
            Err(reason) => self.values.unknown(reason),
        }
    }

    /// The parts of a value that is unpacked.
    fn parts(&mut self, value: &Value, count: usize, at: usize) -> Vec<Value> {
        let part = |place| self.part(value, place, at).unwrap_or_else(|reason| self.values.unknown(reason));
        (0..count).map(part).collect()
    }

    /// The part of a value at a place.
    pub(super) fn part(&mut self, value: &Value, place: usize, at: usize) -> Result<Value, Reason> {
        match value {
            Value::Saved if self.given.is_some_and(|given| given.saves_list) => {
                let Value::Text(text) = self.saved(0)? else { return self.saved(0) };
                Ok(Value::Text(format!("{text}[{place}]")))
            }
            Value::Saved => self.saved(place),
            Value::Gradients => Ok(self.values.gradient(place)),
            Value::Applied(_) => Ok(Value::Output(place)),
            Value::Text(_) => Ok(self.values.element(value, place)),
            Value::List(items) if place < items.len() => Ok(items[place].clone()),
            _ => Err(self.reason(at, "it takes a part of what has none".to_owned())),
        }
    }

    /// What the other method saved at a place.
    pub(super) fn saved(&self, at: usize) -> Result<Value, Reason> {
        let all = self.given.map_or(&[][..], |given| &given.saved);
        all.get(at)
            .cloned()
            .ok_or_else(|| self.reason(0, format!("it uses saved value {at}, and {} are saved", all.len())))
    }

    fn evaluate(&mut self, expr: &Expr) -> Result<(), Reason> {
        let at = expr.range.start;
        match &expr.node {
            Node::Binary { operator: Binary::Assign, place, left, right } => {
                if self.text[place.clone()] != *"=" {
                    return Err(self.reason(at, format!("it changes `{}` step by step", self.shown(left))));
                }
                self.assign(left, right)
            }
            Node::Unary(Unary::Step, of) => match of.single().and_then(|name| self.names.get_mut(name)) {
                Some(Value::Iterator(next)) => {
                    *next += 1;
                    Ok(())
                }
                _ => Err(self.reason(at, format!("it changes `{}` step by step", self.shown(of)))),
            },
            _ if is_check(expr) => Ok(()),
            _ => match self.value(expr)? {
                Value::Nothing => Ok(()),
                _ => Err(self.reason(at, format!("it calls `{}` for what that does", self.shown(expr)))),
            },
        }
    }

    fn assign(&mut self, left: &Expr, right: &Expr) -> Result<(), Reason> {
        let value = self.assigned(right);
        if let Some(name) = left.single() {
            self.names.insert(name.to_owned(), value);
            return Ok(());
        }
        // `variable_list grads(3)`
        if let Node::Index(object, index) = &left.node
            && let (Some(name), Node::Number(place)) = (object.single(), &index.node)
            && let (Some(known), Ok(place)) = (self.names.get_mut(name), place.parse::<usize>())
        {
            if let Value::Text(count) = &*known
                && let Ok(count) = count.parse::<usize>()
            {
                *known = Value::List(vec![Value::Undefined; count.min(LONGEST)]);
            }
            if let Value::List(items) = known
                && let Some(slot) = items.get_mut(place)
            {
                *slot = value;
                return Ok(());
            }
        }
        if let Some(name) = self.attribute(left) {
            self.done.attributes.insert(name, value);
            return Ok(());
        }
        if let Node::Call(path, targets) = &left.node
            && path.name() == "tie"
        {
            let parts = self.parts(&value, targets.len(), left.range.start);
            for (target, part) in targets.iter().zip(parts) {
                match target.single() {
                    Some(name) => drop(self.names.insert(name.to_owned(), part)),
                    None if target.path().is_some_and(|path| path.name() == "ignore") => {}
                    None => return Err(self.reason(left.range.start, format!("it sets `{}`", self.shown(target)))),
                }
            }
            return Ok(());
        }
        Err(self.reason(left.range.start, format!("it sets `{}`", self.shown(left))))
    }

    /// The name in `ctx->saved_data["name"]`.
    pub(super) fn attribute(&self, expr: &Expr) -> Option<String> {
        let Node::Index(object, key) = &expr.node else { return None };
        let (Node::Member { object, name, .. }, Node::Literal(parts)) = (&object.node, &key.node) else { return None };
        let is_context = object.single().is_some() && object.single() == self.method.context.as_deref();
        (is_context && name == "saved_data").then(|| parts.concat().replace('"', ""))
    }
}

/// Whether an expression checks something: a macro such as `TORCH_CHECK`.
fn is_check(expr: &Expr) -> bool {
    let Node::Call(path, _) = &expr.node else { return false };
    let name = path.name();
    !name.contains(|c: char| c.is_ascii_lowercase()) && CHECKS.iter().any(|check| name.contains(check))
}

/// Where a statement begins: its first expression, or what is not read.
fn first_byte(statement: &Statement) -> usize {
    if let Statement::Other(range) = statement {
        return range.start;
    }
    let mut first = None;
    statement.walk(&mut |part| first = first.or(Some(part.range.start)));
    first.unwrap_or_default()
}

/// What methods share is in calls and members with these names.
const SHARED: &[&str] = &["save_for_backward", "saved_data", "mark_dirty", "set_materialize_grads"];

/// Whether a statement saves or returns something.
fn keeps(statement: &Statement) -> bool {
    let mut keeps = match statement {
        Statement::Return(_) => true,
        Statement::Block(body) | Statement::If(body) | Statement::Loop(body) => body.iter().any(keeps),
        _ => false,
    };
    statement.walk(&mut |part| {
        keeps |= match &part.node {
            Node::Method(method) => SHARED.contains(&method.name.as_str()),
            Node::Member { name, .. } => SHARED.contains(&name.as_str()),
            _ => false,
        };
    });
    keeps
}

/// The variables that a statement sets.
fn assigned<'s>(statement: &'s Statement, found: &mut Vec<&'s str>) {
    match statement {
        Statement::Evaluate(Expr { node: Node::Binary { operator: Binary::Assign, left, .. }, .. }) => match &left.node
        {
            Node::Call(_, targets) => found.extend(targets.iter().filter_map(Expr::single)),
            _ => found.extend(left.single()),
        },
        Statement::Block(body) | Statement::If(body) | Statement::Loop(body) => {
            body.iter().for_each(|one| assigned(one, found));
        }
        _ => {}
    }
}
