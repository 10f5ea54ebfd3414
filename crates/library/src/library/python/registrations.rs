//! `_registrations.py`: the operators whose kernels the library registers by itself, and their
//! schemas.
//!
//! Invariant: other modules of the package ask it before they register anything for such an
//! operator, so that it is imported before them.

use serde::Serialize;

use super::directory;
use crate::library::view::is_selected;
use crate::library::{Inputs, MANAGER};
use torchgen_base::write::OutputFile;
use torchgen_generators::Outcome;

/// The name of the module.
pub(crate) const MODULE: &str = "_registrations";

#[derive(Serialize)]
struct Module<'a> {
    namespace: &'a str,
    /// The package loads the library.
    has_loader: bool,
    operators: Vec<Operator>,
}

/// An operator whose kernels the library registers.
#[derive(Serialize)]
struct Operator {
    /// The name with the namespace and the overload.
    name: String,
    schema: String,
    /// Some builds lack it.
    conditional: bool,
}

/// The file; none if generated code registers all kernels.
pub(crate) fn files(inputs: &Inputs<'_, '_>, package: &str) -> Outcome {
    let ctx = &inputs.context;
    let own = ctx.functions.iter().filter(|f| f.manual_kernel_registration && is_selected(ctx, f));
    let own = own.map(|f| Operator {
        name: ctx.renderer.about([f]).marked(f.full_name()),
        schema: f.qualified_schema(),
        conditional: f.conditions.operator.is_some(),
    });
    let alone = ctx.schema_only.iter().map(|f| Operator {
        name: format!("{}::{}", f.namespace, f.name),
        schema: format!("{}::{}", f.namespace, f.schema),
        conditional: f.when.is_some(),
    });
    let operators: Vec<Operator> = own.chain(alone).collect();
    if operators.is_empty() {
        return Ok(Vec::new());
    }
    let has_loader = inputs.settings.loader.is_some();
    let module = Module { namespace: &ctx.namespaces.api, has_loader, operators };
    let text = ctx.renderer.fragment("torch/library/python/_registrations.py.j2", &module)?;
    Ok(vec![OutputFile::new(MANAGER, format!("{}/{MODULE}.py", directory(package)), text)])
}
