//! The model: the meaning of operator schemas and their YAML entries, checked on construction and
//! immutable afterwards.
//!
//! Invariant: types here print back losslessly into the text they were parsed from. C++ spellings
//! are in `api`; files and YAML are in `records`.

mod arguments;
pub(crate) mod condition;
pub(crate) mod deprecated;
pub(crate) mod dispatch_key;
pub(crate) mod name;
pub(crate) mod native_function;
pub(crate) mod outputs;
pub(crate) mod schema;
pub(crate) mod selector;
mod signature;
pub(crate) mod target;
pub(crate) mod types;
pub(crate) mod version;

pub(crate) use dispatch_key::DispatchKey;
pub(crate) use name::{BaseOperatorName, OperatorName};
pub(crate) use native_function::{BackendIndex, BackendIndices, BackendMetadata, NativeFunction, SchemaSpans};
pub(crate) use schema::{Argument, Arguments, FunctionSchema, Return, SchemaKind, TensorOptionsArguments};
pub(crate) use signature::{SignatureKey, SignatureOptions};
pub(crate) use target::{ATEN, Language, Target};
pub(crate) use types::{Annotation, BaseTy, Type};
