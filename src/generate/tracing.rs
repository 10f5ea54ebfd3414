//! Which operators a trace records.
//!
//! Invariant: the answer depends on the operator alone. Rule: tools/autograd/gen_trace_type.py, `should_trace`.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::model::{BaseTy, NativeFunction};

static UNTRACED: LazyLock<HashSet<String>> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../data/untraced.yaml")).expect("a test reads the embedded table")
});

/// A trace records calls of the operator: it returns tensors, takes no storage, and is not recorded through what it calls.
pub fn should_trace(f: &NativeFunction) -> bool {
    let takes_storage = f.func.schema_order_arguments().any(|a| a.ty.is(BaseTy::Storage));
    let returns_tensors = f.func.returns.iter().any(|r| r.ty.is_tensor_like());
    !takes_storage && returns_tensors && !UNTRACED.contains(f.root_name())
}
