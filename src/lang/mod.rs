//! Readers of the languages that are generated: what sources define.

pub mod cpp;
pub mod python;
