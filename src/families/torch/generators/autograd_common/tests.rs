//! Kernels, view replays and factories of a few operators in full, and the diagnostics for
//! operators that cannot have any.
//!
//! Cases are in `cases.txt` in the folder of this module. With `UPDATE_EXPECT=1` in the environment
//! the tests rewrite the expected text; review it before you commit.

use std::fmt::Write as _;
use std::path::Path;

use crate::diag::{Color, Diagnostics, Sources, human};
use crate::driver::context::FileContext;
use crate::families::torch::api::autograd::{self, Operators};
use crate::families::torch::autograd::{trace_type, variable_factories};
use crate::families::torch::generators::{AutogradContext, Errors, Namespaces, ad_inplace_or_view, view_funcs};
use crate::families::torch::group;
use crate::families::torch::managers;
use crate::families::torch::model::Target;
use crate::families::torch::records;
use crate::render::{Fragment, Renderer};
use crate::yaml;

/// The texts of the generator of that name, in order.
fn texts(generator: &str, ctx: &AutogradContext) -> Result<Vec<Fragment>, Errors> {
    Ok(match generator {
        "trace_type" => trace_type::kernels(ctx)?.into_iter().flat_map(|k| [k.definition, k.registration]).collect(),
        "ad_inplace_or_view" => ad_inplace_or_view::kernels(ctx, "Scope::")?
            .into_iter()
            .flat_map(|kernel| [kernel.definition, kernel.registration])
            .collect(),
        "view_funcs" => {
            view_funcs::replays(ctx)?.into_iter().flat_map(|replay| [replay.declaration, replay.definition]).collect()
        }
        "variable_factories" => variable_factories::functions(ctx)?.into_iter().map(|(_, text)| text).collect(),
        _ => panic!("no generator is called {generator}"),
    })
}

/// Shows the output of a generator for operators and derivatives, or its errors.
fn check(target: Target, generator: &str, native: &str, derivatives: &str) -> String {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let functions = autograd::tests::operators(native, target, &mut sources, &mut diagnostics);
    let file = sources.add("derivatives.yaml", derivatives.to_owned());
    let root = yaml::parse(&sources, file, yaml::Options::OPERATORS, &mut diagnostics).unwrap();
    let records = records::read_derivatives(root, &mut diagnostics);
    // Copies of views, which `autogen` adds, would only make the cases longer.
    let view_groups = group::view_groups(&functions, target, &mut Diagnostics::new());
    let (all, groups): (Vec<_>, Vec<_>) = (functions.iter().collect(), view_groups.iter().collect());
    let operators = Operators { functions: &all, view_groups: &groups, target, manual: "" };
    let infos = autograd::load(&records, operators, &mut diagnostics);
    let matched = autograd::match_differentiability_info(&functions, &infos, target, &mut diagnostics);
    let namespaces = Namespaces::of(target, "my");
    let renderer = Renderer::new("torch").unwrap();
    let files =
        FileContext { program: "generator", template_dir: "templates", ..FileContext::new(&renderer, managers::CPU) };
    let ctx = AutogradContext::new(target, &namespaces, &functions, (&matched, &infos), files);
    let mut shown = String::new();
    match texts(generator, &ctx) {
        Ok(texts) => texts.iter().for_each(|text| shown.push_str(text)),
        Err(errors) => diagnostics.extend(errors.0),
    }
    for diagnostic in diagnostics.into_sorted() {
        shown.push_str(&human(&diagnostic, &sources, Color::Never));
    }
    shown
}

/// A case is a generator, a name, operators, derivatives and the output; `library` in the name
/// chooses the layout.
#[test]
fn cases() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families/torch/generators/autograd_common/tests/cases.txt");
    let cases = std::fs::read_to_string(&path).unwrap();
    let mut updated = String::new();
    let mut wrong = Vec::new();
    for case in cases.split("=== ").skip(1) {
        let (title, rest) = case.split_once('\n').unwrap();
        let (generator, name) = title.split_once(": ").unwrap();
        let (native, rest) = rest.split_once("---- derivatives.yaml\n").unwrap();
        let (derivatives, expected) = rest.split_once("---- shows\n").unwrap();
        let target = if name.starts_with("library") { Target::LIBRARY } else { Target::PYTORCH };
        let found = check(target, generator, native, derivatives);
        let _ = write!(
            updated,
            "=== {title}\n{native}---- derivatives.yaml\n{derivatives}---- shows\n{}\n\n",
            found.trim_end()
        );
        if found.trim_end() != expected.trim_end() {
            wrong.push(format!("{title}\n---- shows\n{found}"));
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
