//! Operators and kernels under conditions: `tests/conditions` and its counterpart on the stable ABI
//! are built with and without the option that they need, and both builds run in torch.

use crate::support::torch::{root, run, torch};

#[test]
fn both_values_of_a_condition_work() {
    both("tests/conditions", "cond", "normal");
}

#[test]
fn both_values_work_on_the_stable_abi() {
    // Its other modules, which the dispatcher calls, have no types.
    both("tests/conditions/stable", "cond_stable", "silent");
}

#[track_caller]
fn both(source: &str, package: &str, imports: &str) {
    let (source, work) = (root().join(source), tempfile::tempdir().expect("a temporary directory"));
    for (value, built) in [("ON", "1"), ("OFF", "0")] {
        let build = work.path().join(value);
        run(torch()
            .tool("cmake")
            .arg("-S")
            .arg(&source)
            .arg("-B")
            .arg(&build)
            .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"])
            .arg(format!("-DWITH_SCALED={value}"))
            .arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()))
            .arg(format!("-DPython_EXECUTABLE={}", torch().program("python").display()))
            .arg(format!("-DTORCHGEN_MODULE={}", root().join("cmake/TorchgenRsConfig.cmake").display()))
            .arg(format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs"))));
        run(torch().tool("ninja").arg("-C").arg(&build).arg("-j2"));
        let python = build.join("generated/python");
        let said = run(torch().tool("python").arg(source.join("behaviour.py")).arg(&python).arg(built));
        let expected = if built == "1" { "\nbuilt ok" } else { "\nnot built ok" };
        assert!(said.contains("always ok") && said.contains(expected), "{said}");
        let stub = python.join(package).join("_ops.pyi");
        run(torch().tool("mypy").args(["--strict", "--no-error-summary", "--follow-imports", imports]).arg(stub));
    }
}
