//! Operators and kernels under conditions: `tests/conditions` and its counterpart on the stable ABI
//! are built with and without the option that they need, and both builds run in torch.

use libtest_mimic::Trial;

use crate::support::cmake::{configure, ninja, shared_header};
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![both_values_of_a_condition_work, both_values_work_on_the_stable_abi]
}

fn both_values_of_a_condition_work() {
    both("tests/conditions", "OFF", "cond", "normal");
}

fn both_values_work_on_the_stable_abi() {
    // `_autograd.py`, which the dispatcher calls, has no types.
    both("tests/conditions/stable", "ON", "cond_stable", "silent");
}

#[track_caller]
fn both(source: &str, stable: &str, package: &str, imports: &str) {
    let (source, work) = (root().join(source), tempfile::tempdir().expect("a temporary directory"));
    for (value, built) in [("ON", "1"), ("OFF", "0")] {
        let build = work.path().join(value);
        // Libraries on the stable ABI have no precompiled header.
        let header = if stable == "OFF" { shared_header().to_vec() } else { Vec::new() };
        run(configure(torch(), &root().join("tests/conditions"), &build)
            .args(header.iter().map(|definition| format!("-D{definition}")))
            .args(["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"])
            .arg(format!("-DSTABLE={stable}"))
            .arg(format!("-DWITH_SCALED={value}"))
            .arg(format!("-DTORCHGEN_MODULE={}", root().join("cmake/TorchgenRsConfig.cmake").display())));
        ninja(&build);
        let python = build.join("generated/python");
        let said = run(torch().tool("python").arg(source.join("behaviour.py")).arg(&python).arg(built));
        let expected = if built == "1" { "\nbuilt ok" } else { "\nnot built ok" };
        assert!(said.contains("always ok") && said.contains(expected), "{said}");
        let stub = python.join(package).join("_ops.pyi");
        run(torch().tool("mypy").args(["--strict", "--no-error-summary", "--follow-imports", imports]).arg(stub));
    }
}
