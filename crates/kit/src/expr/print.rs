//! Prints expressions in the language itself, for documentation.
//!
//! Invariant: the output parses to the same tree.

#[cfg(test)]
use super::syntax::Binary;
use super::syntax::{COMPARISON, Call, Expr, ExprKind, NOT, POSTFIX, Piece, SIGN, Sigil, Unary};

/// The text of an expression.
pub fn source(expr: &Expr) -> String {
    let mut out = String::new();
    write(expr, 0, &mut out);
    out
}

/// Appends an expression, in parentheses if its precedence is lower than `power`.
fn write(expr: &Expr, power: u8, out: &mut String) {
    let own = own_power(expr);
    let parenthesized = own < power;
    if parenthesized {
        out.push('(');
    }
    bare(expr, own, out);
    if parenthesized {
        out.push(')');
    }
}

/// The precedence of the expression's outermost operator.
fn own_power(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Conditional { .. } | ExprKind::Bound(..) | ExprKind::Either(_) => 0,
        ExprKind::Binary(operator, ..) => operator.power(),
        ExprKind::IsNone { .. } => COMPARISON,
        ExprKind::Unary(Unary::Not, _) => NOT,
        ExprKind::Unary(Unary::Negate, _) => SIGN,
        _ => POSTFIX,
    }
}

fn bare(expr: &Expr, own: u8, out: &mut String) {
    match &expr.kind {
        ExprKind::None => out.push_str("None"),
        ExprKind::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
        ExprKind::Int(value) => out.push_str(&value.to_string()),
        ExprKind::Float(text) => out.push_str(text),
        ExprKind::Str(pieces) => string(pieces, out),
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::List(items) => {
            out.push('[');
            separated(items, out);
            out.push(']');
        }
        ExprKind::Starred(list) => {
            out.push('*');
            write(list, 0, out);
        }
        ExprKind::Comprehension(parts) => {
            out.push('[');
            write(&parts.element, 0, out);
            out.push_str(" for ");
            out.push_str(&parts.variable.name);
            out.push_str(" in ");
            write(&parts.list, 1, out);
            if let Some(condition) = &parts.condition {
                out.push_str(" if ");
                write(condition, 1, out);
            }
            out.push(']');
        }
        ExprKind::Unary(operator, operand) => {
            out.push_str(if *operator == Unary::Not { "not " } else { "-" });
            write(operand, own, out);
        }
        ExprKind::Binary(operator, a, b) => {
            // A comparison inside a comparison needs parentheses on both sides.
            let left = if own == COMPARISON { own + 1 } else { own };
            write(a, left, out);
            out.push(' ');
            out.push_str(operator.symbol());
            out.push(' ');
            write(b, own + 1, out);
        }
        ExprKind::IsNone { value, negated } => {
            write(value, own + 1, out);
            out.push_str(if *negated { " is not None" } else { " is None" });
        }
        ExprKind::Conditional { then, condition, otherwise } => {
            write(then, 1, out);
            out.push_str(" if ");
            write(condition, 1, out);
            out.push_str(" else ");
            write(otherwise, 0, out);
        }
        ExprKind::Index(list, index) => {
            write(list, POSTFIX, out);
            out.push('[');
            write(index, 0, out);
            out.push(']');
        }
        ExprKind::Slice(list, from, to) => {
            write(list, POSTFIX, out);
            out.push('[');
            from.iter().for_each(|from| write(from, 0, out));
            out.push(':');
            to.iter().for_each(|to| write(to, 0, out));
            out.push(']');
        }
        ExprKind::Call(call) => write_call(call, out),
        ExprKind::Bound(pattern, name) => {
            write(pattern, 1, out);
            out.push_str(" as ");
            out.push_str(&name.name);
        }
        ExprKind::Either(patterns) => {
            for (i, pattern) in patterns.iter().enumerate() {
                out.push_str(if i > 0 { " | " } else { "" });
                write(pattern, 1, out);
            }
        }
        ExprKind::Member { of, name, arguments } => {
            // A point after an integer would be a part of the number.
            write(of, if matches!(of.kind, ExprKind::Int(_)) { POSTFIX + 1 } else { POSTFIX }, out);
            out.push('.');
            out.push_str(&name.name);
            if let Some(arguments) = arguments {
                out.push('(');
                separated(arguments, out);
                out.push(')');
            }
        }
    }
}

fn separated(items: &[Expr], out: &mut String) {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(item, 0, out);
    }
}

fn write_call(call: &Call, out: &mut String) {
    if call.sigil == Sigil::At {
        out.push('@');
    }
    out.push_str(&call.callee.name);
    if call.sigil == Sigil::Exact {
        out.push('!');
    }
    out.push('(');
    separated(&call.positional, out);
    for (i, (key, value)) in call.keywords.iter().enumerate() {
        if i > 0 || !call.positional.is_empty() {
            out.push_str(", ");
        }
        out.push_str(&key.name);
        out.push('=');
        write(value, 0, out);
    }
    out.push(')');
}

fn string(pieces: &[Piece], out: &mut String) {
    out.push('"');
    for piece in pieces {
        match piece {
            Piece::Text(text) => {
                for c in text.chars() {
                    match c {
                        '"' | '\\' => out.extend(['\\', c]),
                        '\n' => out.push_str("\\n"),
                        '\t' => out.push_str("\\t"),
                        '{' | '}' => out.extend([c, c]),
                        _ => out.push(c),
                    }
                }
            }
            Piece::Value(value) => {
                out.push('{');
                write(value, 0, out);
                out.push('}');
            }
        }
    }
    out.push('"');
}

/// Whether the text can be written between the braces of a string, that is, has no braces or
/// quotes.
#[cfg(test)]
pub(super) fn fits_in_string(expr: &Expr) -> bool {
    !source(expr).contains(['"', '{', '}'])
}

/// Every operator, for tests.
#[cfg(test)]
pub(super) const OPERATORS: [Binary; 16] = [
    Binary::Or,
    Binary::And,
    Binary::Compare(super::syntax::Comparison::Equal),
    Binary::Compare(super::syntax::Comparison::NotEqual),
    Binary::Compare(super::syntax::Comparison::Less),
    Binary::Compare(super::syntax::Comparison::LessEqual),
    Binary::Compare(super::syntax::Comparison::Greater),
    Binary::Compare(super::syntax::Comparison::GreaterEqual),
    Binary::In,
    Binary::NotIn,
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::FloorDivide,
    Binary::Modulo,
];
