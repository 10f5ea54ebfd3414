//! The functions and methods of C++ that formulas can call, and the one that a call selects.
//!
//! Invariant: an overload is selected as C++ does: none that fits is better in one argument without
//! being worse in another.

use super::convert::{EXACT, Rules, distance};
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
    /// Several take the empty braces at that place equally well.
    Ambiguous(Vec<&'s Signature>, usize),
    /// None takes so many arguments.
    Count,
    /// None takes these arguments. The argument, by its place, without which the others fit, or
    /// else the first of a known type.
    Types(usize),
}

/// Whether empty braces at that place make objects of several classes, while all other parameters
/// are the same: each is made by a constructor of its own, and none of these is better.
fn ambiguous(best: &[&Signature], count: usize, at: usize) -> bool {
    let ty = |one: &Signature, i: usize| one.parameters[i].argument.as_ref().map(|argument| argument.ty.clone());
    let [first, rest @ ..] = best else { return false };
    let others = |one: &&Signature| (0..count).filter(|i| *i != at).all(|i| ty(one, i) == ty(first, i));
    let made = |one: &Signature| ty(one, at).is_some_and(|ty| is_class(&ty));
    rest.iter().all(others) && best.iter().all(|one| made(one)) && rest.iter().any(|one| ty(one, at) != ty(first, at))
}

/// A class of C++ that empty braces make an object of.
fn is_class(ty: &Type) -> bool {
    match ty {
        Type::Optional(_) => true,
        Type::List(_, None) => Kind::of(ty).is_list(),
        _ => matches!(Kind::of(ty), Kind::Tensor | Kind::Scalar),
    }
}

/// Selects the overload of a call.
pub(crate) fn select<'s>(signatures: &'s [Signature], arguments: &[Ty], rules: Rules) -> Selected<'s> {
    if !signatures.iter().any(|one| one.takes(arguments.len())) {
        return Selected::Count;
    }
    let fitting: Vec<(&Signature, Vec<u8>)> =
        signatures.iter().filter_map(|one| Some((one, one.distances(arguments, rules)?))).collect();
    let beats = |one: &[u8], other: &[u8]| one != other && one.iter().zip(other).all(|(a, b)| a <= b);
    let best: Vec<&Signature> = fitting
        .iter()
        .filter(|(_, own)| !fitting.iter().any(|(_, other)| beats(other, own)))
        .map(|(signature, _)| *signature)
        .collect();
    if !best.is_empty() {
        return match arguments.iter().position(|value| value.kind == Kind::Empty) {
            Some(at) if rules == Rules::Cpp && ambiguous(&best, arguments.len(), at) => Selected::Ambiguous(best, at),
            _ => Selected::Best(best),
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
