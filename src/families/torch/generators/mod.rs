//! The generators: one folder each, with its view structs, and templates under the same name in `templates/`.
//!
//! Invariant: a generator turns the [`Context`] into [`OutputFile`](crate::write::OutputFile)s and touches nothing else. Deliberately
//! absent: emitted text, which lives in `templates/`; a test holds that no string here has a statement, brace or comment in it.

pub(crate) mod ad_inplace_or_view;
pub(crate) mod autograd_common;
mod autograd_context;
pub(crate) mod autograd_functions;
pub(crate) mod backend_select;
pub(crate) mod composite_kernels;
mod context;
pub(crate) mod functionalization;
pub(crate) mod functions;
pub(crate) mod names;
pub(crate) mod native_aot;
pub(crate) mod native_functions;
pub(crate) mod operators;
mod outcome;
mod output_kind;
pub(crate) mod redispatch;
pub(crate) mod register_dispatch_key;
pub(crate) mod register_schema;
#[cfg(test)]
mod testing;
pub(crate) mod ufunc;
pub(crate) mod variable_type;
pub(crate) mod view_funcs;

pub(crate) use autograd_context::AutogradContext;
pub(crate) use context::{Context, Flags, Model, Namespaces, Subject, per_item};
pub(crate) use outcome::{Faults, ItemFault, Outcome, gather};

use crate::diag::Diagnostic;
pub(crate) use output_kind::OutputKind;

/// Looks at the inputs, or at files that are there, and remarks on them. Errors: faults that stop the run.
pub(crate) type Check = fn(&Context) -> Result<Vec<Diagnostic>, Faults>;

/// A generator.
pub(crate) struct Generator {
    /// The name of its folder here and under `templates/`.
    pub name: &'static str,
    /// What it writes, for people.
    pub description: &'static str,
    /// The `--generate` value that switches it on.
    pub output: OutputKind,
    /// Makes its files.
    pub run: fn(&Context) -> Outcome,
    /// The same files without their texts, for dry runs.
    pub names: fn(&Context) -> Outcome,
    /// What else is to be said about the inputs or about files that are there.
    pub check: Option<Check>,
}

impl Generator {
    /// A generator without a check.
    pub(crate) const fn new(
        name: &'static str,
        output: OutputKind,
        run: fn(&Context) -> Outcome,
        names: fn(&Context) -> Outcome,
        description: &'static str,
    ) -> Generator {
        Generator { name, description, output, run, names, check: None }
    }

    /// With a check, which a dry run makes as well.
    pub(crate) const fn checked(self, check: Check) -> Generator {
        Generator { check: Some(check), ..self }
    }
}
