//! Which operators are registered. For now: all of them.

use super::NativeFunction;

/// A selection of operators.
#[derive(Debug, Clone, Default)]
pub struct Selector;

impl Selector {
    /// Everything is selected.
    pub fn nop() -> Self {
        Selector
    }

    /// The operator is registered.
    pub fn is_native_function_selected(&self, _f: &NativeFunction) -> bool {
        true
    }

    /// Everything is selected.
    pub fn include_all_operators(&self) -> bool {
        true
    }
}
