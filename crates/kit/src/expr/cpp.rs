//! Prints a checked expression as a C++ expression.
//!
//! The expressions call the functions of `templates/kit/cpp/expr.h.j2`, in the namespace
//! [`Cpp::helpers`]. Invariant: the order in which C++ evaluates operands does not matter, because
//! the calls of family functions were extracted before. Templates write the statements.

use super::syntax::{Binary, Unary};
use super::typed::{Typed, TypedComprehension, TypedKind};
use super::types::Type;
pub use torchgen_base::lang::cpp::string_literal;

/// A family's names in C++.
pub struct Cpp<'n> {
    /// The namespace of the helpers, with its colons: `expr::`.
    pub helpers: &'n str,
    /// The C++ type of values of a family's type.
    pub named: &'n dyn Fn(&str) -> String,
    /// The call of a family's function, given its arguments; `None` for functions of the language.
    pub function: &'n dyn Fn(&str, &[String]) -> Option<String>,
    /// The expression for a variable.
    pub variable: &'n dyn Fn(&str) -> String,
}

impl Cpp<'_> {
    /// The C++ type.
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::Int | Type::Never | Type::Any => "std::int64_t".to_owned(),
            Type::Float => "double".to_owned(),
            Type::Str => "std::string".to_owned(),
            Type::None => "std::nullopt_t".to_owned(),
            Type::List(item) => format!("std::vector<{}>", self.ty(item)),
            Type::Optional(inner) => format!("std::optional<{}>", self.ty(inner)),
            Type::Named(name) => (self.named)(name),
        }
    }

    /// Prints an expression without calls of family functions, which must have been extracted.
    pub fn print(&self, typed: &Typed) -> String {
        match &typed.kind {
            TypedKind::None => "std::nullopt".to_owned(),
            TypedKind::Bool(value) => value.to_string(),
            TypedKind::Int(value) => integer(*value),
            TypedKind::Float(text) => float(text),
            TypedKind::Text(text) => format!("std::string({})", string_literal(text)),
            TypedKind::Format(parts) => self.call("text", parts),
            TypedKind::Variable { name, unwrapped } => {
                let name = (self.variable)(name);
                if *unwrapped { format!("(*{name})") } else { name }
            }
            TypedKind::Constant { cpp, .. } => cpp.clone(),
            TypedKind::List(items) => self.list(items, &typed.ty),
            TypedKind::Starred(list) => self.print(list),
            TypedKind::Unary(Unary::Negate, operand) => format!("-{}", self.operand(operand)),
            TypedKind::Unary(Unary::Not, operand) => format!("!{}", self.operand(operand)),
            TypedKind::Binary(operator, a, b) => self.binary(*operator, a, b),
            TypedKind::IsNone { value, negated } => {
                let asked = format!("{}.has_value()", self.operand(value));
                if *negated { asked } else { format!("!{asked}") }
            }
            TypedKind::Conditional { then, condition, otherwise } => {
                let (condition, then, otherwise) =
                    (self.operand(condition), self.operand(then), self.operand(otherwise));
                format!("{condition} ? {then} : {otherwise}")
            }
            TypedKind::Index(list, index) => {
                format!("{}element({}, {})", self.helpers, self.print(list), self.print(index))
            }
            TypedKind::Slice(list, from, to) => {
                let bound = |bound: &Option<Box<Typed>>| {
                    bound.as_ref().map_or("std::nullopt".to_owned(), |bound| self.print(bound))
                };
                format!("{}part({}, {}, {})", self.helpers, self.print(list), bound(from), bound(to))
            }
            TypedKind::Call(name, arguments) => {
                let printed: Vec<String> = arguments.iter().map(|argument| self.print(argument)).collect();
                (self.function)(name, &printed)
                    .unwrap_or_else(|| format!("{}{name}({})", self.helpers, printed.join(", ")))
            }
            TypedKind::Convert(inner) => self.convert(inner, &typed.ty),
            TypedKind::Comprehension(parts) => self.comprehension(parts, &typed.ty),
            TypedKind::Custom(_) => {
                debug_assert!(false, "was taken out before");
                String::new()
            }
        }
    }

    /// A list of what an expression makes of items of another. A macro of expr.h writes the
    /// functions for it.
    fn comprehension(&self, parts: &TypedComprehension, ty: &Type) -> String {
        let made = match ty {
            Type::List(item) => self.ty(item),
            _ => self.ty(&parts.element.ty),
        };
        let (item, name) = (self.ty(&parts.item), (self.variable)(&parts.variable));
        let condition = parts.condition.as_ref().map_or("true".to_owned(), |condition| self.print(condition));
        let (list, element) = (self.print(&parts.list), self.print(&parts.element));
        let collected = format!("{}collected<{made}>", self.helpers);
        format!("TG_COLLECTED({collected}, {item}, {name}, {list}, {condition}, {element})")
    }

    /// A list: its starred parts, and lists of the items between them, one joined to the other.
    fn list(&self, items: &[Typed], ty: &Type) -> String {
        let is_starred = |item: &Typed| matches!(item.kind, TypedKind::Starred(_));
        let parts = items.chunk_by(|a, b| !is_starred(a) && !is_starred(b)).map(|part| match part {
            [item] if is_starred(item) => self.print(item),
            _ => self.list_of(part, ty),
        });
        let join = |list: String, part: String| format!("{}joined({list}, {part})", self.helpers);
        parts.reduce(join).unwrap_or_else(|| self.list_of(items, ty))
    }

    fn list_of(&self, items: &[Typed], ty: &Type) -> String {
        let Type::List(item) = ty else { return self.call("list_of", items) };
        format!("{}list_of<{}>({})", self.helpers, self.ty(item), self.arguments(items))
    }

    fn binary(&self, operator: Binary, a: &Typed, b: &Typed) -> String {
        let symbol = match operator {
            Binary::FloorDivide => return self.function("floor_div", a, b),
            Binary::Modulo => return self.function("floor_mod", a, b),
            Binary::In => return self.function("contains", b, a),
            Binary::NotIn => return format!("!{}", self.function("contains", b, a)),
            Binary::Multiply if matches!(a.ty, Type::List(_)) => return self.function("repeated", a, b),
            Binary::Add if matches!(a.ty, Type::List(_)) => return self.function("joined", a, b),
            Binary::And => "&&",
            Binary::Or => "||",
            _ => operator.symbol(),
        };
        format!("{} {symbol} {}", self.operand(a), self.operand(b))
    }

    fn function(&self, name: &str, a: &Typed, b: &Typed) -> String {
        format!("{}{name}({}, {})", self.helpers, self.print(a), self.print(b))
    }

    fn call(&self, name: &str, arguments: &[Typed]) -> String {
        format!("{}{name}({})", self.helpers, self.arguments(arguments))
    }

    fn arguments(&self, arguments: &[Typed]) -> String {
        arguments.iter().map(|argument| self.print(argument)).collect::<Vec<_>>().join(", ")
    }

    fn convert(&self, inner: &Typed, wanted: &Type) -> String {
        match (&inner.ty, wanted) {
            (Type::None, _) => format!("{}(std::nullopt)", self.ty(wanted)),
            (_, Type::Float) => format!("static_cast<double>({})", self.print(inner)),
            (Type::List(_), Type::List(item)) => {
                format!("{}list_as<{}>({})", self.helpers, self.ty(item), self.print(inner))
            }
            _ => format!("{}({})", self.ty(wanted), self.print(inner)),
        }
    }

    /// An operand, in parentheses unless it is a single token or call.
    fn operand(&self, typed: &Typed) -> String {
        let printed = self.print(typed);
        let operator =
            matches!(typed.kind, TypedKind::Binary(..) | TypedKind::Conditional { .. } | TypedKind::Unary(..))
                || printed.starts_with(['-', '!']);
        if operator { format!("({printed})") } else { printed }
    }
}

/// An integer of 64 bits. The smallest has no literal of its own.
fn integer(value: i64) -> String {
    if value == i64::MIN {
        "std::numeric_limits<std::int64_t>::min()".to_owned()
    } else {
        format!("std::int64_t({value})")
    }
}

/// A C++ number: with a digit on both sides of the point.
fn float(text: &str) -> String {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    match mantissa.split_once('.') {
        Some((whole, fraction)) => {
            let whole = if whole.is_empty() { "0" } else { whole };
            let fraction = if fraction.is_empty() { "0" } else { fraction };
            format!("{whole}.{fraction}{exponent}")
        }
        None if exponent.is_empty() => format!("{mantissa}.0"),
        None => text.to_owned(),
    }
}
