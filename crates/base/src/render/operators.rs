//! What templates that replace embedded ones know of operators: things with their facts, and the
//! keys that the author wrote about them.
//!
//! Invariant: embedded templates use none of it, so that nothing is made where none is replaced.

use minijinja::{Environment, Value};

/// Operators as templates see them.
pub trait Operators: Send + Sync {
    /// Adds the functions that ask about them.
    fn add_to(&self, environment: &mut Environment<'static>);

    /// The operator of that name as `op`, and what its author wrote as `entry`. Both are none if
    /// there is no such operator.
    fn named(&self, name: &str) -> Value;
}
