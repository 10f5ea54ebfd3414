//! `torchgen-rs adopt`: YAML for a library that registers its operators by itself, from its C++
//! sources and from the package that is loaded.
//!
//! Data flows `from_cpp, loaded -> merged -> output`. Invariant: the sources are what the YAML
//! says, and the loaded library verifies it: where they differ, the report has both. Nothing of
//! the library is changed, and files that exist stay.

pub mod command;
mod loaded;
mod merged;
mod output;
mod verify;
