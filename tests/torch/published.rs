//! Schemas of the kinds that published libraries have, in four namespaces: one library with all of
//! them is built by `torchgen_add_library`, and each operator is called from Python.

use std::path::Path;

use crate::support::torch::{root, run, torch};

/// The library's schemas; `tests/published` is its source path.
const SCHEMAS: usize = 69;

#[test]
fn schemas_are_compiled_and_called() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let build = work.path().join("build");
    configure(&build);
    run(torch().tool("ninja").arg("-C").arg(&build).arg("-j2"));
    let library = build.join("libpublished.so");
    let said = run(torch()
        .tool("python")
        .arg(root().join("tests/published/behaviour.py"))
        .arg(build.join("generated"))
        .arg(&library));
    for expected in [format!("{SCHEMAS} operators called"), "autograd ok".to_owned(), "values ok".to_owned()] {
        assert!(said.contains(&expected), "{expected} is missing:\n{said}");
    }
    // The stubs of all four packages.
    for namespace in ["engine", "video", "attn", "embed"] {
        let stub = build.join(format!("generated/{namespace}/python/{namespace}/_ops.pyi"));
        run(torch().tool("mypy").args(["--strict", "--no-error-summary"]).arg(stub));
    }
}

fn configure(build: &Path) {
    run(torch()
        .tool("cmake")
        .arg("-S")
        .arg(root().join("tests/published"))
        .arg("-B")
        .arg(build)
        .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"])
        .arg(format!("-DCMAKE_MAKE_PROGRAM={}", torch().program("ninja").display()))
        .arg(format!("-DPython_EXECUTABLE={}", torch().program("python").display()))
        .arg(format!("-DTORCHGEN_MODULE={}", root().join("cmake/TorchgenRsConfig.cmake").display()))
        .arg(format!("-DTORCHGEN_RS={}", env!("CARGO_BIN_EXE_torchgen-rs"))));
}
