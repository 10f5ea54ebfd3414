//! The generators: one folder each, with its view structs, and templates under the same name in `templates/`.
//!
//! Invariant: a generator turns the [`Context`] into [`OutputFile`](crate::write::OutputFile)s and
//! changes nothing else. Emitted text is in `templates/`; a test checks that no string here
//! contains a statement, brace or comment.

pub(crate) mod ad_inplace_or_view;
pub(crate) mod autograd_common;
mod autograd_context;
pub(crate) mod autograd_functions;
pub(crate) mod backend_select;
mod clashes;
pub(crate) mod composite_kernels;
mod context;
pub(crate) mod functionalization;
pub(crate) mod functions;
pub(crate) mod hooks;
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
pub(crate) use clashes::clashes;
pub(crate) use context::{Context, Flags, Model, Namespaces, Subject, per_item};
pub(crate) use outcome::{Faults, ItemFault, Outcome, gather};

use crate::diag::Diagnostic;
pub(crate) use output_kind::OutputKind;

/// Checks the inputs or existing files, and reports on them. Fails with errors that stop the run.
pub(crate) type Check = fn(&Context) -> Result<Vec<Diagnostic>, Faults>;

/// A generator.
pub(crate) struct Generator {
    /// The name of its folder here and under `templates/`.
    pub name: &'static str,
    /// What it writes, for users.
    pub description: &'static str,
    /// The `--generate` value that enables it.
    pub output: OutputKind,
    /// Makes its files.
    pub run: fn(&Context) -> Outcome,
    /// The same files without their contents, for dry runs.
    pub names: fn(&Context) -> Outcome,
    /// Checks on the inputs or on existing files.
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

    /// With a check, which also runs in a dry run.
    pub(crate) const fn checked(self, check: Check) -> Generator {
        Generator { check: Some(check), ..self }
    }
}
