//! PyTorch's operators: ATen, autograd, operator libraries, external backends.
//!
//! Data flows `records -> parse -> model -> group -> api -> generators -> command`, and each
//! imports only what comes before it.

pub(crate) mod api;
pub(crate) mod args;
pub(crate) mod aten;
pub(crate) mod autograd;
pub(crate) mod backend;
pub(crate) mod check;
pub(crate) mod codes;
pub(crate) mod commands;
pub(crate) mod declarations;
pub(crate) mod explain;
pub(crate) mod generator_list;
pub(crate) mod generators;
pub(crate) mod group;
pub(crate) mod inputs;
pub(crate) mod kernels;
pub(crate) mod layout;
pub(crate) mod lazy;
pub(crate) mod library;
pub(crate) mod managers;
pub(crate) mod model;
pub(crate) mod parse;
pub(crate) mod records;
pub(crate) mod selection;
pub(crate) mod stable;
pub(crate) mod static_runtime;
pub(crate) mod stubs;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod unboxing;
pub(crate) mod yaml_kinds;

use crate::driver::family::Family;

/// PyTorch's operators.
pub(crate) const FAMILY: Family = Family {
    name: "torch",
    about: "PyTorch's operators: ATen, autograd, operator libraries",
    commands: commands::COMMANDS,
    generators: generator_list::all,
    yaml_kinds: yaml_kinds::YAML_KINDS,
    codes: codes::ALL,
    diagnostics: "",
};
