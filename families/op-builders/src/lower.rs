//! Lowers the statements of bodies to lines of C++: calls that insert instructions become separate
//! statements, in order.
//!
//! Invariant: a line holds names, types and single expressions; an expression inserts instructions
//! only if it is the whole value of a line. So instructions are inserted in the order of the body,
//! whatever order C++ evaluates operands in. Templates write the statements.

use std::collections::HashSet;

use serde::Serialize;

use super::names::cpp_name;
use super::signature::tensor;
use super::vocabulary::role;
use torchgen_kit::expr::{Cpp, CustomCall, Step, Type, Typed, TypedComprehension, TypedKind, string_literal};

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LineKind {
    /// Declares a variable with a value.
    Let,
    /// Declares a variable without a value.
    Declare,
    /// Assigns to a variable.
    Assign,
    /// Appends an item to a list.
    Push,
    /// Begins an `if`.
    If,
    /// Begins its `else`.
    Else,
    /// Begins a loop.
    For,
    /// Ends an `if` or a loop.
    End,
    /// Reports an error unless a condition holds.
    Require,
    /// Reports an error.
    Fail,
    /// Returns the result.
    Return,
}

/// A line of a function.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Line {
    pub(super) kind: LineKind,
    /// Its indentation.
    pub(super) pad: String,
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) value: String,
    /// Whether the variable is unused.
    pub(super) unused: bool,
}

/// How the names of variables begin that lowering makes.
const MADE: &str = "made_";

/// Lowers the statements of a body.
pub(super) struct Lowering<'u> {
    lines: Vec<Line>,
    depth: usize,
    made: usize,
    unused: &'u HashSet<String>,
    /// Whether it is a helper, which returns one value of any type; a builder returns one or more
    /// tensors.
    is_helper: bool,
}

/// The C++ name of a type of this family.
fn cpp_type_name(name: &str) -> String {
    match name {
        "Tensor" => "instruction_ref",
        "Module" => "module_ref",
        _ => "shape::type_t",
    }
    .to_owned()
}

/// The C++ spelling of this family's expressions.
pub(super) fn cpp() -> Cpp<'static> {
    Cpp { helpers: "expr::", named: &cpp_type_name, function: &|_, _| None, variable: &cpp_name }
}

/// The lines of a body.
pub(super) fn lower(steps: &[Step], unused: &HashSet<String>, is_helper: bool) -> Vec<Line> {
    let mut lowering = Lowering { lines: Vec::new(), depth: 1, made: 0, unused, is_helper };
    lowering.steps(steps);
    lowering.lines
}

/// Whether a copy of a value of the type allocates.
pub(super) fn owns_memory(ty: &Type) -> bool {
    match ty {
        Type::List(_) | Type::Str => true,
        Type::Optional(ty) => owns_memory(ty),
        _ => false,
    }
}

impl Lowering<'_> {
    fn line(&mut self, kind: LineKind, name: &str, ty: &Type, value: String) {
        let ty = if matches!(kind, LineKind::Let | LineKind::Declare | LineKind::For) {
            cpp().ty(ty)
        } else {
            String::new()
        };
        let pad = " ".repeat(4 * self.depth);
        self.lines.push(Line { kind, pad, name: name.to_owned(), ty, value, unused: false });
    }

    fn open(&mut self, kind: LineKind, value: String) {
        self.line(kind, "", &Type::None, value);
        self.depth += 1;
    }

    fn turn(&mut self) {
        self.depth -= 1;
        self.open(LineKind::Else, String::new());
    }

    fn end(&mut self) {
        self.depth -= 1;
        self.line(LineKind::End, "", &Type::None, String::new());
    }

    fn fresh(&mut self) -> String {
        self.made += 1;
        format!("{MADE}{}", self.made)
    }

    fn steps(&mut self, steps: &[Step]) {
        steps.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Let { name, ty, value, fresh: true } if self.fills(name, ty, value) => {}
            Step::Let { name, ty, value, fresh } => {
                let printed = self.given(value);
                let kind = if *fresh { LineKind::Let } else { LineKind::Assign };
                self.line(kind, &cpp_name(name), ty, printed);
                if let Some(line) = self.lines.last_mut() {
                    line.unused = *fresh && self.unused.contains(name);
                }
            }
            Step::If { condition, then, otherwise, hoisted } => {
                for (name, ty) in hoisted {
                    self.line(LineKind::Declare, &cpp_name(name), ty, String::new());
                    if let Some(line) = self.lines.last_mut() {
                        line.unused = self.unused.contains(name);
                    }
                }
                let condition = self.printed(condition);
                self.open(LineKind::If, condition);
                self.steps(then);
                if !otherwise.is_empty() {
                    self.turn();
                    self.steps(otherwise);
                }
                self.end();
            }
            Step::For { variable, item, list, body } => {
                // The body may assign to the variable, which must not affect the loop.
                let is_variable = matches!(list.kind, TypedKind::Variable { .. });
                let printed = self.printed(list);
                let list = if is_variable { format!("{}({printed})", cpp().ty(&list.ty)) } else { printed };
                self.line(LineKind::For, &cpp_name(variable), item, list);
                if let Some(line) = self.lines.last_mut() {
                    line.unused = self.unused.contains(variable);
                }
                self.depth += 1;
                self.steps(body);
                self.end();
            }
            Step::Require { condition, message } => {
                let condition = self.printed(condition);
                let message = self.printed(message);
                self.line(LineKind::Require, &message, &Type::None, condition);
            }
            Step::Fail { message } => {
                let message = self.printed(message);
                self.line(LineKind::Fail, &message, &Type::None, String::new());
            }
            Step::Return { values } => {
                let printed: Vec<String> = match values.as_slice() {
                    [value] => vec![self.whole(value)],
                    values => values.iter().map(|value| self.printed(value)).collect(),
                };
                let value = match (self.is_helper, printed.as_slice()) {
                    (true, [value]) => value.clone(),
                    _ => format!("expr::inputs({})", printed.join(", ")),
                };
                self.line(LineKind::Return, "", &Type::None, value);
            }
        }
    }

    fn printed(&mut self, typed: &Typed) -> String {
        let value = self.value(typed);
        cpp().print(&value)
    }

    /// The value of a line, of which a call that inserts instructions may be all.
    fn whole(&mut self, typed: &Typed) -> String {
        match &typed.kind {
            TypedKind::Custom(call) => self.call(call),
            _ => self.printed(typed),
        }
    }

    /// What is assigned or appended: a variable that was made for it is moved.
    fn given(&mut self, typed: &Typed) -> String {
        let value = self.whole(typed);
        if owns_memory(&typed.ty) && value.starts_with(MADE) { format!("std::move({value})") } else { value }
    }

    /// Writes the value of a new variable to it, if several lines make the value.
    fn fills(&mut self, name: &str, ty: &Type, value: &Typed) -> bool {
        let mut hides = false;
        value.walk(&mut |typed| {
            hides |= matches!(&typed.kind, TypedKind::Comprehension(parts) if parts.variable == name);
        });
        if hides {
            return false;
        }
        let unused = self.unused.contains(name);
        let name = cpp_name(name);
        let from = self.lines.len();
        match &value.kind {
            _ if value.ty != *ty => return false,
            TypedKind::Comprehension(parts) => self.comprehension(&name, value, parts),
            TypedKind::Conditional { then, condition, otherwise }
                if value.has_custom_call() || value.has_comprehension() =>
            {
                let condition = self.printed(condition);
                self.choice(&name, value, condition, then, otherwise);
            }
            _ => return false,
        }
        let declared = self.lines[from..].iter_mut().find(|line| line.name == name);
        declared.into_iter().for_each(|line| line.unused = unused);
        true
    }

    /// Stores a value in a variable.
    fn keep(&mut self, typed: &Typed, value: String) -> Typed {
        let name = self.fresh();
        self.line(LineKind::Let, &name, &typed.ty, value);
        variable(name, typed)
    }

    /// The same value, with calls and comprehensions moved to preceding lines.
    fn value(&mut self, typed: &Typed) -> Typed {
        if !typed.has_custom_call() && !typed.has_comprehension() {
            return typed.clone();
        }
        let list = |this: &mut Self, items: &[Typed]| items.iter().map(|item| this.value(item)).collect::<Vec<_>>();
        let kind = match &typed.kind {
            TypedKind::Custom(call) => {
                let value = self.call(call);
                return self.keep(typed, value);
            }
            TypedKind::Comprehension(parts) => {
                let name = self.fresh();
                self.comprehension(&name, typed, parts);
                return variable(name, typed);
            }
            TypedKind::Conditional { then, condition, otherwise } => {
                let name = self.fresh();
                let condition = self.printed(condition);
                self.choice(&name, typed, condition, then, otherwise);
                return variable(name, typed);
            }
            TypedKind::Binary(operator, a, b) if b.has_custom_call() && matches!(operator.symbol(), "and" | "or") => {
                let constant = |value| Typed { kind: TypedKind::Bool(value), ty: Type::Bool, range: a.range.clone() };
                let name = self.fresh();
                let condition = self.printed(a);
                match operator.symbol() {
                    "and" => self.choice(&name, typed, condition, b, &constant(false)),
                    _ => self.choice(&name, typed, condition, &constant(true), b),
                }
                return variable(name, typed);
            }
            TypedKind::Format(items) => TypedKind::Format(list(self, items)),
            TypedKind::List(items) => TypedKind::List(list(self, items)),
            TypedKind::Starred(a) => TypedKind::Starred(Box::new(self.value(a))),
            TypedKind::Call(name, items) => TypedKind::Call(name.clone(), list(self, items)),
            TypedKind::Unary(operator, a) => TypedKind::Unary(*operator, Box::new(self.value(a))),
            TypedKind::Convert(a) => TypedKind::Convert(Box::new(self.value(a))),
            TypedKind::IsNone { value, negated } => {
                TypedKind::IsNone { value: Box::new(self.value(value)), negated: *negated }
            }
            TypedKind::Binary(operator, a, b) => {
                let a = Box::new(self.value(a));
                TypedKind::Binary(*operator, a, Box::new(self.value(b)))
            }
            TypedKind::Index(a, b) => {
                let a = Box::new(self.value(a));
                TypedKind::Index(a, Box::new(self.value(b)))
            }
            TypedKind::Slice(a, from, to) => {
                let a = Box::new(self.value(a));
                let from = from.as_ref().map(|from| Box::new(self.value(from)));
                let to = to.as_ref().map(|to| Box::new(self.value(to)));
                TypedKind::Slice(a, from, to)
            }
            other => other.clone(),
        };
        Typed { kind, ..typed.clone() }
    }

    /// A conditional value; each branch is evaluated only if it is chosen.
    fn choice(&mut self, name: &str, typed: &Typed, condition: String, then: &Typed, otherwise: &Typed) {
        self.line(LineKind::Declare, name, &typed.ty, String::new());
        self.open(LineKind::If, condition);
        let value = self.given(then);
        self.line(LineKind::Assign, name, &Type::None, value);
        self.turn();
        let value = self.given(otherwise);
        self.line(LineKind::Assign, name, &Type::None, value);
        self.end();
    }

    fn comprehension(&mut self, name: &str, typed: &Typed, parts: &TypedComprehension) {
        let list = self.printed(&parts.list);
        self.line(LineKind::Declare, name, &typed.ty, String::new());
        self.line(LineKind::For, &cpp_name(&parts.variable), &parts.item, list);
        if let Some(line) = self.lines.last_mut() {
            line.unused = self.unused.contains(&parts.variable);
        }
        self.depth += 1;
        if let Some(condition) = &parts.condition {
            let condition = self.printed(condition);
            self.open(LineKind::If, condition);
        }
        let element = self.given(&parts.element);
        self.line(LineKind::Push, name, &Type::None, element);
        if parts.condition.is_some() {
            self.end();
        }
        self.end();
    }

    /// The expression of a call that inserts instructions.
    fn call(&mut self, call: &CustomCall) -> String {
        let positional: Vec<Typed> = call.positional.iter().map(|argument| self.value(argument)).collect();
        let keywords: Vec<(String, Typed)> =
            call.keywords.iter().map(|(key, value)| (key.clone(), self.value(value))).collect();
        let print = |typed: &Typed| cpp().print(typed);
        match call.role {
            role::LITERAL => literal(&positional, &keywords),
            role::HELPER => {
                let arguments: Vec<String> = positional.iter().map(print).collect();
                let arguments = std::iter::once("at".to_owned()).chain(arguments).collect::<Vec<_>>();
                format!("helper::{}({})", cpp_name(&call.name), arguments.join(", "))
            }
            _ => {
                let is_module = |typed: &&Typed| matches!(strip(&typed.ty), Type::Named(name) if &**name == "Module");
                let (modules, inputs): (Vec<&Typed>, Vec<&Typed>) = positional.iter().partition(is_module);
                let name = if call.by_variable { cpp_name(&call.name) } else { string_literal(&call.name) };
                let mut arguments = vec![name, self.inputs(call, &inputs)];
                if !keywords.is_empty() || !modules.is_empty() {
                    let entries: Vec<String> = keywords
                        .iter()
                        .map(|(key, value)| format!("expr::entry({}, {})", string_literal(key), print(value)))
                        .collect();
                    arguments.push(format!("expr::attributes({})", entries.join(", ")));
                }
                if !modules.is_empty() {
                    let modules: Vec<String> = modules.into_iter().map(print).collect();
                    arguments.push(format!("expr::modules({})", modules.join(", ")));
                }
                let method = match call.role {
                    role::EXACT => "make",
                    role::COMMON => "common",
                    _ => "build",
                };
                let made = format!("at.{method}({})", arguments.join(", "));
                let one = call.role == role::BUILDER && call.result == tensor();
                if one { format!("{made}.at(0)") } else { made }
            }
        }
    }

    /// The inputs of a call; a builder's optional inputs may be missing.
    fn inputs(&self, call: &CustomCall, inputs: &[&Typed]) -> String {
        let optional = inputs.iter().any(|input| matches!(input.ty, Type::Optional(_)));
        let printed: Vec<String> = inputs.iter().map(|input| cpp().print(input)).collect();
        if optional && call.role == role::BUILDER {
            let list = format!("expr::list_of<std::optional<instruction_ref>>({})", printed.join(", "));
            return format!("expr::optional_inputs(at, {list})");
        }
        format!("expr::inputs({})", printed.join(", "))
    }
}

fn strip(ty: &Type) -> &Type {
    match ty {
        Type::List(inner) | Type::Optional(inner) => strip(inner),
        _ => ty,
    }
}

/// A variable that lowering created; its prefix is reserved for such names.
fn variable(name: String, typed: &Typed) -> Typed {
    let kind = TypedKind::Constant { name: name.clone(), cpp: name };
    Typed { kind, ty: typed.ty.clone(), range: typed.range.clone() }
}

/// The expression that creates a constant.
fn literal(positional: &[Typed], keywords: &[(String, Typed)]) -> String {
    let Some(value) = positional.first() else { return String::new() };
    let given = |name: &str| keywords.iter().find(|(key, _)| key == name).map(|(_, typed)| cpp().print(typed));
    let own = if matches!(strip(&value.ty), Type::Int) { "shape::int64_type" } else { "shape::float_type" };
    let ty = match (given("like"), given("type")) {
        (Some(like), _) => format!("expr::type({like})"),
        (None, Some(ty)) => ty,
        (None, None) => own.to_owned(),
    };
    let printed = cpp().print(value);
    match given("lens") {
        Some(lens) => format!("at.constant(expr::constants({printed}, {ty}, {lens}))"),
        None => format!("at.constant(expr::constant({printed}, {ty}))"),
    }
}
