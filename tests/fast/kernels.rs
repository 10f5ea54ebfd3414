//! `torchgen-rs kernels`: the sources of the bundled library define the kernels that its YAML
//! names, on each ABI.

use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::Trial;

use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![bundled_library_is_complete]
}

/// The sources for one ABI.
fn sources(directory: &str) -> Vec<PathBuf> {
    let kernels = root().join("examples/opkit/kernels");
    let files = |directory: PathBuf| {
        let entries = std::fs::read_dir(directory).expect("a directory of kernels");
        let paths = entries.map(|entry| entry.expect("a readable entry").path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "cpp")).collect::<Vec<PathBuf>>()
    };
    files(kernels.clone()).into_iter().chain(files(kernels.join(directory))).collect()
}

fn bundled_library_is_complete() {
    for (abi, directory) in [("unstable", "libtorch"), ("stable", "stable")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args(["kernels", "-s", ".", "--strict", "--abi", abi, "--sources"]).args(sources(directory));
        let output = command.current_dir(root()).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.ends_with("kernels, all defined\n"), "{said}");
        assert!(output.stdout.is_empty());
    }
}
