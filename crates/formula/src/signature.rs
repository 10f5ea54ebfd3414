//! The functions and methods of C++ that formulas can call, and the one that a call selects.
//!
//! Invariant: an overload is selected as C++ does: none that fits is better in one argument without
//! being worse in another.

use super::convert::{DECLARED, EXACT, Rules, distance};
use super::{Kind, Ty};
use torchgen_model::model::{Argument, Type};

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The argument of the schema; `None` for dtype, layout, device and pinning as one value.
    pub argument: Option<Argument>,
    /// It has a default in C++.
    pub has_default: bool,
}

/// One C++ signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// Name and parameters in C++, without defaults.
    pub declaration: String,
    /// The parameters, without the object of a method.
    pub parameters: Vec<Parameter>,
    /// Parameters take symbolic integers where the schema has `SymInt`.
    pub symbolic: bool,
    /// What it returns.
    pub returns: Ty,
    /// The elements of the tuple that it returns, if they are of one kind.
    pub element: Kind,
    /// The operator, by its place in the list that the scope made it from.
    pub operator: usize,
}

impl Signature {
    /// Whether it takes that number of arguments.
    pub fn takes(&self, count: usize) -> bool {
        let least = self.parameters.iter().filter(|parameter| !parameter.has_default).count();
        (least..=self.parameters.len()).contains(&count)
    }

    /// How far each argument is from its parameter; `None` if one does not fit.
    fn distances(&self, arguments: &[Ty], rules: Rules) -> Option<Vec<u8>> {
        if !self.takes(arguments.len()) {
            return None;
        }
        let pairs = arguments.iter().zip(&self.parameters);
        pairs
            .map(|(value, parameter)| match &parameter.argument {
                Some(argument) => distance(*value, &argument.ty, self.symbolic, rules),
                None => to_options(*value),
            })
            .collect()
    }

    /// Whether it takes arguments of these types, as far as they are known.
    pub fn accepts(&self, arguments: &[Ty], rules: Rules) -> bool {
        self.distances(arguments, rules).is_some()
    }
}

fn to_options(value: Ty) -> Option<u8> {
    match value.certain() {
        Kind::Unknown | Kind::Never | Kind::Options => Some(EXACT),
        Kind::Dtype | Kind::TypeMeta | Kind::Device | Kind::Layout | Kind::MemoryFormat | Kind::Empty | Kind::Text => {
            Some(2)
        }
        _ => None,
    }
}

/// What a call selects among signatures of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selected<'s> {
    /// The signatures than which none fits better.
    Best(Vec<&'s Signature>),
    /// Several take the value at that place equally well.
    Ambiguous(Vec<&'s Signature>, usize),
    /// None takes so many arguments.
    Count,
    /// None takes these arguments. The argument, by its place, without which the others fit, or
    /// else the first of a known type.
    Types(usize),
}

/// The argument for which no signature is better: each parameter is made from it by a constructor
/// of its own class, while all other parameters are the same or made so too. `is_vector` are lists
/// that are a `std::vector`.
fn ambiguous(best: &[&Signature], arguments: &[Ty], is_vector: &dyn Fn(usize) -> bool) -> Option<usize> {
    let ty = |one: &Signature, i: usize| one.parameters[i].argument.as_ref().map(|argument| argument.ty.clone());
    let made = |one: &Signature, i: usize| {
        let value = arguments[i];
        ty(one, i).is_some_and(|ty| match value.kind {
            Kind::Unknown | Kind::Never => false,
            Kind::Empty => is_class(&ty),
            _ if value.is_optional() => false,
            _ => matches!(ty, Type::Optional(_)) || matches!(ty, Type::List(..)) && is_vector(i),
        })
    };
    let differs = |one: &Signature, other: &Signature, i: usize| ty(one, i) != ty(other, i);
    let places = || 0..arguments.len();
    let pairs = || (0..best.len()).flat_map(|i| best[i + 1..].iter().map(move |other| (best[i], *other)));
    let alike = |(one, other): (&Signature, &Signature)| {
        places().all(|i| !differs(one, other, i) || made(one, i) && made(other, i))
            && places().any(|i| differs(one, other, i))
    };
    let last = places().rev().find(|i| pairs().any(|(one, other)| differs(one, other, *i)))?;
    pairs().all(alike).then_some(last)
}

/// A class of C++ that empty braces make an object of.
fn is_class(ty: &Type) -> bool {
    match ty {
        Type::Optional(_) => true,
        Type::List(elem, None) => matches!(**elem, Type::Base(_)),
        _ => matches!(Kind::of(ty), Kind::Tensor | Kind::Scalar),
    }
}

/// Selects the overload of a call. `is_vector` are arguments that are a `std::vector`.
pub(crate) fn select<'s>(
    signatures: &'s [Signature],
    arguments: &[Ty],
    is_vector: &dyn Fn(usize) -> bool,
    rules: Rules,
) -> Selected<'s> {
    if !signatures.iter().any(|one| one.takes(arguments.len())) {
        return Selected::Count;
    }
    let distances = |one: &Signature| {
        let mut all = one.distances(arguments, rules)?;
        // The view of a vector is made by a constructor.
        let vectors = all.iter_mut().enumerate().filter(|(i, _)| rules == Rules::Cpp && is_vector(*i));
        vectors.for_each(|(_, distance)| *distance = (*distance).max(DECLARED));
        Some(all)
    };
    let fitting: Vec<(&Signature, Vec<u8>)> =
        signatures.iter().filter_map(|one| Some((one, distances(one)?))).collect();
    let beats = |one: &[u8], other: &[u8]| one != other && one.iter().zip(other).all(|(a, b)| a <= b);
    let best: Vec<&Signature> = fitting
        .iter()
        .filter(|(_, own)| !fitting.iter().any(|(_, other)| beats(other, own)))
        .map(|(signature, _)| *signature)
        .collect();
    if !best.is_empty() {
        return match ambiguous(&best, arguments, is_vector).filter(|_| rules == Rules::Cpp) {
            Some(at) => Selected::Ambiguous(best, at),
            None => Selected::Best(best),
        };
    }
    let fits_without = |i: &usize| {
        let mut others = arguments.to_vec();
        others[*i] = Ty::UNKNOWN;
        signatures.iter().any(|one| one.accepts(&others, rules))
    };
    let fits_nowhere = |i: &usize| {
        let mut alone = vec![Ty::UNKNOWN; arguments.len()];
        alone[*i] = arguments[*i];
        !signatures.iter().any(|one| one.accepts(&alone, rules))
    };
    let known = |i: &usize| arguments[*i].kind != Kind::Unknown;
    let all = || (0..arguments.len()).filter(known);
    let first = all().find(fits_without).or_else(|| all().find(fits_nowhere)).or_else(|| all().next());
    Selected::Types(first.unwrap_or_default())
}
