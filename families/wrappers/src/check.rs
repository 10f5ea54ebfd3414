//! Checks entries against what was decided about their operators.
//!
//! Invariant: nothing is changed here. What one entry and one operator say together is checked
//! where the wrapper is made.

use super::codes;
use super::examples;
use super::model::Model;
use super::plan::{Code, Decision, Row};
use super::reason::Reason;
use super::records::EntryRecord;
use super::together::DiagnosticsByOperator;
use super::unknown;
use super::wrapper::Wrapped;
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::yaml::Text;

/// Reports warnings about what was decided, and errors in names that no operator of an entry has.
/// With `required_only`, an entry may have no wrapper.
pub(super) fn check_decisions(model: &Model, rows: &[Row], required_only: bool, diagnostics: &mut Diagnostics) {
    diagnostics.extend(examples::check_examples(rows));
    for entry in &model.record.entries {
        let rows: Vec<&Row> =
            rows.iter().filter(|row| row.entry.is_some_and(|other| std::ptr::eq(other, entry))).collect();
        if unknown_names(model, entry, &rows, diagnostics) {
            continue;
        }
        // Most warnings of an entry with errors follow from them.
        if rows.iter().any(|row| row.is_wrong) {
            continue;
        }
        let mut once: Vec<Diagnostic> = Vec::new();
        let mut lost = DiagnosticsByOperator::default();
        for row in &rows {
            let Decision::Made(Code::Call(wrapped)) = &row.decision else { continue };
            let method = &wrapped.call.method;
            for diagnostic in warnings(entry, wrapped, method) {
                if !once.contains(&diagnostic) {
                    once.push(diagnostic);
                }
            }
            if !wrapped.lossy.is_empty() {
                let names: Vec<String> = wrapped.lossy.iter().map(|name| format!("`{name}`")).collect();
                let message = format!("{} of `{}` has no parameter for it", names.join(", "), row.operator.full_name());
                let help =
                    "the wrapper requires its default; state a condition under `guard:`, or list it under `drop:`";
                let place = entry.call.as_ref().unwrap_or(&entry.op).span();
                let diagnostic = Diagnostic::new(&codes::LOSSY_MAPPING, message).at(place).help(help);
                lost.add(&row.operator.full_name(), diagnostic);
            }
        }
        diagnostics.extend(lost.diagnostics());
        diagnostics.extend(once);
        let none = |row: &&&Row| matches!(row.decision, Decision::Made(_));
        if !rows.is_empty() && !rows.iter().any(|row| none(&row)) && !required_only {
            let Decision::Skipped(reason, detail) = &rows[0].decision else { continue };
            if *reason == Reason::ManualInBody || diagnostics.has_errors() {
                continue;
            }
            let message = format!("`{}` has no wrapper: {detail}", rows[0].operator.full_name());
            let diagnostic = Diagnostic::new(&codes::NO_WRAPPER, message).at(entry.op.span());
            diagnostics.push(diagnostic.help(reason.hint()));
        }
    }
}

/// Reports names that no operator of an entry, or no function that it calls, has; returns whether
/// there are any.
fn unknown_names(model: &Model, entry: &EntryRecord, rows: &[&Row], diagnostics: &mut Diagnostics) -> bool {
    if rows.is_empty() {
        return false;
    }
    let before = diagnostics.len();
    let inputs: Vec<&str> =
        rows.iter().flat_map(|row| row.operator.inputs()).map(|input| input.name.as_str()).collect();
    let parameters: Vec<&str> = model
        .functions
        .iter()
        .filter(|function| entry.call.as_ref().is_some_and(|call| call.as_str() == function.name))
        .flat_map(|function| function.parameters.iter().map(|parameter| parameter.name.as_str()))
        .collect();
    let reversed = unknown::reversed_map(entry, &inputs, &parameters);
    let map: &[(Text, Text)] = if reversed.is_some() { &[] } else { &entry.map };
    diagnostics.extend(reversed);
    let mut check = |text: &Text, names: &[&str], message: String| {
        if !names.contains(&text.as_str()) {
            let help = did_you_mean(text.as_str(), names.iter().copied());
            diagnostics.push(Diagnostic::new(&codes::UNKNOWN_NAME, message).at(text.span()).maybe_help(help));
        }
    };
    let no_argument = |text: &Text| format!("`{}` has no argument `{text}`", entry.op);
    let arguments = entry.guard.iter().map(|(name, _)| name).chain(entry.default.iter().map(|(name, _)| name));
    let arguments = arguments.chain(map.iter().map(|(_, argument)| argument)).chain(&entry.drop);
    let arguments = arguments.chain(entry.dims.iter().flatten());
    arguments.for_each(|name| check(name, &inputs, no_argument(name)));
    let contiguous = entry.contiguous.iter().flatten().filter(|text| !["all", "none"].contains(&text.as_str()));
    contiguous.for_each(|name| check(name, &inputs, no_argument(name)));
    if let Some(call) = entry.call.as_ref().filter(|_| !parameters.is_empty()) {
        let extra = entry.extra.iter().map(|(name, _)| name).chain(map.iter().map(|(name, _)| name));
        extra.for_each(|name| check(name, &parameters, format!("`{call}` has no parameter `{name}`")));
    }
    diagnostics.len() > before
}

/// The warnings about one wrapper.
fn warnings(entry: &EntryRecord, wrapped: &Wrapped, method: &str) -> Vec<Diagnostic> {
    let found =
        [wrapped.review.warning(entry, method), wrapped.results.warning(entry, method), no_meta(entry, wrapped)];
    found.into_iter().flatten().collect()
}

/// The warning that PyTorch lacks the kernel that `shape: meta` calls.
fn no_meta(entry: &EntryRecord, wrapped: &Wrapped) -> Option<Diagnostic> {
    let (name, lacking) = wrapped.meta_missing.as_ref()?;
    let place = entry.shapes.first().and_then(|shape| shape.texts.first()).unwrap_or(&entry.op);
    let message = match name == lacking {
        true => format!("`shape: meta` calls `{name}` without data, and PyTorch has no kernel for that in C++"),
        false => format!(
            "`shape: meta` calls `{name}` without data, whose kernel calls `{lacking}`, which has none for that in C++"
        ),
    };
    let help = "write the sizes as an expression, such as `shape: sizes(self)`";
    Some(Diagnostic::new(&codes::META_KERNEL, message).at(place.span()).help(help))
}
