//! Rendering: views and templates become text.
//!
//! One engine, minijinja, renders what has loops and conditions: the embedded `.j2` fragments.
//! The files of a source path (`$x`, `${x}`) only have places, which `code_template` fills; `plain`
//! has C++ without either. Text is passed as [`Fragment`]s, rendered once and shared by all files
//! that contain them, and ends as [`Contents`].
//!
//! Invariant: a render depends only on the templates and the view, not on the clock, environment
//! variables, paths or hash order. Nothing here knows C++, and operators are names only; `write`
//! writes the files.

mod about;
mod code_template;
mod contents;
mod declared;
mod diagnostic;
mod docstring;
mod env;
mod error;
mod fragment;
mod imports;
mod jinja;
mod length;
mod limits;
mod lines;
mod operators;
mod plain;
mod renderer;
#[cfg(test)]
mod renderer_tests;
mod shard;
mod sums;
pub mod trace;
#[cfg(debug_assertions)]
mod used;
mod user;
mod view;
mod words;

pub use about::About;
pub use code_template::TextTemplate;
pub use contents::{Contents, ContentsBuilder};
pub use declared::declared_names;
pub use env::{Env, Value};
pub use error::RenderError;
pub use fragment::Fragment;
pub use jinja::Jinja;
pub use operators::Operators;
pub use plain::Word;
pub use renderer::Renderer;
pub(crate) use shard::Shard;
pub use shard::{RenderedFile, Sharded, stable_hash};
pub use sums::{marked_expression, marked_template, unmarked, without_marks};
pub use user::{Budget, USER_STEPS, user_environment, user_template};
pub use view::View;
pub use words::identifiers;
