//! The functions in C++ that callers of a library spell, as the changes of an operator count them.
//!
//! Invariant: names, types and defaults are those of the generated headers. The functions of a
//! generated variant are those of the operator that it is generated from.

use crate::stable::calls::{self, Callable};
use torchgen_api::cpp::BindingKind;
use torchgen_api::stable::has_readable_results;
use torchgen_api::{CppSignatureGroup, Locals, Signature};
use torchgen_kit::changes::functions::{Function, Parameter};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::schema::ArgumentRef;

/// The functions of each operator.
pub(super) fn functions(operators: &[NativeFunction], is_stable: bool) -> Vec<Vec<Function>> {
    let own = if is_stable { of_stable_abi(operators) } else { operators.iter().map(of_cpp_api).collect() };
    let mut all: Vec<Vec<Function>> = operators.iter().map(|_| Vec::new()).collect();
    for (at, (f, functions)) in operators.iter().zip(own).enumerate() {
        let is_base = |base: &NativeFunction| {
            !base.is_generated() && base.namespace == f.namespace && base.autogen.contains(&f.func.name)
        };
        let of = operators.iter().position(is_base).filter(|_| f.is_generated());
        all[of.unwrap_or(at)].extend(functions);
    }
    all
}

/// Those in `Functions.h`; `RedispatchFunctions.h` has the same with a set of keys before.
fn of_cpp_api(f: &NativeFunction) -> Vec<Function> {
    let group =
        CppSignatureGroup::from_native_function(f, BindingKind::FUNCTION.binding_of(f), Locals::for_operator(f));
    let Ok(group) = group else { return Vec::new() };
    let function = |signature: &Signature| Function {
        name: format!("{}::{}", f.namespace, signature.name),
        parameters: signature
            .arguments
            .iter()
            .map(|binding| Parameter {
                parts: parts(&binding.argument),
                ty: binding.nctype.ty.cpp_type().to_string(),
                has_default: binding.default.is_some(),
            })
            .collect(),
        takes,
    };
    group.signatures().filter(|_| f.variants.function).map(function).collect()
}

fn parts(argument: &ArgumentRef<'_>) -> Vec<String> {
    match argument {
        ArgumentRef::TensorOptions(options) => options.all().iter().map(|one| one.schema_name().to_owned()).collect(),
        ArgumentRef::Arg(argument) | ArgumentRef::SelfArg(argument) => vec![argument.schema_name().to_owned()],
    }
}

fn of_stable_abi(operators: &[NativeFunction]) -> Vec<Vec<Function>> {
    let texts: Vec<String> = operators.iter().map(|f| f.func.to_string()).collect();
    let is_called = |f: &NativeFunction| has_readable_results(&f.func);
    let called = operators.iter().zip(&texts).filter(|(f, _)| is_called(f));
    let callables: Vec<Callable> =
        called.map(|(f, text)| Callable { namespace: &f.namespace, text, schema: &f.func }).collect();
    let mut found = calls::functions(&callables).into_iter();
    let one = |f: &NativeFunction| {
        let function = if is_called(f) { found.next() } else { None };
        function.map(|function| function.spelled(&f.namespace, takes)).into_iter().collect()
    };
    operators.iter().map(one).collect()
}

/// Whether C++ passes a value of type `old` for a parameter of type `new` without losing any of it.
fn takes(new: &str, old: &str) -> bool {
    let is_changed = |ty: &str| ty.ends_with('&') && !ty.starts_with("const ");
    if is_changed(new) && !is_changed(old) {
        return false;
    }
    converts(plain(new), plain(old))
}

/// A type without the reference.
fn plain(ty: &str) -> &str {
    ty.trim_start_matches("const ").trim_end_matches('&').trim()
}

/// What is inside `optional<…>`.
fn optional(ty: &str) -> Option<&str> {
    ty.trim_start_matches("::").strip_prefix("std::optional<")?.strip_suffix('>').map(plain)
}

/// A list that there need not be, as a list.
fn optional_list(ty: &str) -> Option<String> {
    let (scope, name) = ty.rsplit_once("::Optional").or_else(|| Some(("", ty.strip_prefix("Optional")?)))?;
    let scope = if scope.is_empty() { String::new() } else { format!("{scope}::") };
    Some(format!("{scope}{name}"))
}

fn converts(new: &str, old: &str) -> bool {
    if new == old {
        return true;
    }
    if let Some(list) = optional_list(new) {
        return list == old;
    }
    match (optional(new), optional(old)) {
        (Some(new), Some(old)) => converts(new, old),
        (Some(new), None) => converts(new, old),
        (None, Some(_)) => false,
        (None, None) => match new.rsplit("::").next().unwrap_or(new) {
            "Scalar" => ["int64_t", "double", "bool"].contains(&old),
            "SymInt" => old == "int64_t",
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::takes;

    #[test]
    fn values_that_are_passed() {
        for (new, old, expected) in [
            ("const at::Tensor &", "const at::Tensor &", true),
            ("at::Tensor &", "const at::Tensor &", false),
            ("const at::Tensor &", "at::Tensor &", true),
            ("const ::std::optional<at::Tensor> &", "const at::Tensor &", true),
            ("const at::Scalar &", "int64_t", true),
            ("::std::optional<double>", "int64_t", false),
            ("at::OptionalIntArrayRef", "at::IntArrayRef", true),
            ("int64_t", "::std::optional<int64_t>", false),
            ("double", "int64_t", false),
        ] {
            assert_eq!(takes(new, old), expected, "{new} from {old}");
        }
    }
}
