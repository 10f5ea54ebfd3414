//! `torchgen-rs kernels`: the sources of the bundled library define the kernels that its YAML
//! names.

use std::process::Command;

use libtest_mimic::Trial;

use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![bundled_library_is_complete]
}

fn bundled_library_is_complete() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.args(["kernels", "-s", ".", "--sources", "examples/opkit/kernels", "--strict"]);
    let output = command.current_dir(root()).output().expect("the binary runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.ends_with("kernels, all defined\n"), "{said}");
    assert!(output.stdout.is_empty());
}
