//! What families generate, compiled and run as C++ without torch, by `tests/support/cxx`. Each
//! family adds a module here, so that one program links. Where torch computes what is expected,
//! `tests/support/torch.rs` has it.

mod cxx;
mod graph_ir;
pub(crate) mod names;
mod op_builders;
mod op_builders_names;
mod plain;
mod tensor_ir;
mod wrappers;

use libtest_mimic::Trial;

/// The tests of all modules.
pub(crate) fn trials() -> Vec<Trial> {
    [
        cxx::trials(),
        graph_ir::trials(),
        op_builders::trials(),
        op_builders_names::trials(),
        plain::trials(),
        tensor_ir::trials(),
        wrappers::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
