//! The variables that the call of one operator needs, one by one, for scripts that write bindings
//! themselves.
//!
//! Invariant: each is a piece of the text of a binding. Rule: torchgen/api/python.py,
//! `dispatch_lambda_exprs`.

use serde::Serialize;

use super::view::{OptionsView, OutCheckView};
use torchgen_api::python::Bound;
use torchgen_base::render::{RenderError, Renderer};

/// One variable.
#[derive(Serialize)]
struct Single {
    call: Call,
}

#[derive(Default, Serialize)]
struct Call {
    method: bool,
    self_init: Option<String>,
    out_init: Option<String>,
    name_lists: Vec<(String, String)>,
    options: Option<OptionsView>,
    out_check: Option<OutCheckView>,
}

/// The statements that make the variables, in their order. Those of several lines end with a
/// newline.
pub fn inits(renderer: &Renderer, bound: Bound, method: bool) -> Result<Vec<String>, RenderError> {
    let text = |call: Call| renderer.fragment("torch/python_bindings/inits.j2", &Single { call });
    let mut made = Vec::new();
    if bound.self_init.is_some() {
        made.push(text(Call { self_init: bound.self_init, ..Call::default() })?.trim_end().to_owned());
    }
    if bound.out_init.is_some() {
        made.push(text(Call { out_init: bound.out_init, ..Call::default() })?.trim_end().to_owned());
    }
    if !bound.name_lists.is_empty() {
        made.push(text(Call { name_lists: bound.name_lists, ..Call::default() })?);
    }
    if let Some(options) = bound.options {
        made.push(text(Call { method, options: Some(options.into()), ..Call::default() })?);
    }
    if let Some(check) = bound.out_check {
        made.push(text(Call { out_check: Some(check.into()), ..Call::default() })?);
    }
    Ok(made)
}
