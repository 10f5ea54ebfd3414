//! `torchgen-rs adopt` on a Python module of pybind11: the YAML, the source that registers
//! operators and the report are the expected ones, and a second run takes what the first one wrote.
//!
//! `UPDATE_EXPECT=1` writes the expected files again.

use std::fs;

use libtest_mimic::Trial;

use crate::adopt::run;
use crate::expected::assert_is_text_of_file;
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![a_module_gets_operators]
}

fn a_module_gets_operators() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (own, library) = (root().join("tests/adopted/bound"), directory.path().join("library"));
    fs::create_dir(&library).expect("a new directory");
    for name in ["bind.cpp", "kernels.cpp", "kernels.h", "functions.py"] {
        fs::copy(own.join("library").join(name), library.join(name)).expect("a copy");
    }
    let (status, said) = run(directory.path(), &["adopt", "library", "--write"]);
    assert!(status == Some(0) && said.contains("17 operators in library/ops"), "{said}");
    let texts = ["native_functions.yaml", "derivatives.yaml", "registrations.cpp", "ADOPT-REPORT.md"];
    for name in texts {
        let text = fs::read_to_string(library.join("ops").join(name)).expect("a written file");
        assert_is_text_of_file(&own.join("expected").join(name), &text);
    }
    let (status, said) = run(directory.path(), &["check", "library/ops"]);
    assert_eq!(status, Some(0), "{said}");
    // What is registered now counts, also if the module is named alone.
    let source = library.join("ops/registrations.cpp");
    let text = fs::read_to_string(&source).expect("the source");
    let sources = ["library", "library/bind.cpp"];
    for path in sources {
        let (status, said) = run(directory.path(), &["adopt", path, "--verify"]);
        assert!(status == Some(0) && said.contains("17 operators registered as `library/ops` says"), "{path}: {said}");
    }
    // A person corrects a schema in one place only.
    fs::write(&source, text.replace("ramp(Tensor(a!) out", "ramp(Tensor out")).expect("a writable file");
    for path in sources {
        let (status, said) = run(directory.path(), &["adopt", path, "--verify"]);
        assert!(status == Some(1) && said.contains("the schema of `counterlib::ramp`"), "{path}: {said}");
    }
    let (status, said) = run(directory.path(), &["adopt", "library", "--write"]);
    assert!(
        status == Some(0) && fs::read_to_string(&source).expect("the source").contains("ramp(Tensor out"),
        "{said}"
    );
}
