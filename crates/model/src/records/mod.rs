//! The records of PyTorch's YAML files: one reader and one key table for each kind of file.
//!
//! Invariant: a reader reports all errors of a file, not only the first. `parse` handles schema
//! strings.

pub(crate) mod backend;
pub(crate) mod deprecated;
pub(crate) mod derivatives;
pub mod json_schema;
mod kind;
pub(crate) mod models;
pub mod native;
mod operator_keys;
mod operator_values;
pub(crate) mod selective;
pub(crate) mod settings;
pub(crate) mod tags;
pub mod vocabulary;

pub use backend::{
    BackendRecord, FileRecord, GuardsRecord, HooksRecord, KernelRecord, NonNativeRecord, read_backend, read_hooks,
};
pub(crate) use deprecated::DeprecatedRecord;
pub use deprecated::read_deprecated;
pub use derivatives::{DerivativeRecord, FormulaRecord, KeyedFormulas, OutputDifferentiability, read_derivatives};
pub use kind::{FileKind, is_backend, is_other_kind};
pub use models::{ModelRecord, read_dependencies, read_models, read_roots};
pub use native::read_native_functions;
pub(crate) use operator_keys::UFUNC_KEYS;
pub use operator_keys::{DefaultsRecord, NativeFunctionRecord};
pub use operator_values::DispatchEntry;
pub(crate) use operator_values::UfuncRecord;
pub use selective::{SelectiveRecord, read_names, read_selective};
pub use settings::{RUN_KEYS, SettingsRecord, read_settings};
pub use tags::read_tags;

#[cfg(test)]
mod tests;
