//! The model: the meaning of operator schemas and their YAML entries, checked on construction and
//! immutable afterwards.
//!
//! Invariant: types here print back losslessly into the text they were parsed from. C++ spellings
//! are in `api`; files and YAML are in `records`.

mod arguments;
pub mod aten_keys;
pub mod batching;
pub mod composites;
pub mod condition;
pub mod cpp_names;
pub mod deprecated;
pub mod dims;
pub(crate) mod dispatch_key;
mod entry_spans;
mod in_bodies;
pub(crate) mod name;
pub mod native_function;
pub mod onnx;
pub(crate) mod operator_dims;
pub mod outputs;
pub mod python_function;
pub mod registration;
mod reserved;
pub mod rules;
pub mod scalar_types;
pub mod schema;
pub mod selector;
mod signature;
pub(crate) mod target;
pub(crate) mod types;
pub mod version;
pub mod view_kind;

pub use dispatch_key::{DispatchKey, records_gradients};
pub use name::{BaseOperatorName, OperatorName};
pub use native_function::{BackendIndex, BackendIndices, BackendMetadata, NativeFunction, SchemaSpans};
pub use reserved::ReservedNames;
pub use schema::{Argument, Arguments, FunctionSchema, Return, SchemaKind, TensorOptionsArguments};
pub(crate) use signature::SignatureKey;
pub use signature::SignatureOptions;
pub use target::{ATEN, Language, Target};
pub use types::{Annotation, BaseTy, Type};
