//! How well a value fits into a parameter of a C++ function: the ranks of overload resolution.
//!
//! Invariant: the ranks are those of C++. `tests/slow` compares them with the compiler's choice for
//! all pairs of parameters and all kinds of values.

use super::passed::{Passed, ValueForm};
use super::{Ty, ValueKind};
use torchgen_model::model::{BaseTy, Type};

/// The type of a parameter, as far as values of formulas convert to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// `int`
    Word,
    /// `int64_t`
    Long,
    /// `double`
    Double,
    /// `bool`
    Bool,
    /// An enumeration, by the kind of its values.
    Enumeration(ValueKind),
    /// A class that values are of, by their kind: a tensor, a `Scalar`, a `SymInt` or another.
    Class(ValueKind),
    /// `c10::Device`
    Device,
    /// A string.
    Text,
    /// A view of a list.
    View(Box<Target>),
    /// A view of a list that may be missing, in a class of its own.
    OptionalView(Box<Target>),
    /// An array of so many bools.
    Array(u32),
    /// A `std::optional`.
    Optional(Box<Target>),
    /// A tensor that the function changes.
    Changed,
    /// A class that no value of a formula converts to.
    Nowhere,
    /// Not known.
    Unknown,
}

impl Target {
    /// The type of a parameter of the schema's type. `symbolic` functions take symbolic integers
    /// where the schema has `SymInt`.
    pub(super) fn from_schema_type(ty: &Type, symbolic: bool) -> Target {
        match ty {
            Type::Base(base) => Target::of_base(*base, symbolic),
            Type::Optional(inner) => match (&**inner, Target::from_schema_type(inner, symbolic)) {
                (Type::List(..), Target::View(element)) if matches!(*element, Target::Long | Target::Class(_)) => {
                    match *element {
                        Target::Class(ValueKind::Tensor | ValueKind::Scalar) => {
                            Target::Optional(Box::new(Target::View(element)))
                        }
                        _ => Target::OptionalView(element),
                    }
                }
                (_, inner) => Target::Optional(Box::new(inner)),
            },
            Type::List(inner, size) => match (Target::from_schema_type(inner, symbolic), size) {
                (Target::Bool, Some(size)) => Target::Array(*size),
                (Target::Optional(of), _) if *of == Target::Class(ValueKind::Tensor) => {
                    Target::Class(ValueKind::Optionals)
                }
                (Target::Unknown, _) => Target::Unknown,
                (element, _) => Target::View(Box::new(element)),
            },
            Type::Dict(..) | Type::CustomClass(_) => Target::Unknown,
        }
    }

    fn of_base(base: BaseTy, symbolic: bool) -> Target {
        match base {
            BaseTy::Int => Target::Long,
            BaseTy::SymInt if symbolic => Target::Class(ValueKind::SymInt),
            BaseTy::SymInt => Target::Long,
            BaseTy::Float => Target::Double,
            BaseTy::Bool => Target::Bool,
            BaseTy::Tensor => Target::Class(ValueKind::Tensor),
            BaseTy::Scalar => Target::Class(ValueKind::Scalar),
            BaseTy::Generator => Target::Class(ValueKind::Generator),
            BaseTy::ScalarType => Target::Enumeration(ValueKind::Dtype),
            BaseTy::Layout => Target::Enumeration(ValueKind::Layout),
            BaseTy::MemoryFormat => Target::Enumeration(ValueKind::MemoryFormat),
            BaseTy::Device => Target::Device,
            BaseTy::Str => Target::Text,
            BaseTy::Dimname => Target::Nowhere,
            _ => Target::Unknown,
        }
    }

    /// A number that is no class.
    fn is_arithmetic(&self) -> bool {
        matches!(self, Target::Word | Target::Long | Target::Double | Target::Bool)
    }

    /// Something that a number converts to by a constructor with one argument.
    fn is_made_of_number(&self) -> bool {
        match self {
            Target::Class(ValueKind::SymInt | ValueKind::Scalar) => true,
            Target::Optional(inner) => match &**inner {
                Target::View(element) => **element == Target::Double,
                inner => inner.is_arithmetic() || inner.is_made_of_number(),
            },
            Target::View(element) => element.is_arithmetic(),
            Target::OptionalView(element) => **element == Target::Long,
            _ => false,
        }
    }
}

/// How a value fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// By a conversion of that rank. If it is not `allowed`, a call that selects it is an error.
    Rank {
        /// The rank.
        rank: u8,
        /// The conversion exists, and loses nothing where that is an error.
        allowed: bool,
    },
    /// If it fits, it is not known how.
    Unknown,
}

/// A value has the type of the parameter.
const EXACT: Fit = Fit::Rank { rank: 0, allowed: true };
/// A bool as an `int`.
const PROMOTED: Fit = Fit::Rank { rank: 1, allowed: true };
/// A conversion between types of the language.
const CONVERTED: Fit = Fit::Rank { rank: 2, allowed: true };
/// A conversion that a class declares. No two of them are one better than the other.
const MADE: Fit = Fit::Rank { rank: 3, allowed: true };
/// The same by a constructor that is explicit or ambiguous, or with a number that may not fit.
const MADE_WRONG: Fit = Fit::Rank { rank: 3, allowed: false };

/// How a value fits into a parameter; `None` if it does not.
pub(super) fn fit(value: &Passed, target: &Target) -> Option<Fit> {
    match &value.elements {
        Some(elements) => of_braces(elements, target),
        None => of_value(value, target),
    }
}

fn of_value(value: &Passed, target: &Target) -> Option<Fit> {
    let Ty { kind, .. } = value.ty;
    if matches!(kind, ValueKind::Unknown | ValueKind::Never) || *target == Target::Unknown {
        return Some(Fit::Unknown);
    }
    if value.ty.is_optional() {
        return of_optional(kind, target);
    }
    if *target == Target::Changed {
        return match value.is_variable {
            Some(false) => None,
            is_variable => (kind == ValueKind::Tensor).then_some(is_variable.map_or(Fit::Unknown, |_| EXACT)),
        };
    }
    let made = |fits: bool| fits.then_some(MADE);
    let optional = |wanted: &Target| matches!(target, Target::Optional(inner) if **inner == *wanted);
    let view = |wanted: &Target| match target {
        Target::View(element) => **element == *wanted,
        Target::OptionalView(element) => **element == *wanted,
        Target::Optional(inner) => matches!(&**inner, Target::View(element) if **element == *wanted),
        _ => false,
    };
    let class = Target::Class(kind);
    match kind {
        ValueKind::Int | ValueKind::Float | ValueKind::Bool => of_number(value, target),
        ValueKind::SymInt
        | ValueKind::Scalar
        | ValueKind::Tensor
        | ValueKind::Undefined
        | ValueKind::Generator
        | ValueKind::Optionals => {
            let class = if kind == ValueKind::Undefined { Target::Class(ValueKind::Tensor) } else { class };
            if *target == class {
                // It may be an optional, which fits another parameter better.
                return Some(if value.ty.optional { Fit::Unknown } else { EXACT });
            }
            if value.ty.optional && optional(&class) {
                return Some(Fit::Unknown);
            }
            let scalar = Target::Class(ValueKind::Scalar);
            let symbolic = kind == ValueKind::SymInt && (*target == scalar || optional(&scalar));
            let in_view =
                view(&class) && !matches!(target, Target::Optional(inner) if matches!(**inner, Target::View(_)));
            made(optional(&class) || symbolic || in_view && kind != ValueKind::Generator)
        }
        ValueKind::SymFloat | ValueKind::Complex => {
            let scalar = Target::Class(ValueKind::Scalar);
            made(*target == scalar || optional(&scalar))
        }
        ValueKind::OptionalTensor => made(optional(&Target::Class(ValueKind::Tensor))),
        ValueKind::Text => of_text(value.form, target),
        ValueKind::Dtype | ValueKind::Layout | ValueKind::MemoryFormat => {
            let own = Target::Enumeration(kind);
            match *target == own {
                true => Some(EXACT),
                false => made(optional(&own) || *target == Target::Class(ValueKind::Options)),
            }
        }
        ValueKind::TypeMeta => made(*target == Target::Class(ValueKind::Options)),
        ValueKind::Device => match *target == Target::Device {
            true if value.form == ValueForm::DeviceType => Some(MADE),
            true => Some(EXACT),
            false => made(optional(&Target::Device) || *target == Target::Class(ValueKind::Options)),
        },
        ValueKind::Options => (*target == class).then_some(EXACT),
        ValueKind::Nothing => made(matches!(target, Target::Optional(_) | Target::OptionalView(_))),
        ValueKind::Tensors | ValueKind::Ints | ValueKind::SymInts | ValueKind::Floats => {
            let element = match kind {
                ValueKind::Ints => Target::Long,
                ValueKind::Floats => Target::Double,
                _ => Target::Class(kind.element()),
            };
            match target {
                Target::View(_) if !value.is_vector && view(&element) => Some(EXACT),
                _ => made(view(&element)),
            }
        }
        ValueKind::Bools => match target {
            Target::Array(_) => Some(EXACT),
            _ => made(view(&Target::Bool)),
        },
        ValueKind::Empty => of_braces(&[], target),
        _ => None,
    }
}

/// A `std::optional`.
fn of_optional(kind: ValueKind, target: &Target) -> Option<Fit> {
    let wanted = match target {
        Target::OptionalView(element) => {
            let list = matches!(
                (kind, &**element),
                (ValueKind::Ints, Target::Long) | (ValueKind::SymInts, Target::Class(ValueKind::SymInt))
            );
            return list.then_some(MADE);
        }
        Target::Optional(inner) => &**inner,
        _ => return None,
    };
    let fits = match (kind, wanted) {
        (ValueKind::Int, Target::Long) | (ValueKind::Float, Target::Double) | (ValueKind::Bool, Target::Bool) => {
            return Some(EXACT);
        }
        (ValueKind::Device, Target::Device) => return Some(EXACT),
        (kind, Target::Class(own) | Target::Enumeration(own)) if kind == *own => return Some(EXACT),
        (ValueKind::Floats, Target::View(element)) => **element == Target::Double,
        (ValueKind::Tensors, Target::View(element)) => **element == Target::Class(ValueKind::Tensor),
        // Nodes save a `std::string`.
        (ValueKind::Text, Target::Text | Target::Device) => true,
        (ValueKind::Int | ValueKind::Float | ValueKind::Bool, Target::Long | Target::Double) => true,
        (ValueKind::Int | ValueKind::Float | ValueKind::Bool, Target::Class(ValueKind::SymInt | ValueKind::Scalar)) => {
            true
        }
        (ValueKind::Int | ValueKind::Float, Target::View(element)) => **element == Target::Double,
        (ValueKind::SymInt, Target::Class(ValueKind::Scalar)) => true,
        _ => false,
    };
    fits.then_some(MADE)
}

fn of_number(value: &Passed, target: &Target) -> Option<Fit> {
    let own = match (value.ty.kind, value.form) {
        (ValueKind::Float, _) => Some(Target::Double),
        (ValueKind::Bool, _) => Some(Target::Bool),
        (_, ValueForm::Word | ValueForm::Integer { is_word: true, .. }) => Some(Target::Word),
        (_, ValueForm::Unsigned | ValueForm::UnsignedWord) => None,
        _ => Some(Target::Long),
    };
    match target {
        target if own.as_ref() == Some(target) => Some(EXACT),
        Target::Word if value.ty.kind == ValueKind::Bool => Some(PROMOTED),
        target if target.is_arithmetic() => Some(CONVERTED),
        Target::Text => value.is_zero().then_some(MADE),
        target => target.is_made_of_number().then_some(MADE),
    }
}

fn of_text(form: ValueForm, target: &Target) -> Option<Fit> {
    let inner = match target {
        Target::Optional(inner) => &**inner,
        target => target,
    };
    match (form, inner) {
        (ValueForm::Quoted, Target::Bool) if *target == Target::Bool => Some(CONVERTED),
        (ValueForm::Quoted, Target::Bool) => Some(MADE),
        (ValueForm::Quoted, Target::View(element)) if *target == *inner => (**element == Target::Bool).then_some(MADE),
        (form, Target::Device) => (form != ValueForm::Quoted).then_some(MADE),
        (_, Target::Text) => Some(MADE),
        (_, Target::Class(ValueKind::Options)) if *target == *inner => Some(MADE),
        _ => None,
    }
}

/// Values in braces.
fn of_braces(elements: &[Passed], target: &Target) -> Option<Fit> {
    let is_open = |one: &Passed| one.elements.is_none() && matches!(one.ty.kind, ValueKind::Unknown | ValueKind::Never);
    if *target == Target::Unknown || elements.iter().any(is_open) {
        return Some(Fit::Unknown);
    }
    let [one] = elements else { return of_several(elements, target) };
    let made = |fits: bool| fits.then_some(MADE);
    let inner = one.elements.as_deref();
    let is_zero = |inner: Option<&[Passed]>| matches!(inner, Some([zero]) if zero.is_zero());
    let refused = |is: bool| is.then_some(MADE_WRONG);
    match target {
        target if target.is_arithmetic() => match (inner, of_value(one, target)?) {
            (None, Fit::Rank { rank, .. }) if rank < 3 => Some(Fit::Rank { rank, allowed: !narrows(one, target) }),
            _ => None,
        },
        Target::Enumeration(_) => of_value(one, target).filter(|fit| inner.is_none() && *fit == EXACT),
        Target::Class(ValueKind::SymInt) => match inner {
            Some(inner) => of_braces(inner, &Target::Long).map(|_| MADE),
            None if one.ty.certain() == ValueKind::SymInt => Some(EXACT),
            None if narrows(one, &Target::Long) => of_value(one, target).map(|_| MADE_WRONG),
            None => of_value(one, target),
        },
        Target::Class(ValueKind::Tensor) => match inner {
            Some([]) => Some(MADE_WRONG),
            Some(_) => refused(is_zero(inner)),
            None if one.is_zero() => Some(MADE_WRONG),
            None => of_value(one, target).filter(|fit| *fit == EXACT || *fit == Fit::Unknown),
        },
        Target::Class(ValueKind::Scalar) => match inner {
            Some([]) => Some(MADE_WRONG),
            Some(inner) => of_braces(inner, target),
            None if one.form == ValueForm::Quoted => Some(MADE_WRONG),
            None => of_value(one, target),
        },
        Target::Class(ValueKind::Optionals) if inner.is_none() && one.ty.kind == ValueKind::Optionals => Some(EXACT),
        Target::Class(ValueKind::Optionals) if one.is_zero() || is_zero(inner) => Some(MADE_WRONG),
        Target::Array(_) if let Some(inner @ [_, _, ..]) = inner => of_several(inner, target),
        Target::Class(ValueKind::Optionals) | Target::Array(_) => of_several(elements, target),
        Target::Class(ValueKind::Generator)
            if one.is_zero() || is_zero(inner) || inner.is_some_and(<[_]>::is_empty) =>
        {
            Some(MADE_WRONG)
        }
        Target::Class(ValueKind::Options)
            if let Some([] | [Passed { elements: None, ty: Ty { kind: ValueKind::Int, .. }, .. }]) = inner =>
        {
            Some(MADE_WRONG)
        }
        Target::Class(_) => of_value(one, target).filter(|_| inner.is_none()),
        Target::View(element) => match (of_several(elements, target), inner) {
            (Some(fit), _) => Some(fit),
            // A copy of a list, or the elements of one.
            (None, None) => of_value(one, target).filter(|_| one.ty.kind.is_list()),
            (None, Some(inner)) if inner.iter().all(|one| one.elements.is_none()) => of_several(inner, target),
            _ => made(inner.is_some_and(|inner| inner.is_empty() && **element != Target::Nowhere)),
        },
        Target::OptionalView(element) => {
            let view = Target::View(element.clone());
            if one.ty.is_optional() && one.ty.kind == ValueKind::Int && **element == Target::Long {
                return Some(MADE);
            }
            let nested = || inner.and_then(|inner| of_braces(inner, target));
            of_braces(elements, &view).or_else(nested).or_else(|| of_value(one, target).filter(|_| inner.is_none()))
        }
        Target::Optional(of) => match inner {
            Some([]) if **of == Target::Device => None,
            Some(inner) => match (of_braces(inner, of), of_braces(inner, target)) {
                (Some(Fit::Unknown), _) | (_, Some(Fit::Unknown)) => Some(Fit::Unknown),
                (None, None) => None,
                (one, other) => Some(if one.or(other).is_some_and(is_allowed) || other.is_some_and(is_allowed) {
                    MADE
                } else {
                    MADE_WRONG
                }),
            },
            // A constructor of the optional takes the number, which is no pointer then.
            None if one.is_zero() && matches!(**of, Target::Text | Target::Device) => None,
            None if one.form == ValueForm::Quoted && **of == Target::Device => None,
            None => match of_value(one, target) {
                Some(EXACT) if one.ty.is_optional() => Some(EXACT),
                Some(Fit::Unknown) => Some(Fit::Unknown),
                found => made(found.is_some() || of_braces(elements, of).is_some_and(is_made)),
            },
        },
        Target::Text => made(match inner {
            Some(inner) => inner.is_empty() || is_zero(Some(inner)),
            None => one.ty.kind == ValueKind::Text || one.is_zero(),
        }),
        Target::Device => made(match inner {
            // The letters of a string.
            Some(inner) => inner.iter().all(is_letters),
            None => matches!(one.ty.kind, ValueKind::Text | ValueKind::Device) || one.is_zero(),
        }),
        _ => None,
    }
}

/// Whether a value can be the letters of a string: integers, in braces or without.
fn is_letters(value: &Passed) -> bool {
    match &value.elements {
        Some(elements) => !elements.is_empty() && elements.iter().all(is_letters),
        None => matches!(value.form, ValueForm::Integer { .. }),
    }
}

fn is_allowed(fit: Fit) -> bool {
    !matches!(fit, Fit::Rank { allowed: false, .. })
}

/// Whether a conversion is allowed and by a constructor.
fn is_made(fit: Fit) -> bool {
    fit == MADE
}

/// No value in braces, or several.
fn of_several(elements: &[Passed], target: &Target) -> Option<Fit> {
    let all = |target: &Target| {
        let fits: Option<Vec<Fit>> = elements.iter().map(|one| fit(one, target)).collect();
        let wrong = |fits: Vec<Fit>| {
            let refused = fits.iter().any(|fit| matches!(fit, Fit::Rank { allowed: false, .. }));
            if refused || elements.iter().any(|one| narrows(one, target)) { MADE_WRONG } else { MADE }
        };
        fits.map(wrong)
    };
    match target {
        Target::Device | Target::Nowhere | Target::Changed => None,
        Target::Class(ValueKind::Optionals) if elements.is_empty() => Some(MADE_WRONG),
        target if elements.is_empty() && (target.is_arithmetic() || matches!(target, Target::Enumeration(_))) => {
            Some(EXACT)
        }
        _ if elements.is_empty() => Some(MADE),
        Target::View(element) => match &**element {
            // A number makes a view of one, which is none of several.
            Target::View(_) => None,
            Target::Class(ValueKind::Tensor) if elements.len() == 2 && elements.iter().all(Passed::is_zero) => {
                Some(MADE_WRONG)
            }
            element => all(element),
        },
        Target::OptionalView(element) => of_several(elements, &Target::View(element.clone())),
        Target::Array(size) => match u32::try_from(elements.len()).is_ok_and(|count| count <= *size) {
            true => all(&Target::Bool),
            false => None,
        },
        Target::Class(ValueKind::Optionals) => {
            let fits = |one: &Passed| match &one.elements {
                Some(inner) => inner.is_empty(),
                None => {
                    one.ty.kind.is_tensor() || matches!(one.ty.kind, ValueKind::OptionalTensor | ValueKind::Nothing)
                }
            };
            elements.iter().all(fits).then_some(MADE)
        }
        Target::Class(ValueKind::Scalar) => {
            let is_number = |one: &Passed| one.elements.is_none() && one.ty.kind.is_number();
            let numbers =
                elements.iter().all(is_number) && elements.iter().any(|one| one.ty.certain() != ValueKind::Bool);
            (elements.len() == 2 && numbers).then_some(MADE_WRONG)
        }
        Target::Text => (elements.len() == 2 && elements.iter().all(Passed::is_zero)).then_some(MADE),
        _ => None,
    }
}

/// Whether a number in braces may lose something, which is an error.
fn narrows(value: &Passed, target: &Target) -> bool {
    let number = match value.form {
        ValueForm::Integer { value, .. } => Some(value),
        _ => None,
    };
    let is_constant = number.is_some() || value.form == ValueForm::Constant;
    match (value.ty.certain(), target) {
        (ValueKind::Float, Target::Long | Target::Word | Target::Bool | Target::Class(ValueKind::SymInt)) => true,
        (_, Target::Long | Target::Word | Target::Double | Target::Class(ValueKind::SymInt))
            if value.form == ValueForm::UnsignedWord =>
        {
            false
        }
        (ValueKind::Int, Target::Bool) => !number.is_some_and(|number| matches!(number, 0 | 1)),
        (ValueKind::Int, Target::Word) => {
            number.is_none() && value.form != ValueForm::Word
                || number.is_some_and(|number| i32::try_from(number).is_err())
        }
        (ValueKind::Int, Target::Long | Target::Class(ValueKind::SymInt)) => value.form == ValueForm::Unsigned,
        (ValueKind::Int | ValueKind::Bool, Target::Double) => !is_constant,
        (ValueKind::Text, Target::Bool) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
