//! Prints a checked expression as a Python expression.
//!
//! Invariant: each operation is in parentheses, so a part can be used anywhere. Functions that
//! Python lacks are those of the module [`Python::helpers`].

use super::syntax::{Binary, Unary};
use super::typed::{Typed, TypedKind};
use super::types::Type;
use torchgen_base::lang::python::string_literal;

/// A family's names in Python.
pub struct Python<'n> {
    /// The module of the helpers, with its point: `_expr.`.
    pub helpers: &'n str,
    /// The call of a family's function, property or method, given its arguments; `None` for
    /// functions of the language.
    pub function: &'n dyn Fn(&str, &[String]) -> Option<String>,
    /// The expression for a variable.
    pub variable: &'n dyn Fn(&str) -> String,
    /// The expression for a constant, by its name.
    pub constant: &'n dyn Fn(&str) -> String,
}

/// Functions of the language that Python has by the same name.
const BUILTIN: [&str; 4] = ["len", "sum", "min", "max"];

impl Python<'_> {
    /// Prints an expression without calls of family functions, which must have been extracted.
    pub fn print(&self, typed: &Typed) -> String {
        match &typed.kind {
            TypedKind::None => "None".to_owned(),
            TypedKind::Bool(true) => "True".to_owned(),
            TypedKind::Bool(false) => "False".to_owned(),
            TypedKind::Int(value) => value.to_string(),
            TypedKind::Float(text) => text.clone(),
            TypedKind::Text(text) => string_literal(text),
            TypedKind::Format(parts) => format!("{}text({})", self.helpers, self.separated(parts)),
            TypedKind::Variable { name, .. } => (self.variable)(name),
            TypedKind::Constant { name, .. } => (self.constant)(name),
            TypedKind::List(items) => format!("[{}]", self.separated(items)),
            TypedKind::Starred(list) => format!("*{}", self.print(list)),
            TypedKind::Comprehension(parts) => {
                let (element, list) = (self.print(&parts.element), self.print(&parts.list));
                let variable = (self.variable)(&parts.variable);
                let condition = parts.condition.as_ref().map(|condition| format!(" if {}", self.print(condition)));
                format!("[{element} for {variable} in {list}{}]", condition.unwrap_or_default())
            }
            TypedKind::Unary(Unary::Negate, operand) => format!("(-{})", self.print(operand)),
            TypedKind::Unary(Unary::Not, operand) => format!("(not {})", self.print(operand)),
            TypedKind::Binary(operator, a, b) => self.binary(*operator, a, b),
            TypedKind::IsNone { value, negated } => {
                format!("({} {} None)", self.print(value), if *negated { "is not" } else { "is" })
            }
            TypedKind::Conditional { then, condition, otherwise } => {
                let (then, condition, otherwise) = (self.print(then), self.print(condition), self.print(otherwise));
                format!("({then} if {condition} else {otherwise})")
            }
            TypedKind::Index(list, index) => format!("{}[{}]", self.print(list), self.print(index)),
            TypedKind::Slice(list, from, to) => {
                let bound =
                    |bound: &Option<Box<Typed>>| bound.as_ref().map_or(String::new(), |bound| self.print(bound));
                format!("{}[{}:{}]", self.print(list), bound(from), bound(to))
            }
            TypedKind::Call(name, arguments) => {
                let printed: Vec<String> = arguments.iter().map(|argument| self.print(argument)).collect();
                (self.function)(name, &printed).unwrap_or_else(|| match &**name {
                    "range" => format!("list(range({}))", printed.join(", ")),
                    name if BUILTIN.contains(&name) => format!("{name}({})", printed.join(", ")),
                    name => format!("{}{name}({})", self.helpers, printed.join(", ")),
                })
            }
            // Optionals and lists need no conversion, since Python's values have their own types.
            TypedKind::Convert(inner) => match typed.ty {
                Type::Float => format!("float({})", self.print(inner)),
                _ => self.print(inner),
            },
            TypedKind::Custom(_) => {
                debug_assert!(false, "was extracted before");
                String::new()
            }
        }
    }

    fn binary(&self, operator: Binary, a: &Typed, b: &Typed) -> String {
        format!("({} {} {})", self.print(a), operator.symbol(), self.print(b))
    }

    fn separated(&self, items: &[Typed]) -> String {
        items.iter().map(|item| self.print(item)).collect::<Vec<_>>().join(", ")
    }
}
