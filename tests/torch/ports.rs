//! Operators of published libraries, on the stable ABI: one build with kernels that compile for
//! both ABIs, compared with PyTorch's operators in the oldest torch and in the newest.

use libtest_mimic::Trial;

use super::stable_library::{built, generate, python};
use crate::support::torch::{oldest, root, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![ports_run_in_every_torch]
}

fn ports_run_in_every_torch() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let out = directory.path();
    let place = root().join("tests/ports");
    generate(&place, out);
    for module in ["attention.py", "fakes.py", "filters.py", "gates.py", "scans.py", "segments.py", "triton_gates.py"] {
        let to = out.join("python/ports").join(module);
        std::fs::copy(place.join("python").join(module), to).expect("a module of the package");
    }
    let library = built("ports", out, &[place.join("kernels.cpp")]);
    for (torch, version) in [(torch(), "2.15.0"), (oldest(), "2.10.0")] {
        let said = python(torch, out, "PORTS_LIBRARY", &library, &place.join("behaviour.py"));
        assert!(said.contains(&format!("ports ok in torch {version}")), "{said}");
    }
}
