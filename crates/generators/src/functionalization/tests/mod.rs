//! Tests of functionalization, and of the kernels of copies and generated variants. The cases are
//! in `texts.txt` and `errors.txt`: operators and the complete output. With `UPDATE_EXPECT=1` in
//! the environment the tests rewrite the latter; compare it with the reference's before you commit.

use std::fmt::Write as _;

use super::{PYTHON_BINDING, python_binding, run};
use crate::testing::{cases, with_operators};
use crate::{Errors, composite_kernels};
use torchgen_model::model::selector::Selector;

/// Our templates: the lists of a file.
const TEMPLATES: [(&str, &str); 6] = [
    ("RegisterFunctionalization.cpp", "${ops_headers}\n${func_definitions}\n${func_registrations}"),
    ("FunctionalInverses.h", "${view_inverse_declarations}"),
    ("ViewMetaClasses.h", "${view_meta_declarations}"),
    ("ViewMetaClasses.cpp", "${op_headers}\n${view_meta_implementations}"),
    (PYTHON_BINDING, "${view_meta_bindings}"),
    (
        "CompositeViewCopyKernels.cpp",
        "${ops_headers}\n${CompositeViewCopyKernel_Definitions}\n${GeneratedCompositeFunctional_Definitions}\n${GeneratedCompositeOut_Definitions}",
    ),
];

/// The texts of all files, or the errors.
fn check(input: &str, selector: &Selector) -> String {
    with_operators(input, &TEMPLATES, |context| {
        let context = context.selected(selector);
        let mut shown = String::new();
        // Shards contain nothing that is not in `Everything`.
        let mut errors = Vec::new();
        for outcome in [run(&context), composite_kernels::run(&context)] {
            match outcome {
                Ok(files) => files.iter().filter(|file| !file.path.contains("lization_")).for_each(|file| {
                    let _ = writeln!(shown, "--- {}\n{}", file.path, file.contents);
                }),
                Err(found) => errors.extend(found.0),
            }
        }
        if !errors.is_empty() {
            return Err(Errors(errors));
        }
        let binding = python_binding(context.renderer, context.view_groups, selector, context.namespaces)?;
        let _ = writeln!(shown, "--- {PYTHON_BINDING}\n{binding}");
        Ok(shown)
    })
}

fn check_all(file: &str) {
    cases(&format!("src/functionalization/tests/{file}"), |name, input| {
        let selector = match name {
            "a build for chosen operators" => Selector::for_training([("aten::zz", None)]),
            _ => Selector::nop(),
        };
        check(input, &selector)
    });
}

#[test]
fn texts() {
    check_all("texts.txt");
}

#[test]
fn errors() {
    check_all("errors.txt");
}
