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
pub mod generators;
pub mod group;
pub mod inputs;
pub mod kernels;
pub mod layout;
pub mod lazy;
pub mod library;
pub mod model;
pub mod parse;
pub mod records;
pub mod yaml_kinds;

use crate::driver::family::{Family, GeneratorInfo};

/// PyTorch's operators.
pub(crate) const FAMILY: Family = Family {
    name: "torch",
    about: "PyTorch's operators: ATen, autograd, libraries of operators",
    commands: commands::COMMANDS,
    generators: GENERATORS,
    yaml_kinds: yaml_kinds::YAML_KINDS,
    codes: &[],
    diagnostics: "",
};

const GENERATORS: &[GeneratorInfo] = &[];
