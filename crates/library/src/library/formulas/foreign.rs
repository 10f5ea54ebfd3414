//! What is not C++ in a formula, and namespaces that do not exist.
//!
//! Invariant: a reported formula would not compile. If the author's header includes others, those
//! may declare any namespace.

use std::ops::Range;

use super::callables::Callables;
use torchgen_api::autograd::{formula_uses, is_formula_word};
use torchgen_base::diag::{Diagnostic, TextError};
use torchgen_base::yaml::Text;
use torchgen_kit::driver::Session;
use torchgen_model::codes;
use torchgen_model::model::{BaseTy, FunctionSchema, Type};
use torchgen_model::parse::formula::{Node, Path, Problem, not_a_pointer, parse};

/// Namespaces that every formula sees.
const KNOWN: &[&str] = &["at", "c10", "torch", "std", "caffe2", "details"];

/// Short names of modules in Python, which no header declares.
const MODULES: &[&str] = &["F", "np", "nn", "math", "numpy"];

/// The first error.
pub(super) fn check(
    formula: &Text,
    schema: &FunctionSchema,
    all: &Callables,
    manual: &str,
    session: &mut Session,
) -> Option<Diagnostic> {
    let expr = match parse(formula.as_str()) {
        Ok(expr) => expr,
        Err(problem) => return problem.not_cpp.then(|| not_cpp(problem, formula)),
    };
    let is_value = |name: &str| is_value(schema, name);
    let mut found: Option<Problem> = None;
    let mut paths: Vec<&Path> = Vec::new();
    expr.walk(&mut |part| match &part.node {
        Node::Dereferenced { value, place } if found.is_none() => found = not_a_pointer(value, place, is_value),
        Node::Path(path) | Node::Call(path, _) | Node::Braces(Some(path), _) => paths.push(path),
        _ => {}
    });
    if let Some(problem) = found {
        return Some(not_cpp(problem, formula));
    }
    paths.into_iter().find_map(|path| no_namespace(path, formula, all, manual, session))
}

fn not_cpp(problem: Problem, formula: &Text) -> Diagnostic {
    let mut error = TextError::new(&codes::FORMULA_SYNTAX, problem.range, problem.message);
    error.help = problem.help;
    error.at_text(formula)
}

/// A tensor or a number, of which `*` takes no value.
fn is_value(schema: &FunctionSchema, name: &str) -> bool {
    use BaseTy::{Bool, Float, Int, Scalar, SymInt, Tensor};
    let is_plain = |ty: &Type| matches!(ty, Type::Base(Tensor | Int | SymInt | Float | Bool | Scalar));
    name == "grad"
        || schema.schema_order_arguments().any(|a| a.schema_name() == name && is_plain(&a.ty))
        || schema.returns.iter().any(|ret| ret.name.as_deref() == Some(name) && is_plain(&ret.ty))
}

/// A name in a namespace or class that no header declares.
fn no_namespace(
    path: &Path,
    formula: &Text,
    all: &Callables,
    manual: &str,
    session: &mut Session,
) -> Option<Diagnostic> {
    let [first, _, ..] = path.parts.as_slice() else { return None };
    let known = KNOWN.contains(&first.as_str())
        || all.is_own(first)
        || is_formula_word(first, all.tables)
        || formula_uses(manual, first)
        || manual.lines().any(|line| line.trim_start().starts_with('#'));
    let declared = |session: &mut Session| match all.stock() {
        Some(stock) => stock.headers_declare_scope(first, session),
        None => !MODULES.contains(&first.as_str()),
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
