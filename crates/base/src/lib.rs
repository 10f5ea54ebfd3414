//! What every family is built on: diagnostics, YAML, languages, rendering, writing.

pub mod diag;
pub mod lang;
pub mod render;
pub mod write;
pub mod yaml;
