//! `aoti.py`: what makes compiled models call the C functions of operators, on both ABIs.
//!
//! Invariant: nothing imports it but its users, and importing it changes nothing.

use serde::Serialize;

use super::directory;
use crate::library::c_functions::{Declared, declared};
use crate::library::{Inputs, MANAGER};
use torchgen_base::write::OutputFile;
use torchgen_generators::Outcome;

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    /// The package is in another one, which loads the library.
    inner: bool,
    operators: Vec<Declared>,
}

/// The file; none if no operator has a C function.
pub(crate) fn files(inputs: &Inputs, package: &str) -> Outcome {
    let ctx = &inputs.context;
    let operators = declared(inputs);
    if operators.is_empty() {
        return Ok(Vec::new());
    }
    let module = Module { namespace: &ctx.namespaces.api, inner: ctx.flags.in_python_package, operators };
    let text = ctx.renderer.fragment("torch/library/python/aoti.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/aoti.py", directory(package)), text)])
}
