//! Autograd and functionalization of operators of all shapes: `tests/autograd` is generated, built
//! with every symbol resolved, and run in torch.
//!
//! The bundled library has typical operators; these have unusual ones: arguments of every type
//! saved in nodes, views of several tensors with arguments of every type, arguments that are
//! written and not returned, operators without derivatives.

use libtest_mimic::Trial;

use super::stable_autograd::assert_documented;
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![all_shapes_of_operators]
}

fn all_shapes_of_operators() {
    let source = root().join("tests/autograd");
    let library = torch().library("odd", "tests/autograd");
    let package = tempfile::tempdir().expect("a temporary directory");
    torch().generate(&source, package.path());
    let rules = package.path().join("python/odd/_vmap.py");
    let tried: [(&str, &[&str]); 2] = [
        (
            "behaviour.py",
            &["all_types", "names", "properties", "views", "writes", "outputs", "transforms", "both_abis"],
        ),
        (
            "functionalization.py",
            &["views", "inductor", "gradients", "writes", "checked", "export", "transform", "factories"],
        ),
    ];
    for (script, behaviours) in tried {
        let said = run(torch().tool("python").arg(source.join(script)).arg(&library).arg(&rules));
        if script == "behaviour.py" {
            assert_documented(&said, "On libtorch's C++ API");
        }
        for behaviour in behaviours {
            assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
        }
    }
}
