//! A view as the engine takes it.
//!
//! Invariant: a view is converted once, however many templates show it.

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

/// A view in the engine's form, for several templates.
pub struct View {
    pub(super) value: Value,
    /// The type it was made from.
    #[cfg(debug_assertions)]
    pub(super) of: &'static str,
}

impl View {
    /// Converts a view.
    pub fn new<V: Serialize + ?Sized>(view: &V) -> View {
        View {
            value: Value::from(Serde(view)),
            #[cfg(debug_assertions)]
            of: std::any::type_name::<V>(),
        }
    }
}
