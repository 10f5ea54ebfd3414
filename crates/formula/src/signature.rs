//! The functions and methods of C++ that formulas can call, and the one that a call selects.
//!
//! Invariant: an overload is selected as C++ does: it is better than each other one that fits in an
//! argument, and worse in none.

use super::convert::{EXACT, Rules, distance};
use super::fit::{Fit, Target, fit};
use super::passed::Passed;
use super::{Ty, ValueKind};
use torchgen_model::model::{Argument, Type};

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// The argument of the schema; `None` for dtype, layout, device and pinning as one value.
    pub argument: Option<Argument>,
    /// It has a default in C++.
    pub has_default: bool,
    /// It is an `int` in C++, whatever type the argument of the schema has.
    pub is_word: bool,
}

impl Parameter {
    fn target(&self, symbolic: bool) -> Target {
        match &self.argument {
            _ if self.is_word => Target::Word,
            Some(argument) if argument.is_write() && argument.ty == Type::TENSOR => Target::Changed,
            Some(argument) => Target::from_schema_type(&argument.ty, symbolic),
            None => Target::Class(ValueKind::Options),
        }
    }
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
    /// The elements of the tuple that it returns; none if it returns no tuple, or they are not
    /// known.
    pub elements: Vec<Ty>,
    /// The operator, by its place in the list that the scope made it from.
    pub operator: usize,
}

impl Signature {
    /// Whether it takes that number of arguments.
    pub fn takes(&self, count: usize) -> bool {
        let least = self.parameters.iter().filter(|parameter| !parameter.has_default).count();
        (least..=self.parameters.len()).contains(&count)
    }

    /// The types of the first parameters.
    fn targets(&self, count: usize) -> Vec<Target> {
        self.parameters[..count].iter().map(|parameter| parameter.target(self.symbolic)).collect()
    }

    /// How each argument fits; `None` if one does not.
    fn fits(&self, arguments: &[Passed]) -> Option<Vec<Fit>> {
        if !self.takes(arguments.len()) {
            return None;
        }
        arguments.iter().zip(self.targets(arguments.len())).map(|(value, target)| fit(value, &target)).collect()
    }

    /// How far each argument is from its parameter in Python; `None` if one does not fit.
    fn distances(&self, arguments: &[Passed]) -> Option<Vec<u8>> {
        if !self.takes(arguments.len()) {
            return None;
        }
        let pairs = arguments.iter().zip(&self.parameters);
        pairs
            .map(|(value, parameter)| match &parameter.argument {
                Some(argument) => distance(value.ty, &argument.ty, self.symbolic, Rules::Python),
                None => to_options(value.ty),
            })
            .collect()
    }

    /// Whether it takes arguments of these types, as far as they are known.
    pub fn accepts(&self, arguments: &[Ty], rules: Rules) -> bool {
        let arguments: Vec<Passed> = arguments.iter().map(|ty| Passed::of_type(*ty)).collect();
        self.takes_values(&arguments, rules)
    }

    fn takes_values(&self, arguments: &[Passed], rules: Rules) -> bool {
        self.fits(arguments).is_some() || rules == Rules::Python && self.distances(arguments).is_some()
    }
}

fn to_options(value: Ty) -> Option<u8> {
    match value.certain() {
        ValueKind::Unknown | ValueKind::Never | ValueKind::Options => Some(EXACT),
        ValueKind::Dtype
        | ValueKind::TypeMeta
        | ValueKind::Device
        | ValueKind::Layout
        | ValueKind::MemoryFormat
        | ValueKind::Empty
        | ValueKind::Text => Some(2),
        _ => None,
    }
}

/// What a call selects among signatures of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selected<'s> {
    /// The signature that fits best; several where a type that is not known decides.
    Best(Vec<&'s Signature>),
    /// Several take the arguments equally well, and differ at that place if at any.
    Ambiguous(Vec<&'s Signature>, Option<usize>),
    /// None takes so many arguments.
    Count,
    /// None takes these arguments. The argument, by its place, without which the others fit, or
    /// else the first of a known type.
    Types(usize),
}

/// A signature that takes the arguments, with the types of its parameters.
struct Candidate<'s> {
    signature: &'s Signature,
    targets: Vec<Target>,
    fits: Vec<Fit>,
}

/// How one signature is beside another.
#[derive(PartialEq, Eq)]
struct Beside {
    /// It is better in an argument.
    better: bool,
    /// It is worse in one.
    worse: bool,
    /// It may be either in one.
    unsure: bool,
}

impl Candidate<'_> {
    fn beside(&self, other: &Candidate<'_>) -> Beside {
        let mut found = Beside { better: false, worse: false, unsure: false };
        for (i, pair) in self.fits.iter().zip(&other.fits).enumerate() {
            match pair {
                (Fit::Rank { rank, .. }, Fit::Rank { rank: of_other, .. }) => {
                    found.better |= rank < of_other;
                    found.worse |= rank > of_other;
                }
                _ => found.unsure |= self.targets[i] != other.targets[i],
            }
        }
        found
    }

    /// The argument whose conversion is an error, or a null pointer for a string, which C++ reads.
    fn refused(&self, arguments: &[Passed]) -> Option<usize> {
        (0..self.fits.len()).find(|&at| {
            let is_null = self.targets[at] == Target::Text && arguments[at].is_null();
            is_null || matches!(self.fits[at], Fit::Rank { allowed: false, .. })
        })
    }
}

/// The overload that C++ calls of those that take the arguments: the one that is better than each
/// other one in an argument, and worse in none.
fn overload<'s>(candidates: &[Candidate<'s>], arguments: &[Passed]) -> Selected<'s> {
    let others = |own: usize| candidates.iter().enumerate().filter(move |(i, _)| *i != own).map(|(_, other)| other);
    let all = |own: usize, test: fn(&Beside) -> bool| others(own).all(|other| test(&candidates[own].beside(other)));
    let best = (0..candidates.len()).find(|own| all(*own, |one| one.better && !one.worse && !one.unsure));
    if let Some(best) = best {
        return match candidates[best].refused(arguments) {
            Some(at) => Selected::Types(at),
            None => Selected::Best(vec![candidates[best].signature]),
        };
    }
    let possible: Vec<&Signature> = (0..candidates.len())
        .filter(|own| all(*own, |one| !one.worse && (one.better || one.unsure)))
        .map(|own| candidates[own].signature)
        .collect();
    if !possible.is_empty() {
        return Selected::Best(possible);
    }
    // Those that none is better than.
    let is_beaten = |own: usize| {
        others(own).any(|other| {
            let beside = other.beside(&candidates[own]);
            beside.better && !beside.worse && !beside.unsure
        })
    };
    let equal: Vec<&Candidate> =
        candidates.iter().enumerate().filter(|(own, _)| !is_beaten(*own)).map(|(_, one)| one).collect();
    let first = &equal[0].targets;
    let differs = |at: &usize| equal.iter().any(|one| one.targets[*at] != first[*at]);
    let at = (0..first.len()).rev().find(differs);
    Selected::Ambiguous(equal.iter().map(|one| one.signature).collect(), at)
}

/// The overload that C++ calls with values of these types.
pub fn selected<'s>(signatures: &'s [Signature], arguments: &[Ty]) -> Option<&'s Signature> {
    let arguments: Vec<Passed> = arguments.iter().map(|ty| Passed::of_type(*ty)).collect();
    match select(signatures, &arguments, Rules::Cpp) {
        Selected::Best(best) if best.len() == 1 => best.first().copied(),
        _ => None,
    }
}

/// Selects the overload of a call as C++ does. A translation to Python also takes what C++ does not
/// convert.
pub(super) fn select<'s>(signatures: &'s [Signature], arguments: &[Passed], rules: Rules) -> Selected<'s> {
    if !signatures.iter().any(|one| one.takes(arguments.len())) {
        return Selected::Count;
    }
    let mut candidates: Vec<Candidate> = Vec::new();
    for signature in signatures {
        let Some(fits) = signature.fits(arguments) else { continue };
        let targets = signature.targets(arguments.len());
        let again = |one: &Candidate| one.signature.operator == signature.operator && one.targets == targets;
        if !candidates.iter().any(again) {
            candidates.push(Candidate { signature, targets, fits });
        }
    }
    if !candidates.is_empty() {
        return overload(&candidates, arguments);
    }
    if rules == Rules::Python {
        let fitting: Vec<(&Signature, Vec<u8>)> =
            signatures.iter().filter_map(|one| Some((one, one.distances(arguments)?))).collect();
        let beats = |one: &[u8], other: &[u8]| one != other && one.iter().zip(other).all(|(a, b)| a <= b);
        let is_best = |own: &[u8]| !fitting.iter().any(|(_, other)| beats(other, own));
        let best: Vec<&Signature> =
            fitting.iter().filter(|(_, own)| is_best(own)).map(|(signature, _)| *signature).collect();
        if !best.is_empty() {
            return Selected::Best(best);
        }
    }
    let fits_without = |i: &usize| {
        let mut others = arguments.to_vec();
        others[*i] = Passed::of_type(Ty::UNKNOWN);
        signatures.iter().any(|one| one.takes_values(&others, rules))
    };
    let fits_nowhere = |i: &usize| {
        let mut alone = vec![Passed::of_type(Ty::UNKNOWN); arguments.len()];
        alone[*i] = arguments[*i].clone();
        !signatures.iter().any(|one| one.takes_values(&alone, rules))
    };
    let known = |i: &usize| arguments[*i].ty.kind != ValueKind::Unknown;
    let all = || (0..arguments.len()).filter(known);
    let first = all().find(fits_without).or_else(|| all().find(fits_nowhere)).or_else(|| all().next());
    Selected::Types(first.unwrap_or_default())
}
