//! What families generate, compiled and run as C++ without torch, by `tests/support/cxx.rs`. Each
//! family adds a module here, so that one program links. Where torch computes what is expected,
//! `tests/support/torch.rs` has it.

#[path = "../support/mod.rs"]
mod support;

mod cxx;
mod graph_ir;
mod op_builders;
mod tensor_ir;
mod wrappers;
