//! The generators: one folder each, with its view structs, and templates under the same name in
//! `templates/`.
//!
//! Invariant: a generator turns the [`Context`] into
//! [`OutputFile`](torchgen_base::write::OutputFile)s and changes nothing else. Emitted text is in
//! `templates/`; a test checks that no string here contains a statement, brace or comment.

pub mod ad_inplace_or_view;
pub mod args;
mod author_signatures;
pub mod autograd_common;
mod autograd_context;
pub mod autograd_functions;
pub mod backend_select;
mod clashes;
pub mod composite_kernels;
mod context;
pub mod decider;
pub mod functionalization;
pub mod functions;
pub mod guard;
pub mod hooks;
pub mod inputs;
pub mod layout;
pub mod managers;
pub mod names;
pub mod native_aot;
pub mod native_functions;
pub mod operators;
mod outcome;
mod output_kind;
pub mod query;
pub mod redispatch;
pub mod register_dispatch_key;
mod shown;
pub mod size_check;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod variable_type;
pub mod view_funcs;

pub use author_signatures::{AuthorSignature, AuthorSignatures, Conversion};
pub use autograd_context::AutogradContext;
pub use clashes::clashes;
pub use context::{Context, Flags, Model, Namespaces, Subject, per_item};
pub use outcome::{Errors, ItemError, Outcome, gather};
pub use output_kind::OutputKind;
pub use torchgen_kit::driver::family::GeneratorInfo;

/// A generator of PyTorch's family.
#[derive(Clone, Copy)]
pub struct Generator<When, Run> {
    /// What `torchgen-rs list` prints.
    pub info: GeneratorInfo,
    /// Which requests want it.
    pub when: When,
    /// Makes its files.
    pub run: Run,
}

impl<When, Run> Generator<When, Run> {
    /// Its name and what it makes, for timings.
    pub fn title(&self) -> String {
        format!("{}: {}", self.info.name, self.info.about)
    }
}

/// What is known of a generator whose templates are in the folder of its name: command, name, what
/// it makes, files.
#[macro_export]
macro_rules! info {
    ($command:literal, $name:literal, $about:literal, $files:expr) => {
        $crate::GeneratorInfo {
            name: $name,
            command: $command,
            about: $about,
            files: $files,
            templates: concat!("torch/", $name),
        }
    };
}
