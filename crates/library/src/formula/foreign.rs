//! Namespaces in formulas that do not exist.
//!
//! Invariant: a reported formula would not compile. If the author's header includes others, those
//! may declare any namespace.

use std::ops::Range;

use super::names::Declared;
use torchgen_api::autograd::is_formula_word;
use torchgen_base::diag::Diagnostic;
use torchgen_base::yaml::Text;
use torchgen_formula::{Expr, Path};
use torchgen_generators::inputs::stock::headers_below_declare_scope;
use torchgen_kit::driver::Session;
use torchgen_model::codes;

/// Namespaces that every formula sees.
const KNOWN: &[&str] = &["at", "c10", "torch", "std", "caffe2", "details"];

/// Short names of modules in Python, which no header declares.
const MODULES: &[&str] = &["F", "np", "nn", "math", "numpy"];

/// The first name in a namespace or class that no header declares.
pub(super) fn no_namespace(expr: &Expr, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let mut paths: Vec<&Path> = Vec::new();
    expr.walk(&mut |part| paths.extend(part.path()));
    paths.into_iter().find_map(|path| unknown(path, formula, all, session))
}

fn unknown(path: &Path, formula: &Text, all: &Declared, session: &mut Session) -> Option<Diagnostic> {
    let [first, _, ..] = path.parts.as_slice() else { return None };
    let known = KNOWN.contains(&first.as_str())
        || all.is_own(first)
        || is_formula_word(first, all.tables)
        || all.author_mentions(first)
        || all.manual.is_none_or(|manual| manual.lines().any(|line| line.trim_start().starts_with('#')));
    let declared = |session: &mut Session| match all.knows_torch() {
        true => all.headers(session, |session, include| headers_below_declare_scope(session, include, first)),
        false => !MODULES.contains(&first.as_str()),
    };
    if known || declared(session) {
        return None;
    }
    let place: Range<usize> = path.range.clone();
    let message = format!("there is no `{}`: no header declares `{first}`", path.text());
    let error = Diagnostic::new(&codes::UNKNOWN_CALL, message).at(formula.sub_span(place));
    let name = path.name();
    let is_operator = all.stock_names().any(|known| known == name) || MODULES.contains(&first.as_str());
    Some(match is_operator {
        true => error.help(format!("formulas are C++: write `at::{name}`")),
        false => error.help("declare it in derivatives_manual.h beside derivatives.yaml"),
    })
}
