//! The texts that the server makes, from the templates of `templates/editor`.
//!
//! Invariant: all of them are made here, with one renderer.

use std::sync::LazyLock;

use serde::Serialize;
use torchgen_base::render::Renderer;

/// The text of a template; `None` if it fails, which leaves an editor without an answer.
pub(super) fn rendered<V: Serialize>(template: &str, view: &V) -> Option<String> {
    static RENDERER: LazyLock<Option<Renderer>> = LazyLock::new(|| Renderer::new("editor").ok());
    RENDERER.as_ref()?.fragment(template, view).ok()
}
