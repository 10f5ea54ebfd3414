//! Operators and derivatives from texts, for tests of the front end and of generators, and tables
//! of such tests.
//!
//! There are no templates of a source path; tests look at fragments.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::diag::{Color, Diagnostic, Diagnostics, Sources, human};
use crate::driver::context::FileContext;
use crate::families::torch::api::autograd::{
    DifferentiabilityInfos, Matched, Operators, load, match_differentiability_info,
};
use crate::families::torch::codes;
use crate::families::torch::generators::{AutogradContext, Context, Errors, Model, Namespaces};
use crate::families::torch::managers;
use crate::families::torch::model::{BackendIndices, DispatchKey, NativeFunction, Target};
use crate::families::torch::parse::entry;
use crate::families::torch::records::native;
use crate::families::torch::{group, records};
use crate::render::Renderer;
use crate::yaml;

/// The tags that operators can have.
pub(crate) const TAGS: [&str; 4] = ["core", "generated", "view_copy", "inplace_view"];

/// The operators of a YAML text with their kernels, generated ones included.
pub(crate) fn operators(
    text: &str,
    target: Target,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> (Vec<NativeFunction>, BackendIndices) {
    let file = sources.add("native_functions.yaml", text.to_owned());
    let root = yaml::parse(sources, file, yaml::Options::OPERATORS, diagnostics).unwrap();
    let keys = if target == Target::PYTORCH { &native::ATEN_KEYS } else { &native::LIBRARY_KEYS };
    let tags = TAGS.map(str::to_owned).into();
    let options = entry::EntryOptions { target, valid_tags: &tags, ignore_keys: &BTreeSet::new() };
    let records = records::read_native_functions(root, keys, diagnostics);
    let (mut functions, mut indices) = (Vec::new(), BackendIndices::default());
    for entry in records.iter().filter_map(|record| entry::entry(record, options, diagnostics)) {
        for (key, kernel) in entry.kernels {
            indices.add(key, &entry.function.func.name, kernel);
        }
        functions.push(entry.function);
    }
    group::variants::add_generated(&mut functions, &mut indices, target, diagnostics);
    (functions, indices)
}

/// The result of `show` for the operators of a YAML text in PyTorch's layout, and all errors. The
/// renderer also has the templates.
pub(crate) fn with_operators(
    text: &str,
    templates: &[(&str, &str)],
    show: impl FnOnce(Context) -> Result<String, Errors>,
) -> String {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let (functions, indices) = operators(text, Target::PYTORCH, &mut sources, &mut diagnostics);
    let grouped = group::group(&functions, Target::PYTORCH, &mut diagnostics);
    let view_groups = group::view_groups(&functions, Target::PYTORCH, &mut diagnostics);
    let groups = group::groups(&grouped);
    let (namespaces, mut renderer) = (Namespaces::aten(), Renderer::new("torch").unwrap());
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
    let context = Context::new(Target::PYTORCH, &namespaces, model, &renderer)
        .tags(&tags)
        .keys(DispatchKey::SUPPORTED, &functions_keys);
    let shown = show(context);
    shown_with_errors(shown, diagnostics, &sources)
}

/// Whether views without a copy variant are reported.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyVariants {
    /// They are, as in a run.
    Required,
    /// They are not. Copies, which `autogen` adds, would only make the cases longer.
    Optional,
}

/// The result of `show` for operators and their derivatives, and all errors.
pub(crate) fn with_derivatives(
    target: Target,
    copies: CopyVariants,
    (native, derivatives): (&str, &str),
    show: impl FnOnce(&[NativeFunction], &DifferentiabilityInfos, &Matched) -> Result<String, Errors>,
) -> String {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let (functions, _) = operators(native, target, &mut sources, &mut diagnostics);
    let file = sources.add("derivatives.yaml", derivatives.to_owned());
    let mut shown = Ok(String::new());
    if let Some(root) = yaml::parse(&sources, file, yaml::Options::OPERATORS, &mut diagnostics) {
        let records = records::read_derivatives(root, &mut diagnostics);
        let mut of_views = Diagnostics::new();
        let view_groups = group::view_groups(&functions, target, &mut of_views);
        let is_reported =
            |found: &Diagnostic| copies == CopyVariants::Required || found.code.id != codes::VIEW_COPY_MISSING.id;
        diagnostics.extend(of_views.into_iter().filter(is_reported));
        let (all, groups): (Vec<_>, Vec<_>) = (functions.iter().collect(), view_groups.iter().collect());
        let operators = Operators { functions: &all, view_groups: &groups, target, manual: "" };
        let infos = load(&records, operators, &mut diagnostics);
        let matched = match_differentiability_info(&functions, &infos, target, &mut diagnostics);
        shown = show(&functions, &infos, &matched);
    }
    shown_with_errors(shown, diagnostics, &sources)
}

/// The same for generators of autograd.
pub(crate) fn with_autograd(
    target: Target,
    copies: CopyVariants,
    texts: (&str, &str),
    show: impl FnOnce(&AutogradContext) -> Result<String, Errors>,
) -> String {
    let (namespaces, renderer) = (Namespaces::of(target, "my"), Renderer::new("torch").unwrap());
    let files =
        FileContext { program: "generator", template_dir: "templates", ..FileContext::new(&renderer, managers::CPU) };
    with_derivatives(target, copies, texts, |functions, infos, matched| {
        show(&AutogradContext::new(target, &namespaces, functions, (matched, infos), files))
    })
}

fn shown_with_errors(shown: Result<String, Errors>, mut diagnostics: Diagnostics, sources: &Sources) -> String {
    let mut text = shown.unwrap_or_else(|errors| {
        diagnostics.extend(errors.0);
        String::new()
    });
    for diagnostic in diagnostics.into_sorted() {
        text.push_str(&human(&diagnostic, sources, Color::Never));
    }
    text
}

/// Checks a table of cases below `src/families/torch/`: `=== name`, a text, `---- shows` and the
/// expected text. `check` gets the name and the text. Returns the table.
///
/// With `UPDATE_EXPECT=1` in the environment the expected text is rewritten; review it before you
/// commit.
#[track_caller]
pub(crate) fn cases(table: &str, check: impl Fn(&str, &str) -> String) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/families/torch").join(table);
    let cases = std::fs::read_to_string(&path).unwrap();
    let (mut updated, mut wrong) = (String::new(), String::new());
    for case in cases.split("=== ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (text, expected) = rest.split_once("---- shows\n").unwrap();
        let shown = check(name, text);
        let _ = write!(updated, "=== {name}\n{text}---- shows\n{shown}\n");
        if shown.trim_end() != expected.trim_end() {
            let _ = write!(wrong, "=== {name}\n{shown}\n");
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, updated).unwrap();
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
    cases
}

/// The same for operators with derivatives: `check` gets the name, the layout and both texts, with
/// `---- derivatives.yaml` between them. `library` at the start of the name, or after the name of a
/// generator and a colon, selects the layout of libraries.
#[track_caller]
pub(crate) fn derivative_cases(table: &str, check: impl Fn(&str, Target, (&str, &str)) -> String) -> String {
    cases(table, |name, text| {
        let texts = text.split_once("---- derivatives.yaml\n").unwrap();
        let in_library = name.starts_with("library") || name.contains(": library");
        let target = if in_library { Target::LIBRARY } else { Target::PYTORCH };
        check(name, target, texts)
    })
}
