//! PyTorch's operators: ATen, autograd, libraries of operators, external backends.
//!
//! Data flows `records -> parse -> model -> group -> api -> generators -> command`, and each imports only what comes before it.

pub mod api;
pub mod args;
pub mod aten;
pub mod autograd;
pub mod backend;
pub mod check;
pub mod commands;
pub mod explain;
pub(crate) mod generator_list;
pub mod generators;
pub mod group;
pub mod inputs;
pub mod kernels;
pub mod layout;
pub mod lazy;
pub mod library;
pub(crate) mod managers;
pub mod model;
pub mod parse;
pub mod records;
pub mod unboxing;
pub mod yaml_kinds;

use crate::driver::family::Family;

/// PyTorch's operators.
pub(crate) const FAMILY: Family = Family {
    name: "torch",
    about: "PyTorch's operators: ATen, autograd, libraries of operators",
    commands: commands::COMMANDS,
    generators: generator_list::GENERATORS,
    yaml_kinds: yaml_kinds::YAML_KINDS,
    codes: &[],
    diagnostics: "",
};
