//! What families generate, compiled and run as C++ without torch, by `tests/support/cxx`. The tests
//! of a family are in its folder, `families/<family>/tests/integration`; it adds a module here, so
//! that one program links. Where torch computes what is expected, `tests/support/torch.rs` has it.

mod cxx;
#[path = "../../families/generator/tests/integration/mod.rs"]
mod generator;
#[path = "../../families/graph-ir/tests/integration/mod.rs"]
mod graph_ir;
pub(crate) mod names;
#[path = "../../families/op-builders/tests/integration/mod.rs"]
mod op_builders;
mod plain;
#[path = "../../families/tensor-ir/tests/integration/mod.rs"]
mod tensor_ir;
#[path = "../../families/wrappers/tests/integration/mod.rs"]
mod wrappers;

use libtest_mimic::Trial;

/// The tests of all modules.
pub(crate) fn trials() -> Vec<Trial> {
    [
        cxx::trials(),
        generator::trials(),
        graph_ir::trials(),
        op_builders::trials(),
        plain::trials(),
        tensor_ir::trials(),
        wrappers::trials(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
