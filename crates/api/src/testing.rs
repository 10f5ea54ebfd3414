//! Operators and derivatives from texts, for tests of the crates above and of this one, and tables
//! of such tests.
//!
//! There are no templates of a source path; tests look at fragments. Part of builds of tests only.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use torchgen_base::diag::{Color, Diagnostic, Diagnostics, Sources, human};
use torchgen_base::yaml;
pub use torchgen_base::yaml::testing::check_cases as cases;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::{BackendIndices, Language, NativeFunction, Target};
use torchgen_model::parse::entry;
use torchgen_model::records::native;
use torchgen_model::{codes, group, records};

use crate::autograd::{DifferentiabilityInfos, Matched, Operators, load, match_differentiability_info};

/// The tags that operators can have.
pub const TAGS: [&str; 4] = ["core", "generated", "view_copy", "inplace_view"];

/// The operators of a YAML text with their kernels, generated ones included.
pub fn operators(
    text: &str,
    target: Target,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> (Vec<NativeFunction>, BackendIndices) {
    let file = sources.add("native_functions.yaml", text.to_owned());
    let root = yaml::parse(sources, file, yaml::Options::OPERATORS, diagnostics).unwrap();
    let keys = if target.language == Language::Torchgen { &native::ATEN_KEYS } else { &native::LIBRARY_KEYS };
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

/// Whether views without a copy variant are reported.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CopyVariants {
    /// They are, as in a run.
    Required,
    /// They are not. Copies, which `autogen` adds, would only make the cases longer.
    Optional,
}

/// The result of `show` for operators and their derivatives, and all errors.
pub fn with_derivatives(
    target: Target,
    copies: CopyVariants,
    native: &str,
    derivatives: &str,
    show: impl FnOnce(&[NativeFunction], &DifferentiabilityInfos, &Matched) -> Result<String, Vec<Diagnostic>>,
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

/// A result, or errors, as the text of a case.
pub fn shown_with_errors(
    shown: Result<String, Vec<Diagnostic>>,
    mut diagnostics: Diagnostics,
    sources: &Sources,
) -> String {
    let mut text = shown.unwrap_or_else(|errors| {
        diagnostics.extend(errors);
        String::new()
    });
    for diagnostic in diagnostics.into_sorted() {
        text.push_str(&human(&diagnostic, sources, Color::Never));
    }
    text
}

/// [`cases`] of operators with derivatives: `check` gets the name, the layout and both texts, with
/// `---- derivatives.yaml` between them. `library` at the start of the name, or after the name of a
/// generator and a colon, selects the layout of libraries.
#[track_caller]
pub fn derivative_cases(table: &str, check: impl Fn(&str, Target, (&str, &str)) -> String) -> String {
    cases(table, |name, text| {
        let texts = text.split_once("---- derivatives.yaml\n").unwrap();
        let in_library = name.starts_with("library") || name.contains(": library");
        let tables = Tables::embedded();
        let target = if in_library { Target::library(tables) } else { Target::pytorch(tables) };
        check(name, target, texts)
    })
}
