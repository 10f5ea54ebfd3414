//! Schemas of the kinds that published libraries have, in four namespaces: one library with all of
//! them is built by `torchgen_add_library`, and each operator is called from Python.

use std::path::Path;

use libtest_mimic::Trial;

use crate::support::cmake;
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![schemas_are_compiled_and_called]
}

/// The library's schemas; `tests/published` is its source path.
const SCHEMAS: usize = 69;

fn schemas_are_compiled_and_called() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let build = work.path().join("build");
    configure(&build);
    cmake::ninja(&build);
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
    run(cmake::configure(torch(), &root().join("tests/published"), build)
        .args(["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"])
        // Generated sources cannot be compiled together, and say so.
        .arg("-DCMAKE_UNITY_BUILD=ON")
        .args(cmake::shared_header().map(|definition| format!("-D{definition}")))
        .arg(format!("-DTORCHGEN_MODULE={}", root().join("cmake/TorchgenRsConfig.cmake").display())));
}
