//! `torchgen-rs adopt`: YAML for a library that registers its operators by itself, from its sources
//! in C++ and Python and from the package that is loaded.
//!
//! Data flows `from_cpp, pybind, python -> merged -> output`. Invariant: the sources are what the
//! YAML says, and the loaded library verifies it: where they differ, the report has both. Nothing
//! of the library is changed, and files that exist stay.

mod autograd;
pub mod command;
mod merged;
mod output;
mod pybind;
mod python;
mod verify;
