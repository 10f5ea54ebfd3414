//! Types that unboxed C++ kernels cannot take or return.
//!
//! Invariant: C++ with an accepted type compiles against torch 2.15
//! (`ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h` lists the types that can be unboxed).

use crate::model::{BaseTy, Type};

const SCALAR: Type = Type::Base(BaseTy::Scalar);
const SYM_INT: Type = Type::Base(BaseTy::SymInt);

/// Whether a kernel can take the type.
pub(super) fn can_be_taken(ty: &Type) -> bool {
    match ty {
        Type::Base(_) => true,
        Type::CustomClass(_) => false,
        // Every tensor in such a list is optional, so PyTorch passes it as a `c10::List`, which
        // cannot itself be optional.
        Type::Optional(inner) if is_list_of_optional(inner, &Type::TENSOR) => false,
        Type::Optional(inner) => can_be_taken(inner),
        // PyTorch passes an optional scalar by reference, which a list cannot contain; and nothing
        // converts a list of optional plain integers to one of symbolic ones.
        Type::List(elem, _) if [SCALAR, SYM_INT].iter().any(|ty| **elem == Type::Optional(Box::new(ty.clone()))) => {
            false
        }
        // Nothing would own the inner lists while the outer one is read.
        Type::List(elem, _) => !holds_list(elem) && can_be_taken(elem),
        Type::Dict(key, value) => can_be_taken(key) && can_be_taken(value),
    }
}

/// Whether a kernel can return the type.
pub(super) fn can_be_returned(ty: &Type) -> bool {
    match ty {
        Type::Base(_) => true,
        Type::CustomClass(_) | Type::List(_, Some(_)) => false,
        Type::Optional(inner) => !holds_list(inner) && **inner != SCALAR && can_be_returned(inner),
        Type::List(elem, None) => ![Type::BOOL, SCALAR].contains(elem) && can_be_returned(elem),
        Type::Dict(key, value) => can_be_returned(key) && can_be_returned(value),
    }
}

fn holds_list(ty: &Type) -> bool {
    match ty {
        Type::List(..) => true,
        Type::Optional(inner) => holds_list(inner),
        _ => false,
    }
}

fn is_list_of_optional(ty: &Type, elem: &Type) -> bool {
    matches!(ty, Type::List(inner, _) if matches!(&**inner, Type::Optional(own) if **own == *elem))
}

#[cfg(test)]
mod tests {
    use crate::parse::c10::declared;
    use torchgen_kit::driver::data::Tables;

    fn check(types: &str, expected: bool, schema: impl Fn(&str) -> String) {
        for ty in types.split_whitespace() {
            let declared = declared(&schema(ty)).unwrap_or_else(|error| panic!("{ty}: {}", error.message));
            assert_eq!(declared.generated(Tables::embedded()).is_ok(), expected, "{ty}");
        }
    }

    /// `tests/language.rs` checks that c10 knows all of them. Each base type was compiled in each
    /// form that passes.
    #[test]
    fn types_without_a_form_in_cpp_are_distinguished() {
        let taken = |ty: &str| format!("f({ty} x) -> Tensor");
        check(
            "Tensor?[] Tensor[]? int[] int[3] int?[] int?[]? bool[3] Scalar[] Scalar[]? str?[] SymInt[]? bool[] bool[]?",
            true,
            taken,
        );
        check("Tensor[][] Tensor?[]? Scalar?[] SymInt?[]? int[]?[] __torch__.torch.classes.a.B", false, taken);
        let returned = |ty: &str| format!("f(Tensor x) -> {ty}");
        check("Tensor? Tensor[] Tensor?[] int[][] str[] SymInt Scalar", true, returned);
        check("Tensor[]? int[2] Scalar? Scalar[] bool[] bool[][] __torch__.torch.classes.a.B[]", false, returned);
    }
}
