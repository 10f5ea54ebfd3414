//! Values as C++ passes them: what their type does not say, and overload resolution asks.
//!
//! Invariant: a form other than [`ValueForm::Plain`] is certain.

use super::{Ty, ValueKind};

/// What is known of a value besides its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueForm {
    /// Nothing: an integer is an `int64_t`, a number a `double`.
    Plain,
    /// An `int`.
    Word,
    /// A `size_t`.
    Unsigned,
    /// An `unsigned int` that is written as a number.
    UnsignedWord,
    /// An integer that is written as a number.
    Integer {
        /// Its value.
        value: i64,
        /// It is an `int`.
        is_word: bool,
        /// Nothing is before it, so that zero is a pointer too.
        is_literal: bool,
    },
    /// `true`, `false`, or a number with a fraction.
    Constant,
    /// A string in quotes.
    Quoted,
    /// The type of a device, such as `at::kCPU`.
    DeviceType,
}

/// A value that is passed.
#[derive(Debug, Clone)]
pub(super) struct Passed {
    pub(super) ty: Ty,
    pub(super) form: ValueForm,
    /// It is a `std::vector`, not a view of a list.
    pub(super) is_vector: bool,
    /// It is a variable that can be changed; `None` if that is not known.
    pub(super) is_variable: Option<bool>,
    /// The values in braces.
    pub(super) elements: Option<Vec<Passed>>,
}

impl Passed {
    /// A value of which only the type is known.
    pub(super) fn of_type(ty: Ty) -> Passed {
        // Values in braces fit by what is in them.
        let is_open = matches!(
            ty.kind,
            ValueKind::Braces
                | ValueKind::Elements
                | ValueKind::Braced
                | ValueKind::Fraction
                | ValueKind::Nested
                | ValueKind::Mixed
        );
        Passed {
            ty: if is_open { Ty::UNKNOWN } else { ty },
            form: ValueForm::Plain,
            is_vector: false,
            is_variable: None,
            elements: None,
        }
    }

    /// Zero, also in braces.
    pub(super) fn is_null(&self) -> bool {
        self.is_zero() || matches!(self.elements.as_deref(), Some([one]) if one.is_null())
    }

    /// Zero as it is written, which is a pointer to nothing too.
    pub(super) fn is_zero(&self) -> bool {
        matches!(self.form, ValueForm::Integer { value: 0, is_literal: true, .. })
    }
}
