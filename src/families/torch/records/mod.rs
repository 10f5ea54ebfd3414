//! The records of PyTorch's YAML files: one reader and one key table for each kind of file.
//!
//! Invariant: a reader reports all errors of a file, not only the first. `parse` handles schema
//! strings.

pub(crate) mod backend;
mod defaults;
pub(crate) mod deprecated;
pub(crate) mod derivatives;
pub(crate) mod json_schema;
mod kind;
pub(crate) mod models;
pub(crate) mod native;
pub(crate) mod selective;
pub(crate) mod settings;
pub(crate) mod tags;
pub(crate) mod vocabulary;

pub(crate) use backend::{
    BackendRecord, FileRecord, GuardsRecord, HooksRecord, KernelRecord, NonNativeRecord, read_backend, read_hooks,
};
pub(crate) use defaults::DefaultsRecord;
pub(crate) use deprecated::{DeprecatedRecord, read_deprecated};
pub(crate) use derivatives::{
    DerivativeRecord, FormulaRecord, KeyedFormulas, OutputDifferentiability, read_derivatives,
};
pub(crate) use kind::{FileKind, is_other_kind};
pub(crate) use models::{ModelRecord, read_dependencies, read_models, read_roots};
pub(crate) use native::{DispatchEntry, NativeFunctionRecord, UfuncRecord, read_native_functions};
pub(crate) use selective::{SelectiveRecord, read_names, read_selective};
pub(crate) use settings::{SettingsRecord, read_settings};
pub(crate) use tags::read_tags;

#[cfg(test)]
mod tests;
