//! Autograd of a library on the stable ABI: kernels in Python, because C++ cannot make nodes there.
//!
//! Data flows `matched derivatives -> operator (translated formulas) -> view -> _autograd.py`. An
//! operator that writes also gets a kernel that counts versions.
//!
//! Invariant: every operator with tensors that is not composite has a kernel, so that no gradient
//! is silently wrong. A formula without a translation is an error at its token.

mod class;
mod formulas;
mod kernel;
mod outputs;
mod places;
mod tangents;
mod variables;

use serde::Serialize;

use self::formulas::Source;
use self::kernel::Operator;
use crate::library::python::directory;
use crate::library::{Inputs, MANAGER};
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::write::OutputFile;
use torchgen_generators::Outcome;

/// The file.
#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    operators: Vec<Operator<'a>>,
    /// Functions of the author.
    functions: Vec<Function>,
    /// The package is in another one.
    inner: bool,
}

/// A function that a formula calls.
#[derive(Serialize)]
struct Function {
    variable: String,
    module: String,
    relative: bool,
    name: String,
}

/// All operators, and the errors in their formulas.
fn differentiate<'a>(inputs: &'a Inputs<'_, 'a>) -> (Vec<Operator<'a>>, Source<'a>, Vec<Diagnostic>) {
    let source = Source::new(inputs);
    let mut errors = Diagnostics::new();
    let mut operators = Vec::new();
    for matched in &inputs.autograd.matched.functions {
        if matched.func.namespace != inputs.context.namespaces.api {
            continue;
        }
        match kernel::operator(matched, &source) {
            Ok(made) => operators.extend(made),
            Err(found) => errors.extend(found),
        }
    }
    // Variants of an operator share its formulas.
    let mut once: Vec<Diagnostic> = Vec::new();
    for error in errors {
        let span = |error: &Diagnostic| error.primary.as_ref().map(|label| label.span);
        if !once.iter().any(|other| other.message == error.message && span(other) == span(&error)) {
            once.push(error);
        }
    }
    (operators, source, once)
}

/// What formulas cannot have in Python.
pub(crate) fn check_formulas_in_python(inputs: &Inputs<'_, '_>) -> Vec<Diagnostic> {
    differentiate(inputs).2
}

/// The files with the kernels; none if no operator needs one.
pub(super) fn files(inputs: &Inputs<'_, '_>, package: &str) -> Outcome {
    let (mut operators, source, errors) = differentiate(inputs);
    if !errors.is_empty() {
        return Err(errors.into());
    }
    if operators.is_empty() {
        return Ok(Vec::new());
    }
    operators.iter_mut().for_each(|operator| operator.mark(inputs.context.renderer));
    let inner = inputs.context.flags.in_python_package;
    let module = Module { namespace: &inputs.context.namespaces.api, functions: source.functions(), operators, inner };
    let render = |name: &str| {
        let text = inputs.context.renderer.fragment(&format!("torch/stable/python/{name}.j2"), &module)?;
        Ok(OutputFile::new(MANAGER, format!("{}/{name}", directory(package)), text))
    };
    ["_autograd.py", "_formulas.py"].into_iter().map(render).collect()
}
