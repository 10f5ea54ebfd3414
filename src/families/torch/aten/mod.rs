//! ATen's own files: the job of `python -m torchgen.gen`, and the generators that only it has.

pub mod aoti_shim;
pub mod command;
pub mod declarations;
pub(crate) mod generators;
pub mod op_lists;
pub mod registration_declarations;
pub mod tensor_body;
pub mod vmap_plumbing;
