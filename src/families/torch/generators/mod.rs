//! The generators: one folder each, with its view structs, and templates under the same name in
//! `templates/`.
//!
//! Invariant: a generator turns the [`Context`] into [`OutputFile`](crate::write::OutputFile)s and
//! changes nothing else. Emitted text is in `templates/`; a test checks that no string here
//! contains a statement, brace or comment.

pub(crate) mod ad_inplace_or_view;
mod author_heads;
pub(crate) mod autograd_common;
mod autograd_context;
pub(crate) mod autograd_functions;
pub(crate) mod backend_select;
mod clashes;
pub(crate) mod composite_kernels;
mod context;
pub(crate) mod functionalization;
pub(crate) mod functions;
pub(crate) mod guard;
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
pub(crate) mod ufunc;
pub(crate) mod variable_type;
pub(crate) mod view_funcs;

pub(crate) use author_heads::{AuthorHead, AuthorHeads, Conversion};
pub(crate) use autograd_context::AutogradContext;
pub(crate) use clashes::clashes;
pub(crate) use context::{Context, Flags, Model, Namespaces, Subject, per_item};
pub(crate) use outcome::{Errors, ItemError, Outcome, gather};

use crate::driver::family::GeneratorInfo;
pub(crate) use output_kind::OutputKind;

/// A generator of PyTorch's family.
#[derive(Clone, Copy)]
pub(crate) struct Generator<When, Run> {
    /// What `torchgen-rs list` prints.
    pub(crate) info: GeneratorInfo,
    /// Which requests want it.
    pub(crate) when: When,
    /// Makes its files.
    pub(crate) run: Run,
}

impl<When, Run> Generator<When, Run> {
    /// Its name and what it makes, for timings.
    pub(crate) fn title(&self) -> String {
        format!("{}: {}", self.info.name, self.info.about)
    }
}

/// What is known of a generator whose templates are in the folder of its name: command, name, what
/// it makes, files.
macro_rules! info {
    ($command:literal, $name:literal, $about:literal, $files:expr) => {
        $crate::driver::family::GeneratorInfo {
            name: $name,
            command: $command,
            about: $about,
            files: $files,
            templates: concat!("torch/", $name),
        }
    };
}
pub(crate) use info;
