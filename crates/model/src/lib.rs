//! PyTorch's operators as data.
//!
//! Data flows `records -> parse -> model -> group`: files as written, checked strings, frozen
//! models, groups of variants. Invariant: nothing here knows C++ beyond names.

pub mod changes;
pub mod codes;
pub mod group;
pub mod model;
pub mod parse;
pub mod records;
pub mod release;
pub mod torch;
pub mod versions;
