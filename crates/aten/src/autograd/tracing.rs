//! What a trace records about operators: `data/torch/tracing.yaml` and queries on it.
//!
//! Invariant: the answers depend only on the operator and the tables. Rule:
//! tools/autograd/gen_trace_type.py.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use torchgen_kit::driver::data::{self, Tables};
use torchgen_model::model::{BaseTy, NativeFunction};

#[derive(Deserialize)]
struct Table {
    untraced: FxHashSet<String>,
    renamed: FxHashMap<String, String>,
    factories: FxHashSet<String>,
}

impl data::Table for Table {
    const PATH: &'static str = "torch/tracing.yaml";
}

/// Whether a trace records calls of the operator: it returns tensors, takes no storage, and is not
/// recorded through its callees.
pub(crate) fn should_trace(f: &NativeFunction, tables: &Tables) -> bool {
    let takes_storage = f.func.schema_order_arguments().any(|a| a.ty.is(BaseTy::Storage));
    let returns_tensors = f.func.returns.iter().any(|r| r.ty.is_tensor_like());
    !takes_storage && returns_tensors && !tables.get::<Table>().untraced.contains(f.root_name())
}

/// The name that replaces this one in traces, if there is one.
pub(crate) fn renamed<'r>(name: &str, tables: &'r Tables) -> Option<&'r str> {
    tables.get::<Table>().renamed.get(name).map(String::as_str)
}

/// The operator makes a tensor from other things than tensors, so its functional variant takes
/// tensor options.
pub(crate) fn is_factory(f: &NativeFunction, tables: &Tables) -> bool {
    let makes_tensor = f.func.returns.iter().any(|r| r.ty.is_tensor_like());
    let takes_tensor = f.func.arguments.flat_non_out().any(|a| a.ty.is_tensor_like());
    f.category_override.as_deref() == Some("factory")
        || (makes_tensor && !takes_tensor)
        || tables.get::<Table>().factories.contains(f.root_name())
}

#[cfg(test)]
mod tests {
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn the_embedded_table() {
        assert_eq!(super::renamed("zero", Tables::embedded()), Some("zeros_like"));
        assert_eq!(super::renamed("zeros", Tables::embedded()), None);
    }
}
