//! The tree of a formula with types, and with the functions that its calls select.
//!
//! Invariant: a type other than unknown is certain, and so is every problem: it would not compile,
//! or it has no translation under [`Rules::Python`]. Names that lambdas and statements declare are
//! of an unknown type.

use std::ops::Range;

use super::constants;
use super::convert::Rules;
use super::operators;
use super::signature::{Selected, Signature};
use super::types::TYPES;
use super::vocabulary;
use super::{Binary, Expr, Node, Path, Problem, Statement, Ty, Unary, ValueKind, not_a_pointer};
use torchgen_base::diag::{Help, meant, nearest};
use torchgen_base::lang::is_word;

/// Who is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callee {
    /// A function of a namespace.
    Function(String),
    /// A function without a namespace, found by the types of its arguments.
    Open,
    /// A method of a tensor.
    Method,
}

/// What has a name.
#[derive(Debug, Clone)]
pub enum FoundName<'s> {
    /// The signatures, at least one.
    Signatures(&'s [Signature]),
    /// A function or method that is known by what it returns only.
    Returns(Ty),
    /// Nothing, and the reason if it is not obvious.
    Missing(Option<String>),
}

/// What formulas can name.
pub trait Scope {
    /// Whose rules decide.
    fn rules(&self) -> Rules;
    /// The type of an input, an output or a gradient; `None` if the name is none.
    fn name(&self, name: &str) -> Option<Ty>;
    /// Whether the input of that name is a tensor that may be missing.
    fn is_optional(&self, name: &str) -> bool;
    /// Whether a node saves the input or output of that name, so that a list is a `std::vector`.
    fn is_saved(&self, name: &str) -> bool;
    /// Whether the author has a function of that name, of which nothing is known.
    fn declares(&self, function: &str) -> bool;
    /// The functions or methods of that name.
    fn find(&self, callee: &Callee, name: &str) -> FoundName<'_>;
}

/// A call of an operator, or of something that should be one.
#[derive(Debug, Clone)]
pub struct Call<'f, 's> {
    /// Who is called.
    pub callee: Callee,
    /// The name without its namespace.
    pub name: &'f str,
    /// The place of the name, with its namespace.
    pub place: Range<usize>,
    /// What is called.
    pub outcome: Outcome<'s>,
}

/// What a call selects.
#[derive(Debug, Clone)]
pub enum Outcome<'s> {
    /// Signatures of that name, and what fits of them.
    Selected(&'s [Signature], Selected<'s>),
    /// A function that is known by what it returns only.
    Returns(Ty),
    /// There is none of that name.
    Missing(Option<String>),
}

/// An expression with its type.
#[derive(Debug, Clone)]
pub struct Typed<'f, 's> {
    /// The expression.
    pub expr: &'f Expr,
    /// Its type.
    pub ty: Ty,
    /// The expressions that it consists of, in the order of [`Expr::parts`].
    pub parts: Vec<Typed<'f, 's>>,
    /// Those of its statements.
    pub inner: Vec<Typed<'f, 's>>,
    /// The operator that it calls.
    pub call: Option<Call<'f, 's>>,
}

impl<'f, 's> Typed<'f, 's> {
    /// Shows all in this expression and then itself.
    pub fn walk<'t>(&'t self, visit: &mut dyn FnMut(&'t Typed<'f, 's>)) {
        self.parts.iter().chain(&self.inner).for_each(|part| part.walk(visit));
        visit(self);
    }

    /// The arguments of a call or a method.
    pub fn arguments(&self) -> &[Typed<'f, 's>] {
        match &self.expr.node {
            Node::Method(_) | Node::Apply(..) => &self.parts[1..],
            _ => &self.parts,
        }
    }
}

/// What takes a saved list that may be missing.
pub(super) const SAVED_ARRAY: &str =
    "a parameter takes it as it is, also one of your own, such as `c10::OptionalArrayRef<int64_t>`";

/// Gives types to an expression.
///
/// Returns the tree, and the operators whose operands have wrong types, inner ones first.
pub fn typed<'f, 's>(expr: &'f Expr, scope: &'s dyn Scope) -> (Typed<'f, 's>, Vec<Problem>) {
    let mut checker = Checker { scope, locals: Vec::new(), problems: Vec::new() };
    let tree = checker.expr(expr);
    for problem in &mut checker.problems {
        problem.wrong_type = !problem.not_cpp;
    }
    (tree, checker.problems)
}

pub(super) struct Checker<'s> {
    pub(super) scope: &'s dyn Scope,
    /// Names that the formula declares, and what they are.
    locals: Vec<(String, Ty)>,
    pub(super) problems: Vec<Problem>,
}

impl<'s> Checker<'s> {
    fn expr<'f>(&mut self, expr: &'f Expr) -> Typed<'f, 's> {
        let parts: Vec<Typed<'f, 's>> = expr.parts().into_iter().map(|part| self.expr(part)).collect();
        let known = self.locals.len();
        if let Node::Lambda(parameters, _) = &expr.node {
            self.types_of(parameters, expr);
            self.locals.extend(parameters.iter().map(|parameter| (parameter.name.clone(), parameter.known())));
        }
        let mut inner = Vec::new();
        self.statements(expr.statements(), &mut inner);
        self.locals.truncate(known);
        let (ty, call) = self.ty(expr, &parts);
        Typed { expr, ty, parts, inner, call }
    }

    fn statements<'f>(&mut self, statements: &'f [Statement], inner: &mut Vec<Typed<'f, 's>>) {
        for statement in statements {
            match statement {
                Statement::Declare(types, names, values) => {
                    self.declared_as(types);
                    for value in values {
                        inner.push(self.expr(value));
                    }
                    self.locals.extend(names.iter().map(|name| (name.clone(), Ty::UNKNOWN)));
                }
                Statement::Unpack(names, value) => {
                    inner.push(self.expr(value));
                    self.locals.extend(names.iter().map(|name| (name.clone(), Ty::UNKNOWN)));
                }
                Statement::Evaluate(value) | Statement::Return(value) => inner.push(self.expr(value)),
                Statement::Block(body) | Statement::If(body) | Statement::Loop(body) => {
                    let known = self.locals.len();
                    self.statements(body, inner);
                    self.locals.truncate(known);
                }
                Statement::Other(_) => {}
            }
        }
    }

    fn ty<'f>(&mut self, expr: &'f Expr, parts: &[Typed<'f, 's>]) -> (Ty, Option<Call<'f, 's>>) {
        self.template(expr);
        let plain = |kind: ValueKind| (Ty::from(kind), None);
        match &expr.node {
            Node::Number(text) => {
                let kind = number(text);
                if kind == ValueKind::Other {
                    let message = format!("`{text}` is too large for `int64_t`");
                    self.problems.push(Problem::new(expr.range.clone(), message));
                    return plain(ValueKind::Unknown);
                }
                plain(kind)
            }
            Node::Literal(parts) => plain(if parts[0].ends_with('\'') { ValueKind::Int } else { ValueKind::Text }),
            Node::Call(path, _) => self.call(path, parts),
            Node::Method(method) => self.method(method, parts),
            Node::Index(..) => (self.index(parts), None),
            Node::Path(path) => {
                self.not_a_value(path);
                (self.path(path), None)
            }
            Node::Member { name, place, .. } => {
                self.member(name, place, parts[0].ty);
                plain(ValueKind::Unknown)
            }
            Node::Braces(None, _) => match parts {
                // A copy of an optional, and no list.
                [one] if one.ty.is_optional() && !one.ty.kind.is_list() && self.rules() == Rules::Cpp => (one.ty, None),
                _ => plain(self.braces(parts)),
            },
            Node::Braces(Some(path), _) | Node::Cast(path, _) => (self.construct(path, parts), None),
            Node::Dereferenced { value, place } => (self.dereferenced(value, place, parts[0].ty), None),
            Node::Unary(operator, operand) => (self.unary(*operator, operand, parts[0].ty), None),
            Node::Binary { operator, place, .. } => (self.binary(*operator, place, parts), None),
            Node::Ternary { .. } => (self.ternary(expr, parts), None),
            Node::Throw(_) => plain(ValueKind::Never),
            Node::Apply(..) => {
                self.applied(&parts[0], &parts[1..]);
                (returned_by(&parts[0]), None)
            }
            Node::Lambda(..) => plain(ValueKind::Other),
            Node::OnType | Node::Statements(_) => plain(ValueKind::Unknown),
        }
    }

    pub(super) fn rules(&self) -> Rules {
        self.scope.rules()
    }

    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.iter().any(|(local, _)| local == name)
    }

    /// A function that is not called.
    pub(super) fn is_function(&self, path: &Path) -> bool {
        let [namespace @ .., name] = path.parts.as_slice() else { return false };
        let callee = if namespace.is_empty() { Callee::Open } else { Callee::Function(namespace.join("::")) };
        matches!(self.scope.find(&callee, name), FoundName::Signatures(_))
    }

    /// Reports a namespace or a type in place of a value. Inputs may have their names.
    fn not_a_value(&mut self, path: &Path) {
        // `torch` alone is an unknown name, and reported as such.
        if path.single().is_some_and(|name| name == "torch" || self.is_local(name) || self.scope.name(name).is_some()) {
            return;
        }
        let (what, help) = match path.single() {
            Some(name) if vocabulary::NAMESPACES.contains(&name) => ("a namespace", Some("write `::` behind it")),
            Some(name) if TYPES.contains(&name) => ("a type", None),
            None if vocabulary::is_inner_namespace(path) => ("a namespace", Some("write `::` behind it")),
            None if vocabulary::is_enumeration(path) => ("a type", Some("write `::` behind it")),
            _ if vocabulary::type_of(path).is_some() => ("a type", None),
            _ if path.parts.len() == 2
                && path.template.is_none()
                && path.parts[0] == "std"
                && matches!(path.name(), "vector" | "tuple" | "optional" | "array") =>
            {
                ("a type", None)
            }
            Some(name) if self.rules() == Rules::Cpp && !self.scope.declares(name) => {
                if let Some(near) = constants::misspelt_number(name) {
                    let problem = Problem::new(path.range.clone(), format!("there is no `{name}`"));
                    self.problems.push(problem.help(meant(name, near)));
                }
                return;
            }
            _ => return,
        };
        let message = format!("`{}` is {what}, not a value", path.text());
        self.problems.push(Problem {
            help: help.map(str::to_owned).map(Help::from),
            ..Problem::new(path.range.clone(), message)
        });
    }

    fn path(&self, path: &Path) -> Ty {
        match path.single() {
            Some(name) if self.is_local(name) => {
                self.locals.iter().rev().find(|(local, _)| local == name).map_or(Ty::UNKNOWN, |(_, ty)| *ty)
            }
            Some(name) if self.scope.name(name).is_some() => self.scope.name(name).unwrap_or(Ty::UNKNOWN),
            Some("nullptr" | "this") => ValueKind::Other.into(),
            _ => match constants::constant(path) {
                Some(kind) => kind.into(),
                None if self.is_function(path) || vocabulary::is_std_function(path) => ValueKind::Other.into(),
                None => Ty::UNKNOWN,
            },
        }
    }

    /// Reports a value among the arguments of a template.
    fn template(&mut self, expr: &Expr) {
        let Some(path) = expr.path() else { return };
        self.spelled(path);
        let words = path.template.iter().flat_map(|text| text.split(|c: char| !is_word(c)));
        let is_value = |word: &&str| self.scope.name(word).is_some() && !self.is_local(word);
        if let Some(value) = words.filter(|word| !word.is_empty()).find(is_value) {
            let message = format!("`{value}` is a value: templates take types and constants");
            self.problems.push(Problem::new(path.range.clone(), message));
        }
    }

    /// Reports a value among the types of a lambda's parameters.
    fn types_of(&mut self, parameters: &[super::ast::Parameter], lambda: &Expr) {
        for parameter in parameters {
            let scopes = |i: usize| parameter.ty.get(i + 1).is_some_and(|next| next == "::");
            let is_value = |(i, word): &(usize, &String)| self.scope.name(word).is_some() && !scopes(*i);
            let range = lambda.range.start..lambda.range.start + 1;
            let qualified = |i: usize| i > 0 && parameter.ty[i - 1] == "::";
            let mut words = parameter.ty.iter().enumerate().filter(|(i, _)| !qualified(*i) && !scopes(*i));
            let misspelt = words.find_map(|(_, word)| self.misspelt(word, &range));
            self.problems.extend(misspelt.filter(|_| self.rules() == Rules::Cpp));
            let input = |word: &&String| self.scope.name(word).is_some() && !self.is_local(word);
            if let Some(value) = parameter.default.iter().find(input).filter(|_| self.rules() == Rules::Cpp) {
                let message = format!("the default of `{}` cannot be `{value}`, which is a variable", parameter.name);
                self.problems.push(Problem::new(range.clone(), message).help("write it as an argument"));
            }
            if let Some((_, value)) = parameter.ty.iter().enumerate().find(is_value) {
                let message = format!("`{value}` is a value, not the type of `{}`", parameter.name);
                self.problems.push(Problem::new(lambda.range.clone(), message));
            }
        }
    }

    /// Reports a value in place of the type of what a statement declares.
    fn declared_as(&mut self, types: &[Path]) {
        for path in types {
            let value = path.single().filter(|name| self.is_local(name) || self.scope.name(name).is_some());
            let class = path.single().is_some_and(|name| TYPES.contains(&name)) || vocabulary::type_of(path).is_some();
            let problem = match value {
                _ if class || self.rules() == Rules::Python => None,
                Some(name) => Some(Problem::new(path.range.clone(), format!("`{name}` is a value, not a type"))),
                None if nearest(path.name(), ["return"]).is_some() => {
                    let message = format!("there is no type `{}`", path.name());
                    Some(
                        Problem::new(path.range.clone(), message)
                            .help(Help::new("did you mean `return`?").instead("return")),
                    )
                }
                None => self.misspelt(path.name(), &path.range),
            };
            self.problems.extend(problem);
        }
    }

    /// A lambda that is called where it is. Another value cannot be called.
    fn applied(&mut self, called: &Typed<'_, 's>, arguments: &[Typed<'_, 's>]) {
        let Node::Lambda(parameters, _) = &called.expr.node else {
            if !matches!(called.ty.kind, ValueKind::Unknown | ValueKind::Other | ValueKind::Never)
                && self.rules() == Rules::Cpp
            {
                let message = format!("{} is not a function", called.ty.name());
                self.problems.push(Problem::new(called.expr.range.clone(), message));
            }
            return;
        };
        if parameters.len() != arguments.len() {
            return;
        }
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let kind = argument.ty.certain();
            let wants_tensor = parameter.known().kind == ValueKind::Tensor;
            if wants_tensor && (argument.ty.is_optional() || !kind.is_tensor() && kind != ValueKind::Unknown) {
                let message = format!("`{}` of the lambda cannot be {}", parameter.name, argument.ty.name());
                self.problems.push(Problem::new(argument.expr.range.clone(), message));
            }
        }
    }

    fn dereferenced(&mut self, value: &Expr, place: &Range<usize>, ty: Ty) -> Ty {
        let certain = !ty.optional && !matches!(ty.kind, ValueKind::Unknown | ValueKind::Other | ValueKind::Never);
        let found = not_a_pointer(value, place, |_| certain);
        let other = || {
            let message = format!("C++ has no `*` of {}", ty.name());
            (certain && self.rules() == Rules::Cpp)
                .then(|| Problem::not_cpp(place.clone(), message).help("`*x` is the value of an optional"))
        };
        // Nodes save lists that may be missing in an array with its own conversions.
        let of_saved = || {
            self.is_saved_array(value)
                .then(|| Problem::not_cpp(place.clone(), "C++ has no `*` of a saved list").help(SAVED_ARRAY))
        };
        let problem = found.or_else(other).or_else(of_saved);
        self.problems.extend(problem);
        Ty { optional: false, ..ty }
    }

    fn condition(&mut self, value: &Expr, ty: Ty) {
        // Text in quotes is a pointer, a string is none.
        let is_string = ty.certain() == ValueKind::Text && !matches!(value.node, Node::Literal(_));
        if operators::is_condition(ty, self.rules()) && !is_string {
            return;
        }
        let problem = Problem::new(value.range.clone(), format!("{} is not a condition", ty.name()));
        self.problems.push(match ty.kind {
            ValueKind::Tensor | ValueKind::Undefined => {
                problem.help("write `x.defined()`, or compare elements with `at::where`")
            }
            kind if kind.is_list() => problem.help("write `!x.empty()`"),
            _ => problem,
        });
    }

    fn unary(&mut self, operator: Unary, operand: &Expr, ty: Ty) -> Ty {
        if operator == Unary::Not {
            self.condition(operand, ty);
        }
        let place =
            matches!(operand.node, Node::Path(_) | Node::Member { .. } | Node::Index(..) | Node::Dereferenced { .. });
        let found = match operator == Unary::AddressOf && !place && self.rules() == Rules::Cpp {
            true => None,
            false => operators::unary(operator, ty, self.rules()),
        };
        found.unwrap_or_else(|| {
            let message = format!("C++ has no such operator of {}", ty.name());
            self.problems.push(Problem::new(operand.range.clone(), message));
            Ty::UNKNOWN
        })
    }

    fn binary(&mut self, operator: Binary, place: &Range<usize>, parts: &[Typed<'_, 's>]) -> Ty {
        let [left, right] = parts else { return Ty::UNKNOWN };
        if operator == Binary::Assign {
            self.assigned(left.expr);
        }
        if matches!(operator, Binary::And | Binary::Or) {
            self.condition(left.expr, left.ty);
            self.condition(right.expr, right.ty);
        }
        operators::binary(operator, left.ty, right.ty, self.rules()).unwrap_or_else(|| {
            let message = format!("C++ has no `{}` of {} and {}", operator.symbol(), left.ty.name(), right.ty.name());
            let mut problem = Problem::new(place.clone(), message);
            if left.ty.is_optional() || right.ty.is_optional() {
                problem = problem.help("`*x` is the value of an optional, `x.value_or(y)` that or another");
            }
            self.problems.push(problem);
            Ty::UNKNOWN
        })
    }

    fn ternary(&mut self, expr: &Expr, parts: &[Typed<'_, 's>]) -> Ty {
        let [condition, yes, no] = parts else { return Ty::UNKNOWN };
        self.condition(condition.expr, condition.ty);
        operators::either(yes.ty, no.ty, self.rules()).unwrap_or_else(|| {
            let (yes, no) = (yes.ty.name(), no.ty.name());
            let message = format!("one value is {yes}, the other {no}");
            self.problems.push(Problem::new(expr.range.clone(), message));
            Ty::UNKNOWN
        })
    }
}

/// What a lambda returns whose only statement is an expression.
fn returned_by(lambda: &Typed<'_, '_>) -> Ty {
    match (&lambda.expr.node, lambda.inner.as_slice()) {
        (Node::Lambda(_, body), [one]) if matches!(body.as_slice(), [Statement::Return(_)]) => one.ty,
        _ => Ty::UNKNOWN,
    }
}

/// The kind of a number as written.
fn number(text: &str) -> ValueKind {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    if text.contains(['p', 'P']) || !hexadecimal && text.contains(['.', 'e', 'E', 'f', 'F']) {
        return ValueKind::Float;
    }
    let digits: String = text.chars().take_while(|c| c.is_ascii_digit() || *c == '\'').filter(|c| *c != '\'').collect();
    match hexadecimal || digits.parse::<i64>().is_ok() {
        true => ValueKind::Int,
        false => ValueKind::Other,
    }
}
