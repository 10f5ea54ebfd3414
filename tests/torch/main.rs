//! The tests that build against torch and run in it. `tests/support/torch.rs` makes the
//! environment, which takes 3 GB once.

#[path = "../support/mod.rs"]
mod support;

mod autograd;
mod backend;
mod cmake;
mod conditions;
mod cuda;
mod declarations;
mod dialect;
mod formulas;
mod kernels;
mod kit;
mod names;
mod opkit;
mod privateuse1;
mod published;
mod python_package;
mod recipes;
mod several;
mod silent;
mod stable;
mod stable_autograd;
mod stable_library;
mod structured;
mod style;
mod tool_wheel;
mod vision;
mod walkthrough;
mod wrappers;
