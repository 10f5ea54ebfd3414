//! The variables that are made from the names of arguments and results.
//!
//! Invariant: no two of them are the same, whatever the names in the schema are, and none is a name
//! that the module has itself: see [`derived`].

use torchgen_api::python::annotation::derived;

/// The kernel of an operator for a key. `name` has the overload.
pub(super) fn kernel(name: &str, key: &str) -> String {
    derived("op", &format!("{name}_{}", key.to_lowercase()))
}

/// The class of that kernel.
pub(super) fn class(name: &str, key: &str) -> String {
    derived("op", &format!("{name}_{}_function", key.to_lowercase()))
}

/// The function that calls the operator's kernel of a key.
pub(super) fn redispatch(name: &str) -> String {
    derived("op", &format!("{name}_redispatch"))
}

/// The kernel that counts versions.
pub(super) fn written(name: &str) -> String {
    derived("op", &format!("{name}_written"))
}

/// A result.
pub(super) fn result(name: &str) -> String {
    derived("r", name)
}

/// The tangent of a result.
pub(super) fn result_tangent(name: &str) -> String {
    derived("rt", name)
}

/// The length of a result that is a list.
pub(super) fn result_count(name: &str) -> String {
    derived("nr", name)
}

/// What zeros like a result are made of.
pub(super) fn like(name: &str) -> String {
    derived("like", name)
}

/// Whether there is no result.
pub(super) fn none(name: &str) -> String {
    derived("none", name)
}

/// The length of an argument that is a list.
pub(super) fn count(name: &str) -> String {
    derived("n", name)
}

/// The value of an argument, beside its tangent.
pub(super) fn primal(name: &str) -> String {
    derived("p", name)
}

/// The tangent of an argument.
pub(super) fn tangent(name: &str) -> String {
    derived("t", name)
}

/// The elements of a list, each with its tangent.
pub(super) fn pairs(name: &str) -> String {
    derived("pairs", name)
}

/// A function of the author.
pub(super) fn function(name: &str) -> String {
    derived("function", name)
}
