//! The calls in a formula, and the kinds of values that they pass.
//!
//! Invariant: a kind other than [`Kind::Unknown`] is certain. In a formula with a lambda or a
//! statement expression, which has names of its own, nothing is known of names, nor of calls
//! without a namespace.

use std::ops::Range;

use torchgen_base::lang::cpp::{Kind as TokenKind, Token, tokens};

/// The kind of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tensor,
    Tensors,
    SymInt,
    SymInts,
    Int,
    Ints,
    Double,
    Bool,
    Scalar,
    /// Anything else, or not certain.
    Unknown,
}

/// Who is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Callee {
    /// A function of a namespace without parents.
    Function(String),
    /// A function without a namespace, found by the types of its arguments.
    Open,
    /// A method of a tensor.
    Method,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) callee: Callee,
    /// The place of the name, with the namespace.
    pub(super) place: Range<usize>,
    pub(super) name: String,
    pub(super) arguments: Vec<(Range<usize>, Kind)>,
}

/// What is known about names and calls.
pub(super) trait Scope {
    /// The kind of a name.
    fn name(&self, name: &str) -> Kind;
    /// The kind of what a function or method returns.
    fn returned(&self, callee: &Callee, name: &str) -> Kind;
}

/// How deep the brackets may be nested in which calls are found. Deeper ones are an error of the
/// formula, which `api::autograd` reports.
const DEPTH: usize = 200;

/// The calls in a formula, inner ones first.
pub(super) fn calls(formula: &str, scope: &dyn Scope) -> Vec<Call> {
    let tokens = tokens(formula);
    if depth(formula, &tokens) > DEPTH {
        return Vec::new();
    }
    let mut walk = Walk { formula, tokens: &tokens, scope, calls: Vec::new(), own_names: false };
    walk.expression(0, tokens.len());
    if !walk.own_names {
        return walk.calls;
    }
    let scope = &OwnNames(scope);
    let mut walk = Walk { scope, calls: Vec::new(), ..walk };
    walk.expression(0, tokens.len());
    walk.calls.retain(|call| call.callee != Callee::Open);
    walk.calls
}

/// How deep brackets are nested.
fn depth(formula: &str, tokens: &[Token]) -> usize {
    let (mut deepest, mut depth) = (0, 0_usize);
    for token in tokens {
        match token.mark(formula) {
            Some('(' | '[' | '{') => depth += 1,
            Some(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Names that a formula may declare itself.
struct OwnNames<'s>(&'s dyn Scope);

impl Scope for OwnNames<'_> {
    fn name(&self, _: &str) -> Kind {
        Kind::Unknown
    }

    fn returned(&self, callee: &Callee, name: &str) -> Kind {
        self.0.returned(callee, name)
    }
}

struct Walk<'f> {
    formula: &'f str,
    tokens: &'f [Token],
    scope: &'f dyn Scope,
    calls: Vec<Call>,
    /// The formula declares names.
    own_names: bool,
}

impl<'f> Walk<'f> {
    fn text(&self, i: usize) -> &'f str {
        self.tokens.get(i).map_or("", |token| &self.formula[token.range.clone()])
    }

    fn mark(&self, i: usize) -> Option<char> {
        self.tokens.get(i)?.mark(self.formula)
    }

    fn opens(&self, i: usize) -> bool {
        matches!(self.mark(i), Some('(' | '[' | '{'))
    }

    fn is_word(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// The token after the bracket that closes the one at `open`.
    fn behind(&self, open: usize, end: usize) -> usize {
        let mut depth = 0_usize;
        for i in open..end {
            match self.mark(i) {
                Some('(' | '[' | '{') => depth += 1,
                Some(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return i + 1;
            }
        }
        end
    }

    /// The token after the angle bracket that closes the one at `open`, if a call follows.
    fn behind_template(&self, open: usize, end: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for i in open..end {
            match self.text(i) {
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                word if self.is_word(i) || [",", "::", "*", "&"].contains(&word) => {}
                _ if self.tokens[i].kind == TokenKind::Number => {}
                _ => return None,
            }
            if depth == 0 {
                return (self.opens(i + 1) || self.text(i + 1) == "::").then_some(i + 1);
            }
        }
        None
    }

    /// An expression without commas at its top.
    fn expression(&mut self, start: usize, end: usize) -> Kind {
        let (mut i, mut kinds, mut plain, mut operand) = (start, Vec::new(), true, false);
        while i < end {
            match self.text(i) {
                "+" | "-" | "*" | "/" if operand => {
                    operand = false;
                    i += 1;
                }
                "-" | "+" => i += 1,
                _ if self.opens(i)
                    || self.is_word(i)
                    || self.text(i) == "::"
                    || matches!(self.tokens[i].kind, TokenKind::Number | TokenKind::Literal) =>
                {
                    plain &= !operand;
                    let (kind, next) = self.postfix(i, end);
                    kinds.push(kind);
                    (operand, i) = (true, next);
                }
                _ => {
                    plain = false;
                    operand = false;
                    i += 1;
                }
            }
        }
        match kinds.as_slice() {
            [only] if plain => *only,
            _ if !plain || kinds.contains(&Kind::Unknown) => Kind::Unknown,
            several if several.contains(&Kind::Tensor) => Kind::Tensor,
            several if several.iter().all(|kind| matches!(kind, Kind::SymInt | Kind::Int)) => match several.first() {
                None => Kind::Unknown,
                Some(_) if several.contains(&Kind::SymInt) => Kind::SymInt,
                Some(_) => Kind::Int,
            },
            _ => Kind::Unknown,
        }
    }

    /// The expressions between the brackets at `open`.
    fn list(&mut self, open: usize, behind: usize) -> Vec<(Range<usize>, Kind)> {
        let (mut found, mut start, mut i) = (Vec::new(), open + 1, open + 1);
        let last = behind.saturating_sub(1).max(open + 1);
        while i <= last && start < last {
            if i == last || self.text(i) == "," {
                let kind = self.expression(start, i);
                if let (Some(first), Some(ends)) = (self.tokens.get(start), self.tokens.get(i.saturating_sub(1))) {
                    found.push((first.range.start..ends.range.end.max(first.range.start), kind));
                }
                start = i + 1;
                i += 1;
            } else if self.opens(i) {
                i = self.behind(i, last);
            } else if self.text(i) == "<" {
                i = self.behind_template(i, last).unwrap_or(i + 1);
            } else {
                i += 1;
            }
        }
        found
    }

    /// A value with its members, calls and indices; and the token after it.
    fn postfix(&mut self, start: usize, end: usize) -> (Kind, usize) {
        let (mut kind, mut i) = self.primary(start, end);
        loop {
            match self.text(i) {
                "." if i + 1 < end && self.is_word(i + 1) => {
                    let name = self.text(i + 1);
                    if self.text(i + 2) != "(" || i + 2 >= end {
                        (kind, i) = (Kind::Unknown, i + 2);
                        continue;
                    }
                    let behind = self.behind(i + 2, end);
                    let arguments = self.list(i + 2, behind);
                    if kind == Kind::Tensor {
                        let place = self.tokens[i + 1].range.clone();
                        kind = self.call(Callee::Method, name, place, arguments);
                    } else {
                        kind = Kind::Unknown;
                    }
                    i = behind;
                }
                "->" if i < end => (kind, i) = (Kind::Unknown, i + 2),
                "(" if i < end => {
                    let behind = self.behind(i, end);
                    self.list(i, behind);
                    (kind, i) = (Kind::Unknown, behind);
                }
                "[" if i < end => {
                    let behind = self.behind(i, end);
                    self.list(i, behind);
                    kind = match kind {
                        Kind::Tensors => Kind::Tensor,
                        Kind::SymInts => Kind::SymInt,
                        Kind::Ints => Kind::Int,
                        _ => Kind::Unknown,
                    };
                    i = behind;
                }
                _ => return (kind, i.min(end)),
            }
        }
    }

    /// The token behind a lambda; its body is a list of expressions.
    fn lambda(&mut self, start: usize, end: usize) -> usize {
        let mut i = self.behind(start, end);
        if self.mark(i) == Some('(') {
            i = self.behind(i, end);
        }
        while i < end && !matches!(self.mark(i), Some('{' | ',' | ';' | ')' | '}')) {
            i += 1;
        }
        if i < end && self.mark(i) == Some('{') {
            let behind = self.behind(i, end);
            self.list(i, behind);
            return behind;
        }
        i
    }

    fn call(&mut self, callee: Callee, name: &str, place: Range<usize>, arguments: Vec<(Range<usize>, Kind)>) -> Kind {
        let kind = self.scope.returned(&callee, name);
        self.calls.push(Call { callee, place, name: name.to_owned(), arguments });
        kind
    }

    fn primary(&mut self, start: usize, end: usize) -> (Kind, usize) {
        match self.mark(start) {
            Some('(') => {
                let behind = self.behind(start, end);
                // A statement expression.
                self.own_names |= self.mark(start + 1) == Some('{');
                let inner = self.list(start, behind);
                let kind = if let [(_, kind)] = inner.as_slice() { *kind } else { Kind::Unknown };
                return (kind, behind);
            }
            Some('{') => {
                let behind = self.behind(start, end);
                self.list(start, behind);
                return (Kind::Unknown, behind);
            }
            Some('[') => {
                self.own_names = true;
                return (Kind::Unknown, self.lambda(start, end));
            }
            _ => {}
        }
        let mut path = Vec::new();
        let mut i = if self.text(start) == "::" { start + 1 } else { start };
        if !self.is_word(i) {
            let text = self.text(i);
            let is_integer = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let is_number = self.tokens.get(i).is_some_and(|token| token.kind == TokenKind::Number);
            let kind = match (is_number, is_integer) {
                (true, true) => Kind::Int,
                (true, false) if text.contains('.') && !text.ends_with(['f', 'F']) => Kind::Double,
                _ => Kind::Unknown,
            };
            return (kind, i + 1);
        }
        loop {
            path.push(self.text(i));
            if self.text(i + 1) == "::" && self.is_word(i + 2) && i + 2 < end {
                i += 2;
            } else {
                break;
            }
        }
        let place = self.tokens[start].range.start..self.tokens[i].range.end;
        if self.text(i + 1) == "<"
            && let Some(open) = self.behind_template(i + 1, end)
        {
            if !self.opens(open) {
                return (Kind::Unknown, open);
            }
            let behind = self.behind(open, end);
            self.list(open, behind);
            return (Kind::Unknown, behind);
        }
        if self.text(i + 1) != "(" || i + 1 >= end {
            let kind = match path.as_slice() {
                ["true" | "false"] => Kind::Bool,
                [name] => self.scope.name(name),
                _ => Kind::Unknown,
            };
            return (kind, i + 1);
        }
        let behind = self.behind(i + 1, end);
        let arguments = self.list(i + 1, behind);
        let kind = match path.as_slice() {
            [namespace, name] => self.call(Callee::Function((*namespace).to_owned()), name, place, arguments),
            [name] if self.text(start) != "::" => self.call(Callee::Open, name, place, arguments),
            _ => Kind::Unknown,
        };
        (kind, behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Names;

    impl Scope for Names {
        fn name(&self, name: &str) -> Kind {
            match name {
                "x" | "grad" => Kind::Tensor,
                "xs" | "grads" => Kind::Tensors,
                "n" => Kind::SymInt,
                _ => Kind::Unknown,
            }
        }

        fn returned(&self, _: &Callee, name: &str) -> Kind {
            match name {
                "sym_sizes" => Kind::SymInts,
                "exp" | "mul" => Kind::Tensor,
                _ => Kind::Unknown,
            }
        }
    }

    #[track_caller]
    fn check(formula: &str, expected: &[(&str, &[(&str, Kind)])]) {
        let found = calls(formula, &Names);
        let shown: Vec<(&str, Vec<(&str, Kind)>)> = found
            .iter()
            .map(|call| {
                let arguments = call.arguments.iter().map(|(range, kind)| (&formula[range.clone()], *kind)).collect();
                (&formula[call.place.clone()], arguments)
            })
            .collect();
        let expected: Vec<(&str, Vec<(&str, Kind)>)> =
            expected.iter().map(|(name, arguments)| (*name, arguments.to_vec())).collect();
        assert_eq!(shown, expected, "{formula}");
    }

    #[test]
    fn calls_and_their_arguments() {
        check("grad * at::mul(x, 2)", &[("at::mul", &[("x", Kind::Tensor), ("2", Kind::Int)])]);
        check("(grad * x).exp()", &[("exp", &[])]);
        check(
            "grad.exp().view_symint(x.sym_sizes())",
            &[("exp", &[]), ("sym_sizes", &[]), ("view_symint", &[("x.sym_sizes()", Kind::SymInts)])],
        );
        check(
            "my::f(n * 2 + 1, {x, n}, -x)",
            &[("my::f", &[("n * 2 + 1", Kind::SymInt), ("{x, n}", Kind::Unknown), ("-x", Kind::Tensor)])],
        );
        check("std::get<0>(x).exp() + unknown.exp()", &[]);
        check("fmap(xs, [](Tensor x) { return x.nothing(); })", &[]);
        check(
            "fmap(xs, [&](const Tensor& y, int k) -> Tensor { auto z = at::mul(y, x); return at::f(z.exp(), 2); })",
            &[
                ("at::mul", &[("y", Kind::Unknown), ("x", Kind::Unknown)]),
                ("at::f", &[("z.exp()", Kind::Unknown), ("2", Kind::Int)]),
            ],
        );
        check("g(x, n)", &[("g", &[("x", Kind::Tensor), ("n", Kind::SymInt)])]);
        check(
            "at::f(std::map<int, int>{}, x)",
            &[("at::f", &[("std::map<int, int>{}", Kind::Unknown), ("x", Kind::Tensor)])],
        );
        check("({ auto y = x.nothing(); y; })", &[]);
        check("({ auto y = at::mul(x, 1); y; })", &[("at::mul", &[("x", Kind::Unknown), ("1", Kind::Int)])]);
        check("x > 0 ? xs[0].exp() : a::b::c(grads[1].mul(x))", &[("exp", &[]), ("mul", &[("x", Kind::Tensor)])]);
        check("at::f(", &[("at::f", &[])]);
        check("at::f(x", &[("at::f", &[])]);
        check("x.", &[]);
        check("at::f(,)", &[("at::f", &[("", Kind::Unknown)])]);
    }
}
