//! Structured operators of all shapes: `tests/structured` is generated, built with every symbol
//! resolved, and run in torch with known and with symbolic sizes.

use libtest_mimic::Trial;

use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![all_shapes_of_operators]
}

fn all_shapes_of_operators() {
    let source = root().join("tests/structured");
    let library = torch().library("shaped", "tests/structured");
    let said = run(torch().tool("python").arg(source.join("behaviour.py")).arg(&library));
    for behaviour in ["values", "out", "inplace", "symbolic", "meta"] {
        assert!(said.contains(&format!("{behaviour} ok")), "{behaviour} was not tried:\n{said}");
    }
}
