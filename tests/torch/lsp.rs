//! The language server as pytest-lsp's client sees it: `tests/lsp` compares what it answers with
//! transcripts.
//!
//! `UPDATE_EXPECT=1 cargo test --test integration torch::lsp` writes them again. PyTorch's files
//! are those of the wheel.

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![transcripts]
}

fn transcripts() {
    let mut pytest = torch().tool("python");
    pytest.args(["-B", "-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.args(["-o", "asyncio_default_fixture_loop_scope=function", "tests/lsp"]);
    pytest.env("TORCHGEN_RS", env!("CARGO_BIN_EXE_torchgen-rs"));
    pytest.env("TORCHGEN_PACKAGED", torch().package().join("../torchgen/packaged"));
    run(pytest.current_dir(root()));
}
