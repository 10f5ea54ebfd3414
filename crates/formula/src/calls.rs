//! The types of calls: functions of namespaces, and what the language has itself.
//!
//! Invariant: the function that a call selects is that of [`select`], whoever asks.

use std::ops::Range;

use super::convert::{Rules, fits};
use super::form::{arithmetic, is_unsigned, passed};
use super::passed::Passed;
use super::signature::{Selected, Signature, select};
use super::typed::{Call, Callee, Checker, FoundName, Outcome, Typed};
use super::vocabulary::{self, MATH, TypeName};
use super::{Expr, Helper, Node, Path, Problem, Ty, ValueKind};
use torchgen_base::diag::{Help, plural};

impl<'s> Checker<'s> {
    pub(super) fn call<'f>(&mut self, path: &'f Path, parts: &[Typed<'f, 's>]) -> (Ty, Option<Call<'f, 's>>) {
        if path.single().is_some_and(|name| self.is_local(name)) {
            return (Ty::UNKNOWN, None);
        }
        if self.called_value(path) {
            return (Ty::UNKNOWN, None);
        }
        if path.single() == Some("std") {
            let problem = Problem::new(path.range.clone(), "`std` is a namespace, and no function");
            self.problems.push(problem.help(Help::write("at::std")));
            return (Ty::UNKNOWN, None);
        }
        if vocabulary::type_of(path).is_some() {
            self.sized(path, parts);
            return (self.construct(path, parts), None);
        }
        if let [.., class, name] = path.parts.as_slice()
            && class == "GradMode"
            && !matches!(name.as_str(), "is_enabled" | "set_enabled")
        {
            let message = format!("there is no `{}`", path.text());
            self.problems.push(
                Problem::new(path.range.clone(), message)
                    .help(Help::new("write `GradMode::is_enabled()`").word(name.as_str(), "is_enabled")),
            );
        }
        let own = path.single().is_some_and(|name| self.scope.declares(name));
        let helper = path.single().and_then(Helper::find).filter(|_| !own).or_else(|| Helper::of_dtypes(path));
        if let Some(helper) = helper {
            self.helper(helper, path, parts);
        }
        self.math(path, parts);
        self.of_missing(path, parts);
        self.of_std(path);
        if let Some(ty) = special(path, parts, self.rules()).filter(|_| !own) {
            self.check_special(path, parts);
            return (ty, None);
        }
        if let [first, _, ..] = path.parts.as_slice()
            && self.scope.name(first).is_some()
            && !vocabulary::NAMESPACES.contains(&first.as_str())
        {
            let message = format!("`{first}` is a value, not a namespace");
            self.problems
                .push(Problem::new(path.range.clone(), message).help(Help::write(format!("{first}.{}", path.name()))));
        }
        let of_at = matches!(path.parts.as_slice(), [namespace, _] if namespace == "at" || namespace == "torch");
        if of_at && self.rules() == Rules::Cpp && vocabulary::is_only_a_method(path.name()) {
            let message = format!("there is no `{}`", path.text());
            let help = format!("it is only a method: `x.{}()`", path.name());
            self.problems.push(Problem::new(path.range.clone(), message).help(help));
            return (Ty::UNKNOWN, None);
        }
        if path.template.is_some() {
            return (Ty::UNKNOWN, None);
        }
        let callee = match path.parts.as_slice() {
            [_] if path.is_global => return (Ty::UNKNOWN, None),
            [_] => Callee::Open,
            [namespace, _] => Callee::Function(namespace.clone()),
            [namespace @ .., _] => Callee::Function(namespace.join("::")),
            [] => return (Ty::UNKNOWN, None),
        };
        let call = self.resolved(callee, path.name(), path.range.clone(), parts);
        let ty = returned(&call.outcome);
        (if ty.kind == ValueKind::Unknown && !own { of_math(path, parts) } else { ty }, Some(call))
    }

    /// Reports arguments that a helper of PyTorch does not take.
    fn helper(&mut self, helper: &Helper, path: &Path, parts: &[Typed<'_, 's>]) {
        let (name, rules) = (helper.name, self.rules());
        if !helper.takes(parts.len()) && rules == Rules::Cpp {
            let message = format!("`{name}` does not take {}", plural(parts.len(), "argument"));
            self.problems.push(Problem::new(path.range.clone(), message));
        }
        let fits = |part: &Typed, wanted: ValueKind| match wanted {
            ValueKind::Text => is_text(part),
            _ => rules == Rules::Python || fits(part.ty, wanted, rules),
        };
        let pairs = parts.iter().zip(helper.parameters).enumerate();
        if let Some((at, (wrong, _))) = pairs.into_iter().find(|(_, (part, wanted))| !fits(part, **wanted)) {
            let message = format!("argument {} of `{name}` cannot be {}", at + 1, wrong.ty.name());
            self.problems.push(Problem::new(wrong.expr.range.clone(), message));
        }
    }

    fn check_special(&mut self, path: &Path, parts: &[Typed<'_, 's>]) {
        if path.name() == "get" {
            return self.element(path, parts);
        }
        if self.rules() == Rules::Python {
            return;
        }
        match (path.name(), parts) {
            ("sum_to", [_, _] | [_, _, _]) => {
                let wanted = [ValueKind::is_tensor as fn(ValueKind) -> bool, is_sizes, is_flag];
                for (at, (part, fits)) in parts.iter().zip(wanted).enumerate() {
                    let kind = part.ty.certain();
                    let open = matches!(kind, ValueKind::Unknown | ValueKind::Never) && !part.ty.is_optional();
                    if !open && !fits(kind) {
                        let message = format!("argument {} of `at::sum_to` cannot be {}", at + 1, part.ty.name());
                        self.problems.push(Problem::new(part.expr.range.clone(), message));
                    }
                }
            }
            ("min" | "max", [left, right]) if path.parts[0] == "std" && path.template.is_none() => {
                let kinds = [left.ty.kind, right.ty.kind];
                let open =
                    kinds.iter().any(|kind| matches!(kind, ValueKind::Unknown | ValueKind::Never | ValueKind::Other));
                let ordered = |part: &&Typed| {
                    let kind = part.ty.kind;
                    !kind.is_tensor() && !matches!(kind, ValueKind::Scalar | ValueKind::OptionalTensor)
                };
                if let Some(wrong) = parts.iter().find(|part| !ordered(part)) {
                    let message = format!("there is no `{}` of {}", path.text(), wrong.ty.name());
                    self.problems.push(Problem::new(wrong.expr.range.clone(), message));
                } else if let (Some(one), Some(other)) = (arithmetic(left), arithmetic(right))
                    && one != other
                {
                    let message = format!("`{}` takes values of one type, not `{one}` and `{other}`", path.text());
                    let problem = Problem::new(right.expr.range.clone(), message);
                    let is_optional = left.ty.is_optional() || right.ty.is_optional();
                    self.problems.push(match is_optional {
                        true => problem.help("write `x.value()`, or `x.value_or(…)`"),
                        false => problem.help(format!("name the type: `{}<{one}>(…)`", path.text())),
                    });
                } else if !open && kinds[0] != kinds[1] && !kinds.iter().all(|kind| kind.is_number()) {
                    let [one, other] = [left, right].map(|part| part.ty.name());
                    let message = format!("`{}` takes values of one type, not {one} and {other}", path.text());
                    self.problems.push(Problem::new(right.expr.range.clone(), message));
                }
            }
            ("min" | "max", [_, _]) if path.parts[0] == "std" => {
                let plain = TypeName::is_plain_number;
                let is_number = |part: &&Typed| {
                    let kind = part.ty.kind;
                    let open = matches!(kind, ValueKind::Unknown | ValueKind::Never | ValueKind::Other);
                    (kind.is_plain_number() || open) && !part.ty.is_optional()
                };
                let wrong = parts.iter().find(|part| !is_number(part));
                if let Some(wrong) = wrong.filter(|_| vocabulary::cast_to(path.template.as_deref()).is_some_and(plain))
                {
                    let message = format!(
                        "`{}` cannot be made of {}",
                        path.template.as_deref().unwrap_or_default(),
                        wrong.ty.name()
                    );
                    self.problems.push(Problem::new(wrong.expr.range.clone(), message));
                }
            }
            ("min" | "max", few @ ([] | [_]))
                if path.parts[0] == "std" && few.iter().all(|one| one.ty.kind.is_number_or_scalar()) =>
            {
                let message = format!("`{}` does not take {}", path.text(), plural(few.len(), "argument"));
                self.problems.push(Problem::new(path.range.clone(), message));
            }
            ("abs", [one]) if path.parts[0] == "std" => {
                let open = matches!(one.ty.kind, ValueKind::Unknown | ValueKind::Never | ValueKind::Complex);
                let number = one.ty.kind.is_plain_number() && !is_unsigned(one);
                if one.ty.is_optional() || !open && !number {
                    let message = format!("there is no `{}` of {}", path.text(), one.ty.name());
                    self.problems.push(Problem::new(one.expr.range.clone(), message));
                }
            }
            ("wrap_opt_if", [_, condition]) => {
                let kind = condition.ty.kind;
                let open = matches!(kind, ValueKind::Unknown | ValueKind::Never | ValueKind::Other);
                if condition.ty.is_optional() || !open && !kind.is_plain_number() {
                    let message = format!("{} is not a bool", condition.ty.name());
                    self.problems.push(Problem::new(condition.expr.range.clone(), message));
                }
            }
            ("static_cast", [_]) => {
                if let Some(ty) = vocabulary::cast_to(path.template.as_deref()) {
                    self.refused(ty, path, parts);
                }
            }
            _ => {}
        }
    }

    pub(super) fn resolved<'f>(
        &self,
        callee: Callee,
        name: &'f str,
        place: Range<usize>,
        arguments: &[Typed<'f, 's>],
    ) -> Call<'f, 's> {
        let outcome = match self.scope.find(&callee, name) {
            FoundName::Signatures(signatures) => Outcome::Selected(signatures, {
                let is_vector = |value: &Expr| self.is_vector(value);
                let is_variable = |value: &Typed| self.is_variable(value);
                let values: Vec<Passed> = arguments.iter().map(|one| passed(one, &is_vector, &is_variable)).collect();
                select(signatures, &values, self.rules())
            }),
            FoundName::Returns(ty) => Outcome::Returns(ty),
            FoundName::Missing(reason) => Outcome::Missing(reason),
        };
        Call { callee, name, place, outcome }
    }
}

/// The type of a call's result.
pub(super) fn returned(outcome: &Outcome<'_>) -> Ty {
    match outcome {
        Outcome::Returns(ty) => *ty,
        Outcome::Missing(_) => Ty::UNKNOWN,
        Outcome::Selected(all, selected) => {
            let types: Vec<Ty> = match selected {
                Selected::Best(best) | Selected::Ambiguous(best, _) => best.iter().map(|one| one.returns).collect(),
                _ => all.iter().map(|one| one.returns).collect(),
            };
            let same = types.iter().all(|ty| Some(ty) == types.first());
            types.first().filter(|_| same).copied().unwrap_or(Ty::UNKNOWN)
        }
    }
}

/// Functions that are not operators.
fn special(path: &Path, parts: &[Typed<'_, '_>], rules: Rules) -> Option<Ty> {
    let words: Vec<&str> = path.parts.iter().map(String::as_str).collect();
    let plain = match words.as_slice() {
        ["at" | "c10" | "torch" | "std" | "autograd", rest @ ..] => rest,
        all => all,
    };
    let kinds: Vec<ValueKind> = parts.iter().map(|part| part.ty.certain()).collect();
    let numbers = !kinds.is_empty() && kinds.iter().all(|kind| kind.is_number_or_scalar());
    Some(match (plain, parts) {
        (["GradMode", "is_enabled"], []) => ValueKind::Bool.into(),
        (["sum_to"], [_, _] | [_, _, _]) if words[0] == "at" => ValueKind::Tensor.into(),
        (["wrap_opt_if"], [..]) if rules == Rules::Cpp => ValueKind::OptionalTensor.into(),
        (["wrap_opt_if"], [..]) => ValueKind::Tensor.into(),
        (["make_tuple" | "tie"], _) => ValueKind::Tuple.into(),
        (["get"], [one]) if path.template.is_some() => element(path, one),
        (["static_cast"], _) => named(path),
        (["move" | "forward"], [one]) if words[0] == "std" => one.ty,
        ([name], _) if words[0] == "std" && words.len() == 2 => match *name {
            "min" | "max" if path.template.is_some() => named(path),
            // Optionals have an order.
            "min" | "max"
                if parts.len() > 1 && parts.iter().all(|part| part.ty == parts[0].ty && part.ty.is_optional()) =>
            {
                parts[0].ty
            }
            "min" | "max" | "abs" if numbers => match kinds.as_slice() {
                all if all.iter().all(|kind| *kind == all[0]) && all[0] != ValueKind::Scalar => all[0].into(),
                _ => Ty::UNKNOWN,
            },
            math if numbers && MATH.contains(&math) => match kinds.iter().any(|kind| !kind.is_plain_number()) {
                true => Ty::UNKNOWN,
                false => ValueKind::Float.into(),
            },
            _ => Ty::UNKNOWN,
        },
        ([name], _) if words.len() == 1 => {
            let helper = Helper::find(name)?;
            helper.takes(parts.len()).then_some(Ty::from(helper.returns))?
        }
        _ => return None,
    })
}

/// The type of numbers that the argument of a template names.
fn named(path: &Path) -> Ty {
    let kind = vocabulary::cast_to(path.template.as_deref()).and_then(TypeName::number);
    kind.map_or(Ty::UNKNOWN, Ty::from)
}

/// The element of a tuple that `std::get` names, if what was called to make it is known.
fn element(path: &Path, tuple: &Typed<'_, '_>) -> Ty {
    let index = path.template.as_deref().and_then(|text| text.trim().parse::<usize>().ok());
    index.and_then(|index| elements(tuple)?.get(index).copied()).unwrap_or(Ty::UNKNOWN)
}

/// The elements of what a call returns, if all that it may call agree.
pub(super) fn elements<'t>(tuple: &'t Typed<'_, '_>) -> Option<&'t [Ty]> {
    let Outcome::Selected(all, selected) = &tuple.call.as_ref()?.outcome else { return None };
    let best: Vec<&Signature> = match selected {
        Selected::Best(best) => best.clone(),
        _ => all.iter().collect(),
    };
    let first = best.first().map(|one| one.elements.as_slice()).filter(|elements| !elements.is_empty())?;
    best.iter().all(|one| one.elements == first).then_some(first)
}

/// What a function of mathematics without a namespace returns.
fn of_math(path: &Path, parts: &[Typed<'_, '_>]) -> Ty {
    let numbers = parts.iter().all(|part| part.ty.certain().is_plain_number());
    match path.single().is_some_and(|name| MATH.contains(&name)) && !parts.is_empty() {
        true if parts.iter().any(|part| part.ty.kind.is_tensor()) => ValueKind::Tensor.into(),
        true if numbers => ValueKind::Float.into(),
        _ => Ty::UNKNOWN,
    }
}

/// A list of sizes.
fn is_sizes(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Ints
            | ValueKind::SymInts
            | ValueKind::Int
            | ValueKind::SymInt
            | ValueKind::Empty
            | ValueKind::Braces
            | ValueKind::Elements
    )
}

/// What is converted to a bool.
pub(super) fn is_flag(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::Bool
            | ValueKind::Int
            | ValueKind::Float
            | ValueKind::Empty
            | ValueKind::Braces
            | ValueKind::Text
            | ValueKind::Never
    )
}

/// A string, or what may be one: zero is a null pointer.
fn is_text(value: &Typed<'_, '_>) -> bool {
    match &value.expr.node {
        Node::Number(number) => number == "0",
        Node::Braces(None, items) => {
            value.ty.kind == ValueKind::Text && !items.iter().any(|item| matches!(item.node, Node::Braces(None, _)))
        }
        _ => matches!(value.ty.kind, ValueKind::Text | ValueKind::Unknown),
    }
}
