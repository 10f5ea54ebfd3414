//! The dispatch tables of PyTorch's explorer are those of torch: `tests/site/dispatch.py` compares
//! them with `torch._C._dispatch_dump_table`.

use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![dispatch_tables_are_those_of_torch]
}

/// Operators of all kinds: structured ones, composites, views, variants, sparse and nested kernels.
const OPERATORS: [&str; 34] = [
    "aten::_foreach_add.List",
    "aten::_nested_tensor_from_mask",
    "aten::add.Tensor",
    "aten::add.out",
    "aten::add_.Tensor",
    "aten::as_strided",
    "aten::batch_norm",
    "aten::bernoulli_.float",
    "aten::cat",
    "aten::conv2d",
    "aten::convolution",
    "aten::detach",
    "aten::dropout",
    "aten::embedding",
    "aten::empty.memory_format",
    "aten::fill_.Scalar",
    "aten::gelu",
    "aten::index.Tensor",
    "aten::item",
    "aten::layer_norm",
    "aten::linear",
    "aten::matmul",
    "aten::mm",
    "aten::native_layer_norm",
    "aten::permute_copy",
    "aten::relu",
    "aten::reshape",
    "aten::softmax.int",
    "aten::sparse_mask",
    "aten::sum.dim_IntList",
    "aten::to.dtype",
    "aten::view",
    "aten::where.self",
    "aten::zeros",
];

fn dispatch_tables_are_those_of_torch() {
    let out = tempfile::tempdir().expect("a directory");
    let mut docs = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(docs.args(["docs", "--torch", "2.15", "-d"]).arg(out.path()));
    let mut python = torch().tool("python");
    python.arg(root().join("tests/site/dispatch.py")).arg(out.path().join("data")).args(OPERATORS);
    let said = run(&mut python);
    let compared = said.trim().strip_suffix(" compared").and_then(|count| count.parse::<usize>().ok());
    assert!(compared.is_some_and(|count| count > 1000), "{said}");
}
