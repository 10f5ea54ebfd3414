//! Elements and members of values.
//!
//! Invariant: what is reported is not an element or a member in C++.

use std::ops::Range;
use torchgen_base::diag::Help;

use super::convert::Rules;
use super::typed::{Checker, Typed};
use super::{Problem, Ty, ValueKind};

impl<'s> Checker<'s> {
    pub(super) fn index(&mut self, parts: &[Typed<'_, 's>]) -> Ty {
        let [object, index] = parts else { return Ty::UNKNOWN };
        let kind = object.ty.certain();
        let elements = kind.is_list() || matches!(kind, ValueKind::Optionals | ValueKind::Text);
        let no_integer = matches!(
            index.ty.kind,
            ValueKind::SymInt
                | ValueKind::SymFloat
                | ValueKind::Scalar
                | ValueKind::Complex
                | ValueKind::Nothing
                | ValueKind::Tuple
                | ValueKind::Dtype
                | ValueKind::TypeMeta
                | ValueKind::Layout
                | ValueKind::MemoryFormat
                | ValueKind::Device
                | ValueKind::Other
        );
        let no_index = index.ty.certain().is_list()
            || matches!(index.ty.kind, ValueKind::Text | ValueKind::Options)
            || elements && self.rules() == Rules::Cpp && (no_integer || index.ty.is_optional());
        let bare = kind.is_number()
            || matches!(
                kind,
                ValueKind::OptionalTensor
                    | ValueKind::Nothing
                    | ValueKind::Layout
                    | ValueKind::Device
                    | ValueKind::MemoryFormat
                    | ValueKind::Generator
            )
            || matches!(
                kind,
                ValueKind::Scalar
                    | ValueKind::Dtype
                    | ValueKind::TypeMeta
                    | ValueKind::Options
                    | ValueKind::Tuple
                    | ValueKind::Other
            )
            || object.ty.is_optional() && self.rules() == Rules::Cpp;
        let tensor = index.ty.certain().is_tensor() && kind.is_list();
        if bare || (no_index || tensor) && kind != ValueKind::Unknown {
            let (range, message) = match bare {
                true => (object.expr.range.clone(), format!("{} has no elements", object.ty.name())),
                false => (index.expr.range.clone(), format!("{} is not an index", index.ty.name())),
            };
            self.problems.push(Problem::new(range, message));
        }
        match kind {
            ValueKind::Tensor => ValueKind::Tensor.into(),
            ValueKind::Text if self.rules() == Rules::Cpp => ValueKind::Int.into(),
            ValueKind::Optionals if self.rules() == Rules::Cpp && self.is_vector(object.expr) => {
                ValueKind::OptionalTensor.into()
            }
            ValueKind::Optionals if self.rules() == Rules::Cpp => Ty { kind: ValueKind::Tensor, optional: true },
            kind => kind.element().into(),
        }
    }

    pub(super) fn member(&mut self, name: &str, place: &Range<usize>, object: Ty) {
        let kind = object.certain();
        if object.kind != ValueKind::Unknown && self.rules() == Rules::Cpp {
            let message = format!("{} has no member `{name}`", object.name());
            let help = match method_of_python(name) {
                Some(method) => format!("write `.{method}`"),
                None => format!("a method is called: `.{name}()`"),
            };
            let help = kind.is_tensor().then_some(help);
            self.problems.push(Problem { help: help.map(Help::from), ..Problem::new(place.clone(), message) });
        }
    }
}

/// The method for an attribute of Python's tensors.
fn method_of_python(attribute: &str) -> Option<&'static str> {
    Some(match attribute {
        "shape" => "sizes()",
        "T" => "t()",
        "mT" => "mT()",
        "H" => "conj().t()",
        "dtype" => "scalar_type()",
        "device" => "device()",
        "ndim" => "dim()",
        "layout" => "layout()",
        "real" => "real()",
        "imag" => "imag()",
        _ => return None,
    })
}
