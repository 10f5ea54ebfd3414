//! The Python bindings of view metas, written by the autograd job.
//!
//! Invariant: the same classes as in ViewMetaClasses.h. Rule:
//! torchgen/gen_functionalization_type.py, `gen_functionalization_view_meta_classes`.

use serde::Serialize;

use super::view_meta::Member;
use crate::Namespaces;
use torchgen_api::functionalization::classname;
use torchgen_base::render::{Contents, Env, Fragment, RenderError, Renderer};
use torchgen_model::group::NativeFunctionsViewGroup;
use torchgen_model::model::selector::Selector;

/// The file, and its template in the source path.
pub const FILE: &str = "ViewMetaClassesPythonBinding.cpp";

#[derive(Serialize)]
struct Bindings {
    /// The classes, with their namespace.
    classes: Vec<String>,
}

/// Makes ViewMetaClassesPythonBinding.cpp. The renderer must know ATen's template of that name.
pub fn python_binding(
    renderer: &Renderer,
    view_groups: &[NativeFunctionsViewGroup],
    selector: &Selector,
    namespaces: &Namespaces,
) -> Result<Contents, RenderError> {
    let members = view_groups
        .iter()
        .filter(|g| selector.include_all_operators() && !g.composite())
        .flat_map(|g| Member::members_of(*g));
    let classes = members.map(|member| classname(&member.f.func, Some(&namespaces.view_metas))).collect();
    let bindings = renderer.fragment("torch/functionalization/python_bindings.j2", &Bindings { classes })?;
    let env = Env::from_iter([("view_meta_bindings", bindings.lines().map(Fragment::from).collect::<Vec<_>>())]);
    renderer.render_file(FILE, &env, None)
}
