//! Values that are made of others: those of a type, and values in braces.
//!
//! Invariant: what is reported has no such constructor or conversion.

use super::convert::Rules;
use super::typed::{Checker, Typed};
use super::vocabulary::{self, Helper, MATH, TypeName};
use super::{Kind, Node, Path, Problem, Ty};
use torchgen_base::diag::plural;

impl<'s> Checker<'s> {
    /// Reports a value that a type cannot be made of.
    pub(super) fn refused(&mut self, ty: TypeName, path: &Path, parts: &[Typed<'_, 's>]) {
        let single = matches!(
            ty,
            TypeName::Tensor | TypeName::Number(_) | TypeName::Integer | TypeName::Double | TypeName::Bool
        );
        let open = parts.iter().any(|part| matches!(part.ty.kind, Kind::Unknown | Kind::Other));
        if single && parts.len() > 1 && !open {
            let message = format!("`{}` is not made of {}", path.text(), plural(parts.len(), "argument"));
            self.problems.push(Problem::new(path.range.clone(), message));
        }
        let [one] = parts else { return };
        // An optional is neither of the types below.
        let kind = if one.ty.is_optional() { Kind::Other } else { one.ty.kind };
        if matches!(kind, Kind::Unknown | Kind::Never | Kind::Empty) || matches!(one.expr.node, Node::Braces(None, _)) {
            return;
        }
        let fits = match ty {
            TypeName::Number(Kind::Scalar) => kind.is_number() || kind == Kind::Scalar,
            TypeName::Number(_) => matches!(kind, Kind::Int | Kind::Float | Kind::Bool | Kind::SymInt),
            TypeName::Integer | TypeName::Double | TypeName::Bool => {
                matches!(kind, Kind::Int | Kind::Float | Kind::Bool) || kind == Kind::Text && ty == TypeName::Bool
            }
            TypeName::List(list) => {
                let size = kind == Kind::Int && path.name() == "vector";
                size || kind == list
                    || kind == list.element()
                    || list == Kind::Unknown
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

    /// Values in braces. In C++ they have no type, but some fit into fewer lists than others.
    pub(super) fn braces(&self, parts: &[Typed<'_, 's>]) -> Kind {
        let kinds: Vec<Kind> = parts.iter().map(|part| part.ty.certain()).collect();
        let all = |test: fn(Kind) -> bool| kinds.iter().all(|kind| test(*kind));
        let python = self.rules() == Rules::Python;
        let number = |kind: &Kind| kind.is_number() || *kind == Kind::Scalar;
        match kinds.as_slice() {
            _ if python && parts.len() > 1 && kinds.iter().any(|kind| kind.is_list()) => Kind::Other,
            [] => Kind::Empty,
            // The same number in C++, a list in Python.
            [Kind::Scalar] if python => Kind::Other,
            [one] if one.is_list() && python => *one,
            [one] if one.is_tensor() && !python => Kind::Braced,
            [Kind::Float] if !python => Kind::Fraction,
            // Braces in braces that are no list are no list either.
            [Kind::Mixed] if !python => Kind::Mixed,
            [one] if !python && (one.is_list() || COPIED.contains(one)) => *one,
            [one] if !python && !one.is_integer() => Kind::Unknown,
            _ if all(|kind| kind == Kind::Int) => match (python, kinds.len()) {
                (true, _) => Kind::Ints,
                (false, 1) => Kind::Braces,
                (false, _) => Kind::Elements,
            },
            _ if all(Kind::is_integer) => Kind::SymInts,
            _ if all(Kind::is_tensor) || python && all(|kind| kind.is_tensor() || kind == Kind::Nothing) => {
                Kind::Tensors
            }
            _ if all(|kind| kind == Kind::Bool) && python => Kind::Bools,
            // A number has no elements, and no operator takes lists of different kinds of values.
            _ if !python
                && parts.len() > 1
                && kinds.iter().any(|kind| matches!(kind, Kind::Elements | Kind::Mixed)) =>
            {
                Kind::Mixed
            }
            // Indices have a list of their own, which no operator takes.
            mixed if !python && mixed.iter().any(|kind| kind.is_tensor()) && mixed.iter().any(number) => Kind::Mixed,
            _ => Kind::Unknown,
        }
    }

    /// A value of a type.
    pub(super) fn construct(&mut self, path: &Path, parts: &[Typed<'_, 's>]) -> Ty {
        let Some(ty) = vocabulary::type_of(path) else {
            let known = |name: &str| Helper::find(name).is_some() || MATH.contains(&name);
            if self.is_function(path) || path.single().is_some_and(known) && self.rules() == Rules::Cpp {
                let message = format!("`{}` is a function: call it with parentheses", path.text());
                self.problems.push(Problem::new(path.range.clone(), message));
            }
            return Ty::UNKNOWN;
        };
        if self.rules() == Rules::Cpp {
            self.refused(ty, path, parts);
        }
        match (ty, parts) {
            (TypeName::Tensor, []) => Kind::Undefined.into(),
            (TypeName::Tensor, _) => Kind::Tensor.into(),
            (TypeName::Optional, []) => Kind::Nothing.into(),
            (TypeName::Optional, [one]) => Ty { optional: true, ..one.ty },
            (TypeName::Tuple, _) => Kind::Tuple.into(),
            (TypeName::List(Kind::Unknown), [one]) if one.ty.certain().is_list() => one.ty,
            (TypeName::List(kind), _) => kind.into(),
            (TypeName::Number(kind), _) => kind.into(),
            (TypeName::Integer, _) => Kind::Int.into(),
            (TypeName::Double, _) => Kind::Float.into(),
            (TypeName::Bool, _) => Kind::Bool.into(),
            (TypeName::Optional, _) => Ty::UNKNOWN,
        }
    }
}

/// Values that are copied from braces around them.
const COPIED: &[Kind] = &[
    Kind::Scalar,
    Kind::Text,
    Kind::Dtype,
    Kind::TypeMeta,
    Kind::Layout,
    Kind::Device,
    Kind::MemoryFormat,
    Kind::Options,
    Kind::Tuple,
    Kind::Nothing,
];
