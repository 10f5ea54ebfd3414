//! Operators and the decision about each as facts.
//!
//! Invariant: the rows are those of the report with `--all`.

use serde_json::json;

use super::explain::Explanation;
use torchgen_kit::facts::{Facts, Relation, Thing, own};

/// All operators, in the order of the report.
pub(super) fn facts(all: Vec<Explanation>) -> Facts {
    Facts { namespace: None, things: all.into_iter().map(operator).collect() }
}

fn operator(explanation: Explanation) -> Thing {
    let Explanation { row, call, arguments, shape, conditions, lossy, ignored } = explanation;
    let name = if row.overload.is_empty() { row.op.clone() } else { format!("{}.{}", row.op, row.overload) };
    let facts = json!({
        "required": row.required,
        "decision": row.decision,
        "template": row.template,
        "reason": row.reason,
        "detail": row.detail,
        "hint": row.hint,
        "arguments": arguments,
        "shape": shape,
        "conditions": conditions,
        "lossy": lossy,
        "ignored": ignored,
    });
    let calls = (!call.is_empty()).then(|| Relation::new("calls", call));
    Thing {
        schema: Some(row.schema),
        relations: calls.into_iter().collect(),
        ..Thing::new("operator", name, own(facts))
    }
}
