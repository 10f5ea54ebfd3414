//! Checks expressions: resolves names, selects functions, inserts conversions.
//!
//! Invariant: a [`Typed`] tree refers only to variables in scope.

use std::ops::Range;

use super::syntax::{Binary, Call, Expr, ExprKind, Ident, Piece, Sigil, Unary};
use super::typed::{Typed, TypedComprehension, TypedKind};
use super::types::{Function, Type};
use super::vocabulary::Vocabulary;
use torchgen_base::diag::{Help, TextError, codes, did_you_mean};

/// A variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The place of its declaration.
    pub range: Range<usize>,
    /// Whether it is used.
    pub(crate) used: bool,
}

/// Checks expressions in a scope.
pub struct Checker<'v, V> {
    pub(super) vocabulary: &'v V,
    pub(super) variables: Vec<Variable>,
    /// Variables of optional type that are known not to be `None`.
    pub(super) narrowed: Vec<String>,
    /// Variables that are assigned on some paths only.
    pub(super) partial: Vec<String>,
    /// Variables that went out of scope without being used.
    pub(super) idle: Vec<Variable>,
}

impl<'v, V: Vocabulary> Checker<'v, V> {
    /// A checker with these variables in scope.
    pub fn new(vocabulary: &'v V, variables: Vec<(String, Type)>) -> Checker<'v, V> {
        let begin = |(name, ty)| Variable { name, ty, range: 0..0, used: false };
        Checker {
            vocabulary,
            variables: variables.into_iter().map(begin).collect(),
            narrowed: Vec::new(),
            partial: Vec::new(),
            idle: Vec::new(),
        }
    }

    /// Whether one of the initial variables was used.
    pub fn used(&self, name: &str) -> bool {
        self.variables.iter().any(|variable| variable.name == name && variable.used)
    }

    /// Checks an expression that must fit a type.
    pub fn expression_of(&mut self, expr: &Expr, wanted: &Type, what: &str) -> Result<Typed, TextError> {
        let found = self.expression(expr)?;
        coerce(found, wanted, what)
    }

    /// Checks an expression of any type.
    pub(crate) fn expression(&mut self, expr: &Expr) -> Result<Typed, TextError> {
        let range = expr.range.clone();
        let typed = |kind, ty| Ok(Typed { kind, ty, range: range.clone() });
        match &expr.kind {
            ExprKind::None => typed(TypedKind::None, Type::None),
            ExprKind::Bool(value) => typed(TypedKind::Bool(*value), Type::Bool),
            ExprKind::Int(value) => typed(TypedKind::Int(*value), Type::Int),
            ExprKind::Float(text) => typed(TypedKind::Float(text.clone()), Type::Float),
            ExprKind::Str(pieces) => self.string(pieces, range),
            ExprKind::Name(name) => self.name(name, range),
            ExprKind::List(items) => self.list(items, range),
            ExprKind::Starred(_) => Err(mismatch(range, "a star is possible before an item of a list only")),
            ExprKind::Bound(..) | ExprKind::Either(_) => Err(mismatch(range, "this is a pattern, which has no value")),
            ExprKind::Comprehension(parts) => {
                let list = self.expression(&parts.list)?;
                let item = item_type(&list)?;
                let mark = self.mark();
                self.begin(&parts.variable.name, item.clone(), parts.variable.range.clone());
                let condition = match &parts.condition {
                    Some(condition) => Some(self.expression_of(condition, &Type::Bool, "a condition")?),
                    None => None,
                };
                let element = self.expression(&parts.element)?;
                self.reset(mark);
                let ty = element.ty.clone().list();
                let variable = parts.variable.name.clone();
                let parts = TypedComprehension { element, variable, item, list, condition };
                typed(TypedKind::Comprehension(Box::new(parts)), ty)
            }
            ExprKind::Unary(Unary::Not, operand) => {
                let operand = self.expression_of(operand, &Type::Bool, "the operand of `not`")?;
                typed(TypedKind::Unary(Unary::Not, Box::new(operand)), Type::Bool)
            }
            ExprKind::Unary(Unary::Negate, operand) => {
                let operand = self.number(operand)?;
                let ty = operand.ty.clone();
                match operand.kind {
                    TypedKind::Int(value) => typed(TypedKind::Int(value.wrapping_neg()), ty),
                    _ => typed(TypedKind::Unary(Unary::Negate, Box::new(operand)), ty),
                }
            }
            ExprKind::Binary(operator, a, b) => self.binary(*operator, a, b, range),
            ExprKind::IsNone { value, negated } => {
                let value = match &value.kind {
                    ExprKind::Name(name) => self.raw_name(name, value.range.clone())?,
                    _ => self.expression(value)?,
                };
                if !matches!(value.ty, Type::Optional(_) | Type::None) {
                    let message = format!("this is a `{}`, which is never None", value.ty);
                    return Err(mismatch(value.range, message).help("only a value whose type ends in `?` can be None"));
                }
                typed(TypedKind::IsNone { value: Box::new(value), negated: *negated }, Type::Bool)
            }
            ExprKind::Conditional { then, condition, otherwise } => {
                let checked = self.expression_of(condition, &Type::Bool, "a condition")?;
                let then = self.assuming(condition, true, |checker| checker.expression(then))?;
                let otherwise = self.assuming(condition, false, |checker| checker.expression(otherwise))?;
                let message = || format!("one branch is a `{}`, the other a `{}`", then.ty, otherwise.ty);
                let ty = then.ty.join(&otherwise.ty).ok_or_else(|| mismatch(otherwise.range.clone(), message()))?;
                let (then, otherwise) = (Box::new(then.convert(&ty)), Box::new(otherwise.convert(&ty)));
                typed(TypedKind::Conditional { then, condition: Box::new(checked), otherwise }, ty)
            }
            ExprKind::Index(list, index) => {
                let list = self.expression(list)?;
                let item = item_type(&list)?;
                let index = self.expression_of(index, &Type::Int, "an index")?;
                typed(TypedKind::Index(Box::new(list), Box::new(index)), item)
            }
            ExprKind::Slice(list, from, to) => {
                let list = self.expression(list)?;
                let ty = list.ty.clone();
                item_type(&list)?;
                let mut bound = |bound: &Option<Box<Expr>>| match bound {
                    Some(bound) => self.expression_of(bound, &Type::Int, "an index").map(|typed| Some(Box::new(typed))),
                    None => Ok(None),
                };
                let (from, to) = (bound(from)?, bound(to)?);
                typed(TypedKind::Slice(Box::new(list), from, to), ty)
            }
            ExprKind::Call(call) => self.call(call, range),
            ExprKind::Member { of, name, arguments } => self.member(of, name, arguments.as_deref(), range),
        }
    }

    fn string(&mut self, pieces: &[Piece], range: Range<usize>) -> Result<Typed, TextError> {
        let mut parts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            parts.push(match piece {
                Piece::Text(text) => Typed { kind: TypedKind::Text(text.clone()), ty: Type::Str, range: range.clone() },
                Piece::Value(value) => self.expression(value)?,
            });
        }
        match <[Typed; 1]>::try_from(parts) {
            Ok([Typed { kind: TypedKind::Text(text), .. }]) => {
                Ok(Typed { kind: TypedKind::Text(text), ty: Type::Str, range })
            }
            Ok(parts) => Ok(Typed { kind: TypedKind::Format(parts.into()), ty: Type::Str, range }),
            Err(parts) => Ok(Typed { kind: TypedKind::Format(parts), ty: Type::Str, range }),
        }
    }

    /// A name; its type is not optional if it is known not to be `None`.
    fn name(&mut self, name: &str, range: Range<usize>) -> Result<Typed, TextError> {
        let mut found = self.raw_name(name, range)?;
        if self.narrowed.iter().any(|known| known == name)
            && let (Type::Optional(inner), TypedKind::Variable { unwrapped, .. }) = (&found.ty, &mut found.kind)
        {
            *unwrapped = true;
            found.ty = (**inner).clone();
        }
        Ok(found)
    }

    fn raw_name(&mut self, name: &str, range: Range<usize>) -> Result<Typed, TextError> {
        if let Some(variable) = self.variables.iter_mut().rev().find(|variable| variable.name == name) {
            variable.used = true;
            let kind = TypedKind::Variable { name: name.to_owned(), unwrapped: false };
            return Ok(Typed { kind, ty: variable.ty.clone(), range });
        }
        if let Some(constant) = self.vocabulary.constant(name) {
            let kind = TypedKind::Constant { name: name.to_owned(), cpp: constant.cpp };
            return Ok(Typed { kind, ty: constant.ty, range });
        }
        if self.partial.iter().any(|partial| partial == name) {
            let error = TextError::new(
                &codes::EXPRESSION_NAME,
                range,
                format!("`{name}` is not assigned on every path to here"),
            );
            return Err(error.help("assign it in each branch, or before the `if`"));
        }
        let mut known: Vec<&str> = self.variables.iter().map(|variable| variable.name.as_str()).collect();
        known.extend(self.vocabulary.constants());
        let message = format!("there is no variable or constant `{name}` here");
        let error = TextError::new(&codes::EXPRESSION_NAME, range, message);
        Err(helped(error, did_you_mean(name, known)))
    }

    fn number(&mut self, expr: &Expr) -> Result<Typed, TextError> {
        let found = self.expression(expr)?;
        if found.ty.is_number() {
            return Ok(found);
        }
        Err(mismatch(found.range, format!("expected a number, found a `{}`", found.ty)))
    }

    fn binary(&mut self, operator: Binary, a: &Expr, b: &Expr, range: Range<usize>) -> Result<Typed, TextError> {
        let typed = |kind, ty| Ok(Typed { kind, ty, range: range.clone() });
        let pair = |a: Typed, b: Typed| TypedKind::Binary(operator, Box::new(a), Box::new(b));
        match operator {
            Binary::And | Binary::Or => {
                let left = self.expression_of(a, &Type::Bool, "a condition")?;
                let right = self.assuming(a, operator == Binary::And, |checker| {
                    checker.expression_of(b, &Type::Bool, "a condition")
                })?;
                typed(pair(left, right), Type::Bool)
            }
            Binary::In | Binary::NotIn => {
                let (left, right) = (self.expression(a)?, self.expression(b)?);
                if right.ty == Type::Str {
                    let left = coerce(left, &Type::Str, "the item to find")?;
                    return typed(pair(left, right), Type::Bool);
                }
                let item = item_type(&right)?;
                let left = coerce(left, &item, "the item to find")?;
                self.comparable(&item, &range)?;
                typed(pair(left, right), Type::Bool)
            }
            Binary::FloorDivide | Binary::Modulo => {
                let left = self.expression_of(a, &Type::Int, "the dividend of an integer division")?;
                let right = self.expression_of(b, &Type::Int, "the divisor of an integer division")?;
                typed(pair(left, right), Type::Int)
            }
            Binary::Divide => {
                if self.vocabulary.divides_whole() {
                    return self.binary(Binary::FloorDivide, a, b, range);
                }
                let left = self.expression_of(a, &Type::Float, "the dividend")?;
                let right = self.expression_of(b, &Type::Float, "the divisor")?;
                typed(pair(left, right), Type::Float)
            }
            Binary::Multiply => {
                let (left, right) = (self.expression(a)?, self.expression(b)?);
                if let (Type::List(_), Type::Int) = (&left.ty, &right.ty) {
                    let ty = left.ty.clone();
                    return typed(pair(left, right), ty);
                }
                self.arithmetic(operator, left, right, range)
            }
            Binary::Add => {
                let (left, right) = (self.expression(a)?, self.expression(b)?);
                let joined = left.ty.join(&right.ty).filter(|ty| matches!(ty, Type::List(_) | Type::Str));
                match joined {
                    Some(ty) => typed(pair(left.convert(&ty), right.convert(&ty)), ty),
                    None => self.arithmetic(operator, left, right, range),
                }
            }
            Binary::Subtract => {
                let (left, right) = (self.expression(a)?, self.expression(b)?);
                self.arithmetic(operator, left, right, range)
            }
            Binary::Compare(comparison) if !comparison.orders() => {
                let (left, right) = (self.expression(a)?, self.expression(b)?);
                let joined = left.ty.join(&right.ty).filter(|ty| !matches!(ty, Type::None));
                let Some(ty) = joined else {
                    let message = format!("a `{}` and a `{}` cannot be compared", left.ty, right.ty);
                    return Err(mismatch(range, message));
                };
                if left.ty == Type::None || right.ty == Type::None {
                    return Err(mismatch(range, "None cannot be compared with an operator").help("write `is None`"));
                }
                self.comparable(&ty, &range)?;
                typed(pair(left.convert(&ty), right.convert(&ty)), Type::Bool)
            }
            Binary::Compare(_) => {
                let (left, right) = (self.number(a)?, self.number(b)?);
                let ty = left.ty.join(&right.ty).unwrap_or(Type::Float);
                typed(pair(left.convert(&ty), right.convert(&ty)), Type::Bool)
            }
        }
    }

    /// Checks that values of a type can be compared.
    fn comparable(&self, ty: &Type, range: &Range<usize>) -> Result<(), TextError> {
        match ty {
            Type::List(inner) | Type::Optional(inner) => self.comparable(inner, range),
            Type::Named(name) => match self.vocabulary.instead_of_comparing(name) {
                Some(help) => Err(mismatch(range.clone(), format!("a `{name}` cannot be compared")).help(help)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Arithmetic on numbers. Values of the family have functions instead.
    fn arithmetic(&self, operator: Binary, left: Typed, right: Typed, range: Range<usize>) -> Result<Typed, TextError> {
        if !left.ty.is_number() || !right.ty.is_number() {
            let message = format!("`{}` does not take a `{}` and a `{}`", operator.symbol(), left.ty, right.ty);
            let named = [&left.ty, &right.ty].iter().any(|ty| matches!(ty, Type::Named(_)));
            let names = [("+", "add"), ("-", "sub"), ("*", "mul"), ("/", "div")];
            let name = names.iter().find(|(symbol, _)| *symbol == operator.symbol()).map(|(_, name)| *name);
            let callee = name.filter(|name| named && self.vocabulary.callees().contains(name));
            let help = callee.map(|name| format!("call the operator: `{name}(…)`").into());
            return Err(helped(mismatch(range, message), help));
        }
        let ty = if left.ty == right.ty { left.ty.clone() } else { Type::Float };
        let (left, right) = (Box::new(left.convert(&ty)), Box::new(right.convert(&ty)));
        Ok(Typed { kind: TypedKind::Binary(operator, left, right), ty, range })
    }

    fn call(&mut self, call: &Call, range: Range<usize>) -> Result<Typed, TextError> {
        let positional: Vec<Typed> =
            call.positional.iter().map(|argument| self.expression(argument)).collect::<Result<_, _>>()?;
        let mut keywords = Vec::with_capacity(call.keywords.len());
        for (key, value) in &call.keywords {
            keywords.push((key.name.clone(), self.expression(value)?));
        }
        let name = &call.callee.name;
        let variable = self.variables.iter_mut().rev().find(|variable| variable.name == *name);
        let variable = variable.map(|variable| {
            variable.used = true;
            variable.ty.clone()
        });
        if let Some(answer) = self.vocabulary.call(call, &positional, &keywords, variable.as_ref()) {
            let custom = answer?;
            let ty = custom.result.clone();
            return Ok(Typed { kind: TypedKind::Custom(Box::new(custom)), ty, range });
        }
        let functions: Vec<&Function> =
            self.vocabulary.functions().iter().filter(|function| function.name == *name).collect();
        if functions.is_empty() || call.sigil != Sigil::Plain {
            let mut known: Vec<&str> = self.vocabulary.functions().iter().map(|function| &*function.name).collect();
            known.extend(self.vocabulary.callees());
            let error = TextError::new(
                &codes::EXPRESSION_CALL,
                call.callee.range.clone(),
                format!("there is no function `{name}`"),
            );
            return Err(helped(error, did_you_mean(name, known)));
        }
        if let Some((key, _)) = call.keywords.first() {
            let message = format!("`{name}` takes no keyword arguments");
            return Err(TextError::new(&codes::EXPRESSION_CALL, key.range.clone(), message));
        }
        let chosen = functions.iter().find_map(|function| Some((*function, bind(function, &positional)?)));
        let Some((function, any)) = chosen else { return Err(no_overload(&functions, &call.callee, &positional)) };
        Ok(applied(function, &any, positional, range))
    }

    /// Checks something, assuming that a condition holds or does not hold.
    pub fn assuming<T>(&mut self, condition: &Expr, holds: bool, check: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.narrowed.len();
        self.assume(condition, holds);
        let result = check(self);
        self.narrowed.truncate(before);
        result
    }

    /// Records which variables are not `None` if a condition holds or does not hold.
    pub(super) fn assume(&mut self, condition: &Expr, holds: bool) {
        match &condition.kind {
            ExprKind::IsNone { value, negated } if *negated == holds => {
                if let ExprKind::Name(name) = &value.kind {
                    self.narrowed.push(name.clone());
                }
            }
            ExprKind::Unary(Unary::Not, inner) => self.assume(inner, !holds),
            ExprKind::Binary(Binary::And, a, b) if holds => {
                self.assume(a, true);
                self.assume(b, true);
            }
            ExprKind::Binary(Binary::Or, a, b) if !holds => {
                self.assume(a, false);
                self.assume(b, false);
            }
            _ => {}
        }
    }

    /// The number of variables, for [`Checker::reset`].
    pub(super) fn mark(&self) -> usize {
        self.variables.len()
    }

    /// Removes the variables declared since.
    pub(super) fn reset(&mut self, mark: usize) {
        let gone = self.variables.split_off(mark);
        self.idle.extend(gone.into_iter().filter(|variable| !variable.used));
    }

    /// Declares a variable.
    pub(super) fn begin(&mut self, name: &str, ty: Type, range: Range<usize>) {
        self.narrowed.retain(|known| known != name);
        self.variables.push(Variable { name: name.to_owned(), ty, range, used: false });
    }
}

/// Converts to a type.
///
/// # Errors
/// The types do not fit.
pub fn coerce(found: Typed, wanted: &Type, what: &str) -> Result<Typed, TextError> {
    if found.ty.fits(wanted) {
        return Ok(found.convert(wanted));
    }
    let error = mismatch(found.range.clone(), format!("{what} must be a `{wanted}`, not a `{}`", found.ty));
    Err(match &found.ty {
        Type::Optional(inner) if inner.fits(wanted) => error.help("it may be None: check `is not None` first"),
        Type::Float if *wanted == Type::Int => error.help("`//` divides integers; `/` gives a float"),
        _ => error,
    })
}

pub(super) fn item_type(list: &Typed) -> Result<Type, TextError> {
    match &list.ty {
        Type::List(item) => Ok((**item).clone()),
        Type::Never => Ok(Type::Never),
        other => Err(mismatch(list.range.clone(), format!("expected a list, found a `{other}`"))),
    }
}

pub(super) fn mismatch(range: Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::EXPRESSION_TYPE, range, message)
}

pub(super) fn helped(error: TextError, help: Option<Help>) -> TextError {
    match help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// The type of [`Type::Any`] if the arguments fit the function.
pub(super) fn bind(function: &Function, arguments: &[Typed]) -> Option<Type> {
    if !function.takes(arguments.len()) {
        return None;
    }
    let mut any = Type::Never;
    for (at, argument) in arguments.iter().enumerate() {
        match (function.parameter(at)?, &argument.ty) {
            (Type::Any, ty) => any = any.join(ty)?,
            (Type::List(inner), Type::List(item)) if **inner == Type::Any => any = any.join(item)?,
            (wanted, ty) if ty.fits(wanted) => {}
            _ => return None,
        }
    }
    Some(any)
}

fn substitute(ty: &Type, any: &Type) -> Type {
    match ty {
        Type::Any => any.clone(),
        Type::List(item) => substitute(item, any).list(),
        Type::Optional(inner) => substitute(inner, any).optional(),
        _ => ty.clone(),
    }
}

/// A call of a function that takes the arguments.
pub(super) fn applied(function: &Function, any: &Type, arguments: Vec<Typed>, range: Range<usize>) -> Typed {
    let resolve = |ty: &Type| substitute(ty, any);
    let arguments = arguments.into_iter().enumerate().map(|(at, argument)| {
        let wanted = function.parameter(at).map_or(Type::Any, &resolve);
        argument.convert(&wanted)
    });
    Typed { kind: TypedKind::Call(function.name.clone(), arguments.collect()), ty: resolve(&function.result), range }
}

pub(super) fn no_overload(functions: &[&Function], callee: &Ident, arguments: &[Typed]) -> TextError {
    let given: Vec<String> = arguments.iter().map(|argument| format!("`{}`", argument.ty)).collect();
    let given = if given.is_empty() { "nothing".to_owned() } else { given.join(", ") };
    let message = format!("`{}` does not take {given}", callee.name);
    let shown: Vec<String> = functions.iter().map(|function| format!("`{function}`")).collect();
    // If only one argument is wrong and there is only one function, the caret points at it.
    let place = match functions {
        [function] if function.takes(arguments.len()) => {
            let wrong = arguments.iter().enumerate().find(|(at, argument)| {
                function.parameter(*at).is_some_and(|wanted| !fits_loosely(&argument.ty, wanted))
            });
            wrong.map_or(callee.range.clone(), |(_, argument)| argument.range.clone())
        }
        _ => callee.range.clone(),
    };
    TextError::new(&codes::EXPRESSION_CALL, place, message).help(format!("expected {}", shown.join(" or ")))
}

fn fits_loosely(ty: &Type, wanted: &Type) -> bool {
    match (ty, wanted) {
        (Type::List(_), Type::List(item)) if **item == Type::Any => true,
        _ => ty.fits(wanted),
    }
}
