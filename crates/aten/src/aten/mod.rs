//! ATen's own files: the job of `python -m torchgen.gen`, and the generators that are only in it.

pub mod aoti_shim;
pub mod command;
pub mod declarations;
pub mod generators;
pub(crate) mod native_aot;
pub(crate) mod op_lists;
pub mod register_schema;
pub mod registration_declarations;
pub mod tensor_body;
pub mod ufunc;
pub(crate) mod vmap_plumbing;
