//! Rendering: views and templates become text.
//!
//! One engine, minijinja, serves both syntaxes: `.j2` fragments, embedded in the binary, and the CodeTemplate files (`$x`, `${x}`) that a
//! source path brings along. Text moves as [`Fragment`]s, made once and shared by every file they appear in, and ends as [`Contents`].
//!
//! Invariant: a render depends on the templates and the view only; no clock, environment variable, path or hash order gets in.
//! Deliberately absent: any knowledge of operators or C++, and writing (see `write`).

mod code_template;
mod contents;
mod diagnostic;
mod docstring;
mod embedded;
mod env;
mod error;
mod fragment;
mod imports;
mod lines;
mod renderer;
#[cfg(test)]
mod renderer_tests;
mod shard;
#[cfg(debug_assertions)]
mod used;

pub(crate) use contents::{Contents, ContentsBuilder};
pub(crate) use env::{Env, Value};
pub(crate) use error::RenderError;
pub(crate) use fragment::Fragment;
pub(crate) use renderer::{Renderer, View};
pub(crate) use shard::{RenderedFile, Shard, Sharded};
