//! Operators that some builds lack: what their functions raise, and what their docstrings say.
//!
//! Invariant: a function exists in every build, and raises only if none of its overloads exists.

use serde::Serialize;

use torchgen_base::diag::listed;
use torchgen_base::lang::python::string_literal;
use torchgen_kit::schema::Spanned;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::condition::Condition;
use torchgen_model::model::dims::Combined;

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

/// The lines of the docstring, with its dimensions and the builds that have the operator; none
/// without any of these.
pub(super) fn described(f: &NativeFunction) -> Vec<String> {
    let (condition, schema) = (f.conditions.operator.as_ref(), || format!("{}::{}", f.namespace, f.func));
    let mut lines = described_as(f.doc.as_deref(), condition, schema);
    let dims = f.dims_lines();
    if lines.is_empty() && !dims.is_empty() {
        lines.push(schema());
    }
    for line in dims {
        lines.extend([String::new(), format!("Dimensions: {}", line.shapes())]);
        let named =
            |names: &[Spanned<String>]| listed(&names.iter().map(|name| name.value.as_str()).collect::<Vec<_>>());
        if !line.map.is_empty() {
            lines.push(format!("Parts along {} are independent.", named(&line.map)));
        }
        for reduction in &line.reduce {
            let how = match reduction.combined {
                Combined::Sum => "are added",
                Combined::Max => "are combined by the maximum of each element",
                Combined::Min => "are combined by the minimum of each element",
                Combined::Same => "are the same",
            };
            let once = match reduction.added.is_empty() {
                true => String::new(),
                false => format!(", and {} once", named(&reduction.added)),
            };
            lines.push(format!("Results of parts along {} {how}{once}.", reduction.name.value));
        }
    }
    lines
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
