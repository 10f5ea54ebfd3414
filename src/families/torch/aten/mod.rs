//! ATen's own files: the job of `python -m torchgen.gen`, and the generators that are only in it.

pub(crate) mod aoti_shim;
pub(crate) mod command;
pub(crate) mod declarations;
pub(crate) mod generators;
pub(crate) mod op_lists;
pub(crate) mod registration_declarations;
pub(crate) mod tensor_body;
pub(crate) mod vmap_plumbing;
