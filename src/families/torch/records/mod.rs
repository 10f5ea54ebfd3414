//! The records of PyTorch's YAML files: one reader and one key table for each kind of file.
//!
//! Invariant: a reader reports all errors of a file, not only the first. Deliberately absent: what a schema string means (`parse`).

pub mod backend;
pub mod deprecated;
pub mod derivatives;
pub mod json_schema;
pub mod native;
pub mod selective;
pub mod tags;
pub(crate) mod vocabulary;

pub use backend::{BackendRecord, FileRecord, KernelRecord, NonNativeRecord, ShimRecord, read_backend};
pub use deprecated::{DeprecatedRecord, read_deprecated};
pub use derivatives::{DerivativeRecord, FormulaRecord, KeyedFormulas, OutputDifferentiability, read_derivatives};
pub use native::{DispatchEntry, NativeFunctionRecord, UfuncRecord, read_native_functions};
pub use selective::{SelectiveRecord, read_names, read_selective};
pub use tags::{TagRecord, read_tags};
