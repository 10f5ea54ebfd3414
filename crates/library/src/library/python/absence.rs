//! Operators that some builds lack: what their functions raise, and what their docstrings say.
//!
//! Invariant: a function exists in every build, and raises only if none of its overloads exists.

use serde::Serialize;

use torchgen_base::lang::python::string_literal;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::condition::Condition;

/// What is raised in builds that have none of a function's overloads.
#[derive(Serialize)]
pub(crate) struct Absence {
    /// The overloads, with their namespace.
    operators: Vec<String>,
    /// The name without overloads, and what it needs, as a literal.
    reason: String,
}

/// That of some operators with their conditions; none if one of them always exists.
pub(super) fn absence<'a>(operators: impl Iterator<Item = (String, Option<&'a Condition>)>) -> Option<Absence> {
    let (mut names, mut conditions) = (Vec::new(), Vec::new());
    for (name, condition) in operators {
        names.push(name);
        let text = condition?.text();
        if !conditions.contains(&text) {
            conditions.push(text);
        }
    }
    let shown = names.first()?.split('.').next().unwrap_or_default();
    let reason = format!("This build lacks {shown}, which needs: {}", conditions.join(" or "));
    Some(Absence { reason: string_literal(&reason), operators: names })
}

/// The lines of the docstring, with the builds that have the operator; none without either.
pub(super) fn described(f: &NativeFunction) -> Vec<String> {
    let condition = f.conditions.operator.as_ref();
    described_as(f.doc.as_deref(), condition, || format!("{}::{}", f.namespace, f.func))
}

/// The same for the parts of an operator.
pub(super) fn described_as(
    doc: Option<&str>,
    condition: Option<&Condition>,
    schema: impl Fn() -> String,
) -> Vec<String> {
    let of = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let Some(condition) = condition else { return doc.map(of).unwrap_or_default() };
    let mut lines = doc.map_or_else(|| vec![schema()], of);
    lines.extend([String::new(), format!("Only in builds with {}.", condition.text())]);
    lines
}
