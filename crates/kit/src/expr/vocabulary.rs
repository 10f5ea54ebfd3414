//! The interface to a family's additions.

use super::syntax::Call;
use super::typed::{CustomCall, Typed};
use super::types::{Function, Type};
use torchgen_base::diag::TextError;

/// A name with a fixed meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// Its type.
    pub ty: Type,
    /// Its C++ spelling.
    pub cpp: String,
}

/// A family's additions to the language.
pub trait Vocabulary {
    /// The meaning of a name that is not a variable.
    fn constant(&self, name: &str) -> Option<Constant>;

    /// The names of all constants, for suggestions.
    fn constants(&self) -> Vec<&str>;

    /// All functions without side effects, those of the language included.
    fn functions(&self) -> &[Function];

    /// Handles a call of the family; `None` if it is not one, so that the functions apply.
    ///
    /// # Errors
    /// The call is wrong.
    fn call(
        &self,
        _call: &Call,
        _positional: &[Typed],
        _keywords: &[(String, Typed)],
        _variable: Option<&Type>,
    ) -> Option<Result<CustomCall, TextError>> {
        None
    }

    /// What to write in place of a comparison of values of a type of the family; `None` if they can
    /// be compared.
    fn instead_of_comparing(&self, _ty: &str) -> Option<&'static str> {
        None
    }

    /// The properties of values, `a.name`. The value is the only parameter.
    fn properties(&self) -> &[Function] {
        &[]
    }

    /// The methods of values, `a.name(b)`. The value is the first parameter.
    fn methods(&self) -> &[Function] {
        &[]
    }

    /// Whether `/` divides integers, rounded down, as `//` does.
    fn divides_whole(&self) -> bool {
        false
    }

    /// The names of the calls that the family handles, for suggestions.
    fn callees(&self) -> Vec<&str> {
        Vec::new()
    }
}
