//! The model: what operator schemas and their YAML entries mean, checked on construction and frozen afterwards.
//!
//! Invariant: types here print back losslessly into the text they were parsed from. Deliberately absent: C++ spellings,
//! files and YAML; those belong to `api` and `yaml`.

mod arguments;
pub mod deprecated;
pub mod dispatch_key;
pub mod name;
pub mod native_function;
pub mod schema;
pub mod selector;
mod signature;
pub mod target;
pub mod types;

pub use dispatch_key::DispatchKey;
pub use name::{BaseOperatorName, OperatorName};
pub use native_function::{BackendIndex, BackendIndices, BackendMetadata, NativeFunction, SchemaSpans, ViewSchemaKind};
pub use schema::{Argument, Arguments, FunctionSchema, Return, SchemaKind, TensorOptionsArguments};
pub use signature::{SignatureKey, SignatureOptions};
pub use target::{ATEN, Language, Target};
pub use types::{Annotation, BaseTy, Type};
