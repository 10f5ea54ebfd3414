//! The names in a formula that nothing qualifies, calls or declares.
//!
//! Invariant: a name that a lambda or a statement declares is not among them.

use std::ops::Range;

use super::{Expr, Method, Node, Path, Statement};

/// The names that a formula takes from outside, in order; `None` if it has statements that are not
/// read, which may declare any.
pub fn open_names(expr: &Expr) -> Option<Vec<Range<usize>>> {
    let mut walk = Walk::over(expr);
    walk.open.sort_by_key(|range| range.start);
    walk.is_known.then_some(walk.open)
}

/// The functions that a formula calls by name, with their namespaces, in order; without those that
/// it may declare itself.
pub fn called(expr: &Expr) -> Vec<&Path> {
    let mut walk = Walk::over(expr);
    let is_known = walk.is_known;
    walk.called.retain(|path| is_known || path.single().is_none());
    walk.called.sort_by_key(|path| path.range.start);
    walk.called
}

/// The methods that a formula calls, in order.
pub fn methods(expr: &Expr) -> Vec<&Method> {
    let mut walk = Walk::over(expr);
    walk.methods.sort_by_key(|method| method.place.start);
    walk.methods
}

struct Walk<'f> {
    locals: Vec<&'f str>,
    open: Vec<Range<usize>>,
    called: Vec<&'f Path>,
    methods: Vec<&'f Method>,
    is_known: bool,
}

impl<'f> Walk<'f> {
    fn over(expr: &'f Expr) -> Walk<'f> {
        let mut walk =
            Walk { locals: Vec::new(), open: Vec::new(), called: Vec::new(), methods: Vec::new(), is_known: true };
        walk.expr(expr);
        walk
    }

    fn expr(&mut self, expr: &'f Expr) {
        if let Node::Path(path) = &expr.node
            && let Some(name) = path.single()
            && !path.is_global
            && path.template.is_none()
            && !self.locals.contains(&name)
        {
            self.open.push(path.range.clone());
        }
        if let Node::Call(path, _) = &expr.node
            && path.single().is_none_or(|name| !self.locals.contains(&name))
        {
            self.called.push(path);
        }
        if let Node::Method(method) = &expr.node {
            self.methods.push(method);
        }
        for part in expr.parts() {
            self.expr(part);
        }
        let known = self.locals.len();
        if let Node::Lambda(parameters, _) = &expr.node {
            self.locals.extend(parameters.iter().map(|parameter| parameter.name.as_str()));
        }
        self.statements(expr.statements());
        self.locals.truncate(known);
    }

    fn statements(&mut self, statements: &'f [Statement]) {
        for statement in statements {
            match statement {
                Statement::Declare(_, names, values) => {
                    values.iter().for_each(|value| self.expr(value));
                    self.locals.extend(names.iter().map(String::as_str));
                }
                Statement::Unpack(names, value) => {
                    self.expr(value);
                    self.locals.extend(names.iter().map(String::as_str));
                }
                Statement::Evaluate(value) | Statement::Return(value) => self.expr(value),
                Statement::Block(body) | Statement::If(body) | Statement::Loop(body) => {
                    let known = self.locals.len();
                    self.statements(body);
                    self.locals.truncate(known);
                }
                Statement::Other(_) => self.is_known = false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn check(formula: &str, expected: &[&str]) {
        let expr = parse(formula).expect("an expression");
        let found: Vec<&str> =
            open_names(&expr).expect("statements that are read").into_iter().map(|range| &formula[range]).collect();
        assert_eq!(found, expected, "{formula}");
    }

    #[test]
    fn methods_that_are_called() {
        let expr =
            parse("grad.mul(at::sum(self.t(), 0)).neg() + fmap(xs, [](T x) { return x->f(); })").expect("it reads");
        let names: Vec<&str> = methods(&expr).into_iter().map(|method| method.name.as_str()).collect();
        assert_eq!(names, ["mul", "t", "neg", "f"]);
    }

    #[test]
    fn names_that_are_open() {
        check("grad * self.sgn() + at::foo(other, 1.5e-3f, x_y)", &["grad", "self", "other", "x_y"]);
        check("weight->sym_sizes() ? a::B::c : std::get<0>(f)", &["weight", "f"]);
        check("f(\"a b\\\" c\", 'x', /* y */ z)", &["z"]);
        check("fmap(xs, [](c10::SymInt i) { return -i; })", &["xs"]);
        check("fmap(xs, [&](c10::SymInt i) { auto j = i * n; return -j; })", &["xs", "n"]);
        check("f({a[0], b})[1](c)[d]", &["a", "b", "c", "d"]);
        check("grads[i] - Tensor(x)", &["grads", "i", "x"]);
        check("a and not b or compl c bitand d", &["a", "b", "c", "d"]);
        check("a ? throw b : (short) c", &["a", "b", "c"]);
        check("static_cast<ptrdiff_t>(a) * reinterpret_cast<f<T> *>(b)", &["a", "b"]);
        check("({ auto y = x; -y; })", &["x"]);
        check("({ for (const auto& t : ts) { s += t; } q; })", &["ts", "s", "q"]);
    }
}
