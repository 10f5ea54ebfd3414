//! The generators: one folder each, with its view structs, and templates under the same name in `templates/`.
//!
//! Invariant: a generator turns the [`Context`] into [`OutputFile`](crate::write::OutputFile)s and touches nothing else. Deliberately
//! absent: emitted text, which lives in `templates/`; a test holds that no string here has a statement, brace or comment in it.

pub mod backend_select;
mod context;
pub mod declarations;
pub mod op_lists;
pub mod register_schema;
pub mod registration_declarations;
pub mod vmap_plumbing;

pub use context::{Context, Faults, Flags, ItemFault, Outcome, Subject};

use crate::cli::OutputKind;

/// A generator of ATen's outputs.
pub struct Generator {
    /// The name of its folder here and under `templates/`.
    pub name: &'static str,
    /// What it writes, for people.
    pub description: &'static str,
    /// The `--generate` value that switches it on.
    pub output: OutputKind,
    /// Makes its files.
    pub run: fn(&Context) -> Outcome,
}

/// All generators of the ATen layout. Their order is the order in which files are listed and faults reported.
pub const GENERATORS: &[Generator] = &[
    Generator {
        name: "declarations",
        description: "every operator as the C++ API shows it, in YAML",
        output: OutputKind::DeclarationsYaml,
        run: declarations::run,
    },
    Generator {
        name: "registration_declarations",
        description: "signatures for kernels outside the tree",
        output: OutputKind::Headers,
        run: registration_declarations::run,
    },
    Generator {
        name: "vmap_plumbing",
        description: "calls of batch rules",
        output: OutputKind::Headers,
        run: vmap_plumbing::run,
    },
    Generator {
        name: "op_lists",
        description: "names of operators, arguments and tags",
        output: OutputKind::Headers,
        run: op_lists::headers,
    },
    Generator {
        name: "op_lists",
        description: "the list of operators, and sources filled by their skeletons alone",
        output: OutputKind::Sources,
        run: op_lists::sources,
    },
    Generator {
        name: "register_schema",
        description: "schemas for the dispatcher",
        output: OutputKind::Sources,
        run: register_schema::run,
    },
    Generator {
        name: "backend_select",
        description: "kernels of factories that find out the backend",
        output: OutputKind::Sources,
        run: backend_select::run,
    },
];
