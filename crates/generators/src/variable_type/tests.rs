//! Kernels of a few operators in full, and the diagnostics for derivatives without a possible
//! kernel.
//!
//! Cases are in `cases.txt` in the folder of this module. With `UPDATE_EXPECT=1` in the environment
//! the tests rewrite the expected text; review it before you commit.

use std::fmt::Write as _;

use super::{PYTORCH, Style, kernels};
use crate::testing::{CopyVariants, derivative_cases, with_autograd};
use crate::{AutogradContext, Errors};

/// Kernels and registrations, by dispatch key.
fn shown(ctx: &AutogradContext) -> Result<String, Errors> {
    let style = if ctx.target.known_by_name {
        PYTORCH
    } else {
        Style { kernel_prefix: "", jvp_decompositions: false, calls_operators: true, shares_kernels: true, ..PYTORCH }
    };
    let mut shown = String::new();
    for kernel in kernels(ctx, style)?.iter().flat_map(|kernels| &kernels.by_key) {
        let _ = writeln!(shown, "[{}]", kernel.key);
        kernel.definition.iter().for_each(|definition| shown.push_str(definition));
        shown.push_str(&kernel.registration);
    }
    Ok(shown)
}

#[test]
fn cases() {
    let cases = derivative_cases("src/variable_type/tests/cases.txt", |_, target, yaml| {
        with_autograd(target, CopyVariants::Required, yaml.0, yaml.1, shown)
    });
    for code in torchgen_model::codes::ALL.iter().filter(|code| ("TG0631".."TG0634").contains(&code.id)) {
        assert!(cases.contains(code.id), "no case shows {}", code.id);
    }
}
