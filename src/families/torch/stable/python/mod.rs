//! The Python package of a library on the stable ABI.
//!
//! Invariant: importing it loads the shared library once, in any torch from the minimum on.

use crate::families::torch::generators::Outcome;
use crate::families::torch::library::Inputs;
use crate::families::torch::library::python::package_with;

/// The package; empty for a namespace that defines no operators of its own.
pub(crate) fn package(inputs: &Inputs) -> Outcome {
    package_with(&inputs.context, "torch/stable/python/__init__.py.j2", Some(inputs.settings.torch_min))
}
