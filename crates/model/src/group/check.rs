//! Rules between operators outside groups: unique names, existing delegates, argument names that
//! Python allows.
//!
//! Invariant: only operators of the YAML are checked, before variants are generated. Rule:
//! torchgen/gen.py, `error_check_native_functions`.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::form::made_structured;
use crate::codes;
use crate::model::{BaseOperatorName, NativeFunction, OperatorName, Target};
use torchgen_base::diag::{Diagnostic, Diagnostics, Span, did_you_mean};
use torchgen_base::lang::python::is_keyword;

/// Operators whose arguments got their names before the rule on Python's reserved words.
const KEYWORD_EXEMPT: [(&str, &str); 3] =
    [("_has_compatible_shallow_copy_type", "from"), ("random_.from", "from"), ("uniform_", "from")];

/// Checks all operators against each other. `unread` are the names of operators whose entries have
/// errors: they exist, but nothing is known about them.
pub fn check_operators(
    functions: &[NativeFunction],
    unread: &BTreeSet<String>,
    target: Target,
    diagnostics: &mut Diagnostics,
) {
    let mut by_name: FxHashMap<(Option<&str>, &OperatorName), &NativeFunction> = FxHashMap::default();
    let mut base_names: FxHashSet<&BaseOperatorName> = FxHashSet::default();
    for f in functions {
        base_names.insert(&f.func.name.name);
        if let Some(first) = by_name.insert((target.identity(f), &f.func.name), f) {
            diagnostics.push(
                Diagnostic::new(&codes::DUPLICATE_OPERATOR, format!("operator `{}` is defined twice", f.func.name))
                    .at_with(f.spans.name, "second definition")
                    .also(first.spans.name, "first definition"),
            );
        }
    }
    for f in functions {
        if let Some(delegate) = &f.structured_delegate {
            match by_name.get(&(target.identity(f), delegate)) {
                Some(target) if target.structured => {}
                Some(target) => diagnostics.push(
                    Diagnostic::new(
                        &codes::DELEGATE_NOT_STRUCTURED,
                        format!("the delegate `{delegate}` is not structured"),
                    )
                    .at(f.spans.structured.unwrap_or(f.spans.name))
                    .also(target.spans.name, "the delegate")
                    .help(made_structured(target, format!("add `structured: True` to `{delegate}`"))),
                ),
                None if unread.contains(&delegate.to_string()) => {}
                None => diagnostics.push(missing_delegate(f, delegate, functions)),
            }
        }
        // A library's Python package renames such arguments.
        if target.refuses_keywords {
            check_keywords(f, diagnostics);
        }
        check_inplace_view(f, &base_names, unread, diagnostics);
    }
}

fn missing_delegate(f: &NativeFunction, delegate: &OperatorName, functions: &[NativeFunction]) -> Diagnostic {
    let diagnostic = Diagnostic::new(&codes::NO_SUCH_DELEGATE, format!("there is no operator `{delegate}`"))
        .at(f.spans.structured.unwrap_or(f.spans.name));
    let structured: Vec<String> = functions.iter().filter(|f| f.structured).map(|f| f.func.name.to_string()).collect();
    diagnostic.maybe_help(did_you_mean(&delegate.to_string(), structured.iter().map(String::as_str)))
}

fn check_keywords(f: &NativeFunction, diagnostics: &mut Diagnostics) {
    for a in f.func.arguments.flat_all() {
        if !is_keyword(&a.name) {
            continue;
        }
        let name = f.func.name.to_string();
        if !KEYWORD_EXEMPT.contains(&(name.as_str(), a.name.as_str())) {
            diagnostics.push(
                Diagnostic::new(
                    &codes::PYTHON_KEYWORD,
                    format!("argument `{}` of `{name}` is a reserved word in Python", a.name),
                )
                .at(name_of(f.spans.schema.argument(&a.name), &a.name))
                .help(format!("rename it, for instance to `{}_`", a.name)),
            );
        }
    }
}

/// The name at the end of an argument.
fn name_of(argument: Span, name: &str) -> Span {
    let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
    Span { start: argument.end.saturating_sub(length).max(argument.start), ..argument }
}

/// An inplace view has a name with an underscore and an out-of-place counterpart.
fn check_inplace_view(
    f: &NativeFunction,
    base_names: &FxHashSet<&BaseOperatorName>,
    unread: &BTreeSet<String>,
    diagnostics: &mut Diagnostics,
) {
    if !f.has_tag("inplace_view") {
        return;
    }
    let name = f.func.name.to_string();
    let base = &f.func.name.name;
    if name == "resize_" || name == "resize_as_" || base.to_string() == "set_" {
        return;
    }
    if !base.inplace {
        diagnostics.push(
            Diagnostic::new(
                &codes::INPLACE_VIEW_NAME,
                format!("`{name}` has the tag `inplace_view`, but its name does not end in an underscore"),
            )
            .at(f.spans.name),
        );
        return;
    }
    let out_of_place = BaseOperatorName { inplace: false, ..base.clone() };
    let counterpart = out_of_place.to_string();
    if !base_names.contains(&out_of_place) && !unread.iter().any(|name| name.split('.').next() == Some(&counterpart)) {
        diagnostics.push(
            Diagnostic::new(
                &codes::INPLACE_VIEW_COUNTERPART,
                format!("inplace view `{name}` has no out-of-place counterpart `{out_of_place}`"),
            )
            .at(f.spans.name)
            .help(format!("add a view operator `{out_of_place}` with the same arguments")),
        );
    }
}
