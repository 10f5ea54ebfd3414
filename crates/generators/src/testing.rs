//! Operators and derivatives from texts, for tests of generators.
//!
//! There are no templates of a source path; tests look at fragments. Part of builds of tests only.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

pub use torchgen_api::testing::{CopyVariants, cases, derivative_cases};
use torchgen_api::testing::{TAGS, operators, shown_with_errors, with_derivatives};
use torchgen_base::diag::{Diagnostics, Sources};
use torchgen_base::render::Renderer;
use torchgen_kit::driver::context::FileContext;
use torchgen_kit::driver::data::Tables;
use torchgen_model::group;
use torchgen_model::model::aten_keys::aten_keys;
use torchgen_model::model::{DispatchKey, Target};

use crate::managers;
use crate::{AutogradContext, Context, Errors, Model, Namespaces};
use torchgen_model::model::rules::Rules;

/// The result of `show` for the operators of a YAML text in PyTorch's layout, and all errors. The
/// renderer also has the templates.
pub fn with_operators(
    text: &str,
    templates: &[(&str, &str)],
    show: impl FnOnce(Context) -> Result<String, Errors>,
) -> String {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let target = Target::pytorch(Tables::embedded());
    let (functions, indices) = operators(text, target, &mut sources, &mut diagnostics);
    let grouped = group::group(&functions, target, &mut diagnostics);
    let view_groups = group::view_groups(&functions, target, &mut diagnostics);
    let groups = group::groups(&grouped);
    let (namespaces, mut renderer) = (Namespaces::aten(), Renderer::new("torch").unwrap());
    Rules::serve(Tables::embedded(), &mut renderer);
    templates.iter().for_each(|(name, text)| renderer.add_template(name, text).unwrap());
    let functions_keys = BTreeSet::from([DispatchKey::CPU, DispatchKey::CUDA]);
    let model = Model {
        functions: &functions,
        indices: &indices,
        grouped: &grouped,
        groups: &groups,
        view_groups: &view_groups,
    };
    let tags = TAGS.map(str::to_owned).into();
    let keys: Vec<_> = aten_keys(target.tables).map(|row| row.key).collect();
    let context = Context::new(target, &namespaces, model, &renderer).tags(&tags).keys(&keys, &functions_keys);
    let shown = show(context);
    shown_with_errors(shown.map_err(|errors| errors.0), diagnostics, &sources)
}

/// The same for generators of autograd.
pub fn with_autograd(
    target: Target,
    copies: CopyVariants,
    native: &str,
    derivatives: &str,
    show: impl FnOnce(&AutogradContext) -> Result<String, Errors>,
) -> String {
    let (namespaces, mut renderer) = (Namespaces::for_target(target, "my"), Renderer::new("torch").unwrap());
    Rules::serve(Tables::embedded(), &mut renderer);
    let files =
        FileContext { program: "generator", template_dir: "templates", ..FileContext::new(&renderer, managers::CPU) };
    with_derivatives(target, copies, native, derivatives, |functions, infos, matched| {
        show(&AutogradContext::new(target, &namespaces, functions, matched, infos, files)).map_err(|errors| errors.0)
    })
}
