//! Which types have all values of others, as schemas spell them.
//!
//! Invariant: [`accepts`] agrees with PyTorch's check of two schemas, which a test asks. Rule:
//! aten/src/ATen/core/function_schema.cpp, `Argument::isBackwardCompatibleWith`: an integer, a
//! symbolic one, a dtype and a layout are one type there; lists are equal or nothing; the size of a
//! list is a part of the type.

use torchgen_kit::changes::Part;

/// What PyTorch saves as an integer.
const INTEGERS: [&str; 6] = ["int", "SymInt", "ScalarType", "Layout", "MemoryFormat", "DeviceIndex"];
/// What is a `Scalar` too, beside these.
const NUMBERS: [&str; 2] = ["float", "complex"];

/// The parts of a type.
enum TypeForm<'t> {
    Optional(&'t str),
    /// The elements, and the size in brackets.
    List(&'t str, &'t str),
    Plain(&'t str),
}

fn form(ty: &str) -> TypeForm<'_> {
    if let Some(inner) = ty.strip_suffix('?') {
        return TypeForm::Optional(inner);
    }
    match ty.strip_suffix(']').and_then(|list| list.rsplit_once('[')) {
        Some((elem, size)) => TypeForm::List(elem, size),
        None => TypeForm::Plain(ty),
    }
}

/// Whether the default of an argument is a list, which PyTorch always saves.
pub(super) fn is_container(argument: &Part) -> bool {
    argument.ty.contains(['[', '(']) && argument.default.as_deref() != Some("None")
}

/// The type that PyTorch saves.
fn saved(ty: &str) -> &str {
    match ty {
        ty if INTEGERS.contains(&ty) => "int",
        "SymBool" => "bool",
        "Dimname" => "str",
        ty => ty,
    }
}

/// Whether two types are one when they are saved.
fn same(a: &str, b: &str) -> bool {
    match (form(a), form(b)) {
        (TypeForm::Optional(a), TypeForm::Optional(b)) => same(a, b),
        (TypeForm::List(a, n), TypeForm::List(b, m)) => n == m && same(a, b),
        (TypeForm::Plain(a), TypeForm::Plain(b)) => saved(a) == saved(b),
        _ => false,
    }
}

/// Whether every value of `old` is one of `new`, for who saves programs.
pub(super) fn accepts(new: &str, old: &str) -> bool {
    match (form(new), form(old)) {
        (TypeForm::Optional(new), TypeForm::Optional(old)) => accepts(new, old),
        (TypeForm::Optional(new), _) => accepts(new, old),
        (TypeForm::List(..), TypeForm::List(..)) => same(new, old),
        (TypeForm::Plain("Any"), _) => true,
        (TypeForm::Plain("Scalar"), TypeForm::Plain(old)) => {
            saved(old) == "int" || old == "Scalar" || NUMBERS.contains(&old)
        }
        (TypeForm::Plain(_), TypeForm::Plain(_)) => same(new, old),
        _ => false,
    }
}

/// Whether C++ converts every value of `old` to `new`.
pub(super) fn converts(new: &str, old: &str) -> bool {
    match (form(new), form(old)) {
        (TypeForm::Optional(new), TypeForm::Optional(old)) => converts(new, old),
        (TypeForm::Optional(new), _) => converts(new, old),
        // An array of numbers is not one of symbolic numbers.
        (TypeForm::List(new, n), TypeForm::List(old, m)) => n == m && new == old,
        (TypeForm::Plain("SymInt"), TypeForm::Plain("int")) => true,
        (TypeForm::Plain("Scalar"), TypeForm::Plain("int" | "float" | "complex")) => true,
        (TypeForm::Plain(new), TypeForm::Plain(old)) => new == old,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PyTorch's answers: `parse_schema("f(NEW a) -> ()").is_backward_compatible_with(OLD)`.
    #[test]
    fn types_with_all_values() {
        let all = [
            ("Tensor", "Tensor?"),
            ("int", "int? SymInt SymInt? Scalar Scalar? ScalarType ScalarType? Layout MemoryFormat DeviceIndex"),
            ("int?", "SymInt? Scalar? ScalarType?"),
            ("int[]", "int[]? SymInt[]"),
            ("SymInt[]", "int[] int[]?"),
            ("int[]?", ""),
            ("int[2]", ""),
            ("float", "float? Scalar Scalar?"),
            ("float[]", ""),
            ("bool", "bool?"),
            ("complex", "Scalar Scalar?"),
            ("Scalar", "Scalar?"),
            ("ScalarType", "int int? SymInt SymInt? Scalar Scalar? ScalarType? Layout MemoryFormat DeviceIndex"),
            ("str", "str?"),
            ("Device", "Device?"),
            ("Tensor[]", ""),
            ("Tensor?[]", ""),
        ];
        let types = "Tensor Tensor? Tensor[] Tensor?[] int int? int[] int[]? int[2] int[3] SymInt SymInt? SymInt[] \
                     float float? float[] bool bool? Scalar Scalar? Scalar[] str str? ScalarType ScalarType? Layout \
                     MemoryFormat DeviceIndex Device Device? complex";
        for (old, expected) in all {
            let found: Vec<&str> = types.split_whitespace().filter(|new| *new != old && accepts(new, old)).collect();
            let mut expected: Vec<&str> = expected.split_whitespace().collect();
            expected.sort_by_key(|ty| types.split_whitespace().position(|known| known == *ty));
            assert_eq!(found, expected, "{old}");
        }
    }

    #[test]
    fn types_that_cpp_converts() {
        for (new, old, expected) in [
            ("Tensor?", "Tensor", true),
            ("SymInt", "int", true),
            ("int", "SymInt", false),
            ("int", "ScalarType", false),
            ("Scalar?", "float", true),
            ("SymInt[]", "int[]", false),
            ("int[]?", "int[]", true),
        ] {
            assert_eq!(converts(new, old), expected, "{new} from {old}");
        }
    }
}
