//! The dispatch tables of PyTorch's explorer are those of torch: `tests/site/dispatch.py` compares
//! them with `torch._C._dispatch_dump_table`.

use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![dispatch_tables_are_those_of_torch]
}

fn dispatch_tables_are_those_of_torch() {
    let out = tempfile::tempdir().expect("a directory");
    let mut docs = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    run(docs.args(["docs", "--torch", "2.15", "-d"]).arg(out.path()));
    let mut python = torch().tool("python");
    python.arg(root().join("tests/site/dispatch.py")).arg(out.path().join("data"));
    let said = run(&mut python);
    let compared = said.trim().strip_suffix(" compared").and_then(|count| count.parse::<usize>().ok());
    assert!(compared.is_some_and(|count| count > 150_000), "{said}");
}
