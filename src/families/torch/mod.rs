//! PyTorch's operators: ATen, autograd, libraries of operators, external backends.
//!
//! Data flows `records -> parse -> model -> group -> api -> generators -> command`, and each imports only what comes before it.

pub mod api;
pub mod aten;
pub mod autograd;
pub mod backend;
pub mod check;
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
