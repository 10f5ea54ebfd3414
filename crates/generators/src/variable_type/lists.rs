//! Operators that are treated specially by name, which happens only in the ATen layout.
//!
//! Invariant: in an operator library every answer is that of an ordinary operator.

use rustc_hash::FxHashSet;
use serde::Deserialize;

use torchgen_api::native;
use torchgen_kit::driver::data::{Table, Tables};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::Target;

#[derive(Deserialize)]
struct Lists {
    dont_require_derivative: FxHashSet<String>,
    gradient_implemented_for_complex: FxHashSet<String>,
    reset_grad_accumulator: FxHashSet<String>,
    dont_enforce_same_tensor_impl_or_storage: FxHashSet<String>,
    dont_enforce_tensor_impl_use_count: FxHashSet<String>,
    dont_enforce_storage_impl_use_count: FxHashSet<String>,
    foreach_without_derivative: FxHashSet<String>,
    foreach_with_different_arity: FxHashSet<String>,
}

impl Table for Lists {
    const PATH: &'static str = "torch/variable_type.yaml";
}

/// The lists' entries for one operator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// No gradient flows through it.
    pub(crate) dont_require_derivative: bool,
    /// The same, for its base name.
    pub(crate) base_dont_require_derivative: bool,
    /// Its gradients refuse complex tensors.
    pub(crate) refuses_complex: bool,
    /// It replaces the object that accumulates gradients.
    pub(crate) resets_grad_accumulator: bool,
    /// It may replace the implementation or the storage of an input.
    pub(crate) may_exchange_impl_or_storage: bool,
    /// Its outputs may be in use elsewhere.
    pub(crate) may_share_impl: bool,
    /// Its outputs may share their storage.
    pub(crate) may_share_storage: bool,
    /// As an inplace foreach operator it needs no derivative to use.
    pub(crate) foreach_without_derivative: bool,
    /// As an inplace foreach operator it may have fewer arguments than the operator whose
    /// derivative it uses.
    pub(crate) foreach_with_different_arity: bool,
}

impl Traits {
    /// The lists' entries. `cpp_name` is the operator's C++ name.
    pub(crate) fn for_operator(f: &NativeFunction, cpp_name: &str, target: Target) -> Traits {
        if !target.known_by_name {
            return Traits::default();
        }
        let lists: &Lists = target.tables.get();
        let base = f.root_name();
        let kernel = native::name(&f.func);
        let shares_impl = lists.dont_enforce_tensor_impl_use_count.contains(&kernel);
        let foreach = match f.func.name.overload_name.as_str() {
            "" => base.to_owned(),
            overload => format!("{base}.{overload}"),
        };
        Traits {
            dont_require_derivative: [base, cpp_name].iter().any(|name| lists.dont_require_derivative.contains(*name)),
            base_dont_require_derivative: lists.dont_require_derivative.contains(base),
            refuses_complex: !lists.gradient_implemented_for_complex.contains(base),
            resets_grad_accumulator: lists.reset_grad_accumulator.contains(&f.func.name.name.to_string()),
            may_exchange_impl_or_storage: lists.dont_enforce_same_tensor_impl_or_storage.contains(cpp_name),
            may_share_impl: shares_impl,
            may_share_storage: shares_impl || lists.dont_enforce_storage_impl_use_count.contains(&kernel),
            foreach_without_derivative: lists.foreach_without_derivative.contains(&foreach),
            foreach_with_different_arity: lists.foreach_with_different_arity.contains(&foreach),
        }
    }
}

/// The base names of the operators whose gradients do not refuse complex tensors.
pub fn for_complex(tables: &Tables) -> impl Iterator<Item = &str> {
    tables.get::<Lists>().gradient_implemented_for_complex.iter().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::Lists;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn the_lists_are_read() {
        let lists: &Lists = Tables::embedded().get();
        assert!(lists.dont_require_derivative.contains("argmax"));
        assert!(lists.gradient_implemented_for_complex.contains("t"));
    }
}
