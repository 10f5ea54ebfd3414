//! Libraries that register themselves, with `registration: own`: published wheels, which nothing
//! changes, and one in Python that has the traps. Nothing is compiled.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::support::torch::{Torch, adopted, oldest, root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![torchaudios_wheel, torchvisions_wheel, nothing_of_a_library_is_replaced]
}

/// Generates the package of a library below `tests/adopted`, and runs its checks.
#[track_caller]
fn check(name: &str, torch: &Torch, out: &Path) {
    let source = root().join("tests/adopted").join(name);
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("-s").arg(&source).arg("-d").arg(out));
    assert!(!out.join("src").exists(), "there is nothing to compile");
    let tests = out.join("tests");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .arg("kernels")
        .arg("-s")
        .arg(&source)
        .arg("--tests")
        .arg(&tests));
    let path = std::env::join_paths([&out.join("python"), &tests, &source]).expect("paths without separators");
    let mut command = torch.tool("python");
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONPATH", path);
    let said = run(command.args(["-W", "ignore"]).arg(source.join("check.py")));
    assert!(said.contains(&format!("{name} ok")), "{said}");
}

fn torchaudios_wheel() {
    let out = tempfile::tempdir().expect("a temporary directory");
    check("torchaudio", adopted(), out.path());
}

fn torchvisions_wheel() {
    let out = tempfile::tempdir().expect("a temporary directory");
    check("torchvision", adopted(), out.path());
}

fn nothing_of_a_library_is_replaced() {
    for torch in [torch(), oldest()] {
        let out = tempfile::tempdir().expect("a temporary directory");
        check("registered", torch, out.path());
    }
}
