//! Values that are made of others: those of a type, and values in braces.
//!
//! Invariant: what is reported has no such constructor or conversion.

use super::convert::{Rules, fits};
use super::typed::{Checker, Typed};
use super::vocabulary::{self, MATH, TypeName};
use super::{Expr, Helper, Node, Path, Problem, Ty, ValueKind};
use torchgen_base::diag::plural;

impl<'s> Checker<'s> {
    /// Reports a value that a type cannot be made of.
    pub(super) fn refused(&mut self, ty: TypeName, path: &Path, parts: &[Typed<'_, 's>]) {
        let single = ty.is_plain_number() || matches!(ty, TypeName::Tensor | TypeName::Number(_));
        let open = parts.iter().any(|part| matches!(part.ty.kind, ValueKind::Unknown | ValueKind::Other));
        if single && parts.len() > 1 && !open {
            let message = format!("`{}` is not made of {}", path.text(), plural(parts.len(), "argument"));
            self.problems.push(Problem::new(path.range.clone(), message));
        }
        if let (TypeName::Optional, [first, _, ..]) = (ty, parts)
            && !matches!(first.ty.kind, ValueKind::Unknown | ValueKind::Other)
        {
            let message = format!("`{}` is not made of {}", path.text(), plural(parts.len(), "argument"));
            self.problems.push(Problem::new(path.range.clone(), message));
        }
        let [one] = parts else { return };
        let several = path.template.as_ref().is_some_and(|types| types.contains(','));
        if ty == TypeName::Tuple && several && (one.ty.kind.is_number_or_scalar() || one.ty.kind.is_tensor()) {
            let message = format!("`{}` is not made of 1 argument", path.text());
            self.problems.push(Problem::new(path.range.clone(), message));
            return;
        }
        if matches!((ty, one.ty.kind), (TypeName::Tensor | TypeName::Number(ValueKind::Scalar), ValueKind::Empty)) {
            let message = format!("`{}` can be made of `{{}}` in several ways", path.text());
            self.problems.push(Problem::new(one.expr.range.clone(), message).help("leave out the braces"));
            return;
        }
        // An optional is neither of the types below.
        let kind = if one.ty.is_optional() { ValueKind::Other } else { one.ty.kind };
        // Whether there is a value. Lists that may be missing have a class of their own.
        let tested = ty == TypeName::Bool && one.ty.is_optional() && !one.ty.kind.is_list();
        if tested
            || matches!(kind, ValueKind::Unknown | ValueKind::Never | ValueKind::Empty)
            || matches!(one.expr.node, Node::Braces(None, _))
        {
            return;
        }
        let fits = match ty {
            TypeName::Number(ValueKind::Scalar) => kind.is_number_or_scalar(),
            TypeName::Number(_) => kind.is_plain_number() || kind == ValueKind::SymInt,
            TypeName::Integer | TypeName::Double | TypeName::Single | TypeName::Bool => {
                kind.is_plain_number() || kind == ValueKind::Text && ty == TypeName::Bool
            }
            TypeName::List(list) => {
                let size = kind == ValueKind::Int && path.name() == "vector";
                size || kind == list
                    || kind == list.element()
                    || list == ValueKind::Unknown
                    || kind.is_list()
                    || list.element().is_number() && kind.is_number()
            }
            TypeName::Tensor => kind.is_tensor(),
            TypeName::Tuple | TypeName::Optional => true,
        };
        if !fits {
            let made = match path.name() {
                "static_cast" => path.template.clone().unwrap_or_default(),
                _ => path.text(),
            };
            let message = format!("`{made}` cannot be made of {}", one.ty.name());
            self.problems.push(Problem::new(one.expr.range.clone(), message));
        }
    }

    /// Reports the size and the elements of a vector that cannot be such.
    pub(super) fn sized(&mut self, path: &Path, parts: &[Typed<'_, 's>]) {
        if let (Some(TypeName::List(list)), [size, value]) = (vocabulary::type_of(path), parts)
            && path.name() == "vector"
            && list != ValueKind::Unknown
            && self.rules() == Rules::Cpp
        {
            let iterator = |kind: ValueKind| {
                matches!(kind, ValueKind::Unknown | ValueKind::Other | ValueKind::Never | ValueKind::Tensors)
            };
            let sized = matches!(size.ty.certain(), ValueKind::Int | ValueKind::Bool | ValueKind::Float);
            let wrong = match (size.ty.certain(), value.ty) {
                (kind, _) if iterator(kind) || matches!(size.expr.node, Node::Braces(..)) => None,
                _ if !sized => Some(size),
                (_, ty) => (!fits(ty, list.element(), Rules::Cpp)).then_some(value),
            };
            if let Some(wrong) = wrong {
                let message = format!("`{}` cannot be made of {}", path.text(), wrong.ty.name());
                self.problems.push(Problem::new(wrong.expr.range.clone(), message));
            }
        }
    }

    /// Values in braces. In C++ they have no type, but some fit into fewer lists than others.
    pub(super) fn braces(&self, parts: &[Typed<'_, 's>]) -> ValueKind {
        let kinds: Vec<ValueKind> = parts.iter().map(|part| part.ty.certain()).collect();
        let all = |test: fn(ValueKind) -> bool| kinds.iter().all(|kind| test(*kind));
        let python = self.rules() == Rules::Python;
        let number = |kind: &ValueKind| kind.is_number_or_scalar();
        match kinds.as_slice() {
            _ if python && parts.len() > 1 && kinds.iter().any(|kind| kind.is_list() || *kind == ValueKind::Braces) => {
                ValueKind::Other
            }
            [] => ValueKind::Empty,
            // The same number in C++, a list in Python.
            [ValueKind::Scalar] if python => ValueKind::Other,
            // The value of an optional in braces is no list in Python.
            [_] if python && parts[0].ty.is_optional() && !parts[0].ty.kind.is_tensor() => ValueKind::Other,
            [one] if python && (one.is_list() || *one == ValueKind::Braces) => *one,
            // A number or a list of one.
            [one] if python && one.is_integer() => ValueKind::Braces,
            [one] if one.is_tensor() && !python => ValueKind::Braced,
            [ValueKind::Bool] if !python => ValueKind::Braces,
            [ValueKind::Float] if !python => ValueKind::Fraction,
            // A symbolic integer, which is a list of one too.
            [ValueKind::SymInt] if !python => ValueKind::SymInt,
            // Braces around them change nothing for a list and for a Scalar.
            [ValueKind::Braces] if !python => ValueKind::Braces,
            // Braces in braces that are no list are no list either.
            [ValueKind::Mixed] if !python => ValueKind::Mixed,
            [ValueKind::Nested] if !python => ValueKind::Nested,
            [_] if !python && has_elements_within(&parts[0]) => ValueKind::Nested,
            [one] if !python && one.is_list() && self.is_vector_in_braces(parts[0].expr) => ValueKind::Mixed,
            [one] if !python && (one.is_list() || COPIED.contains(one)) => *one,
            [one] if !python && !one.is_integer() => ValueKind::Unknown,
            _ if all(|kind| kind == ValueKind::Int) => match (python, kinds.len()) {
                (true, _) => ValueKind::Ints,
                (false, 1) => ValueKind::Braces,
                (false, _) => ValueKind::Elements,
            },
            _ if all(ValueKind::is_integer) => ValueKind::SymInts,
            _ if all(ValueKind::is_tensor) || python && all(|kind| kind.is_tensor() || kind == ValueKind::Nothing) => {
                ValueKind::Tensors
            }
            _ if all(|kind| kind == ValueKind::Bool) && python => ValueKind::Bools,
            // A number has no elements, and no operator takes lists of different kinds of values.
            _ if !python
                && parts.len() > 1
                && kinds.iter().any(|kind| kind.is_list() || HAVE_ELEMENTS.contains(kind)) =>
            {
                ValueKind::Mixed
            }
            // A list of optionals, which is another class.
            _ if !python && parts.len() > 1 && kinds.iter().any(number) && parts.iter().any(is_missing_number) => {
                ValueKind::Mixed
            }
            // Two values may be the ends of a view, and a pointer one of them.
            _ if !python && parts.len() > 2 && kinds.iter().any(number) && parts.iter().any(is_null) => {
                ValueKind::Mixed
            }
            // Indices have a list of their own, which no operator takes.
            mixed if !python && mixed.iter().any(|kind| kind.is_tensor()) && mixed.iter().any(number) => {
                ValueKind::Mixed
            }
            _ => ValueKind::Unknown,
        }
    }

    /// A `std::vector` in braces: a view of one fits into no further ones.
    fn is_vector_in_braces(&self, value: &Expr) -> bool {
        matches!(&value.node, Node::Braces(None, items) if items.iter().any(|item| self.is_vector(item)))
    }

    /// A value of a type.
    pub(super) fn construct(&mut self, path: &Path, parts: &[Typed<'_, 's>]) -> Ty {
        let Some(ty) = vocabulary::type_of(path) else {
            let value = path.single().filter(|name| !self.is_local(name) && self.scope.name(name).is_some());
            if let Some(name) = value.filter(|_| self.rules() == Rules::Cpp && !self.is_function(path)) {
                let message = format!("`{name}` is a value, not a type");
                self.problems.push(Problem::new(path.range.clone(), message).help("write `x[0]` for an element"));
                return Ty::UNKNOWN;
            }
            let known = |name: &str| Helper::find(name).is_some() || MATH.contains(&name);
            let of_std = vocabulary::is_std_function(path) && self.rules() == Rules::Cpp;
            let of_at = vocabulary::is_function_of_at(path) && self.rules() == Rules::Cpp;
            let helper = path.single().is_some_and(known) && self.rules() == Rules::Cpp;
            if of_std || of_at || helper || self.is_function(path) {
                let message = format!("`{}` is a function: call it with parentheses", path.text());
                self.problems.push(Problem::new(path.range.clone(), message));
            }
            return Ty::UNKNOWN;
        };
        if self.rules() == Rules::Cpp {
            self.refused(ty, path, parts);
        }
        match (ty, parts) {
            (TypeName::Tensor, []) => ValueKind::Undefined.into(),
            (TypeName::Tensor, _) => ValueKind::Tensor.into(),
            (TypeName::Optional, []) => ValueKind::Nothing.into(),
            // Another number is converted to the type that is named.
            (TypeName::Optional, [one]) => {
                let named = vocabulary::cast_to(path.template.as_deref()).and_then(TypeName::number);
                let kind = named.filter(|_| one.ty.certain().is_number()).unwrap_or(one.ty.kind);
                Ty { kind, optional: true }
            }
            (TypeName::Tuple, _) => ValueKind::Tuple.into(),
            (TypeName::List(ValueKind::Unknown), [one]) if one.ty.certain().is_list() => one.ty,
            (TypeName::List(kind), _) => kind.into(),
            (ty, _) => ty.number().map_or(Ty::UNKNOWN, Ty::from),
        }
    }
}

/// Braces around several integers in braces.
fn has_elements_within(value: &Typed<'_, '_>) -> bool {
    let braces = |value: &Typed| matches!(value.expr.node, Node::Braces(None, _));
    braces(value) && matches!(value.parts.as_slice(), [one] if braces(one) && one.ty.kind == ValueKind::Elements)
}

/// A number that may be missing.
fn is_missing_number(value: &Typed<'_, '_>) -> bool {
    value.ty.is_optional() && value.ty.kind.is_number_or_scalar()
}

/// A pointer to nothing.
fn is_null(value: &Typed<'_, '_>) -> bool {
    value.expr.single() == Some("nullptr")
}

/// Values in braces that are lists only.
const HAVE_ELEMENTS: &[ValueKind] = &[ValueKind::Elements, ValueKind::Mixed];

/// Values that are copied from braces around them.
const COPIED: &[ValueKind] = &[
    ValueKind::Scalar,
    ValueKind::Text,
    ValueKind::Dtype,
    ValueKind::TypeMeta,
    ValueKind::Layout,
    ValueKind::Device,
    ValueKind::MemoryFormat,
    ValueKind::Options,
    ValueKind::Tuple,
    ValueKind::Nothing,
];
