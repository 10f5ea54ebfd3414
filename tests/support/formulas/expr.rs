//! Expressions of C++ as trees, and their text.
//!
//! Invariant: the text has only the parentheses that C++ needs, so that a translation which groups
//! operators in another way shows.

/// An expression: what it is, and its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expr {
    pub(super) form: Form,
    pub(super) parts: Vec<Expr>,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A name or a literal.
    Leaf(String),
    /// An operator before its part.
    Prefix(&'static str),
    /// An operator between its two parts.
    Infix(&'static str),
    /// `a ? b : c`
    Ternary,
    /// A function or a type, and the parts in parentheses.
    Call(String),
    /// A method of the first part. The other parts are in parentheses.
    Method(String),
    /// The second part in brackets after the first.
    Index,
    /// The parts in braces.
    Braces,
    /// A type in parentheses before its part.
    Cast(&'static str),
}

/// How tightly a ternary, a prefix and a name bind; operators are between.
const TERNARY: u8 = 0;
const PREFIX: u8 = 11;
const POSTFIX: u8 = 12;

/// How tightly an operator binds.
fn strength(operator: &str) -> u8 {
    match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        other => panic!("an operator: {other}"),
    }
}

pub(super) fn leaf(text: impl Into<String>) -> Expr {
    Expr { form: Form::Leaf(text.into()), parts: Vec::new() }
}

pub(super) fn prefix(operator: &'static str, part: Expr) -> Expr {
    Expr { form: Form::Prefix(operator), parts: vec![part] }
}

pub(super) fn infix(operator: &'static str, left: Expr, right: Expr) -> Expr {
    Expr { form: Form::Infix(operator), parts: vec![left, right] }
}

pub(super) fn ternary(condition: Expr, yes: Expr, no: Expr) -> Expr {
    Expr { form: Form::Ternary, parts: vec![condition, yes, no] }
}

pub(super) fn call(name: impl Into<String>, parts: Vec<Expr>) -> Expr {
    Expr { form: Form::Call(name.into()), parts }
}

pub(super) fn method(object: Expr, name: impl Into<String>, parts: Vec<Expr>) -> Expr {
    let parts = std::iter::once(object).chain(parts).collect();
    Expr { form: Form::Method(name.into()), parts }
}

pub(super) fn index(object: Expr, place: Expr) -> Expr {
    Expr { form: Form::Index, parts: vec![object, place] }
}

pub(super) fn braces(parts: Vec<Expr>) -> Expr {
    Expr { form: Form::Braces, parts }
}

pub(super) fn cast(ty: &'static str, part: Expr) -> Expr {
    Expr { form: Form::Cast(ty), parts: vec![part] }
}

impl Expr {
    /// The text in C++.
    pub(super) fn text(&self) -> String {
        let part = |i: usize, strength: u8| self.parts[i].within(strength);
        match &self.form {
            Form::Leaf(text) => text.clone(),
            Form::Prefix(operator) => {
                let operand = part(0, PREFIX);
                // Two of them in a row are another operator.
                if operand.starts_with(operator) {
                    format!("{operator}({operand})")
                } else {
                    format!("{operator}{operand}")
                }
            }
            Form::Infix(operator) => {
                let own = strength(operator);
                format!("{} {operator} {}", part(0, own), part(1, own + 1))
            }
            Form::Ternary => format!("{} ? {} : {}", part(0, 1), part(1, TERNARY), part(2, TERNARY)),
            Form::Call(name) => format!("{name}({})", joined(&self.parts)),
            Form::Method(name) => format!("{}.{name}({})", part(0, POSTFIX), joined(&self.parts[1..])),
            Form::Index => format!("{}[{}]", part(0, POSTFIX), part(1, TERNARY)),
            Form::Braces => format!("{{{}}}", joined(&self.parts)),
            Form::Cast(ty) => format!("({ty}){}", part(0, PREFIX)),
        }
    }

    fn within(&self, strength: u8) -> String {
        if self.strength() < strength { format!("({})", self.text()) } else { self.text() }
    }

    fn strength(&self) -> u8 {
        match &self.form {
            Form::Ternary => TERNARY,
            Form::Infix(operator) => strength(operator),
            Form::Prefix(_) | Form::Cast(_) => PREFIX,
            Form::Leaf(text) if text.starts_with(['-', '*']) => PREFIX,
            Form::Leaf(_) | Form::Call(_) | Form::Method(_) | Form::Index | Form::Braces => POSTFIX,
        }
    }

    /// How many expressions it consists of.
    pub(super) fn size(&self) -> usize {
        1 + self.parts.iter().map(Expr::size).sum::<usize>()
    }

    /// The expression with other leaves.
    pub(super) fn with_leaves(&self, other: &mut dyn FnMut(&str) -> Option<String>) -> Expr {
        match &self.form {
            Form::Leaf(text) => leaf(other(text).unwrap_or_else(|| text.clone())),
            form => Expr { form: form.clone(), parts: self.parts.iter().map(|part| part.with_leaves(other)).collect() },
        }
    }

    /// Smaller expressions: a part in place of the whole, the whole without a part, or a simple
    /// leaf in place of a part; for the whole and for each part.
    pub(super) fn smaller(&self) -> Vec<Expr> {
        let mut all = self.parts.clone();
        if matches!(self.form, Form::Call(_) | Form::Method(_) | Form::Braces) {
            let first = usize::from(matches!(self.form, Form::Method(_)));
            all.extend((first..self.parts.len()).map(|i| {
                let mut smaller = self.clone();
                smaller.parts.remove(i);
                smaller
            }));
        }
        match &self.form {
            Form::Leaf(text) => {
                let plainer = SIMPLE.iter().take_while(|simple| *simple != text);
                all.extend(plainer.map(|simple| leaf(*simple)));
            }
            _ => all.extend(SIMPLE.iter().map(|simple| leaf(*simple))),
        }
        for (i, part) in self.parts.iter().enumerate() {
            all.extend(part.smaller().into_iter().map(|part| {
                let mut smaller = self.clone();
                smaller.parts[i] = part;
                smaller
            }));
        }
        all
    }
}

/// What a part is replaced with, the plainest first.
const SIMPLE: [&str; 6] = ["grad", "k", "x", "0", "self", "grads[1]"];

fn joined(parts: &[Expr]) -> String {
    parts.iter().map(Expr::text).collect::<Vec<_>>().join(", ")
}
